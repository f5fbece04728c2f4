# SPDX-License-Identifier: MIT
"""Numbers and vectors of Box2D as JSON.

A number may be written as the eight hexadecimal digits of its 32 bits, a vector of zeros as 0.
"""

from __future__ import annotations

import re
import struct

from ...scene.model import Point
from ..drafts.places import Value

_HEX = re.compile(r"[0-9A-Fa-f]{8}")


def number(value: Value, *names: str, default: float = 0.0) -> float:
    """A number, which may be written as its bits."""
    found = value.get(*names)
    if found is None:
        return default
    return to_number(found)


def to_number(found: Value, limit: bool = False) -> float:
    """A number; a largest force may also be infinite."""
    if isinstance(found.data, str) and _HEX.fullmatch(found.data):
        bits = struct.unpack(">f", bytes.fromhex(found.data))[0]
        found = Value(float(bits), found.source, found.steps)
    return found.as_limit() if limit else found.as_number()


def point(value: Value, *names: str, default: Point = (0.0, 0.0)) -> Point:
    found = value.get(*names)
    if found is None:
        return default
    if not isinstance(found.data, dict):
        if to_number(found) != 0:
            raise found.fail("wrong-type", "must be a vector: {x: 1, y: 2}, or 0")
        return 0.0, 0.0
    return number(found, "x"), number(found, "y")


def points(value: Value) -> list[Point]:
    """Points as a list of x and one of y."""
    xs, ys = value.items("x"), value.items("y")
    if len(xs) != len(ys):
        raise value.fail("out-of-range", f"{len(xs)} x and {len(ys)} y; there must be as many")
    return [(to_number(x), to_number(y)) for x, y in zip(xs, ys, strict=True)]
