# SPDX-License-Identifier: MIT
"""Shapes of a scene's bodies and joints at any zoom and in every theme, for the page to draw.

The renderer makes its display list for one scale. Every number in it that is a length follows the
scale in the same way: it grows with it, between a least and a greatest number of pixels that do
not. So the list is asked for at a few scales: far away and near by, where numbers are at their
bounds, as the picture begins, and, as long as the growth of some is not known, in between. The page
knows nothing of bodies and joints but these rows; how they look is said in ``core/render`` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..render.canvas.display import (
    COUNT,
    FILL,
    FIRST,
    KIND,
    KINDS,
    OUTLINE,
    RADIUS,
    STROKE,
    A,
    B,
    C,
    Layer,
)
from ..render.canvas.sheets import Sprite
from ..render.canvas.text import Lettering
from ..render.canvas.textures import Textures
from ..render.canvas.theme import THEMES, theme_of
from ..render.objects.drawing import scene_layers
from ..scene.model import Scene
from .backdrop import data_address
from .codes import Blob

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
LENGTHS = [RADIUS, OUTLINE, A, B, C]
"""The columns of an item that may follow the scale."""
FAR, NEAR = 1e-6, 1e6
"""So much smaller or larger than at the start, all that is bounded has come to its bound."""
BETWEEN = tuple(0.6**power for power in (*range(1, 13), -1, -2, -3, -4))
"""Zooms of which at least one leaves a length bounded on both sides between its bounds."""
MANY = 5000
"""With so many items this is not looked for, and guessed from the zoom at the start."""
ENDLESS = 1e30
"""Stands for no upper bound."""
Look = Callable[[float], Float64]
"""The lengths of all items at a zoom."""
LEAST_MARK = 1.65
"""A line that is not there from far away is drawn from so many pixels on."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Non-array data of a scene's look.

    Attributes:
        colors: by theme, pairs of fill and outline; ``items.color`` says which an item has.
        images: the pictures on bodies, as addresses that hold the data.
        sprites: the items whose picture changes from frame to frame.
        aims: of pictures that lie along two bodies the rows of these, by the number of the item.
    """

    colors: dict[str, list[list[str]]]
    images: list[str]
    sprites: dict[int, Sprite]
    aims: dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Magnification:
    """Scale of a picture: pixels per length unit, and the size of lines."""

    scale: float
    unit: float


def add_sketch(
    blob: Blob,
    scene: Scene,
    drawn: Magnification,
    own: Container[str] | None = None,
    *,
    bare: bool = False,
) -> Sketch:
    """Pack how a scene looks, as arrays that are called ``items``.

    ``own`` are the bodies that the scene began with, where there are others. With ``bare`` there
    is also what is seen of bodies while their images are hidden.
    """
    lettering = Lettering()
    pictures = Textures(scene, lettering), Textures(scene, Lettering())

    def layers(theme: str, zoom: float) -> list[Layer]:
        scale, textures = zoom * drawn.scale, pictures[zoom != 1.0]
        look = theme_of(scene, theme)
        return scene_layers(scene, look, scale, drawn.unit, textures, own, bare=bare)

    first, *others = THEMES
    near, here = layers(first, NEAR), layers(first, 1.0)
    places = _places(near, here)

    @cache
    def look(zoom: float) -> Float64:
        shown = near if zoom == NEAR else here if zoom == 1.0 else layers(first, zoom)
        return _aligned(shown, _places(near, shown))

    _add_places(blob, near)
    if bare:
        images = [layer.image for layer in near for _ in range(len(layer.items))]
        blob.add("items.image", np.array(images, np.int64))
    _add_lengths(blob, near, look, drawn.scale)
    looks = [_colored(near, here, places)]
    looks += [_colored(layers(theme, NEAR), layers(theme, 1.0), places) for theme in others]
    table, index = np.unique(np.concatenate(looks, axis=1), axis=0, return_inverse=True)
    blob.add("items.color", index.reshape(-1))
    colors = {
        theme: [[_color(fill), _color(stroke)] for fill, stroke in table[:, 2 * i : 2 * i + 2]]
        for i, theme in enumerate(THEMES)
    }
    return Sketch(colors, _images(lettering), _sprites(near, here, places), _aims(near))


def orders(
    scene: Scene, drawn: Magnification, own: Container[str] | None = None
) -> list[tuple[float, float]]:
    """The place of each item of a scene's sketch in painter's order."""
    theme, lettering = theme_of(scene, next(iter(THEMES))), Lettering()
    textures = Textures(scene, lettering)
    layers = scene_layers(scene, theme, NEAR * drawn.scale, drawn.unit, textures, own)
    return [layer.order for layer in layers for _ in range(len(layer.items))]


# ---------------------------------------------------------------- what is where


def _add_places(blob: Blob, layers: Sequence[Layer]) -> None:
    """Return kinds, points and owners, and the objects without which an item is not drawn."""
    rows = _rows(layers)
    points = [layer.items.arrays()[1] for layer in layers]
    owners = [row for layer in layers for row in layer.owners]
    who = [
        (*layer.needs, layer.joint, layer.sleeper)
        for layer in layers
        for _ in range(len(layer.items))
    ]
    blob.add("items.kind", rows[:, KIND])
    blob.add("items.count", rows[:, COUNT])
    blob.add("items.who", np.array(who, np.int64).reshape(-1, 4), "delta")
    blob.add_floats("points.place", np.concatenate([np.zeros((0, 2)), *points]))
    blob.add("points.owner", np.array(owners, np.int64), "delta")


def _rows(layers: Sequence[Layer]) -> Float64:
    return np.concatenate([np.zeros((0, 10)), *(layer.items.arrays()[0] for layer in layers)])


def _places(base: Sequence[Layer], other: Sequence[Layer]) -> Int64:
    """For each item of layers the place that it has in the same layers at another scale, or -1.

    Near by there is all that there is anywhere; the marks on discs are missing from far away.
    """
    places: list[int] = []
    passed = 0
    for mine, its in zip(base, other, strict=True):
        rows, points = mine.items.arrays()
        others, places_of_others = its.items.arrays()
        at = 0
        for row in rows:
            same = at < len(others) and (
                len(rows) == len(others) or _same(row, points, others[at], places_of_others)
            )
            places.append(passed + at if same else -1)
            at += same
        passed += len(others)
    return np.array(places, np.int64)


def _aligned(layers: Sequence[Layer], places: Int64) -> Float64:
    """[items, 5] the lengths of items at a zoom; NaN for items that are not drawn at it."""
    rows = _rows(layers)[:, LENGTHS]
    missing = np.full((len(places), len(LENGTHS)), np.nan)
    return np.where(places[:, None] >= 0, rows[places], missing) if len(rows) else missing


def _same(row: Float64, points: Float64, other: Float64, others: Float64) -> bool:
    first, count = int(row[FIRST]), int(row[COUNT])
    start = int(other[FIRST])
    return (
        row[KIND] == other[KIND]
        and count == int(other[COUNT])
        and bool((points[first : first + count] == others[start : start + count]).all())
    )


# ---------------------------------------------------------------- how large


def _add_lengths(blob: Blob, near: Sequence[Layer], look: Look, scale: float) -> None:
    """Return each number as bounds and growth: least, greatest, and pixels per length unit."""
    most, middle = _rows(near)[:, LENGTHS], look(1.0)
    least = look(FAR)
    blob.add_floats("items.from", np.where(np.isnan(least[:, 0]), LEAST_MARK, 0.0))
    middle = np.where(np.isnan(middle), most, middle)
    least = np.where(np.isnan(least), 0.0, least)
    pictures = np.isin(_rows(near)[:, KIND], [KINDS["quad"], KINDS["picture"]])
    for other in (most, least):  # an index, which differs with the size that is kept
        other[pictures, LENGTHS.index(A)] = middle[pictures, LENGTHS.index(A)]
    size = np.abs(middle) + 1e-300
    most = np.where(most > 1e3 * size, ENDLESS, most)
    least = np.where(np.abs(least) < 1e-3 * size, 0.0, least)
    growth = _growth(least, most, middle / scale, look, scale)
    table, index = np.unique(
        np.stack([least, most, growth], axis=-1).reshape(-1, 3), axis=0, return_inverse=True
    )
    blob.add_floats("lengths", table)
    blob.add("items.length", index.reshape(-1, len(LENGTHS)))


def _growth(least: Float64, most: Float64, usual: Float64, look: Look, scale: float) -> Float64:
    """Growth of lengths with the zoom, measured at a zoom between their bounds."""
    growth = np.where(least == most, 0.0, np.nan)
    for zoom in (1.0, FAR, NEAR, *(BETWEEN if len(least) < MANY else ())):
        open_ = np.isnan(growth)
        if not open_.any():
            break
        value = look(zoom)
        between = open_ & (value > least * (1 + 1e-9)) & (value < most * (1 - 1e-9))
        growth = np.where(between, value / (zoom * scale), growth)
    return np.where(np.isnan(growth), usual, growth)


# ---------------------------------------------------------------- colours and pictures


def _colored(near: Sequence[Layer], here: Sequence[Layer], places: Int64) -> Float64:
    """[items, 2] fill and outline at the picture's own scale, or near by where there are none."""
    columns = [FILL, STROKE]
    rows, ahead = _rows(here)[:, columns], _rows(near)[:, columns]
    return np.where(places[:, None] >= 0, rows[places], ahead) if len(rows) else ahead


def _color(packed: float) -> str:
    return f"#{int(packed):08x}"


def _images(lettering: Lettering) -> list[str]:
    data, table = lettering.pictures()
    images = []
    for start, width, height, channels in table.tolist():
        pixels = data[start : start + width * height * channels].reshape(height, width, channels)
        images.append(data_address(Image.fromarray(pixels)))
    return images


def _aims(layers: Sequence[Layer]) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    passed = 0
    for layer in layers:
        kinds = layer.items.arrays()[0][:, KIND]
        if layer.aim is not None:
            quads = np.flatnonzero(kinds == KINDS["quad"]).tolist()
            found |= {passed + item: layer.aim for item in quads}
        passed += len(kinds)
    return found


def _sprites(near: Sequence[Layer], here: Sequence[Layer], places: Int64) -> dict[int, Sprite]:
    found: dict[int, Sprite] = {}
    passed = 0
    for layer in here:
        found |= {passed + item: sprite for item, sprite in layer.sprites.items()}
        passed += len(layer.items)
    back = {int(place): item for item, place in enumerate(places) if place >= 0}
    return {back[item]: sprite for item, sprite in found.items() if item in back}
