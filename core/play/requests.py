# SPDX-License-Identifier: MIT
"""Requests of pages: checked, then applied to the session."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from ..errors import UsageError
from ..scene.values import units
from ..scene.values.quantity import Quantity
from .session import Session

LONGEST = 300
"""Characters of a name, or of the path of a setting."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a page."""

    does: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)
    """Requests to the desk, see ``desk.py``."""


_LARGEST = 1e15
_FARTHEST = Quantity((units.LENGTH,)).largest
"""Of a place, which is recorded and has to be what a file may say."""
_NUMBERS: dict[str, tuple[str, ...]] = {
    "seek": ("time",),
    "speed": ("speed",),
    "grab": ("x", "y", "reach"),
    "drag": ("x", "y"),
    "var": ("value",),
    "now": ("value",),
    "joint": ("value",),
    "want": ("contacts", "loads", "sounds"),
}
_WORDS: dict[str, tuple[str, ...]] = {
    "press": ("key",),
    "release": ("key",),
    "var": ("name",),
    "now": ("name",),
    "joint": ("name",),
    "write": ("name",),
    "replay": ("name",),
    "want": ("traces",),
}
_NEWER = ("sounds",)
"""Numbers that may be missing, and are 0 then."""
_OPTIONAL = {"traces": 20 * LONGEST}
"""Words that may be missing, and how long they may be."""
_PLAIN = ("play", "pause", "step", "drop", "restart", "over", "save")
TO_WATCH = frozenset(("want",))
"""Requests that a page that only watches may send."""
TO_FILES = frozenset(("write", "save", "desk"))
"""Requests that write files."""
KNOWN = frozenset((*_PLAIN, *_NUMBERS, *_WORDS, "desk"))


def read_request(text: str) -> Request:
    """A request as a page sends it. Raises UsageError for one that is none."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError("a request is JSON") from None
    does = given.get("do") if isinstance(given, dict) else None
    if not isinstance(does, str) or does not in KNOWN:
        raise UsageError(f"a request says what to `do`: {', '.join(sorted(KNOWN))}")
    if does == "desk":
        return Request(does, asked=given)
    missing = {name: 0.0 for name in _NEWER if does in _NUMBERS}
    numbers = {
        name: _number(given.get(name, missing.get(name)), name) for name in _NUMBERS.get(does, ())
    }
    words = {name: _word(given.get(name), name) for name in _WORDS.get(does, ())}
    return Request(does, numbers, words)


def _number(value: Any, name: str) -> float:
    largest = _FARTHEST if name in ("x", "y") else _LARGEST
    if isinstance(value, (int, float)) and abs(value) <= largest and isfinite(value):
        return float(value)
    raise UsageError(f"`{name}` is a number of at most {largest:g}")


def _word(value: Any, name: str) -> str:
    if value is None and name in _OPTIONAL:
        return ""
    if isinstance(value, str) and len(value) <= _OPTIONAL.get(name, LONGEST):
        return value
    raise UsageError(f"`{name}` is a name")


def carry_out(session: Session, who: str, request: Request) -> object:
    """Apply a request to the session; returns its result.

    Raises UsageError where it cannot be.
    """
    numbers, words = request.numbers, request.words
    write = session.write_joint if "." in words.get("name", "") else session.write_var
    done: dict[str, Callable[[], object]] = {
        "play": session.play,
        "pause": session.pause,
        "step": session.step_once,
        "restart": session.restart,
        "over": session.take_over,
        "drop": lambda: session.let_go(who),
        "seek": lambda: session.seek_time(numbers["time"]),
        "speed": lambda: session.set_speed(numbers["speed"]),
        "press": lambda: session.press(who, words["key"]),
        "release": lambda: session.release(who, words["key"]),
        "grab": lambda: session.grab(who, _point(numbers), max(0.0, numbers["reach"])),
        "drag": lambda: session.drag_to(who, _point(numbers)),
        "var": lambda: session.set_var(words["name"], numbers["value"]),
        "now": lambda: session.set_var_now(words["name"], numbers["value"]),
        "joint": lambda: session.set_joint(words["name"], numbers["value"]),
        "write": lambda: write(words["name"]),
    }
    return done[request.does]()


def _point(numbers: Mapping[str, float]) -> tuple[float, float]:
    return numbers["x"], numbers["y"]
