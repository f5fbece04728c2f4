# SPDX-License-Identifier: MIT
"""Every channel against the same number got another way."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.record.channels import QUANTITIES, resolve_channels
from rigid2d.core.world import simulate

SCENE = """
world: {duration: 1, sleep: false}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], restitution: 0}
  box: {shape: {box: [1, 1]}, position: [0, 0.5], mass: 2}
  ball: {shape: {circle: 0.5}, position: [5, 8], velocity: [3, 4], mass: 3, angular_velocity: 90,
         points: {edge: [0.5, 0]}}
  bob: {shape: {circle: 0.1}, position: [-3, 5], mass: 1.5}
joints:
  rod: {type: distance, bodies: [world, bob], anchors: [[-5, 5], [0, 0]]}
record: {channels: [CHANNELS]}
"""

PIECES = """
world: {gravity: [0, 0], duration: 1, sleep: false}
bodies:
  crate: {shape: {box: [1, 1.5]}, tags: [crate]}
  gem: {shape: {polygon: [[0, 0], [2, 0.5], [1.5, 2], [-0.5, 1.2]]}, position: [0, 4],
        velocity: [0.3, -0.2], angular_velocity: 40, tags: [gem]}
  ball: {repeat: {y: [0, 4.8]}, tags: [ball], shape: {circle: 0.4}, position: [-3, =y],
         velocity: [8, 0]}
events:
  - {when: collision, tags: [crate, ball], do: [{destroy: {body: $a, count: 4, tags: []}}]}
  - when: collision
    tags: [gem, ball]
    do: [{destroy: {body: $a, method: voronoi, count: 20, tags: []}}]
