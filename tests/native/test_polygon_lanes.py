# SPDX-License-Identifier: MIT
"""Manifolds of polygons found side by side have the bits of those found one by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest
from rigid2d.core import _native

PAIRS = 300


def regular(corners: int, size: float, turn: float) -> list[tuple[float, float]]:
    angles = [turn + math.tau * i / corners for i in range(corners)]
    return [(size * math.cos(a), size * math.sin(a)) for a in angles]


def loose(random: Random) -> tuple[list[tuple[float, float]], float, float]:
    """A polygon of three to eight corners, how far it reaches and how it is turned."""
    size = random.choice([0.1, 1.0, 10.0])
    turn = random.uniform(0, math.tau)
    return regular(random.randint(3, 8), size, turn), size, random.uniform(0, math.tau)


def flush(random: Random) -> tuple[list[tuple[float, float]], float, float]:
    """A box that lies straight, or all but."""
    size = random.choice([0.5, 1.0])
    tilt = random.choice([0.0, 0.0, 1e-7, 1e-4, 0.02])
    return regular(4, size, math.pi / 4), size * math.sqrt(0.5), tilt


@pytest.mark.parametrize("make", [loose, flush])
def test_pairs_of_polygons_meet_alike_in_lanes_of_any_width(
    bench, make: Callable[[Random], tuple[list[tuple[float, float]], float, float]]
) -> None:
    def contacts(lanes: int) -> tuple[bytes, int]:
        random = Random(5)
        b = bench(lanes=lanes)
        for i in range(PAIRS):
            radius = random.choice([0.0, 0.0, 0.05])
            (first, reach, angle), (second, other, tilt) = make(random), make(random)
            way = random.choice([random.uniform(0, math.tau), 0.0, math.pi / 2])
            apart = random.choice([1.0, 0.999, random.uniform(0.3, 1.1)]) * (reach + other)
            aside = random.choice([0.0, reach, random.uniform(-1, 1) * reach])
            x = apart * math.cos(way) - aside * math.sin(way)
            y = apart * math.sin(way) + aside * math.cos(way)
            for points, place, turn in ((first, (0.0, 0.0), angle), (second, (x, y), tilt)):
                speed = random.choice([0.0, 0.1, 20.0])
                body = b.body(
                    60.0 * i + place[0],
                    place[1],
                    angle=turn,
                    vx=speed * random.uniform(-1, 1),
                    vy=speed * random.uniform(-1, 1),
                    omega=speed * random.uniform(-1, 1),
                )
                b.shape(body, 3, points, radius=radius)
        b.world.finish()
        b.world.step(1)
        first_step = b.world.contacts().tobytes()
        b.world.step(4)
        return first_step + b.world.contacts().tobytes(), b.world.state_hash()

    alone = contacts(1)
    assert len(alone[0]) > 100 * _native.CONTACT.itemsize
    for width in _native.lanes_supported():
        assert contacts(width) == alone
