# SPDX-License-Identifier: MIT
"""Pulleys: ropes that run from a body over two points of the world to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...building.scope import Scope
from ...model import Body, Joint
from ...values.broken import Stop
from ...values.portable_math import hypot
from ..placement import Placement
from ..places import to_world
from .links import LARGEST_RATIO, LEAST_RATIO
from .spec import Ends, Get


def build_pulley(scope: Scope, get: Get, pair: tuple[Body, Body], anchors: Ends) -> dict[str, Any]:
    """The wheels and the length of a pulley's rope."""
    given = get("ground_anchors")
    if given is None:
        if scope.report.may_mean(scope.path, list):
            raise Stop
        raise scope.fail(
            "missing-key",
            "`ground_anchors` is missing; a pulley's rope runs over two points of the world: "
            "`ground_anchors: [[-1, 5], [1, 5]]`",
        )
    wheels = scope.resolve(given, "ground_anchors")
    ratio, length, rope = (scope.known(get(field), field) for field in ("ratio", "length", "rope"))
    ratio = 1.0 if ratio is None else ratio
    if not LEAST_RATIO <= ratio <= LARGEST_RATIO:
        raise scope.fail("out-of-range", f"must be {LEAST_RATIO:g} to {LARGEST_RATIO:g}", "ratio")
    ends = [to_world(body, anchor) for body, anchor in zip(pair, anchors, strict=True)]
    a, b = (
        hypot(end[0] - wheel[0], end[1] - wheel[1]) for end, wheel in zip(ends, wheels, strict=True)
    )
    now = a + ratio * b
    return {
        "ground_anchors": wheels,
        "ratio": ratio,
        "length": now if length is None or length == "auto" else length,
        "rope": True if rope is None else rope,
    }


def write_pulley(joint: Joint) -> dict[str, Any]:
    """The wheels and the rope as they are written."""
    return {name: getattr(joint, name) for name in ("ground_anchors", "ratio", "length", "rope")}


def place_pulley(joint: Joint, place: Placement) -> dict[str, Any]:
    """The wheels of a copy."""
    assert joint.ground_anchors is not None
    first, second = joint.ground_anchors
    return {"ground_anchors": (place.point(first), place.point(second))}


def place_written_pulley(joint: Mapping[str, Any], place: Placement) -> dict[str, Any]:
    """The wheels of a copy that an action attaches, if it says them."""
    if "ground_anchors" not in joint:
        return {}
    return {"ground_anchors": [[*place.point(wheel)] for wheel in joint["ground_anchors"]]}


def pulley_lengths(joint: Joint) -> tuple[float, float]:
    """Minimum and maximum length of the rope; equal if it also pushes."""
    return (0.0 if joint.rope else joint.length), joint.length
