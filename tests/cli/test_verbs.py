# SPDX-License-Identifier: MIT
"""info, expand, schema, new, bench and gallery."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml
from rigid2d.cli.verbs.bench import BUILT_IN
from rigid2d.cli.verbs.new import SceneTemplate
from rigid2d.core.scene import load

from tests.scenes import ROOT

COMPOUND = """\
rigid: 1
name: Compound
description: A dumbbell.
vars: {n: 3}
materials: {steel: {density: 7.8, friction: 0.4}}
bodies:
  ground: {type: static, shape: {box: [10, 1]}, position: [0, -0.5]}
  bell:
    material: steel
    shapes: [{circle: 1, offset: [-2, 0]}, {circle: 1, offset: [2, 0]}]
    position: [0, 3]
  ball: {repeat: {i: =n}, shape: {box: [1, 2]}, position: [=2*i, 6]}
joints:
  hinge: {type: revolute, bodies: [world, bell], anchor: [0, 3]}
actuators:
  wind: {type: force, body: ball, force: [1, 0]}
"""


@pytest.fixture
def compound(tmp_path):
    path = tmp_path / "compound.yaml"
    path.write_text(COMPOUND)
    return path


# ---------------------------------------------------------------- info


def test_info_counts_and_weighs(rigid, compound):
    told = rigid("info", compound, "--json").json["scenes"][0]
    assert told["bodies"]["kinds"] == {"static": 1, "dynamic": 4}
    assert told["bodies"]["shapes"] == {"box": 4, "circle": 2}
    assert told["joints"] == {"revolute": 1}
    assert told["actuators"] == {"force": 1}
    pi = 3.141592653589793
    assert told["masses"]["total"] == pytest.approx(2 * 7.8 * pi + 3 * 2, rel=1e-6)
    assert told["masses"]["heaviest"]["body"] == "bell"
    assert told["extent"]["x"] == [-5.0, 5.0]
    assert told["extent"]["y"] == [-1.0, 7.0]
    assert told["vars"] == {"n": 3}
    assert told["materials"]["steel"]["density"] == 7.8
    assert told["materials"]["steel"]["bodies"] == 1


def test_info_reads_as_a_table(rigid, compound):
    text = rigid("info", compound).out
    for part in ["Compound", "A dumbbell.", "5 bodies: 4 dynamic, 1 static", "n = 3", "steel"]:
        assert part in text


def test_info_of_an_empty_scene_works(rigid, tmp_path):
    path = tmp_path / "still.yaml"
    path.write_text("rigid: 1\nbodies: {a: {type: static, shape: {circle: 1}}}\n")
    result = rigid("info", path)
    assert result.code == 0
    assert "nothing moves" in result.out


# ---------------------------------------------------------------- expand and schema


def test_expand_gives_a_scene_of_the_same_physics(rigid, compound, tmp_path):
    out = tmp_path / "expanded.yaml"
    assert rigid("expand", compound, "-o", out).code == 0
    assert load(out).hash == load(compound).hash
    assert out.read_text() == rigid("expand", compound).out
    both = tmp_path / "both.yaml"
    told = rigid("expand", compound, "-o", both, "--json")
    assert both.read_text() == out.read_text()
    assert told.json == rigid("expand", compound, "--json").json


def test_expand_copies_what_a_scene_names_into_another_folder(rigid, tmp_path):
    scene = ROOT / "scenes/living/bumpers.yaml"
    out = tmp_path / "expanded.yaml"
    assert "copied: bell.wav" in rigid("expand", scene, "-o", out).err
    assert (tmp_path / "bell.wav").read_bytes() == (scene.parent / "bell.wav").read_bytes()
    assert load(out).files == (str(tmp_path / "bell.wav"),)
    assert "copied" not in rigid("expand", scene, "-o", out).err  # it is there
    (tmp_path / "bell.wav").write_bytes(b"mine")
    refused = rigid("expand", scene, "-o", out)
    assert refused.code == 2
    assert "the scene names bell.wav" in refused.err
    assert (tmp_path / "bell.wav").read_bytes() == b"mine"


def test_expand_as_json_holds_the_same(rigid, compound):
    assert rigid("expand", compound, "--json").json == yaml.safe_load(rigid("expand", compound).out)


def test_expand_takes_one_scene(rigid, compound, hello):
    result = rigid("expand", compound.parent)
    assert result.code == 2
    assert "holds 2 scenes" in result.err


def test_the_schema_is_json(rigid, tmp_path):
    result = rigid("schema")
    assert "bodies" in result.json["properties"]
    rigid("schema", "-o", tmp_path / "s.json")
    assert (tmp_path / "s.json").read_text() == result.out


def test_a_special_file_is_written_to_and_not_replaced(rigid):
    assert rigid("schema", "-o", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


# ---------------------------------------------------------------- new


@pytest.mark.parametrize("template", list(SceneTemplate.__members__))
def test_every_template_is_a_scene_whose_expectations_hold(rigid, tmp_path, template):
    path = tmp_path / "fresh.yaml"
    assert rigid("new", path, "--template", template).code == 0
    result = rigid("run", path, "--json")
    assert result.code == 0
    assert result.json["scenes"][0]["name"] == "Fresh"
    assert result.json["scenes"][0]["expect"] != []


def test_new_writes_the_schema_that_its_first_line_names(rigid, tmp_path):
    rigid("new", tmp_path / "a")
    first = (tmp_path / "a.yaml").read_text().splitlines()[0]
    name = first.removeprefix("# yaml-language-server: $schema=")
    assert json.loads((tmp_path / name).read_text()) == rigid("schema").json


def test_new_replaces_nothing_unless_forced(rigid, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("mine")
    result = rigid("new", path)
    assert result.code == 2
    assert "--force" in result.err
    assert path.read_text() == "mine"
    assert rigid("new", path, "--force", "--no-schema").code == 0
    assert path.read_text().startswith("# yaml-language-server")
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


@pytest.mark.parametrize("name", ["a: b", "12", "yes", "#x", "é-ü_scene", 'q"u\\o'])
def test_an_odd_name_still_makes_a_scene(rigid, tmp_path, name):
    rigid("new", tmp_path / name, "--no-schema")
    (path,) = tmp_path.iterdir()
    assert load(path).name != ""


def test_new_prints_to_standard_output(rigid):
    assert rigid("new", "-").out.startswith("# yaml-language-server")


def test_new_needs_a_folder_that_exists(rigid, tmp_path):
    result = rigid("new", tmp_path / "no" / "a.yaml")
    assert result.code == 2
    assert "does not exist" in result.err


# ---------------------------------------------------------------- bench


def test_bench_times_the_built_in_scenes(rigid):
    result = rigid("bench", *BUILT_IN, "--steps", "2", "--json")
    assert result.code == 0
    assert [scene["name"] for scene in result.json["scenes"]] == list(BUILT_IN)
    for scene in result.json["scenes"]:
        assert scene["steps"] == 2
        assert scene["ms_per_step"]["mean"] > 0
        assert sum(scene["stages_ms"].values()) > 0


def test_bench_sizes_a_scene_by_its_vars(rigid):
    result = rigid("bench", "pyramid", "--set", "vars.base=4", "--steps", "1", "--json")
    assert result.json["scenes"][0]["bodies"] == 11


def test_bench_prints_a_table(rigid, hello):
    result = rigid("bench", hello, "--steps", "3")
    lines = result.out.splitlines()
    assert lines[0].split()[:2] == ["scene", "bodies"]
    assert lines[1].split()[:2] == [str(hello), "2"]


def test_bench_names_what_there_is(rigid):
    result = rigid("bench", "piramid")
    assert result.code == 2
    assert "built in are pyramid" in result.err


# ---------------------------------------------------------------- gallery


@pytest.fixture
def folder(tmp_path, hello):
    scenes = tmp_path / "scenes"
    (scenes / "deep").mkdir(parents=True)
    hello.rename(scenes / "hello.yaml")
    (scenes / "deep" / "still.yaml").write_text(
        "rigid: 1\nname: Still <b>\nworld: {duration: 0.2}\n"
        "bodies: {a: {type: static, shape: {circle: 1}}}\n"
    )
    return scenes


def gallery(rigid, folder, *more):
    return rigid(
        "gallery", folder, "-o", folder.parent / "out", "--size", "64x48", "-j", "1", *more
    )


def test_the_gallery_has_a_movie_a_poster_and_a_page(rigid, folder):
    result = gallery(rigid, folder)
    out = folder.parent / "out"
    assert result.code == 0
    assert result.out == f"{out / 'index.html'}\n"
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    movies = {name for name in files if name.endswith((".gif", ".mp4"))}
    assert {Path(name).with_suffix("").as_posix() for name in movies} == {"hello", "deep/still"}
    assert files - movies == {
        *("index.html", "gallery.json", "hello.png", "deep/still.png"),
        *("hello.yaml.html", "deep/still.yaml.html"),
    }
    page = (out / "index.html").read_text()
    assert all(name in page for name in movies | {"Hello", "Still &lt;b&gt;"})


def test_cards_open_pages_that_play_the_scenes(rigid, folder):
    scenes = gallery(rigid, folder, "--pages", "--json").json["scenes"]
    out = folder.parent / "out"
    assert {scene["page"] for scene in scenes} == {"hello.html", "deep/still.html"}
    assert 'href="deep/still.html"' in (out / "index.html").read_text()
    assert "<title>Still &lt;b&gt;</title>" in (out / "deep" / "still.html").read_text()
    again = gallery(rigid, folder, "--pages", "--json").json["scenes"]
    assert all(scene["unchanged"] for scene in again)


def test_pages_that_are_not_asked_for_any_more_are_taken_away(rigid, folder):
    gallery(rigid, folder, "--pages")
    gallery(rigid, folder)
    pages = {path.name for path in (folder.parent / "out").rglob("*.html")}
    assert pages == {"index.html", "hello.yaml.html", "still.yaml.html"}


def test_what_has_not_changed_is_not_rendered_again(rigid, folder):
    gallery(rigid, folder)
    (folder / "hello.yaml").write_text((folder / "hello.yaml").read_text().replace("0, 2", "0, 3"))
    scenes = gallery(rigid, folder, "--json").json["scenes"]
    assert {Path(s["scene"]).name: s["unchanged"] for s in scenes} == {
        "hello.yaml": False,
        "still.yaml": True,
    }
    forced = gallery(rigid, folder, "--json", "--force").json["scenes"]
    assert not any(scene["unchanged"] for scene in forced)


def test_a_comment_changes_the_page_but_no_picture(rigid, folder):
    gallery(rigid, folder)
    (folder / "hello.yaml").write_text((folder / "hello.yaml").read_text() + "# well, well\n")
    assert all(s["unchanged"] for s in gallery(rigid, folder, "--json").json["scenes"])
    assert "# well, well" in (folder.parent / "out" / "hello.yaml.html").read_text()


def test_a_poster_shows_the_moment_that_the_scene_chooses(rigid, folder):
    hello = (folder / "hello.yaml").read_text()
    posters = []
    for poster in ("0 s", "100 ms", "0.1"):
        (folder / "hello.yaml").write_text(f"{hello}\nrender: {{poster: {poster}}}\n")
        gallery(rigid, folder)
        posters.append((folder.parent / "out" / "hello.png").read_bytes())
    assert posters[0] != posters[1] == posters[2]
    late = rigid("validate", folder / "hello.yaml", "--set", "render.poster=1e3")
    assert "error: render.poster: 1000 is after the end of the run" in late.out


def test_pictures_of_scenes_that_are_gone_are_taken_away(rigid, folder):
    gallery(rigid, folder)
    mine = folder.parent / "out" / "deep" / "mine.png"
    mine.write_bytes(b"not the gallery's")
    (folder / "deep" / "still.yaml").unlink()
    gallery(rigid, folder)
    assert [path.name for path in mine.parent.iterdir()] == ["mine.png"]


def test_a_scene_with_errors_does_not_spoil_the_others(rigid, folder):
    (folder / "bad.yaml").write_text("rigid: 1\nbodies: {a: {shape: {circle: -1}}}\n")
    result = gallery(rigid, folder)
    assert result.code == 2
    assert f"{folder / 'bad.yaml'}:2:" in result.err
    assert "Hello" in (folder.parent / "out" / "index.html").read_text()


def test_a_failed_expectation_is_exit_code_1(rigid, folder):
    (folder / "hello.yaml").write_text((folder / "hello.yaml").read_text().replace("0.4", "1.9"))
    result = gallery(rigid, folder)
    assert result.code == 1
    assert "ball.y > 1.9" in result.err


def test_the_gallery_needs_a_folder(rigid, tmp_path):
    assert rigid("gallery", tmp_path / "none").code == 2


def test_the_gallery_says_what_became_of_an_odd_size(rigid, tmp_path):
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    (scenes / "long.yaml").write_text(
        "rigid: 1\nworld: {duration: 3}\nbodies: {ball: {shape: {circle: 1}}}\n"
        "camera: {mode: follow, target: ball}\nrender: {overlays: [grid]}\n"
    )
    arguments = ["gallery", scenes, "-o", tmp_path / "out", "-j", "1", "--size"]
    odd, even = rigid(*arguments, "401x301", "--json"), rigid(*arguments, "400x300", "--json")
    assert odd.json["scenes"][0]["movie"] == "long.mp4"
    (note,) = odd.json["scenes"][0]["notes"]
    assert note.startswith("long.mp4: 402x302 instead of 401x301: the sides of an MP4 are even")
    assert even.json["scenes"][0]["notes"] == []
    assert f"rigid: {note}" in rigid(*arguments, "401x301").err


def no_room(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("where", ["gallery.produce", "gallery_record.GalleryRecord.adopt"])
def test_a_gallery_on_a_full_disk_is_a_place_that_cannot_be_written(
    rigid, folder, monkeypatch, where
):
    monkeypatch.setattr(f"rigid2d.core.jobs.{where}", no_room)
    result = rigid("gallery", folder, "-o", folder.parent / "out", "--size", "64x48", "-j", "1")
    assert (result.code, "No space left" in result.err) == (2, True), result.err


def test_a_gallery_on_a_disk_that_is_full(rigid, folder, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20k", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be made here")
    try:
        result = rigid("gallery", folder, "-o", small / "out", "--size", "640x480", "-j", "1")
    finally:
        subprocess.run(["umount", str(small)], check=True)
    assert (result.code, "No space left" in result.err) == (2, True), result.err
