# SPDX-License-Identifier: MIT
"""Laws of physics in random passive worlds, and the judge that they stand before."""

from __future__ import annotations

import math
import random
from functools import cache

import numpy as np
import pytest
from rigid2d.core import SceneError, loads

from tests.search import EVERYTHING, tries

from .laws.hunting import hunt, text_of
from .laws.judge import account, follow, judge, judge_scene
from .laws.shrinking import shrink
from .laws.start import is_well_posed
from .laws.worlds import a_world

SEED, WORLDS = 20, tries(150, 1000)
"""Worlds that ever broke a law are in the corpus, and are tried however few of these are."""
SHORTER = {289: 25, 362: 8, 484: 50, 717: 25}
"""Steps of the worlds whose blows between very light and very heavy bodies take seconds in all:
`make test-all` judges the whole of their runs."""
hunted = cache(lambda: hunt(SEED, range(WORLDS), steps={} if EVERYTHING else SHORTER))


def test_no_world_breaks_a_law() -> None:
    """Of this seed; known ones of others are in corpus/laws-open."""
    found = hunted()
    assert [f"{each.number} {each.law}: {each.said}" for each in found.broken] == []
    assert found.refused < WORLDS / 20


# ---------------------------------------------------------------- worlds


def test_worlds_begin_without_overlaps_and_most_can_be_run() -> None:
    refused, count = 0, tries(60, 300)
    for number in range(count):
        try:
            scene = loads(text_of(SEED, number))
        except SceneError:
            refused += 1
            continue
        assert is_well_posed(scene), f"world {number}"
    assert refused < count / 30


def test_worlds_have_all_joints_solvers_and_settings() -> None:
    worlds = [a_world(random.Random(number)) for number in range(600)]
    joints = {entry["type"] for each in worlds for entry in each.get("joints", {}).values()}
    assert joints == {
        *("revolute", "distance", "weld", "prismatic", "wheel"),
        *("ratchet", "gear", "rack", "pulley"),
    }
    solvers = {each["world"]["solver"]["type"] for each in worlds}
    assert solvers == {"soft_step", "sequential_impulse"}
    assert {"left" in each["bodies"] for each in worlds} == {True, False}


def test_what_overlaps_is_not_well_posed() -> None:
    text = "rigid: 1\nbodies: {a: {shape: {circle: 1}}, b: {shape: {circle: 1}, position: [%s, 0]}}"
    assert is_well_posed(loads(text % 2))
    assert not is_well_posed(loads(text % 1.9))
    tied = "\njoints: {j: {type: weld, bodies: [a, b]}}"
    assert is_well_posed(loads(text % 1.9 + tied))


# ---------------------------------------------------------------- the judge

DRIVEN = """
rigid: 1
world: {{gravity: [0, 0], steps: 60, sleep: false}}
bodies:
  a: {{shape: {{circle: 0.5}}, velocity: [1, 0], angular_velocity: 40}}
  b: {{shape: {{circle: 0.5}}, position: [2, 0]}}
{0}
"""


def test_the_judge_sees_energy_that_a_motor_gives() -> None:
    motor = "joints: {m: {type: revolute, bodies: [a, b], motor: {speed: 9000}}}"
    found = {each.law: each for each in judge(DRIVEN.format(motor))}
    assert found["energy"].broken
    assert found["motion"].broken
    assert not found["momentum"].broken


ROPE = "joints: {r: {type: distance, bodies: [a, b], rope: true, max_length: 99}}"


@pytest.mark.parametrize(("joints", "strayed"), [("", 20), (ROPE, 100)], ids=["free", "tied"])
def test_the_judge_sees_momentum_and_spin_that_fields_take(joints: str, strayed: float) -> None:
    """What is tied waits for nothing, so its centre is judged more strictly."""
    drag = "world: {air: {linear_damping: 1, angular_damping: 1}}"
    scene = loads(DRIVEN.format(joints).replace("sleep: false", f"sleep: false, {drag[8:-1]}"))
    found = {each.law: each for each in judge_scene(scene)}
    assert found["momentum"].share > 100
    assert found["spin"].share > 100
    assert found["centre"].share > strayed
    assert not found["energy"].broken


