# SPDX-License-Identifier: MIT
"""Rigid joints solved one by one: unfinished passes give no energy, wherever the anchors lie."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.search import tries

KINDS = ["revolute", "prismatic", "wheel", "weld", "rod", "limits", "brake"]


def mechanism(make: Any, seed: int, solver: str) -> tuple[Any, float, float]:
    """A chain, tree or loop of 1 to 8 bodies, with its energy and the size that this has.

    Half of the anchors lie up to some lengths of the bodies off them.
    """
    r = random.Random(seed)
    gravity = r.choice([0, 0, -9.81])
    bench = make(
        dt=1 / r.choice([30, 60, 120, 240, 960]),
        solver=solver,
        joint_solver="iterative",
        gravity=(0, gravity),
        iterations=r.choice([4, 10, 20]),
    )
    kinds, shape = r.sample(KINDS, r.choice([1, 2, 3])), r.choice(["chain", "tree", "loop"])
    count, spread, spin, far = (
        r.randint(1, 8),
        r.choice([0, 2]),
        r.choice([1, 30]),
        r.choice([0, 4]),
    )
    places, energy, total = [(0.0, 0.0)], 0.0, 0.0
    parents = [r.randint(0, i) if shape == "tree" else i for i in range(count)]
    for parent in parents:
        turn = r.uniform(0, 2 * math.pi)
        x, y = places[parent][0] + math.cos(turn), places[parent][1] + math.sin(turn)
        width, height = r.choice([(1, 0.25), (1, 1), (0.5, 0.1)])
        mass = 10 ** r.uniform(-spread, spread)
        inertia = mass * (width**2 + height**2) / 12
        vx, vy, omega = r.gauss(0, 1), r.gauss(0, 1), spin * r.gauss(0, 1)
        bench.body(x, y, mass=mass, inertia=inertia, vx=vx, vy=vy, omega=omega)
        energy += mass * (vx**2 + vy**2) / 2 + inertia * omega**2 / 2 - gravity * mass * y
        places.append((x, y))
        total += mass
    pairs = [(parent, i + 1) for i, parent in enumerate(parents)]
    if shape == "loop" and count > 1:
        pairs.append((0, count))
    for a, b in pairs:
        x, y = places[b]
        if r.random() < 0.5:
            x, y = x + r.gauss(0, far), y + r.gauss(0, far)
        join(bench, r, r.choice(kinds), (a, b), (x, y), math.dist(places[a], places[b]))
    return bench, energy, abs(energy) - gravity * total + 1e-3 * total


def join(
    bench: Any,
    r: random.Random,
    kind: str,
    pair: tuple[int, int],
    at: tuple[float, float],
    length: float,
) -> None:
    turn = r.uniform(0, 2 * math.pi)
    axis = {"axis_x": math.cos(turn), "axis_y": math.sin(turn)}
    along = r.choice(["prismatic", "revolute", "wheel"])
    if kind == "rod":
        bench.joint("distance", *pair, length=length, min_length=length, max_length=length)
    elif kind == "limits":
        lower, upper = -r.choice([0, 0.1]), r.choice([0, 0.1])
        bench.joint(along, *pair, at, has_limits=1, lower=lower, upper=upper, **axis)
    elif kind == "brake":
        bench.joint(along, *pair, at, motor_kind=1, motor_max=r.choice([math.inf, 10]), **axis)
    else:
        bench.joint(kind, *pair, at, **axis)


def gain(make: Any, seed: int, solver: str) -> float:
    """The largest energy beyond that of the start, as a share of what there is."""
    bench, energy, scale = mechanism(make, seed, solver)
    most = -math.inf
    for _ in range(min(240, round(1 / bench.dt))):
        assert bench.world.step() == 1
        most = max(most, sum(bench.world.energy()))
    return (most - energy) / scale


@pytest.mark.parametrize("start", range(0, tries(150, 600), 150))
def test_no_mechanism_of_rigid_joints_gains_energy(bench, solver, start):
    worst = max((gain(bench, seed, solver), seed) for seed in range(start, start + 150))
    assert worst[0] < 0.02, f"seed {worst[1]}"


@pytest.mark.parametrize("spring", [{}, {"spring_kind": 1, "spring_1": 10}])
def test_anchors_far_off_the_bodies_give_no_energy(bench, spring):
    b = bench(dt=1 / 240, solver="sequential_impulse", joint_solver="iterative")
    first = b.body(0, 0, inertia=(1 + 0.25**2) / 12)
    second = b.body(1.35, 3.3, inertia=(1 + 0.25**2) / 12, vx=1)
    b.joint("prismatic", 0, first, (-0.3, 0.8), **spring)
    b.joint("revolute", first, second, (0.9, 3.25))
    energies = b.watch(4, lambda: sum(b.world.energy()))
    assert energies.max() < 0.5 * 1.001


def test_a_lever_with_its_pin_far_off_keeps_to_its_circle(bench, solver):
    """2 m from its pin, r^2 m / I = 480."""
    b = bench(dt=1 / 240, solver=solver, joint_solver="iterative")
    body = b.body(2, 0, inertia=1 / 120, vy=2, omega=1)
    b.joint("revolute", 0, body, (0, 0))
    far = b.watch(10, lambda: math.hypot(b.world.x[body], b.world.y[body]))
    assert abs(far - 2).max() < 2e-3
    assert math.hypot(b.world.vx[body], b.world.vy[body]) == pytest.approx(2, rel=0.01)


def test_a_pendulum_on_a_long_pin_keeps_its_energy(bench):
    """A ball of r^2 m / I = 200, let go level."""
    b = bench(dt=1 / 60, joint_solver="iterative", gravity=(0, -9.81))
    body = b.body(2, 0, inertia=0.02)
    b.joint("revolute", 0, body, (0, 0))
    energies = b.watch(10, lambda: sum(b.world.energy()))
    assert abs(energies).max() < 0.005 * 2 * 9.81


@pytest.mark.parametrize("count", [10, 16])
def test_a_net_of_discs_on_hinges_holds(bench, count):
    """Hinges lie 0.25 off the discs' centres, r^2 m / I = 12.5; the net hangs from its top."""
    b = bench(joint_solver="iterative", gravity=(0, -9.81))
    discs = {
        (i, k): b.body(0.5 * i, -0.5 * k, inertia=0.005) for i in range(count) for k in range(count)
    }
    for (i, k), disc in discs.items():
        above = discs[i, k - 1] if k else 0
        b.joint("revolute", above, disc, (0.5 * i, 0.25 - 0.5 * k))
        if i:
            b.joint("revolute", discs[i - 1, k], disc, (0.5 * i - 0.25, -0.5 * k))
    b.run(2)
    assert max(abs(b.world.y[disc] + 0.5 * k) for (_, k), disc in discs.items()) < 0.3


