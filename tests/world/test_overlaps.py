# SPDX-License-Identifier: MIT
"""Bodies that are in each other where a scene begins."""

from __future__ import annotations

from pathlib import Path

from rigid2d.core.record import Recorder
from rigid2d.core.scene import load, loads
from rigid2d.core.scene.boxes import may_overlap
from rigid2d.core.world import build, run
from rigid2d.core.world.overlaps import overlap_problems, overlap_warnings

from tests.rows import every_row

SCENES = Path(__file__).parents[2] / "scenes"
TWO = """\
rigid: 1
{world}
bodies:
  guide: {{{guide}, shape: {{box: [1, 1]}}}}
  flipper: {{shape: {{box: [1, 0.2]}}, position: [{x}, 0] {more}}}
{rest}
"""


def found(
    x: float, guide: str = "type: static", more: str = "", rest: str = "", world: str = ""
) -> list[str]:
    text = TWO.format(x=x, guide=guide, more=f", {more}" if more else "", rest=rest, world=world)
    return overlap_warnings(build(loads(text, path="flipper.yaml")))


def test_an_overlap_is_told_with_names_depth_and_place() -> None:
    (warning,) = found(0.95)
    assert warning.startswith(
        "flipper.yaml:5:12: bodies.flipper: it overlaps 'guide' by 0.05 m at the start"
    )


@every_row(("depth", "count"), [(-0.1, 0), (0.0, 0), (0.004, 0), (0.006, 1), (0.3, 1)])
def test_what_is_within_the_slop_is_none(depth: float, count: int) -> None:
    assert len(found(1 - depth)) == count


@every_row("kind", ["static", "kinematic", "dynamic"])
def test_the_other_may_be_of_any_kind(kind: str) -> None:
    assert len(found(0.9, f"type: {kind}")) == 1


@every_row(
    "apart",
    [
        {"more": "collide: false"},
        {"more": "type: static"},
        {"rest": "collision: {pairs_ignore: [[guide, flipper]]}"},
        {"more": "category: a", "rest": "collision: {ignore: [[a, default]]}"},
        {"rest": "joints: {pin: {type: revolute, bodies: [guide, flipper], anchor: [0.5, 0]}}"},
    ],
)
def test_what_may_not_touch_does_not_overlap(apart: dict[str, str]) -> None:
    assert found(0.8, **apart) == []


def test_a_joint_whose_bodies_collide_keeps_nothing_apart() -> None:
    pin = (
        "joints: {pin: {type: revolute, bodies: [guide, flipper], anchor: [0.5, 0], collide: true}}"
    )
    assert len(found(0.8, rest=pin)) == 1


def test_a_chain_is_solid_on_one_side() -> None:
    """From above the chain holds the ball; through its other side the ball may come."""
    text = (
        "rigid: 1\nbodies:\n"
        "  ground: {type: static, shape: {chain: [[-5, 0], [5, 0]]}}\n"
        "  ball: {shape: {circle: 0.5}, position: [0, %s]}\n"
    )
    assert len(found_in(text % "0.45")) == 1
    assert found_in(text % "-0.45") == []
    assert found_in(text % "0.55") == []


def test_what_only_senses_is_in_no_way() -> None:
    text = (
        "rigid: 1\nbodies:\n"
        "  zone: {type: static, shape: {box: [2, 2], sensor: true}}\n"
        "  ball: {shape: {circle: 0.5}}\n"
    )
    assert found_in(text) == []


def found_in(text: str) -> list[str]:
    return overlap_warnings(build(loads(text)))


def test_the_typical_length_makes_the_slop() -> None:
    screen = "units: screen"
    assert found(0.999, world=screen) == []


def test_many_overlaps_are_told_deepest_first_and_the_rest_by_their_number() -> None:
    text = (
        "rigid: 1\nbodies:\n"
        "  row: {repeat: {i: 12}, shape: {circle: 0.5}, position: [=i*(0.5 + 0.02*i), 0]}\n"
    )
    warnings = found_in(text)
    assert len(warnings) == 6
    assert "it overlaps 'row[1]' by 0.48 m" in warnings[0]
    assert "more pairs of bodies overlap at the start" in warnings[-1]


def test_bodies_of_instances_have_the_place_of_the_instance() -> None:
    text = (
        "rigid: 1\nprototypes: {part: {bodies: {box: {shape: {box: [1, 1]}}}}}\n"
        "instances:\n  left: {use: part}\n  right: {use: part, at: [0.5, 0]}\n"
    )
    (warning,) = found_in(text)
    assert "bodies.left.box: it overlaps 'right.box' by 0.5 m" in warning
    assert warning.startswith("<string>:4:9: ")


SEGMENT = "floor: {type: static, shape: {segment: [[-5, 0], [5, 0]]}}"
WALL = "wall: {type: static, shape: {chain: [[0, 5], [0, -5]], side: both}}"
LIFT = "lift: {type: kinematic, shape: {box: [4, 1]}, position: [9, 9]}"
LEFT, RIGHT = "box: {shape: {box: [1, 1]}, position: [", "]}"


@every_row(
    ("bodies", "rest", "count"),
    [
        ((SEGMENT, LEFT + "0, 0.2" + RIGHT), "", 1),
        ((SEGMENT, LEFT + "0, 0.5" + RIGHT), "", 0),
        ((WALL, LEFT + "0.2, 0" + RIGHT), "", 1),
        ((WALL, LEFT + "-0.2, 0" + RIGHT), "", 1),
        ((WALL, LEFT + "0.5, 0" + RIGHT), "", 0),
        (
            (LIFT, LEFT + "0, 0.6" + RIGHT),
            "animations: {up: {type: once, duration: 2, "
            "tracks: {lift.position: [[0, [0, 0]], [1, [0, 1]]]}}}",
            1,
        ),
    ],
)
def test_boxes_around_bodies_hide_no_overlap(
    bodies: tuple[str, str], rest: str, count: int
) -> None:
    """In any order of the bodies: lines have no height, and tracks lead elsewhere."""
    for order in (bodies, bodies[::-1]):
        scene = loads("rigid: 1\nbodies:\n" + "".join(f"  {body}\n" for body in order) + rest)
        assert len(overlap_warnings(build(scene))) == count
        assert may_overlap(scene) >= bool(count)


def test_boxes_around_bodies_that_rest_on_each_other_are_clear() -> None:
    for ground in (SEGMENT, "floor: {type: static, shape: {box: [10, 1]}, position: [0, -0.5]}"):
        scene = loads(f"rigid: 1\nbodies:\n  {ground}\n  {LEFT}0, 0.5{RIGHT}\n")
        assert not may_overlap(scene)


def test_looking_for_overlaps_changes_nothing() -> None:
    scene = load(SCENES / "stacking" / "pyramid.yaml")
    one, other = build(scene), build(scene)
    overlap_problems(one)
    assert one.save() == other.save()
    one.step(30)
    other.step(30)
    assert one.native.state_hash() == other.native.state_hash()


def test_a_run_warns() -> None:
    scene = loads(TWO.format(x=0.9, guide="type: static", more="", rest="", world=""))
    recorder = Recorder(scene, steps=3)
    for _ in run(scene, recorder=recorder, steps=3):
        pass
    assert len(recorder.warnings) == 1
    assert "it overlaps 'guide'" in recorder.warnings[0]
