# SPDX-License-Identifier: MIT
"""Joints: anchors, lengths, limits, motors, springs."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.scene.model import Joint, Motor, Scene, Spring

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]

BODIES = """
bodies:
  a: {shape: {circle: 1}}
  b: {shape: {circle: 1}, position: [4, 3], angle: 90}
"""


def joint(scene: Make, text: str) -> Joint:
    return scene(f"{BODIES}joints: {{j: {{bodies: [a, b], {text}}}}}").joints["j"]


def test_an_anchor_in_the_world_becomes_a_point_of_each_body(scene: Make) -> None:
    made = joint(scene, "type: revolute, anchor: [4, 4]")
    assert made.anchor_a == (4, 4)
    assert made.anchor_b == (pytest.approx(1), pytest.approx(0))
    assert made.reference_angle == math.pi / 2


def test_anchors_are_in_each_bodys_own_coordinates(scene: Make) -> None:
    made = joint(scene, "type: weld, anchors: [[1, 2], [3, 4]]")
    assert (made.anchor_a, made.anchor_b) == ((1, 2), (3, 4))


@every_row("kind", ["revolute", "weld"])
def test_without_an_anchor_a_joint_is_at_the_origin_of_b(scene: Make, kind: str) -> None:
    made = joint(scene, f"type: {kind}")
    assert (made.anchor_a, made.anchor_b) == ((4, 3), (0, 0))


def test_a_joint_with_the_world_last_is_at_the_origin_of_the_other_body(scene: Make) -> None:
    made = scene(f"{BODIES}joints: {{j: {{type: revolute, bodies: [b, world]}}}}").joints["j"]
    assert (made.anchor_a, made.anchor_b) == ((0, 0), (4, 3))


def test_a_rod_has_the_length_it_has_at_the_start(scene: Make) -> None:
    made = joint(scene, "type: distance")
    assert (made.anchor_a, made.anchor_b, made.length) == ((0, 0), (0, 0), 5.0)
    assert joint(scene, "type: distance, length: auto").length == 5.0
    assert joint(scene, "type: distance, length: 2").length == 2.0
    assert joint(scene, "type: distance, anchors: [[4, 3], [0, 0]]").length == 0.0


def test_a_single_anchor_of_a_rod_is_the_point_of_the_frame(scene: Make) -> None:
    text = f"{BODIES}joints: {{j: {{type: distance, bodies: [b, world], anchor: [4, 9]}}}}"
    made = scene(text).joints["j"]
    assert (made.anchor_a, made.anchor_b, made.length) == ((0, 0), (4, 9), 6.0)


def test_a_rope_is_as_long_as_it_says_or_as_it_is(scene: Make) -> None:
    assert joint(scene, "type: distance, rope: true, max_length: 7").max_length == 7.0
    assert joint(scene, "type: distance, rope: true, length: 6").max_length == 6.0
    assert joint(scene, "type: distance, rope: true").max_length == 5.0


def test_lengths_are_kept_as_given(scene: Make) -> None:
    made = joint(scene, "type: distance, min_length: 1, max_length: .inf")
    assert (made.min_length, made.max_length, made.length) == (1.0, math.inf, 5.0)


def test_limits_are_angles(scene: Make) -> None:
    assert joint(scene, "type: revolute, limits: [-90, 180]").limits == (-math.pi / 2, math.pi)


@every_row("kind", ["revolute", "prismatic", "wheel"])
def test_an_infinite_limit_is_none_on_that_side(scene: Make, kind: str) -> None:
    assert joint(scene, f"type: {kind}, limits: [-.inf, 0]").limits == (-math.inf, 0)
    assert joint(scene, f"type: {kind}, limits: [0, .inf]").limits == (0, math.inf)
    both = "limits: {lower: -.inf, upper: .inf, spring: {frequency: 2}}"
    assert joint(scene, f"type: {kind}, {both}").limits == (-math.inf, math.inf)


def test_infinite_strength_is_no_limit(scene: Make) -> None:
    made = joint(scene, "type: revolute, motor: {speed: 90, max_torque: .inf}")
    assert made.motor == joint(scene, "type: revolute, motor: {speed: 90}").motor
    made = joint(scene, "type: weld, break: {force: .inf, torque: 3}")
    assert (made.break_force, made.break_torque) == (math.inf, 3)


def test_a_motor_of_a_hinge_has_an_angular_speed_and_a_torque(scene: Make) -> None:
    made = joint(scene, "type: revolute, motor: {speed: 90, max_torque: 5}")
    assert made.motor == Motor(speed=math.pi / 2, max_force=5.0)
    assert joint(scene, 'type: revolute, motor: {speed: "60 rpm"}').motor == Motor(speed=math.tau)


def test_a_motor_of_a_rod_has_a_speed_and_a_force(scene: Make) -> None:
    made = joint(scene, "type: distance, motor: {speed: 2, max_force: 5}")
    assert made.motor == Motor(speed=2.0, max_force=5.0)


def test_a_motor_goes_to_a_position(scene: Make) -> None:
    spring = "spring: {frequency: 2, damping_ratio: 1}"
    made = joint(scene, f"type: revolute, motor: {{position: 30, {spring}}}")
    assert made.motor == Motor(position=math.radians(30), spring=Spring(2.0, 1.0))


def test_a_relative_position_is_a_share_of_the_limits(scene: Make) -> None:
    made = joint(scene, "type: revolute, limits: [0, 90], motor: {position: 0.5, relative: true}")
    assert made.motor == Motor(position=0.5, relative=True)


def test_a_spring_has_one_of_two_forms(scene: Make) -> None:
    assert joint(scene, "type: weld, spring: {frequency: 2}").spring == Spring(2.0, 0.0)
    made = joint(scene, 'type: distance, spring: {stiffness: "2 kN/m", damping: 3}')
    assert made.spring == Spring(stiffness=2000.0, damping=3.0)


@every_row("text", ["damping: 3", "stiffness: 0, damping: 3"])
def test_a_spring_without_stiffness_is_a_damper(scene: Make, text: str) -> None:
    made = joint(scene, f"type: distance, spring: {{{text}}}")
    assert made.spring == Spring(stiffness=0.0, damping=3.0)


def test_a_joint_breaks_at_what_it_says(scene: Make) -> None:
    made = joint(scene, "type: weld, break: {force: 200}")
    assert (made.break_force, made.break_torque) == (200.0, math.inf)


def test_defaults_of_joints_are_taken_where_their_type_has_them(scene: Make) -> None:
    text = """
        defaults: {joint: {type: weld, collide: true, spring: {frequency: 3}, limits: [0, 9]}}
        joints: {j: {bodies: [a, b]}, k: {type: revolute, bodies: [a, b], collide: false}}
    """
    joints = scene(text + BODIES.replace("\n", "\n        ")).joints
    assert (joints["j"].kind, joints["j"].collide, joints["j"].limits) == ("weld", True, None)
    assert joints["j"].spring == Spring(3.0, 0.0)
    assert (joints["k"].collide, joints["k"].spring) == (False, Spring(3.0, 0.0))
    assert joints["k"].limits == (0.0, math.radians(9))


def test_a_default_max_force_is_for_those_wheels_that_have_springs(scene: Make) -> None:
    text = """
        defaults: {joint: {type: wheel, max_force: 3}}
        joints: {j: {bodies: [a, b]}, k: {bodies: [a, b], spring: {frequency: 2}}}
    """
    joints = scene(text + BODIES.replace("\n", "\n        ")).joints
    assert [joints[name].max_force for name in "jk"] == [math.inf, 3.0]


@every_row(
    ("text", "words"),
    [
        ('type: revolute, motor: {speed: "3 m/s"}', "is a speed, but an angular speed is needed"),
        ('type: distance, motor: {speed: "3 rpm"}', "is an angular speed, but a speed is needed"),
        ("type: distance, length: 3, min_length: 4", "must not be below `min_length`"),
        ("type: prismatic, limits: [0, 30 deg]", "is an angle, but a length is needed"),
        ("type: prismatic, limits: {lower: 1}", "`upper` is missing"),
        ("type: revolute, limits: {lower: 1, uper: 2}", "did you mean `upper`?"),
        ("type: wheel, limits: {lower: 1, upper: 2, spring: {}}", "a spring needs a `frequency`"),
        ("type: wheel, limits: {lower: 1, upper: 2, spring: {hz: 3}}", "unknown key `hz`"),
        ("type: prismatic, limit_spring: {frequency: 3}", "there are none"),
        ("type: distance, limit_spring: {frequency: 3}", "`rope`, `min_length` or `max_length`"),
        ("type: wheel, motor: {speed: 3, max_force: 3}", "limited by `max_torque`"),
        ("type: prismatic, max_force: 3", "the motor has its own"),
        ("type: revolute, axis: [1, 0]", "to prismatic, wheel and axial_motor"),
        ("type: revolute, break: {push_pull: 3}", "neither body is one"),
        ("type: revolute, limits: [.inf, .inf]", "`[-.inf, highest]` or `[lowest, .inf]`"),
        ("type: prismatic, limits: [-.inf, -.inf]", "`[-.inf, highest]` or `[lowest, .inf]`"),
        ("type: revolute, limits: [.nan, 0]", "must be a number, not nan"),
        (
            "type: revolute, limits: [0, .inf], motor: {position: 0.5, relative: true}",
            "needs two finite `limits`",
        ),
        ("type: weld, spring: {stiffness: .inf}", "what has no spring is rigid"),
        ("type: weld, spring: {frequency: .inf}", "what has no spring is rigid"),
        ("type: weld, break: {force: -.inf}", "must be greater than 0, not -inf"),
        ("type: revolute, motor: {speed: 3, max_torque: -.inf}", "must be at least 0, not -inf"),
        ("type: weld, stiffness: 3", "it belongs in `spring: {...}`"),
        ("type: revolute, max_torque: 3", "it belongs in `motor: {...}`"),
        ("type: revolute, lower: 3", "it belongs in `limits`"),
        ("type: revolute, spring: {stiffness: 20 N/m}", "an angular stiffness is needed here"),
        (
            "type: wheel, limits: [0, 1], limit_spring: {stiffness: 2, damping: 2 N m s/rad}",
            "but a damping is needed here",
        ),
        ("type: weld, spring: {stiffness: 0}", "a `stiffness` or a `damping` above 0"),
        ("type: weld, spring: {damping: 0}", "a `stiffness` or a `damping` above 0"),
        (
            "type: revolute, motor: {position: 3, spring: {damping: 2}}",
            "the spring of a motor needs a `stiffness`",
        ),
        ("type: distance, rope: true, spring: {frequency: 2}", "has a `limit_spring`"),
        ("type: distance, limits: [1, 3]", "are `min_length` and `max_length`"),
        ("type: weld, break_force: 3", "it is `force` in `break: {...}`"),
        ("type: revolute, max_force: 3", "`motor: {max_torque: ...}`"),
        ("type: distance, motor: {position: -1}", "must be at least 0, not -1"),
        ("type: hinge", "did you mean `revolute`?"),
        ("type: Rope", "a rope is `type: distance`"),
        ("type: revolute, limits: {min: -3, upper: 3}", "unknown key `min`; it is `lower`"),
        ("type: revolute, limits: [0, inf]", "no limit is `.inf`"),
        ("type: revolute, motor: 10", "not 10; for example `{speed: 90}`"),
        ("type: revolute, motor: {speed: 3, angle: 3}", "it is `position`"),
        ("type: weld, spring: 5", "`{stiffness: 100, damping: 5}`"),
        ("type: weld, spring: {stiffness: 5, c: 1}", "it is `damping`"),
        ("type: weld, break: 500", "not 500; for example `{force: 500}`"),
        ("type: distance, break: {force: 5, torque: 2}", "a distance joint bears no torque"),
        ("type: weld, bodyA: a", "the two bodies are `bodies: [a, b]`"),
        ("type: revolute, anchors: [0, 1]", "not [0, 1]; one point, in world coordinates, is"),
        ("type: revolute, friction: 2", "`motor: {speed: 0, max_torque: ...}`"),
        ("type: weld, limits: [0, 1]", "but to revolute, prismatic and wheel"),
    ],
)
def test_what_does_not_fit_the_type_is_explained(problems: Find, text: str, words: str) -> None:
    found = problems(f"{BODIES}joints: {{j: {{bodies: [a, b], {text}}}}}")
    assert len(found) == 1
    assert words in found[0].message


def test_an_axis_gets_length_one_and_the_coordinates_of_the_first_body(scene: Make) -> None:
    made = joint(scene, "type: prismatic, axis: [0, 3]")
    assert (made.axis, made.anchor_a, made.anchor_b) == ((0, 1), (4, 3), (0, 0))
    text = f"{BODIES}joints: {{j: {{type: wheel, bodies: [b, a], axis: [0, 2]}}}}"
    assert scene(text).joints["j"].axis == (1, pytest.approx(0, abs=1e-15))


def test_an_axis_beside_anchors_is_in_the_coordinates_of_the_first_body(scene: Make) -> None:
    text = "joints: {j: {type: wheel, bodies: [b, a], axis: [0, 2], anchors: [[1, 0], [0, 0]]}}"
    assert scene(BODIES + text).joints["j"].axis == (0, 1)


def test_a_slide_goes_along_x_and_a_suspension_along_y_by_default(scene: Make) -> None:
    assert joint(scene, "type: prismatic").axis == (1, 0)
    assert joint(scene, "type: wheel").axis == (0, 1)


def test_limits_of_slides_are_lengths(scene: Make) -> None:
    assert joint(scene, "type: prismatic, limits: [-2, 30 cm]").limits == (-2, 0.3)


def test_limits_may_be_soft_in_two_spellings(scene: Make) -> None:
    inside = "limits: {lower: 0, upper: 1, spring: {frequency: 2, damping_ratio: 0.5}}"
    beside = "limits: [0, 1], limit_spring: {frequency: 2, damping_ratio: 0.5}"
    for text in (inside, beside):
        made = joint(scene, f"type: prismatic, {text}")
        assert (made.limits, made.limit_spring) == ((0, 1), Spring(2, 0.5))


def test_a_mouse_holds_a_point_of_its_body_and_pulls_it_to_the_target(scene: Make) -> None:
    text = "joints: {m: {type: mouse, body: b, anchor: [4, 4], target: [9, 9], max_force: 7}}"
    made = scene(BODIES + text).joints["m"]
    assert (made.body_a, made.body_b, made.anchor_a, made.max_force) == ("world", "b", (9, 9), 7)
    assert made.anchor_b == (pytest.approx(1), pytest.approx(0))


def test_a_mouse_without_a_target_holds_its_body_where_it_is(scene: Make) -> None:
    made = scene(f"{BODIES}joints: {{m: {{type: mouse, body: b}}}}").joints["m"]
    assert (made.anchor_a, made.anchor_b) == ((4, 3), (0, 0))


def test_a_hinge_may_be_a_spring(scene: Make) -> None:
    assert joint(scene, "type: revolute, spring: {stiffness: 5}").spring == Spring(
        stiffness=5, damping=0
    )


def test_the_motor_of_a_wheel_turns_and_that_of_a_slide_moves(scene: Make) -> None:
    turning = joint(scene, "type: wheel, motor: {speed: 180, max_torque: 5}").motor
    moving = joint(scene, "type: prismatic, motor: {speed: 2, max_force: 5}").motor
    assert (turning, moving) == (Motor(math.pi, max_force=5), Motor(2, max_force=5))


def test_a_joint_may_break_by_the_push_and_pull_of_a_bar(scene: Make) -> None:
    text = """
    bodies: {bar: {shape: {box: [5, 1]}}}
    joints: {j: {type: revolute, bodies: [world, bar], break: {push_pull: 2 kN}}}
    """
    assert scene(text).joints["j"].break_push_pull == 2000


def test_a_body_that_is_to_break_is_told_which_joints_can(problems: Find) -> None:
    found = problems("bodies: {bar: {shape: {box: [5, 1]}, break: {push_pull: 5}}}")
    assert len(found) == 1
    assert found[0].path == "bodies.bar.break"
    assert "`break: {push_pull: ...}` in each joint that holds a bar" in found[0].message


@every_row("kind", ["weld, bodies: [world, ball]", "mouse, body: ball"])
def test_a_motor_of_what_has_none_is_one_problem(problems, kind) -> None:
    (problem,) = problems(
        "bodies: {ball: {shape: {circle: 0.5}}}\n"
        f"joints: {{j: {{type: {kind}, motor: {{speed: 1, max_torque: 2}}}}}}"
    )
    assert (problem.path, problem.kind) == ("joints.j.motor", "conflicting-keys")


HINGES = """
bodies:
  a: {shape: {circle: 1}}
  b: {shape: {circle: 1}, position: [3, 0]}
  c: {shape: {circle: 1}, position: [6, 0]}
