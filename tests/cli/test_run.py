# SPDX-License-Identifier: MIT
"""``rigid run``: one pass, everything asked for, and a word about it."""

from __future__ import annotations

import io
import json

import imageio.v3 as iio
import numpy as np
import pytest
from PIL import Image
from rigid2d.core import build, load
from rigid2d.core.record import Trace, read_snapshot

FALLING = """\
rigid: 1
name: Falling
world: {duration: 1}
bodies:
  ball: {shape: {circle: 0.5}, position: [0, 2]}
expect:
  - {at: end, that: =ball.y > 0}
"""
RUNAWAY = """\
rigid: 1
world: {duration: 2, gravity: [0, -1e9]}
bodies: {ball: {shape: {circle: 0.5}}}
"""


def test_without_outputs_a_summary_is_printed(rigid, hello):
    result = rigid("run", hello)
    assert result.code == 0
    for part in ["Hello", "60 steps", "2 bodies", "1 of 1 hold", "energy"]:
        assert part in result.out
    assert "--gif hello.gif" in result.err


def test_the_summary_and_json_tell_the_hash_of_the_state_at_the_end(rigid, hello):
    world = build(load(hello))
    world.step(20)
    expected = f"{world.state_hash():016x}"
    assert f"{expected} at the end" in rigid("run", hello, "--steps", "20").out
    told = json.loads(rigid("run", hello, "--steps", "20", "--json").out)
    assert told["scenes"][0]["state_hash"] == expected


def test_the_energies_have_the_unit_of_the_scene(rigid, hello, tmp_path):
    assert " J kinetic, " in rigid("run", hello).out
    pixels = tmp_path / "pixels.yaml"
    pixels.write_text(
        "rigid: 1\nunits: {length: px}\nworld: {duration: 0.1}\n"
        "bodies: {ball: {shape: {circle: 9}}}\n"
    )
    assert " kg px²/s² potential at the end" in rigid("run", pixels).out
    told = json.loads(rigid("run", pixels, "--json").out)["scenes"][0]["energy"]
    assert told["unit"] == "kg px²/s²"


def test_one_pass_writes_everything(rigid, hello, tmp_path):
    names = {kind: tmp_path / f"out.{kind}" for kind in ("gif", "mp4", "webp", "csv", "npz")}
    arguments = [word for kind, path in names.items() for word in (f"--{kind}", path)]
    picture, snapshot = tmp_path / "out.png", tmp_path / "out.snapshot"
    result = rigid(
        *("run", hello, *arguments, "--png", picture, "--snapshot", snapshot, "--size", "64x48")
    )
    assert result.code == 0
    with Image.open(names["gif"]) as gif:
        assert (gif.size, gif.format, gif.is_animated) == ((64, 48), "GIF", True)
    with Image.open(names["webp"]) as webp:
        assert (webp.size, webp.format) == ((64, 48), "WEBP")
    assert iio.imread(names["mp4"]).shape == (30, 48, 64, 3)
    with Image.open(picture) as png:
        assert (png.size, png.format) == ((64, 48), "PNG")
    assert names["csv"].read_text().startswith("t,ground.x,")
    assert len(Trace.load(str(names["npz"])).t) == 61
    assert read_snapshot(snapshot).steps == 60
    for path in [*names.values(), picture, snapshot]:
        assert f"{path} (" in result.out


def test_other_outputs_do_not_change_a_movie(rigid, hello, tmp_path):
    small = ("--size", "64x48", "--overlay", "trails", "-q")
    rigid("run", hello, "--gif", tmp_path / "a.gif", *small)
    more = ("--png", tmp_path / "c.png", "--at", "0.31", "--csv", tmp_path / "c.csv")
    rigid("run", hello, "--gif", tmp_path / "b.gif", *more, *small)
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_picture_shows_the_moment_asked_for(rigid, hello, tmp_path):
    for moment in ("0", "0.5", "500 ms", "end"):
        rigid("run", hello, "--png", tmp_path / f"{moment}.png", "--at", moment, "-q")
    pixels = {path.stem: np.asarray(Image.open(path)) for path in tmp_path.glob("*.png")}
    assert (pixels["0.5"] == pixels["500 ms"]).all()
    assert (pixels["0"] != pixels["0.5"]).any()
    assert (pixels["0.5"] != pixels["end"]).any()


