# SPDX-License-Identifier: MIT
"""Chains of light links under loads up to ten thousand times as heavy, hanging and swinging."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81
LINK, LINKS = 0.4, 10


def chain(b, ratio, degrees, rods):
    """Ten links of 0.1 kg and 0.4 m from the origin down, aside by some degrees, and a load."""
    turn = math.radians(degrees)
    across, down = math.sin(turn), -math.cos(turn)

    def place(length):
        return length * across, length * down

    above, links = 0, []
    for i in range(LINKS):
        x, y = place(LINK * (i + (1 if rods else 0.5)))
        inertia = 0 if rods else 0.1 * LINK**2 / 12
        body = b.body(x, y, mass=0.1, inertia=inertia or 1e-4, angle=turn)
        if rods:
            b.joint("distance", above, body, length=LINK, min_length=LINK, max_length=LINK)
        else:
            b.joint("revolute", above, body, place(LINK * i))
        above = body
        links.append(body)
    end = LINK * (LINKS + (1 if rods else 0))
    load = b.body(*place(end), mass=0.1 * ratio, inertia=0.1 * ratio)
    if rods:
        b.joint("distance", above, load, length=LINK, min_length=LINK, max_length=LINK)
    else:
        b.joint("revolute", above, load, place(end))
    return load, end, links


@every_row("rods", [False, True], ids=["pins", "rods"])
@every_row("ratio", [100, 1000, 10000])
def test_a_chain_swings_under_its_load_and_does_not_tear(bench, rods, ratio):
    """Its length stays, and its load keeps m g y + m v^2 / 2, as far as the links weigh nothing."""
    b = bench(gravity=(0, -G))
    load, length, _ = chain(b, ratio, 30, rods)
    w = b.world
    seen = []
    for _ in range(360):
        b.run(1 / 60)
        speed = math.hypot(w.vx[load], w.vy[load])
        seen.append((math.hypot(w.x[load], w.y[load]), G * w.y[load] + speed**2 / 2))
    lengths, energies = np.array(seen).T
    assert lengths.max() < length * (1 + 1e-4)
    swing = G * length * (1 - math.cos(math.radians(30)))
    assert np.abs(energies - energies[0]).max() < 0.01 * swing + 40 / ratio


@pytest.mark.parametrize("ratio", [100, 1000, 10000])
def test_it_swings_in_sequential_impulse_too(bench, ratio):
    b = bench(gravity=(0, -G), solver="sequential_impulse")
    load, length, links = chain(b, ratio, 30, False)
    far = b.watch(6, lambda: math.hypot(b.world.x[load], b.world.y[load]))
    assert far.max() < length * 1.01
    assert np.abs(b.world.omega[links]).max() < 5


@every_row("ratio", [100, 10000])
def test_the_links_hang_as_heavy_as_they_are(bench, solver, ratio):
    """What holds the first link bears the load and the ten links, not what makes them steady."""
    b = bench(gravity=(0, -G), solver=solver)
    chain(b, ratio, 0, False)
    b.run(5)
    load = (0.1 * ratio + 0.1 * LINKS) * G
    assert b.state(0)["force_y"] == pytest.approx(load, rel=2e-4)
    assert b.state(LINKS)["force_y"] == pytest.approx(-0.1 * ratio * -G, rel=2e-4)


def test_a_light_body_far_from_any_load_keeps_its_own_mass(bench):
    """A rod pulled by 2 N at its end turns as its inertia says, beside a chain under tension."""
    b = bench(gravity=(0, -G))
    load, *_ = chain(b, 10000, 0, False)
    rod = b.body(5, 0, mass=0.1, inertia=0.01, gravity_scale=0)
    b.force(0, rod, x=0, y=2, at_x=0.5, at_y=0)
    b.run(0.1)
    assert b.world.omega[rod] == pytest.approx(2 * 0.5 / 0.01 * 0.1, rel=0.02)
    assert b.world.y[load] == pytest.approx(-LINK * LINKS, abs=0.06)


@pytest.mark.parametrize("threads", [1, 4])
def test_steps_taken_again_leave_the_same_bits(bench, threads):
    def hang():
        b = bench(gravity=(0, -G), threads=threads)
        chain(b, 10000, 30, False)
        b.run(2)
        return b.world.x.tobytes() + b.world.y.tobytes() + b.world.angle.tobytes()

    assert hang() == hang()


@every_row("inertia", [1e-3, 1e-5, 1e-8])
@every_row("across", [0, 0.3])
def test_a_weld_holds_a_body_that_hardly_resists_turning(bench, solver, inertia, across):
    """Its moment, m g l, is that of a body with any inertia, and so is its rest."""
    b = bench(gravity=(0, -G), solver=solver)
    body = b.body(0, 0, mass=1, inertia=inertia)
    weld = b.joint("weld", 0, body, (0.5, across))
    b.run(3)
    assert b.world.angle[body] == pytest.approx(0, abs=1e-3)
    assert b.state(weld)["force_y"] == pytest.approx(G, rel=1e-3)
    assert b.state(weld)["torque"] == pytest.approx(-0.5 * G, rel=1e-3)
