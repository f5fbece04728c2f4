# SPDX-License-Identifier: MIT
"""Many worlds of one scene: each as it would be alone."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import Batch, World, _native, loads
from rigid2d.core.errors import UnknownNameError, UsageError

from tests.rows import every_row

CART = """
rigid: 1
world: {dt: 0.02, sleep: false}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, position: [0, 0], mass: 1, collide: false}
  pole: {shape: {box: [0.05, 1]}, position: [0, 0.5], mass: 0.1, angle: 2, collide: false}
joints:
  rail: {type: prismatic, bodies: [world, cart], axis: [1, 0], motor: {speed: 0, max_force: 0}}
  pin: {type: revolute, bodies: [cart, pole], anchor: [0, 0]}
"""
PILE = """
rigid: 1
world: {gravity: [0, -9.81]}
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  ball: {repeat: {i: 8}, shape: {circle: 0.2}, position: [=0.11 * i, =0.5 + 0.45 * i]}
"""
READ = ["cart.x", "cart.vx", "pole.angle", "pole.omega"]


@pytest.mark.parametrize("text", [CART, PILE])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_world_in_a_batch_has_the_bits_of_the_same_world_alone(text: str, threads: int) -> None:
    scene = loads(text)
    batch, alone = Batch(scene, 70, threads=threads), World(scene)
    for steps in (1, 31, 33, 100):
        batch.step(steps)
        alone.step(steps)
        for index in (0, 17, 69):
            assert batch.world(index).save() == alone.save()


def test_channels_are_read_into_one_array_for_all_worlds() -> None:
    scene = loads(CART)
    batch, alone = Batch(scene, 5), World(scene)
    values = batch.read(READ)
    assert values.shape == (5, 4)
    batch.step(30)
    alone.step(30)
    assert batch.read(READ) is values
    expected = [alone["cart"].x, alone["cart"].velocity[0], alone["pole"].angle]
    assert values[3, :3].tolist() == expected
    assert batch.channel_names(["pole"])[0] == "pole.x"


def test_each_world_gets_what_is_written_for_it() -> None:
    batch = Batch(loads(CART), 3)
    pushes = np.array([[-5.0], [0.0], [5.0]])
    for _ in range(10):
        batch.write(["cart.force_x"], pushes)
        batch.step()
    speed = batch.read(["cart.vx"])[:, 0]
    assert speed[0] < -0.8
    assert speed[2] > 0.8
    batch.write(["pole.omega", "cart.vx"], [[1.0, 2.0]] * 3)
    assert np.array_equal(batch.read(["pole.omega", "cart.vx"]), [[1.0, 2.0]] * 3)


def test_a_motor_is_driven_by_its_name() -> None:
    batch = Batch(loads(CART), 2)
    batch.write(["rail.speed", "rail.max_force"], [[0.5, 100.0], [-0.5, 100.0]])
    batch.step(100)
    assert batch.read(["cart.vx"])[:, 0] == pytest.approx([0.5, -0.5], abs=1e-4)


def test_one_row_is_written_to_all_worlds() -> None:
    batch = Batch(loads(PILE), 4)
    batch.write(["ball[0].x"], [3.0])
    assert batch.read(["ball[0].x"])[:, 0].tolist() == [3.0] * 4


def test_marked_worlds_begin_anew_and_the_others_go_on() -> None:
    scene = loads(CART)
    batch, alone = Batch(scene, 4), World(scene)
    start = alone.save()
    batch.step(50)
    alone.step(50)
    batch.reset(np.array([True, False, True, False]))
    assert batch.world(0).save() == batch.world(2).save() == start
    assert batch.world(1).save() == alone.save()
    batch.reset()
    assert batch.world(3).save() == start


def test_a_world_that_stops_does_not_stop_the_others() -> None:
    batch = Batch(loads(PILE), 3)
    batch.write(["ball[7].vx"], [[0.0], [1e14], [0.0]])
    batch.step(10)
    errors = batch.errors()
    assert list(errors) == [1]
    assert "ball[7]" in str(errors[1])
    assert batch.read(["world.time"])[:, 0].tolist()[0] > batch.read(["world.time"])[1, 0]


@every_row(
    ("names", "says"),
    [
        (["cart.z"], "setting of cart"),
        (["wagon.x"], "body, joint or actuator"),
        (["pin.speed"], "no motor"),
        (["rail.position"], "setting of the motor"),
        (["cart"], "what of cart"),
    ],
)
def test_what_cannot_be_written_is_said(names, says) -> None:
    with pytest.raises((UnknownNameError, UsageError), match=says):
        Batch(loads(CART), 2).write(names, np.zeros((2, 1)))


@every_row("values", [np.zeros((3, 1)), np.zeros(7), "a", [[np.nan], [0.0]], None])
def test_values_of_another_shape_are_refused(values) -> None:
    with pytest.raises(UsageError, match="values for 2 worlds and 1 setting:"):
        Batch(loads(CART), 2).write(["cart.x"], values)


def test_a_wrong_shape_is_answered_with_the_right_one() -> None:
    batch = Batch(loads(CART), 2)
    with pytest.raises(UsageError, match=r"need the shape \[2, 1\], not \[7\]"):
        batch.write(["cart.x"], np.zeros(7))
    assert repr(batch) == f"Batch(2 worlds of {batch.scene.name!r})"


@every_row("mask", [[1, 0], [True], "ab", np.ones((2, 2), bool)])
def test_a_mask_of_another_kind_is_refused(mask) -> None:
    with pytest.raises(UsageError, match="2 truth values"):
        Batch(loads(CART), 2).reset(mask)


@every_row("count", [0, -1, 2.5, "two", 1 << 21])
def test_a_number_of_worlds_that_makes_no_sense_is_refused(count) -> None:
    with pytest.raises(UsageError, match="count"):
        Batch(loads(CART), count)


@pytest.mark.parametrize("other", [{"lanes": 1}, {"solver": "sequential_impulse"}])
def test_a_world_that_cannot_go_beside_the_others_does_not_come_among_them(other) -> None:
    solver = f"solver: {{type: {other.get('solver', 'soft_step')}}}"
    scene = loads(CART.replace("sleep: false", f"sleep: false, {solver}"))
    batch, alone = _native.Batch(World(loads(CART)).native, 40), World(loads(CART))
    batch.step(40)
    alone.step(40)
    with pytest.raises(ValueError, match="lanes"):
        batch.replace(0, World(scene, lanes=other.get("lanes", 0)).native)
    assert all(batch.fork(i).state_hash() == alone.state_hash() for i in range(40))
