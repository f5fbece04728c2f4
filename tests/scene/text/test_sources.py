# SPDX-License-Identifier: MIT
"""Files, includes, overrides, YAML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rigid2d.core.errors import Problem, SceneError
from rigid2d.core.scene import load, loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]

BALL = "bodies: {ball: {shape: {circle: 0.5}}}\n"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(files))}.yaml"


def first_problem(path: Path, assets: Path | None = None) -> Problem:
    with pytest.raises(SceneError) as caught:
        load(path, assets=assets)
    return caught.value.problems[0]


def test_a_scene_is_named_after_its_file_unless_it_says(tmp_path: Path) -> None:
    path = write(tmp_path, pendulum=f"rigid: 1\n{BALL}")
    assert load(path).name == "pendulum"
    assert load(path).path == str(path)
    assert load(path, ["name=Clock"]).name == "Clock"


def test_a_file_that_is_not_there_is_a_problem_and_no_traceback(tmp_path: Path) -> None:
    assert first_problem(tmp_path / "none.yaml").message == "there is no such file"
    assert "folder" in first_problem(tmp_path).message


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_bytes(b"\xef\xbb\xbfrigid: 1\r\n" + BALL.encode())
    assert list(load(path).bodies) == ["ball"]


def test_later_definitions_win_over_included_ones(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        main=(
            "rigid: 1\ninclude: [one.yaml, two.yaml]\nworld: {dt: 0.5}\n"
            "bodies: {a: {shape: {circle: 3}}}\nexpect: [{always: =a.x < 3}]\n"
        ),
        one=(
            "rigid: 1\nname: One\nworld: {dt: 0.1, gravity: [0, -1]}\n"
            "bodies: {a: {shape: {box: [1, 1]}}, b: {shape: {circle: 1}}}\n"
            "expect: [{always: =b.x < 1}]\n"
        ),
        two="world: {gravity: [0, -2]}\nbodies: {c: {shape: {circle: 2}}}\n",
    )
    scene = load(path)
    assert (scene.name, scene.world.dt, scene.world.gravity) == ("main", 0.5, (0.0, -2.0))
    assert [(name, body.shapes[0].radius) for name, body in scene.bodies.items()] == [
        ("a", 3.0),
        ("b", 1.0),
        ("c", 2.0),
    ]
    assert [(e.that, Path(e.file).name) for e in scene.expect] == [
        ("b.x < 1", "one.yaml"),
        ("a.x < 3", "main.yaml"),
    ]


def test_a_problem_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        main=f"rigid: 1\ninclude: [part.yaml]\n{BALL}",
        part="# part\nworld: {dt: -1}\n",
    )
    problem = first_problem(path)
    assert (Path(problem.file).name, problem.line, problem.path) == ("part.yaml", 2, "world.dt")


def test_includes_are_relative_to_their_own_file(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", wheel=BALL, car="include: [wheel.yaml]\nvars: {n: 1}\n")
    path = write(tmp_path, main="rigid: 1\ninclude: [parts/car.yaml]\n")
    assert list(load(path).bodies) == ["ball"]


def test_files_that_include_each_other_are_an_error(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        a=f"rigid: 1\ninclude: [b.yaml]\n{BALL}",
        b="include: [c.yaml]\n",
        c="include: [b.yaml]\n",
    )
    assert "b.yaml -> c.yaml -> b.yaml" in first_problem(path).message


def test_an_include_through_a_link_out_of_the_folder_is_an_error(tmp_path: Path) -> None:
    inner = tmp_path / "scenes"
    inner.mkdir()
    write(tmp_path, secret=BALL)
    (inner / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    path = write(inner, main=f"rigid: 1\ninclude: [link.yaml]\n{BALL}")
    assert "leads out" in first_problem(path).message


def test_the_assets_folder_is_searched_too(tmp_path: Path) -> None:
    scenes, assets = tmp_path / "scenes", tmp_path / "assets"
    scenes.mkdir()
    assets.mkdir()
    write(assets, part="world: {dt: 0.5}\n")
    path = write(scenes, main=f"rigid: 1\ninclude: [part.yaml]\n{BALL}")
    assert load(path, assets=assets).world.dt == 0.5
    assert "no file" in first_problem(path).message


@every_row(
    ("setting", "get", "want"),
    [
        ("vars.n=7", lambda s: s.vars["n"], 7.0),
        ("world.gravity=[0,0]", lambda s: s.world.gravity, (0.0, 0.0)),
        ("bodies.ball.position=[1,2]", lambda s: s.bodies["ball"].position, (1.0, 2.0)),
        ("bodies.ball.position[1]=5", lambda s: s.bodies["ball"].position, (0.0, 5.0)),
        ("bodies.ball.position.1=5", lambda s: s.bodies["ball"].position, (0.0, 5.0)),
        ("bodies.ball.angle==pi", lambda s: s.bodies["ball"].angle > 0.05, True),
        ("bodies.ball.material=steel", lambda s: s.bodies["ball"].shapes[0].material.density, 8.0),
        ("bodies.ball.color=#f00", lambda s: s.bodies["ball"].color, "#f00"),
        ("bodies.row.color=red", lambda s: s.bodies["row[1]"].color, "red"),
        (
            "bodies.row[1].color=red",
            lambda s: [b.color for b in s.bodies.values()][1:],
            [None, "red"],
        ),
        ("materials.steel.density=9", lambda s: s.materials["steel"].density, 9.0),
        ("render.fps=10", lambda s: s.render.fps, 10.0),
        ("bodies.ball.shape={box: [1, 2]}", lambda s: s.bodies["ball"].shapes[0].source, "box"),
    ],
)
def test_an_override_sets_a_value(
    scene: Make, setting: str, get: Callable[[Scene], object], want: object
) -> None:
    loaded = scene(
        """
        vars: {n: 2}
        materials: {steel: {density: 8}}
        bodies:
          ball: {shape: {circle: 1}, position: [0, 0]}
          row: {repeat: {i: 2}, shape: {circle: 1}}
        """,
        setting,
    )
    assert get(loaded) == want


@every_row(
    ("setting", "words"),
    [
        ("vars.m=7", "no `vars.m` to set"),
        ("bodies.bal.angle=1", "did you mean `ball`"),
        ("bodies.ball.anlge=1", "did you mean `angle`"),
        ("bodies.row[5].angle=1", "no `bodies.row[5]`"),
        ("bodies.ball.position[7]=1", "has no item `7`"),
        ("bodies.ball.mass=-1", "greater than 0"),
        ("bodies.ball.mass=[1", "not closed"),
        ("bodies.ball.color=#ff000", "#ff000"),
        ("vars.n=−5", "write `-5`"),
        ("mass", "PATH=VALUE"),
        ("bodies..x=1", "not a path"),
        ("ball.angle=1", "it is one of the bodies: `bodies.ball.angle`"),
        ("row[1].angle=1", "it is one of the bodies: `bodies.row[1].angle`"),
    ],
)
def test_an_override_that_cannot_be_is_named(problems: Find, setting: str, words: str) -> None:
    text = """
        vars: {n: 2}
        bodies:
          ball: {shape: {circle: 1}, position: [0, 0]}
          row: {repeat: {i: 2}, shape: {circle: 1}}
    """
    (found,) = problems(text, setting)
    assert found.file == f"overrides {setting!r}"
    assert words in found.message


def test_an_override_of_one_alias_leaves_the_others(scene: Make) -> None:
    text = "bodies: {a: &a {shape: {circle: 1}, position: [0, 0]}, b: *a}"
    loaded = scene(text, "bodies.a.position[0]=5")
    assert loaded.bodies["a"].position == (5.0, 0.0)
    assert loaded.bodies["b"].position == (0.0, 0.0)


def test_merges_fill_what_a_mapping_does_not_say(scene: Make) -> None:
    text = "bodies: {a: &a {shape: {circle: 1}, angle: 90}, b: {<<: *a, angle: 0}}"
    loaded = scene(text)
    assert loaded.bodies["b"].shapes[0].radius == 1.0
    assert loaded.bodies["b"].angle == 0.0


@every_row("word", ["yes", "no", "on", "off", "2001-01-01", "1:30", "0x1f", "1_000"])
def test_words_that_older_yaml_turned_into_other_types_are_texts(scene: Make, word: str) -> None:
    assert scene(f"name: {word}").name == word


@every_row(
    ("text", "value"), [("1e-3", 0.001), ("1E3", 1000.0), ("010", 10.0), ("+.5", 0.5), ("2.", 2.0)]
)
def test_numbers_are_those_of_yaml_1_2(scene: Make, text: str, value: float) -> None:
    assert scene(f"vars: {{n: {text}}}").vars["n"] == value


def test_many_problems_are_cut_off_with_a_word(problems: Find) -> None:
    text = "bodies:\n" + "".join(f"  b{i}: {{shape: {{circle: -1}}}}\n" for i in range(300))
    found = problems(text)
    assert len(found) == 101
    assert "and 200 more problems" in found[-1].message


def test_a_text_without_a_folder_cannot_include(problems: Find) -> None:
    (found,) = problems("include: [a.yaml]")
    assert "has no folder" in found.message


def test_load_and_loads_agree(tmp_path: Path) -> None:
    path = write(tmp_path, s=f"rigid: 1\n{BALL}")
    assert load(path) == loads(path.read_text(encoding="utf-8"), path=str(path), folder=tmp_path)
