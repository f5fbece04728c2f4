# SPDX-License-Identifier: MIT
"""A browser for the tests of pages, where there is one."""

from __future__ import annotations

import shutil
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
    """Tabs that tests use one after the other: a new one takes as long as a page itself."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}

    def take(self, size: dict[str, int], options: dict[str, Any]) -> Any:
        """A tab with these options that shows nothing."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        if free:
            tab = free.pop()
            tab.set_viewport_size(size)
            return tab
        return self._browser.new_page(viewport=size, **options)

    def give_back(self, tab: Any, options: dict[str, Any]) -> None:
        """Leave a tab to the next test, as it was."""
        tab.mouse.up()
        tab.goto(NOTHING)
        self._free[repr(sorted(options.items()))].append(tab)


@pytest.fixture(scope="session")
def tabs(browser: Any) -> Tabs:
    """The tabs of the browser, which all tests share."""
    return Tabs(browser)
