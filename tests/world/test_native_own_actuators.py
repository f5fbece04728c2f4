# SPDX-License-Identifier: MIT
"""Spawned copies in the engine whose scripts set, watch and remove their own actuators: with the
bits, saved states and events of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SimulationError

from tests.scripts import program, restore_and_fork, step_alike

# Every kind of actuator and setting, by actions and by tracks, in copies of every handedness.
PROBES = """
rigid: 1
world: {dt: 0.02, seed: 8, solver: {type: soft_step}, bounds: [[-9, -9], [9, 30]]}
state: {starts: 0, stops: 0, held: 0, ends: 0, seen: 0}
prototypes:
  probe:
    bodies:
      hull: {shape: {box: [0.5, 0.3]}, tags: [hot]}
      wheel: {shape: {circle: 0.2}, position: [0.6, 0], mass: 0.4}
    joints: {axle: {type: revolute, bodies: [hull, wheel], anchor: [0.6, 0]}}
    actuators:
      jet: {type: thruster, body: hull, at: [-0.2, 0], force: [6, 0], until: 1.1}
      spin: {type: rotary_motor, bodies: [wheel], speed: -90, max_torque: 2, start: 0.2}
      wind: {type: force, bodies: [hull, wheel], force: [-2, 1]}
      twist: {type: torque, body: wheel, torque: 0.3, enabled: false}
      skid: {type: axial_friction, body: hull, max_force: 3, start: 0.1, until: 1.4}
      well: {type: field, body: wheel, field: ["=-3*x + sin(t)", "=2 - 0.1*vy"]}
      blow: {type: impulse, body: hull, impulse: [0.3, 1], start: 0.9}
    animations:
      pulse: {type: loop, loop: ping_pong, duration: 0.4, tracks: {
        jet.force: [[0, [6, 1]], [1, [2, -1]]], spin.speed: [[0, -90], [1, 120]],
        wind.force: [[0, [-2, 1]], [1, [1, 3]]]}}
      still: {type: once, duration: 0.3, enabled: false, tracks: {
        twist.torque: [[0, 0.3], [1, -0.4]], skid.enabled: [[0, true], [0.5, false], [1, true]]}}
    events:
      - {when: actuator_start, actuator: spin, do: [{add: {starts: "=1 + twist.enabled"}}]}
      - {when: actuator_stop, actuator: jet, after: 0.05, do: [{add: {stops: 1}}, {log: out}]}
      - {when: actuator_stop, actuator: wind, do: [{add: {ends: "=1 + wind.enabled"}}]}
      - {when: "=skid.enabled < 0.5 and hull.x > -9", do: [{add: {held: 1}}]}
      - {when: time, at: 0.1, every: 0.15, do: [{set: {twist.enabled: "=twist.enabled < 0.5"}},
          {add: {spin.max_torque: 0.1, jet.torque: "=0.1 - 0.01*hull.vx"}}]}
      - {when: time, at: 0.2, every: 0.3, do: [{add: {blow.impulse: [0.1, "=wheel.vy/9"]}},
          {set: {skid.friction: "=uniform(0.1, 0.9)", blow.angular_impulse: 0.2}},
          {add: {wind.force.x: 0.4}}, {play: still}]}
      - {when: time, at: 0.5, do: [{stop: pulse}, {set: {jet.force: ["=hull.vx", 2]}}]}
      - {when: time, at: 0.6, do: [{delete: wind}, {set: {wind.force: [1, 1]}},
          {add: {seen: "=1 + wind.enabled"}}]}
      - {when: time, at: 0.55, do: [{delete: wheel}, {play: pulse}]}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
actuators:
  rise: {type: force, tags: [hot], force: [0, 2]}
spawners:
  sky: {use: probe, every: 0.23, at: ["=uniform(-4, 4)", "=uniform(2, 5)"],
    angle: "=uniform(0, 360)", lifetime: 0.8}
  big: {use: probe, every: 0.5, at: [0, 6], scale: 1.5, mirror: x, alive: 2}
  low: {use: probe, every: 0.4, at: [2, 2], angle: 90, mirror: y, lifetime: 0.75}
"""
SOLVERS = ["soft_step", "sequential_impulse"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("stride", [1, 13])
def test_own_actuators_are_set_with_the_bits_of_python(
    stored: Any, stride: int, solver: str
) -> None:
    scene = loads(PROBES.replace("soft_step", solver))
    assert len(program(scene).scripted) == 3
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride)
    assert all(there.state.values())


def test_they_go_on_from_saved_states_and_forks(stored: Any) -> None:
    scene = loads(PROBES)
    restore_and_fork(stored(scene), World(scene), 7)


@pytest.mark.parametrize(
    "fault",
    [
        "{set: {spin.torque: 1}}",  # which goes by its speed
        '{set: {skid.max_force: "=hull.y - 99"}}',
        "{add: {spin.max_torque: -99}}",
        "{set: {wind.force.x: 1}}",  # of one that is turned
    ],
)
def test_impossible_values_end_the_run_with_the_words_of_python(stored: Any, fault: str) -> None:
    scene = loads(PROBES.replace("{add: {wind.force.x: 0.4}}", fault))
    said = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(SimulationError) as error:
            world.step(120)
        said.append((str(error.value), world.step_count))
    assert said[0] == said[1]
    assert "prototypes.probe.events[5].do[2]" in said[0][0]
