# SPDX-License-Identifier: MIT
"""A browser for the tests of pages, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


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
