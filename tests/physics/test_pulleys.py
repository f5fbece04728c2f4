# SPDX-License-Identifier: MIT
"""Pulleys, racks and ratchets against closed forms."""

from __future__ import annotations

from math import hypot, pi, sqrt

import numpy as np
import pytest
from rigid2d.core._native import lanes_supported

from tests.rows import every_row

JOINTS = ("direct", "iterative")
G = 9.81

ATWOOD = """
world: {{duration: 1, solver: {{type: {solver}, joints: {joints}}}, sleep: false}}
bodies:
  a: {{shape: {{circle: 0.3}}, position: [-1, 0], mass: {mass}}}
  b: {{shape: {{circle: 0.3}}, position: [1, 0], mass: 1}}
joints:
  p: {{type: pulley, bodies: [a, b], ground_anchors: [[-1, 9], [1, 9]], ratio: {ratio}{more}}}
"""


@every_row("joints", JOINTS)
@every_row(("mass", "ratio"), [(3, 1), (3, 2), (0.5, 0.5), (100, 1), (1e-2, 1)])
def test_atwoods_machine_falls_by_the_difference_of_its_weights(make, solver, joints, mass, ratio):
    """p / m_a - g + ratio (ratio p / m_b - g) = 0 gives the pull p."""
    world = make(ATWOOD.format(solver=solver, joints=joints, mass=mass, ratio=ratio, more=""))
    world.step(30)
    pull = (1 + ratio) * G / (1 / mass + ratio**2)
    assert world["a"].velocity[1] == pytest.approx(0.5 * (pull / mass - G), rel=1e-4, abs=1e-4)
    assert world["b"].velocity[1] == pytest.approx(0.5 * (ratio * pull - G), rel=1e-4, abs=1e-4)
    assert hypot(*world.joint("p").force) == pytest.approx(ratio * pull, rel=1e-3)
    assert world.joint("p").length == pytest.approx(9 * (1 + ratio), abs=2e-3)


@every_row("joints", JOINTS)
@every_row(("steps", "masses", "ratio"), [(240, (9.63, 5.49), 0.5), (60, (0.0953, 0.29888), 3)])
def test_weights_that_nearly_balance_fall_on_long_ropes(make, solver, joints, steps, masses, ratio):
    """The same pull; 80 m in floats are known to no more than 4 um, or 1 mm/s a substep."""
    world = make(
        f"""
world: {{duration: 1, dt: {1 / steps!r}, sleep: false,
         solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  a: {{shape: {{circle: 0.2}}, position: [-1, 0], mass: {masses[0]}, collide: false}}
  b: {{shape: {{circle: 0.2}}, position: [1, 0], mass: {masses[1]}, collide: false}}
joints:
  p: {{type: pulley, bodies: [a, b], ground_anchors: [[-1, 40], [1, 40]], ratio: {ratio}}}
"""
    )
    world.step(steps)
    pull = (1 + ratio) * G / (1 / masses[0] + ratio**2 / masses[1])
    assert world["a"].velocity[1] == pytest.approx(pull / masses[0] - G, rel=1e-3)


def test_a_rope_over_wheels_only_pulls(make, solver):
    world = make(ATWOOD.format(solver=solver, joints="auto", mass=3, ratio=1, more=", length: 20"))
    world.step(15)  # both fall freely by g t^2 / 2 = 0.3066 m
    assert world["a"].velocity[1] == pytest.approx(-G / 4, rel=1e-5)
    assert world.joint("p").force == (0, 0)


def test_what_is_no_rope_pushes_as_well(make, solver):
    text = ATWOOD.format(solver=solver, joints="auto", mass=1, ratio=1, more=", rope: false")
    world = make(text)
    world["a"].velocity = world["b"].velocity = (0, 3)
    world.step(1)
    assert world["a"].velocity[1] == pytest.approx(-world["b"].velocity[1], abs=1e-4)


def test_a_pulley_breaks_by_its_force(watch):
    text = ATWOOD.format(
        solver="soft_step", joints="auto", mass=3, ratio=1, more=", break: {force: 14}"
    )
    assert [event.a for event in watch(text).events] == ["p"]


