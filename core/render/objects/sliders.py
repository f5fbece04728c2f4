# SPDX-License-Identifier: MIT
"""Rails of prismatic joints, suspensions of wheels, and the dashed lines of mice."""

from __future__ import annotations

from math import inf, isfinite

from ...scene.model import Joint, Point
from ..canvas.colors import mix
from ..canvas.display import Layer
from ..canvas.theme import Theme

Ends = tuple[int, int]


def add_rail(
    layer: Layer,
    joint: Joint,
    ends: Ends,
    theme: Theme,
    size: float,
    scale: float,
    unit: float,
) -> None:
    """Draw a rail with stops at the limits, and a spring along it.

    ``size`` is the size of the sliding body: without limits the rail is three times as long.
    """
    limits = joint.limits or (-inf, inf)
    low = limits[0] if isfinite(limits[0]) else min(0.0, limits[1]) - 3.0 * size
    high = limits[1] if isfinite(limits[1]) else max(0.0, limits[0]) + 3.0 * size
    first, last = _along(joint, low), _along(joint, high)
    fill = mix(theme.joint, theme.paper, 0.55)
    if high > low:
        layer.items.add("path", [first, last], fill, radius=1.4 * unit)
        layer.own(ends[0])
    stop = 5.0 * unit / scale
    across = (-joint.axis[1] * stop, joint.axis[0] * stop)
    for limit, (x, y) in zip(limits, (first, last), strict=True):
        if isfinite(limit):
            tick = [(x - across[0], y - across[1]), (x + across[0], y + across[1])]
            layer.items.add("path", tick, theme.joint, radius=1.1 * unit)
            layer.own(ends[0])
    if joint.spring is not None:
        _add_coil(layer, first, joint.anchor_b, ends, max(high - low, size), theme, scale, unit)


def add_suspension(
    layer: Layer,
    joint: Joint,
    ends: Ends,
    theme: Theme,
    size: float,
    scale: float,
    unit: float,
) -> None:
    """A coil, or without a spring a strut, from body a to the wheel, along the axis.

    It begins beside the middle of a, or where a is the world or has its middle at the axle, as far
    away as the wheel is large.
    """
    x, y = joint.anchor_a
    reach = -(x * joint.axis[0] + y * joint.axis[1])
    if ends[0] < 0 or abs(reach) < 0.5 * size:
        reach = 2.0 * size
    top = _along(joint, reach)
    if joint.spring is not None:
        _add_coil(layer, top, joint.anchor_b, ends, abs(reach), theme, scale, unit)
        return
    layer.items.add("path", [top, joint.anchor_b], theme.joint, radius=1.4 * unit)
    layer.own(ends[0])
    layer.owners[-1] = ends[1]


def add_pull(layer: Layer, joint: Joint, ends: Ends, theme: Theme, unit: float) -> None:
    """A dashed line from a mouse's target to the point that it pulls."""
    dash = 5.0 * unit
    points = [joint.anchor_a, joint.anchor_b]
    layer.items.add("path", points, theme.pull, radius=0.8 * unit, a=dash, b=0.8 * dash)
    layer.own(ends[0])
    layer.owners[-1] = ends[1]


def _add_coil(
    layer: Layer,
    start: Point,
    end: Point,
    ends: Ends,
    length: float,
    theme: Theme,
    scale: float,
    unit: float,
) -> None:
    amplitude = min(max(0.16 * length * scale, 2.5 * unit), 6.0 * unit)
    turns = min(max(round(length * scale / (7.0 * unit)), 3), 12)
    layer.items.add(
        "coil", [start, end], theme.joint, radius=0.75 * unit, a=float(turns), b=amplitude
    )
    layer.own(ends[0])
    layer.owners[-1] = ends[1]


def _along(joint: Joint, distance: float) -> Point:
    """The point of a's line at a distance from its anchor."""
    x, y = joint.anchor_a
    return x + distance * joint.axis[0], y + distance * joint.axis[1]
