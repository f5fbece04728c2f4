# SPDX-License-Identifier: MIT
"""Actuators: whom they act on, units, generators."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Actuator, Scene

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]

BODIES = """
bodies:
  ball: {repeat: {i: 3}, shape: {circle: 1}, position: [=3*i, 0], tags: [light]}
  box: {shape: {box: [1, 1]}, position: [0, 9], tags: [light, square]}
  wall: {type: static, shape: {box: [1, 1]}, position: [0, 20], tags: [light]}
"""


def made(scene: Make, text: str, head: str = "") -> dict[str, Actuator]:
    return dict(scene(f"{head}{BODIES}actuators:\n  {text}\n").actuators)


def test_a_thruster_has_a_force_at_a_point_and_is_on_by_default(scene: Make) -> None:
    jet = made(scene, "jet: {type: thruster, body: box, at: [0, -0.5], force: [0, 20]}")["jet"]
    assert jet == Actuator("jet", "thruster", ("box",), at=(0, -0.5), force=(0, 20))
    assert (jet.enabled, jet.start, jet.until) == (True, 0, math.inf)


def test_a_generators_name_stands_for_all_it_made(scene: Make) -> None:
    found = made(scene, "a: {type: force, body: ball, force: [1, 0]}")
    assert found["a"].bodies == ("ball[0]", "ball[1]", "ball[2]")


def test_tags_select_dynamic_bodies_and_each_once(scene: Make) -> None:
    found = made(scene, "a: {type: force, tags: [light, square], force: [1, 0]}")
    assert found["a"].bodies == ("ball[0]", "ball[1]", "ball[2]", "box")


def test_actuators_are_repeated_as_bodies_are(scene: Make) -> None:
    text = 'a: {repeat: {i: 3}, when: =i != 1, type: torque, body: "ball[=i]", torque: =i}'
    found = made(scene, text)
    assert [(name, a.bodies, a.torque) for name, a in found.items()] == [
        ("a[0]", ("ball[0]",), 0),
        ("a[2]", ("ball[2]",), 2),
    ]


def test_an_override_sets_one_of_a_generators() -> None:
    text = "a: {repeat: {i: 2}, type: torque, body: box, torque: 1}"
    whole = f"rigid: 1\n{BODIES}actuators: {{{text}}}"
    changed = loads(whole, overrides=["actuators.a[1].torque=5"])
    assert [a.torque for a in changed.actuators.values()] == [1, 5]


def test_texts_with_units_are_converted(scene: Make) -> None:
    text = """a: {type: rotary_motor, body: box, speed: 60 rpm, max_torque: 2 kN m, until: 500 ms}
  b: {type: impulse, body: box, impulse: [1 kg m/s, 2 N s], angular_impulse: "3 N m s"}"""
    found = made(scene, text)
    a, b = found["a"], found["b"]
    assert (a.speed, a.max_torque, a.until) == (pytest.approx(2 * math.pi), 2000, 0.5)
    assert (b.force, b.torque) == ((1, 2), 3)


def test_plain_numbers_are_in_the_scenes_units(scene: Make) -> None:
    text = "a: {type: rotary_motor, body: box, speed: 90, start: 500}"
    found = made(scene, text, "units: screen\n")["a"]
    assert (found.speed, found.start) == (math.pi / 2, 500)


def test_a_direction_gets_length_one(scene: Make) -> None:
    text = "a: {type: axial_friction, body: box, direction: [0, -3], friction: 0.5}"
    assert made(scene, text)["a"].direction == (0, -1)


def test_actuators_change_the_hash_of_the_physics(scene: Make) -> None:
    texts = ["torque: 1", "torque: 2", "torque: 1, visible: false"]
    first, second, third = (
        scene(f"{BODIES}actuators: {{a: {{type: torque, body: box, {text}}}}}").hash
        for text in texts
    )
    assert first != second
    assert first == third


def test_the_frame_cannot_be_pushed(problems: Find) -> None:
    found = problems(f"{BODIES}actuators: {{a: {{type: force, force: [1, 0], body: world}}}}")
    assert [each.message for each in found] == [
        "`world` is the frame; forces move dynamic bodies only"
    ]


@every_row(
    ("text", "words"),
    [
        ("type: axial_friction, friction: 0.5, axis: [0, 1]", "is `direction`"),
        ("type: thruster, force: [0, 1], point: [0, 1]", "is `at`"),
        ("type: rotary_motor, speed: 3, joint: j", "`motor: {...}`"),
        ("type: torque, torque: 3, duration: 2", "is `until`"),
        ("type: rocket", "did you mean `thruster`?"),
    ],
)
def test_fields_with_other_names_are_named(problems: Find, text: str, words: str) -> None:
    (found,) = problems(f"{BODIES}actuators: {{a: {{body: box, {text}}}}}")
    assert words in found.message
