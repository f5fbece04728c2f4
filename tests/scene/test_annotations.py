# SPDX-License-Identifier: MIT
"""Annotations as a scene file has them, and texts with values."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.scene import expand, loads, model
from rigid2d.core.scene.values.expression_parts import ExpressionError
from rigid2d.core.scene.values.text_template import TextTemplate, written

from tests.rows import every_row

BODIES = """
bodies:
  ball: {shape: {circle: 1}, points: {nose: [1, 0]}}
  box: {shape: {box: [1, 1]}}
joints: {hinge: {type: revolute, bodies: [ball, box], anchor: [0, 0]}}
vars: {unit: 9}
"""


def test_a_text_is_pieces_and_values() -> None:
    pieces = TextTemplate("a {{b}} {ball.x + 1:.2f}!").pieces
    assert pieces[0] == "a {b} "
    assert pieces[2] == "!"
    field = pieces[1]
    assert not isinstance(field, str)
    assert (field.expression.source, field.spec, field.offset) == ("ball.x + 1", ".2f", 8)


@every_row(
    ("text", "message"),
    [
        ("{ball.x", "not closed"),
        ("ball.x}", "no brace was opened"),
        ("{}", "an empty expression"),
        ("{ball.x!r}", "is not an operator"),
        ("{ball.x:s}", "no format"),
        ("{ball.x:{width}}", "no format"),
        ("{ball.x:999f}", "at most 60"),
        ("{ball.x:.999f}", "at most 20"),
        ("{ball.x:n}", "no format"),
        ("{ball.x:.2d}", "no format"),
        ("{().__class__}", ""),
        ("{open('x')}", ""),
        ("x" * 2000, "the limit is 1000"),
        ("{a}" * 40, "more than 32 values"),
    ],
)
def test_nothing_but_values_and_formats_stands_in_braces(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        TextTemplate(text)
    assert message in caught.value.message


@every_row(
    ("value", "spec", "text"),
    [
        (1234.5678, ".2f", "1234.57"),
        (1234.5678, ",.0f", "1,235"),
        (-1.0, "+.1f", "-1.0"),
        (0.256, ".0%", "26%"),
        (2.6, "03d", "003"),
        (1.5, "", "1.5"),
        (float("nan"), ".1f", "–"),
        (True, "", "true"),
        (1e-7, ".1e", "1.0e-07"),
        (3.0, "*>5.0f", "****3"),
    ],
)
def test_a_number_is_written_as_its_format_says(value: float, spec: str, text: str) -> None:
    assert written(value, spec) == text


def test_pictures_know_which_values_they_need() -> None:
    scene = loads(f"""rigid: 1
{BODIES}
annotations:
  - {{text: "{{ball.speed:.1f}} {{unit}} {{hinge.angle}}", corner: top}}
  - {{vector: [ball.x, =2*box.y], at: [0, 0]}}
  - {{plot: phase, x: ball.angle, y: =ball.speed}}