def test_a_chain_of_discs_bears_a_heavy_ball(bench):
    b = bench(joint_solver="iterative", gravity=(0, -9.81))
    links = [b.body(0, -0.25 - 0.5 * i, inertia=0.005) for i in range(5)]
    for i, link in enumerate(links):
        b.joint("revolute", links[i - 1] if i else 0, link, (0, -0.5 * i))
    ball = b.body(0, -3, mass=10, inertia=1.25, vx=2)
    b.joint("revolute", links[-1], ball, (0, -2.5))
    length = b.watch(10, lambda: math.hypot(b.world.x[ball], b.world.y[ball]))
    assert abs(length - 3).max() < 0.03


@pytest.mark.parametrize("stiffness", [1.2e4, 4e4, 1e7])
def test_a_spring_keeps_its_stiffness_as_its_direction_turns(bench, stiffness):
    """Without length, far off a body that spins fast: the mass along it changes twelvefold.

    What is left is what an explicit step of (h w)^2 = 1/4 at most swings about the true energy.
    """
    b = bench(dt=1 / 240, joint_solver="iterative")
    body = b.body(1, 0, mass=2.65, inertia=0.0574, omega=44)
    b.joint("distance", 0, body, (0.5, 0), length=0, spring_kind=2, spring_1=stiffness)
    energies = b.watch(1, lambda: sum(b.world.energy()))
    assert energies.max() < energies[0] * 1.06


def test_a_spinning_tree_of_pins_gains_no_energy(bench):
    """Six bodies of one mass, each pinned within its length, with spins of 20 to 60 rad/s."""
    b = bench(dt=1 / 120, joint_solver="iterative", gravity=(0, -9.81))
    thin, square = (0.5**2 + 0.1**2) / 12, 2 / 12
    for x, y, inertia, vx, vy, omega in [
        (1.0, 0.0, thin, 0.85, 0.6, -35.1),
        (2.0, 0.0, thin, 0.28, 0.31, -14.0),
        (0.237, 0.646, square, -0.39, 0.57, -19.9),
        (2.0, 0.0, thin, 0.05, 0.28, -25.9),
        (1.167, 0.986, (1 + 0.25**2) / 12, 2.1, 1.5, -20.8),
        (3.0, 0.0, thin, -0.91, 0.25, 57.7),
    ]:
        b.body(x, y, inertia=inertia, vx=vx, vy=vy, omega=omega)
    pins = [(0, 1, (0.5, 0)), (1, 2, (1.5, 0)), (1, 3, (0.618, 0.323)), (1, 4, (1.5, 0)),
            (1, 5, (1.084, 0.493)), (4, 6, (2.5, 0))]  # fmt: skip
    for first, second, at in pins:
        b.joint("revolute", first, second, at)
    energies = b.watch(2, lambda: sum(b.world.energy()))
    assert energies.max() < energies[0] + 0.02 * abs(energies[0])


def test_a_damped_body_hangs_as_low_in_a_soft_weld_as_one_that_is_not(bench):
    """g / (2 pi f)^2: the frequency speaks of the body's own mass."""
    b = bench(dt=1 / 240, joint_solver="iterative", gravity=(0, -9.81))
    body = b.body(0, 0, inertia=1, linear_damping=40)
    b.joint("weld", 0, body, (0, 0), spring_kind=1, spring_1=1, spring_2=0)
    b.watch(12, lambda: 0)
    assert b.world.y[body] == pytest.approx(-9.81 / (2 * math.pi) ** 2, rel=0.01)
