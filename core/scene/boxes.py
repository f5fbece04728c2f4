# SPDX-License-Identifier: MIT
"""Boxes around bodies at the start: whether any two could overlap at all."""

from __future__ import annotations

import re

from .model import Body, Scene, Shape
from .values.portable_math import cos, sin

CLEAR = 0.001
"""Boxes that reach by less into each other, in length units, are of bodies that rest on each
other."""

LEADS_A_BODY = re.compile(r"(?<!\.motor)\.(position(\.[xy])?|angle)$")
"""The path of a track that moves a body, which begins where the track does."""

Box = tuple[float, float, float, float]


def may_overlap(scene: Scene) -> bool:
    """Whether the boxes of any two bodies, at least one movable, overlap.

    A quick test without the engine: if false, no two bodies overlap. A line is
    in what it has on both of its sides, though it has no height itself.
    """
    if any(
        LEADS_A_BODY.search(track.path)
        for animation in scene.animations.values()
        for track in animation.tracks
    ):
        return True
    clear = CLEAR * scene.world.length_unit
    boxes = [
        (_box_of(body), body.kind == "dynamic") for body in scene.bodies.values() if body.shapes
    ]
    boxes.sort(key=lambda each: each[0][0])
    near: list[tuple[Box, bool]] = []
    for box, moves in boxes:
        near = [each for each in near if each[0][2] - box[0] > clear]
        for other, other_moves in near:
            depth = min(box[3] - other[1], other[3] - box[1])
            if (moves or other_moves) and depth > clear:
                return True
        near.append((box, moves))
    return False


def _box_of(body: Body) -> Box:
    c, s = cos(body.angle), sin(body.angle)
    left = low = float("inf")
    right = high = float("-inf")
    for shape in body.shapes:
        if shape.kind == "half_space":
            return _box_of_half_space(body, shape)
        for px, py in shape.points:
            x = body.position[0] + c * px - s * py
            y = body.position[1] + s * px + c * py
            left, right = min(left, x - shape.radius), max(right, x + shape.radius)
            low, high = min(low, y - shape.radius), max(high, y + shape.radius)
    return left, low, right, high


def _box_of_half_space(body: Body, shape: Shape) -> Box:
    """A half-space's box, finite only on a side along an axis."""
    end = float("inf")
    (ax, ay), (bx, by) = shape.points
    if body.angle == 0.0 and len(body.shapes) == 1:
        x, y = body.position[0] + ax, body.position[1] + ay
        if ay == by:
            return (-end, -end, end, y) if bx > ax else (-end, y, end, end)
        if ax == bx:
            return (-end, -end, x, end) if by < ay else (x, -end, end, end)
    return -end, -end, end, end