""")
    assert scene.readings == ("ball.speed", "hinge.angle", "ball.x", "box.y", "ball.angle")


@every_row(
    ("entry", "message"),
    [
        ("{}", "an annotation is one of text, vector, dimension, plot"),
        ("{text: a, plot: ball.x, corner: top}", "an annotation is one of"),
        ("{text: a}", "where? Give one of `at`, `follow`, `corner`"),
        ("{text: a, corner: top, at: [0, 0]}", "where? Give one of"),
        ("{text: a, corner: topleft}", "did you mean `top_left`?"),
        ('{text: "{bal.x}", corner: top}', "did you mean `ball`?"),
        ('{text: "{ball.speeed}", corner: top}', "did you mean `ball.speed`?"),
        ('{text: "{ball.x:q}", corner: top}', "is no format of a number"),
        ("{text: a, follow: ball.points.nos}", "no point `nos`"),
        ("{text: a, follow: hinge}", "`hinge` is no body and no point of one"),
        ("{vector: ball.velocty}", "did you mean `ball.velocity`?"),
        ("{vector: bell.velocity}", "did you mean `ball`?"),
        ("{vector: hinge.velocity}", "`hinge` is no body"),
        ("{vector: [ball.x]}", "with 2 items"),
        ("{vector: [ball.x, 1]}", "where?"),
        ("{vector: ball.normal_forc}", "did you mean `ball.normal_force`?"),
        ("{vector: ball.contact.with(box).nromal_force}", "with(box).normal_force`?"),
        ("{vector: ball.contact.with(bxo).force}", "did you mean `box`?"),
        ("{vector: hinge.on(floor).force}", "there is no body or joint `floor`"),
        ("{vector: ball.weight, at: [0, 0]}", "this one has its place"),
        ("{vector: ball.weight, show: vlaue}", "did you mean `value`?"),
        ("{vector: ball.weight, components: bxo}", "did you mean `box`?"),
        ("{free_body: hinge}", "`hinge` is no body"),
        ("{free_body: ball.points.nose}", "is no body"),
        ("{scale_bar: weight}", "force, velocity, acceleration"),
        ("{scale_bar: force, show: value}", "`show` goes with vector and free_body"),
        ("{dimension: [ball, [1]]}", "must be a point [x, y]"),
        ("{dimension: [ball, bxo]}", "did you mean `box`?"),
        ("{plot: [ball.x, ball.q]}", "`ball` has no `q`"),
        ("{plot: phase, x: ball.x}", "`plot: phase` needs `x` and `y`"),
        ("{plot: ball.x, range: [1, 1]}", "the smaller number comes first"),
        ("{text: a, corner: top, label: a}", "`label` goes with vector and dimension and plot"),
        ("{text: a, corner: auto}", "`auto` goes with plots; a text is in one of top_left"),
        ("{plot: ball.x, corner: top, strip: below}", "Give one of `corner`, `strip`"),
        ("{plot: ball.x, strip: bottom}", "must be one of above, below, left, right"),
        ("{plot: ball.x, share: true}", "shares the axis of such a graph just before it"),
        ("{plot: [ball.x, ball.y], names: [a]}", "1 names for 2 lines; each line has one"),
        ("{plot: phase, x: ball.x, y: ball.y, names: a}", "`label` and `x_label` name its axes"),
        ("{plot: ball.x, x_range: [0, 1]}", "`x_range` goes with `plot: phase`"),
        ("{plot: ball.x, x_unit: m}", "`x_unit` goes with `plot: phase`"),
        (
            "{plot: ball.x, range: all}",
            "must be run, typical, shown or two numbers [least, greatest]",
        ),
        ("{plot: ball.x, seconds: runs}", ""),
        ("{plot: ball.x, width: 3}", "40"),
        ("{vector: ball.velocity, names: [a]}", "`names` goes with plot"),
        ("{text: a, corner: top, txet: b}", "did you mean `text`?"),
        ("{text: a, corner: top, while: ball.x}", "`ball.x` is a number, but true or false"),
        ("{text: a, corner: top, while: =bal.x > 1}", "did you mean `ball`?"),
    ],
)
def test_a_mistake_is_told_once_and_in_its_line(
    problems: Callable[..., list[Problem]], entry: str, message: str
) -> None:
    (problem,) = problems(f"{BODIES}annotations:\n  - {entry}\n")
    assert message in problem.message
    assert problem.line == 8


def test_a_mistake_in_a_text_is_told_where_it_stands(
    problems: Callable[..., list[Problem]],
) -> None:
    (problem,) = problems(f"{BODIES}annotations:\n  - {{text: 'v = {{bal.x}}', corner: top}}\n")
    assert problem.column == len("  - {text: 'v = {") + 1


def test_all_of_it_is_written_back_as_it_is() -> None:
    scene = loads(f"""rigid: 1
{BODIES}
annotations:
  - {{text: "{{ball.x}}", follow: ball.points.nose, size: 20, color: red, from: 1, until: 2}}
  - {{vector: ball.velocity, scale: 2, label: v}}
  - {{vector: [ball.x, 3], at: [0, 1]}}
  - {{dimension: [ball, [1, 2]], offset: 0.5}}
  - {{plot: [ball.x, =ball.y*2], corner: top, seconds: 2, range: [0, 1]}}
  - {{plot: phase, x: ball.x, y: ball.y}}
  - {{text: far, corner: top, while: =ball.x > 3}}
  - {{plot: [ball.x, ball.y], names: [a, b], label: place, unit: cm, strip: left, width: 90}}
  - {{plot: ball.vx, share: true, height: 60, legend: ends, range: shown}}
  - {{plot: ball.vx, seconds: run, corner: auto, x_label: since, range: run}}
  - {{plot: phase, x: ball.x, y: ball.y, x_label: right, x_unit: cm, x_range: [0, 1]}}
""")
    assert loads(expand(scene)).annotations == scene.annotations
    assert len(scene.annotations) == 11
    assert isinstance(scene.annotations[0], model.Annotation)


def test_only_a_plot_against_time_shares_the_axis_of_one_before_it(
    problems: Callable[..., list[Problem]],
) -> None:
    phase = "{plot: phase, x: ball.x, y: ball.y}"
    for first in (phase, "{text: a, corner: top}"):
        (problem,) = problems(
            f"{BODIES}annotations:\n  - {first}\n  - {{plot: ball.x, share: true}}\n"
        )
        assert "shares the axis" in problem.message
    for key in ("corner: top", "strip: left", "width: 90", "seconds: 3", "from: 1"):
        (problem,) = problems(
            f"{BODIES}annotations:\n  - {{plot: ball.x}}\n"
            f"  - {{plot: ball.y, share: true, {key}}}\n"
        )
        assert "is that of the plot before it" in problem.message
