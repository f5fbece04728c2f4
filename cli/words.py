# SPDX-License-Identifier: MIT
"""Counts and sizes in words, the same way everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any


def either(words: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def refusal(error: Any) -> str:
    """The sentence for a value of an option that the option parser refuses, with its own message
    for all but numbers."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    first: dict[str, Any] = found[0] if found else {}
    kind, given, bounds = first.get("type", ""), first.get("input"), first.get("ctx") or {}
    whole = kind in ("int_parsing", "int_from_float", "int_type")
    if whole or kind in ("float_parsing", "float_type"):
        number = re.match(r"\s*([-+]?\d+)" if whole else r"\s*([-+]?\d+\.?\d*)", str(given))
        example = f", such as {number[1]}" if number else ""
        return f"should be a {'whole ' if whole else ''}number{example}, not `{given}`"
    if kind == "int_parsing_size":
        return "should be a whole number, of fewer digits"
    if kind in ("greater_than_equal", "less_than_equal"):
        side, bound = ("at least", "ge") if kind[0] == "g" else ("at most", "le")
        return f"should be {side} {bounds[bound]}, not {given}"
    return str(getattr(error, "message", "") or error)


def count(number: int, noun: str, plural: str | None = None) -> str:
    """``1 step``, ``1,200 steps``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def file_size(size: int) -> str:
    """Bytes, in the unit that reads best (powers of 1000)."""
    if size < 1000:
        return f"{size} B"
    if size < 1_000_000:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1_000_000:.1f} MB"
