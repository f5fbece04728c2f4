# SPDX-License-Identifier: MIT
"""Studies from beginning to end: the table, what is broken off, and what cannot be done."""

from __future__ import annotations

import builtins
import errno
import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import pytest
import rigid2d.core.study.running as running
from rigid2d.core import Results, SceneError, UsageError, loads, run_study

from tests.search import tries
from tests.study.studies import COLLECT, SAMPLE, VARY, Write, bytes_of

# ---------------------------------------------------------------- the table


def test_a_table_has_a_row_for_each_run_in_their_order(write: Write, tmp_path: Path) -> None:
    results = run_study(write(VARY, COLLECT), tmp_path / "out")
    table = parquet.read_table(tmp_path / "out" / "results.parquet")
    assert table.column_names == [
        *("run", "vars.height", "world.seed", "top", "landed", "held", "status", "message", "hash")
    ]
    assert table["run"].to_pylist() == list(range(24))
    assert results["world.seed"].tolist() == [0, 1, 2, 3] * 6
    assert results["height"].tolist() == [
        h for h in np.linspace(1, 4, 6).tolist() for _ in range(4)
    ]
    assert len(set(table["hash"].to_pylist())) == 24
    assert len(results.seconds) == 24
    assert (results.seconds > 0).all()


def test_a_run_has_the_values_that_set_would_give_it(write: Write, tmp_path: Path) -> None:
    file = write(VARY, COLLECT)
    row = run_study(file, tmp_path / "out").rows()[9]
    settings = [f"vars.height={row['vars.height']!r}", f"world.seed={row['world.seed']}"]
    world = running.build(loads(file.read_text(), overrides=settings))
    world.step(world.scene.world.steps)
    assert row["hash"] == f"{world.state_hash():016x}"


def test_columns_have_the_type_of_their_values(write: Write, tmp_path: Path) -> None:
    file = write(
        "vary: {vars.height: [1, 2.5], world.seed: [1, 2], bodies.ball.bullet: [true, false], "
        "bodies.ball.color: [red, green], bodies.ball.position: [[0, 1], [0, 2]]}",
        "sample: zip",
    )
    table = run_study(file, tmp_path / "out").table
    kinds = [str(field.type) for field in table.schema][1:6]
    assert kinds == ["double", "int64", "bool", "string", "string"]
    assert table["bodies.ball.position"].to_pylist() == ["[0, 1]", "[0, 2]"]


def test_a_script_without_a_guard_is_told_to_have_one(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from rigid2d.core.jobs.workers import run_jobs\nprint(list(run_jobs(abs, [1, 2], 2)))\n"
    )
    ended = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].endswith("since each process imports the script first")


@pytest.mark.parametrize("jobs", [2, 3][: tries(1, 2)])
def test_any_number_of_jobs_makes_the_same_bytes(write: Write, tmp_path: Path, jobs: int) -> None:
    file = write(
        "vary: {vars.height: {uniform: [1, 4]}}", SAMPLE, COLLECT, "keep: {trace: {first: 3}}"
    )
    run_study(file, tmp_path / "one")
    run_study(file, tmp_path / "many", jobs=jobs)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "many")


def test_a_study_in_a_file_of_its_own_names_its_scene(write: Write, tmp_path: Path) -> None:
    write(VARY, COLLECT)
    own = tmp_path / "study.yaml"
    own.write_text("scene: scene.yaml\nvary: {vars.height: [1, 2]}\ncollect: {y: =ball.y}\n")
    results = run_study(own, tmp_path / "out")
    assert results.columns[1:3] == ("vars.height", "y")


def test_what_is_wrong_with_such_a_file_is_told_where_it_stands(
    write: Write, tmp_path: Path
) -> None:
    write(VARY, COLLECT)
    own = tmp_path / "study.yaml"
    own.write_text("scene: scene.yaml\nvary:\n  vars.heihgt: [1, 2]\n")
    with pytest.raises(SceneError, match=r"study.yaml:3:16.*did you mean `height`"):
        run_study(own, tmp_path / "out")
    own.write_text("scene: other.yaml\nvary: {vars.height: [1, 2]}\n")
    with pytest.raises(SceneError, match=r"study.yaml:1:8: scene: there is no file `other.yaml`"):
        run_study(own, tmp_path / "out")


