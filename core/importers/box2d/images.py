# SPDX-License-Identifier: MIT
"""Images of b2dJson and R.U.B.E.: pictures on bodies, or in the world where they have none."""

from __future__ import annotations

from ..drafts.draft import Entry
from ..drafts.geometry import rounded
from ..drafts.places import Value
from .values import number, point
from .world import WORLD, Box2dWorld


def add_images(world: Box2dWorld, values: list[Value]) -> None:
    """Convert the first picture of each body, and those of the world to layers."""
    for value in values:
        draft = world.draft
        try:
            name = draft.pictures.find(value.text("file"))
        except ValueError as error:
            draft.lose(value, str(error))
            continue
        index = number(value, "body", default=-1)
        body = world.bodies.get(int(index))
        if body is None or body.name == WORLD:
            _add_layer(world, value, name)
        elif "texture" in draft.bodies[body.name]:
            draft.lose(value, "a body has one picture here, and further ones are left out")
        else:
            draft.bodies[body.name]["texture"] = _texture(world, value, name)


def _size(world: Box2dWorld, value: Value, name: str) -> tuple[float, float]:
    """Return the size: `scale` is the height, and `aspectScale` is a factor of the width."""
    width, height = world.draft.pictures.size(name)
    scale = number(value, "scale", default=1.0)
    return scale * number(value, "aspectScale", default=1.0) * width / height, scale


def _texture(world: Box2dWorld, value: Value, name: str) -> Entry:
    texture: Entry = {"file": name, "offset": list(point(value, "center"))}
    width, height = _size(world, value, name)
    if width > 0 and height > 0:
        texture["size"] = [width, height]
    if angle := number(value, "angle"):
        texture["angle"] = angle
    if value.truth("flip"):
        texture["mirror"] = "x"
    if tint := _tint(value):
        texture["tint"] = tint
    if z := number(value, "renderOrder"):
        texture["z"] = z
    return texture | {"tile": False}


def _tint(value: Value) -> str:
    """`colorTint`, four numbers to 255, and `opacity`; empty where nothing is tinted."""
    given = [each.as_number() for each in value.items("colorTint")][:4]
    colors = [*given, *[255.0] * (4 - len(given))]
    colors[3] *= number(value, "opacity", default=1.0)
    bounded = [min(max(round(color), 0), 255) for color in colors]
    return "" if bounded == [255] * 4 else "#" + "".join(f"{color:02x}" for color in bounded)


def _add_layer(world: Box2dWorld, value: Value, name: str) -> None:
    width, height = _size(world, value, name)
    if not (width > 0 and height > 0):
        world.draft.lose(value, "an image of no size")
        return
    layer: Entry = {"image": name, "at": list(point(value, "center"))}
    layer["scale"] = rounded(height / world.draft.pictures.size(name)[1])
    if tint := _tint(value):
        layer["tint"] = tint
    if (z := number(value, "renderOrder")) != -1:
        layer["z"] = z
    world.draft.fields.setdefault("layers", []).append(layer)
    if (
        number(value, "angle")
        or value.truth("flip")
        or number(value, "aspectScale", default=1) != 1
    ):
        world.draft.lose(value, "an image of no body is upright and in its own proportions")