@pytest.mark.parametrize("seed", range(12))
def test_random_weights_over_wheels_gain_no_energy(make, seed):
    """Swinging bodies of very unlike masses, held beside their centres."""
    random = np.random.default_rng(seed)
    solver = ("soft_step", "sequential_impulse")[seed % 2]
    dt = (1 / 30, 1 / 60, 1 / 960)[seed % 3]
    mass = (10 ** random.uniform(-2, 2, 2)).tolist()
    speed = random.uniform(-2, 2, (2, 3)).tolist()
    world = make(
        f"""
world:
  {{duration: 1, dt: {dt!r}, sleep: false, solver: {{type: {solver}, joints: {JOINTS[seed // 6]}}}}}
bodies:
  a: {{shape: {{box: [1, 0.3]}}, position: [-1, -6], mass: {mass[0]!r},
      velocity: {speed[0][:2]}, angular_velocity: '{speed[0][2]!r} rad/s'}}
  b: {{shape: {{box: [0.5, 0.3]}}, position: [1, -6], mass: {mass[1]!r},
      velocity: {speed[1][:2]}, angular_velocity: '{speed[1][2]!r} rad/s'}}
joints:
  p: {{type: pulley, bodies: [a, b], anchors: [[0.3, 0], [0, 0.1]],
      ground_anchors: [[-1, 0], [1, 0]]}}
"""
    )
    weight = sum(mass) * G

    def energy():
        bodies = [world[name] for name in world]
        return sum(
            0.5 * body.mass * (body.velocity[0] ** 2 + body.velocity[1] ** 2)
            + 0.5 * body.inertia * body.angular_velocity**2
            + body.mass * G * body.center_of_mass[1]
            for body in bodies
        )

    start = energy()
    for _ in range(int(0.7 / dt)):
        world.step(1)
        # Velocities are half a substep behind places: h m g v / 2.
        assert energy() <= start + weight * (0.01 + 0.5 * dt * 7)


RACK = """
world: {{duration: 1, gravity: [0, 0], solver: {{type: {solver}, joints: {joints}}}, sleep: false}}
bodies:
  pinion: {{shape: {{circle: 0.5}}, angular_velocity: 360}}
  rack: {{shape: {{box: [6, 0.2]}}, position: [0.3, {y}], mass: 1}}
joints:
  hub: {{type: revolute, bodies: [world, pinion]}}
  guide: {{type: prismatic, bodies: [world, rack]}}
  teeth: {{type: rack, joints: [{order}], radius: 0.5}}
"""


@every_row("joints", JOINTS)
@every_row("y", [-0.6, 0.6])
def test_a_rack_goes_as_the_rim_of_its_pinion(make, solver, joints, y):
    world = make(RACK.format(solver=solver, joints=joints, y=y, order="hub, guide"))
    world.step(60)
    inertia, way = 0.5 * pi * 0.5**4, -np.sign(y)
    spin = 2 * pi * inertia / (inertia + 0.25)
    assert world["pinion"].angular_velocity == pytest.approx(spin, rel=1e-5)
    assert world["rack"].velocity[0] == pytest.approx(0.5 * way * spin, rel=1e-5)
    assert world["rack"].x - 0.3 == pytest.approx(0.5 * way * world["pinion"].angle, abs=1e-5)


@every_row("joints", JOINTS)
def test_a_light_rack_that_is_pushed_far_stays_on_a_heavy_pinion(make, solver, joints):
    """It slides 12 m: its lever on the guide is as long. Both go as one mass, m + I / r^2."""
    world = make(
        f"""
world: {{duration: 2, gravity: [0, 0], sleep: false,
         solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  pinion: {{shape: {{circle: 0.5}}, mass: 36}}
  rack: {{shape: {{box: [2, 0.1]}}, position: [0, -0.5], mass: 0.01}}
joints:
  hub: {{type: revolute, bodies: [world, pinion]}}
  guide: {{type: prismatic, bodies: [world, rack]}}
  teeth: {{type: rack, joints: [hub, guide], radius: 0.5}}
actuators:
  push: {{type: force, body: rack, force: [108, 0]}}
"""
    )
    world.step(120)
    assert world["rack"].velocity[0] == pytest.approx(108 / 18.01 * 2, rel=1e-3)
    assert world["pinion"].angle * 0.5 == pytest.approx(world["rack"].x, abs=2e-3)


