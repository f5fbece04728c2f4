# SPDX-License-Identifier: MIT
"""Laws where they are easily missed: sleeping partners, axles, small swings, lanes."""

from __future__ import annotations

from math import cosh, sqrt

import pytest
from rigid2d.core import build, loads

from tests.rows import every_row

G = 9.81

ROW = """
world: {{gravity: [0, 0], solver: {{type: {solver}}}}}
defaults: {{body: {{restitution: {e}, friction: 0}}}}
bodies:
  a: {{shape: {{circle: 0.1}}, mass: 0.02, position: [-5, 0], velocity: [5, 0]}}
  b: {{shape: {{circle: 0.1}}, mass: 0.04, position: [0, 0]}}
  c: {{shape: {{circle: 0.1}}, mass: 0.08, position: [{at}, 0]}}
"""


@every_row("e", [1, 0.5])
@every_row("at", [0.2, 0.203])
def test_a_blow_on_bodies_that_sleep_keeps_momentum(make, solver, e, at):
    world = make(ROW.format(solver=solver, e=e, at=at))
    world.step(50)
    assert not world["c"].awake
    for _ in range(30):
        world.step()
        moving = [world[name] for name in "abc"]
        assert sum(b.mass * b.velocity[0] for b in moving) == pytest.approx(0.1, rel=1e-4)
    assert sum(b.mass * b.velocity[0] ** 2 for b in moving) <= 0.02 * 25 * 1.001


AXLE = """
world: {{gravity: [0, {g}], dt: =1/{rate}, solver: {{type: {solver}, joints: {joints}}}}}
bodies: {{wheel: {{shape: {{box: [1, 1]}}, mass: 1}}}}
joints: {{axle: {{type: revolute, bodies: [world, wheel], anchor: [0, 0]}}}}
actuators: {{motor: {{type: torque, body: wheel, torque: 10}}}}
"""


@every_row("joints", ["direct", "iterative"])
@every_row("rate", [30, 240])
@every_row("g", [0, -G])
def test_a_torque_turns_a_wheel_on_its_axle(make, solver, joints, rate, g):
    world = make(AXLE.format(solver=solver, joints=joints, rate=rate, g=g))
    world.step(rate)
    assert world["wheel"].angular_velocity == pytest.approx(60, rel=1e-3)


COMING_UP = """
world: {{dt: =1/{rate}, sleep: false, solver: {{type: {solver}}}}}
bodies:
  ground: {{type: static, shape: {{chain: [[-5, 0], [5, 0]]}}}}
  ball: {{shape: {{circle: 0.2}}, position: [0, {y}], velocity: [0, {v}]}}
"""


@every_row(("y", "v"), [(-0.5, 4), (-0.5, 4.5), (-1, 6)])
@every_row("rate", [30, 60, 240, 960])
def test_a_ball_that_comes_up_through_a_one_sided_chain_is_not_lifted(make, rate, y, v):
    world = make(COMING_UP.format(solver="sequential_impulse", rate=rate, y=y, v=v))
    highest = y
    for _ in range(rate):
        world.step()
        highest = max(highest, world["ball"].position[1])
    assert highest == pytest.approx(y + v * v / 2 / G, abs=0.001)


STANDING = """
world: {{dt: =1/{rate}, sleep: false, solver: {{type: {solver}, joints: {joints}}}}}
bodies: {{b: {{shape: {{circle: 0.05}}, position: [{off}, {y}]}}}}
joints: {{j: {{type: {kind}, bodies: [world, b], {anchor}}}}}
"""
ROD, PIN = ("distance", "anchors: [[0, 0], [0, 0]]"), ("revolute", "anchor: [0, 0]")


@every_row(("kind", "anchor"), [ROD, PIN])
@every_row("joints", ["direct", "iterative"])
@every_row("rate", [60, 960])
def test_a_pole_that_stands_a_little_off_falls(make, solver, joints, rate, kind, anchor):
    """x = x0 cosh(t sqrt(g / l)) while it is small."""
    text = STANDING.format(
        solver=solver, joints=joints, rate=rate, off=1e-3, y=1, kind=kind, anchor=anchor
    )
    world = make(text)
    world.step(rate)
    assert world["b"].position[0] == pytest.approx(1e-3 * cosh(sqrt(G)), rel=0.04)


