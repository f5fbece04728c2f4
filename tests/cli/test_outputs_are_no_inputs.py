# SPDX-License-Identifier: MIT
"""No verb writes over what it reads: one table of all verbs and all that they read and write.

Every argument and option of every verb is in the table, or the first test fails.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
import typer
from PIL import Image
from rigid.cli.app import VERBS, application
from rigid.core import build, load

SCENE = """\
rigid: 1
include: [part.yaml]
world: {duration: 0.1}
bodies:
  ball: {shape: {circle: 0.5}, texture: ball.png}
actuators: {jet: {type: thruster, body: ball, force: [0, 1]}}
controls: {up: jet}
expect: [{at: end, that: =ball.y < 1}]
study: {vary: {vars.x: [1, 2]}, collect: {y: =ball.y}}
"""
FIGURE = """\
rigid: 1
bodies:
  base: {shape: {box: [0.6, 0.6]}, texture: ball.png}
  arm: {shape: {box: [1, 0.2], offset: [0.5, 0]}, collide: false}
joints:
  hinge: {type: revolute, bodies: [base, arm], anchor: [0, 0], motor: {position: 0}}
animations:
  turn: {type: loop, duration: 2, tracks: {hinge.motor.position: [[0, 0], [0.5, 90], [1, 0]]}}
