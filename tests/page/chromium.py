# SPDX-License-Identifier: MIT
"""A browser for the tests of pages, where there is one."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

NOTHING = "about:blank"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium without a window; tests that need it are skipped where there is none."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed, so pages are not tried in a browser")
    playwright = pytest.importorskip(
        "playwright.sync_api",
        reason="playwright is not installed (pip install 'rigid2d[browser-test]'), so pages are "
        "not tried in a browser",
    )
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


class Tabs:
    """Tabs that tests use one after the other: a new one takes as long as a page itself.

    A page that was asked for several times stays in its tab, as it may be asked for again.
    """

    MOST = 3  # tabs of the same options that wait

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}
        self._pages: dict[Any, str] = {}  # the page that a tab still shows
        self._asked: Counter[str] = Counter()

    def take(self, size: dict[str, int], options: dict[str, Any], page: str = "") -> Any:
        """A tab with these options: one that shows a page still, or else one of no other use."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        self._asked[page] += bool(page)
        if free:
            right = [tab for tab in free if page and self.shows(tab) == page]
            least = min(free, key=lambda tab: self._asked[self.shows(tab)])
            if right or self._asked[self.shows(least)] < 2 or len(free) >= self.MOST:
                tab = right[0] if right else least
                free.remove(tab)
                if not right:
                    self._pages.pop(tab, None)
                tab.set_viewport_size(size)
                return tab
        return self._browser.new_page(viewport=size, **options)

    def shows(self, tab: Any) -> str:
        """The page that a tab was given back with, or nothing."""
        return self._pages.get(tab, "")

    def give_back(self, tab: Any, options: dict[str, Any], page: str = "") -> None:
        """Leave a tab to the next test: with the page that it shows, or with none."""
        tab.mouse.up()
        if page:
            self._pages[tab] = page
        else:
            self._pages.pop(tab, None)
            tab.goto(NOTHING)
        self._free.setdefault(repr(sorted(options.items())), []).append(tab)


@pytest.fixture(scope="session")
def tabs(browser: Any) -> Tabs:
    """The tabs of the browser, which all tests share."""
    return Tabs(browser)
