# SPDX-License-Identifier: MIT
"""State names and masses of the reference, against closed forms."""

from __future__ import annotations

from math import cos, pi, radians, sqrt
from textwrap import dedent

import numpy as np
import pytest
from rigid2d.core.scene import loads
from rigid2d.core.world import build, simulate

from tests.rows import every_row

G = 9.81


def traced(text, channels):
    record = f"record: {{channels: [{channels}]}}"
    return simulate(loads(f"rigid: 1\n{dedent(text)}\n{record}\n"))


def test_the_force_of_a_body_is_the_sum_of_the_normal_forces_of_its_contacts():
    pressed = traced(
        """
        world: {duration: 2, gravity: [0, 0]}
        bodies:
          wall: {type: static, shape: {box: [1, 4]}, position: [-1, 0]}
          box: {shape: {box: [1, 1]}, mass: 2}
          press: {shape: {box: [1, 1]}, mass: 2, position: [1, 0]}
        actuators: {push: {type: force, body: press, force: [-10, 0]}}""",
        "box.force, press.force",
    )
    assert pressed["box"].force[-1] == pytest.approx(20.0, rel=1e-3)
    assert pressed["press"].force[-1] == pytest.approx(10.0, rel=1e-3)


def test_the_force_of_a_body_on_a_slope_leaves_friction_out():
    lying = traced(
        """
        world: {duration: 2}
        bodies:
          slope: {type: static, shape: {box: [9, 1]}, angle: 20}
          box: {shape: {box: [1, 1]}, mass: 2, angle: 20,
                position: [=-sin(20*pi/180), =cos(20*pi/180)]}""",
        "box.force",
    )
    assert lying["box"].force[-1] == pytest.approx(2 * G * cos(radians(20)), rel=1e-3)


def test_the_force_of_a_body_leaves_joints_and_actuators_out():
    hanging = traced(
        """
        world: {duration: 1}
        bodies: {bob: {shape: {circle: 0.5}, mass: 2}}
        joints: {rod: {type: distance, bodies: [world, bob], anchors: [[0, 2], [0, 0]]}}
        actuators: {wind: {type: force, body: bob, force: [3, 0]}}""",
        "bob.force, rod.force",
    )
    assert hanging["bob"].force.max() == 0.0
    assert hanging["rod"].force[1] > 15.0


def test_the_energy_of_the_world_is_0_at_the_origin_and_leaves_springs_out():
    text = """
        world: {duration: 1}
        bodies: {box: {shape: {box: [1, 1], offset: [0, 2]}, mass: 2, position: [5, HEIGHT]}}
        joints: {s: {type: distance, bodies: [world, box], anchors: [[5, 9], [0, 0]], length: 1,
                     spring: {stiffness: 100}}}"""
    for height in (-2.0, 3.0):
        trace = traced(text.replace("HEIGHT", str(height)), "world.energy")
        assert trace.world.energy[0] == pytest.approx(2 * G * (height + 2.0))


def test_the_angular_momentum_of_the_world_is_about_the_origin():
    trace = traced(
        """
        world: {duration: 1, gravity: [0, 0]}
        bodies:
          disc: {shape: {circle: 0.5}, mass: 2, position: [0, 3], velocity: [1, 0],
                 angular_velocity: "1 rad/s"}
          fan: {type: kinematic, shape: {circle: 0.5}, position: [9, 0], velocity: [0, 5]}""",
        "world.angular_momentum",
    )
    assert trace.world.angular_momentum[[0, -1]] == pytest.approx(-2 * 3 + 0.5 * 2 * 0.25)


def test_positions_are_kept_in_double_and_velocities_in_single_precision():
    body = "{shape: {circle: 0.1}, position: [123456.7, 0], velocity: [0.1, 0]}"
    world = build(loads(f"rigid: 1\nbodies: {{ball: {body}}}"))
    assert world["ball"].x == 123456.7
    assert world["ball"].velocity[0] == float(np.float32(0.1)) != 0.1
    assert world["ball"].mass == float(np.float32(pi * 0.01))