def test_a_study_changes_no_run_of_its_scene_and_no_hash(write: Write) -> None:
    text = write(VARY, COLLECT).read_text()
    assert loads(text).hash == loads(text[: text.index("study:")]).hash


# ---------------------------------------------------------------- runs that fail


def test_a_run_that_fails_is_a_row_with_its_message(write: Write, tmp_path: Path) -> None:
    file = write("vary: {bodies.ball.mass: [1, 0, 2]}", "collect: {y: =ball.y}")
    results = run_study(file, tmp_path / "out")
    assert results["status"].tolist() == ["ok", "invalid", "ok"]
    assert "must be greater than 0" in results["message"][1]
    assert np.isnan(results["y"][1])
    assert results["hash"][1] == ""
    assert results.failures == 1


def test_a_simulation_that_stops_is_a_row(write: Write, tmp_path: Path) -> None:
    file = write("vary: {bodies.ball.velocity: [[0, 0], [9e14, 0]]}", "collect: {y: =ball.y}")
    results = run_study(file, tmp_path / "out")
    assert results["status"].tolist() == ["ok", "stopped"]
    assert "ball" in results["message"][1]


def test_a_name_that_a_run_does_not_have_is_its_failure(write: Write, tmp_path: Path) -> None:
    scene = (
        "rigid: 1\nvars: {n: 3}\nworld: {duration: 0.1}\n"
        "bodies: {ball: {repeat: {i: =n}, shape: {circle: 0.1}, position: [=i, 0]}}\n"
    )
    file = write("vary: {vars.n: [3, 1]}", "collect: {x: '=ball[2].x'}", scene=scene)
    results = run_study(file, tmp_path / "out")
    assert results["status"].tolist() == ["ok", "failed"]
    assert "there is no body or joint `ball[2]`" in results["message"][1]


def test_a_run_that_ends_its_process_is_a_row_and_costs_no_other(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    dying = importlib.import_module("dying")
    monkeypatch.setattr("rigid2d.core.study.local.do_task", dying.kill_for_run_7)
    vary = "vary: {vars.height: {from: 1, to: 4, count: 10}}"
    results = run_study(write(vary, COLLECT), tmp_path / "out", jobs=2)
    assert results["status"].tolist() == ["died" if run == 7 else "ok" for run in range(10)]
    assert "-9" in results["message"][7]


def test_a_process_with_other_code_ends_the_study(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    dying = importlib.import_module("dying")
    monkeypatch.setattr("rigid2d.core.study.local.do_task", dying.do_as_another_engine)
    with pytest.raises(UsageError, match=r"a process has rigid 0\.1\.0\+changed.*was changed"):
        run_study(write(VARY, COLLECT), tmp_path / "out")


# ---------------------------------------------------------------- files of runs


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        ("all", ["0", "1", "2", "3"]),
        ("failed", ["1", "2"]),
        ("{first: 2}", ["0", "1"]),
        ("none", []),
    ],
)
def test_files_are_kept_of_the_runs_that_are_asked_for(
    write: Write, tmp_path: Path, keep: str, kept: list[str]
) -> None:
    file = write(
        "vary: {vars.height: [2, 0.3, 0.2, 3]}", "collect: {ok: expect}", f"keep: {{trace: {keep}}}"
    )
    run_study(file, tmp_path / "out")
    assert sorted(each.parent.name for each in tmp_path.glob("out/runs/*/trace.npz")) == kept


def test_each_kind_of_file_can_be_kept_and_the_page_shows_the_movies(
    write: Write, tmp_path: Path
) -> None:
    file = write(
        "vary: {vars.height: [2, 3]}", "keep: {trace: all, snapshot: all, gif: {first: 1}}"
    )
    run_study(file, tmp_path / "out", overrides=["render.size=[64, 48]", "world.duration=0.2"])
    names = {str(each.relative_to(tmp_path / "out/runs")) for each in tmp_path.glob("out/runs/*/*")}
    assert names == {
        *("0/trace.npz", "0/run.snapshot", "0/run.gif"),
        *("1/trace.npz", "1/run.snapshot"),
    }
    assert 'src="runs/0/run.gif"' in (tmp_path / "out/index.html").read_text()


