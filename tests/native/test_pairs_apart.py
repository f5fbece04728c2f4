# SPDX-License-Identifier: MIT
"""Pairs that were found apart are left alone until they may have come near: no result shows it."""

from __future__ import annotations

import math
import random

import pytest


def fill_a_box(b, speed: float, spin: float) -> None:
    """Objects of all kinds on all ways within four walls, the first beside one that is driven."""
    chance = random.Random(5)
    for x, y, width, height in ((-5, 0, 1, 12), (5, 0, 1, 12), (0, -5, 12, 1), (0, 5, 12, 1)):
        b.box(b.body(x, y, kind=0), width, height, restitution=1)
    b.box(b.body(0, 0, kind=1, omega=2), 3, 0.2)
    for i in range(48):
        x, y = -3.9 + 1.1 * (i % 8), -3.9 + 1.5 * (i // 8)
        along, turn = chance.uniform(0, 2 * math.pi), chance.uniform(-spin, spin)
        motion = {"vx": speed * math.cos(along), "vy": speed * math.sin(along), "omega": turn}
        body = b.body(x, y, mass=math.nan, inertia=math.nan, **motion)
        values = {"restitution": 1, "friction": 0.3}
        if i % 4 == 0:
            b.ball(body, 0.2, **values)
        elif i % 4 == 1:
            b.box(body, 0.6, 0.3, **values)
        elif i % 4 == 2:
            b.shape(body, 1, [(-0.3, 0), (0.3, 0)], radius=0.1, **values)
        else:
            b.shape(body, 3, [(-0.3, -0.2), (0.4, -0.1), (0, 0.4)], **values)


@pytest.mark.parametrize(("speed", "spin"), [(0.5, 1), (4, 20), (40, 100)])
def test_a_world_that_forgets_who_was_apart_goes_on_alike(bench, solver, speed, spin):
    """What is restored looks at every pair anew."""
    b, other = bench(solver=solver), bench(solver=solver)
    for one in (b, other):
        fill_a_box(one, speed, spin)
        one.world.finish()
    for _ in range(80):
        other.world.restore(other.world.save())
        assert b.world.step() == other.world.step() == 1
        assert b.world.state_hash() == other.world.state_hash()


def test_it_does_so_on_ground_as_large_as_a_land(bench):
    """At its size floats are millimetres apart: no two looks find the same gap."""
    b, other = (bench(solver="sequential_impulse") for _ in range(2))
    for one in (b, other):
        chance = random.Random(0)
        one.box(one.body(0, 0, kind=0), 2e5, 2e5)
        for i in range(40):
            y, fall = 1e5 + 0.1 + chance.uniform(0.01, 0.2), chance.random()
            body = one.body(0.9 * i - 18, y, vy=-0.5 * fall)
            one.ball(body, 0.1) if i % 2 else one.box(body, 0.15, 0.1)
        one.world.finish()
    for _ in range(30):
        other.world.restore(other.world.save())
        assert b.world.step() == other.world.step() == 1
        assert b.world.state_hash() == other.world.state_hash()


def test_a_contact_ahead_of_time_ends_when_what_came_has_stopped(bench):
    """It is found apart, comes fast, and is braked where it is: then nothing holds it."""
    b = bench()
    b.ball(b.body(0, 0, kind=0), 0.5)
    ball = b.body(1.1, 0, vx=-0.7)
    b.ball(ball, 0.5)
    b.world.step()
    b.world.set_velocity(ball, 0, 0, 0)
    b.world.step()
    b.world.set_velocity(ball, -5.7, 0, 0)
    b.world.set_body(ball, "linear_damping", 1e7)
    b.world.step()
    assert b.world.x[ball] > 1.05
    assert b.world.statistics()["contacts"] == 1
    b.world.step()
    assert b.world.statistics()["contacts"] == 0
