# SPDX-License-Identifier: MIT
"""Numbers and values as the author of a file writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...scene.text.flow import flow
from .nodes import Node

DIGITS = 4
"""Decimals of lengths for which no step is known."""
ANGLE_DIGITS = 2
MOST = 12
"""Decimals that a number has at most."""
WIDTH = 120
"""A line that is longer is continued on the next one."""
_DECIMALS = re.compile(r"[-+]?\d*(?:\.(\d*))?(?:[eE]([-+]?\d+))?")


def decimals_of(step: float) -> int:
    """Decimals that multiples of a step need: 2 for 0.05, and 2 for a pixel of 0.0137."""
    for digits in range(MOST):
        if abs(round(step, digits) - step) <= 1e-9 * step:
            return digits
        if 10.0**-digits <= step and digits and step < 1:
            return digits
    return MOST


def written_decimals(text: str) -> int:
    """The decimals of a number as it is written."""
    match = _DECIMALS.fullmatch(text.strip())
    if match is None:
        return 0
    return max(0, len(match[1] or "") - int(match[2] or 0))


def number(value: float, decimals: int = MOST, like: str = "", *, is_size: bool = False) -> str:
    """A number with so many decimals at most; ``like`` is the number that it replaces.

    One that ``is_size`` does not become 0 by rounding.
    """
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    decimals = min(decimals, MOST)
    if abs(value) >= 1e15:
        return repr(value)
    text = f"{value:.{decimals}f}"
    if is_size and float(text) == 0.0 and value:
        text = f"{value:.3g}"
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    if float(text) == 0.0:
        text = "0"
    least = written_decimals(like) if like.endswith("0") and "." in like and "e" not in like else 0
    if least and "e" not in text:  # `1.50` stays a number with two decimals
        text = f"{float(text):.{max(least, written_decimals(text))}f}"
    return text


def rounded(value: Any, decimals: int) -> Any:
    """Plain data with its numbers rounded, whole ones without a point."""
    if isinstance(value, bool) or value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return value
        short = float(number(value, decimals))
        return int(short) if short.is_integer() and abs(short) < 1e15 else short
    if isinstance(value, Mapping):
        return {str(key): rounded(each, decimals) for key, each in value.items()}
    return [rounded(each, decimals) for each in value]


def in_flow(value: Any) -> str:
    """A value in one line."""
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key_in_flow(str(k))}: {in_flow(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(in_flow(each) for each in value)}]"
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return flow(value)
    if isinstance(value, str) and value.startswith("=") and _PLAIN_EXPRESSION.fullmatch(value):
        return value
    return flow(value)


def key_in_flow(key: str) -> str:
    """A key in one line; a whole number needs no quotes."""
    return key if re.fullmatch(r"-?\d+", key) else flow(key)


_PLAIN_EXPRESSION = re.compile(r"=[\w.]+(?: ?[-+*/] ?[\w.]+)*")
"""An expression that needs no quotes."""


def folded(text: str, column: int, indent: int, newline: str) -> str:
    """A flow text broken at commas where its lines would be too long; it begins at a column."""
    if column + len(text) <= WIDTH:
        return text
    pieces = _pieces(text)
    lines, line, room = [], "", WIDTH - column
    for piece in pieces:
        if line and len(line) + len(piece.rstrip()) > room:
            lines.append(line.rstrip())
            line, room = "", WIDTH - indent
        line += piece
    lines.append(line)
    return (newline + " " * indent).join(lines)


def _pieces(text: str) -> list[str]:
    """The text cut after its commas that are in no quotes."""
    pieces, begin, quote = [], 0, ""
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote and text[i - 1] != "\\" else quote
        elif character in "'\"":
            quote = character
        elif character == "," and text[i + 1 : i + 2] == " ":
            pieces.append(text[begin : i + 2])
            begin = i + 2
    pieces.append(text[begin:])
    return pieces


def in_order(fields: Mapping[str, Any], like: Sequence[str]) -> dict[str, Any]:
    """The fields in the order of a neighbour's keys; others stay behind those before them."""
    rank = {key: i for i, key in enumerate(like)}
    last, places = -1.0, []
    for i, key in enumerate(fields):
        if key in rank:
            last = max(last, float(rank[key]))
        places.append((rank.get(key, last + 0.5), i, key))
    return {key: fields[key] for _, _, key in sorted(places)}


def keys_of(node: Node | None) -> list[str]:
    """The keys of a mapping as they are written."""
    return [] if node is None else [str(key.value) for key, _ in node.entries]
