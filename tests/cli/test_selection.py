# SPDX-License-Identifier: MIT
"""Selection of scenes by ``rigid test``, its early stop, and its stored results."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml

from tests.cli.runner import run_action
from tests.search import tries

SCENE = """\
rigid: 1
world: {duration: 0.1}
bodies: {ball: {shape: {circle: 0.5}, position: [0, HEIGHT]}}
expect:
  - {at: end, that: =ball.y > 1}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with three scenes, of which `b/low` fails, and a project's file."""
    for name, height in [("a/high", 5), ("b/low", 0), ("c/higher", 9)]:
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir()
        path.write_text(SCENE.replace("HEIGHT", str(height)))
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_scenes(result) -> list[str]:
    lines = result.out.splitlines()
    return [line.split()[1] for line in lines if line.startswith(("pass", "FAIL"))]


@pytest.mark.parametrize(
    ("expression", "stems"),
    [
        ("high", ["high", "higher"]),
        ("HIGH and not higher", ["high"]),
        ("low or higher", ["low", "higher"]),
        ("not (low or higher)", ["high"]),
        ("not not low", ["low"]),
        ("high or low and b/", ["high", "low", "higher"]),
    ],
)
def test_words_choose_among_paths(rigid, project, expression, stems):
    assert [Path(path).stem for path in run_scenes(rigid("test", ".", "-k", expression))] == stems


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("", "give a part of a path"),
        ("high low", "`and` or `or` is missing before this: 'low', letter 6"),
        ("(high", "a `)` is missing at the end"),
        ("high and", "a part of a path is missing at the end"),
        ("or high", "a part of a path is missing: 'or', letter 1"),
        ("(" * 99, "too deep"),
        ("hihg", "no path of 3 scenes matches 'hihg'"),
    ],
)
def test_words_that_choose_nothing_are_told(rigid, project, expression, told):
    result = rigid("test", ".", "-k", expression)
    assert (result.code, told in result.err) == (2, True)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_first_failure_ends_it(rigid, project, jobs):
    result = rigid("test", ".", "-x", "-j", jobs)
    assert result.code == 1
    assert run_scenes(result) == ["a/high.yaml", "b/low.yaml"]
    assert "stopped there; 1 scene not run" in result.err


def test_those_that_failed_are_run_until_they_pass(rigid, project):
    rigid("test", ".")
    assert run_scenes(rigid("test", ".", "--last-failed")) == ["b/low.yaml"]
    assert run_scenes(rigid("test", "a", "--last-failed")) == ["a/high.yaml"]
    (project / "b/low.yaml").write_text(SCENE.replace("HEIGHT", "3"))
    assert run_scenes(rigid("test", ".", "--lf")) == ["b/low.yaml"]
    result = rigid("test", ".", "--lf")
    assert len(run_scenes(result)) == 3
    assert "none of them failed when last run" in result.err


def test_what_failed_is_remembered_from_a_folder_below(rigid, project, monkeypatch):
    rigid("test", ".")
    monkeypatch.chdir(project / "b")
    assert run_scenes(rigid("test", ".", "../c", "--lf")) == ["low.yaml"]


@pytest.mark.parametrize("damage", ["", "{", "[1]", "{}", "[" * 100_000])
def test_a_damaged_memory_is_none(rigid, project, damage):
    rigid("test", ".")
    (project / ".rigid_cache/last_failed.json").write_text(damage)
    assert len(run_scenes(rigid("test", ".", "--lf"))) == 3