def test_a_folder_gets_every_frame(rigid, hello, tmp_path):
    rigid("run", hello, "--png", f"{tmp_path}/frames/", "--fps", "10", "--size", "32x32", "-q")
    assert len(list((tmp_path / "frames").glob("*.png"))) == 10


def test_several_scenes_fill_a_folder(rigid, hello, tmp_path):
    (tmp_path / "falling.yaml").write_text(FALLING)
    result = rigid("run", tmp_path, "--csv", f"{tmp_path}/out/")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "falling.csv",
        "hello.csv",
    ]
    assert "Falling" in result.out
    assert "Hello" in result.out


def test_the_long_layout_has_a_row_for_each_value(rigid, hello, tmp_path):
    rigid("run", hello, "--csv", tmp_path / "a.csv", "--csv-layout", "long", "-q")
    assert (tmp_path / "a.csv").read_text().startswith("t,name,channel,value\n0.0,ground,x,0.0\n")


def test_a_failed_expectation_is_told_and_is_exit_code_1(rigid, tmp_path):
    path = tmp_path / "falling.yaml"
    path.write_text(FALLING)
    result = rigid("run", path)
    assert result.code == 1
    assert "0 of 1 hold" in result.out
    assert f"{path}:7:5: failed: at end: ball.y > 0" in result.out
    assert "at step 60, t = 1" in result.out
    assert "ball.y = -" in result.out


def test_a_shortened_run_checks_no_expectations(rigid, tmp_path):
    path = tmp_path / "falling.yaml"
    path.write_text(FALLING)
    result = rigid("run", path, "--seconds", "0.9", "--json")
    assert result.code == 0
    assert result.json["scenes"][0]["steps"] == 54
    assert result.json["scenes"][0]["expect"] == []


def test_set_replaces_values(rigid, tmp_path):
    path = tmp_path / "falling.yaml"
    path.write_text(FALLING)
    assert rigid("run", path, "--set", "world.gravity=[0, 0]").code == 0


def test_json_holds_the_summary(rigid, hello, tmp_path):
    gif = tmp_path / "a.gif"
    result = rigid("run", hello, "--gif", gif, "--size", "32x32", "--json")
    (scene,) = result.json["scenes"]
    assert result.json["ok"] is True
    assert (scene["name"], scene["steps"], scene["frames"]) == ("Hello", 60, 30)
    assert scene["outputs"] == [{"kind": "gif", "path": str(gif), "bytes": gif.stat().st_size}]
    assert scene["expect"][0]["passed"] is True
    assert result.err == ""


def test_the_summary_and_json_tell_how_many_bodies_are_new(rigid, tmp_path):
    path = tmp_path / "breaks.yaml"
    path.write_text(FALLING + "events: [{when: time, at: 0.5, do: [{destroy: {body: ball}}]}]\n")
    assert "1 body; 1 gone and 9 new at the end" in rigid("run", path).out
    told = json.loads(rigid("run", path, "--json").out)["scenes"][0]["bodies"]
    assert told == {"all": 1, "alive": 0, "asleep": 0, "added": 9}


WHIRLING = """\
rigid: 1
world: {duration: 2, gravity: [0, 0]}
bodies:
  arm: {type: kinematic, shape: {box: [4, 0.2]}, angular_velocity: 360, points: {tip: [2, 0]}}
particles: {sparks: {from: arm.points.tip, rate: 60, life: 0.5}}
camera: {mode: region, rect: [[-4, -3], [4, 3]]}
render: {size: [160, 120], fps: 20}
"""


def test_one_picture_shows_the_particles_that_the_film_has_then(rigid, tmp_path):
    path = tmp_path / "whirling.yaml"
    path.write_text(WHIRLING)
    assert rigid("run", path, "--png", f"{tmp_path}/all/").code == 0
    assert rigid("run", path, "--png", tmp_path / "one.png", "--at", "1.5").code == 0
    film = iio.imread(tmp_path / "all" / "frame-00030.png")
    assert np.array_equal(iio.imread(tmp_path / "one.png"), film)


