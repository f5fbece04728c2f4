"""Forces in bars: red where a bar is pushed together, blue where it is pulled, green for little.

A body is a bar when it is at least five times as long as wide and joints hold it. Its axial force
is half the sum, over its joints, of the joint's force on the bar along the outward direction: for
a bar held at its ends, the mean of the two end forces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..record.frame import Frame
from ..scene.model import Point, Scene, Shape
from .camera import View, world_points
from .colors import Color, mix
from .display import Items
from .outlines import outline
from .theme import Theme

SLENDER = 5.0
"""A bar is so many times as long as wide."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A body's bar in its own coordinates, and what holds it: joint, sign of its force, side."""

    row: int
    start: Point
    end: Point
    width: float
    joints: tuple[tuple[int, float, float], ...]


def find_bars(scene: Scene) -> list[Bar]:
    """The bars among the scene's bodies."""
    bars = []
    for row, (name, body) in enumerate(scene.bodies.items()):
        if body.kind != "dynamic" or len(body.shapes) != 1:
            continue
        found = _axis(body.shapes[0])
        if found is None:
            continue
        start, end, width = found
        axis = (end[0] - start[0], end[1] - start[1])
        middle = (0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1]))
        held = []
        for index, joint in enumerate(scene.joints.values()):
            for other, anchor, sign in (
                (joint.body_a, joint.anchor_a, -1.0),
                (joint.body_b, joint.anchor_b, 1.0),
            ):
                if other == name:
                    along = (anchor[0] - middle[0]) * axis[0] + (anchor[1] - middle[1]) * axis[1]
                    held.append((index, sign, 1.0 if along >= 0.0 else -1.0))
        if held:
            bars.append(Bar(row, start, end, width, tuple(held)))
    return bars


def _axis(shape: Shape) -> tuple[Point, Point, float] | None:
    """The middle line of a slender shape and its width: along its longest side."""
    if shape.kind not in ("polygon", "capsule"):
        return None
    points = np.array(outline(shape))
    sides = np.roll(np.array(shape.points), -1, 0) - np.array(shape.points)
    lengths = np.sqrt((sides * sides).sum(1))
    if not lengths.max() > 0.0:
        return None
    axis = sides[lengths.argmax()] / lengths.max()
    across = np.array([-axis[1], axis[0]])
    s, t = points @ axis, points @ across
    width = float(t.max() - t.min())
    if float(s.max() - s.min()) < SLENDER * width:
        return None
    middle = 0.5 * float(t.max() + t.min()) * across
    start, end = float(s.min()) * axis + middle, float(s.max()) * axis + middle
    return (float(start[0]), float(start[1])), (float(end[0]), float(end[1])), width


def axial_force(bar: Bar, frame: Frame, along: Point) -> float:
    """The force in the bar, positive when pulled. ``along`` is its direction in the world."""
    total = 0.0
    for index, sign, side in bar.joints:
        if not frame.joint_broken[index]:
            fx, fy = float(frame.joint_force[index, 0]), float(frame.joint_force[index, 1])
            total += sign * side * (fx * along[0] + fy * along[1])
    return 0.5 * total


def force_color(force: float, weight: float, theme: Theme) -> Color:
    """From green for little to blue (pulled, positive) or red (pushed), half way at ``weight``."""
    size = abs(force)
    share = size / (size + weight) if size < 1e300 else 1.0
    return mix(theme.slack, theme.pull if force > 0.0 else theme.push, share)


def add_bar_forces(
    items: Items,
    bars: list[Bar],
    theme: Theme,
    frame: Frame,
    view: View,
    unit: float,
    weight: float,
) -> None:
    """A coloured line along the middle of every bar."""
    for bar in bars:
        if not frame.alive[bar.row]:
            continue
        ends = world_points(frame, np.array([bar.row, bar.row]), np.array([bar.start, bar.end]))
        (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in ends)
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        if not length > 0.0:
            continue
        force = axial_force(bar, frame, ((bx - ax) / length, (by - ay) / length))
        color = force_color(force, weight, theme)
        half = max(0.3 * bar.width * view.scale, 1.2 * unit)
        inset = min(half / (length * view.scale), 0.4)
        start = (ax + inset * (bx - ax), ay + inset * (by - ay))
        end = (bx - inset * (bx - ax), by - inset * (by - ay))
        items.add("path", [view.pixel(*start), view.pixel(*end)], color, radius=half)
