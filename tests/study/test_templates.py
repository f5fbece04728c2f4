# SPDX-License-Identifier: MIT
"""Scenes that are loaded again and again with other values: what stays as it was is kept."""

from typing import Any

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import limits
from rigid2d.core.scene.variants import Template, read_study

SCENE = """
rigid: 1
vars: {size: 1, wide: =2*size, other: 3, chance: "=uniform(0, 1)", n: 3}
world: {duration: 1}
materials: {ice: {friction: 0.1}, tar: {friction: =other}}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, material: ice}
  wall: {type: static, shape: {box: [1, =wide]}, position: [9, 0]}
  weight: {shape: {circle: 0.5}, position: [0, =other], linear_damping: 0.5}
  lot: {shape: {circle: 0.1}, position: [4, =chance]}
  row: {repeat: {i: 4}, shape: {circle: 0.2}, position: [=i, 5]}
  more: {repeat: {i: =n}, shape: {circle: =0.1*size}, position: [=i, 8]}
prototypes:
  cart: {vars: {long: 1}, bodies: {floor: {shape: {box: [=long*size, 0.2]}}}}
instances:
  first: {use: cart, at: [0, 20]}
  second: {use: cart, at: [9, 20], vars: {long: 2}}
expect: [{at: 1, that: =weight.y < other}]
study:
  vary: %s
  sample: zip
  collect: {y: =weight.y}
"""


def template(vary: str, text: str = SCENE) -> Template:
    return read_study("scene.yaml", text=text % vary)[0]


CASES: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "a var, and others that follow it": (
        "{vars.size: [1, 2]}",
        [{"vars.size": 1}, {"vars.size": 2}, {"vars.size": 2.5}],
    ),
    "how many a generator makes": (
        "{vars.n: [3, 5]}",
        [{"vars.n": 3}, {"vars.n": 5}, {"vars.n": 1}],
    ),
    "the seed": ("{world.seed: [0, 1]}", [{"world.seed": 0}, {"world.seed": 1}]),
    "the damping of all": (
        "{world.air.linear_damping: [0, 1]}",
        [{"world.air.linear_damping": 0}, {"world.air.linear_damping": 1}],
    ),
    "one body": (
        "{bodies.weight.mass: [1, 2]}",
        [{"bodies.weight.mass": 1}, {"bodies.weight.mass": 2}],
    ),
    "one of a generator's": (
        "{'bodies.row[2].position': [[0, 1], [2, 3]]}",
        [{"bodies.row[2].position": (0, 1)}, {"bodies.row[2].position": (2, 3)}],
    ),
    "a material": (
        "{materials.ice.friction: [0, 1]}",
        [{"materials.ice.friction": 0.0}, {"materials.ice.friction": 1.0}],
    ),
    "what an expression is": (
        "{bodies.lot.angle: ['=other', '=size']}",
        [{"bodies.lot.angle": "=other"}, {"bodies.lot.angle": "=size"}],
    ),
    "several": (
        "{vars.other: [3, 4], bodies.floor.position: [[0, 0], [0, 1]]}",
        [
            {"vars.other": 3, "bodies.floor.position": (0, 0)},
            {"vars.other": 4, "bodies.floor.position": (0, 1)},
        ],
    ),
    "the size of a metre": (
        "{units.length: [m, cm]}",
        [{"units.length": "m"}, {"units.length": "cm"}],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_next_scenes_of_a_template_are_those_that_are_loaded_anew(case: str) -> None:
    vary, values = CASES[case]
    one = template(vary)
    for given in [*values, *values]:
        found, anew = one.scene(given), template(vary).scene(given)
        assert found == anew
        assert list(found.bodies) == list(anew.bodies)
        assert found.hash == anew.hash


def test_only_what_a_varied_value_is_in_is_built_again() -> None:
    one = template("{vars.size: [1, 2]}")
    first, second = one.scene({"vars.size": 1}), one.scene({"vars.size": 2})
    same = {name for name in first.bodies if first.bodies[name] is second.bodies[name]}
    assert same == {"floor", "weight", "lot", *(f"row[{i}]" for i in range(4))}


def test_what_is_wrong_with_a_scene_is_told_alike_after_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "INSTANCE_BODIES", 1000)
    vary = "{vars.size: [1, 2], vars.n: [3, 4]}"
    one = template(vary)
    one.scene({"vars.size": 1, "vars.n": 3})
    for given in ({"vars.size": -1, "vars.n": 3}, {"vars.size": 1, "vars.n": 1000}):
        told = [problems(one, given), problems(template(vary), given)]
        assert told[0] == told[1] != []
    right = {"vars.size": 2, "vars.n": 4}
    assert one.scene(right) == template(vary).scene(right)


def problems(one: Template, given: dict[str, Any]) -> list[str]:
    with pytest.raises(SceneError) as caught:
        one.scene(given)
    return [f"{each.path}: {each.message}" for each in caught.value.problems]


def test_what_is_kept_counts_against_the_limits_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one = template("{vars.n: [3, 4]}")
    shapes = sum(len(body.shapes) for body in one.scene({"vars.n": 3}).bodies.values())
    monkeypatch.setattr(limits, "SHAPES", shapes + 1)
    assert len(one.scene({"vars.n": 4}).bodies) == shapes + 1
    assert f"more than {shapes + 1} shapes" in problems(one, {"vars.n": 5})[0]


TASK = """
rigid: 1
vars: {size: 1, chance: %s}
bodies: {ball: {shape: {circle: =size}, mass: =chance}}
spawners: {sky: {use: drop, every: 1, at: ["=uniform(0, 1)", 3]}}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.1}}}}}
task: {observe: [ball.x], act: {ball.velocity.x: [-1, =size]}, reward: 1,
  start: {ball.angle: "=uniform(0, 1)"}}
study: {vary: {vars.size: [1, 2]}, collect: {x: =ball.x}}
"""


def draws(text: str) -> list[bool]:
    made = read_study("scene.yaml", text=text)[0]
    scenes = [made.scene({"vars.size": size}) for size in (1.0, 2.0, 3.0)]
    return [scene.task is not None and scene.task.draws for scene in scenes]


def test_what_episodes_and_scripts_draw_makes_no_scene_another() -> None:
    assert draws(TASK % "2") == [False, False, False]
    assert draws(TASK % '"=uniform(1, 2)"') == [True, True, True]