def test_scenes_outside_of_the_project_are_not_remembered(rigid, project, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "low.yaml"
    other.write_text(SCENE.replace("HEIGHT", "0"))
    assert rigid("test", other).code == 1
    assert not (project / ".rigid_cache").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_no_fault(rigid, project):
    project.chmod(0o500)
    assert rigid("test", ".").code == 1


def test_snapshots_that_differ_are_stored_anew(rigid, project):
    rigid("snapshot", "record", "a", "c", "-q")
    stored = project / "a/high.snapshot"
    before, other = stored.read_text(), (project / "c/higher.snapshot").stat().st_mtime_ns
    (project / "a/high.yaml").write_text(SCENE.replace("HEIGHT", "6"))
    assert rigid("test", "a", "c").code == 1
    assert stored.read_text() == before
    result = rigid("test", "a", "c", "--update")
    assert result.code == 0
    assert "its snapshot stored anew" in result.out
    assert stored.read_text() != before
    assert (project / "c/higher.snapshot").stat().st_mtime_ns == other
    assert "stored anew" not in rigid("test", "a", "c", "--update").out


def test_failures_are_annotations_for_github(rigid, project):
    (project / "d.yaml").write_text("rigid: 1\nbodis: {}\n")
    result = rigid("test", ".", "--format", "github", "-q")
    lines = sorted(result.out.splitlines())
    assert lines[0].startswith("::error file=b/low.yaml,line=5,col=5::at end: ball.y > 1: it does")
    assert lines[1].startswith("::error file=d.yaml,line=2,col=1::bodis: unknown key")


def test_a_format_may_be_json(rigid, project):
    found = rigid("test", ".", "--format", "json").json
    assert [each["passed"] for each in found["scenes"]] == [True, False, True]


# ---------------------------------------------------------------- the project's own options


def say(project, text):
    (project / "pyproject.toml").write_text(text)


def test_the_project_names_its_scenes(rigid, project):
    say(project, '[tool.rigid]\npaths = ["a", "c"]\n')
    assert run_scenes(rigid("test")) == ["a/high.yaml", "c/higher.yaml"]
    assert run_scenes(rigid("test", "b")) == ["b/low.yaml"]
    assert rigid("validate").code == 0


def test_paths_are_named_from_where_one_is(rigid, project, monkeypatch):
    say(project, '[tool.rigid]\npaths = ["a"]\n')
    monkeypatch.chdir(project / "b")
    assert run_scenes(rigid("test")) == ["../a/high.yaml"]


def test_options_of_a_project_give_way_to_those_of_the_command(rigid, project):
    say(project, '[tool.rigid.test]\nset = ["bodies.ball.position=[0, 9]"]\n"exit-first" = true\n')
    assert rigid("test", ".").code == 0
    assert rigid("test", ".", "--set", "bodies.ball.position=[0, 0]").out.count("FAIL") == 1


def test_options_that_a_verb_does_not_have_are_passed_over_when_common(rigid, project):
    say(project, "[tool.rigid]\nthreads = 2\njobs = 1\n[tool.rigid.test]\ntolerance = 1e-9\n")
    assert rigid("validate", "a").code == 0
    assert rigid("snapshot", "record", "a").code == 0
    assert rigid("test", "a").code == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[tool.rigid]\nthread = 2",
            "tool.rigid.thread: there is no such option; did you mean `th",
        ),
        (
            "[tool.rigid.tset]\njobs = 2",
            "tool.rigid.tset: there is no such option; did you mean `t",
        ),
        (
            "[tool.rigid.test]\njbos = 2",
            "tool.rigid.test.jbos: there is no such option; did you me",
        ),
        ("[tool.rigid.test]\njobs = 1.5", "tool.rigid.test.jobs: "),
        ("[tool.rigid]\nthreads = 0", "tool.rigid.threads: "),
        ('[tool.rigid]\nquiet = "yes"', "tool.rigid.quiet: must be true or false, not 'yes'"),
        ('[tool.rigid.test]\nset = "a=1"', "tool.rigid.test.set: must be a list of texts"),
        ('[tool.rigid.test]\nformat = "html"', "tool.rigid.test.format: "),
        ("[tool.rigid]\ntest = 3", "tool.rigid.test: must be a table of options, not 3"),
        ("[tool]\nrigid = 3", "tool.rigid: must be a table, not 3"),
        ('[tool.rigid]\npaths = "a"', "tool.rigid.paths: must be a list of files and folders"),
        ("[tool.rigid]\npaths = [3]", "tool.rigid.paths: must be names of files, not 3"),
        ("[tool.rigid\n", "not TOML: "),
    ],
)
def test_a_mistake_in_the_projects_file_is_told(rigid, project, text, told):
    say(project, text)
    result = rigid("test")
    assert result.code == 2
    assert result.err.startswith("rigid: pyproject.toml: ")
    assert told in result.err


def test_a_projects_file_without_settings_of_rigid_is_passed_over(rigid, project):
    say(project, '[project]\nname = "rigid-bodies"\n[tool.other]\nx = 1\n')
    assert rigid("test", "a").code == 0


# ---------------------------------------------------------------- pytest


PLAIN = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")


