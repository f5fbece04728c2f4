# SPDX-License-Identifier: MIT
"""The part of the world that ``fit`` shows."""

from __future__ import annotations

from collections.abc import Sequence

from ..record.frame import Frame
from ..scene.model import Scene
from ..scene.text.images import read_image
from .boxes import (
    NOWHERE,
    BodyBoxes,
    Box,
    box_of,
    extent,
    gap,
    inflate,
    intersection,
    is_somewhere,
    union,
)
from .support import holds

ABSURD = 12.0
"""A static body this many times as long as all the rest is not shown whole."""


def fit_box(scene: Scene, frame: Frame) -> Box:
    """The box that holds all bodies of one frame, without margin.

    All bodies, but of a static body that is more than ``ABSURD`` times as long as what else there
    is to see, only the part near the rest. Where nothing moves, ``still_box``.
    """
    boxes = [box_of(row) for row in BodyBoxes(scene, hidden=True).of(frame)]
    moving = NOWHERE
    fixed: list[Box] = []
    hidden: list[Box] = []
    moves = bool(scene.spawners)
    for body, box in zip(scene.bodies.values(), boxes, strict=True):
        if not body.visible:
            hidden.append(box)
        elif body.kind != "static":
            moves, moving = True, union(moving, box)
        else:
            fixed.append(box)
    if not moves:
        return still_box(scene, fixed, hidden)
    return fit_around(scene, moving, list(filter(is_somewhere, fixed)), ABSURD, 0.5)


def still_box(scene: Scene, fixed: Sequence[Box], hidden: Sequence[Box]) -> Box:
    """The box of a picture in which nothing moves, without margin.

    It holds the fixed bodies that are drawn, and the layers that have one place in the world; if
    there are none of these, the bodies that are hidden.
    """
    seen = list(filter(is_somewhere, (*fixed, *_layer_boxes(scene))))
    return fit_around(scene, NOWHERE, seen or list(filter(is_somewhere, hidden)), ABSURD, 0.5)


def _layer_boxes(scene: Scene) -> list[Box]:
    """The boxes of the image layers that are not repeated and move with the world."""
    found = []
    for layer in scene.layers:
        if layer.repeat == "none" and layer.parallax == 1.0:
            (x, y), pixels = layer.at, read_image(layer.image).size
            across, up = (0.5 * layer.scale * count for count in pixels)
            found.append((x - across, y - up, x + across, y + up))
    return found


def fit_around(
    scene: Scene, moving: Box, fixed: Sequence[Box], absurd: float, beside: float
) -> Box:
    """The box round what moves and what is fixed.

    Of what is fixed and more than ``absurd`` times as long as the rest, only the part within
    ``beside`` sizes of the rest.
    """
    unit = scene.world.length_unit
    rest = sorted(fixed, key=extent)
    if not is_somewhere(moving) and rest:
        moving = rest.pop(0)
    if not is_somewhere(moving):
        return (-4.0 * unit, -3.0 * unit, 4.0 * unit, 3.0 * unit)
    seen = _with_anchors(scene, moving)
    for box in rest:
        away = gap(seen, box)
        size = max(extent(seen) + away, unit)
        if extent(box) <= absurd * size:
            seen = union(seen, box)
        else:
            near = intersection(box, inflate(seen, away + beside * size))
            seen = union(seen, near) if near is not None else seen
    if extent(seen) <= 0.0:
        seen = inflate(seen, unit)
    return seen


def _with_anchors(scene: Scene, box: Box) -> Box:
    """With the points where joints hold on to the world itself."""
    for joint in scene.joints.values():
        for x, y in holds(joint) if joint.visible else ():
            box = union(box, (x, y, x, y))
    return box


def adrift(scene: Scene) -> bool:
    """Whether everything falls for ever: gravity pulls, and nothing is there that could stop it."""
    free = all(body.kind == "dynamic" for body in scene.bodies.values())
    held = bool(scene.world.pools) or any(holds(joint) for joint in scene.joints.values())
    return bool(scene.bodies) and free and not held and scene.world.gravity != (0.0, 0.0)


def fits_run(scene: Scene) -> bool:
    """Whether the picture shows all that moves in the run, which has to be known ahead."""
    camera = scene.camera
    of_run = camera.mode == "fit" and camera.fit == "run" and camera.start is None
    return of_run and not adrift(scene)
