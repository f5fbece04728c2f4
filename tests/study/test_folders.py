# SPDX-License-Identifier: MIT
"""Folders of studies: broken off, gone on with, damaged, and other than they should be."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import rigid2d.core.study.running as running
from rigid2d.core import Results, SceneError, UsageError, run_study
from rigid2d.core.record.folder_lock import folder_lock
from rigid2d.core.study.running import Done
from rigid2d.core.study.storing import PLAN, Store

from tests.search import tries
from tests.study.studies import COLLECT, LONG, VARY, Write, bytes_of, fill_disk

# ---------------------------------------------------------------- broken off


KILLS = tries(2, 4)
RUNS = tries(150, 300)
COMMAND = [sys.executable, "-m", "rigid2d.cli", "study"]
# The same, where little is done between two shards.
OFTEN = """
from rigid2d.cli.main import program
from rigid2d.core.study import executor, local
if __name__ == "__main__":
    executor.FLUSH, local.SECONDS = 0.1, 0.05
    program()
"""


def test_a_study_killed_at_random_moments_is_the_same_as_one_never_killed(
    write: Write, tmp_path: Path
) -> None:
    file = write(
        "vary: {vars.height: {uniform: [1, 4]}}",
        f"sample: {{latin_hypercube: {RUNS}}}",
        COLLECT,
        "keep: {trace: {first: 3}}",
        scene=LONG,
    )
    run_study(file, tmp_path / "whole")
    often = tmp_path / "often.py"
    often.write_text(OFTEN)
    dice = random.Random(11)
    out, kills, grown = tmp_path / "killed", 0, [0]
    while kills < KILLS:
        program = subprocess.Popen(
            [sys.executable, often, "study", file, "--out", out, "--jobs", "2", "-q"],
            start_new_session=True,
        )
        # First soon after it has begun, then when something more was stored.
        more = grown[-1] + (0 if kills < KILLS // 2 else dice.randint(1, 2))
        while program.poll() is None and (shards_of(out) < more or not (out / PLAN).exists()):
            time.sleep(0.02 * dice.random())
        time.sleep(0.1 * dice.random())
        if program.poll() is not None:
            break
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        kills += 1
        grown.append(shards_of(out))
    assert kills >= 2
    again = [*COMMAND, str(file), "--out", str(out), "--jobs", "1", "--json"]
    done = subprocess.run(again, capture_output=True)
    assert done.returncode == 0, done.stderr
    if kills == KILLS:
        assert json.loads(done.stdout)["done"] < RUNS
    assert bytes_of(out) == bytes_of(tmp_path / "whole")


def shards_of(out: Path) -> int:
    return len(list((out / "shards").glob("*.parquet")))


class Enough(Exception):  # noqa: N818 - it ends a study, as a person does
    pass


def test_what_was_done_is_not_done_again(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(VARY, COLLECT)
    begun: list[int] = []
    real = running.Runner.run

    def note(self: running.Runner, run: int, values: Any) -> Done:
        if len(begun) == 10:
            raise Enough
        begun.append(run)
        return real(self, run, values)

    monkeypatch.setattr(running.Runner, "run", note)
    with pytest.raises(Enough):
        run_study(file, tmp_path / "out")
    kept = Store(tmp_path / "out", _plan(file))
    kept.begin()
    before = len(kept.done)
    assert 0 < before <= 10
    begun.clear()
    monkeypatch.setattr(running.Runner, "run", lambda s, r, v: begun.append(r) or real(s, r, v))
    results = run_study(file, tmp_path / "out")
    assert begun == [run for run in range(24) if run not in kept.done]
    assert len(results) == 24


def _plan(file: Path) -> Any:
    from rigid2d.core.scene.variants import read_study
    from rigid2d.core.study.plan import StudyPlan

    template, scene = read_study(file)
    assert scene.study is not None
    return StudyPlan(template, scene, scene.study)


def test_a_study_that_is_done_is_not_done_again(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "out")
    before = bytes_of(tmp_path / "out")
    monkeypatch.setattr(running.Runner, "run", lambda *_: pytest.fail("a run was done again"))
    assert len(run_study(file, tmp_path / "out")) == 24
    assert bytes_of(tmp_path / "out") == before


def test_one_killed_between_its_table_and_the_end_goes_on(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "whole")
    for name in ("seconds.parquet", "results.parquet", "index.html"):
        real = Store.write

        def stop(path: Path, data: Any, name: str = name) -> None:
            if path.name == name:
                raise Enough
            real(path, data)  # noqa: B023

        with monkeypatch.context() as patched:
            patched.setattr(Store, "write", staticmethod(stop))
            with pytest.raises(Enough):
                run_study(file, tmp_path / "out")
    run_study(file, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")


def test_a_shard_that_was_damaged_is_done_again(write: Write, tmp_path: Path) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "whole")
    store = Store(tmp_path / "out", _plan(file))
    (tmp_path / "out").mkdir()
    store.begin()
    (tmp_path / "out/shards").mkdir()
    (tmp_path / "out/shards/000000.parquet").write_bytes(b"PAR1 and then nothing")
    (tmp_path / "out/shards/.rigid-0123456789abcdef.part").write_bytes(b"left by a kill")
    run_study(file, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")


def test_a_table_that_was_damaged_is_told_of_and_done_again_when_it_is_gone(
    write: Write, tmp_path: Path
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "out")
    results = tmp_path / "out/results.parquet"
    whole = results.read_bytes()
    place = len(whole) // 4  # in a page of numbers, which only its sum tells of
    results.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    with pytest.raises(UsageError, match=r"is damaged.*Delete it"):
        run_study(file, tmp_path / "out")
    with pytest.raises(UsageError, match="is damaged"):
        list(Results(tmp_path / "out"))
    results.unlink()
    run_study(file, tmp_path / "out")
    assert results.read_bytes() == whole


@pytest.mark.parametrize("other", ["results.parquet", "seconds.parquet"])
def test_a_shard_that_is_another_table_is_done_again(
    write: Write, tmp_path: Path, other: str
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "whole")
    (tmp_path / "out/shards").mkdir(parents=True)
    shutil.copy(tmp_path / "whole/study.json", tmp_path / "out/study.json")
    shutil.copy(tmp_path / "whole" / other, tmp_path / "out/shards/000000.parquet")
    run_study(file, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("study.json", "[" * 100_000, "cannot be read"),
        ("study.json", '{"format": 1, "rigid": [], "scene": 3}', r"another|began it"),
        ("results.parquet", "PAR1", "is damaged"),
    ],
)
def test_a_file_that_a_study_cannot_have_written_is_an_error(
    write: Write, tmp_path: Path, name: str, text: str, message: str
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "out")
    (tmp_path / "out" / name).write_text(text)
    with pytest.raises(UsageError, match=message):
        run_study(file, tmp_path / "out")


@pytest.mark.parametrize("name", ["study.json", "results.parquet", "seconds.parquet", "index.html"])
def test_a_pipe_in_the_folder_is_refused(write: Write, tmp_path: Path, name: str) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "out")
    (tmp_path / "out" / name).unlink()
    os.mkfifo(tmp_path / "out" / name)
    with pytest.raises(UsageError, match="no plain file"):
        run_study(file, tmp_path / "out")


def test_a_path_of_nothing_is_an_error(write: Write, tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="is not a path"):
        run_study(write(VARY, COLLECT), tmp_path / "out", vary={" ": [1]})


# ---------------------------------------------------------------- folders


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("[0, =height]", "[1, =height]"),
            r"its scene is another one, or was changed .bodies\.ball\.position\[0\]: 0 -> 1",
        ),
        (("count: 6", "count: 7"), "`vary` was changed"),
        (
            ("top: {max: =ball.y}", "top: {min: =ball.y}"),
            r"`collect` was changed .top: max ball\.y -> min ball\.y",
        ),
        (("study:", "study:\n  sample: {random: 24}"), "`sample` was changed"),
    ],
)
def test_another_scene_or_plan_in_the_folder_is_an_error(
    write: Write, tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "out")
    before = bytes_of(tmp_path / "out")
    file.write_text(file.read_text().replace(*change))
    with pytest.raises(UsageError, match=f"out: holds another study: .*{message}"):
        run_study(file, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == before


def test_comments_and_the_place_of_the_scene_make_no_other_study(
    write: Write, tmp_path: Path
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "out")
    moved = tmp_path / "moved.yaml"
    moved.write_text("# a comment\n" + file.read_text().replace("name: A hop", "name:   A hop"))
    assert len(run_study(moved, tmp_path / "out")) == 24


def test_another_version_of_rigid_does_not_go_on(write: Write, tmp_path: Path) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "out")
    plan = tmp_path / "out/study.json"
    plan.write_text(json.dumps({**json.loads(plan.read_text()), "rigid": "0.0.1"}))
    with pytest.raises(UsageError, match=r"rigid 0\.0\.1 began it"):
        run_study(file, tmp_path / "out")


def test_a_folder_with_other_files_is_an_error(write: Write, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/letter.txt").write_text("dear")
    with pytest.raises(UsageError, match=r"holds 'letter.txt' and no study"):
        run_study(write(VARY), tmp_path / "out")
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["letter.txt"]


def test_the_second_of_two_studies_in_one_folder_says_so(write: Write, tmp_path: Path) -> None:
    file = write(VARY, COLLECT)
    (tmp_path / "out").mkdir()
    with (
        folder_lock(tmp_path / "out"),
        pytest.raises(UsageError, match="another `rigid study` is at work in this folder"),
    ):
        run_study(file, tmp_path / "out")


def test_a_full_disk_is_told_of_and_loses_nothing(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(VARY, COLLECT)
    run_study(file, tmp_path / "whole")
    with monkeypatch.context() as patched:
        fill_disk(patched)
        with pytest.raises(UsageError, match=r"No space left on device.*runs are kept; the same"):
            run_study(file, tmp_path / "out")
    assert not list((tmp_path / "out").rglob(".rigid-*"))
    run_study(file, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")


@pytest.mark.skipif(not shutil.which("mount"), reason="needs file systems of memory")
def test_a_file_system_that_is_full_is_told_of(write: Write, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("may not mount a file system here")
    try:
        file = write(VARY, COLLECT, "keep: {trace: all}")
        with pytest.raises(UsageError, match="No space left on device"):
            run_study(file, small / "out")
        kept = Store(small / "out", _plan(file))
        kept.begin()
        assert 0 < len(kept.done) < 24 or not kept.done
        subprocess.run(["mount", "-o", "remount,size=16m", str(small)], check=True)
        assert len(run_study(file, small / "out")) == 24
    finally:
        subprocess.run(["umount", str(small)], check=True)


GROWING = "vary: {vars.height: {uniform: [1, 4]}}"


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ((GROWING, "sample: {sobol: 8}"), (GROWING, "sample: {sobol: 16}")),
        (("vary: {world.seed: {count: 9}}",), ("vary: {world.seed: {count: 11}}",)),
        ((GROWING, "sample: {random: 8}"), (GROWING, "sample: {random: 12}")),
    ][: tries(2, 3)],
    ids=["sobol", "seeds", "random"][: tries(2, 3)],
)
@pytest.mark.filterwarnings("ignore:The balance properties")
def test_a_study_grows_by_more_runs(
    small: tuple[str, ...], large: tuple[str, ...], write: Write, tmp_path: Path
) -> None:
    keep = "keep: {trace: {first: 2}}"
    out = tmp_path / "out"
    count = len(run_study(write(*small, COLLECT, keep), out))
    done: list[int] = []
    file = write(*large, COLLECT, keep)
    run_study(file, out, on_progress=lambda now: done.append(now.before))
    assert set(done) == {count}
    run_study(file, tmp_path / "whole")
    assert bytes_of(out) == bytes_of(tmp_path / "whole")


def test_a_study_does_not_grow_where_its_first_runs_would_be_others(
    write: Write, tmp_path: Path
) -> None:
    run_study(write(GROWING, "sample: {latin_hypercube: 4}", COLLECT), tmp_path / "out")
    message = r"latin_hypercube 4 -> latin_hypercube 6\), whose first runs have other values"
    with pytest.raises(UsageError, match=message):
        run_study(write(GROWING, "sample: {latin_hypercube: 6}", COLLECT), tmp_path / "out")
    with pytest.raises(UsageError, match="latin_hypercube 4 -> latin_hypercube 2"):
        run_study(write(GROWING, "sample: {latin_hypercube: 2}", COLLECT), tmp_path / "out")
