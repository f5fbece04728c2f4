# SPDX-License-Identifier: MIT
"""No verb overwrites its inputs.

Every argument and option of a verb is declared as one that reads files, writes them or names none;
the outputs of all verbs follow from that, and every verb that has one is in the table of calls.
"""

from __future__ import annotations

import inspect
import shutil
import time
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
import typer
from PIL import Image
from rigid2d.cli.app import VERBS, application
from rigid2d.cli.options import files_of
from rigid2d.core import build, load

from tests.rows import every_row
from tests.search import tries

SCENE = """\
rigid: 1
include: [part.yaml]
world: {duration: 0.1}
bodies:
  ball: {shape: {circle: 0.5}, texture: ball.png}
  screen: {type: static, shape: {box: [1, 1]}, position: [3, 0], texture: {scene: inner.yaml}}
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
INNER = """\
rigid: 1
world: {duration: 0.1}
bodies: {ball: {shape: {circle: 0.5}}}
render: {size: [16, 16], fps: 10}
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'

NAMES_OF_FILES = {"F", "DIR", "DIR/", "F|DIR/", "FILE", "SCENE", "[NAME|SCENE]", "OLD", "NEW"}
"""What help texts call values that are files."""


@dataclass(frozen=True)
class Call:
    """A call of a verb that writes, but for its output.

    Attributes:
        words: the call; names of files are those of the folder of the tests.
        sources: the files of the test's folder that it reads.
    """

    words: tuple[str, ...]
    sources: tuple[str, ...] = (
        "scene.yaml",
        "part.yaml",
        "ball.png",
        "inner.yaml",
        "pyproject.toml",
    )