# ---------------------------------------------------------------- calls


def test_a_scene_without_a_study_needs_something_to_vary(write: Write, tmp_path: Path) -> None:
    file = tmp_path / "plain.yaml"
    file.write_text(
        "rigid: 1\nvars: {x: 1}\nworld: {duration: 0.1}\nbodies: {b: {shape: {circle: =x}}}\n"
    )
    with pytest.raises(UsageError, match="nothing to vary"):
        run_study(file, tmp_path / "out")
    results = run_study(file, tmp_path / "out", vary={"vars.x": np.array([1.0, 2.0])})
    assert results["vars.x"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("1:3", [1, 2, 3]),
        ("0:1:0.5", [0.0, 0.5, 1.0]),
        ("2, 5", [2, 5]),
        ("7", [7]),
        ("{from: 1, to: 2, count: 2}", [1, 2]),
        (range(2), [0, 1]),
        ({"from": 1, "to": 4, "count": 2}, [1, 4]),
    ],
)
def test_what_is_varied_may_be_said_in_the_call(
    write: Write, tmp_path: Path, said: object, values: list[float]
) -> None:
    results = run_study(
        write(VARY), tmp_path / "out", vary={"vars.height": said, "world.seed": [0]}
    )
    assert results["height"].tolist() == values


def test_samples_make_a_grid_random_and_other_samples_longer(write: Write, tmp_path: Path) -> None:
    assert len(run_study(write(VARY), tmp_path / "a", samples=5)) == 5
    file = write(VARY, "sample: {latin_hypercube: 3}")
    results = run_study(file, tmp_path / "b", samples=6)
    assert results.study["sample"] == "latin_hypercube"
    assert len(results) == 6


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"vary": {"vars.heigth": [1]}}, "did you mean `height`"),
        ({"vary": {"vars.height": "{unifrom: [1, 2]}"}}, "did you mean `uniform`"),
        ({"vary": {"vars.height": "[1, 2"}}, "--vary"),
        ({"samples": 0}, "at least 1"),
        ({"plots": ["tpo:height"]}, "did you mean 'top'"),
        ({"plots": ["top"]}, "y:x"),
        ({"jobs": -1}, "must not be negative"),
    ],
)
def test_a_call_that_cannot_be_honoured_says_what_would_be_right(
    write: Write, tmp_path: Path, call: dict[str, Any], message: str
) -> None:
    with pytest.raises((UsageError, SceneError), match=message):
        run_study(write(VARY, COLLECT), tmp_path / "out", **call)
    assert not (tmp_path / "out").exists()


def test_a_folder_without_a_table_has_no_results(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no study that is done"):
        Results(tmp_path)


@pytest.mark.parametrize(
    ("module", "call", "extra"),
    [
        ("pyarrow", {}, "study"),
        ("scipy", {"samples": 4}, "study"),
        ("matplotlib", {"plots": ["top:height"]}, "study"),
        ("distributed", {"cluster": "tcp://127.0.0.1:1"}, "cluster"),
    ],
)
def test_without_a_library_the_error_names_the_extra(
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    call: dict[str, Any],
    extra: str,
) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.split(".")[0] == module:
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    file = write(VARY, COLLECT, "sample: {sobol: 8}")
    with pytest.raises(UsageError, match=rf"pip install 'rigid2d\[{extra}\]'"):
        run_study(file, tmp_path / "out", **call)
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_folders_place_is_an_error_and_stays(write: Write, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(UsageError, match="out: is a file, and a folder is needed there"):
        run_study(write(VARY), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", r"cannot be read: .* Name another folder"), ("[]", "not one that `rigid study` wrote")],
)
def test_a_plan_that_is_none_is_an_error(
    write: Write, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "study.json").write_text(text)
    with pytest.raises(UsageError, match=message):
        run_study(write(VARY), tmp_path / "out")
    assert (tmp_path / "out" / "study.json").read_text() == text


def test_a_folder_that_cannot_be_written_is_an_error(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: Any, **_more: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    file = write(VARY)
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UsageError, match="out: cannot be written: Permission denied"):
        run_study(file, tmp_path / "out")
