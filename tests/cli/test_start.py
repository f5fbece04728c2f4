# SPDX-License-Identifier: MIT
"""Help, versions and verbs: what has to be there at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from rigid2d.cli.app import VERBS
from rigid2d.core.identity import engine_version

HEAVY = {"numpy", "pydantic", "yaml", "PIL", "imageio", "rich", "rigid2d.core._native"}


def modules_after(*arguments: str) -> set[str]:
    """The modules that a command line has imported by its end."""
    code = (
        "import sys; from rigid2d.cli.main import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_the_program_s_help_imports_nothing_heavy(option):
    engine = {"rigid2d.core._native"} if option == "--version" else set()  # which knows its lanes
    assert modules_after(option) & HEAVY == engine


def test_a_verb_s_help_imports_nothing_heavy_of_ours():
    parser_s_own = {"pydantic"}  # newer option parsers check values with it
    assert modules_after("run", "--help") & HEAVY <= parser_s_own


def test_top_level_help_imports_no_verb():
    assert not {f"rigid2d.cli.verbs.{verb}" for verb in VERBS} & modules_after("--help")


def test_help_names_every_verb_with_a_line(rigid):
    result = rigid("--help")
    assert result.code == 0
    for verb in VERBS:
        assert f"\n  {verb} " in result.out


def test_no_arguments_show_the_help(rigid):
    assert rigid() == rigid("--help")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(rigid, verb):
    result = rigid(verb, "--help")
    assert result.code == 0
    assert f"Usage: rigid {verb}" in result.out
    assert result.err == ""


def test_the_version_is_printed(rigid):
    from importlib.metadata import version

    first, *rest = rigid("--version").out.splitlines()
    assert first == f"rigid {version('rigid2d')}"
    facts = dict(line.split(" ", 1) for line in rest)
    assert list(facts) == ["commit", "engine", "lanes", "python"]
    assert engine_version().endswith(f"+{facts['engine']}")
    assert facts["lanes"].split()[:2] == ["1", "4"]


def test_the_version_is_printed_as_json(rigid):
    shown = dict(line.split(" ", 1) for line in rigid("--version").out.splitlines())
    for words in (("--version", "--json"), ("--json", "--version")):
        told = rigid(*words).json
        assert told.pop("ok") is True
        assert {name: told[name] for name in ("commit", "engine")}.items() <= shown.items()
        assert told["version"] == shown["rigid"]
        assert " ".join(map(str, told["lanes"])) == shown["lanes"]


def test_the_option_json_goes_behind_a_verb(rigid):
    result = rigid("--json", "run", "x.yaml")
    assert result.code == 2
    assert "behind a verb, as in `rigid run --json`" in result.json["error"]["message"]


def test_a_mistyped_verb_gets_the_nearest_one(rigid):
    result = rigid("vlidate", "x.yaml")
    assert result.code == 2
    assert "'vlidate'; did you mean 'validate'?" in result.err


def test_an_unknown_option_is_bad_usage(rigid):
    result = rigid("run", "--gfi", "x.gif", "x.yaml")
    assert result.code == 2
    assert "--gfi" in result.err
    assert "rigid run --help" in result.err


def test_bad_usage_with_json_is_json(rigid):
    result = rigid("run", "--json", "--steps", "many", "x.yaml")
    assert result.code == 2
    assert result.json["ok"] is False
    assert result.json["error"]["kind"] == "usage"
    assert "--steps" in result.json["error"]["message"]


def test_the_package_runs_as_a_module(started):
    done = started("--version")
    assert done.returncode == 0
    assert done.stdout.startswith(b"rigid ")


SCENE = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\n"
ELSEWHERE = {
    "numpy",
    "PIL",
    "imageio",
    "rich",
    "xml.parsers.expat",
    "rigid2d.core._native",
    "rigid2d.core.world",
    "rigid2d.core.render",
    "rigid2d.core.record",
    "rigid2d.core.scene.fragments",
    "rigid2d.core.scene.script",
    "rigid2d.core.scene.study_model",
    "rigid2d.core.scene.blocks.scene",
    "rigid2d.core.scene.blocks.prototypes",
    "rigid2d.core.scene.blocks.joints",
    "rigid2d.cli.reporting.diagnostics",
}
"""What a scene of bodies alone has nothing to do with."""


def test_checking_a_small_scene_imports_only_what_it_is_made_of(tmp_path):
    (tmp_path / "small.yaml").write_text(SCENE)
    modules = modules_after("validate", str(tmp_path / "small.yaml"))
    assert modules & ELSEWHERE == set()
    assert len([name for name in modules if name.startswith("rigid2d.core")]) < 82


def test_a_run_imports_nothing_that_reads_what_is_added(tmp_path):
    (tmp_path / "small.yaml").write_text(SCENE)
    target = tmp_path / "small.gif"
    modules = modules_after(
        "run", str(tmp_path / "small.yaml"), "--steps", "2", "--gif", str(target)
    )
    added = {
        f"rigid2d.core.scene.{name}" for name in ("fragments", "blocks.scene", "blocks.prototypes")
    }
    assert target.exists()
    assert modules & {*added, "rigid2d.core.page", "rigid2d.core.solvers"} == set()


def test_what_a_run_leaves_when_its_process_ends_is_told_to_nobody(started):
    walker = Path(__file__).parents[2] / "scenes/pictures/walker.yaml"
    done = started("run", walker, "--steps", "2", "--quiet")
    assert done.stderr == b""
