# SPDX-License-Identifier: MIT
"""Variables, generators, names with indices."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.scene.model import Scene

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]


def test_vars_may_refer_to_each_other_in_any_order(scene: Make) -> None:
    assert scene("vars: {a: =2*b, b: =c + 1, c: 3, long: '20 cm', on: true}").vars == {
        "a": 8.0,
        "b": 4.0,
        "c": 3.0,
        "long": 0.2,
        "on": True,
    }


def test_many_vars_may_follow_each_other(scene: Make) -> None:
    text = "vars:\n  v0: 1\n" + "".join(f"  v{i + 1}: =v{i} + 1\n" for i in range(2000))
    assert scene(text).vars["v2000"] == 2001.0


def test_a_count_makes_bodies_with_one_index(scene: Make) -> None:
    loaded = scene("bodies: {a: {repeat: {i: 3}, shape: {circle: 1}, position: [=i, 2]}}")
    assert list(loaded.bodies) == ["a[0]", "a[1]", "a[2]"]
    assert loaded.bodies["a[2]"].position == (2.0, 2.0)


def test_a_list_makes_bodies_with_its_numbers(scene: Make) -> None:
    loaded = scene("bodies: {a: {repeat: {i: [-1, 0.5, 4]}, shape: {circle: =2+i}}}")
    assert list(loaded.bodies) == ["a[-1]", "a[0.5]", "a[4]"]
    assert loaded.bodies["a[0.5]"].shapes[0].radius == 2.5


def test_the_first_index_varies_slowest(scene: Make) -> None:
    loaded = scene("bodies: {a: {repeat: {i: 2, j: 2}, shape: {circle: 1}}}")
    assert list(loaded.bodies) == ["a[0,0]", "a[0,1]", "a[1,0]", "a[1,1]"]


def test_a_count_may_use_the_indices_before_it(scene: Make) -> None:
    loaded = scene("bodies: {a: {repeat: {i: 3, j: =i+1}, shape: {circle: 1}}}")
    assert list(loaded.bodies) == ["a[0,0]", "a[1,0]", "a[1,1]", "a[2,0]", "a[2,1]", "a[2,2]"]


def test_when_leaves_turns_out(scene: Make) -> None:
    loaded = scene("bodies: {a: {repeat: {i: 5}, when: =i % 2 == 0, shape: {circle: 1}}}")
    assert list(loaded.bodies) == ["a[0]", "a[2]", "a[4]"]


def test_a_number_of_when_is_false_where_it_is_0(scene: Make) -> None:
    loaded = scene("bodies: {a: {repeat: {i: 5}, when: =i % 2, shape: {circle: 1}}}")
    assert list(loaded.bodies) == ["a[1]", "a[3]"]


def test_when_works_without_a_generator(scene: Make) -> None:
    text = """
        vars: {extra: false}
        bodies: {a: {shape: {circle: 1}}, b: {when: =extra, shape: {circle: 1}}}
    """
    assert list(scene(text).bodies) == ["a"]
    assert list(scene(text, "vars.extra=true").bodies) == ["a", "b"]


def test_joints_refer_to_generated_bodies(scene: Make) -> None:
    text = """
        bodies: {a: {repeat: {i: 3}, shape: {circle: 1}, position: [=2*i, 0]}}
        joints:
          j: {repeat: {i: 2}, type: revolute, bodies: ["a[=i]", "a[=i+1]"], anchor: [=2*i+1, 0]}
    """
    joints = scene(text).joints
    assert list(joints) == ["j[0]", "j[1]"]
    assert (joints["j[1]"].body_a, joints["j[1]"].body_b) == ("a[1]", "a[2]")
    assert (joints["j[1]"].anchor_a, joints["j[1]"].anchor_b) == ((1.0, 0.0), (-1.0, 0.0))


def test_a_name_may_have_several_computed_indices(scene: Make) -> None:
    text = """
        bodies: {a: {repeat: {i: 2, j: 2}, shape: {circle: 1}}}
        joints: {j: {repeat: {k: 1}, type: weld, bodies: ["a[=k,=max(k, 1)]", "a[=1,=0]"]}}
    """
    joint = scene(text).joints["j[0]"]
    assert (joint.body_a, joint.body_b) == ("a[0,1]", "a[1,0]")


def test_random_values_of_a_body_do_not_depend_on_other_bodies(scene: Make) -> None:
    ball = 'ball: {repeat: {i: 3}, shape: {circle: 1}, position: ["=uniform(0, 9)", 0]}'
    alone = scene(f"bodies:\n  {ball}").bodies
    other = "other: {shape: {circle: 1}, position: ['=uniform(0, 9)', 0]}"
    beside = scene(f"bodies:\n  {other}\n  {ball}").bodies
    assert [alone[f"ball[{i}]"] for i in range(3)] == [beside[f"ball[{i}]"] for i in range(3)]
    assert len({alone[f"ball[{i}]"].position for i in range(3)}) == 3


def test_another_seed_gives_other_values(scene: Make) -> None:
    text = 'bodies: {a: {shape: {circle: "=uniform(1, 2)"}}}'
    first, second = scene(text), scene(text, "world.seed=1")
    assert first.bodies != second.bodies
    assert first.hash != second.hash


def test_shapes_that_are_the_same_for_all_are_shared(scene: Make) -> None:
    bodies = scene("bodies: {a: {repeat: {i: 2}, shape: {box: [1, 1]}, position: [=i, 0]}}").bodies
    assert bodies["a[0]"].shapes is bodies["a[1]"].shapes


@pytest.mark.parametrize(
    ("text", "path", "words"),
    [
        ("bodies: {a: {repeat: {i: 3}, shape: {circle: =j}}}", "a[0].shape.circle", "index `j`"),
        ("bodies: {a: {repeat: {i: 3}, shape: {circle: =1-i}}}", "a[1].shape.circle", "gives 0"),
        ("bodies: {a: {repeat: {i: 3}, shape: {circle: =1/0}}}", "a.shape.circle", "division"),
    ],
)
def test_a_problem_of_one_turn_names_it_once(
    problems: Find, text: str, path: str, words: str
) -> None:
    found = problems(text)
    assert len(found) == 1
    assert found[0].path == f"bodies.{path}"
    assert words in found[0].message
