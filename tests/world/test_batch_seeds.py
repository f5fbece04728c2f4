# SPDX-License-Identifier: MIT
"""Worlds of a batch that begin from seeds, and what of them can be set."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core import Batch, World, loads
from rigid2d.core.errors import UsageError

from tests.rows import every_row

CART = """
rigid: 1
world: {dt: 0.02, sleep: false}
materials: {rubber: {friction: 1}}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, mass: 1, collide: false}
  pole: {shape: {box: [0.05, 1], offset: [0, 0.5]}, mass: 0.1, collide: false}
joints:
  rail: {type: prismatic, bodies: [world, cart], axis: [1, 0]}
  pin: {type: revolute, bodies: [cart, pole], anchor: [0, 0], motor: {speed: 0, max_torque: 2}}
actuators:
  push: {type: force, body: cart, force: [0, 0]}
  jet: {type: thruster, body: pole, force: [0, 1], enabled: false}
task:
  observe: [cart.x]
  act: {push.force.x: [-10, 10]}
  reward: 1
  start:
    $x: =uniform(-0.5, 0.5)
    cart.position: [=$x, 0]
    pole.position: [=$x, 0]
    pole.angle: =uniform(-90, 90)
    cart.velocity.x: 0.5
"""
# Everything that lanes share between worlds is another in each of these.
DRAWN = """
rigid: 1
vars: {l: "=uniform(0.6, 2)"}
world: {dt: 0.02, sleep: false, gravity: [0, "=-uniform(1, 20)"]}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, mass: "=uniform(1, 3)", collide: false}
  pole: {shape: {box: [0.05, =l], offset: [0, =l/2]}, mass: 0.1, angle: "=uniform(-90, 90)",
    collide: false, position: ["=uniform(-1, 1)", 0]}
joints:
  rail: {type: prismatic, bodies: [world, cart], axis: [1, "=uniform(-1, 1)"]}
  pin: {type: revolute, bodies: [cart, pole], anchor: ["=uniform(-1, 1)", 0]}
task: {observe: [cart.x], act: {cart.velocity.x: [-1, 1]}, reward: 1}
"""


def test_a_task_s_start_is_drawn_for_each_seed() -> None:
    batch = Batch(loads(CART), 200, seeds=range(200))
    x, other, angle, speed = batch.read(["cart.x", "pole.x", "pole.angle", "cart.vx"]).T
    assert np.array_equal(x, other)
    assert -0.5 < x.min() < -0.45 < 0.45 < x.max() < 0.5
    assert -math.pi / 2 < angle.min() < -1.4
    assert 1.4 < angle.max() < math.pi / 2
    assert (speed == 0.5).all()


def test_a_seed_is_the_same_world_wherever_it_is_and_whenever() -> None:
    scene = loads(CART)
    batch = Batch(scene, 20, seeds=100, threads=3)
    batch.step(7)
    batch.reset(np.arange(20) == 11, seeds=np.full(20, 105))
    batch.step(50)
    again = Batch(scene, 1, seeds=[105])
    again.step(50)
    assert batch.world(11).save() == again.world(0).save()


def test_a_reset_without_seeds_goes_back_to_the_scene_itself() -> None:
    batch = Batch(loads(CART), 3, seeds=1)
    batch.reset()
    assert batch.read(["cart.x", "pole.angle", "cart.vx"]).tolist() == [[0.0, 0.0, 0.0]] * 3


def test_a_scene_with_random_numbers_is_another_for_each_seed_with_the_bits_of_it_alone() -> None:
    batch = Batch(loads(DRAWN), 40, seeds=5)
    batch.step(80)
    for index in (0, 7, 39):
        alone = World(loads(DRAWN, overrides=[f"world.seed={5 + index}"]))
        alone.step(80)
        assert batch.world(index).state_hash() == alone.state_hash()
        assert batch.world(index).scene.world.gravity == alone.scene.world.gravity


def test_so_is_one_without_a_task() -> None:
    text = DRAWN[: DRAWN.index("task:")]
    batch, alone = Batch(loads(text), 2, seeds=5), World(loads(text, overrides=["world.seed=6"]))
    assert batch.world(1).save() == alone.save()


def test_layouts_are_the_scenes_of_the_first_seeds() -> None:
    text = DRAWN.replace("reward: 1}", "reward: 1, layouts: 3}")
    batch = Batch(loads(text), 9, seeds=0)
    places = batch.read(["pole.x"])[:, 0]
    assert len(set(places.tolist())) == 3
    assert np.array_equal(places[:3], places[6:])


def test_a_scene_whose_seeds_make_other_bodies_is_refused() -> None:
    text = DRAWN.replace("bodies:", "bodies:\n  stone: {repeat: {i: =n}, shape: {circle: 1}}", 1)
    text = text.replace("vars: {", 'vars: {n: "=randint(1, 9)", ', 1)
    with pytest.raises(UsageError, match="other bodies or joints"):
        Batch(loads(text), 8, seeds=0)


@every_row("seeds", [[1], [0.5, 1], ["a", "b"], [-1, 0], 1.5, [[1, 2]], [1 << 48, 0]])
def test_seeds_that_are_none_are_refused(seeds) -> None:
    with pytest.raises(UsageError, match="seed"):
        Batch(loads(CART), 2, seeds=seeds)


def test_actuators_and_motors_are_set_for_each_world() -> None:
    scene = loads(CART)
    batch = Batch(scene, 3)
    batch.set("push.force.x", [-3.0, 0.0, 3.0])
    batch.write(["jet.force", "jet.enabled"], [[0, 2, 1], [0, 2, 0], [0, -2, 1]])
    batch.set("pin.motor.enabled", [True, False, True])
    batch.step(20)
    for index, (push, force, enabled, motor) in enumerate(
        [(-3.0, 2.0, True, True), (0.0, 2.0, False, False), (3.0, -2.0, True, True)]
    ):
        alone = World(scene)
        alone.set("push.force", (push, 0.0))
        alone.set("jet.force", (0.0, force))
        alone.actuator("jet").enabled = enabled
        alone.set("pin.motor.enabled", motor)
        alone.step(20)
        assert batch.world(index).state_hash() == alone.state_hash()


def test_a_world_of_a_batch_tells_what_its_actuators_do() -> None:
    batch = Batch(loads(CART), 2)
    batch.set("jet.enabled", [False, True])
    batch.set("jet.force", (0, 4))
    assert [batch.world(i).actuator("jet").enabled for i in (0, 1)] == [False, True]
    assert batch.world(1).actuator("jet").now.force == (0.0, 4.0)


def test_motors_and_tyres_of_actuators_are_switched_and_scaled() -> None:
    scene = loads("""