def test_a_rack_names_its_hinge_and_its_slide_in_any_order(make):
    world = make(RACK.format(solver="soft_step", joints="auto", y=-0.6, order="guide, hub"))
    world.step(60)
    assert world["rack"].x - 0.3 == pytest.approx(0.5 * world["pinion"].angle, abs=1e-5)


def test_the_teeth_of_a_rack_carry_what_pushes_it(make, solver):
    text = RACK.format(solver=solver, joints="direct", y=-0.6, order="hub, guide")
    text = text.replace("[world, pinion]}", "[world, pinion], motor: {speed: 90}}")
    world = make(text + "actuators: {push: {type: force, bodies: [rack], force: [-8, 0]}}\n")
    world.step(60)
    assert world["rack"].velocity[0] == pytest.approx(0.25 * pi, rel=1e-4)
    assert hypot(*world.joint("teeth").force) == pytest.approx(8, rel=1e-4)
    assert world.joint("hub").motor_force == pytest.approx(4, rel=1e-4)


RATCHET = """
world: {{duration: 1, solver: {{type: {solver}, joints: {joints}}}, sleep: false}}
bodies:
  arm: {{shape: {{box: [1, 0.1]}}, position: [0.5, 0], mass: 1}}
joints:
  hinge: {{type: ratchet, bodies: [world, arm], anchor: [0, 0], teeth: 12{more}}}
"""
LOAD = G / 2


@every_row("joints", JOINTS)
def test_a_ratchet_holds_a_load(make, solver, joints):
    world = make(RATCHET.format(solver=solver, joints=joints, more=""))
    world.step(300)
    assert world["arm"].angle == pytest.approx(0, abs=1e-3)
    assert world.joint("hinge").torque == pytest.approx(LOAD, rel=1e-4)


@every_row("joints", JOINTS)
def test_a_ratchet_turns_freely_its_own_way(make, solver, joints):
    world = make(RATCHET.format(solver=solver, joints=joints, more=", direction: negative"))
    free = make(
        RATCHET.format(solver=solver, joints=joints, more="")
        .replace("ratchet", "revolute")
        .replace(", teeth: 12", "")
    )
    world.step(30)
    free.step(30)
    assert world["arm"].angle == pytest.approx(free["arm"].angle, rel=1e-6)
    world.step(300)  # and does not swing back by more than a tooth
    assert -7 * pi / 6 < world["arm"].angle < -pi / 2


def test_a_ratchet_falls_back_to_the_last_tooth(make, solver):
    world = make(RATCHET.format(solver=solver, joints="auto", more=""))
    inertia = (1 + 0.01) / 12 + 0.25
    spin = sqrt(2 * LOAD * np.sin(np.radians(40)) / inertia)  # up to 40 degrees
    world["arm"].velocity, world["arm"].angular_velocity = (0, 0.5 * spin), spin
    world.step(300)
    assert world["arm"].angle == pytest.approx(np.radians(30), abs=1e-3)


def test_a_ratchet_slips_above_its_torque(make, solver):
    held = make(RATCHET.format(solver=solver, joints="auto", more=", slip_torque: 6"))
    slips = make(RATCHET.format(solver=solver, joints="auto", more=", slip_torque: 4"))
    held.step(300)
    slips.step(300)
    assert held["arm"].angle == pytest.approx(0, abs=1e-3)
    assert slips["arm"].angle < -pi / 6


@pytest.mark.parametrize(
    "text",
    [
        ATWOOD.format(solver="{solver}", joints="iterative", mass=3, ratio=2, more=""),
        RACK.format(solver="{solver}", joints="iterative", y=-0.6, order="hub, guide"),
        RATCHET.format(solver="{solver}", joints="iterative", more=""),
    ],
    ids=["pulley", "rack", "ratchet"],
)
def test_lanes_of_every_width_and_saved_worlds_give_the_same_bits(make, solver, text):
    text = text.replace("{solver}", solver)
    hashes = set()
    for lanes in lanes_supported():
        world = make(text, lanes=lanes)
        world.step(50)
        state, fork = world.save(), world.fork()
        world.step(20)
        fork.step(20)
        other = make(text)
        other.restore(state)
        other.step(20)
        hashes |= {world.state_hash(), fork.state_hash(), other.state_hash()}
    assert len(hashes) == 1


