# SPDX-License-Identifier: MIT
"""Maps of the editor Tiled as JSON (`.tmj`): objects of object layers are bodies.

Pixels, y down; an object turns clockwise about its point x, y. Objects are static unless a
property or class says otherwise. Layers of tiles are pictures, and not read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..errors import SceneError
from ..scene.model import Point
from ..scene.values.polygon import without_repeats
from .drafts import geometry
from .drafts.declared import declare
from .drafts.draft import Draft, Entry
from .drafts.finishing import finish
from .drafts.places import Value
from .drafts.result import Import
from .tiled_pictures import Tiles, add_image, add_text

_RADIAN = math.pi / 180


def read(value: Value) -> Import:
    """The scene of a map."""
    draft = Draft(value.source, "tiled", units={"length": "px", "y": "down"})
    if value.text("orientation", default="orthogonal") != "orthogonal":
        draft.lose(value.need("orientation"), "only orthogonal maps lie as their objects say")
    tiles = Tiles(draft, value)
    for layer, offset in _object_layers(draft, value, (0.0, 0.0)):
        usual = _properties(layer)
        for each in layer.items("objects"):
            if each.has("text"):
                add_text(draft, each, offset)
            else:
                _add_object(draft, layer, each, offset, usual, tiles)
    _gravity(draft, value)
    return finish(draft)


def _gravity(draft: Draft, value: Value) -> None:
    given = _properties(value)
    names = ("gravity_x", "gravity_y")
    if any(name in given for name in names):
        draft.world = {"gravity": [given[n].as_number() if n in given else 0.0 for n in names]}
    for name, held in given.items():
        if name not in names:
            draft.lose(held, f"the map's property {name!r} is not read")


def _object_layers(draft: Draft, owner: Value, offset: Point) -> Iterator[tuple[Value, Point]]:
    """Every layer of objects, in groups too, and how far it is moved."""
    for layer in owner.items("layers"):
        kind = layer.text("type")
        moved = offset[0] + layer.number("offsetx"), offset[1] + layer.number("offsety")
        if kind == "objectgroup":
            yield layer, moved
        elif kind == "group":
            yield from _object_layers(draft, layer, moved)
        elif kind == "imagelayer":
            add_image(draft, layer, moved)
        elif kind == "tilelayer":
            draft.lose(layer, "a layer of tiles is a picture, and not read")
        else:
            held = layer.get("type") or layer
            known = "objectgroup, group, tilelayer, imagelayer"
            raise held.fail("unknown-word", f"no layer is {kind!r}; known are {known}")


def _properties(owner: Value) -> dict[str, Value]:
    """Properties by name. Before its version 1.2 Tiled wrote them as one object."""
    held = owner.get("properties")
    if held is not None and isinstance(held.data, dict):
        return {name: held.need(name) for name in held.members() if held.has(name)}
    return {each.text("name"): each.need("value") for each in owner.items("properties")}


def _add_object(
    draft: Draft,
    layer: Value,
    each: Value,
    offset: Point,
    usual: dict[str, Value],
    tiles: Tiles,
) -> None:
    losses: list[str] = []
    made = _shape(each, losses)
    where = layer.text("name") or "object"
    name = each.text("name") or f"{where}_{each.whole('id')}"
    if made is None:
        draft.lose(each, f"{name!r}: {losses[0]}")
        return
    shape, middle = made
    angle = each.number("rotation")
    x, y = geometry.turned(middle, angle * _RADIAN)
    shape = geometry.rounded(shape)
    at = offset[0] + each.number("x") + x, offset[1] + each.number("y") + y
    entry: Entry = {"shape": shape, "position": geometry.rounded(at)}
    if angle:
        entry["angle"] = angle
    own = _properties(each)
    held = {**usual, **own}
    given: dict[str, Any] = {name: value.data for name, value in held.items()}
    word = each.text("type", "class")
    given |= {"class": word} if word else {}

    def fail(field: str, message: str) -> SceneError:
        return held.get(field, each).fail("wrong-type", message)

    strange = declare(entry, shape, given, fail)
    if not (each.truth("visible", default=True) and layer.truth("visible", default=True)):
        entry["visible"] = False
    if each.has("gid"):
        tiles.put_picture(entry, each, losses)
    name = draft.add(draft.bodies, name, entry, each)
    for field in strange:
        draft.lose(held[field], f"the property {field!r} is not read", name)
    for loss in losses:
        draft.lose(each, loss, name)


def _shape(each: Value, losses: list[str]) -> tuple[Entry, Point] | None:
    """An object's shape about its middle, and where that is from its point x, y."""
    width, height = each.number("width"), each.number("height")
    if each.has("polygon"):
        return _outline(each.need("polygon"), closed=True)
    if each.has("polyline"):
        return _outline(each.need("polyline"), closed=False)
    if each.truth("point") or each.has("template"):
        word = next(word for word in ("point", "template") if each.has(word))
        losses.append(f"a {word} has no shape here")
        return None
    if not (width > 0 and height > 0):
        losses.append("an object without width or height")
        return None
    if each.truth("capsule") and width != height:
        middle, radius = (width / 2, height / 2), min(width, height) / 2
        x, y = width / 2 - radius, height / 2 - radius
        return {"capsule": [[-x, -y], [x, y]], "radius": radius}, middle
    if each.truth("ellipse") or each.truth("capsule"):
        middle = width / 2, height / 2
        if width == height:
            return {"circle": width / 2}, middle
        losses.append("an ellipse is a polygon of 32 corners here")
        corners = geometry.ellipse((0.0, 0.0), width / 2, height / 2)
        return {"polygon": [list(corner) for corner in corners]}, middle
    if each.has("gid"):  # whose point is its lower left corner
        return {"box": [width, height]}, (width / 2, -height / 2)
    return {"box": [width, height]}, (width / 2, height / 2)


def _outline(held: Value, closed: bool) -> tuple[Entry, Point]:
    """A polygon about its centroid, or an open line about its first point."""
    points = [(point.number("x"), point.number("y")) for point in held.items()]
    kept = without_repeats(points) if closed else points
    if len(kept) < (3 if closed else 2):
        raise held.fail("impossible-shape", f"{len(kept)} different points are too few")
    if not closed:
        shape = geometry.line_shape(points)
        return shape, (0.0, 0.0)
    middle = geometry.centroid(kept)
    return geometry.polygon_shape([(x - middle[0], y - middle[1]) for x, y in kept]), middle