def run_pytest(*options):
    command = [sys.executable, "-m", "pytest", *PLAIN, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_pytest_runs_scenes_and_does_not_obey_their_names(project):
    (project / "c" / "higher.yaml").rename(project / "c" / "hi\x1b[31mgh.yaml")
    done = run_pytest("-v", ".")
    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout
    assert "b/low.yaml:5:5: failed: at end: ball.y > 1" in done.stdout
    assert "Traceback" not in done.stdout
    assert "c/hi\\x1b[31mgh.yaml::scene PASSED" in done.stdout
    assert "\x1b" not in done.stdout


def test_pytest_runs_those_that_its_settings_name(project):
    say(project, '[tool.pytest.ini_options]\nrigid_scenes = ["a", "c/higher.yaml"]\n')
    done = run_pytest("-q", ".")
    assert (done.returncode, "2 passed" in done.stdout) == (0, True)


# ---------------------------------------------------------------- what others run

ROOT = Path(__file__).parents[2]


def test_files_that_are_foreign_files_can_be_passed_over(rigid, project):
    (project / "other.yaml").write_text("jobs: {}\n")
    assert rigid("validate", "other.yaml").code == 2
    assert rigid("validate", "--only-scenes", "other.yaml").code == 0
    found = rigid("test", "--only-scenes", "other.yaml", "a/high.yaml")
    assert (found.code, run_scenes(found)) == (0, ["a/high.yaml"])
    assert rigid("test", "--only-scenes", "missing.yaml").code == 2


def test_a_snapshot_means_its_scene_where_only_scenes_are_taken(rigid, project):
    rigid("snapshot", "record", "a/high.yaml", "-q")
    found = rigid("test", "--only-scenes", "a/high.snapshot", "a/high.yaml")
    assert (found.code, run_scenes(found)) == (0, ["a/high.yaml"])
    assert "`rigid snapshot check SCENE`" in rigid("test", "a/high.snapshot").out


def test_snapshots_can_be_required(rigid, project):
    rigid("snapshot", "record", "a/high.yaml", "c/higher.yaml", "-q")
    assert rigid("test", "a", "c", "--require-snapshots").code == 0
    Path("c/higher.snapshot").rename("c/other.snapshot")
    assert rigid("test", "a", "c").code == 0
    found = rigid("test", "a", "c", "--require-snapshots", "--junit", "r.xml")
    assert found.code == 2
    assert "rigid snapshot record c/higher.yaml" in found.out
    assert "no scene `other.yaml` beside this snapshot" in found.out
    assert ElementTree.parse("r.xml").getroot().get("errors") == "2"


def test_the_hooks_of_pre_commit_are_commands(rigid, project):
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    names = ["rigid-validate", "rigid-test"]
    assert [hook["id"] for hook in hooks] == [*names, *(f"{name}-installed" for name in names)]
    assert [hook["language"] for hook in hooks] == ["python"] * 2 + ["system"] * 2
    (project / "other.yaml").write_text("jobs: {}\n")
    rigid("snapshot", "record", "a/high.yaml", "-q")
    for hook in hooks:
        program, *arguments = hook["entry"].split()
        assert program == "rigid"
        assert rigid(*arguments, "a/high.yaml", "other.yaml").code == 0
        if arguments[0] == "test":
            assert re.search(hook["files"], "a/high.snapshot")
            assert rigid(*arguments, "a/high.snapshot").code == 0
    assert rigid(*arguments, "a/high.yaml", "b/low.yaml").code == 1


@pytest.mark.parametrize(
    ("scenes", "arguments", "code", "ran"),
    [
        ("a\nb\n", "-k 'low or higher'", 1, 1),  # the one that fails is in the second line
        ("'a", "", 2, 0),
        ("a", '-k "high', 2, 0),
        ("a b c", "-k 'high and not higher'", 0, 1),
        ("a c", "--tolerance 1e-9", 0, 2),
        ("a\n'd e'", "", 0, 2),
        ("", "", 1, 3),
    ][: tries(3, 7)],
)
def test_the_action_for_github_runs(project, tmp_path_factory, scenes, arguments, code, ran):
    say(project, '[tool.rigid]\npaths = ["."]\n')
    temp = tmp_path_factory.mktemp("runner")
    (temp / "rigid" / "venv").mkdir(parents=True)
    (temp / "rigid" / "venv" / "bin").symlink_to(Path(sys.executable).parent)
    if "d e" in scenes:
        (project / "d e").mkdir()
        shutil.copy(project / "a" / "high.yaml", project / "d e" / "high.yaml")
    given = {"scenes": scenes, "arguments": arguments, "report": "report.xml"}
    nothing = {"prepare": lambda: None, "install": lambda: None}
    done = run_action(ROOT / "action.yml", project, given, temp, skip=nothing)
    assert done.code == code, done.output
    if code == 2:
        assert "a quote is not closed" in done.output
        assert "Traceback" not in done.output
        return
    restored, saved = "actions/cache/restore@v4", "actions/cache/save@v4"
    assert done.steps == ["prepare", restored, "install", saved, "validate", "test"]
    report = ElementTree.parse(project / "report.xml").getroot()
    assert len(report.findall("testsuite")) == ran
    assert ("::error file=b/low.yaml,line=5" in done.output) == (code == 1)
