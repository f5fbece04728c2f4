# SPDX-License-Identifier: MIT
"""Copies of prepared fragments are the objects that the same fragments give when they are added."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from rigid2d.core import SceneError, UsageError, World, loads

from tests.rows import every_row

SCENE = """
rigid: 1
vars: {size: 0.3}
bodies:
  floor: {type: static, shape: {box: [60, 1]}, position: [0, -0.5]}
  sign: {shape: {circle: 0.2}, position: [0, 9]}
"""


def cart(x: float, y: float, speed: float, name: str = "") -> dict[str, Any]:
    """A frame with a driven wheel and a tether to the world, moved to a place."""
    return {
        "bodies": {
            f"{name}frame": {
                "shape": {"box": [1, "=size"]},
                "position": [x, y + 0.5],
                "velocity": [speed, 0],
                "points": {"tip": [0.5, 0]},
                "tags": ["cart"],
            },
            f"{name}wheel": {
                "shapes": [{"circle": "=size"}],
                "position": [x, y],
                "velocity": [speed, 0],
            },
        },
        "joints": {
            f"{name}axle": {
                "type": "revolute",
                "bodies": [f"{name}frame", f"{name}wheel"],
                "anchor": [x, y],
            },
            f"{name}tether": {
                "type": "distance",
                "bodies": ["world", f"{name}frame"],
                "anchors": [[x, y + 6], [0, 0]],
            },
        },
        "actuators": {
            f"{name}drive": {"type": "torque", "body": f"{name}wheel", "torque": 0.5},
        },
    }


def new() -> World:
    return World(loads(SCENE))


def test_copies_have_the_bits_and_the_saved_state_of_the_plain_fragment() -> None:
    plain, other = new(), new()
    prepared = other.prepare(cart(0, 0, 0))
    assert prepared.names == ["frame", "wheel", "axle", "tether", "drive"]
    for i, x in enumerate((-4.0, 0.0, 4.0)):
        plain.add(cart(x, 1, 2, f"cart[{i}]."))
        added = prepared.add(f"cart[{i}]", at=(x, 1.0), velocity=(2.0, 0.0))
        assert added[0] == f"cart[{i}].frame"
        plain.step(7)
        other.step(7)
    plain.remove("cart[1].wheel")
    other.remove("cart[1].wheel")
    plain.step(50)
    other.step(50)
    assert other.state_hash() == plain.state_hash()
    assert other.save() == plain.save()
    again = new()
    again.restore(other.save())
    again.step(20)
    other.step(20)
    assert again.state_hash() == other.state_hash()
    assert other["cart[2].frame"].definition == plain["cart[2].frame"].definition


def test_copies_added_in_one_call_are_those_that_are_added_in_turn() -> None:
    one, many = new(), new()
    stick = "stick: {shape: {box: [1, 0.1]}, position: [1, 0]}"
    fragment = f"bodies: {{ball: {{shape: {{circle: 0.2}}}}, {stick}}}"
    places, angles = [(i, 5.0 + i) for i in range(4)], [0.0, 0.5, 1.0, -2.0]
    prepared = one.prepare(fragment)
    for i in range(4):
        prepared.add(f"s[{i}]", at=places[i], angle=angles[i], velocity=(0, -3))
    names = [f"s[{i}]" for i in range(4)]
    added = many.prepare(fragment).add_many(names, at=places, angle=angles, velocity=[0, -3])
    assert added == [f"s[{i}].{part}" for i in range(4) for part in ("ball", "stick")]
    assert many.save() == one.save()
    turned = many["s[2].stick"]
    assert turned.angle == 1.0
    assert np.allclose(turned.position, (2 + math.cos(1), 7 + math.sin(1)), atol=1e-12)


def test_a_removed_copy_leaves_its_name_used() -> None:
    world = new()
    prepared = world.prepare({"bodies": {"ball": {"shape": {"circle": 0.2}}}})
    prepared.add("drop[0]", at=[1, 5])
    world.remove("drop[0].ball")
    with pytest.raises(UsageError, match=r"something else with the name `drop\[0\]\.ball`"):
        prepared.add("drop[0]", at=[1, 5])
    assert prepared.add_many([]) == []


@every_row(
    ("fragment", "problem"),
    [
        ("bodies: {ball: {shape: {circle: -1}}}", "circle"),
        ("bodies: {}", "adds nothing"),
        (
            "joints: {tie: {type: distance, bodies: [sign, world], anchors: [[0, 9], [0, 0]]}}",
            "sign",
        ),
    ],
)
def test_a_fragment_is_checked_when_it_is_prepared(fragment: str, problem: str) -> None:
    with pytest.raises(SceneError, match=problem):
        new().prepare(fragment)


@every_row(
    ("call", "problem"),
    [
        (lambda p: p.add("a b", at=(0, 5)), "cannot be the name"),
        (lambda p: p.add("a", at=(0, 5, 1)), "at is two numbers"),
        (lambda p: p.add("a", at=(0.0, math.nan)), "at must be finite"),
        (lambda p: p.add("a", angle=math.inf), "angle must be finite"),
        (lambda p: p.add("a", velocity="fast"), "velocity is two numbers"),
        (lambda p: p.add(7), "a text"),
        (lambda p: p.add("a", speed=1), "no argument 'speed'"),
        (lambda p: p.add_many(["a", "b"], at=[[0, 1]] * 3), "at is two numbers"),
        (lambda p: p.add_many(["a", "a"]), "two copies are called `a`"),
    ],
)
def test_a_wrong_copy_is_refused_and_adds_nothing(call: Any, problem: str) -> None:
    world = new()
    prepared = world.prepare("bodies: {ball: {shape: {circle: 0.1}}}", path="shot.yaml")
    with pytest.raises(UsageError, match=problem):
        call(prepared)
    assert len(world) == 2


def test_only_a_fragment_can_be_prepared() -> None:
    with pytest.raises(UsageError, match="a fragment is a mapping or a YAML text"):
        new().prepare(3)  # type: ignore[arg-type]
