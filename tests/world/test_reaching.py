# SPDX-License-Identifier: MIT
"""Chains of hinges that bring a point to a place."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, degrees, hypot, inf, pi, sin

import pytest
from rigid2d.core import SceneError, build
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

LENGTHS = (1.0, 1.0, 1.0, 0.6)
LIMITS = ((-inf, inf), (-2.4, 2.4), (-2.4, 2.4), (-1.5, 1.5))


def tip_of(angles: list[float]) -> tuple[float, float]:
    x = y = angle = 0.0
    for length, each in zip(LENGTHS, angles, strict=True):
        angle += each
        x, y = x + length * cos(angle), y + length * sin(angle)
    return x, y


def reached(target: tuple[float, float], limits: Sequence[tuple[float, float]]) -> list[float]:
    """The angles that a chain of four hinges is given, which is straight along x."""
    bodies, joints = ["base: {type: static, shape: {circle: 0.1}, collide: false}"], []
    for i, (length, ends) in enumerate(zip(LENGTHS, limits, strict=True)):
        at = [i + length / 2, 0]
        bodies.append(
            f"link_{i}: {{shape: {{box: [{length}, 0.1]}}, position: {at}, collide: false}}"
        )
        given = "" if inf in ends else f", limits: [{degrees(ends[0])}, {degrees(ends[1])}]"
        joints.append(
            f"hinge_{i}: {{type: revolute, bodies: [{f'link_{i - 1}' if i else 'base'}, link_{i}], "
            f"anchor: [{i}, 0], motor: {{position: 0}}{given}}}"
        )
    bodies[-1] = bodies[-1].replace("shape", "points: {tip: [0.3, 0]}, shape")
    world = build(
        loads(
            "rigid: 1\nworld: {gravity: [0, 0], dt: 0.01}\n"
            f"bodies:\n  {chr(10).join(bodies).replace(chr(10), chr(10) + '  ')}\n"
            f"joints:\n  {chr(10).join(joints).replace(chr(10), chr(10) + '  ')}\n"
            "events: [{when: time, at: 0, do: [{reach: {tip: link_3.points.tip, "
            f"target: [{target[0]}, {target[1]}]}}}}]}}]\n"
        )
    )
    world.step(1)
    return [world.motors[f"hinge_{i}"].target for i in range(4)]


@every_row(
    ("target", "apart"),
    [
        ((1.0, 1.0), 0.0),
        ((2.0, 2.0), 0.0),
        ((-3.0, 1.0), 0.0),
        ((0.5, 0.2), 0.0),
        ((3.59, 0.1), 0.0),
        # Straight ahead and behind, where a straight chain cannot begin to move there.
        ((2.0, 0.0), 0.0),
        ((0.0, 0.0), 0.0),
        ((-6.0, 0.0), 2.4),
        ((6.0, 3.0), hypot(6.0, 3.0) - 3.6),
    ],
)
def test_a_chain_comes_to_a_place_or_as_near_as_it_can(
    target: tuple[float, float], apart: float
) -> None:
    angles = reached(target, LIMITS)
    x, y = tip_of(angles)
    assert hypot(x - target[0], y - target[1]) == pytest.approx(apart, abs=1e-4)
    limits = zip(angles, LIMITS, strict=True)
    assert all(lower - 1e-9 <= angle <= upper + 1e-9 for angle, (lower, upper) in limits)


def test_a_limit_keeps_a_hinge_and_the_others_do_the_rest() -> None:
    angles = reached((0.5, 0.5), [(-inf, inf), (0.0, 0.4), (0.0, 0.4), (0.0, 0.4)])
    assert angles[1:] == pytest.approx([0.4, 0.4, 0.4])
    # Bent as far as it can be, it points to the place.
    x, y = tip_of(angles)
    assert x * 0.5 - y * 0.5 == pytest.approx(0.0, abs=1e-4)


ARM = """
rigid: 1
world: {gravity: [0, 0]}
prototypes:
  arm:
    bodies:
      base: {type: kinematic, shape: {box: [0.4, 0.4]}}
      upper: {shape: {box: [1, 0.1]}, position: [0.5, 0], collide: false}
      lower: {shape: {box: [1, 0.1]}, position: [1.5, 0], collide: false}
      hand:
        shape: {box: [0.5, 0.1]}
        position: [2.25, 0]
        collide: false
        points: {grip: [0.25, 0]}
    joints:
      shoulder: {type: revolute, bodies: [base, upper], anchor: [0, 0], motor: {position: 0}}
      elbow:
        type: revolute
        bodies: [lower, upper]
        anchor: [1, 0]
        limits: [-150, 150]
        motor: {position: 0}
      wrist:
        type: revolute
        bodies: [lower, hand]
        anchor: [2, 0]
        limits: [-60, 60]
        motor: {position: 0.5, relative: true}
    events:
      - {when: time, at: 0.1, do: [{reach: {tip: hand.points.grip, target: [1.2, 1.1]}}]}
