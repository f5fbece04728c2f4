# SPDX-License-Identifier: MIT
"""Gears: ratios of speeds and torques, energy, and momentum wherever they hang."""

from __future__ import annotations

import itertools
from math import pi, radians

import numpy as np
import pytest
from rigid2d.core._native import lanes_supported

from tests.rows import every_row

JOINTS = ("direct", "iterative")

PAIR = """
world: {{gravity: [0, 0], duration: 2, solver: {{type: {solver}, joints: {joints}}}, sleep: false}}
bodies:
  a: {{shape: {{circle: 0.5}}, position: [0, 0], angular_velocity: 360}}
  b: {{shape: {{circle: 1}}, position: [1.5, 0]}}
joints:
  first: {{type: revolute, bodies: [world, a]}}
  second: {{type: revolute, bodies: [world, b]}}
  teeth: {{type: gear, joints: [first, second], {ratio}}}
"""
INERTIA_A, INERTIA_B = 0.5 * pi * 0.5**4, 0.5 * pi


@every_row("joints", JOINTS)
@every_row("ratio", [2.0, 0.5, -2.0, -1.0])
def test_two_wheels_share_their_motion_by_the_ratio_as_soon_as_one_turns(
    make, solver, joints, ratio
):
    world = make(PAIR.format(solver=solver, joints=joints, ratio=f"ratio: {ratio}"))
    world.step(120)
    expected = 2 * pi * INERTIA_A / (INERTIA_A + INERTIA_B / ratio**2)
    assert world["a"].angular_velocity == pytest.approx(expected, rel=1e-5)
    assert world["b"].angular_velocity == pytest.approx(-expected / ratio, rel=1e-5)
    assert world["a"].angle + ratio * world["b"].angle == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("given", ["ratio: 3", "radii: [0.2, 0.6]", "teeth: [20, 60]"])
def test_ratio_radii_and_teeth_say_the_same(make, given):
    plain = make(PAIR.format(solver="soft_step", joints="auto", ratio="ratio: 3"))
    other = make(PAIR.format(solver="soft_step", joints="auto", ratio=given))
    plain.step(60)
    other.step(60)
    assert other["b"].angle == pytest.approx(plain["b"].angle, rel=1e-6)


@every_row(
    "options",
    [
        "type: soft_step, joints: direct",
        "type: soft_step, joints: iterative",
        "type: sequential_impulse, joints: direct",
        "type: sequential_impulse, joints: iterative, iterations: 300",
    ],
)
def test_a_train_multiplies_torques_by_its_ratios(make, options):
    world = make(
        f"""
world: {{gravity: [0, 0], duration: 2, solver: {{{options}}}, sleep: false}}
bodies:
  a: {{shape: {{circle: 0.2}}, position: [0, 0]}}
  b: {{shape: {{circle: 0.6}}, position: [0.8, 0]}}
  c: {{shape: {{circle: 0.3}}, position: [0.8, 0.9]}}
joints:
  drive: {{type: revolute, bodies: [world, a], motor: {{speed: 90}}}}
  axle: {{type: revolute, bodies: [world, b]}}
  shaft: {{type: revolute, bodies: [world, c]}}
  first: {{type: gear, joints: [drive, axle], radii: [0.2, 0.6]}}
  second: {{type: gear, joints: [axle, shaft], radii: [0.6, 0.3]}}
actuators:
  load: {{type: torque, bodies: [c], torque: -6}}
"""
    )
    world.step(120)
    assert world["c"].angular_velocity == pytest.approx(radians(90) * 0.2 / 0.3, rel=1e-3)
    # The teeth carry 6 N m / 0.3 m = 20 N throughout.
    assert world.joint("second").torque == pytest.approx(6, rel=1e-3)
    assert np.hypot(*world.joint("first").force) == pytest.approx(20, rel=1e-3)
    assert world.joint("drive").motor_force == pytest.approx(20 * 0.2, rel=1e-3)


CARRIER = """
world: {{gravity: [0, 0], duration: 10, solver: {{type: {solver}, joints: {joints}}}, sleep: false}}
defaults: {{body: {{collide: false}}}}
bodies:
  base: {{shape: {{box: [3, 0.2]}}, velocity: [0.3, 0.1]}}
  a: {{shape: {{circle: 0.5}}, position: [-0.75, 0], velocity: [0.3, 0.1], angular_velocity: 360}}
  b: {{shape: {{circle: 1}}, position: [0.75, 0], velocity: [0.3, 0.1]}}
joints:
  first: {{type: revolute, bodies: [base, a]}}
  second: {{type: revolute, bodies: [base, b]}}
  teeth: {{type: gear, joints: [first, second], radii: [0.5, 1]}}
"""


def motion(world):
    """Momentum, angular momentum about the origin and kinetic energy."""
    total = np.zeros(4)
    for name in world:
        body = world[name]
        (x, y), (vx, vy) = body.center_of_mass, body.velocity
        mass, inertia, spin = body.mass, body.inertia, body.angular_velocity
        total += (
            mass * vx,
            mass * vy,
            mass * (x * vy - y * vx) + inertia * spin,
            0.5 * mass * (vx**2 + vy**2) + 0.5 * inertia * spin**2,
        )
    return total


