# SPDX-License-Identifier: MIT
"""Pages in tabs of a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.chromium import NOTHING, Tabs
from tests.page.waiting import wake

WAYS_IN = "#still"  # a page that does not begin to play by itself


@pytest.fixture
def show(tabs: Tabs, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page's text in a tab; at the end of the test no tab may have told of an error."""
    shown: list[tuple[Any, dict[str, Any]]] = []
    errors: list[str] = []

    def noted(message: Any) -> None:
        if message.type in ("error", "warning"):
            errors.append(message.text)

    def raised(error: Any) -> None:
        errors.append(str(error))

    def asked(request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:", NOTHING)):
            errors.append(f"asked for {request.url}")

    hearers = {"console": noted, "pageerror": raised, "request": asked}

    def open_page(text: str, size: tuple[int, int] = (1280, 860), **options: Any) -> Any:
        file = tmp_path / f"page{len(shown)}.html"
        file.write_text(text, encoding="utf-8")
        width, height = size
        tab = tabs.take({"width": width, "height": height}, options)
        shown.append((tab, options))
        for event, hearer in hearers.items():
            tab.on(event, hearer)
        tab.goto(file.as_uri() + WAYS_IN)
        tab.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
        wake(tab)
        return tab

    yield open_page
    for tab, options in shown:
        tabs.give_back(tab, options)
        for event, hearer in hearers.items():
            tab.remove_listener(event, hearer)
    assert errors == []
