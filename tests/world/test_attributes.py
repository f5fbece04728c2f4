# SPDX-License-Identifier: MIT
"""Attributes that worlds and handles do not have are refused, with the right call."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from rigid2d.core import Batch, World, build, loads

SCENE = loads("""\
rigid: 1
bodies:
  ball: {shape: {circle: 0.5}, position: [0, 2]}
joints: {rod: {type: distance, bodies: [world, ball], length: 2}}
actuators: {jet: {type: thruster, body: ball, force: [0, 1]}}
""")


@pytest.fixture(scope="module")
def owners() -> dict[str, Any]:
    world: Any = build(SCENE)
    return {
        "world": world,
        "body": world["ball"],
        "joint": world.joint("rod"),
        "actuator": world.actuator("jet"),
        "batch": Batch(SCENE, 2),
    }


SET = {
    "world.gravity": 'world.set("world.gravity", ...)',
    "world.gravty": "did you mean 'gravity'? Call world.set",
    "world.dt": 'load(path, ["world.dt=..."])',
    "world.ball": 'world["ball"]',
    "world.rod": 'world.joint("rod")',
    "world.time": "'time' of World can only be read",
    "body.x": "set body.position",
    "body.omega": "set body.angular_velocity",
    "body.friction": 'body.set("friction", ...)',
    "body.velocty": "did you mean 'velocity'?",
    "body.linearVelocity": "set body.velocity",
    "body.name": "can only be read",
    "body.mass": "can only be read",
    "joint.speed": "joint.set_motor(...)",
    "joint.motor_speed": "joint.set_motor(speed=...)",
    "joint.limits": "joint.set_limits(lower, upper)",
    "actuator.force": 'actuator.set("force", ...)',
    "batch.gravity": 'batch.write(["world.gravity"], ...)',
}
READ = {
    "world.gravity": "world.scene.world.gravity",
    "world.jet": 'world.actuator("jet")',
    "world.body": 'write world["..."]',
    "body.linear_velocity": "read body.velocity",
    "joint.motorSpeed": "joint.set_motor(speed=...)",
    "body.vx": "read body.velocity",
    "body.foo": "no attribute 'foo'",
    "actuator.force": "actuator.now.force",
}


def test_what_is_no_attribute_is_not_set(owners: dict[str, Any]) -> None:
    before = owners["world"].save()
    for path, right in SET.items():
        owner, name = path.split(".")
        with pytest.raises(AttributeError) as caught:
            setattr(owners[owner], name, 1.0)
        assert right in str(caught.value), path
    assert owners["world"].save() == before


def test_what_is_no_attribute_is_not_read(owners: dict[str, Any]) -> None:
    for path, right in READ.items():
        owner, name = path.split(".")
        assert not hasattr(owners[owner], name)
        with pytest.raises(AttributeError) as caught:
            getattr(owners[owner], name)
        assert right in str(caught.value), path


def test_the_calls_that_are_named_work(owners: dict[str, Any]) -> None:
    world, body = owners["world"].fork(), owners["body"]
    world.set("world.gravity", (0.0, 0.0))
    assert world.native.gravity() == (0.0, 0.0)
    body.set("friction", 0.5)
    assert (body.x, body.y) == copy.copy(body).position
    owners["actuator"].set("force", (0.0, 2.0))
    assert owners["actuator"].now.force == (0.0, 2.0)


def test_subclasses_have_attributes_of_their_own() -> None:
    class Counted(World):
        def __init__(self) -> None:
            super().__init__(SCENE)
            self.score = 0

    counted = Counted()
    counted.score += 1
    assert counted.score == 1