@pytest.mark.parametrize("joints", JOINTS)
def test_wheels_on_a_free_carrier_keep_momentum_and_energy(make, solver, joints):
    world = make(CARRIER.format(solver=solver, joints=joints))
    before = motion(world)
    world.step(1)
    geared = motion(world)
    world.step(599)
    after = motion(world)
    assert after[:3] == pytest.approx(before[:3], rel=2e-4)
    assert after[3] == pytest.approx(geared[3], rel=2e-4)
    a, b, base = (world[name].angular_velocity for name in ("a", "b", "base"))
    assert a - base == pytest.approx(-2 * (b - base), abs=1e-4)


@every_row("joints", JOINTS)
def test_a_planet_turns_once_more_than_it_rolls(make, solver, joints):
    """Willis: about a sun that stands a planet turns by (1 + r_sun / r_planet) turns of its arm."""
    world = make(
        f"""
world: {{gravity: [0, 0], duration: 8, solver: {{type: {solver}, joints: {joints}}}, sleep: false}}
bodies:
  sun: {{type: static, shape: {{circle: 0.6}}}}
  arm: {{shape: {{box: [0.9, 0.1]}}, position: [0.45, 0]}}
  planet: {{shape: {{circle: 0.3}}, position: [0.9, 0]}}
joints:
  center: {{type: revolute, bodies: [sun, arm], anchor: [0, 0], motor: {{speed: 180}}}}
  crank: {{type: revolute, bodies: [arm, planet]}}
  teeth: {{type: gear, joints: [center, crank], radii: [0.6, 0.3]}}
"""
    )
    world.step(480)
    assert world["arm"].angle == pytest.approx(8 * pi, rel=1e-2)
    assert world["planet"].angle == pytest.approx(3 * world["arm"].angle, abs=1e-2)


def test_hands_on_one_axis_turn_against_the_dial(make, solver):
    world = make(
        f"""
world: {{gravity: [0, 0], duration: 2, solver: {{type: {solver}}}}}
bodies:
  hours: {{shape: {{box: [1, 0.1]}}}}
  minutes: {{shape: {{box: [1.5, 0.1]}}}}
joints:
  slow: {{type: revolute, bodies: [world, hours]}}
  fast: {{type: revolute, bodies: [world, minutes], motor: {{speed: -360}}}}
  works: {{type: gear, joints: [fast, slow], ratio: -12}}
"""
    )
    world.step(120)
    assert world["hours"].angle == pytest.approx(-4 * pi / 12, abs=1e-4)


@pytest.mark.parametrize("solver_name", ["soft_step", "sequential_impulse"])
def test_lanes_of_every_width_give_the_same_bits(make, solver_name):
    text = CARRIER.format(solver=solver_name, joints="iterative")
    hashes = set()
    for lanes in lanes_supported():
        world = make(text, lanes=lanes)
        world.step(100)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


@pytest.mark.parametrize("joints", JOINTS)
def test_a_saved_and_a_forked_world_go_on_alike(make, joints):
    world = make(CARRIER.format(solver="soft_step", joints=joints))
    world.step(50)
    state, fork = world.save(), world.fork()
    world.step(50)
    fork.step(50)
    other = make(CARRIER.format(solver="soft_step", joints=joints))
    other.restore(state)
    other.step(50)
    assert world.state_hash() == fork.state_hash() == other.state_hash()


def test_a_gear_goes_with_a_joint_that_is_removed(make):
    world = make(CARRIER.format(solver="soft_step", joints="auto"))
    assert world.remove("second") == ["second", "teeth"]
    spin = world["b"].angular_velocity
    world.step(30)
    assert world["b"].angular_velocity == pytest.approx(spin)


def test_a_gear_goes_with_the_body_that_a_joint_hangs_on(make):
    world = make(CARRIER.format(solver="soft_step", joints="auto"))
    assert set(world.remove("base")) == {"base", "first", "second", "teeth"}
    world.step(1)


def test_a_gear_breaks_with_its_joint(watch):
    text = PAIR.format(solver="soft_step", joints="auto", ratio="ratio: 2")
    recorder = watch(
        text.replace("bodies: [world, b]}", "bodies: [world, b], break: {force: 1e-3}}").replace(
            "gravity: [0, 0]", "gravity: [0, -9.81]"
        )
    )
    assert [(event.kind, event.a) for event in recorder.events] == [
        ("joint_broken", "second"),
        ("joint_broken", "teeth"),
    ]


def test_a_gear_breaks_by_its_torque(watch):
    text = PAIR.format(solver="soft_step", joints="auto", ratio="ratio: 2, break: {torque: 1}")
    assert [event.a for event in watch(text).events] == ["teeth"]


