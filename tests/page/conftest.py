# SPDX-License-Identifier: MIT
"""Pages in tabs of a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.again import is_reset, note
from tests.page.chromium import NOTHING, Tabs
from tests.page.waiting import wake

WAYS_IN = "#still"  # a page that does not begin to play by itself


@pytest.fixture
def show(tabs: Tabs, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Shows a page's text in a tab; at the end of the test no tab may have told of an error.

    A tab that shows this text from another test is brought back to its beginning; where that does
    not succeed, the page is loaded anew, as where ``anew`` asks for it.
    """
    shown: list[tuple[Any, dict[str, Any], str]] = []
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

    def open_page(
        text: str, size: tuple[int, int] = (1280, 860), anew: bool = False, **options: Any
    ) -> Any:
        width, height = size
        page = "" if anew else f"{size} {text}"
        tab = tabs.take({"width": width, "height": height}, options, page)
        shown.append((tab, options, page))
        for event, hearer in hearers.items():
            tab.on(event, hearer)
        if not (page and tabs.shows(tab) == page and is_reset(tab)):
            file = tmp_path / f"page{len(shown)}.html"
            file.write_text(text, encoding="utf-8")
            tab.goto(NOTHING)  # the same address with `#` would only go to a place in the page
            tab.goto(file.as_uri() + WAYS_IN)
            tab.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
            wake(tab)
            note(tab)
        return tab

    yield open_page
    for tab, options, page in shown:
        tabs.give_back(tab, options, page)
        for event, hearer in hearers.items():
            tab.remove_listener(event, hearer)
    assert errors == []
