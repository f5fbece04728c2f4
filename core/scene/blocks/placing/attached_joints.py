# SPDX-License-Identifier: MIT
"""Joints that actions attach, which stay as the file has them: where a copy puts them, and how they
are written out.

A value there is a number, an expression with its ``=``, or a text with a unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import pi
from typing import Any

from ...model import Units
from ..joints.anchors import POINTS
from ..joints.types import JOINT_TYPES
from ..placement import Placement

_LENGTHS = ("length", "min_length", "max_length")
_WITH_UNIT = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)(.*)", re.DOTALL)


def placed_joint(
    joint: Mapping[str, Any], place: Placement, name: Callable[[str], str]
) -> dict[str, Any]:
    """Return an attached joint of a prototype, in the world; ``name`` returns names of its objects.

    It is transformed like the initial joints in `Placer.joint`.
    """
    placed, spec = dict(joint), JOINT_TYPES[joint["type"]]
    placed["bodies"] = [each if each == "world" else name(each) for each in joint["bodies"]]
    for key in ("anchor", "target"):
        if key in joint:
            placed[key] = _anchor(joint[key], place.point, name)
    if "anchors" in joint:
        ends = zip(joint["bodies"], joint["anchors"], strict=True)
        placed["anchors"] = [
            _anchor(anchor, place.point if end == "world" else place.local, name)
            for end, anchor in ends
        ]
    if spec.axis is not None:
        own = "anchors" in joint and joint["bodies"][0] != "world"
        turned = place.mirrored if own else place.direction
        placed["axis"] = [*turned(joint.get("axis", spec.axis))]
    for key in _LENGTHS:
        if key in joint:
            placed[key] = _times(joint[key], place.scale)
    for key, column in spec.columns.items():
        if key in joint:
            placed[key] = _times(joint[key], column.placed(1.0, place))
    if spec.place_written is not None:
        placed |= spec.place_written(joint, place)
    factor = place.sense if spec.angular else place.scale
    if "limits" in joint:
        placed["limits"] = _limits(joint["limits"], factor)
    if isinstance(joint.get("motor"), Mapping):
        placed["motor"] = _motor(joint["motor"], place, spec.turns)
    return placed


def _anchor(anchor: Any, put: Callable[[Any], Any], name: Callable[[str], str]) -> Any:
    """A point in its new place; one by a name is that of the copy's body."""
    if not isinstance(anchor, str):
        return [*put(anchor)]
    owner, between, point = anchor.rpartition(POINTS)
    return f"{name(owner)}{between}{point}" if owner else anchor


def _limits(limits: Any, factor: float) -> Any:
    """Limits times a factor, the lower one first."""
    if isinstance(limits, Mapping):
        low, high = (_times(limits[key], factor) for key in ("lower", "upper"))
        return dict(limits) | dict(zip(("lower", "upper"), _order(low, high, factor), strict=True))
    low, high = _times(limits, factor)
    return [*_order(low, high, factor)]


def _order(low: Any, high: Any, factor: float) -> tuple[Any, Any]:
    return (low, high) if factor > 0.0 else (high, low)


def _motor(motor: Mapping[str, Any], place: Placement, turning: bool) -> dict[str, Any]:
    placed = dict(motor)
    relative = motor.get("relative") is True
    if "speed" in motor and turning:
        placed["speed"] = _times(motor["speed"], place.sense)
    if "position" in motor and not relative:
        placed["position"] = _times(motor["position"], place.sense if turning else place.scale)
    elif "position" in motor and turning and place.mirror:
        position = motor["position"]
        is_source = isinstance(position, str)
        placed["position"] = f"=1-({position.strip()[1:]})" if is_source else 1.0 - position
    return placed


def _times(value: Any, factor: float) -> Any:
    """A value times a factor, each of a list."""
    if factor == 1.0 or value is None or isinstance(value, bool):
        return value
    if isinstance(value, (list, tuple)):
        return [_times(each, factor) for each in value]
    if not isinstance(value, str):
        return value * factor
    if value.lstrip().startswith("="):
        return f"=({value.strip()[1:]})*({factor!r})"
    found = _WITH_UNIT.fullmatch(value)
    return value if found is None else f"{float(found[1]) * factor!r}{found[2]}"


def joint_in_radians(joint: Mapping[str, Any], units: Units) -> dict[str, Any]:
    """An attached joint as a scene has it whose angles are in radians."""
    written, spec = dict(joint), JOINT_TYPES[joint["type"]]
    if units.angle != "deg":
        return written
    for key, column in spec.columns.items():
        if key in joint and column.measures == "angle":
            written[key] = _radians(joint[key])
    if not spec.turns:
        return written
    if spec.angular and isinstance(joint.get("limits"), Mapping):
        low, high = (_radians(joint["limits"][key]) for key in ("lower", "upper"))
        written["limits"] = dict(joint["limits"]) | {"lower": low, "upper": high}
    elif spec.angular and "limits" in joint:
        written["limits"] = _radians(joint["limits"])
    if "pitch" in joint:
        written["pitch"] = _radians(joint["pitch"])
    if isinstance(joint.get("motor"), Mapping):
        relative = joint["motor"].get("relative") is True
        angles = ("speed", "max_speed") if relative else ("speed", "max_speed", "position")
        written["motor"] = {
            key: _radians(value) if key in angles else value
            for key, value in joint["motor"].items()
        }
    return written


def _radians(value: Any) -> Any:
    """Convert degrees to radians, as in `Context.to_model`; values with a unit are unchanged."""
    if isinstance(value, (list, tuple)):
        return [_radians(each) for each in value]
    if isinstance(value, str):
        is_source = value.lstrip().startswith("=")
        return f"=({value.strip()[1:]})*pi/180" if is_source else value
    return value * pi / 180.0
