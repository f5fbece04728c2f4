# SPDX-License-Identifier: MIT
"""Whether two bodies touch, circles or boxes, as an expression of their state.

A task needs it in every step of many worlds, where expressions are computed on arrays; events would
have the worlds stepped one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..scene.model import Point

NEAR = 0.005
"""Bodies that are so near touch, in metres."""
LONGEST = 1900
"""Characters of an expression."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A circle, or a box with the origin of its body in its middle.

    Attributes:
        name: the body.
        half: half of the sides of a box; None for a circle.
        radius: of a circle.
        center: the middle of a fixed body.
    """

    name: str
    half: Point | None
    radius: float
    center: Point | None

    def middle(self) -> tuple[str, str]:
        if self.center is not None:
            return _number(self.center[0]), _number(self.center[1])
        return f"{self.name}.x", f"{self.name}.y"


def _number(value: float) -> str:
    text = f"{round(value, 6):g}" if value == round(value, 4) else repr(round(value, 6))
    return f"({text})" if value < 0 else text


def touching(first: Sequence[Figure], second: Sequence[Figure]) -> str:
    """An expression that is true if any of the first touches any of the second; empty for none."""
    return " or ".join(f"{_gap(a, b)} < {NEAR:g}" for a in first for b in second)


def _gap(a: Figure, b: Figure) -> str:
    """The distance between two bodies, or less than it, but above 0, where they are apart."""
    (ax, ay), (bx, by) = a.middle(), b.middle()
    if a.half is None and b.half is None:
        return f"hypot({ax} - {bx}, {ay} - {by}) - {_number(a.radius + b.radius)}"
    if a.half is not None and b.half is not None:
        return f"max({', '.join([*_axes(a, b), *_axes(b, a)])})"
    round_one, box = (a, b) if b.half is not None else (b, a)
    outside = [f"max({each}, 0)" for each in _beside(round_one, box)]
    return f"hypot({', '.join(outside)}) - {_number(round_one.radius)}"


def _beside(a: Figure, box: Figure) -> list[str]:
    """How far the middle of a body is outside of a box, along both axes of the box."""
    assert box.half is not None
    (ax, ay), (bx, by) = a.middle(), box.middle()
    x, y, turn = f"({ax} - {bx})", f"({ay} - {by})", f"{box.name}.angle"
    return [
        f"abs({x}*cos({turn}) + {y}*sin({turn})) - {_number(box.half[0])}",
        f"abs({y}*cos({turn}) - {x}*sin({turn})) - {_number(box.half[1])}",
    ]


def _axes(a: Figure, b: Figure) -> list[str]:
    """The gaps between two boxes along the axes of the second one."""
    assert a.half is not None
    width, height = _number(a.half[0]), _number(a.half[1])
    c, s = (f"abs({name}({a.name}.angle - {b.name}.angle))" for name in ("cos", "sin"))
    along, across = _beside(a, b)
    return [f"{along} - {width}*{c} - {height}*{s}", f"{across} - {width}*{s} - {height}*{c}"]