"""
PART = "vars: {x: 1}\nbodies:\n  floor: {type: static, shape: {box: [9, 1]}, position: [0, -4]}\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'

SETTINGS = {
    "--debug",
    "--json",
    "--quiet",
    "--help",
    "--set",
    "--threads",
    "--lanes",
    "--seconds",
    "--steps",
    "--size",
    "--fps",
    "--overlay",
    "--theme",
    "--at",
    "--csv-layout",
    "--jobs",
    "--title",
    "--speed",
    "--as",
    "--format",
    "--tolerance",
    "--update",
    "--only-scenes",
    "-k",
    "-x",
    "--exit-first",
    "--last-failed",
    "--force",
    "--pages",
    "--vary",
    "--x",
    "--phase",
    "--hist",
    "--step",
    "--body",
    "--markdown",
    "--solvers",
    "--sweep",
    "--channel",
    "--samples",
    "--plots",
    "--cluster",
    "--runs",
    "--what",
    "--video",
    "--coco",
    "--splits",
    "--shard-size",
    "--template",
    "--schema",
    "--from",
    "--strict",
    "--every",
    "--all",
    "--engine",
    "--stages",
    "--port",
    "--open",
    "--paused",
    "--animation",
    "--count",
    "--pivot",
    "--ground",
    "--scale",
    "--joints",
    "--hold",
    "--loop",
    "--check",
}
"""Options that name no file."""


@dataclass(frozen=True)
class Verb:
    """How a verb is called, what it reads and what it writes.

    Attributes:
        call: what stands before the output; names of files are those of the folder of the tests.
        reads: arguments and options that name files it reads.
        writes: options that name files it writes, with the ending these have; a folder's is the
            file in it that is written. An argument is written by its name.
        sources: the files of the test's folder that such a call reads.
        settings: arguments and options of its own that name no file.
    """

    call: tuple[str, ...]
    reads: tuple[str, ...] = ("scene",)
    writes: dict[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ("scene.yaml", "part.yaml", "ball.png", "pyproject.toml")
    settings: tuple[str, ...] = ()


PLAYED = ("--inputs", "played.yaml")
WITH_PLAYER = ("scene.yaml", "part.yaml", "ball.png", "played.yaml", "pyproject.toml")
SMALL = ("--size", "32x32", "--fps", "5")
PICTURES = {f"--{kind}": f".{kind}" for kind in ("gif", "mp4", "webp", "png", "html")}
TABLE = {
    "run": Verb(
        ("run", "scene.yaml", *PLAYED, *SMALL),
        ("scenes", "--inputs", "--from-state"),
        {**PICTURES, "--csv": ".csv", "--npz": ".npz", "--snapshot": ".snapshot"}
        | {"--save-state": ".state"},
        WITH_PLAYER,
    ),
    "play": Verb(
        ("play", "scene.yaml", *PLAYED, "--no-open", "--port", "0"),
        ("scene", "--inputs"),
        {"--save-inputs": ".yaml"},
        WITH_PLAYER,
    ),
    "watch": Verb(
        ("watch", "scene.yaml", *PLAYED, *SMALL), ("scene", "--inputs"), PICTURES, WITH_PLAYER
    ),
    "show": Verb((), ("scene", "--inputs")),
    "validate": Verb((), ("scenes", "--inputs")),
    "test": Verb(
        ("test", "scene.yaml", "--jobs", "1"),
        ("scenes",),
        {"--junit": ".xml"},
        ("scene.yaml", "part.yaml", "ball.png", "scene.snapshot", "pyproject.toml"),
    ),
    "gallery": Verb(
        ("gallery", "scenes", "--jobs", "1", *SMALL),
        ("folder",),
        {"--out": "/index.html"},
        ("scenes/scene.yaml", "scenes/part.yaml", "scenes/ball.png"),
    ),
    "sprites": Verb(
        ("sprites", "figure.yaml", "--count", "1", "--size", "32x32"),
        writes={"--output": ".png"},
        sources=("figure.yaml", "ball.png", "pyproject.toml"),
        settings=("--size", "--fps"),
    ),
    "info": Verb((), ("scenes",)),
    "plot": Verb(
        ("plot", "scene.yaml", "ball.y", *PLAYED),
        ("what", "--inputs"),
        {"--output": ".svg"},
        WITH_PLAYER,
    ),
    "peaks": Verb((), ("scene", "--inputs"), settings=("joints",)),
    "explain": Verb(()),
    "compare": Verb(
        ("compare", "scene.yaml", "--solvers", "soft_step"),
        writes={"--report": ".html", "--plot": ".svg", "--picture": ".png"},
    ),
    "study": Verb(
        ("study", "scene.yaml", "--jobs", "1"),
        writes={"--out": "/index.html"},
        sources=("scene.yaml", "part.yaml", "ball.png"),
        settings=("--plot",),
    ),
    "dataset": Verb(
        (
            "dataset",
            "scene.yaml",
            "--runs",
            "1",
            "--jobs",
            "1",
            "--size",
            "32x32",
            "--what",
            "state",
        ),
        writes={"--out": "/README.md"},
        sources=("scene.yaml", "part.yaml", "ball.png"),
    ),
    "expand": Verb(
        ("expand", "scene.yaml", *PLAYED), ("scene", "--inputs"), {"--output": ".yaml"}, WITH_PLAYER
    ),
    "schema": Verb(("schema",), (), {"--output": ".json"}, ("pyproject.toml",)),
    "new": Verb((), (), {"name": ".yaml"}),
    "import": Verb(
        ("import", "drawing.svg"),
        ("file",),
        {"--output": ".yaml"},
        ("drawing.svg", "pyproject.toml"),
    ),
    "bench": Verb((), ("scenes",)),
    "snapshot record": Verb(
        ("snapshot", "record", "scene.yaml"), ("scenes",), {"--output": ".snapshot"}
    ),
    "snapshot check": Verb(
        ("snapshot", "check", "scene.yaml", "other.snapshot"),
        ("scenes",),
        {"--picture": ".png"},
        ("scene.yaml", "part.yaml", "ball.png", "other.snapshot", "pyproject.toml"),
    ),
    "snapshot diff": Verb(
        ("snapshot", "diff", "scene.snapshot", "other.snapshot", "--scene", "scene.yaml"),
        ("old", "new", "--scene"),
        {"--picture": ".png"},
        ("scene.yaml", "part.yaml", "ball.png", "scene.snapshot", "other.snapshot"),
    ),
}


def commands():
    group = typer.main.get_command(application)
    for verb in VERBS:
        command = group.get_command(None, verb)
        below = getattr(command, "commands", {})
        yield from ((f"{verb} {name}", each) for name, each in below.items())
        if not below:
            yield verb, command


@pytest.mark.parametrize(("name", "command"), [*commands()], ids=[name for name, _ in commands()])
def test_every_argument_and_option_of_every_verb_is_in_the_table(name, command):
    verb = TABLE[name]
    known = {*verb.reads, *verb.writes, *verb.settings}
    shared = {option for option in SETTINGS if option not in known}
    for parameter in command.params:
        option = max(parameter.opts, key=len)
        assert option in known | shared or parameter.param_type_name == "argument", option
        assert option in known or parameter.param_type_name == "option", option
        names_a_file = {"F", "DIR", "DIR/", "F|DIR/"} & {str(parameter.metavar)}
        assert option in known or not names_a_file, option
    there = {max(parameter.opts, key=len) for parameter in command.params}
    assert known <= there, "the table names what is not there"


def test_the_table_has_no_verb_that_is_gone():
    assert set(TABLE) == {name for name, _ in commands()}


# ---------------------------------------------------------------- a folder with all that is read


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder with all that is read, which is copied for each test."""
    path = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        fill(path)
    return path


def fill(tmp_path):
    for place in (tmp_path, tmp_path / "scenes"):
        place.mkdir(exist_ok=True)
        (place / "scene.yaml").write_text(SCENE)
        (place / "part.yaml").write_text(PART)
        Image.new("RGB", (4, 4), "red").save(place / "ball.png")
    (tmp_path / "played.yaml").write_text("- {key: up, from: 0.02, to: 0.05}\n")
    (tmp_path / "drawing.svg").write_text(SVG)
    (tmp_path / "pyproject.toml").write_text("[tool.rigid]\nthreads = 1\n")
    (tmp_path / "figure.yaml").write_text(FIGURE)
    scene = load("scene.yaml")
    from rigid.core.record import write_snapshot
    from rigid.core.world import take_snapshot

    write_snapshot("scene.snapshot", take_snapshot(scene))
    write_snapshot("other.snapshot", take_snapshot(load("scene.yaml", ["world.gravity=[0, -5]"])))
    (tmp_path / "begun.state").write_bytes(build(scene).save())


