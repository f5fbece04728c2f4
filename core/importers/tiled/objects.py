# SPDX-License-Identifier: MIT
"""Objects of Tiled's object layers as bodies, points as vars.

An object turns clockwise about its point x, y. It is static unless a property or class says
otherwise. An object that is a tile has the tile's shapes, properties and class.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...scene.model import Point
from ...scene.text.problems import plain_name
from ...scene.values.polygon import without_repeats
from ..drafts import geometry
from ..drafts.draft import Draft, Entry
from ..drafts.places import Value
from .files import MapFiles
from .outlines import corners, mirrored, outline_of
from .pictures import TilePictures, add_text
from .properties import WEIGHS, properties, put_properties
from .tilesets import NUMBER, Tile, Tileset, Tilesets, turned_point

_RADIAN = math.pi / 180
_APART = 1_000_000
"""Numbers between the tilesets of a map and those of its templates."""


@dataclass
class Objects:
    """Reads objects into a draft. ``weighs``: objects without a body's type are pictures."""

    draft: Draft
    files: MapFiles
    tilesets: Tilesets
    pictures: TilePictures
    weighs: bool = False

    def add(self, layer: Value, each: Value, offset: Point) -> None:
        """Add an object of a layer, as ``whole`` returns it."""
        if each.has("text"):
            add_text(self.draft, each, offset)
        elif each.truth("point"):
            self._add_point(each, offset)
        else:
            self._add_body(layer, each, offset)

    def whole(self, each: Value) -> Value:
        """An object with the fields of its template."""
        if not each.has("template"):
            return each
        try:
            template = self.files.value(each.text("template"), each)
        except ValueError as error:
            self.draft.lose(each, f"a template is left out: {error}")
            return each
        held = template.get("object")
        inner: dict[str, Any] = {} if held is None else dict(held.members())
        if "gid" in inner and held is not None:
            inner["gid"] = self._number(template, held.whole("gid"))
        both = [
            *_listed(inner.get("properties")),
            *_listed(each.members().get("properties")),
        ]
        data = inner | {name: value for name, value in each.members().items() if name != "template"}
        if both:
            data["properties"] = both
        return Value(data, each.source, each.steps)

    def _number(self, template: Value, number: int) -> int:
        """A tile's number in the map, for one in a template with its own tileset."""
        held = template.get("tileset")
        whole = None if held is None else self.tilesets.read(held)
        if held is None or whole is None:
            return number
        sets = self.tilesets.sets
        same = [each for each in sets if each.value.data is whole.data]
        if not same:
            first = max((each.first for each in sets), default=0) + _APART
            same = [Tileset(first, whole, self.files)]
            sets += same
        index = (number & NUMBER) - held.whole("firstgid", default=1)
        return number & ~NUMBER | same[0].first + index

    def _add_point(self, each: Value, offset: Point) -> None:
        name = plain_name(each.text("name"))
        if not name:
            self.draft.lose(each, "a point without a name is left out")
            return
        values = self.draft.fields.setdefault("vars", {})
        if not name[0].isalpha() or f"{name}_x" in values:
            self.draft.lose(
                each, f"the point {name!r}: there is another one of this name, or none can have it"
            )
            return
        for axis, start in zip("xy", offset, strict=True):
            values[f"{name}_{axis}"] = start + each.number(axis)

    def _add_body(self, layer: Value, each: Value, offset: Point) -> None:
        losses: list[str] = []
        tile = self.tilesets.find(each.whole("gid")) if each.has("gid") else None
        made = self._tile_shapes(each, tile) if tile is not None else None
        if made is None:
            single = _shape(each, losses)
            made = None if single is None else ([single[0]], single[1])
        where = layer.text("name") or "object"
        name = each.text("name") or f"{where}_{each.whole('id')}"
        if made is None:
            self.draft.lose(each, f"{name!r}: {losses[0]}")
            return
        shapes, middle = [geometry.rounded(shape) for shape in made[0]], made[1]
        angle = each.number("rotation")
        x, y = geometry.turned(middle, angle * _RADIAN)
        at = offset[0] + each.number("x") + x, offset[1] + each.number("y") + y
        entry: Entry = {"shape": shapes[0]} if len(shapes) == 1 else {"shapes": shapes}
        entry["position"] = geometry.rounded(at)
        if angle:
            entry["angle"] = angle
        held = {**properties(layer), **({} if tile is None else tile.properties)}
        held = {name: value for name, value in held.items() if name not in ("solid", "z")} | (
            {"z": held["z"]} if "z" in held else {}
        )
        held |= properties(each)
        word = each.text("type", "class") or ("" if tile is None else tile.kind)
        strange = put_properties(entry, shapes, held, word, each)
        if self.weighs and tile is not None and not {WEIGHS, "body"} & held.keys():
            if "tags" in entry:
                for shape in shapes:
                    shape["sensor"] = True
            else:
                entry["collide"] = False
        if not (each.truth("visible", default=True) and layer.truth("visible", default=True)):
            entry["visible"] = False
        if each.has("gid"):
            size = each.number("width"), each.number("height")
            self.pictures.put_texture(entry, each.whole("gid"), size, losses)
        name = self.draft.add(self.draft.bodies, name, entry, each)
        for field in strange:
            self.draft.lose(held[field], f"the property {field!r} is not read", name)
        for loss in losses:
            self.draft.lose(each, loss, name)

    def _tile_shapes(self, each: Value, tile: Tile) -> tuple[list[Entry], Point] | None:
        """The collision shapes of a tile about the middle of its object, in the object's size."""
        width, height = each.number("width"), each.number("height")
        outline = outline_of(tile.outlines)
        if outline.empty or not (width > 0 and height > 0 and min(tile.size) > 0):
            return None
        number, size = each.whole("gid"), tile.size
        if number != number & NUMBER:
            outline = mirrored(outline, lambda point: turned_point(point, size, number))
        sx, sy = width / size[0], height / size[1]

        def placed(point: Point) -> Point:
            return point[0] * sx - width / 2, point[1] * sy - height / 2

        shapes: list[Entry] = []
        for middle, radius in outline.circles:
            x, y = placed(middle)
            shapes.append({"circle": radius * math.sqrt(sx * sy)})
            if (x, y) != (0.0, 0.0):
                shapes[-1]["offset"] = [x, y]
        for area in mirrored(outline, placed).areas:
            shape = geometry.polygon_shape(area.points)
            if area.holes:
                shape = {"polygon": [list(point) for point in area.points]}
                shape["holes"] = [[list(point) for point in hole] for hole in area.holes]
            shapes.append(shape)
        shapes += [geometry.line_shape([placed(point) for point in line]) for line in outline.lines]
        return shapes, (width / 2, -height / 2)


def _listed(held: Any) -> list[Any]:
    if isinstance(held, dict):
        return [{"name": name, "value": value} for name, value in held.items()]
    return held if isinstance(held, list) else []


def _shape(each: Value, losses: list[str]) -> tuple[Entry, Point] | None:
    """An object's shape about its middle, and where that is from its point x, y."""
    width, height = each.number("width"), each.number("height")
    if each.has("polygon"):
        return _outline(each.need("polygon"), closed=True)
    if each.has("polyline"):
        return _outline(each.need("polyline"), closed=False)
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
    points = corners(held)
    kept = without_repeats(points) if closed else points
    if len(kept) < (3 if closed else 2):
        raise held.fail("impossible-shape", f"{len(kept)} different points are too few")
    if not closed:
        shape = geometry.line_shape(points)
        return shape, (0.0, 0.0)
    middle = geometry.centroid(kept)
    return geometry.polygon_shape([(x - middle[0], y - middle[1]) for x, y in kept]), middle
