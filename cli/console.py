"""Writing to the two streams: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "1;31",
    "green": "32",
    "yellow": "33",
    "blue": "1;34",
    "cyan": "36",
}


def is_terminal(stream: TextIO) -> bool:
    """Whether a person watches ``stream``; never in a pipe, nor under CI=true."""
    if os.environ.get("CI", "").lower() in ("true", "1"):
        return False
    try:
        return stream.isatty()
    except ValueError:
        return False


def has_color(stream: TextIO) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str, stream: TextIO) -> str:
    """``text`` in a style of ``STYLES``, or unchanged where ``stream`` shows no colour."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if has_color(stream) else text


def note(text: str) -> None:
    """A message for the person at the terminal."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    print(json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False))


def finite(value: Any) -> Any:
    """``value`` with null for every number that JSON cannot hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return value
