# SPDX-License-Identifier: MIT
"""Variants of a scene: each is the scene with something set otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.model import Compare, Scene

BALL = """
vars: {e: 0.5, n: 2}
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -2]}
  ball: {repeat: {i: =n}, shape: {circle: 0.5}, position: [=2*i, 1], restitution: =e}
expect: [{at: end, that: "=ball[0].y > -2"}]
"""


def compared(scene: Scene) -> Compare:
    assert scene.compare is not None
    return scene.compare


def variants(scene: Scene) -> list[Scene]:
    return [variant.scene for variant in compared(scene).variants]


def test_a_variant_has_what_is_set_and_all_else_of_the_scene(scene: Callable[..., Scene]) -> None:
    made = scene(
        BALL + "compare: {variants: [{name: a, set: {vars.e: 0.9, vars.n: 3}}, {name: b}]}"
    )
    first, second = variants(made)
    assert [body.shapes[0].material.restitution for body in first.bodies.values()][1:] == [0.9] * 3
    assert second.bodies == made.bodies
    assert second.hash == made.hash != first.hash


def test_one_of_many_that_a_generator_makes_can_be_set(scene: Callable[..., Scene]) -> None:
    text = """compare: {variants: [{name: a, set: {"bodies.ball[1].position": [5, 5]}}]}"""
    (only,) = variants(scene(BALL + text))
    assert [body.position for body in only.bodies.values()][1:] == [(0.0, 1.0), (5.0, 5.0)]


def test_overrides_hold_for_all_variants_and_what_these_set_comes_after(
    scene: Callable[..., Scene],
) -> None:
    text = "compare: {variants: [{name: a}, {name: b, set: {vars.e: 0.1}}]}"
    made = scene(BALL + text, "vars.e=0.7", "vars.n=1")
    restitutions = [
        each.bodies["ball[0]"].shapes[0].material.restitution for each in variants(made)
    ]
    assert restitutions == [0.7, 0.1]
    assert all(len(each.bodies) == 2 for each in variants(made))


def test_an_override_may_change_what_is_compared(scene: Callable[..., Scene]) -> None:
    text = "compare: {variants: [{name: a, set: {vars.e: 0.1}}]}"
    made = scene(BALL + text, "compare.variants[0].name=b", "compare.layout=grid")
    assert (compared(made).layout, compared(made).variants[0].name) == ("grid", "b")


def test_a_variant_expects_what_it_says_and_not_what_the_scene_expects(
    scene: Callable[..., Scene],
) -> None:
    text = "compare: {variants: [{name: a}, {name: b, expect: [{always: =world.time < 9}]}]}"
    first, second = variants(scene(BALL + text))
    assert first.expect == ()
    assert [each.that for each in second.expect] == ["world.time < 9"]


def test_a_variant_compares_nothing_itself(scene: Callable[..., Scene]) -> None:
    (only,) = variants(scene(BALL + "compare: {variants: [{name: a}]}"))
    assert only.compare is None


def test_the_scene_itself_has_the_same_hash_as_without(scene: Callable[..., Scene]) -> None:
    assert scene(BALL + "compare: {variants: [{name: a}]}").hash == scene(BALL).hash


def test_an_expanded_scene_is_the_scene_alone(scene: Callable[..., Scene]) -> None:
    made = scene(BALL + "compare: {variants: [{name: a}]}")
    again = loads(expand(made))
    assert again.hash == made.hash
    assert again.compare is None


def test_mistakes_of_several_variants_are_told_together(
    problems: Callable[..., list[Problem]],
) -> None:
    text = "compare: {variants: [{name: a, set: {vars.e: 7}}, {name: b, set: {vars.e: -1}}]}"
    found = [problem.message for problem in problems(BALL + text)]
    assert [message.rpartition("(")[2] for message in found] == [
        "in the variant `a`)",
        "in the variant `b`)",
    ]


def test_mistakes_of_variants_are_told_beside_those_of_the_scene_and_these_once(
    problems: Callable[..., list[Problem]],
) -> None:
    found = problems(
        BALL + "world: {dt: -1}\n"
        "compare: {variants: [{name: a, set: {vars.e: -3}}, {name: b, set: {vars.n: 3}}]}"
    )
    assert [(each.path, "variant" in each.message) for each in found] == [
        ("world.dt", False),
        ("bodies.ball.restitution", True),
    ]


def test_a_value_that_is_wrong_in_a_variant_is_shown_where_it_stands(
    problems: Callable[..., list[Problem]],
) -> None:
    text = "compare:\n  variants:\n    - name: a\n      set: {world.dt: fast}\n"
    (problem,) = problems(BALL + text)
    assert (problem.line, problem.path) == (10, "world.dt")


def test_there_are_sixteen_variants_at_most(problems: Callable[..., list[Problem]]) -> None:
    entries = ", ".join(f"{{name: v{i}}}" for i in range(17))
    (problem,) = problems(f"compare: {{variants: [{entries}]}}")
    assert problem.kind == "limit"


def test_many_variants_of_many_generated_bodies_are_a_limit(
    problems: Callable[..., list[Problem]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rigid2d.core.scene.limits.VARIANT_OBJECTS", 8)
    (problem,) = problems(BALL + "compare: {variants: [{name: a}, {name: b}, {name: c}]}")
    assert (problem.kind, problem.path) == ("limit", "compare.variants")
    assert "8 bodies, joints and actuators together" in problem.message


@pytest.mark.parametrize(
    ("limit", "message"),
    [("CURVE_POINTS", "curves of this scene"), ("EXPRESSION_WORK", "expressions of this scene")],
)
@pytest.mark.parametrize("wrong", ["", "name: 3\n"])
def test_a_scene_and_its_variants_share_what_curves_and_expressions_may_cost(
    problems: Callable[..., list[Problem]],
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    message: str,
    wrong: str,
) -> None:
    monkeypatch.setattr(f"rigid2d.core.scene.limits.{limit}", 60)
    curve = "{points: {count: 9, x: =i, y: =i*i}}"
    text = f"rigid: 1\n{wrong}bodies: {{a: {{type: static, shape: {{chain: {curve}}}}}}}\n"
    variants = ", ".join(f"{{name: v{i}}}" for i in range(9))
    found = [each.message for each in problems(f"{text}compare: {{variants: [{variants}]}}")]
    (told,) = [each for each in found if message in each]
    assert "more than 60" in told
    assert "in the variant `v" in told


def test_many_large_variants_are_a_limit(
    problems: Callable[..., list[Problem]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rigid2d.core.scene.limits.VARIANT_VALUES", 20)
    (problem,) = problems(BALL + "compare: {variants: [{name: a}, {name: b}]}")
    assert "20 together; that is the limit" in problem.message
