# SPDX-License-Identifier: MIT
"""Pages in tabs of a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.waiting import wake

WAYS_IN = "#still"  # a page that does not begin to play by itself


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
        wake(tab)
        tabs.append((tab, errors))
        return tab

    yield open_page
    for tab, errors in tabs:
        tab.close()
        assert errors == []