def test_a_gear_is_added_to_a_running_world(make, solver):
    text = PAIR.format(solver=solver, joints="auto", ratio="ratio: 2")
    world = make(text[: text.index("  teeth")])
    world.step(30)
    turned = world["a"].angle
    world.add({"joints": {"teeth": {"type": "gear", "joints": ["first", "second"], "ratio": 2}}})
    world.step(30)
    assert world["a"].angular_velocity == pytest.approx(-2 * world["b"].angular_velocity, abs=1e-5)
    assert world["a"].angle + 2 * world["b"].angle == pytest.approx(turned, abs=1e-5)


def test_a_fragment_brings_a_gear_with_its_joints(make):
    world = make(PAIR.format(solver="soft_step", joints="auto", ratio="ratio: 2"))
    world.remove("teeth")
    world.add(
        {
            "bodies": {"c": {"shape": {"circle": 0.5}, "position": [3, 0]}},
            "joints": {
                "more": {"type": "gear", "joints": ["second", "third"], "ratio": 0.5},
                "third": {"type": "revolute", "bodies": ["world", "c"]},
            },
        }
    )
    world["b"].angular_velocity = 1
    world.step(10)
    assert world["c"].angular_velocity == pytest.approx(-2 * world["b"].angular_velocity, rel=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_random_trains_gain_no_energy(make, seed):
    """Wheels of very unlike masses on a free bar, fast, with steps long and short."""
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 6))
    places = np.cumsum(random.uniform(0.3, 2, count)).tolist()
    dt = float(random.choice([1 / 30, 1 / 60, 1 / 960]))
    lines = [
        f"world: {{gravity: [0, 0], duration: 1, dt: {dt!r}, "
        f"sleep: false, solver: {{type: {random.choice(['soft_step', 'sequential_impulse'])}, "
        f"joints: {random.choice(JOINTS)}}}}}",
        "bodies:",
        f"  bar: {{shape: {{box: [4, 0.1]}}, mass: {10 ** random.uniform(-2, 2)!r}, "
        f"angular_velocity: '{random.uniform(-10, 10)!r} rad/s'}}",
    ]
    joints = ["joints:"]
    for i in range(count):
        lines.append(
            f"  w{i}: {{shape: {{circle: 0.3}}, mass: {10 ** random.uniform(-2, 2)!r}, "
            f"position: [{places[i]!r}, 0], angular_velocity: '{random.uniform(-50, 50)!r} rad/s'}}"
        )
        joints.append(f"  h{i}: {{type: revolute, bodies: [bar, w{i}]}}")
    for i, k in itertools.pairwise(range(count)):
        ratio = float(random.choice([-1, 1]) * 10 ** random.uniform(-1, 1))
        joints.append(f"  g{i}: {{type: gear, joints: [h{i}, h{k}], ratio: {ratio!r}}}")
    world = make("\n".join([*lines, *joints]))
    before = motion(world)
    for _ in range(30):
        world.step(1)
        after = motion(world)
        assert after[3] <= before[3] * 1.01
    size = np.sqrt(2 * before[3] * sum(world[name].mass for name in world))
    assert after[:2] == pytest.approx(before[:2], abs=1e-4 * size)


LIGHT_CARRIER = """
world: {gravity: [0, 0], duration: 2, dt: 0.03333333333333333, sleep: false,
        solver: {type: soft_step, joints: iterative}}
defaults: {body: {collide: false, shape: {circle: 0.3}}}
bodies:
  bar: {shape: {box: [4, 0.1]}, mass: 0.03811753968855158,
        angular_velocity: '-2.215131809860935 rad/s'}
  w0: {mass: 8.220874812248033, position: [1.9781156839023823, -0.7120421254916496],
       angular_velocity: '98.47441330480166 rad/s'}
  w1: {mass: 18.815927084874193, position: [2.64898043410421, -0.7526544312486143],
       angular_velocity: '35.41938402535533 rad/s'}
  w2: {mass: 0.01757263793578835, position: [4.629148735099289, 0.04430290791636615],
       angular_velocity: '-97.27144283755071 rad/s'}
  w3: {mass: 0.011738009359224639, position: [5.723407425533134, 0.06333404213907334],
       angular_velocity: '60.130865641021956 rad/s'}
joints:
  h0: {type: revolute, bodies: [bar, w0]}
  h1: {type: revolute, bodies: [bar, w1]}
  h2: {type: revolute, bodies: [bar, w2]}
  h3: {type: revolute, bodies: [bar, w3]}
  g0: {type: gear, joints: [h0, h1], ratio: 12.792624496262944}
  g1: {type: gear, joints: [h1, h2], ratio: 3.17171558346446}
  g2: {type: gear, joints: [h2, h3], ratio: -4.67089947053199}
"""


def test_teeth_far_out_on_light_wheels_gain_no_energy_joint_by_joint(make):
    """The teeth of g1 and g2 are 1.6 and 1.4 m from hinges of wheels of 0.3 m: r^2 m / I is 58."""
    world = make(LIGHT_CARRIER)
    before = motion(world)
    for _ in range(60):
        world.step(1)
        assert motion(world)[3] <= 1.01 * before[3]