bodies:
  ball: {shape: {circle: 0.1}, position: [0.5, 5], collide: false}
  loose: {shape: {circle: 0.1}, position: [5, 5], collide: false}
instances: {one: {use: arm}, two: {use: arm, at: [10, 0], mirror: x, angle: 30, scale: 1.5}}
inputs: [{drag: ball, from: 2, to: 5, path: [[2, 1, -1]]}]
"""
EVENTS = """
events:
  - {when: time, at: 0.2, do: [{spawn: {use: arm, at: [0, 10], angle: 90}}]}
  - when: time
    at: 2.1
    do: [{reach: {tip: one.hand, target: mouse, joints: [one.shoulder, one.elbow]}}]
  - {when: time, at: 4, do: [{reach: {tip: two.hand.points.grip, target: ball}}]}
"""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return loads(ARM + EVENTS)


def test_arms_of_instances_and_of_spawned_copies_reach_their_own_places(scene: Scene) -> None:
    world = build(scene)
    world.step(115)
    assert world["one.hand"].point("grip") == pytest.approx((1.2, 1.1), abs=1e-3)
    c, s = cos(pi / 6), sin(pi / 6)
    x, y = -1.2 * 1.5, 1.1 * 1.5
    placed = 10 + c * x - s * y, s * x + c * y
    assert world["two.hand"].point("grip") == pytest.approx(placed, abs=1e-3)
    assert world["arm[0].hand"].point("grip") == pytest.approx((-1.1, 11.2), abs=1e-3)
    wrist = world.joint("one.wrist").angle
    world.step(105)
    assert world["one.hand"].position == pytest.approx((1, -1), abs=1e-3)
    assert world.joint("one.wrist").angle == pytest.approx(wrist, abs=1e-3)


def test_it_is_the_same_when_saved_in_between_or_written_out(scene: Scene) -> None:
    world, other, written = build(scene), build(scene), build(loads(expand(scene)))
    world.step(100)
    other.restore(world.save())
    world.step(60)
    other.step(60)
    written.step(160)
    assert world.state_hash() == other.state_hash() == written.state_hash()


@every_row(
    ("given", "message"),
    [
        ("tip: one.hand", "`target` is missing"),
        ("tip: one.hands, target: ball", "there is no body `one.hands`"),
        ("tip: one.hand.points.gripp, target: ball", "did you mean `one.hand.points.grip`?"),
        ("tip: loose, target: ball", "no joints lead from `loose` to a base that is held"),
        ("tip: one.hand, target: ball, joints: [two.elbow]", "`two.elbow` is not on one way"),
        ("tip: one.hand, target: ball, joints: [one.elbows]", "there is no joint `one.elbows`"),
        ("tip: one.hand, target: ball, joints: [pin]", "`pin` is no hinge with a motor by"),
        ("tip: bob, target: ball", "no hinge with a motor by `position` moves `bob`"),
        ("tip: one.hand, target: bal", "there is no body `bal`"),
        ("tip: one.hand, at: ball", "unknown key `at`; it is `target`"),
    ],
)
def test_what_is_wrong_with_a_reach_is_told(given: str, message: str) -> None:
    pin = "joints: {pin: {type: revolute, bodies: [world, bob]}}"
    bob = ARM.replace("instances:", "  bob: {shape: {circle: 0.1}}\ninstances:")
    with pytest.raises(SceneError) as raised:
        loads(f"{bob}{pin}\nevents: [{{when: time, do: [{{reach: {{{given}}}}}]}}]")
    assert message in raised.value.problems[0].message
