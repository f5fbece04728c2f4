# SPDX-License-Identifier: MIT
"""Joints that actions of instances attach are placed as those that are there from the beginning."""

from __future__ import annotations

from dataclasses import fields

import pytest
from rigid2d.core import SceneError, build
from rigid2d.core.scene import expand, loads

from tests.rows import every_row

JOINTS = {
    "hinge": "{type: revolute, bodies: [post, arm], anchor: [0, 0], limits: [-40, 10],"
    " motor: {speed: 90, max_torque: 2}}",
    "door": "{type: revolute, bodies: [world, arm], anchor: [0, 0],"
    " limits: {lower: -40 deg, upper: =size*10}, motor: {position: 0.25, relative: true}}",
    "turned": "{type: revolute, bodies: [post, arm], anchors: [[0, 0], [-1, 0]],"
    " motor: {position: 20}}",
    "rod": "{type: distance, bodies: [post, arm], anchors: [[0.1, 0.2], [0.5, 0.1]],"
    " min_length: 20 cm, max_length: =size*5, motor: {position: 1, max_force: 3}}",
    "spring": "{type: distance, bodies: [world, arm], anchor: [0, 2], length: 1.5,"
    " spring: {frequency: 2}}",
    "slide": "{type: prismatic, bodies: [world, arm], axis: [1, 2], limits: [-1, 2],"
    " motor: {position: 0.5}}",
    "rail": "{type: prismatic, bodies: [post, arm], anchors: [[0, 1], [0, 0]], axis: [0, 1],"
    " limits: [-1, 2]}",
    "wheel": "{type: wheel, bodies: [post, arm], spring: {frequency: 3}, limits: [-0.2, 0.1],"
    " motor: {speed: -360, max_torque: 5}}",
    "pawl": "{type: ratchet, bodies: [post, arm], teeth: 12, motor: {speed: 30}}",
    "rope": "{type: pulley, bodies: [post, arm], ground_anchors: [[0, 4], [1, 4]]}",
    "hand": "{type: mouse, body: arm, anchor: [1, 0], target: [=size*2, 1], max_force: 5}",
    "pull": "{type: mouse, bodies: [world, arm], target: [2, 1], stiff: true}",
    "named": "{type: distance, bodies: [post, arm], anchors: [top, arm.points.tip]}",
    "pinned": "{type: revolute, bodies: [post, arm], anchor: top}",
    "held": "{type: mouse, body: arm, anchor: tip}",
    "glue": "{type: weld, bodies: [post, arm], anchor: [0.5, 0]}",
}
PLACES = {
    "turned": "at: [3, 1], angle: 30",
    "upside_down": "mirror: y, at: [0, 2]",
    "all": "scale: 0.5, mirror: x, angle: -90, at: [1, 2], pivot: [0.5, 0]",
}
SCENE = """
rigid: 1
world: {{gravity: [0, 0]}}
prototypes:
  machine:
    vars: {{size: 1}}
    bodies:
      post: {{shape: {{box: [0.2, 0.6]}}, collide: false, angle: 10, points: {{top: [0, 0.3]}}}}
      arm:
        {{shape: {{box: [2, 0.2]}}, position: [1, 0], collide: false, points: {{tip: [1, 0.1]}}}}
{more}
instances: {{red: {{use: machine, {place}}}}}
"""
ATTACHED = "    events: [{{when: time, at: 0, do: [{{attach: {{name: tie, joint: {joint}}}}}]}}]"
FROM_THE_BEGINNING = "    joints: {{tie: {joint}}}"


@every_row("place", PLACES)
@every_row("joint", JOINTS)
def test_an_attached_joint_is_as_if_it_were_there_from_the_beginning(
    joint: str, place: str
) -> None:
    scenes = [
        loads(SCENE.format(place=PLACES[place], more=more.format(joint=JOINTS[joint])))
        for more in (ATTACHED, FROM_THE_BEGINNING)
    ]
    world = build(scenes[0])
    world.step()
    attached, wanted = world.scene.joints["red.tie[0]"], scenes[1].joints["red.tie"]
    for field in fields(wanted):
        if field.name not in ("name", "motor", "spring", "limit_spring"):
            told, expected = getattr(attached, field.name), getattr(wanted, field.name)
            if field.name == "ground_anchors" and told and expected:
                told, expected = (*told[0], *told[1]), (*expected[0], *expected[1])
            assert told == pytest.approx(expected, abs=1e-6), field.name
    assert (attached.motor is None) == (wanted.motor is None)
    if wanted.motor is not None and attached.motor is not None:
        assert attached.motor.speed == pytest.approx(wanted.motor.speed)
        assert attached.motor.position == pytest.approx(wanted.motor.position)
    assert attached.spring == wanted.spring


