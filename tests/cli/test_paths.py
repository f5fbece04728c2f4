# SPDX-License-Identifier: MIT
"""Files, folders and globs as arguments."""

from __future__ import annotations

import pytest
from rigid2d.cli.paths import load, only_scene, select
from rigid2d.core.errors import SceneError, UsageError


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "b.yaml": "rigid: 1\n",
        "a.yml": "# first\nrigid: 1\n",
        "deep/c.yaml": "{rigid: 1, bodies: {}}\n",
        "parts/wheel.yaml": "bodies: {}\n",
        ".hidden/d.yaml": "rigid: 1\n",
        "notes.txt": "rigid: 1\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def names(files, folder):
    return [file.removeprefix(f"{folder}/") for file in files]


def test_a_folder_gives_its_scenes_sorted_and_skips_parts(folder):
    selection = select([str(folder)])
    assert names(selection.scenes, folder) == ["a.yml", "b.yaml", "deep/c.yaml"]
    assert names(selection.skipped, folder) == ["parts/wheel.yaml"]


def test_a_file_named_outright_is_taken_whatever_it_holds(folder):
    part = str(folder / "parts" / "wheel.yaml")
    assert select([part]).scenes == [part]


def test_a_glob_goes_into_folders(folder):
    selection = select([f"{folder}/**/*.yaml"])
    assert names(selection.scenes, folder) == ["b.yaml", "deep/c.yaml"]


def test_the_same_file_comes_once(folder):
    file = str(folder / "b.yaml")
    assert select([file, str(folder / "deep" / ".." / "b.yaml"), file]).scenes == [file]


def test_a_dash_is_standard_input():
    assert select(["-"]).scenes == ["-"]


def test_a_missing_file_gets_the_nearest_name(folder):
    with pytest.raises(SceneError, match=r"bb\.yaml: no such file.*did you mean .*b\.yaml"):
        load(str(folder / "bb.yaml"))


def test_a_missing_suffix_is_suggested(folder):
    with pytest.raises(SceneError, match=r"did you mean .*/b\.yaml\?"):
        load(str(folder / "b"))


def test_a_glob_that_matches_nothing_says_so(folder):
    with pytest.raises(SceneError, match="nothing matches"):
        load(f"{folder}/*.json")


def test_a_folder_with_parts_only_names_them(folder):
    with pytest.raises(SceneError, match=r"no scene found; 1 YAML file.*wheel\.yaml"):
        load(str(folder / "parts"))
    assert select([str(folder / "parts")]).scenes == [str(folder / "parts")]


@pytest.mark.parametrize("name", ["missing.yaml", "*.json", "x" * 300 + ".yaml"])
def test_a_name_that_is_nothing_is_kept_in_its_place(folder, name):
    file, gone = str(folder / "b.yaml"), str(folder / name)
    assert select([gone, file]).scenes == [gone, file]


def test_one_scene_is_not_several(folder):
    with pytest.raises(UsageError, match="holds 3 scenes; name one"):
        only_scene(str(folder))
