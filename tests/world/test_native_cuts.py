# SPDX-License-Identifier: MIT
"""Bodies are cut in the engine with the bits of Python."""

from __future__ import annotations

import random
from math import cos, pi, sin

import pytest
from rigid2d.core import _native
from rigid2d.core.scene.model import Point, Shape
from rigid2d.core.scene.object_model import Material
from rigid2d.core.scene.script import Destruction
from rigid2d.core.scene.values.polygon import rows_of
from rigid2d.core.scene.values.row_program import EXACT
from rigid2d.core.world.destroying.pieces import cut_shapes

from tests.search import EVERYTHING

BODIES = 4000 if EVERYTHING else 100


def star(drawn: random.Random, x: float, y: float) -> tuple[Point, ...]:
    """A polygon that turns once round a point, with corners at any distance or on a grid."""
    count = drawn.randint(3, 12)
    if drawn.random() < 0.3:
        w, h = drawn.choice((0.5, 1.0, 3.0)), drawn.choice((0.1, 1.0, 2.0))
        return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
    turns = sorted(drawn.uniform(0.0, 2.0 * pi) for _ in range(count))
    far = [drawn.uniform(0.2, 2.0) for _ in turns]
    points = [(x + r * cos(t), y + r * sin(t)) for r, t in zip(far, turns, strict=True)]
    around = sorted(b - a for a, b in zip(turns, [*turns[1:], turns[0] + 2.0 * pi], strict=True))
    return tuple(points) if around[0] > 0.05 and around[-1] < 3.0 else star(drawn, x, y)


def solid(drawn: random.Random, density: float) -> Shape:
    spread = drawn.choice((0.0, 1.0, 3.0))
    x, y = drawn.uniform(-spread, spread), drawn.uniform(-spread, spread)
    points = star(drawn, x, y)
    holes: list[tuple[Point, ...]] = []
    for _ in range(drawn.choice((0, 0, 1, 2))):
        dx, dy = drawn.choice((0.02, 0.25, -0.1)), drawn.choice((0.05, 0.2, -0.3))
        hole = star(drawn, 0.0, 0.0)
        size = drawn.choice((0.04, 0.1))
        holes.append(tuple((x + dx + size * px, y + dy + size * py) for px, py in hole))
    outline = rows_of(points)
    is_sound = _native.misplaced_hole(outline, [rows_of(hole) for hole in holes]) is None
    found = [hole[::-1] for hole in holes] if is_sound else []
    return Shape("polygon", points, 0.0, Material("", density=density), holes=tuple(found))


def test_cuts_have_the_bits_of_python() -> None:
    drawn = random.Random(2)
    pieces_in_all = 0
    for number in range(BODIES):
        densities = [drawn.choice((0.0, 1.0, 2.5)) for _ in range(drawn.choice((1, 1, 1, 2, 3)))]
        shapes = [solid(drawn, density) for density in densities]
        picture = [star(drawn, 0.3, -0.2) for _ in range(drawn.choice((0, 0, 1, 2)))]
        boxes = drawn.random() < 0.5
        how = Destruction("boxes" if boxes else "voronoi", drawn.randint(1, 8 if boxes else 24))
        wanted, slivers = cut_shapes(shapes, how, number, "destroy.it", picture)
        given = [shape.points for shape in shapes], densities, picture
        holes = [shape.holes for shape in shapes]
        found = _native.cut_shapes(*given, boxes, how.count, number, "destroy.it", EXACT, holes)
        here = [
            (
                [
                    (part.number, list(part.points), [list(hole) for hole in part.holes])
                    for part in piece.parts
                ],
                *(piece.weight, piece.center, piece.inertia),
                [list(part) for part in piece.seen],
            )
            for piece in wanted
        ]
        assert (here, slivers) == found
        pieces_in_all += len(here)
    assert pieces_in_all > 5 * BODIES


def test_what_cannot_be_cut_is_refused() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    for outlines, densities, count in (([], [], 3), ([square], [], 3), ([square[:2]], [1.0], 3)):
        with pytest.raises(ValueError, match=r"must be|polygon"):
            _native.cut_shapes(outlines, densities, [], True, count, 0, "", EXACT)
    with pytest.raises(ValueError, match="count must be"):
        _native.cut_shapes([square], [1.0], [], True, 0, 0, "", EXACT)
