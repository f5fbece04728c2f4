# SPDX-License-Identifier: MIT
"""Values that an including file gives to vars of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import SceneError, load
from rigid2d.core.scene import expand
from rigid2d.core.scene.model import Scene

PART = """\
vars:
  size: 1
  twice: =2*size
  turned: {value: 10, range: [0, 90]}
bodies:
  box: {shape: {box: [=size, =twice]}, angle: =turned}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "part.yaml").write_text(PART, encoding="utf-8")
    return tmp_path


def read(folder: Path, text: str, *overrides: str) -> Scene:
    file = folder / "scene.yaml"
    file.write_text("rigid: 1\n" + text, encoding="utf-8")
    return load(file, overrides)


def problem(folder: Path, text: str) -> str:
    with pytest.raises(SceneError) as caught:
        read(folder, text)
    found = caught.value.problems[0]
    return str(found).replace(str(folder) + "/", "")


def size(scene: Scene) -> tuple[float, float]:
    corner = max(scene.bodies["box"].shapes[0].points)
    return 2 * corner[0], 2 * corner[1]


def test_vars_of_a_file_have_the_values_that_are_given(folder: Path) -> None:
    scene = read(folder, "include: [{file: part.yaml, vars: {size: 3 cm, turned: =6*5}}]\n")
    assert size(scene) == pytest.approx((0.03, 0.06))
    assert scene.vars["turned"] == 30.0
    assert scene.ranges["turned"] == (0.0, 90.0)


def test_without_vars_it_is_the_file_itself(folder: Path) -> None:
    assert size(read(folder, "include: [{file: part.yaml}]\n")) == (1.0, 2.0)
    assert size(read(folder, "include: [part.yaml]\n")) == (1.0, 2.0)


def test_a_value_may_be_worked_out_of_vars_of_the_including_file(folder: Path) -> None:
    scene = read(folder, "include: [{file: part.yaml, vars: {size: =n+1}}]\nvars: {n: 4}\n")
    assert size(scene) == (5.0, 10.0)


def test_overrides_win(folder: Path) -> None:
    scene = read(folder, "include: [{file: part.yaml, vars: {size: 3}}]\n", "vars.size=7")
    assert size(scene) == (7.0, 14.0)


def test_files_in_files_are_given_values(folder: Path) -> None:
    middle = "vars: {n: 2}\ninclude: [{file: part.yaml, vars: {size: =n}}]\n"
    (folder / "middle.yaml").write_text(middle, encoding="utf-8")
    assert size(read(folder, "include: [{file: middle.yaml, vars: {n: 6}}]\n")) == (6.0, 12.0)


@pytest.mark.parametrize("later", ["part.yaml", "middle.yaml", "{file: middle.yaml}"])
def test_what_is_given_stays_whichever_file_comes_later(folder: Path, later: str) -> None:
    middle = "include: [{file: part.yaml, vars: {size: 9}}]\nvars: {turned: 80}\n"
    (folder / "middle.yaml").write_text(middle, encoding="utf-8")
    given = "{file: part.yaml, vars: {size: 3, turned: 20}}"
    for files in (f"{given}, {later}", f"{later}, {given}"):
        scene = read(folder, f"include: [{files}]\n")
        assert size(scene) == (3.0, 6.0)
        assert scene.vars["turned"] == 20.0


def test_it_expands_to_the_same_physics(folder: Path) -> None:
    scene = read(folder, "include: [{file: part.yaml, vars: {size: 3}}]\n")
    (folder / "expanded.yaml").write_text(expand(scene), encoding="utf-8")
    assert load(folder / "expanded.yaml").hash == scene.hash


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "include:\n- {file: part.yaml,\n   vars: {sise: 3}}\n",
            "scene.yaml:4:11: include[0].vars.sise: the file has no var `sise`; did you mean",
        ),
        (
            "include: [{file: part.yaml, vars: {size: 3}}]\nvars: {size: 2}\n",
            "scene.yaml:2:36: include[0].vars.size: the `vars` of this file say it too",
        ),
        (
            "include: [{file: part.yaml, vars: {size: 3}}, {file: part.yaml, vars: {size: 4}}]\n",
            "scene.yaml:2:72: include[1].vars.size: another file is included with 3;",
        ),
        (
            "include: [{file: part.yaml, vars: {size: big}}]\n",
            "scene.yaml:2:42: vars.size: ",
        ),
        (
            "include: [{file: part.yaml, vars: {size: -3}}]\n",
            "part.yaml:6:",
        ),
        (
            "include: [{file: part.yaml, with: {size: 3}}]\n",
            "scene.yaml:2:35: include[0].with: unknown key `with`",
        ),
        (
            "include:\n- file: part.yaml\n  vars: [3]\n",
            "scene.yaml:4:9: include[0].vars: must be a mapping of vars and their values",
        ),
        ("include:\n- vars: {}\n  file: none.yaml\n", "scene.yaml:4:9: include[0].file: "),
        ("include:\n- part.yaml\n- none.yaml\n", "scene.yaml:4:3: include[1]: there is no file"),
        ("include: [{vars: {n: 3}}]\nbodies: {a: {shape: {circle: 1}}}\n", "`file` is missing"),
        ("include: [3]\nbodies: {a: {shape: {circle: 1}}}\n", "must be a file name"),
    ],
)
def test_what_is_wrong_is_told_where_it_is_written(folder: Path, text: str, told: str) -> None:
    assert told in problem(folder, text)
