# SPDX-License-Identifier: MIT
"""The pieces of a body: its shapes, cut by cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ... import _native
from ...polygons import combined
from ...scene.model import Point, Shape
from ...scene.script import Destruction
from ...scene.values.polygon import signed_area, size_of
from ...scene.values.portable_math import total
from .cells import Part as Cut
from .cells import bounds, box_cells, seeded_sites, voronoi_cells
from .cutting import SAME_POINT, Polygon, centroid, squared_distance, touch
from .outlines import outline_of
from .pictures import divided, shares

SLIVERS = 1e-6
"""All the slivers that are dropped have together at most this part of the area."""
SOLID = ("circle", "capsule", "polygon")
"""The kinds of shapes that have an area."""


class PiecePart(NamedTuple):
    """A polygon, counter-clockwise, with holes, clockwise, and the number of its shape."""

    number: int
    points: Polygon
    holes: tuple[Polygon, ...] = ()

    @property
    def area(self) -> float:
        return signed_area(self.points) + total(map(signed_area, self.holes))


@dataclass(frozen=True, slots=True)
class Piece:
    """A connected part of a body within one cell, in the coordinates of the body.

    Attributes:
        parts: its polygons.
        weight: its area, each part times the density of its shape, if all shapes have one.
        center: the middle of that weight.
        inertia: of the same weight, about its middle.
        seen: the parts of the picture on the body that go with it.
    """

    parts: tuple[PiecePart, ...]
    weight: float
    center: Point
    inertia: float
    seen: tuple[Polygon, ...] = ()


def solid_shapes(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """The shapes that can be cut: not lines, which have no area, nor sensors."""
    return tuple(shape for shape in shapes if shape.kind in SOLID and not shape.sensor)


def cut_shapes(
    shapes: Sequence[Shape],
    how: Destruction,
    seed: int,
    path: str,
    picture: Sequence[Polygon] = (),
) -> tuple[list[Piece], int]:
    """The pieces of solid shapes, and how many slivers were dropped.

    ``picture`` is where something is seen of the picture on the body; its parts go with the pieces.
    """
    outlines = [outline_of(shape) for shape in shapes]
    box = bounds(outlines)
    size = size_of(box)
    if how.method == "boxes":
        cells = box_cells([*outlines, *picture], how.count, size, box)
    else:
        sites = seeded_sites(outlines, how.count, seed, path)
        cells = voronoi_cells([*outlines, *picture], sites, size)
    parted = [divided(cell, len(outlines)) for cell in cells]
    parts = [[part for each in cell for part in _hollowed(each, shapes)] for cell, _ in parted]
    groups = [_connected(each, SAME_POINT * size) for each in parts]
    found = [group for cell in groups for group in cell]
    areas = [total(part.area for part in group) for group in found]
    least = SLIVERS * total(areas) / max(1, len(areas))
    kept = [group for group, area in zip(found, areas, strict=True) if area > least]
    densities = [shape.material.density for shape in shapes]
    if not all(density > 0.0 for density in densities):
        densities = [1.0] * len(shapes)
    pieces = [_weighed(group, densities) for group in kept]
    if picture:
        numbers = {id(group): number for number, group in enumerate(kept)}
        cells_of = [
            [numbers[id(group)] for group in cell if id(group) in numbers] for cell in groups
        ]
        shown = shares(pieces, cells_of, [seen for _, seen in parted], size)
        pieces = [replace(each, seen=seen) for each, seen in zip(pieces, shown, strict=True)]
    return pieces, len(found) - len(kept)


def _hollowed(each: Cut, shapes: Sequence[Shape]) -> list[PiecePart]:
    """A polygon without the holes of its shape."""
    number, points = each
    holes = shapes[number].holes
    if not holes:
        return [PiecePart(number, points)]
    full = [hole[::-1] for hole in holes]
    left = combined([points], full, lambda in_cell, in_hole: in_cell and not in_hole)
    return [PiecePart(number, polygon.points, polygon.holes) for polygon in left]


def _connected(cell: list[PiecePart], near: float) -> list[list[PiecePart]]:
    """The connected groups of a cell's parts, in the order of their first parts."""
    groups: list[list[PiecePart]] = []
    for part in cell:
        touched = [
            group
            for group in groups
            if any(touch(each.points, part.points, near) for each in group)
        ]
        if not touched:
            groups.append([part])
            continue
        first, *others = touched
        for group in others:
            first += group
            groups.remove(group)
        first.append(part)
    return groups


def _weighed(group: list[PiecePart], densities: Sequence[float]) -> Piece:
    weights = [part.area * densities[part.number] for part in group]
    weight = total(weights)
    centers = [_center(part) for part in group]
    x, y = (total(w * c[k] for w, c in zip(weights, centers, strict=True)) / weight for k in (0, 1))
    inertia = 0.0
    for part, of_part, center in zip(group, weights, centers, strict=True):
        own = _inertia(part, center, densities[part.number])
        away = squared_distance(center, (x, y))
        inertia += own + of_part * away
    return Piece(tuple(group), weight, (x, y), inertia)


def _center(part: PiecePart) -> Point:
    if not part.holes:
        return centroid(part.points)
    rings = [(signed_area(ring), centroid(ring)) for ring in (part.points, *part.holes)]
    x, y = (total(area * center[k] for area, center in rings) / part.area for k in (0, 1))
    return x, y


def _inertia(part: PiecePart, center: Point, density: float) -> float:
    """The inertia about the centre: that of the outline's inside minus that of the holes."""
    own = float(_native.polygon_mass(np.array(part.points), 0.0, density)[3])
    if not part.holes:
        return own
    own += signed_area(part.points) * density * squared_distance(centroid(part.points), center)
    for hole in part.holes:
        mass, x, y, inertia = _native.polygon_mass(np.array(hole[::-1]), 0.0, density)
        own -= inertia + mass * squared_distance((x, y), center)
    return own