def test_the_judge_sees_what_leaves() -> None:
    text = """
rigid: 1
world: {steps: 60}
bodies:
  floor: {type: static, shape: {box: [4, 1]}, position: [0, -0.5]}
  ghost: {shape: {circle: 0.1}, position: [0, 1], collide: false}
"""
    found = {each.law: each for each in judge(text)}
    assert found["escape"].share == pytest.approx((9.81 / 2 - 1) / 0.1, rel=0.01)


def test_the_judge_sees_a_run_that_stops() -> None:
    found = judge("rigid: 1\nbodies: {a: {shape: {circle: 1}, velocity: [9999999, 0]}}")
    assert [each.law for each in found if each.broken] == ["stop"]


SPRUNG = """
rigid: 1
world: {{gravity: [0, 0], dt: 0.0005, steps: 2000, sleep: false, solver: {{substeps: 8}}}}
bodies:
  a: {{shape: {{box: [1, 0.4]}}, mass: 2, angle: 20, collide: false}}
  b: {{shape: {{polygon: [[0, 0], [0.8, 0], [0.2, 0.7]]}}, position: [0.4, 0.8], mass: 3{motion}}}
joints:
  s: {{bodies: [{pair}], {spring}}}
"""
SPRING = "spring: {frequency: 1.5}"
SPRINGS = {
    "revolute": f"type: revolute, anchor: [0.3, 0.5], {SPRING}",
    "weld": f"type: weld, anchor: [0.3, 0.5], {SPRING}",
    "prismatic": f"type: prismatic, anchor: [0.3, 0.5], axis: [1, 0.4], {SPRING}",
    "wheel": f"type: wheel, anchor: [0.3, 0.5], axis: [1, 0.4], {SPRING}",
    "distance": f"type: distance, anchors: [[-0.2, 0.1], [0.5, 0.1]], {SPRING}, length: 1",
    "limits": "type: prismatic, anchor: [0.3, 0.5], "
    "limits: {lower: -0.02, upper: 0.02, spring: {stiffness: 90}}",
    "rope": "type: distance, anchors: [[-0.2, 0.1], [0.5, 0.1]], rope: true, "
    "limit_spring: {frequency: 2}",
}


@pytest.mark.parametrize("pair", ["a, b", "world, b"])
@pytest.mark.parametrize("kind", SPRINGS)
def test_the_judge_knows_what_springs_hold(kind: str, pair: str) -> None:
    """An undamped spring gives and takes what bodies lose and gain: their sum stays."""
    motion = ", velocity: [0.7, -0.4], angular_velocity: 40"
    text = SPRUNG.format(motion=motion, pair=pair, spring=SPRINGS[kind])
    if pair == "world, b":
        text = text.replace("anchors: [[-0.2, 0.1]", "anchors: [[-0.3, 0.2]")
    of_motion, of_all = _swing(text)
    assert of_motion > 0.01, "nothing moved the spring"
    assert of_all < 0.001


def _swing(text: str) -> tuple[float, float]:
    """The part of all energy that goes into the spring and back, and by which all of it changes.

    From the first step on, in which joints take what goes against them.
    """
    motion, springs, _ = account(follow(loads(text)))
    whole = motion + springs
    return tuple(float(np.ptp(each[1:]) / whole[1]) for each in (motion, whole))  # type: ignore[return-value]


def test_a_world_is_made_smaller_and_breaks_the_same_law() -> None:
    driven = DRIVEN.format(
        "joints: {m: {type: revolute, bodies: [a, b], motor: {speed: 9000}},\n"
        "  n: {type: distance, bodies: [a, b], rope: true}}"
    )
    small, finding = shrink(driven.encode(), "energy")
    scene = loads(small)
    assert finding.broken
    assert math.isfinite(finding.share)
    assert [*scene.joints] == ["m"]
    assert scene.world.steps < 60
    assert finding.law == "energy"
