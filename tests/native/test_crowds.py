# SPDX-License-Identifier: MIT
"""Crowds: very many impacts of one instant that bounce little, solved in one pass."""

from __future__ import annotations

import numpy as np
import pytest

SIDE = 36
PITCH = 0.201  # of discs of 0.2 m


def crowd(bench, restitution: float, *, walls: bool = True, **options: float):
    """Discs and boxes side by side, each with a velocity of its own, in a box that they fill."""
    b = bench(**options)
    random = np.random.default_rng(3)
    size = 0.5 * SIDE * PITCH
    if walls:
        frame = b.body(kind=0)
        for x, y, width, height in (
            (0, -size - 0.5, 2 * size + 2, 1),
            (0, size + 0.5, 2 * size + 2, 1),
            (-size - 0.5, 0, 1, 2 * size + 2),
            (size + 0.5, 0, 1, 2 * size + 2),
        ):
            w, h = 0.5 * width, 0.5 * height
            corners = [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
            b.shape(frame, 3, corners, restitution=restitution, friction=0.3)
    bodies = []
    for i in range(SIDE * SIDE):
        x, y = PITCH * (i % SIDE + 0.5) - size, PITCH * (i // SIDE + 0.5) - size
        vx, vy = random.uniform(-10, 10, 2)
        body = b.body(x, y, vx=vx, vy=vy, omega=random.uniform(-5, 5), mass=0.04, inertia=2e-4)
        if i % 2:
            b.ball(body, 0.1, restitution=restitution, friction=0.3)
        else:
            b.box(body, 0.19, 0.19, restitution=restitution, friction=0.3)
        bodies.append(body)
    return b, np.array(bodies)


def energy(b, bodies) -> float:
    w = b.world
    v = w.vx[bodies] ** 2 + w.vy[bodies] ** 2
    return float(0.5 * (0.04 * v + 2e-4 * w.omega[bodies] ** 2).sum())


@pytest.mark.parametrize("restitution", [0.1, 0.5])
def test_a_crowd_gains_no_energy(bench, restitution):
    b, bodies = crowd(bench, restitution)
    last = energy(b, bodies)
    for _ in range(40):
        b.world.step()
        now = energy(b, bodies)
        assert now <= last * (1 + 1e-4)
        last = now
    assert last > 0.0


def test_a_crowd_keeps_its_momentum(bench):
    b, bodies = crowd(bench, 0.4, walls=False)
    momenta = []
    for _ in range(20):
        b.world.step()
        momenta.append((b.world.vx[bodies].sum(), b.world.vy[bodies].sum()))
    assert np.ptp(momenta, axis=0).max() < 1e-3


def test_a_crowd_has_the_same_bits_on_any_threads_and_lanes(bench):
    hashes = set()
    for options in ({"threads": 1}, {"threads": 2}, {"lanes": 1}, {"lanes": 4}):
        b, _ = crowd(bench, 0.5, **options)
        b.run(0.1)
        hashes.add(b.world.state_hash())
    assert len(hashes) == 1


def test_a_ball_beside_a_crowd_bounces_as_it_does_alone(bench):
    """On the exact parabola, whatever happens in the crowd."""
    heights = []
    for with_crowd in (False, True):
        b = (
            crowd(bench, 0.5, gravity=(0.0, -10.0))[0]
            if with_crowd
            else bench(gravity=(0.0, -10.0))
        )
        floor = b.body(100, -0.5, kind=0)
        b.box(floor, 10, 1, restitution=1, friction=0)
        ball = b.body(100, 1.1)
        b.ball(ball, 0.1, restitution=1, friction=0)
        path = []
        for _ in range(120):
            b.world.step()
            path.append(float(b.world.y[ball]))
        heights.append(path)
    assert heights[0] == heights[1]
    assert max(heights[0][20:]) == pytest.approx(1.1, abs=0.01)
