# SPDX-License-Identifier: MIT
"""Worlds in which most bodies move at once: no pair and no contact is missed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core import _native

COUNT = 300
GROWTH = 2.0  # of the swarm's size a second


def places(count: int = COUNT) -> np.ndarray:
    """Sunflower seeds: about a metre apart, none in line with another."""
    turns = np.arange(count) * math.pi * (3 - math.sqrt(5))
    distances = 0.7 * np.sqrt(np.arange(count) + 1.0)
    return np.column_stack((distances * np.cos(turns), distances * np.sin(turns)))


def found(world: _native.World, low: np.ndarray, high: np.ndarray) -> set[int]:
    return {int(body) for body, _ in world.overlap_box(tuple(low), tuple(high))}


@pytest.mark.parametrize(
    ("width", "height", "giant"), [(40, 20, 0.0), (1, 300, 0.0), (40, 20, 9.0)]
)
def test_every_two_discs_that_overlap_touch_and_no_others(bench, width, height, giant):
    """A field, a tower and a field with something large in it, where all is new at once."""
    random = np.random.default_rng(5)
    centres = random.random((500, 2)) * (width, height)
    radii = np.full(len(centres), 0.3)
    radii[7] = max(giant, 0.3)
    b = bench()
    bodies = [b.body(*centre) for centre in centres]
    for body, radius in zip(bodies, radii, strict=True):
        b.ball(body, radius)
    b.world.step()
    contacts = b.world.contacts()
    told = set(zip(contacts["body_a"].tolist(), contacts["body_b"].tolist(), strict=True))
    gaps = np.hypot(*(centres[:, None] - centres).T) - (radii[:, None] + radii)
    for i, j in zip(*np.triu_indices(len(centres), 1), strict=True):
        pair = {(bodies[i], bodies[j]), (bodies[j], bodies[i])}
        if abs(gaps[i, j]) > 0.05:
            assert bool(pair & told) == (gaps[i, j] < 0), f"{bodies[i]} and {bodies[j]}"


def test_a_swarm_that_flies_apart_is_found_where_it_has_flown(bench):
    b = bench()
    swarm: dict[int, np.ndarray] = {}
    for start in places():
        body = b.body(*start, vx=GROWTH * start[0], vy=GROWTH * start[1])
        b.ball(body, 0.1)
        swarm[body] = start
    for step in range(1, 41):
        b.world.step()
        if step == 15:  # some leave, and one comes
            for body in sorted(swarm)[::7]:
                b.world.remove_body(body)
                del swarm[body]
            late = b.body(1000, 1000)
            b.ball(late, 0.1)
        now = {body: start * (1 + GROWTH * step * b.dt) for body, start in swarm.items()}
        for corner in [(-40, -40), (-10, -1), (0, 0), (3, -20)]:
            low = np.array(corner, dtype=float)
            high = low + np.array([11.37, 8.91])
            away = {body: np.hypot(*(p - np.clip(p, low, high))) for body, p in now.items()}
            inside = found(b.world, low, high)
            assert inside >= {body for body, gap in away.items() if gap < 0.09}
            assert inside <= {body for body, gap in away.items() if gap < 0.11}


@pytest.mark.parametrize("threads", [1, 2])
def test_everyone_in_a_swarm_meets_its_counterpart_in_another(bench, threads):
    """Two swarms that mirror each other fly head on: at equal masses without restitution each pair
    stands where it met, on the mirror's line."""
    b = bench(threads=threads)
    pairs = []
    for i in range(200):
        ahead, y = 30 * (i * 0.618 % 1), 0.1 * i
        left = b.body(ahead - 40, y, vx=60)
        right = b.body(40 - ahead, y, vx=-60)
        for body in (left, right):
            b.ball(body, 0.02, friction=0, restitution=0)
        pairs.append((left, right))
    b.run(1)
    for left, right in pairs:
        assert b.world.x[left] == pytest.approx(-0.02, abs=0.01)
        assert b.world.x[right] == pytest.approx(0.02, abs=0.01)
