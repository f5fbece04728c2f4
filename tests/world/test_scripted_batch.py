# SPDX-License-Identifier: MIT
"""Worlds of a batch that do more than physics: each as it would be alone."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import Batch, World, loads
from rigid2d.core.errors import UnknownNameError, UsageError

from tests.rows import every_row

# A lift, drops that are born in places of their own and break, a score, and an end.
RAIN = """
rigid: 1
world: {dt: 0.02}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.2}, tags: [drop]}}}}
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5], tags: [ground]}
  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [-8, 2]}
  cart: {shape: {box: [1, 0.5]}, position: [5, 0.25]}
actuators: {push: {type: force, body: cart, force: [0, 0]}}
spawners: {sky: {use: drop, every: 0.1, at: ["=uniform(-7, 3)", "=uniform(0.3, 1)"]}}
state: {fallen: 0, pressed: 0}
animations:
  ride: {type: loop, duration: 0.5, tracks: {lift.position: [[0, [-8, 2]], [0.5, [-8, 3]],
    [1, [-8, 2]]]}}
events:
  - {when: collision, tags: [drop, ground], do: [
      {destroy: {body: $a, kick: {random: 1}, tags: []}}, {add: {fallen: 1}}]}
controls: {more: {do: [{add: {pressed: 1}}], every: 0.1}}
outcome: {lose: =state.fallen >= 3}
"""
PLAYED = """
rigid: 1
bodies: {ball: {shape: {circle: 0.5}}}
actuators: {jet: {type: thruster, body: ball, force: [0, 20], enabled: false}}
controls: {up: jet}
inputs: [{key: up, from: 0.1, to: 0.4}]
"""
FIELD = """
rigid: 1
bodies: {nail: {shape: {circle: 1}, tags: [iron]}}
actuators: {magnet: {type: field, tags: [iron], field: ["=3 - x", =t]}}
"""
SWITCHED = """
rigid: 1
bodies: {fan: {shape: {circle: 1}}}
actuators: {turn: {type: rotary_motor, body: fan, speed: 90, max_torque: 9, start: 0.1, until: 0.3}}
"""
CROWD = RAIN.replace(
    "bodies:\n",
    "bodies:\n  dust: {repeat: {i: 64}, shape: {circle: 0.01}, position: [=i, 20]}\n",
    1,
)


@pytest.mark.parametrize("text", [RAIN, PLAYED, FIELD, SWITCHED])
def test_a_world_in_a_batch_has_the_bits_of_the_same_world_alone(text: str) -> None:
    scene = loads(text)
    batch, alone = Batch(scene, 3), World(scene)
    for steps in (1, 7, 22):
        batch.step(steps)
        alone.step(steps)
        assert batch.world(0).save() == batch.world(2).save() == alone.save()


def test_threads_change_nothing() -> None:
    scene = loads(CROWD)
    one, three = Batch(scene, 4, seeds=9), Batch(scene, 4, seeds=9, threads=3)
    one.step(20)
    three.step(20)
    assert [one.world(i).save() for i in range(4)] == [three.world(i).save() for i in range(4)]


def test_a_seed_is_that_of_the_scene_with_all_that_is_drawn_while_it_runs() -> None:
    batch = Batch(loads(RAIN), 2, seeds=[5, 6])
    batch.step(30)
    for index in (0, 1):
        alone = World(loads(RAIN, overrides=[f"world.seed={5 + index}"]))
        alone.step(30)
        assert batch.world(index).save() == alone.save()
    assert batch.world(0).state_hash() != batch.world(1).state_hash()


def test_a_seed_is_also_that_of_what_is_drawn_before_it_runs() -> None:
    text = RAIN.replace("position: [5, 0.25]", 'position: ["=uniform(5, 6)", 0.25]')
    batch = Batch(loads(text), 2, seeds=[5, 6])
    batch.step(5)
    alone = World(loads(text, overrides=["world.seed=6"]))
    alone.step(5)
    assert batch.world(1).save() == alone.save()


def test_marked_worlds_begin_anew_with_all_that_scripts_know() -> None:
    scene = loads(RAIN)
    batch = Batch(scene, 2)
    batch.set("controls.more", [1, 1])
    batch.step(60)
    assert batch.outcomes() == ["lose", "lose"]
    before = batch.world(1).save()
    batch.reset([True, False])
    assert batch.world(0).save() == World(scene).save()
    assert batch.world(1).save() == before
    assert batch.outcomes() == ["", "lose"]


def test_state_variables_are_read_for_each_world() -> None:
    batch = Batch(loads(RAIN), 2)
    batch.set("controls.more", [1, 0])
    batch.step(16)
    values = batch.read(["cart.x", "state.pressed", "world.bodies"])
    assert values[:, 1].tolist() == [4.0, 0.0]  # at once, and every 0.1 s
    assert values[0, 2] > 2.0


def test_keys_are_held_and_let_go_as_in_a_world_alone() -> None:
    scene = loads(PLAYED)
    batch, alone = Batch(scene, 2), World(scene)
    for held in (1, 0, 1, 1, 0):
        batch.set("controls.up", [0, held])
        (alone.controls.press if held else alone.controls.release)("up")
        batch.step()
        alone.step()
    assert batch.world(1).save() == alone.save()
    assert batch.world(0).save() != alone.save()


def test_scripts_know_what_was_set() -> None:
    text = PLAYED.replace("inputs: [{key: up, from: 0.1, to: 0.4}]", "state: {a: 0}")
    scene = loads(text)
    batch, alone = Batch(scene, 2), World(scene)
    batch.write(["jet.enabled", "jet.force.y", "ball.x", "ball.vy"], [[1, 5, 3, 2], [0, 7, 1, 0]])
    alone.set("jet.enabled", True)
    alone.set("jet.force", (0.0, 5.0))
    alone["ball"].position, alone["ball"].velocity = (3.0, 0.0), (0.0, 2.0)
    batch.step(9)
    alone.step(9)
    assert batch.world(0).save() == alone.save()
    pushed, turned = Batch(scene, 1), World(scene)
    pushed.write(["ball.force_x", "ball.force_y", "ball.torque", "ball.omega"], [1, 2, 3, 4])
    turned["ball"].angular_velocity = 4.0
    turned["ball"].apply_force((1.0, 0.0))
    turned["ball"].apply_force((0.0, 2.0))
    turned["ball"].apply_torque(3.0)
    pushed.step(2)
    turned.step(2)
    assert pushed.world(0).state_hash() == turned.state_hash()


def test_motors_are_set_by_either_name_of_their_strength() -> None:
    joint = (
        "joints: {pin: {type: revolute, bodies: [world, ball], motor: {speed: 0, max_torque: 2}}}"
    )
    scene = loads(PLAYED + joint)
    batch, alone = Batch(scene, 2), World(scene)
    batch.write(["pin.speed", "pin.max_force", "pin.motor.enabled"], [1.5, np.inf, 1])
    alone.joint("pin").set_motor(speed=1.5, max_torque=float("inf"), enabled=True)
    batch.step(5)
    alone.step(5)
    assert batch.world(1).save() == alone.save()


def test_what_is_gone_is_read_as_it_was_and_not_set() -> None:
    text = PLAYED + "events: [{when: time, at: 0.1, do: [{delete: ball}]}]"
    batch = Batch(loads(text), 2)
    batch.step(20)
    before = batch.read(["ball.y"]).copy()
    batch.write(["ball.x", "jet.force.y", "ball.vx", "ball.force_x", "ball.torque"], np.ones(5))
    batch.step(2)
    assert np.array_equal(batch.read(["ball.y"]), before)


def test_a_world_whose_script_fails_stops_alone_and_begins_again() -> None:
    text = (
        PLAYED
        + """