FALLING_PAIR = """
world: {{gravity: [0, {g}], dt: =1/{rate}, solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  a: {{shape: {{circle: 0.1}}, mass: 1, position: [0, 0], velocity: [1, 4], angular_velocity: 50}}
  b: {{shape: {{box: [0.4, 0.1]}}, mass: 3, position: [1, 0], velocity: [1, -1]}}
joints: {{tie: {{type: {kind}, bodies: [a, b], {anchor}}}}}
"""


@every_row(
    ("kind", "anchor"),
    [
        ("distance", "anchors: [[0, 0], [0, 0]]"),
        ("revolute", "anchor: [0.5, 0]"),
        ("revolute", "anchor: [0.5, 0], spring: {frequency: 5, damping_ratio: 0.2}"),
    ],
)
@every_row("joints", ["direct", "iterative"])
@every_row("rate", [30, 240])
def test_what_is_tied_together_falls_as_one_body_does(make, solver, joints, rate, kind, anchor):
    """The centre of mass: y = v t - g t^2 / 2. Angular momentum is constant."""
    text = FALLING_PAIR.format(
        g=-G, solver=solver, joints=joints, rate=rate, kind=kind, anchor=anchor
    )
    world = make(text)
    a, b = world["a"], world["b"]

    def spin() -> float:
        r = [b.position[i] - a.position[i] for i in (0, 1)]
        v = [b.velocity[i] - a.velocity[i] for i in (0, 1)]
        orbit = a.mass * b.mass / (a.mass + b.mass) * (r[0] * v[1] - r[1] * v[0])
        return orbit + a.inertia * a.angular_velocity + b.inertia * b.angular_velocity

    at_start = spin()
    world.step(2 * rate)
    center = (a.position[1] + 3 * b.position[1]) / 4
    assert center == pytest.approx(2 * 0.25 - 0.5 * G * 4, rel=1e-5)
    assert spin() == pytest.approx(at_start, rel=1e-4)


LANES = """
rigid: 1
world: {solver: {joints: iterative, type: sequential_impulse}}
bodies:
  b1: {position: [-5.974727784372822, 1.601387446115285], shape: {circle: 0.40980752685788224}}
  b3:
    position: [1.4583043242759377, 0.7310448916055247]
    shape: {polygon: [[0, 0], [1, 0], [0.2, 1]]}
  b4: {position: [2.5707335549993324, 0.6441461830604884], shape: {circle: 0.480914385754759}}
  b5:
    angle: 27.888145051061407
    position: [0.2643632850556017, 3.3454895773667266]
    shape: {capsule: [[-0.5, 0], [0.5, 0]], radius: 0.2}
  b7: {position: [-7.647689552602703, 3.2077432526893057], shape: {circle: 0.46663860510610433}}
  ground: {type: static, shape: {chain: [[-12, 1], [-6, 0], [0, 0], [5, -0.5], [9, 0.2], [12, 3]]}}
"""


def test_contacts_beside_one_that_is_led_along_a_chain_do_not_depend_on_the_lanes():
    hashes = set()
    for lanes in (0, 1, 4):
        world = build(loads(LANES), lanes=lanes)
        world.step(60)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


NET = """
world: {gravity: [0, -10], sleep: false, solver: {joints: iterative}}
bodies:
  knot: {repeat: {x: 20, y: 20}, position: [=x, =-y], shape: {circle: 0.4}, collide: false}
joints:
  down: {repeat: {x: 20, y: 19}, type: revolute, bodies: ["knot[=x, =y]", "knot[=x, =y + 1]"],
    anchor: [=x, =-y - 0.5]}
  across: {repeat: {x: 19, y: 20}, type: revolute, bodies: ["knot[=x, =y]", "knot[=x + 1, =y]"],
    anchor: [=x + 0.5, =-y]}
  nail: {type: revolute, bodies: [world, "knot[10,0]"], anchor: [10, 0.4]}
"""


def test_a_net_that_its_weight_stretches_swings_on(make):
    """Stretched joints store energy: half the force times the stretch, as springs do."""
    world = make(NET)
    start = sum(world.energy())
    kinetic = []
    for _ in range(8):
        world.step(15)
        moving, weight = world.energy()
        kinetic.append(moving)
        assert moving + weight < start + 1
    assert min(kinetic[2:]) > 0.02 * max(kinetic)