PLAYED = ("--inputs", "played.yaml")
WITH_PLAYER = (
    *("scene.yaml", "part.yaml", "ball.png", "inner.yaml"),
    *("played.yaml", "pyproject.toml"),
)
SMALL = ("--size", "32x32", "--fps", "5")
TEXTBOOK = ("--set", "world.solver.type=sequential_impulse")
ONE_RUN = ("--runs", "1", "--jobs", "1", "--size", "32x32", "--what", "state")
CALLS = {
    "run": Call(("run", "scene.yaml", *PLAYED, *SMALL), WITH_PLAYER),
    "play": Call(("play", "scene.yaml", *PLAYED, "--no-open", "--port", "0"), WITH_PLAYER),
    "watch": Call(("watch", "scene.yaml", *PLAYED, *SMALL), WITH_PLAYER),
    "test": Call(
        ("test", "scene.yaml", "--jobs", "1"),
        ("scene.yaml", "part.yaml", "ball.png", "scene.snapshot", "pyproject.toml"),
    ),
    "gallery": Call(
        ("gallery", "scenes", "--jobs", "1", *SMALL),
        ("scenes/scene.yaml", "scenes/part.yaml", "scenes/ball.png", "scenes/inner.yaml"),
    ),
    "sprites": Call(
        ("sprites", "figure.yaml", "--count", "1", "--size", "32x32"),
        ("figure.yaml", "ball.png", "pyproject.toml"),
    ),
    "plot": Call(("plot", "scene.yaml", "ball.y", *PLAYED), WITH_PLAYER),
    "explain": Call(
        ("explain", "figure.yaml", *TEXTBOOK), ("figure.yaml", "ball.png", "pyproject.toml")
    ),
    "compare": Call(("compare", "scene.yaml", "--solvers", "soft_step")),
    "study": Call(("study", "scene.yaml", "--jobs", "1"), ("scene.yaml", "part.yaml", "ball.png")),
    "dataset": Call(("dataset", "scene.yaml", *ONE_RUN), ("scene.yaml", "part.yaml", "ball.png")),
    "expand": Call(("expand", "scene.yaml", *PLAYED), WITH_PLAYER),
    "compile": Call(("compile", "inner.yaml"), ("inner.yaml", "pyproject.toml")),
    "schema": Call(("schema",), ("pyproject.toml",)),
    "import": Call(("import", "drawing.svg"), ("drawing.svg", "pyproject.toml")),
    "snapshot record": Call(("snapshot", "record", "scene.yaml")),
    "snapshot check": Call(
        ("snapshot", "check", "scene.yaml", "other.snapshot"),
        ("scene.yaml", "part.yaml", "ball.png", "other.snapshot", "pyproject.toml"),
    ),
    "snapshot diff": Call(
        ("snapshot", "diff", "scene.snapshot", "other.snapshot", "--scene", "scene.yaml"),
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


COMMANDS = dict(commands())


def declared(command):
    """The declared kind of file of each argument and option of a verb, and the parameter."""
    files = files_of(inspect.unwrap(command.callback))
    own = {each.name: each for each in command.params if not each.is_eager}
    assert set(files) == set(own)
    return [(own[name], each) for name, each in files.items()]


def written(name):
    """The options of a verb that name files it writes, with the ending these have."""
    return {
        max(parameter.opts, key=len): files.ending
        for parameter, files in declared(COMMANDS[name])
        if files.role == "written" and parameter.param_type_name == "option"
    }


@every_row("name", COMMANDS)
def test_every_argument_and_option_of_every_verb_says_what_it_names(name):
    for parameter, files in declared(COMMANDS[name]):
        if str(parameter.metavar) in NAMES_OF_FILES:
            assert files.role in ("read", "written"), parameter.name
        assert bool(files.ending) == (files.role == "written"), parameter.name


def test_what_verbs_read_and_write_is_declared():
    roles = {
        (name, max(parameter.opts, key=len)): files.role
        for name, command in COMMANDS.items()
        for parameter, files in declared(command)
        if files.role != "none"
    }
    assert roles[("run", "--gif")] == roles[("new", "name")] == "written"
    assert roles[("run", "scenes")] == roles[("snapshot diff", "--scene")] == "read"
    assert roles[("run", "--inputs")] == roles[("plot", "what")] == "read"


def test_every_verb_that_writes_has_a_call():
    assert set(CALLS) == {name for name in COMMANDS if written(name)}


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
        (place / "inner.yaml").write_text(INNER)
        Image.new("RGB", (4, 4), "red").save(place / "ball.png")
    (tmp_path / "played.yaml").write_text("- {key: up, from: 0.02, to: 0.05}\n")
    (tmp_path / "drawing.svg").write_text(SVG)
    (tmp_path / "pyproject.toml").write_text("[tool.rigid]\nthreads = 1\n")
    (tmp_path / "figure.yaml").write_text(FIGURE)
    scene = load("scene.yaml")
    from rigid2d.core.record import write_snapshot
    from rigid2d.core.world import take_snapshot

    write_snapshot("scene.snapshot", take_snapshot(scene))
    write_snapshot("other.snapshot", take_snapshot(load("scene.yaml", ["world.gravity=[0, -5]"])))
    (tmp_path / "begun.state").write_bytes(build(scene).save())


@pytest.fixture
def folder(filled, tmp_path, monkeypatch):
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)

    def end(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("rigid2d.core.play.game.Game.run", end)
    monkeypatch.setattr(
        "rigid2d.cli.verbs.watch.time", SimpleNamespace(sleep=end, strftime=time.strftime)
    )
    return tmp_path


def content(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def need(name):
    """Skip where what a verb stands on is not installed."""
    of = dict.fromkeys(("plot", "compare", "explain"), "matplotlib")
    of |= dict.fromkeys(("study", "dataset"), "pyarrow")
    if name in of or name in ("play", "edit"):
        pytest.importorskip(of.get(name, "websockets"))


OUTPUTS = [(name, option) for name in CALLS for option in written(name)]
WAYS = ("itself", "symbolic link", "hard link")


@pytest.mark.parametrize(("name", "option"), OUTPUTS)
def test_the_output_is_written_elsewhere(rigid, folder, name, option):
    need(name)
    call, ending = CALLS[name], written(name)[option]
    target = "made" if ending.startswith("/") else f"made{ending}"
    result = rigid(*call.words, option, target)
    codes = {"watch": 130, "play": 130, "edit": 130, "snapshot check": 1, "snapshot diff": 1}
    assert result.code == codes.get(name, 0), result.err


@pytest.mark.parametrize(
    ("name", "option", "way"),
    [
        (*output, WAYS[(number + turn) % len(WAYS)])
        for number, output in enumerate(OUTPUTS)
        for turn in range(tries(1, len(WAYS)))
    ],
)
def test_no_output_is_an_input(rigid, folder, name, option, way):
    need(name)
    call, ending = CALLS[name], written(name)[option]
    for number, source in enumerate(call.sources):
        source = folder / source
        target = folder / f"out{number}{ending}"
        if way == "itself":
            target = source
        else:
            target.parent.mkdir(exist_ok=True)
            (target.symlink_to if way == "symbolic link" else target.hardlink_to)(source)
        asked = target.parent if ending.startswith("/") and way != "itself" else target
        before = content(folder)
        result = rigid(*call.words, option, asked)
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
    call = CALLS[name].words
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