@pytest.mark.parametrize("joint", ["hinge", "door", "wheel", "pawl", "rod", "hand"])
def test_a_scene_that_attaches_joints_runs_alike_when_it_is_written_out(joint: str) -> None:
    text = SCENE.format(place="scale: 2", more=ATTACHED.format(joint=JOINTS[joint]))
    text = text.replace("gravity: [0, 0]", "gravity: [0, -9]")
    hashes = set()
    for each in (text, expand(loads(text))):
        world = build(loads(each))
        world.step(30)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


def test_what_is_spawned_smaller_attaches_a_shorter_joint() -> None:
    text = SCENE.format(place="at: [9, 9]", more=ATTACHED.format(joint=JOINTS["rod"]))
    world = build(loads(text + "spawners: {small: {use: machine, every: 9, scale: 0.5}}\n"))
    world.step(2)
    joint = world.scene.joints["small[0].tie[0]"]
    assert (joint.min_length, joint.max_length) == pytest.approx((0.1, 2.5))
    assert joint.anchor_b == pytest.approx((0.25, 0.05))


HIT = """
rigid: 1
bodies:
  floor: {{type: static, shape: {{box: [9, 1]}}, position: [3, 1], angle: 10, tags: [floor]}}
  {ball}
{more}
"""
BALL = "ball: {shape: {circle: 0.5}, position: [1, 3], points: {rim: [0.5, 0]}, tags: [ball]}"
EVENT = (
    "{{when: collision, tags: [floor, ball], once: true,"
    " do: [{{attach: {{name: rope, joint: {joint}}}}}]}}"
)


@pytest.mark.parametrize("ends", ["[$a, $b]", "[world, $b]", "[floor, ball]"])
@pytest.mark.parametrize("end", ["[0, 0]", "rim"])
def test_the_point_of_a_contact_is_an_anchor_in_the_world_of_any_body(ends: str, end: str) -> None:
    joint = f"{{type: distance, bodies: {ends}, anchors: [$point, {end}], length: 1.5, rope: true}}"
    world = build(loads(HIT.format(ball=BALL, more=f"events:\n  - {EVENT.format(joint=joint)}")))
    while "rope[0]" not in world.scene.joints:
        world.step()
    rope = world.scene.joints["rope[0]"]
    held = rope.anchor_a if rope.body_a == "world" else world["floor"].world_point(rope.anchor_a)
    assert world["floor"].local_point(held)[1] == pytest.approx(0.5, abs=0.01)  # on its surface
    assert world["ball"].local_point(held) == pytest.approx((0.0868, -0.4924), abs=0.02)
    world.step(120)
    assert world.joint("rope[0]").length <= 1.5 + 1e-3


WRONG = {
    "{type: distance, bodies: [$a, $b], anchor: $point}": "has a point on each",
    "{type: weld, bodies: [$a, $b], motor: {speed: 3}}": "does not belong to a weld joint",
    "{type: revolute, bodies: [$a, ball], anchors: [[0, 0], rimm]}": "`ball` has no point `rimm`",
    "{type: revolute, bodies: [world, $b], anchors: [rim, rim]}": "the world has no points",
    "{type: revolute, bodies: [floor, $b], limits: [10, 0]}": "the first limit must not be above",
}


@pytest.mark.parametrize("joint", WRONG)
def test_an_attached_joint_is_checked_when_the_scene_is_read(joint: str) -> None:
    given = HIT.format(ball=BALL, more=f"events:\n  - {EVENT.format(joint=joint)}")
    with pytest.raises(SceneError) as raised:
        loads(given)
    (problem,) = raised.value.problems
    assert WRONG[joint] in problem.message
    assert problem.path.startswith("events[0].do[0].attach.joint")


@pytest.mark.parametrize("anchor", ["anchor: $point", "anchors: [$point, [0, 0]]"])
def test_an_event_without_a_point_has_none_for_an_anchor(anchor: str) -> None:
    joint = f"{{type: distance, bodies: [world, ball], {anchor}}}"
    event = f"{{when: time, at: 1, do: [{{attach: {{name: rope, joint: {joint}}}}}]}}"
    with pytest.raises(SceneError, match=r"there is no `\$point` here"):
        loads(HIT.format(ball=BALL, more=f"events:\n  - {event}"))
