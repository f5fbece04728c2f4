# SPDX-License-Identifier: MIT
"""Bodies with the numbers that were set while a scene ran: damping, gravity, surfaces, category."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...scene.model import Body, Shape
from ..building.primitives import native_pieces
from ..naming.ids import slot_of
from ..naming.parts import WorldParts

_OF_BODY = ("gravity_scale", "linear_damping", "angular_damping")
_OF_SURFACE = ("friction", "restitution", "rolling_resistance", "tangent_speed")


def as_set(world: WorldParts, body: Body) -> Body:
    """The body as the engine has it; where nothing was set, the numbers of the scene."""
    roster = world.roster
    scene = roster.scene
    *own, pieces = world.native.body_settings(slot_of(roster.ids[body.name]))
    changed: dict[str, Any] = {
        name: now
        for name, now in zip(_OF_BODY, own, strict=True)
        if np.float32(getattr(body, name)) != now
    }
    conveyor = -1.0 if scene.units.y_down else 1.0
    categories = scene.collision.categories
    shapes, first = [], 0
    for shape in body.shapes:
        *surface, category = pieces[first]
        first += native_pieces(shape, scene.units.y_down)
        surface[3] *= conveyor
        shapes.append(_as_set(shape, surface, categories[category]))
    if shapes != [*body.shapes]:
        changed["shapes"] = tuple(shapes)
        others = {shape.category for shape in shapes}
        if len(others) == 1 and body.category not in others:
            changed["category"] = shapes[0].category
    return replace(body, **changed) if changed else body


def _as_set(shape: Shape, surface: list[float], category: str) -> Shape:
    material = shape.material
    changed: dict[str, Any] = {
        name: now
        for name, now in zip(_OF_SURFACE, surface, strict=True)
        if np.float32(getattr(material, name)) != now
    }
    if changed:
        shape = replace(shape, material=replace(material, **changed))
    return shape if shape.category == category else replace(shape, category=category)