INSTANCES = """
world: {gravity: [0, 0], solver: {joints: direct}, sleep: false}
prototypes:
  drive:
    bodies:
      pinion: {shape: {circle: 0.5}}
      rack: {shape: {box: [6, 0.2]}, position: [0.3, -0.6]}
      other: {shape: {circle: 0.25}, position: [0.75, 0]}
    joints:
      hub: {type: revolute, bodies: [world, pinion], motor: {speed: 90}}
      axle: {type: revolute, bodies: [world, other]}
      guide: {type: prismatic, bodies: [world, rack]}
      teeth: {type: rack, joints: [hub, guide], radius: 0.5}
      gear: {type: gear, joints: [hub, axle], radii: [0.5, 0.25]}
instances:
  plain: {use: drive}
  large: {use: drive, at: [20, 0], scale: 2, angle: 30}
  other: {use: drive, at: [40, 0], mirror: x}
"""


@pytest.mark.parametrize(("name", "scale"), [("plain", 1), ("large", 2), ("other", 1)])
def test_an_instance_has_its_own_rack_and_gear(make, name, scale):
    world = make(INSTANCES)
    before = world[f"{name}.rack"].position
    world.step(60)
    spin, moved = world[f"{name}.pinion"].angular_velocity, world[f"{name}.rack"].velocity
    assert abs(spin) == pytest.approx(pi / 2, rel=1e-4)
    assert hypot(*moved) == pytest.approx(0.5 * scale * pi / 2, rel=1e-3)
    travel = np.subtract(world[f"{name}.rack"].position, before)
    assert np.hypot(*travel) == pytest.approx(0.5 * scale * pi / 2, rel=2e-2)
    assert world[f"{name}.other"].angular_velocity == pytest.approx(-2 * spin, rel=1e-4)


@every_row("rope", ["true", "false"])
@every_row("joints", JOINTS)
def test_what_is_pulled_past_its_wheel_gains_no_energy(make, joints, rope):
    """The rope's direction turns at once there, and nothing can hold it to its length."""
    world = make(
        f"""
world: {{duration: 1, dt: 0.03333333333333333, sleep: false,
        solver: {{type: soft_step, joints: {joints}}}}}
bodies:
  a: {{shape: {{box: [1, 0.3]}}, position: [-1, -0.444], mass: 0.322, velocity: [-0.33, -1.64],
      angular_velocity: '-0.57 rad/s'}}
  b: {{shape: {{box: [0.5, 0.3]}}, position: [1, -0.1546], mass: 61, velocity: [0.1, -0.23]}}
joints:
  p: {{type: pulley, bodies: [a, b], anchors: [[0.454, 0], [0, -0.045]], rope: {rope},
      ground_anchors: [[-1, 0], [1, 0]], ratio: 0.3}}
"""
    )
    before = sum(world.energy())
    for _ in range(60):
        world.step(1)
        kinetic, potential = world.energy()
        assert kinetic + potential <= before + 0.02 * kinetic


def test_the_weights_of_an_atwood_machine_are_ahead_by_half_a_part_of_a_step(run, solver):
    """a t (t + h)/2, as the reference says; what nothing holds is at g t^2/2."""
    trace = run(
        f"""
world: {{duration: 1, dt: =1/120, solver: {{type: {solver}}}}}
bodies:
  light: {{shape: {{box: [0.4, 0.4]}}, position: [-1, 0], mass: 1}}
  heavy: {{shape: {{box: [0.5, 0.5]}}, position: [1, 3], mass: 1.5}}
  free: {{shape: {{circle: 0.1}}, position: [5, 0]}}
joints:
  rope: {{type: pulley, bodies: [light, heavy], ground_anchors: [[-1, 5], [1, 5]]}}
"""
    )
    acceleration = 9.81 * 0.5 / 2.5
    h = 1 / 120 if solver == "sequential_impulse" else 1 / 480
    assert trace["light"].vy[-1] == pytest.approx(acceleration, rel=1e-5)
    assert trace["light"].y[-1] == pytest.approx(acceleration * (1 + h) / 2, abs=5e-6)
    assert trace["heavy"].y[-1] == pytest.approx(3 - acceleration * (1 + h) / 2, abs=5e-6)
    assert trace["free"].y[-1] == pytest.approx(-9.81 / 2, abs=2e-5)