record: {channels: [world.mass, world.momentum_x, world.bodies]}
"""


@pytest.fixture
def record(load):
    def run(*channels: str):
        return simulate(load(SCENE.replace("CHANNELS", ", ".join(channels))))

    return run


def test_every_known_channel_can_be_recorded(load):
    names = [f"ball.{q}" for q in QUANTITIES["body"]]
    names += [f"ball.points.edge.{q}" for q in QUANTITIES["point"]]
    names += [f"rod.{q}" for q in QUANTITIES["joint"]]
    names += [f"world.{q}" for q in QUANTITIES["world"]]
    scene = load(SCENE.replace("CHANNELS", ", ".join(names)))
    assert [channel.name for channel in resolve_channels(scene, names)] == names
    trace = simulate(scene)
    assert trace.channels == tuple(names)
    assert np.isfinite(trace.values).all()


def test_speed_and_kinetic_energy_follow_from_the_velocity(record):
    ball = record("ball", "ball.speed", "ball.kinetic_energy", "ball.mass")["ball"]
    np.testing.assert_allclose(ball.speed, np.hypot(ball.vx, ball.vy), rtol=1e-6)
    inertia = 0.5 * 3 * 0.25
    energy = 0.5 * 3 * ball.speed**2 + 0.5 * inertia * ball.omega**2
    np.testing.assert_allclose(ball.kinetic_energy, energy, rtol=1e-5)
    np.testing.assert_allclose(ball.mass, 3, rtol=1e-6)


def test_a_point_moves_with_its_body(record):
    trace = record("ball", "ball.points.edge.x", "ball.points.edge.y", "ball.points.edge.vx",
                   "ball.points.edge.vy", "ball.points.edge.speed")  # fmt: skip
    ball, edge = trace["ball"], trace["ball.points.edge"]
    dx, dy = 0.5 * np.cos(ball.angle), 0.5 * np.sin(ball.angle)
    np.testing.assert_allclose(edge.x, ball.x + dx, atol=1e-5)
    np.testing.assert_allclose(edge.y, ball.y + dy, atol=1e-5)
    np.testing.assert_allclose(edge.vx, ball.vx - ball.omega * dy, atol=1e-4)
    np.testing.assert_allclose(edge.vy, ball.vy + ball.omega * dx, atol=1e-4)
    np.testing.assert_allclose(edge.speed, np.hypot(edge.vx, edge.vy), rtol=1e-5)


def test_the_worlds_momentum_is_the_sum_of_its_bodies(record):
    trace = record("box", "ball", "bob", "world.momentum", "world.momentum_x", "world.momentum_y",
                   "world.angular_momentum")  # fmt: skip
    masses = {"box": 2, "ball": 3, "bob": 1.5}
    inertias = {"box": 2 / 6, "ball": 0.5 * 3 * 0.25, "bob": 0.5 * 1.5 * 0.01}
    px = sum(m * trace[name].vx for name, m in masses.items())
    py = sum(m * trace[name].vy for name, m in masses.items())
    spin = sum(
        m * (trace[n].x * trace[n].vy - trace[n].y * trace[n].vx) + inertias[n] * trace[n].omega
        for n, m in masses.items()
    )
    np.testing.assert_allclose(trace.world.momentum_x, px, atol=1e-3)
    np.testing.assert_allclose(trace.world.momentum_y, py, atol=1e-3)
    np.testing.assert_allclose(trace.world.momentum, np.hypot(px, py), atol=1e-3)
    np.testing.assert_allclose(trace.world.angular_momentum, spin, atol=2e-2)


def test_the_worlds_mass_is_that_of_all_that_moves(record):
    trace = record("world.mass")
    np.testing.assert_allclose(trace.world.mass, 2 + 3 + 1.5, rtol=1e-7)


def test_the_worlds_mass_stays_when_bodies_break(load):
    """With a density of 1 the areas of the pieces have the sum of the whole, to a millionth."""
    trace = simulate(load(PIECES))
    whole, ball = 1.5 + 3.025, np.pi * 0.4**2
    assert trace.world.bodies[0] == 4
    assert trace.world.bodies[-1] > 20
    np.testing.assert_allclose(trace.world.mass, whole + 2 * ball, atol=1e-6)
    np.testing.assert_allclose(trace.world.momentum_x, 2 * 8 * ball + 0.3 * 3.025, atol=1e-4)


def test_the_worlds_energy_is_kinetic_and_potential(record):
    trace = record("box", "ball", "bob", "world.energy", "world.kinetic_energy",
                   "world.potential_energy", "box.kinetic_energy",
                   "ball.kinetic_energy", "bob.kinetic_energy")  # fmt: skip
    masses = {"box": 2, "ball": 3, "bob": 1.5}
    energy = sum(trace[n].kinetic_energy + m * 9.81 * trace[n].y for n, m in masses.items())
    np.testing.assert_allclose(trace.world.energy, energy, rtol=1e-5)
    kinetic = sum(trace[n].kinetic_energy for n in masses)
    np.testing.assert_allclose(trace.world.kinetic_energy, kinetic, rtol=1e-6)
    np.testing.assert_allclose(trace.world.potential_energy, energy - kinetic, rtol=1e-5)


def test_contacts_are_counted_by_body_and_in_the_world(record):
    trace = record("box.contacts", "ball.contacts", "ground.contacts", "world.contacts")
    assert trace["box"].contacts[-1] >= 1
    assert trace["ball"].contacts[10] == 0
    assert trace["ground"].contacts[10] == trace["box"].contacts[10]
    assert trace.world.contacts[10] >= 1


def test_time_bodies_and_sleep(record):
    trace = record("world.time", "world.bodies", "ball.asleep")
    np.testing.assert_allclose(trace.world.time, trace.t, atol=1e-12)
    assert set(trace["ball"].asleep) == {0.0}
    assert set(trace.world.bodies) == {4.0}


def test_a_joint_tells_force_length_and_that_it_holds(record):
    trace = record("bob", "rod.force", "rod.length", "rod.translation", "rod.broken", "rod.torque")
    rod, bob = trace["rod"], trace["bob"]
    np.testing.assert_allclose(rod.length, np.hypot(bob.x + 5, bob.y - 5), atol=1e-4)
    np.testing.assert_allclose(rod.translation, rod.length - 2, atol=1e-4)
    assert (rod.broken == 0).all()
    # A pendulum let go from the horizontal pulls with 3 m g sin of its angle below it.
    below = np.arcsin(np.clip((5 - bob.y) / 2, -1, 1))
    np.testing.assert_allclose(rod.force[5:], 3 * 1.5 * 9.81 * np.sin(below[5:]), atol=3.5)


def test_a_bodys_force_is_what_presses_on_it(record):
    trace = record("ball.force", "box.force")
    assert trace["ball"].force[10] == 0
    assert trace["box"].force[10] == pytest.approx(2 * 9.81, rel=0.05)


SPRUNG = """
world: {duration: 1, dt: =1/480}
bodies:
  bob: {shape: {circle: 0.1}, position: [0.6, -1.2], mass: 1}
  orb: {shape: {circle: 0.1}, position: [3, 0], mass: 2, gravity_scale: 0, velocity: [0, 2]}
joints:
  spring:
    {type: distance, bodies: [world, bob], anchors: [[0, 0], [0, 0]], length: 1,
     spring: {stiffness: 60, damping: 0}}
actuators:
  pull: {type: field, body: orb, field: [=-8*(x-3.5), =-8*y], potential: =mass*k*((x-3.5)**2+y**2)}
vars: {k: 2}
"""


def test_energies_of_springs_and_fields_make_the_total_level(load):
    names = ["total_energy", "stored_energy", "spring_energy", "field_energy", "potential_energy"]
    channels = ", ".join([*(f"world.{n}" for n in names), "bob", "spring.energy"])
    trace = simulate(load(f"{SPRUNG}record: {{channels: [{channels}]}}\n"))
    total, stored, springs, fields, potential = trace.values[:, :5].T
    assert np.ptp(total) < 0.01
    assert np.ptp(springs) > 1.0
    assert np.ptp(fields) > 0.5
    np.testing.assert_allclose(stored, springs + fields + potential, rtol=1e-6)
    length = np.hypot(trace["bob"].x, trace["bob"].y)
    np.testing.assert_allclose(springs, 30.0 * (length - 1.0) ** 2, atol=1e-4)
    np.testing.assert_array_equal(springs, trace["spring"].energy)
