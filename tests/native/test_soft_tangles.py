# SPDX-License-Identifier: MIT
"""Joints beside each other at random: their energy never grows."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.rows import every_row
from tests.search import tries

SOLVERS = ["soft_step", "sequential_impulse"]


@dataclass
class Tangle:
    """Bodies joined at random, and the energy that they begin with."""

    bench: Any
    energy: float
    scale: float
    places: list[tuple[float, float]] = field(default_factory=list)


KINDS = ["weld", "distance", "prismatic", "wheel", "mouse", "revolute", "limit", "motor"]
RIGID = ["weld", "rod", "rope", "prismatic", "wheel", "revolute", "limit"]


def tangle(
    make: Any, seed: int, joint_solver: str, rigid: Sequence[str] = (), spin: float = 1.0
) -> Tangle:
    """A chain, tree or loop of 1 to 8 bodies with mass ratios to 1e4; springs of 1 to 1e4 Hz, and
    rigid joints beside them."""
    r = random.Random(seed)
    gravity = r.choice([0, 0, -9.81])
    options: dict[str, Any] = {
        "dt": 1 / r.choice([30, 60, 120, 240, 960]),
        "solver": r.choice(SOLVERS),
        "joint_solver": joint_solver,
        "gravity": (0, gravity),
        "warm_start": r.random() < 0.5,
        "iterations": r.choice([4, 10, 20]),
    }
    made = Tangle(make(**options), 0.0, 0.0, [(0.0, 0.0)])
    known = KINDS + [f"rigid {kind}" for kind in rigid]
    kinds, shape = r.sample(known, r.choice([1, 1, 2, 3])), r.choice(["chain", "tree", "loop"])
    middle, total = 10 ** r.uniform(-2, 2), 0.0
    count = r.randint(1, 8)
    parents = [r.randint(0, i) if shape == "tree" else i for i in range(count)]
    for parent in parents:
        turn = r.choice([0, r.uniform(0, 2 * math.pi)])
        x, y = made.places[parent][0] + math.cos(turn), made.places[parent][1] + math.sin(turn)
        width, height = r.choice([(1, 0.25), (1, 1), (0.5, 0.1)])
        mass = middle * 10 ** r.uniform(-2, 2)
        inertia = mass * (width**2 + height**2) / 12
        vx, vy, omega = (0.0, 0.0, 0.0) if r.random() < 0.3 else (r.gauss(0, 1) for _ in range(3))
        omega *= spin
        made.bench.body(x, y, mass=mass, inertia=inertia, vx=vx, vy=vy, omega=omega)
        made.energy += mass * (vx**2 + vy**2) / 2 + inertia * omega**2 / 2 - gravity * mass * y
        made.places.append((x, y))
        total += mass
    made.scale = abs(made.energy) - gravity * total + 1e-3 * total
    pairs = [(parent, i + 1) for i, parent in enumerate(parents)]
    if shape == "loop" and count > 1:
        pairs.append((0, count))
    for a, b in pairs:
        join(made, r, r.choice(kinds), a, b)
    return made


def join(made: Tangle, r: random.Random, kind: str, a: int, b: int) -> None:
    bench, (xa, ya), (xb, yb) = made.bench, made.places[a], made.places[b]
    at = ((xa + xb) / 2, (ya + yb) / 2) if r.random() < 0.7 else (xb, yb)
    stiff, loss = 10 ** r.uniform(0, 4), r.choice([0, 0.1, 0.5, 1, 10 ** r.uniform(-2, 1)])
    turn = r.uniform(0, 2 * math.pi)
    spring = {"spring_kind": 1, "spring_1": stiff, "spring_2": loss}
    axis = {"axis_x": math.cos(turn), "axis_y": math.sin(turn)}
    if kind.startswith("rigid"):
        hold(made, r, kind.removeprefix("rigid "), (a, b), at, axis)
    elif kind == "distance":
        whole = r.random() < 0.5
        length = math.dist(made.places[a], made.places[b]) if whole else 0
        bench.joint(kind, a, b, None if whole else at, length=length, **spring)
    elif kind == "mouse":
        mouse = bench.joint(kind, 0, b, at, motor_max=r.choice([math.inf, 10]), **spring)
        bench.world.set_joint_target(mouse, *at)
    elif kind in ("limit", "motor"):
        part = {f"{kind}_{name}": value for name, value in spring.items()}
        if kind == "limit":
            part |= {"has_limits": 1, "lower": -r.choice([0, 0.1]), "upper": r.choice([0, 0.1])}
        else:
            part |= {"motor_kind": 2, "motor_max": r.choice([math.inf, 10])}
        bench.joint(r.choice(["prismatic", "revolute", "wheel"]), a, b, at, **axis, **part)
    else:
        bench.joint(kind, a, b, at, **axis, **spring)


def hold(made: Tangle, r: random.Random, kind: str, pair: Any, at: Any, axis: Any) -> None:
    length = math.dist(*(made.places[i] for i in pair))
    if kind == "limit":
        kind = r.choice(["prismatic", "revolute", "wheel"])
        axis |= {"has_limits": 1, "lower": -r.choice([0, 0.1]), "upper": r.choice([0, 0.1])}
    if kind in ("rod", "rope"):
        least = length if kind == "rod" else 0
        reach = {"length": length, "min_length": least, "max_length": length}
        made.bench.joint("distance", *pair, **reach)
    else:
        made.bench.joint(kind, *pair, at, **axis)


def gain(made: Tangle) -> float:
    """The largest energy beyond that of the start, as a share of what there is."""
    most, steps = -math.inf, min(240, round(1 / made.bench.dt))
    for _ in range(steps):
        assert made.bench.world.step() == 1
        most = max(most, sum(made.bench.world.energy()))
    return (most - made.energy) / made.scale


@pytest.mark.parametrize("joint_solver", ["auto", "direct", "iterative"])
@pytest.mark.parametrize("start", range(0, tries(50, 600), 50))
def test_no_tangle_of_soft_joints_gains_energy(bench, start, joint_solver):
    worst = max(
        (gain(tangle(bench, seed, joint_solver)), seed) for seed in range(start, start + 50)
    )
    assert worst[0] < 0.03, f"seed {worst[1]}"


@pytest.mark.parametrize("spin", [1, 30])
@pytest.mark.parametrize("joint_solver", ["auto", "direct", "iterative"])
@pytest.mark.parametrize("start", range(0, tries(80, 800), 80))
def test_no_tangle_of_soft_and_rigid_joints_gains_energy(bench, start, joint_solver, spin):
    worst = max(
        (gain(tangle(bench, seed, joint_solver, RIGID, spin)), seed)
        for seed in range(start, start + 80)
    )
    assert worst[0] < 0.03, f"seed {worst[1]}"


@every_row("dt", [1 / 30, 1 / 60, 1 / 240])
def test_a_spinning_slide_that_is_hinged_as_well_gains_no_energy(bench, solver, dt):
    """A slide and a hinge between the same two bodies leave them no motion against each other."""
    b = bench(solver=solver, dt=dt)
    inertia = 1.01 / 12
    first = b.body(0.5072, 1.1017, mass=1, inertia=inertia, vx=0.7347, vy=-0.8179)
    second = b.body(1.1821, 1.4713, mass=1, inertia=inertia, vx=0.4951, vy=2.4526, omega=5.28)
    b.joint("prismatic", first, second, (1.91834, 2.39611), axis_x=0.38619, axis_y=0.92242,
            spring_kind=1, spring_1=1250.9)  # fmt: skip
    b.joint("revolute", first, second, (1.99621, 1.81712))
    seen = b.watch(3, lambda: sum(b.world.energy()))
    assert seen.max() <= 1.01 * seen[0]


@every_row("dt", [1 / 30, 1 / 60, 1 / 240])
def test_eight_saturated_joints_at_their_limits_move_no_faster_than_they_can(bench, solver, dt):
    """Each is as far beyond its limit as a step may pass it, with a sprung motor that is found too
    weak: together they gain no more than what all motors give over the ways that there are."""
    b = bench(solver=solver, dt=dt)
    most, arm, joints = 1000.0, 0, []
    for i in range(8):
        body = b.body(i + 0.5, 0, mass=1, inertia=1 / 12)
        joints.append(b.joint("revolute", arm, body, (i, 0), has_limits=1, lower=-1, upper=0,
                              motor_kind=2, motor_max=most, motor_spring_kind=2,
                              motor_spring_1=1e7))  # fmt: skip
        arm = body
    for i in range(8):  # each joint 0.01 rad beyond its limit
        x = sum(math.cos(0.01 * (k + 1)) for k in range(i)) + 0.5 * math.cos(0.01 * (i + 1))
        y = sum(math.sin(0.01 * (k + 1)) for k in range(i)) + 0.5 * math.sin(0.01 * (i + 1))
        b.world.set_pose(i + 1, x, y, 0.01 * (i + 1))
    kinetic = b.watch(1, lambda: b.world.energy()[0])
    assert kinetic.max() <= 8 * most * 0.01


def test_a_limit_pushes_beside_a_sprung_motor_that_is_found_too_weak(bench):
    """1 cm beyond its limit, with a motor of 1e7 N/m back to it: neither throws the slide away.

    It can come back no faster than within one step, or with all that the motor has.
    """
    r = random.Random(2)
    for _ in range(300):
        mass, stiffness, most = 10 ** r.uniform(-2, 2), 10 ** r.uniform(2, 8), 10 ** r.uniform(0, 5)
        dt, kind = 1 / r.choice([30, 60, 240, 960]), r.choice(["prismatic", "revolute"])
        b = bench(dt=dt, solver=r.choice(SOLVERS))
        body = b.body(mass=mass, inertia=mass)
        b.joint(kind, 0, body, (0, 0), has_limits=1, lower=-1, upper=0, motor_kind=2,
                    motor_max=most, motor_spring_kind=2, motor_spring_1=stiffness)  # fmt: skip
        beyond = 0.01
        b.world.set_pose(body, *((beyond, 0, 0) if kind == "prismatic" else (0, 0, beyond)))
        speeds = b.watch(
            60 * dt, lambda b=b, i=body: max(abs(b.world.vx[i]), abs(b.world.omega[i]))
        )
        pulled = min(math.sqrt(stiffness / mass) * beyond, math.sqrt(2 * most * beyond / mass))
        assert speeds.max() < 1.1 * max(pulled, beyond / dt)
