"""A browser for the tests of pages, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAYS_IN = "#still"  # a page that does not begin to play by itself


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium without a window; tests that need it are skipped where there is none."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed, so pages are not tried in a browser")
    playwright = pytest.importorskip(
        "playwright.sync_api",
        reason="playwright is not installed (pip install 'rigid[browser-test]'), so pages are not "
        "tried in a browser",
    )
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page's text in a tab; at the end of the test no tab may have told of an error."""
    tabs: list[tuple[Any, list[str]]] = []

    def open_page(text: str, size: tuple[int, int] = (1280, 860), **options: Any) -> Any:
        file = tmp_path / f"page{len(tabs)}.html"
        file.write_text(text, encoding="utf-8")
        width, height = size
        tab = browser.new_page(viewport={"width": width, "height": height}, **options)
        errors: list[str] = []
        tab.on("console", lambda m: errors.append(m.text) if m.type in ("error", "warning") else 0)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on(
            "request",
            lambda r: (
                None
                if r.url.startswith(("file:", "data:", "blob:"))
                else errors.append(f"asked for {r.url}")
            ),
        )
        tab.goto(file.as_uri() + WAYS_IN)
        tab.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
        tabs.append((tab, errors))
        return tab

    yield open_page
    for tab, errors in tabs:
        tab.close()
        assert errors == []
