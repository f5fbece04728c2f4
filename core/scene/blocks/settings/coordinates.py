# SPDX-License-Identifier: MIT
"""Settings of one coordinate of a point or a vector, such as ``ball.velocity.x``, and additions to
values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from ...values.context import Wrong
from ...values.kinds import Kind, Tuple
from ...values.quantity import Quantity

AXES = ("x", "y")
BY_AXES = ("position", "velocity", "force", "impulse", "target", "gravity")
"""Values whose x and y may be set alone."""
ADDABLE = {
    "bodies": ("position", "angle", "velocity", "angular_velocity"),
    "joints": (
        *("motor.speed", "motor.position", "motor.max_force", "motor.max_torque"),
        *("min_length", "max_length", "spring.frequency", "spring.damping_ratio"),
        *("spring.stiffness", "spring.damping", "target"),
    ),
    "actuators": (
        "force",
        "torque",
        "impulse",
        "angular_impulse",
        "speed",
        "max_torque",
        "friction",
        "max_force",
    ),
    "world": ("gravity",),
    "pools": ("density", "damping", "drag", "level"),
}
"""Values that `add` may change, by the section of their owner."""


def split_axis(setting: str) -> tuple[str, int | None]:
    """A setting without its axis, and which it is; ``velocity`` alone has none."""
    whole, _, axis = setting.rpartition(".")
    if axis in AXES and whole in BY_AXES:
        return whole, AXES.index(axis)
    return setting, None


def added_kind(kind: Kind) -> Kind:
    """The kind of increments of a value: numbers of the same unit without its bounds."""
    if isinstance(kind, Tuple):
        return replace(kind, item=added_kind(kind.item))
    assert isinstance(kind, Quantity)
    return replace(kind, low=None, above=None, high=None)


def check_addable(section: str, path: str, name: str) -> None:
    """Raise Wrong for values that can be set, but not added to."""
    known = ADDABLE.get(section, ())
    if split_axis(name)[0] in known:
        return
    names = ", ".join(f"`{each}`" for each in known)
    what = f"; added to are {names}" if known else ""
    raise Wrong("unsupported", f"`{path}` can be set, and not added to{what}")


class PlacedAxis(NamedTuple):
    """Return a prototype's coordinate as one of the world: its axis, and the converted number."""

    axis: str
    factor: float
    offset: float


def placed_axis(turn: Callable[[Any], Any], axis: int) -> PlacedAxis | None:
    """Return the axis of a transformed coordinate; None if it becomes a part of both."""
    (ox, oy), (ux, uy) = turn((0.0, 0.0)), turn((1.0, 0.0) if axis == 0 else (0.0, 1.0))
    along = ux - ox, uy - oy
    size = abs(along[0]) + abs(along[1])
    for i, offset in enumerate((ox, oy)):
        if abs(along[1 - i]) <= 1e-12 * size:
            return PlacedAxis(AXES[i], along[i], offset)
    return None


def without_offset(turn: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Places an increment where values are also moved."""

    def added(value: Any) -> Any:
        if isinstance(value, tuple):
            origin = turn((0.0, 0.0))
            return tuple([a - b for a, b in zip(turn(value), origin, strict=True)])
        return turn(value) - turn(0.0)

    return added
