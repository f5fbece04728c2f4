# SPDX-License-Identifier: MIT
"""Pictures of still boxes side by side, such as tiles, without seams.

Two smooth edges at one place let the background through between them. So the picture that is drawn
first reaches a little below the next one.
"""

from __future__ import annotations

from dataclasses import replace

from ...scene.model import Body, Scene
from .bodies import order_of

BELOW = 1.0
"""How far a picture reaches below the next one, in pixels of the scale."""
SAME = 1e-6
"""Edges that are so near, as a share of a box's side, are at one place."""
LARGEST = 0.1
"""A picture becomes larger by such a share of its box at most."""

Sides = tuple[float, float, float, float]


def joined(scene: Scene, scale: float) -> dict[str, Body]:
    """The bodies that are drawn larger, ``scale`` pixels to a unit, by their names."""
    boxes = {
        name: sides for name, body in scene.bodies.items() if (sides := _sides(body)) is not None
    }
    if len(boxes) < 2:
        return {}
    rows = {name: row for row, name in enumerate(scene.bodies)}
    edges: dict[tuple[int, ...], list[tuple[str, int]]] = {}
    unit = SAME * min(min(box[2] - box[0], box[3] - box[1]) for box in boxes.values())
    for name, box in boxes.items():
        for side in range(4):
            edges.setdefault(_edge(box, side, 4.0 * unit), []).append((name, side))
    grown: dict[str, list[int]] = {}
    for both in edges.values():
        if len(both) == 2 and abs(both[0][1] - both[1][1]) == 2:
            first = min(both, key=lambda each: order_of(scene.bodies[each[0]], rows[each[0]]))
            grown.setdefault(first[0], []).append(first[1])
    return {
        name: _larger(scene.bodies[name], boxes[name], sides, BELOW / scale)
        for name, sides in grown.items()
    }


def _sides(body: Body) -> Sides | None:
    """Left, low, right and high of an upright still box with a picture in it."""
    if body.texture is None or body.kind != "static" or not body.visible or body.angle:
        return None
    if body.outline is not None or body.texture.size or body.texture.along or len(body.shapes) != 1:
        return None
    shape, texture = body.shapes[0], body.texture
    upright = shape.source == "box" and not shape.radius and not texture.angle and not texture.clip
    if not upright or shape.sensor:
        return None
    xs, ys = (sorted({point[k] for point in shape.points}) for k in (0, 1))
    if len(xs) != 2 or len(ys) != 2:
        return None
    (x, y) = body.position
    return x + xs[0], y + ys[0], x + xs[1], y + ys[1]


def _edge(box: Sides, side: int, unit: float) -> tuple[int, ...]:
    """A key of where an edge is, the same for both boxes that have it."""
    across = side % 2
    ends = (box[1 - across], box[3 - across])
    return (across, *(round(value / unit) for value in (box[side], *ends)))


def _larger(body: Body, box: Sides, sides: list[int], by: float) -> Body:
    """The body with some of its sides farther out."""
    ways = [0.0, 0.0, 0.0, 0.0]
    for side in sides:
        size = box[side % 2 + 2] - box[side % 2]
        ways[side] = min(by, LARGEST * size) * (1.0 if side > 1 else -1.0)
    shape = body.shapes[0]
    left, low = (min(point[k] for point in shape.points) for k in (0, 1))
    points = tuple(
        (x + (ways[0] if x == left else ways[2]), y + (ways[1] if y == low else ways[3]))
        for x, y in shape.points
    )
    return replace(body, shapes=(replace(shape, points=points),))