def test_quiet_says_nothing(rigid, hello, tmp_path):
    result = rigid("run", hello, "--csv", tmp_path / "a.csv", "-q")
    assert (result.out, result.err) == ("", "")


def test_a_scene_comes_from_standard_input_and_a_table_goes_to_standard_output(process, hello):
    done = process("run", "-", "--csv", "-", stdin=hello.read_bytes())
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert lines[0].startswith("t,ground.x")
    assert len(lines) == 62
    assert b"Hello" in done.stderr


def test_a_movie_goes_to_standard_output(process, hello):
    done = process("run", hello, "--gif", "-", "--size", "32x32")
    with Image.open(io.BytesIO(done.stdout)) as gif:
        assert gif.n_frames > 1


def test_json_and_an_output_do_not_share_standard_output(rigid, hello):
    result = rigid("run", hello, "--csv", "-", "--json")
    assert result.code == 2
    assert result.json["error"]["kind"] == "usage"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--gif", "a.mp4"], "should end in .gif; did you mean --mp4?"),
        (["--gif", "no/a.gif"], "the folder no does not exist"),
        (["--at", "1"], "neither is there"),
        (["--png", "a.png", "--at", "soon"], "should be seconds"),
        (["--png", "a.png", "--at", "1.5"], "goes from 0 to 1 s"),
        (["--png", "a.png", "--at", "-1"], "goes from 0 to 1 s"),
        (["--size", "640"], "WIDTHxHEIGHT"),
        (["--size", "4x4"], "16 to 8192"),
        (["--fps", "0"], "above 0"),
        (["--fps", "nan"], "above 0"),
        (["--seconds", "-1"], "should be 0 or more"),
        (["--seconds", "inf"], "should be 0 or more"),
        (["--seconds", "1e12"], "more than the limit"),
        (["--steps", "1", "--seconds", "1"], "one of them"),
        (["--overlay", "contact"], "did you mean 'contacts'?"),
        (["--theme", "pink"], "'--theme': 'pink' is not one of"),
        (["--lanes", "3"], "lanes"),
        (["--threads", "0"], "--threads"),
        (["--set", "vars.n"], "vars.n"),
    ],
)
def test_bad_usage_is_told_before_anything_runs(
    rigid, hello, tmp_path, monkeypatch, arguments, words
):
    monkeypatch.chdir(tmp_path)
    result = rigid("run", hello, *arguments)
    assert result.code == 2
    assert words in result.err
    assert "Traceback" not in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hello.yaml"]


def test_a_stopped_simulation_is_exit_code_3_and_leaves_no_file(rigid, tmp_path):
    path = tmp_path / "wild.yaml"
    path.write_text(RUNAWAY)
    old = tmp_path / "old.gif"
    old.write_bytes(b"kept")
    result = rigid(
        *("run", path, "--gif", old, "--csv", tmp_path / "a.csv", "--mp4", tmp_path / "a.mp4")
    )
    assert result.code == 3
    assert "body 'ball'" in result.err
    assert old.read_bytes() == b"kept"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["old.gif", "wild.yaml"]


def test_one_stopped_scene_does_not_keep_the_others(rigid, hello, tmp_path):
    (tmp_path / "a_wild.yaml").write_text(RUNAWAY)
    result = rigid("run", tmp_path, "--csv", f"{tmp_path}/out/", "--json")
    assert result.code == 3
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["hello.csv"]
    assert result.json["scenes"][0]["error"]["kind"] == "simulation"


def test_all_scenes_errors_come_before_anything_runs(rigid, hello, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("rigid: 1\nbodies: {x: {shape: {circle: -1}}}\n")
    result = rigid("run", tmp_path, "--csv", f"{tmp_path}/out/")
    assert result.code == 2
    assert f"{tmp_path / 'a.yaml'}:2:" in result.err
    assert f"{tmp_path / 'b.yaml'}:2:" in result.err
    assert not (tmp_path / "out").exists()