joints:
  first: {type: revolute, bodies: [world, a]}
  second: {type: revolute, bodies: [b, world]}
  rod: {type: distance, bodies: [b, c]}
"""


def test_the_wheels_of_a_gear_are_what_does_not_stand(scene: Make) -> None:
    made = scene(f"{HINGES}  g: {{type: gear, joints: [first, second], radii: [1, 2]}}\n").joints
    gear = made["g"]
    assert (gear.body_a, gear.body_b, gear.ratio, gear.links) == ("a", "b", 2, ("first", "second"))


def test_a_gear_may_stand_before_its_joints(scene: Make) -> None:
    text = HINGES.replace(
        "joints:\n", "joints:\n  g: {type: gear, joints: [first, second], ratio: 2}\n"
    )
    assert list(scene(text).joints)[-1] == "g"


def test_what_two_hinges_share_is_what_their_wheels_hang_on(scene: Make) -> None:
    text = HINGES.replace("rod: {type: distance", "turn: {type: revolute, anchor: [3, 0]")
    text = text.replace("[b, world]}", "[b, a]}")
    gear = scene(f"{text}  g: {{type: gear, joints: [second, turn], ratio: 2}}\n").joints["g"]
    assert (gear.body_a, gear.body_b) == ("a", "c")


@every_row(
    ("text", "message"),
    [
        ("ratio: 2", "`joints` is missing; a gear goes with two hinges"),
        ("joints: [first, secnd], ratio: 2", "there is no joint `secnd`; did you mean `second`?"),
        ("joints: [first, rod], ratio: 2", "`rod` is a distance joint"),
        ("joints: [first, first], ratio: 2", "two different joints, not `first` twice"),
        ("joints: [first, second]", "one of `ratio: 3`, `radii: [0.2, 0.6]` and `teeth: [20, 60]`"),
        ("joints: [first, second], ratio: 2, teeth: [1, 2]", "one of `ratio: 3`"),
        ("joints: [first, second], ratio: 0", "the ratio must be 1e-06 to 1e+06"),
        ("joints: [first, second], teeth: [0, 20]", "must not be 0"),
        ("joints: [first, second], ratio: 2, bodies: [a, b]", "`bodies` does not belong to a gear"),
        ("joints: [first, second], ratio: 2, spring: {frequency: 1}", "`spring` does not belong"),
    ],
)
def test_what_is_wrong_with_a_gear_is_told(problems: Find, text: str, message: str) -> None:
    found = problems(f"{HINGES}  g: {{type: gear, {text}}}\n")
    assert len(found) == 1
    assert message in found[0].message


def test_wheels_on_one_axis_need_something_that_stands(problems: Find) -> None:
    text = """
