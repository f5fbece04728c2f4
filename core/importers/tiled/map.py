# SPDX-License-Identifier: MIT
"""A map of Tiled as a scene, layer by layer."""

from __future__ import annotations

from collections.abc import Iterator

from ...scene.model import Point
from ..drafts.draft import Draft, Entry
from ..drafts.finishing import finish
from ..drafts.places import Value
from ..drafts.result import Import
from .files import MapFiles
from .grids import Grid, grid_of
from .objects import Objects
from .pictures import TilePictures
from .properties import WEIGHS, properties
from .tile_layers import TileLayers
from .tilesets import Tilesets

_KNOWN = "objectgroup, group, tilelayer, imagelayer"


def read(value: Value) -> Import:
    """The scene of a map."""
    draft = Draft(value.source, "tiled", units={"length": "px", "y": "down"})
    if not (value.has("layers") or value.has("orientation")):
        word = "template" if value.has("object") else "tileset"
        raise value.fail("unsupported", f"a {word} of Tiled alone; import the map that names it")
    upright = value.text("orientation", default="orthogonal") == "orthogonal"
    grid = grid_of(value)
    files = MapFiles(draft, value)
    tilesets = Tilesets(draft, value, files)
    pictures = TilePictures(draft, files, tilesets)
    objects = Objects(draft, files, tilesets, pictures)
    tiles = TileLayers(draft, tilesets, pictures, Grid((1.0, 1.0)) if grid is None else grid)
    layers = list(_layers(value, (0.0, 0.0)))
    lists = [[objects.whole(each) for each in layer.items("objects")] for layer, _ in layers]
    objects.weighs = any(WEIGHS in properties(each) for held in lists for each in held)
    if not upright and any(lists):
        draft.lose(value.need("orientation"), "only objects of orthogonal maps are where they say")
    last = max((i for i, held in enumerate(lists) if held), default=len(layers))
    for i, (layer, offset) in enumerate(layers):
        kind = layer.text("type")
        order = float(i - last)
        if kind == "objectgroup":
            for each in lists[i]:
                objects.add(layer, each, offset)
        elif kind == "imagelayer":
            pictures.add_image(layer, offset, order)
        elif upright:
            tiles.add(layer, offset, order)
        elif grid is not None:
            tiles.add_picture(layer, offset, order)
        else:
            draft.lose(layer, "layers of tiles of such maps are left out")
    pictures.finish()
    if not draft.bodies:
        _add_area(draft, value, tiles.grid)
    _world(draft, value)
    return finish(draft)


def _add_area(draft: Draft, value: Value, grid: Grid) -> None:
    """A body for a map without any, since a scene has at least one."""
    size = [max(side, 1.0) for side in grid.extent(value.whole("width"), value.whole("height"))]
    entry: Entry = {"type": "static", "shape": {"box": size, "sensor": True}, "visible": False}
    entry["position"] = [size[0] / 2, size[1] / 2]
    draft.fields["camera"] = {"mode": "region", "rect": [[0.0, 0.0], size]}
    draft.add(draft.bodies, "map", entry, value)
    draft.lose(value, "no tile or object has a shape; an invisible sensor has the map's size")


def _world(draft: Draft, value: Value) -> None:
    paper = value.text("backgroundcolor").lstrip("#")
    if paper:
        draft.fields["render"] = {"background": f"#{paper[-6:]}"}
    given = properties(value)
    names = ("gravity_x", "gravity_y")
    if any(name in given for name in names):
        draft.world = {"gravity": [given[n].as_number() if n in given else 0.0 for n in names]}
    for name, held in given.items():
        if name not in names:
            draft.lose(held, f"the map's property {name!r} is not read")


def _layers(owner: Value, offset: Point) -> Iterator[tuple[Value, Point]]:
    """Every layer, those in groups too, and how far it is moved."""
    for layer in owner.items("layers"):
        kind = layer.text("type")
        moved = offset[0] + layer.number("offsetx"), offset[1] + layer.number("offsety")
        if kind == "group":
            yield from _layers(layer, moved)
        elif kind in ("objectgroup", "imagelayer", "tilelayer"):
            yield layer, moved
        else:
            held = layer.get("type") or layer
            raise held.fail("unknown-word", f"no layer is {kind!r}; known are {_KNOWN}")
