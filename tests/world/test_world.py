# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core.errors import UsageError

SCENE = """
collision: {categories: [default, ghost], ignore: [[ghost, default], [ghost, ghost]]}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  box: {shape: {box: [1, 1]}, position: [0, 0.5], angle: 90, points: {corner: [0.5, 0.5]}}
  ball: {shape: {circle: 0.5}, position: [5, 3], velocity: [1, 2], angular_velocity: 90}
  spirit: {shape: {circle: 0.5}, position: [5, 1.2], category: ghost, gravity_scale: 0}
joints:
  hinge: {type: revolute, bodies: [world, box], anchor: [0, 0.5],
          motor: {speed: 0, max_torque: 5}}
"""


@pytest.fixture
def world(make):
    return make(SCENE)


def test_a_body_is_found_by_its_name(world):
    ball = world["ball"]
    assert ball.position == (5, 3)
    assert ball.velocity == (1, 2)
    assert ball.angular_velocity == pytest.approx(math.pi / 2)
    assert world["box"].angle == pytest.approx(math.pi / 2)
    assert ball.alive
    assert ball.awake


def test_a_misspelt_name_suggests_the_nearest(world):
    with pytest.raises(UsageError, match="did you mean 'ball'"):
        world["bal"]
    with pytest.raises(KeyError):
        world["bal"]
    with pytest.raises(UsageError, match=r"world\.joint\('hinge'\)"):
        world["hinge"]
    with pytest.raises(UsageError, match="did you mean 'hinge'"):
        world.joint("hing")


def test_time_is_counted_in_steps(world):
    world.step()
    world.step(29)
    assert world.step_count == 30
    assert world.time == 30 * world.scene.world.dt
    with pytest.raises(UsageError, match="negative"):
        world.step(-1)


def test_views_are_the_engines_own_arrays(world):
    x, y, vy = world.bodies.x, world.bodies.y, world.bodies.vy
    assert list(world.scene.bodies).index("ball") == 2
    before = y[2]
    world.step(10)
    assert y[2] != before
    assert y[2] == world["ball"].y
    assert np.shares_memory(x, world.bodies.x)
    assert vy.dtype == np.float32
    assert len(x) == 4


def test_views_cannot_be_written(world):
    with pytest.raises(ValueError, match="read-only"):
        world.bodies.x[0] = 1.0


def test_views_outlive_the_world(make):
    y = make(SCENE).bodies.y
    assert y.tolist() == [-0.5, 0.5, 3.0, 1.2]


def test_a_body_can_be_put_elsewhere(world):
    ball = world["ball"]
    ball.position = (1, 2)
    ball.angle = 0.5
    ball.velocity = (0, 0)
    ball.angular_velocity = 3
    assert (ball.position, ball.angle, ball.velocity) == ((1, 2), 0.5, (0, 0))
    assert ball.angular_velocity == 3
    world.step()
    assert ball.x == pytest.approx(1)
    assert ball.angle == pytest.approx(0.5 + 3 / 60, rel=1e-4)


def test_a_vector_must_be_two_numbers(world):
    with pytest.raises(UsageError, match="two numbers"):
        world["ball"].velocity = (1, 2, 3)
    with pytest.raises(UsageError, match="two numbers"):
        world["ball"].apply_impulse(5)


def test_points_are_in_world_coordinates(world):
    assert world["box"].point("corner") == pytest.approx((-0.5, 1.0))
    with pytest.raises(UsageError, match="did you mean 'corner'"):
        world["box"].point("korner")


def test_a_ray_hits_the_nearest_body(world):
    hit = world.query.ray_cast((5, 10), (5, -10))
    assert hit.body == "ball"
    assert hit.point == pytest.approx((5, 3.5))
    assert hit.normal == pytest.approx((0, 1))
    assert hit.fraction == pytest.approx(6.5 / 20)
    assert world.query.ray_cast((50, 10), (50, -10)) is None