bodies: {a: {shape: {circle: 1}}, b: {shape: {circle: 1}}, c: {shape: {circle: 1}}}
joints:
  first: {type: revolute, bodies: [c, a]}
  second: {type: revolute, bodies: [c, b]}
  g: {type: gear, joints: [first, second], ratio: 2}
"""
    assert "must stand still; `c` moves" in problems(text)[0].message


SLIDE = """
bodies:
  a: {shape: {circle: 1}}
  b: {shape: {box: [4, 0.2]}, position: [0, -1]}
joints:
  hub: {type: revolute, bodies: [world, a]}
  guide: {type: prismatic, bodies: [world, b]}
"""


@every_row(
    ("text", "message"),
    [
        ("type: rack, radius: 1", "`joints` is missing; a rack goes with a hinge and a slide"),
        ("type: rack, joints: [hub, guide]", "`radius` is missing"),
        ("type: gear, joints: [hub, guide], ratio: 2", "what ties a hinge to a slide is a rack"),
        ("type: pulley, bodies: [a, b]", "`ground_anchors` is missing"),
        (
            "type: pulley, bodies: [a, b], ground_anchors: [[0, 5], [1, 5]], ratio: -1",
            "must be 1e-06 to 1e+06",
        ),
        ("type: pulley, bodies: [a, b], anchor: [0, 0]", "`anchor` does not belong to a pulley"),
        ("type: ratchet, bodies: [world, a]", "needs the number of its `teeth`, or the `pitch`"),
        ("type: ratchet, bodies: [world, a], teeth: 12, pitch: 30", "a ratchet needs the number"),
        ("type: ratchet, bodies: [world, a], teeth: [12, 3]", "must be a number of teeth"),
        (
            "type: ratchet, bodies: [world, a], teeth: 12, limits: [0, 9]",
            "`limits` does not belong",
        ),
        ("type: ratchet, bodies: [world, a], teeth: 12, direction: left", "positive, negative"),
    ],
)
def test_what_is_wrong_with_a_rack_pulley_or_ratchet_is_told(
    problems: Find, text: str, message: str
) -> None:
    found = problems(f"{SLIDE}  j: {{{text}}}\n")
    assert any(message in problem.message for problem in found)


POINTS = """
bodies:
  a: {shape: {circle: 1}, points: {nose: [1, 0], end: [0, 1]}}
  b: {shape: {circle: 1}, position: [4, 3], angle: 90, points: {tail: [-1, 0], end: [0, 1]}}
