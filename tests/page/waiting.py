# SPDX-License-Identifier: MIT
"""A browser takes its time over input and drawing: what is expected of it is waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 30.0  # in seconds; what is there at once is seen at once


def becomes(read: Callable[[], Any], wanted: Any) -> None:
    """Until what is read is what is wanted; where it never is, the last that was read is told."""
    end = time.monotonic() + PATIENCE
    while (found := read()) != wanted and time.monotonic() < end:
        time.sleep(0.02)
    assert found == wanted


def says(tab: Any, script: str, wanted: Any) -> None:
    """Until a script in a page gives what is wanted."""
    becomes(lambda: tab.evaluate(script), wanted)


def reads(tab: Any, what: str, wanted: str) -> None:
    """Until an element's text has what is wanted in it."""
    becomes(lambda: wanted in tab.inner_text(what), True)


def has(tab: Any, what: str, attribute: str, wanted: str) -> None:
    """Until an element's attribute is what is wanted."""
    becomes(lambda: tab.get_attribute(what, attribute), wanted)


def wake(tab: Any) -> None:
    """Move the mouse until the page hears of it: a new browser drops the first it gets."""
    tab.evaluate("addEventListener('pointermove', () => { window.awake = true; }, {once: true})")
    x = 0

    def heard() -> bool:
        nonlocal x
        x = 1 - x
        tab.mouse.move(x, 0)
        return bool(tab.evaluate("Boolean(window.awake)"))

    becomes(heard, True)