def test_a_joint_bears_the_load_through_the_step_in_which_it_breaks():
    trace = traced(
        """
        world: {duration: 2}
        bodies: {bob: {shape: {circle: 0.5}, mass: 2, position: [0, -1]}}
        joints: {cord: {type: distance, bodies: [world, bob], anchor: [0, 0], rope: true,
                        max_length: 2, break: {force: 30}}}""",
        "bob, cord.force, cord.broken",
    )
    step = int(np.argmax(trace["cord"].broken))
    fall = trace["bob"].vy[step - 1]
    assert fall < -4.0
    assert trace["bob"].vy[step] == pytest.approx(0.0, abs=1e-3)
    assert trace["cord"].force[step] == pytest.approx(2 * (G - fall * 60), rel=1e-3)
    assert trace["cord"].force[step + 1] == 0.0
    assert trace["bob"].vy[step + 1] == pytest.approx(-G / 60, rel=1e-3)


LINES = ("{segment: [[-1, 0], [1, 0.3]]}", "{chain: [[-1, 0], [0, 0.2], [1, 0]], side: both}")


@every_row("floor", LINES)
@every_row(
    ("shape", "touches"),
    [*((line, False) for line in LINES), ("{capsule: [[-1, 0], [1, 0.3]], radius: 0.1}", True)],
)
def test_segments_and_chains_touch_all_but_each_other(floor, shape, touches):
    trace = traced(
        f"""
        world: {{duration: 1}}
        bodies:
          floor: {{type: static, shape: {floor}}}
          bar: {{shape: {shape}, mass: 1, inertia: 1, position: [0, 1]}}""",
        "bar.force",
    )
    assert (trace["bar"].force.max() > 0.0) == touches


def test_an_inertia_is_about_the_centre_of_mass_that_is_given():
    trace = traced(
        """
        world: {duration: 10, dt: =1/480}
        bodies: {bar: {shape: {box: [1, 1]}, mass: 2, inertia: 3, center_of_mass: [0.4, 0],
                       angle: -87}}
        joints: {pin: {type: revolute, bodies: [world, bar]}}""",
        "bar",
    )
    away = trace["bar"].angle + pi / 2
    passes = np.flatnonzero((away[:-1] > 0) & (away[1:] <= 0))
    period = 2 * pi * sqrt((3 + 2 * 0.4**2) / (2 * G * 0.4))
    assert np.diff(trace.t[passes]).mean() == pytest.approx(period, rel=2e-3)


def test_without_an_inertia_that_of_the_shapes_is_taken_about_the_given_centre():
    body = "{shape: {box: [1, 1]}, mass: 2, center_of_mass: [0.4, 0]}"
    world = build(loads(f"rigid: 1\nbodies: {{bar: {body}}}"))
    assert world["bar"].inertia == pytest.approx(2 / 6 + 2 * 0.4**2)


@pytest.mark.parametrize(
    ("spring", "frequency"),
    [("frequency: 2", 2.0), ("stiffness: 100", sqrt(100 * (1 / 2 + 0.5**2 * 3)) / (2 * pi))],
)
def test_a_spring_beside_the_centre_of_mass_swings_what_gives_way_to_it(spring, frequency):
    # 1/m = 1/2 + r^2/I with r = 0.5 and I = 2/6.
    trace = traced(
        f"""
        world: {{duration: 5, gravity: [0, 0], dt: =1/480}}
        bodies: {{box: {{shape: {{box: [1, 1]}}, mass: 2}}}}
        joints: {{s: {{type: distance, bodies: [world, box], anchors: [[0.5, 100], [0.5, 0]],
                       length: 99.99, spring: {{{spring}}}}}}}""",
        "s.length",
    )
    stretch = trace["s"].length - 99.99
    passes = np.flatnonzero((stretch[:-1] > 0) & (stretch[1:] <= 0))
    assert 1 / np.diff(trace.t[passes]).mean() == pytest.approx(frequency, rel=2e-3)