def test_all_hits_of_a_ray_are_in_the_order_of_their_distances(world):
    hits = world.query.ray_hits((5, 10), (5, -10))
    first = world.query.ray_cast((5, 10), (5, -10))
    assert hits[0] == first
    assert {hit.body for hit in hits} == {"ball", "spirit", "floor"}
    assert [hit.fraction for hit in hits] == sorted(hit.fraction for hit in hits)
    ghosts = world.query.ray_hits((5, 10), (5, -10), categories=["ghost"])
    assert [hit.body for hit in ghosts] == ["spirit"]
    assert world.query.ray_hits((50, 10), (50, -10)) == []
    with pytest.raises(UsageError, match="start"):
        world.query.ray_hits((math.nan, 0), (1, 1))


def test_a_ray_may_look_for_some_categories_only(world):
    assert world.query.ray_cast((5, 10), (5, -10), categories=["ghost"]).body == "spirit"
    with pytest.raises(UsageError, match="did you mean 'ghost'"):
        world.query.ray_cast((5, 10), (5, -10), categories=["gost"])


def test_overlaps_name_the_bodies_in_order(world):
    assert world.query.overlap_box((-1, -1), (1, 1)) == ["floor", "box"]
    assert world.query.overlap_circle((5, 2), 0.6) == ["ball", "spirit"]
    assert world.query.overlap_point((5, 3)) == ["ball"]
    assert world.query.overlap_point((5, 30)) == []
    assert world.query.overlap_circle((5, 2), 0.6, categories=["default"]) == ["ball"]


def test_contacts_name_both_bodies(world):
    world.step(120)
    touching = {frozenset((contact.a, contact.b)) for contact in world.query.contacts()}
    assert frozenset(("floor", "ball")) in touching
    contact = next(c for c in world.query.contacts() if "ball" in (c.a, c.b))
    assert contact.point[1] == pytest.approx(0, abs=0.05)
    up = contact.normal[1] if contact.b == "ball" else -contact.normal[1]
    assert up == pytest.approx(1)
    assert contact.normal_force == pytest.approx(world["ball"].mass * 9.81, rel=0.05)


def test_a_joint_is_found_by_its_name(world):
    world.step(60)
    hinge = world.joint("hinge")
    assert not hinge.broken
    assert math.hypot(*hinge.force) >= 0
    assert abs(hinge.angle) < 0.1
    with pytest.raises(UsageError, match="goes by speed, not by position"):
        hinge.set_motor(position=1)


def test_a_relative_position_stays_between_the_limits(make):
    rail = "bodies: {b: {shape: {circle: 1}}}\njoints: {j: {type: prismatic, bodies: [world, b], "
    world = make(rail + "limits: [0, 4], motor: {position: 0, relative: true, max_force: 200}}}")
    world.joint("j").set_motor(position=0.75)
    world.step(240)
    assert world.joint("j").translation == pytest.approx(3, abs=1e-3)
    for wrong in (-0.1, 1.1):
        with pytest.raises(UsageError, match="0 to 1 of its limits"):
            world.set("j.motor.position", wrong)


def test_a_joint_without_motor_cannot_be_driven(make):
    world = make(SCENE.replace("motor: {speed: 0, max_torque: 5}", "collide: true"))
    with pytest.raises(UsageError, match="has no motor"):
        world.joint("hinge").set_motor(speed=1)


def test_a_removed_body_is_gone(world):
    world.remove("ball")
    assert not world["ball"].alive
    world.step(10)
    assert world.query.overlap_point((5, 3)) == []
    with pytest.raises(UsageError, match="'ball' was removed"):
        world["ball"].apply_force((1, 0))


def test_a_removed_joint_lets_go(make):
    world = make(SCENE)
    world.remove("hinge")
    world.step()
    assert world.joint("hinge").broken


def test_energy_falls_with_friction_and_is_kept_in_flight(make):
    world = make("bodies: {ball: {shape: {circle: 0.5}, velocity: [3, 4], mass: 2}}")
    kinetic, potential = world.energy()
    assert kinetic == pytest.approx(25)
    assert potential == pytest.approx(0)
    world.step(60)
    assert sum(world.energy()) == pytest.approx(25, rel=0.05)


def test_two_worlds_of_one_scene_are_independent(make):
    one, other = make(SCENE), make(SCENE)
    one.step(10)
    assert other.step_count == 0
    assert one.state_hash() != other.state_hash()
    other.step(10)
    assert one.state_hash() == other.state_hash()