@pytest.fixture
def folder(filled, tmp_path, monkeypatch):
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)

    def end(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("rigid.core.play.game.Game.run", end)
    monkeypatch.setattr(
        "rigid.cli.verbs.watch.time", SimpleNamespace(sleep=end, strftime=time.strftime)
    )
    return tmp_path


def content(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def need(name):
    """Skip where what a verb stands on is not installed."""
    of = {"plot": "matplotlib", "compare": "matplotlib", "study": "pyarrow", "dataset": "pyarrow"}
    if name in of or name == "play":
        pytest.importorskip(of.get(name, "websockets"))


CALLS = [(name, option) for name, verb in TABLE.items() if verb.call for option in verb.writes]


@pytest.mark.parametrize(("name", "option"), CALLS)
def test_the_output_is_written_elsewhere(rigid, folder, name, option):
    need(name)
    verb = TABLE[name]
    ending = verb.writes[option]
    target = "made" if ending.startswith("/") else f"made{ending}"
    result = rigid(*verb.call, option, target)
    codes = {"watch": 130, "play": 130, "snapshot check": 1, "snapshot diff": 1}
    assert result.code == codes.get(name, 0), result.err


@pytest.mark.parametrize("way", ["itself", "symbolic link", "hard link"])
@pytest.mark.parametrize(("name", "option"), CALLS)
def test_no_output_is_an_input(rigid, folder, name, option, way):
    need(name)
    verb = TABLE[name]
    ending = verb.writes[option]
    for number, source in enumerate(verb.sources):
        source = folder / source
        target = folder / f"out{number}{ending}"
        if way == "itself":
            target = source
        else:
            target.parent.mkdir(exist_ok=True)
            (target.symlink_to if way == "symbolic link" else target.hardlink_to)(source)
        asked = target.parent if ending.startswith("/") and way != "itself" else target
        before = content(folder)
        result = rigid(*verb.call, option, asked)
        assert result.code == 2, (source.name, result)
        if way != "itself":
            assert "is read too" in result.err or "not listed" in result.err, result.err
        assert content(folder) == before
        if way != "itself":
            target.unlink()


@pytest.mark.parametrize("kind", ["--csv", "--png", "--snapshot"])
def test_the_state_that_a_run_goes_on_from_is_kept(rigid, folder, kind):
    target = folder / f"out.{kind[2:]}"
    target.symlink_to("begun.state")
    before = content(folder)
    result = rigid("run", "scene.yaml", "--from-state", "begun.state", "--at", "0.1", kind, target)
    if kind != "--png":
        result = rigid("run", "scene.yaml", "--from-state", "begun.state", kind, target)
    assert (result.code, "is read too" in result.err) == (2, True), result.err
    assert content(folder) == before


@pytest.mark.parametrize(("name", "file"), [("study", "results.parquet"), ("dataset", "README.md")])
@pytest.mark.parametrize("way", ["symlink_to", "hardlink_to"])
def test_a_folder_of_many_runs_that_is_there_holds_no_input(rigid, folder, name, file, way):
    need(name)
    call = TABLE[name].call
    assert rigid(*call, "--out", "made").code == 0
    (folder / "made" / file).unlink()
    getattr(folder / "made" / file, way)(folder / "part.yaml")
    before = content(folder)
    result = rigid(*call, "--out", "made")
    assert (result.code, "is read too" in result.err) == (2, True), result.err
    assert content(folder) == before


@pytest.mark.parametrize("option", ["--gif", "--csv"])
def test_a_file_in_a_folder_of_outputs_is_no_input(rigid, folder, option):
    (folder / "all").mkdir()
    (folder / f"all/scene.{option[2:]}").symlink_to(folder / "part.yaml")
    before = content(folder)
    result = rigid("run", "scene.yaml", option, "all/")
    assert (result.code, "is read too" in result.err) == (2, True), result.err
    assert content(folder) == before


def test_a_gallery_does_not_write_over_a_picture_of_its_scenes(rigid, folder):
    assert rigid("gallery", "scenes", "--out", "scenes/made", *SMALL, "--jobs", "1").code == 0
    assert (folder / "scenes/made/scene.png").exists()
    text = SCENE.replace("ball.png", "made/scene.png")
    (folder / "scenes/scene.yaml").write_text(text)
    before = content(folder)
    result = rigid("gallery", "scenes", "--out", "scenes/made", *SMALL, "--jobs", "1")
    assert (result.code, "is read too" in result.err) == (2, True), result.err
    assert content(folder) == before


@pytest.mark.parametrize(("first", "second"), [("--plot", "--picture"), ("--picture", "--plot")])
def test_two_outputs_of_a_comparison_are_two_files(rigid, folder, first, second):
    need("compare")
    result = rigid("compare", "scene.yaml", first, "both.png", second, "./both.png")
    assert (result.code, "would be written twice" in result.err) == (2, True)
    assert not (folder / "both.png").exists()
