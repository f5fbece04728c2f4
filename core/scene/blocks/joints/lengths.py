# SPDX-License-Identifier: MIT
"""The lengths of distance joints: rods, ropes and springs."""

from __future__ import annotations

import math
from typing import Any

from ...building.scope import Scope
from ...model import Body, Joint
from ...values.broken import BROKEN
from ...values.portable_math import hypot
from ..places import to_world
from .spec import Ends, Get

_LENGTHS = ("length", "min_length", "max_length", "rope")


def build_lengths(
    scope: Scope,
    get: Get,
    pair: tuple[Body, Body],
    anchors: Ends,
) -> dict[str, Any]:
    """The lengths of a distance joint; ``get`` gives its fields."""
    now = scope.attempt(_distance, BROKEN, pair, anchors)
    if not any(get(field) is not None for field in _LENGTHS):
        return {"length": now}
    length, shortest, longest, rope = (scope.known(get(field), field) for field in _LENGTHS)
    rope = False if rope is None else rope
    if rope and (get("spring") is not None or shortest is not None):
        wrong = "spring" if get("spring") is not None else "min_length"
        right = "; an elastic one has a `limit_spring`" if wrong == "spring" else ""
        raise scope.fail(
            "conflicting-keys",
            f"a rope only pulls; `{wrong}` does not go with it{right}",
            wrong,
        )
    if rope and longest is None:
        longest = now if length is None or length == "auto" else length
    if shortest is not None and longest is not None and shortest > longest:
        raise scope.fail(
            "out-of-range", "`min_length` must not be above `max_length`", "min_length"
        )
    if length is None or length == "auto":
        rest = now if longest is None or rope else scope.attempt(min, now, now, longest)
        rest = rest if shortest is None else scope.attempt(max, rest, rest, shortest)
    else:
        rest = length
        sprung = get("spring") is not None  # which presses against its stops
        if shortest is not None and rest < shortest and not sprung:
            raise scope.fail("out-of-range", "`length` must not be below `min_length`", "length")
        if longest is not None and rest > longest and not rope and not sprung:
            raise scope.fail("out-of-range", "`length` must not be above `max_length`", "length")
    return {"length": rest, "min_length": shortest, "max_length": longest, "rope": rope}


def _distance(pair: tuple[Body, Body], anchors: Ends) -> float:
    (ax, ay), (bx, by) = (to_world(*each) for each in zip(pair, anchors, strict=True))
    return hypot(bx - ax, by - ay)


def write_lengths(joint: Joint) -> dict[str, Any]:
    """The lengths as they are written."""
    values: dict[str, Any] = {"length": joint.length}
    for name in ("min_length", "max_length"):
        if getattr(joint, name) is not None:
            values[name] = getattr(joint, name)
    if joint.rope:
        values["rope"] = True
    return values


def is_pin(joint: Joint) -> bool:
    """Whether a distance joint holds two points together, without length or direction."""
    soft = joint.spring or joint.limit_spring or joint.motor
    return rod_lengths(joint)[1] == 0.0 and not soft


def rod_lengths(joint: Joint) -> tuple[float, float]:
    """Minimum and maximum length of a distance joint.

    By default it is a rod; a spring, a motor or one given end leaves the other
    end free; a rope has only a maximum.
    """
    minimum, maximum = joint.min_length, joint.max_length
    if joint.rope:
        return 0.0, joint.length if maximum is None else maximum
    if minimum is None and maximum is None and joint.spring is None and joint.motor is None:
        return joint.length, joint.length
    return minimum or 0.0, math.inf if maximum is None else maximum
