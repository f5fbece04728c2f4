# SPDX-License-Identifier: MIT
"""Single copies of generators with fields of their own: `overrides`."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import build
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.variants import read_study

from tests.rows import every_row

SCENE = """\
rigid: 1
bodies:
  ball:
    repeat: {i: 4}
    shape: {circle: 0.3}
    position: [=i, "=uniform(1, 2)"]
    color: tan
    overrides:
      2: {color: red, shape: {box: [0.4, =0.2 + i/10]}}
  peg: {repeat: {i: 2, j: 2}, type: static, shape: {circle: 0.1}, position: [=i - 4, =j],
    overrides: {"1, 0": {shapes: [{box: [1, 1]}]}}}
"""


def test_a_copy_has_fields_of_its_own_and_else_those_of_all() -> None:
    plain, scene = loads(SCENE[: SCENE.index("    overrides")]), loads(SCENE)
    assert scene.bodies["ball[2]"].color == "red"
    assert scene.bodies["ball[2]"].position == plain.bodies["ball[2]"].position
    assert scene.bodies["ball[2]"].shapes[0].kind == "polygon"
    assert scene.bodies["ball[1]"] == plain.bodies["ball[1]"]
    assert [len(scene.bodies[f"peg[{at}]"].shapes[0].points) for at in ("1,0", "0,1")] == [4, 1]


def test_settings_go_before_both() -> None:
    scene = loads(SCENE, overrides=("bodies.ball.color=blue", "bodies.ball[2].bullet=true"))
    assert [each.color for name, each in scene.bodies.items() if name[0] == "b"] == [
        "blue", "blue", "red", "blue"
    ]  # fmt: skip
    assert scene.bodies["ball[2]"].bullet
    assert loads(SCENE, overrides=("bodies.ball[2].color=blue",)).bodies["ball[2]"].color == "blue"


def test_joints_forces_and_instances_have_them_too_also_in_prototypes() -> None:
    scene = loads("""\
rigid: 1
prototypes:
  pair: {bodies: {b: {repeat: {i: 2}, shape: {circle: 0.2}, position: [=i, 0],
    overrides: {1: {color: red}}}}}
bodies:
  ball: {repeat: {i: 2}, shape: {circle: 0.3}, position: [=i, 1]}
joints:
  pin: {repeat: {i: 2}, type: revolute, bodies: [world, "ball[=i]"],
    overrides: {1: {anchor: [1, 2]}}}
actuators:
  push: {repeat: {i: 2}, type: force, body: "ball[=i]", force: [1, 0],
    overrides: {0: {force: [5, 0]}}}
instances:
  p: {use: pair, repeat: {i: 2}, at: [=3*i, 5], overrides: {0: {at: [-3, 6]}}}
""")
    assert scene.joints["pin[1]"].anchor_a == (1.0, 2.0)
    assert [each.force for each in scene.actuators.values()] == [(5.0, 0.0), (1.0, 0.0)]
    assert scene.bodies["p[0].b[1]"].position == (-2.0, 6.0)
    assert [scene.bodies[f"p[1].b[{i}]"].color for i in (0, 1)] == [None, "red"]


def test_what_is_written_out_has_the_same_bits() -> None:
    scene = loads(SCENE)
    again = loads(expand(scene))
    assert again.hash == scene.hash
    assert "overrides" not in expand(scene)
    world, other = build(scene), build(again)
    world.step(20)
    other.step(20)
    assert world.state_hash() == other.state_hash()


def test_a_study_varies_the_generator_and_its_copy(tmp_path: Path) -> None:
    file = tmp_path / "scene.yaml"
    text = SCENE + 'study: {vary: {bodies.ball.mass: [1, 2], "bodies.ball[2].angle": [0, 1]}}\n'
    file.write_text(text, encoding="utf-8")
    template, _ = read_study(file)
    for mass in (3.0, 4.0):
        scene = template.scene({"bodies.ball.mass": mass, "bodies.ball[2].angle": 0.5})
        assert {each.mass for name, each in scene.bodies.items() if name[0] == "b"} == {mass}
        assert scene.bodies["ball[2]"].color == "red"


@every_row(
    "overrides, message",
    [
        ("{9: {color: red}}", "there is no `bodies.ball[9]` to set"),
        ("{2: {colour: red}}", "bodies.ball[2].colour: unknown key `colour`; write `color`"),
        ("{2: {mass: -1}}", "bodies.ball[2].mass: must be greater than 0"),
        ("{a: {color: red}}", "`a` is no index of a copy; write 3"),
        ("{2: [1]}", "bodies.ball.overrides.2: must be the fields of one copy"),
        ("{2: {when: true}}", "`when` is of the generator, and no field of one copy"),
        ("[1]", "must be the index of a copy and its own fields"),
    ],
)
def test_mistakes_are_told_where_they_are(overrides: str, message: str) -> None:
    text = (
        "rigid: 1\nbodies:\n  ball: {repeat: {i: 3}, shape: {circle: 1}, position: [=3*i, 0],\n"
        f"    overrides: {overrides}}}\n"
    )
    with pytest.raises(SceneError) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert message in str(caught.value)
    assert problem.line == 4


def test_without_a_generator_there_are_no_copies() -> None:
    with pytest.raises(SceneError, match="without `repeat` there are none"):
        loads("rigid: 1\nbodies: {b: {shape: {circle: 1}, overrides: {0: {mass: 1}}}}")