"""


@every_row(
    ("text", "anchors"),
    [
        ("type: distance, bodies: [a, b], anchors: [nose, tail]", ((1, 0), (-1, 0))),
        ("type: distance, bodies: [a, b], anchors: [a.points.end, [2, 1]]", ((0, 1), (2, 1))),
        ("type: distance, bodies: [world, b], anchors: [[2, 1], end]", ((2, 1), (0, 1))),
        ("type: revolute, bodies: [a, b], anchor: nose", ((1, 0), (-3, 3))),
        ("type: revolute, bodies: [a, b], anchor: b.points.end", ((3, 3), (0, 1))),
        ("type: mouse, body: b, anchor: tail", ((4, 2), (-1, 0))),
        ("repeat: {i: 9}, type: weld, bodies: [a, b], anchors: [end, [=i, 0]]", ((0, 1), (8, 0))),
    ],
)
def test_an_anchor_may_be_a_point_of_a_body_by_its_name(
    scene: Make, text: str, anchors: tuple[tuple[float, float], ...]
) -> None:
    made = [*scene(f"{POINTS}joints: {{j: {{{text}}}}}").joints.values()][-1]
    for anchor, wanted in zip((made.anchor_a, made.anchor_b), anchors, strict=True):
        assert anchor == pytest.approx(wanted)


@every_row(
    ("text", "message"),
    [
        ("type: weld, bodies: [a, b], anchor: end", "write `a.points.end` or `b.points.end`"),
        (
            "type: weld, bodies: [a, b], anchor: nosee",
            "`a` and `b` have no point `nosee`; did you mean `nose`",
        ),
        (
            "type: distance, bodies: [a, b], anchors: [nose, nose]",
            "`b` has no point `nose`; known: tail, end",
        ),
        (
            "type: weld, bodies: [a, b], anchor: c.points.end",
            "`c.points.end` is no point of `a` or `b`",
        ),
        (
            "type: distance, bodies: [world, b], anchors: [nose, tail]",
            "the world has no points with names",
        ),
        (
            "type: distance, bodies: [world, b], anchor: tail",
            "a point of the body is one of its `anchors`",
        ),
        ("type: distance, bodies: [a, b], anchors: nose", "must be two points"),
    ],
)
def test_what_is_wrong_with_an_anchor_by_name_is_told(
    problems: Find, text: str, message: str
) -> None:
    (found,) = problems(f"{POINTS}joints: {{j: {{{text}}}}}\n")
    assert message in found.message
