# SPDX-License-Identifier: MIT
"""Heaps that have nothing to do with each other are solved by themselves: no bit shows it."""

from __future__ import annotations

import numpy as np

from tests.search import tries

STACKS, HEIGHT = 500, 10


def heaps(b, stirred: bool) -> list[int]:
    """Stacks of boxes, balls and hexagons, beside each other on a floor of their own each.

    Stirred, something far away is moved by the scene: then all heaps go on together.
    """
    random = np.random.default_rng(7)
    bodies = []
    for i in range(STACKS):
        b.box(b.body(3.0 * i, -0.5, kind=0), 2.5, 1.0)
        for k in range(HEIGHT):
            body = b.body(3.0 * i + random.uniform(-0.05, 0.05), 0.3 + 0.55 * k, mass=1 + k % 3)
            if k % 4 == 3:
                b.ball(body, 0.27, friction=0.5, rolling_resistance=0.02)
            elif k % 4 == 2:
                angles = np.arange(6) * np.pi / 3
                b.shape(body, 3, np.stack([np.cos(angles), np.sin(angles)], 1) * 0.3)
            else:
                b.box(body, 0.9, 0.5, tangent_speed=0.1 * (k % 3 == 0))
            bodies.append(body)
    b.box(b.body(-500, 0, kind=1, vx=float(stirred)), 1, 1)
    b.world.finish()
    return bodies


def poses(b, bodies) -> np.ndarray:
    w = b.world
    return np.stack([np.asarray(a)[bodies] for a in (w.x, w.y, w.angle, w.vx, w.vy, w.omega)])


OPTIONS = [{}, {"lanes": 4, "threads": 3}, {"threads": 2}, {"lanes": 8}, {"lanes": 1}][
    : tries(2, 5)
]


def test_heaps_by_themselves_go_on_as_they_do_together(bench):
    together = bench(gravity=(0.0, -9.81))
    apart = [bench(gravity=(0.0, -9.81), **options) for options in OPTIONS]
    bodies = heaps(together, stirred=True)
    assert all(heaps(b, stirred=False) == bodies for b in apart)
    cut = np.zeros(len(apart))
    for step in range(50):
        for b in (*apart, together):
            if step == 15:  # two heaps fall against each other, and some bodies leave
                for body in bodies[: 2 * HEIGHT]:
                    b.world.set_velocity(body, 4.0, 1.0, 0.5)
                for body in bodies[3 * HEIGHT : 4 * HEIGHT : 2]:
                    b.world.remove_body(body)
            assert b.world.step() == 1
        assert together.world.statistics()["island_batches"] == 0
        expected = poses(together, bodies)
        for number, (b, options) in enumerate(zip(apart, OPTIONS, strict=True)):
            if step == 25:
                b.world.restore(b.world.save())
            cut[number] += b.world.statistics()["island_batches"] > 1
            assert np.array_equal(poses(b, bodies), expected), (step, options)
    assert (cut >= 25).all()


def test_what_bounces_or_is_joined_goes_on_together(bench):
    """Impacts and joints of the whole world are solved at once: so it is not cut."""
    b = bench(gravity=(0.0, -9.81))
    bodies = heaps(b, stirred=False)
    b.world.step(30)
    assert b.world.statistics()["island_batches"] > 1
    b.world.set_body(bodies[0], "restitution", 0.5)
    b.world.step()
    assert b.world.statistics()["island_batches"] == 0
    other = bench(gravity=(0.0, -9.81))
    bodies = heaps(other, stirred=False)
    at = (other.world.x[bodies[0]], other.world.y[bodies[0]])
    other.joint("revolute", bodies[0], bodies[1], at)
    other.world.step(30)
    assert other.world.statistics()["island_batches"] == 0