rigid: 1
world: {gravity: [0, 0]}
bodies: {car: {shape: {box: [2, 1]}, mass: 3, velocity: [5, 5], collide: false}}
actuators:
  fan: {type: rotary_motor, body: car, speed: 90, max_torque: 4}
  tyre: {type: axial_friction, body: car, direction: [0, 1], friction: 0.5}
""")
    batch = Batch(scene, 2)
    batch.write(["fan.enabled", "fan.speed", "tyre.friction"], [[0, 1, 0.1], [1, -1, 0.2]])
    batch.step(10)
    for index, (enabled, speed, friction) in enumerate([(False, 1.0, 0.1), (True, -1.0, 0.2)]):
        alone = World(scene)
        alone.set("fan.enabled", enabled)
        alone.set("fan.speed", speed)
        alone.set("tyre.friction", friction)
        alone.step(10)
        assert batch.world(index).state_hash() == alone.state_hash()


@every_row(
    ("name", "says"),
    [
        ("jet.speed", "setting of the thruster jet"),
        ("push.force.z", "setting of the force push"),
        ("jet.enabled.x", "is one number"),
        ("materials.rubber.friction", "the same in all worlds"),
        ("pin.motor.position", "setting of the motor"),
        ("jat.enabled", "did you mean"),
    ],
)
def test_what_cannot_be_set_is_said(name, says) -> None:
    with pytest.raises(UsageError, match=says):
        Batch(loads(CART), 2).set(name, 1.0)


def test_controls_that_nobody_presses_are_no_hindrance() -> None:
    batch = Batch(loads(CART + "controls: {up: jet}\n"), 2)
    batch.step(5)
    assert batch.read(["world.time"])[1, 0] == pytest.approx(0.1)


def test_what_is_drawn_ahead_is_what_begins() -> None:
    scene = loads(CART)
    ahead, plain = Batch(scene, 3), Batch(scene, 3)
    ahead.draw_ahead(range(5, 40))
    for seeds in ([7, 39, 5], [8, 99, 6]):  # 99 was not
        ahead.reset(seeds=seeds)
        plain.reset(seeds=seeds)
        for index in range(3):
            assert ahead.world(index).save() == plain.world(index).save()


def test_what_cannot_begin_is_told_when_it_is_to_begin() -> None:
    text = CART.replace("cart.velocity.x: 0.5", "cart.velocity.x: =1/(choice(0, 1))")
    batch, bad = Batch(loads(text), 1), []
    batch.draw_ahead(range(20))
    for seed in range(20):
        try:
            batch.reset(seeds=[seed])
        except UsageError:
            bad.append(seed)
    assert 0 < len(bad) < 20
