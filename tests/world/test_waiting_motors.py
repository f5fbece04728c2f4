# SPDX-License-Identifier: MIT
"""Motors that do not run from the start, until something switches them on."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import Batch, World, loads, simulate
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand

from tests.rows import every_row

MOTORS = {
    "revolute": "{type: revolute, bodies: [world, arm], anchor: [0, 0], motor: {speed: 90 %s}}",
    "to a position": "{type: revolute, bodies: [world, arm], anchor: [0, 0], "
    "motor: {position: 90, max_torque: 900 %s}}",
    "relative": "{type: revolute, bodies: [world, arm], anchor: [0, 0], limits: [-90, 90], "
    "motor: {position: 1, relative: true %s}}",
    "on a spring": "{type: revolute, bodies: [world, arm], anchor: [0, 0], "
    "motor: {position: 90, spring: {frequency: 3, damping_ratio: 1} %s}}",
    "prismatic": "{type: prismatic, bodies: [world, arm], axis: [0, 1], motor: {speed: 1 %s}}",
    "wheel": "{type: wheel, bodies: [world, arm], axis: [0, 1], spring: {frequency: 3}, "
    "motor: {speed: 90 %s}}",
    "distance": "{type: distance, bodies: [world, arm], anchors: [[0, 3], [0, 0]], "
    "min_length: 1, max_length: 5, motor: {speed: -1 %s}}",
    "ratchet": "{type: ratchet, bodies: [world, arm], anchor: [0, 0], teeth: 12, "
    "motor: {speed: 90 %s}}",
}
SOLVERS = ["soft_step", "sequential_impulse"]


def text(motor: str, more: str = "", solver: str = "soft_step") -> str:
    return f"""
rigid: 1
world: {{duration: 1, solver: {{type: {solver}}}}}
bodies: {{arm: {{shape: {{box: [2, 0.2]}}, mass: 3, position: [1, 0]}}}}
joints: {{drive: {motor}}}
{more}
"""


@every_row("solver", SOLVERS)
@every_row("motor", MOTORS.values(), ids=MOTORS)
def test_it_is_as_one_that_is_switched_off_before_the_first_step(motor: str, solver: str) -> None:
    off = World(loads(text(motor % ", enabled: false", solver=solver)))
    switched = World(loads(text(motor % "", solver=solver)))
    switched.set("drive.motor.enabled", False)
    running = World(loads(text(motor % "", solver=solver)))
    for world in (off, switched, running):
        world.step(30)
    assert off.state_hash() == switched.state_hash() != running.state_hash()
    assert off.joint("drive").motor_force == 0.0
    assert running.joint("drive").motor_force != 0.0


@every_row("motor", MOTORS.values(), ids=MOTORS)
def test_an_event_a_key_and_a_program_switch_it_on(motor: str) -> None:
    waits = motor % ", enabled: false"
    later = "events: [{when: time, at: 0.25, do: [{set: {drive.motor.enabled: true}}]}]"
    keys = (
        "controls: {up: {set: {drive.motor.enabled: true}}}\n"
        "inputs: [{key: up, from: 0.25, to: 0.5}]"
    )
    by_event = World(loads(text(waits, later)))
    by_key = World(loads(text(waits, keys)))
    by_hand = World(loads(text(waits)))
    for world in (by_event, by_key, by_hand):
        world.step(15)
    by_hand.set("drive.motor.enabled", True)
    for world in (by_event, by_key, by_hand):
        world.step(30)
    assert by_hand.joint("drive").motor_force != 0.0
    assert by_event.state_hash() == by_key.state_hash() == by_hand.state_hash()


def test_its_target_may_be_set_before() -> None:
    world = World(loads(text(MOTORS["to a position"] % ", enabled: false")))
    world.set("drive.motor.position", 0.5)
    assert world.joint("drive").motor_force == 0.0
    world.set("drive.motor.enabled", True)
    world.step(60)
    assert world.joint("drive").angle == pytest.approx(0.5, abs=1e-3)


@every_row("motor", MOTORS.values(), ids=MOTORS)
def test_it_is_written_out_and_is_another_scene(motor: str) -> None:
    scene = loads(text(motor % ", enabled: false"))
    again = loads(expand(scene))
    assert again.joints["drive"].motor == scene.joints["drive"].motor
    plain, said = (World(loads(text(motor % more))) for more in ("", ", enabled: true"))
    assert plain.physics_hash == said.physics_hash != World(scene).physics_hash


def test_a_run_goes_on_from_a_saved_state() -> None:
    later = "events: [{when: time, at: 0.5, do: [{set: {drive.motor.enabled: true}}]}]"
    scene = loads(text(MOTORS["revolute"] % ", enabled: false", later))
    world, other = World(scene), World(scene)
    world.step(20)
    other.restore(world.save())
    world.step(40)
    other.step(40)
    assert world.save() == other.save()


def test_worlds_of_a_batch_switch_their_own() -> None:
    scene = loads(text(MOTORS["to a position"] % ", enabled: false"))
    batch = Batch(scene, 2)
    batch.set("drive.motor.enabled", np.array([0.0, 1.0]))
    batch.step(60)
    off, on = batch.read(["drive.motor_force"])[:, 0]
    assert off == 0.0
    assert on != 0.0
    alone = World(scene)
    alone.set("drive.motor.enabled", True)
    alone.step(60)
    assert batch.world(1).state_hash() == alone.state_hash()


def test_what_is_placed_and_what_is_born_waits_too() -> None:
    scene = loads("""
rigid: 1
world: {duration: 1}
prototypes:
  gate:
    bodies:
      post: {type: static, shape: {box: [0.1, 0.1]}}
      arm: {shape: {box: [2, 0.2]}, position: [1, 0]}
    joints:
      drive: {type: revolute, bodies: [post, arm], anchor: [0, 0],
              motor: {position: 60, enabled: false}}
    events: [{when: time, at: 0.5, do: [{set: {drive.motor.enabled: true}}]}]
instances: {left: {use: gate, at: [-9, 0], mirror: x}, right: {use: gate, at: [9, 0]}}
events: [{when: time, at: 0.01, do: [{spawn: {use: gate, at: [0, 9]}}]}]
""")
    world = World(scene)
    for _ in range(2):
        world.step(25)
        joints = [world.joint(f"{each}.drive") for each in ("left", "right", "gate[0]")]
        forces = [joint.motor_force for joint in joints]
        assert all(force == 0.0 for force in forces) == (world.step_count < 30)
    assert forces[0] == pytest.approx(-forces[1])


def test_it_is_true_or_false() -> None:
    with pytest.raises(SceneError, match=r"joints\.drive\.motor\.enabled"):
        loads(text(MOTORS["revolute"] % ", enabled: 2"))


def test_textbook_solvers_have_it() -> None:
    for more, moves in ((", enabled: false", False), ("", True)):
        motor = MOTORS["prismatic"].replace("[0, 1]", "[1, 0]") % f", max_force: 90{more}"
        trace = simulate(loads(text(motor, solver="pgs_matrix")))
        assert bool(abs(trace["arm"].x[-1] - 1) > 0.5) is moves