state: {a: 1}
events: [{when: =ball.x > 1, do: [{set: {ball.gravity_scale: =1/(state.a - 1)}}]}]
"""
    )
    batch = Batch(loads(text), 3)
    batch.step()
    assert not batch.stopped
    batch.set("ball.x", [0.0, 2.0, 0.0])
    batch.step(20)
    assert batch.stopped
    assert list(batch.errors()) == [1]
    assert "events[0].do[0].set" in str(batch.errors()[1])
    assert batch.read(["world.time"])[0, 0] > batch.read(["world.time"])[1, 0]
    batch.reset([False, True, False])
    assert not batch.stopped


@every_row(
    ("name", "value", "says"),
    [
        ("controls.up", [1.0, 2.0, 3.0], "values for 2 worlds"),
        ("controls.down", [0, 1], "key of the controls"),
        ("ball.x", [0.0, np.nan], "finite"),
        ("ball.x", [0.0, 1e300], "above"),
        ("ball.z", [0.0, 0.0], "setting of ball"),
        ("state.a", [0.0, 0.0], "body, joint or actuator"),
    ],
)
def test_what_cannot_be_set_is_said_and_nothing_is_set(name: str, value, says: str) -> None:
    batch = Batch(loads(PLAYED), 2)
    before = batch.world(0).save()
    with pytest.raises((UsageError, UnknownNameError), match=says):
        batch.set(name, value)
    assert batch.world(0).save() == before


def test_a_key_that_only_holds_is_set_by_what_it_holds_where_the_engine_steps() -> None:
    text = PLAYED.replace("inputs: [{key: up, from: 0.1, to: 0.4}]", "")
    with pytest.raises(UsageError, match=r"set `jet\.enabled` instead"):
        Batch(loads(text), 2).set("controls.up", [0, 1])
