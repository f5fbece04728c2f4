# SPDX-License-Identifier: MIT
"""Tracks that cross themselves: a body that enters by one branch leaves by the other."""

from __future__ import annotations

import math
import random

import pytest

from tests.rows import every_row

from .conftest import GRAVITY, SOLVERS

STEPS = (1 / 30, 1 / 60, 1 / 120, 1 / 240, 1 / 480)


def loop_track(radius: float, count: int) -> list[list[float]]:
    """Along the ground, once round from the origin, and away: one chain, solid on its left."""
    turns = [2 * math.pi * i / count for i in range(1, count + 1)]
    points = [[-4 + 0.5 * i, 0.0] for i in range(9)]
    points += [[radius * math.sin(a), radius - radius * math.cos(a)] for a in turns]
    points += [[0.5 * i, 0.0] for i in range(1, 20)]
    return [[round(x, 6), round(y, 6)] for x, y in points]


def on_the_loop(
    bodies: str, radius: float, points: int, speed: float, dt: float, solver: str
) -> str:
    """`bodies` begin 2 m before a loop without friction; they have time for it and 3 m more."""
    duration = 1.15 * (5 + 2 * math.pi * radius) / speed
    return f"""
world: {{duration: {duration!r}, dt: {dt!r}, sleep: false, solver: {{type: {solver}}}}}
defaults: {{material: {{friction: 0}}}}
collision: {{categories: [default, chassis, wheel], ignore: [[chassis, wheel]]}}
record: {{channels: [world.energy, body.x, body.y]}}
bodies:
  track: {{type: static, shape: {{chain: {loop_track(radius, points)}}}}}
{bodies}
"""


def cart(
    joint: str, base: float, wheel: float, thickness: float, height: float, speed: float
) -> str:
    """A box on two wheels, its ends over their axles and its middle at `height`."""
    going = f"velocity: [{speed}, 0]"
    rolls = f"shape: {{circle: {wheel}}}, category: wheel, {going}"
    text = f"""
  body: {{shape: {{box: [{base}, {thickness}]}}, category: chassis, position: [-2, {height}],
         {going}}}
"""
    held = "\njoints:\n"
    for name, at in (("rear", -2 - base / 2), ("front", -2 + base / 2)):
        text += f"  {name}: {{{rolls}, position: [{at}, {wheel}]}}\n"
        held += f"  {name}_axle: {{bodies: [body, {name}], anchor: [{at}, {wheel}], {joint}}}\n"
    return text + held


JOINTS = {
    "revolute": "type: revolute",
    "wheel": "type: wheel, axis: [0, 1], spring: {frequency: 8, damping_ratio: 0.7}",
}


@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
@pytest.mark.parametrize("joint", JOINTS)
def test_a_cart_whose_chassis_grazes_the_track_leaves_the_loop(run, solver, joint, dt):
    body = cart(JOINTS[joint], base=0.2, wheel=0.05, thickness=0.02, height=0.012, speed=11)
    trace = run(on_the_loop(body, 1, 72, 11, dt, solver))["body"]
    assert trace.y.max() > 1.8
    assert trace.x[-1] > 2


@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
def test_what_hangs_on_a_cart_by_several_joints_leaves_the_loop_with_it(run, solver, dt):
    """The last one drags along the ground, two joints away from what rolls."""
    body = cart(JOINTS["revolute"], base=0.2, wheel=0.05, thickness=0.02, height=0.05, speed=11)
    body = body.replace(
        "\njoints:\n",
        """
  link: {shape: {box: [0.1, 0.02]}, category: chassis, position: [-2.15, 0.05], velocity: [11, 0]}
  drag: {shape: {box: [0.1, 0.02]}, category: chassis, position: [-2.25, 0.0105], velocity: [11, 0]}
joints:
  first: {type: revolute, bodies: [body, link], anchor: [-2.1, 0.05]}
  second: {type: revolute, bodies: [link, drag], anchor: [-2.2, 0.03]}
""",
    )
    text = on_the_loop(body, 1, 72, 11, dt, solver)
    trace = run(text.replace("body.y]", "body.y, drag.x]"))
    assert trace["body"].x[-1] > 2
    assert trace["drag"].x[-1] > 2


def random_ride(random: random.Random) -> tuple[str, dict[str, float]]:
    """Something on the ground before a loop, fast enough to get round."""
    radius = random.choice([0.6, 1, 2, 3])
    speed = math.sqrt(5 * GRAVITY * radius) * random.uniform(1.15, 1.8)
    size = radius * random.choice([0.03, 0.06, 0.1, 0.2])
    going = f"velocity: [{speed}, 0]"
    kind = random.choice(["box", "capsule", "hexagon", "circle", *JOINTS])
    if kind in JOINTS:
        size = max(size, 0.06 * radius)
        thickness = size * random.choice([0.1, 0.2, 0.4])
        height = thickness / 2 + size * random.choice([0.03, 0.05, 0.1, 0.2])
        wheel = size * random.choice([0.2, 0.3, 0.5])
        body = cart(JOINTS[kind], 2 * size, wheel, thickness, height, speed)
    else:
        shape, height = {
            "box": (f"box: [{size}, {size / 2}]", size / 4),
            "capsule": (
                f"capsule: [[{-size / 2}, 0], [{size / 2}, 0]], radius: {size / 4}",
                size / 4,
            ),
            "hexagon": (
                f"regular_polygon: {{sides: 6, radius: {size / 2}}}",
                size / 2 * math.cos(math.pi / 6),
            ),
            "circle": (f"circle: {size}", size),
        }[kind]
        body = f"  body: {{shape: {{{shape}}}, position: [-2, {height}], {going}}}\n"
    return body, {"radius": radius, "points": random.choice([36, 72, 180]), "speed": speed}


@every_row("solver", SOLVERS)
@every_row("seed", range(24))
def test_whatever_is_fast_enough_loops_the_loop_and_leaves_it(run, solver, seed):
    rng = random.Random(seed)
    body, ride = random_ride(rng)
    dt = rng.choice(STEPS if solver == "soft_step" else STEPS[1:])
    trace = run(on_the_loop(body, dt=dt, solver=solver, **ride))
    assert trace["body"].y.max() > ride["radius"]
    assert trace["body"].x[-1] > ride["radius"]
    energy = trace["world"].energy
    assert energy.max() < 1.01 * energy[0]


def test_what_falls_on_the_sides_of_a_loop_is_held_by_them(run, solver):
    """It was on neither branch before."""
    trace = run(
        f"""
world: {{duration: 0.5, solver: {{type: {solver}}}}}
bodies:
  track: {{type: static, shape: {{chain: {loop_track(1, 72)}}}}}
  left: {{shape: {{box: [0.1, 0.1]}}, position: [-0.7, 0.9]}}
  right: {{shape: {{box: [0.1, 0.1]}}, position: [0.7, 0.9]}}
"""
    )
    for name in ("left", "right"):
        x, y = trace[name].x, trace[name].y
        assert (x**2 + (y - 1) ** 2 < 0.98**2).all()
        assert y.min() < 0.5
