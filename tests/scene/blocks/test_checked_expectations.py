# SPDX-License-Identifier: MIT
"""Expectations whose expressions cannot hold, or have no value, are found before anything runs."""

from __future__ import annotations

import pytest
import rigid2d.core
from rigid2d.core.errors import SceneError

from tests.rows import every_row

SCENE = """
rigid: 1
vars: {none: 0, flag: true, some: 2}
bodies: {ball: {shape: {circle: 1}, position: [0, 3]}}
joints: {glue: {type: weld, bodies: [world, ball]}}
expect:
  - {%s: "=%s"}
"""


def problems(expression, form="always"):
    with pytest.raises(SceneError) as caught:
        rigid2d.core.loads(SCENE % (form, expression))
    return caught.value.problems


@pytest.mark.parametrize("form", ["that", "always", "eventually"])
def test_a_constant_without_a_value_is_found(form):
    (problem,) = problems("1/0", form)
    assert (problem.kind, problem.line, problem.path) == ("expression", 7, f"expect[0].{form}")
    assert problem.message == "a division by zero"


@every_row(
    ("expression", "message"),
    [
        ("ball.y > 1 / none", "a division by zero"),
        ("ball.y / none > 1", "a division by zero"),
        ("ball.y % (none * 3) > 1", "a division by zero"),
        ("sqrt(none - 1) > ball.y", "the square root of a negative number"),
        ("max(ball.y, log(none)) > 1", "the logarithm of a number that is not positive"),
        ("ball.asleep and 1 / none > 2", "a division by zero"),
        ("(1 if ball.asleep else 1 / none) > 2", "a division by zero"),
        ("not asin(some) > 2", "asin of a number outside -1..1"),
        ("0 < ball.y < 1 // none", "a division by zero"),
    ],
)
def test_a_part_without_a_value_is_found(expression, message):
    (problem,) = problems(expression)
    assert (problem.kind, problem.message) == ("expression", message)


def test_the_place_in_the_expression_is_told():
    (problem,) = problems("ball.y > 1 / none")
    line = (SCENE % ("always", "ball.y > 1 / none")).splitlines()[6]
    assert line[problem.column - 1] == "/"


@pytest.mark.parametrize(
    ("expression", "piece"),
    [
        ("ball.y", "ball.y"),
        ("(ball.y + 1)", "ball.y + 1"),
        ("-ball.y", "-ball.y"),
        ("some", "some"),
        ("1", "1"),
        ("pi", "pi"),
        ("abs(ball.y)", "abs(ball.y)"),
        ("ball.y ** 2", "ball.y ** 2"),
        ("ball.y > 1 and ball.x", "ball.x"),
        ("ball.vx or ball.y > 1", "ball.vx"),
        ("ball.y > 1 if flag else ball.x", "ball.x"),
        ("glue.force", "glue.force"),
        ("ball.contacts", "ball.contacts"),
    ],
)
def test_a_number_where_a_truth_belongs_is_found(expression, piece):
    (problem,) = problems(expression)
    assert problem.kind == "wrong-type"
    assert problem.message == (
        f"`{piece}` is a number, but true or false is needed; compare it, such as `{piece} > 0`"
    )
    line = (SCENE % ("always", expression)).splitlines()[6]
    assert line[problem.column - 1 :].startswith(piece)


@every_row(
    "expression",
    [
        "ball.y > 0",
        "not ball.contacts",
        "flag",
        "true",
        "ball.asleep",
        "glue.broken or flag",
        "0 < ball.y < 3",
        "ball.y > 1 if flag else ball.x > 1",
        "none > 0 and ball.y > 1 / none",
        "none == 0 or ball.y > 1 / none",
        "(1 / none if none else 1) > ball.y",
        "ball.y > 1 / ball.x",
    ],
)
def test_what_may_be_true_is_taken(expression):
    assert rigid2d.core.loads(SCENE % ("always", expression)).expect


def test_an_unknown_name_is_the_only_mistake_of_its_piece():
    (problem,) = problems("bal.y")
    assert problem.kind == "unknown-name"
