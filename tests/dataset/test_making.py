# SPDX-License-Identifier: MIT
"""Data sets from beginning to end: their contents, and continuing interrupted ones."""

from __future__ import annotations

import errno
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

import numpy as np
import pytest
import rigid2d.core.dataset as dataset
from rigid2d.core import UsageError, build, loads
from rigid2d.core.dataset.storing import DatasetStore
from rigid2d.core.record.folder_lock import folder_lock

from tests.search import tries

from .conftest import SCENE, files_of

SMALL: dict[str, Any] = {"size": (32, 24), "fps": 5}


# ---------------------------------------------------------------- what is in it


def test_a_run_has_a_frame_a_mask_and_a_row_for_each_moment(scene: Path, tmp_path: Path) -> None:
    made = dataset.make(scene, tmp_path / "out", runs=3, **SMALL)
    assert len(made) == 3
    for run in made:
        assert len(run) == 5
        assert run.frames.shape == (5, 24, 32, 3)
        assert run.masks.shape == (5, 24, 32)
        assert run["pose"].shape == (5, 3, 3)
        assert run["step"].tolist() == [0, 20, 40, 60, 80]
        np.testing.assert_array_equal(run["time"], run["step"] * (1 / 100))


def test_a_run_is_the_scene_with_its_values_and_its_seed(scene: Path, tmp_path: Path) -> None:
    made = dataset.make(scene, tmp_path / "out", runs=4, **SMALL)
    assert [run.parameters["world.seed"] for run in made] == [40, 41, 42, 43]
    run = made[2]
    settings = [f"{path}={value!r}" for path, value in run.parameters.items()]
    world = build(loads(SCENE, overrides=settings))
    world.step(60)
    np.testing.assert_array_equal(run["pose"][3], world.bodies.pose())
    assert made.runs[2]["hash"] != made.runs[1]["hash"]
    world.step(40)
    assert made.runs[2]["hash"] == f"{world.state_hash():016x}"


def test_a_scene_without_a_study_varies_by_its_seed(tmp_path: Path) -> None:
    made = dataset.make("hop", tmp_path / "out", runs=3, source=SCENE, what=["state"])
    assert [run.parameters for run in made] == [{"world.seed": seed} for seed in (40, 41, 42)]
    assert len({run["pose"][-1, 1, 0] for run in made}) == 3


def test_velocities_are_what_poses_change_by(scene: Path, tmp_path: Path) -> None:
    made = dataset.make(scene, tmp_path / "out", runs=1, what=["state"], fps=100)
    run = made[0]
    moved = np.diff(run["pose"][:30, 1, 0]) / 0.01
    np.testing.assert_allclose(moved, run["velocity"][1:30, 1, 0], atol=1e-4)
    assert run["center"][5, 2].tolist() == pytest.approx([2.0, 0.5], abs=0.01)


def test_boxes_of_masks_hold_just_the_pixels_of_their_body(scene: Path, tmp_path: Path) -> None:
    made = dataset.make(scene, tmp_path / "out", runs=2, **SMALL)
    for run in made:
        for frame, mask in enumerate(run.masks):
            for body in run.bodies:
                shown = mask == body["number"]
                left, top, right, bottom = run["mask_box"][frame, body["number"] - 1]
                assert shown[top:bottom, left:right].sum() == shown.sum() > 0
                assert shown[top:bottom, left].any()
                assert shown[top:bottom, right - 1].any()
                assert shown[top, left:right].any()
                assert shown[bottom - 1, left:right].any()
                assert run["mask_area"][frame, body["number"] - 1] == shown.sum()


def test_boxes_of_shapes_are_within_a_pixel_of_those_of_masks(scene: Path, tmp_path: Path) -> None:
    made = dataset.make(scene, tmp_path / "out", runs=1, size=(160, 120), fps=5)
    run = made[0]
    exact, seen = run["picture_box"][:, 1:], run["mask_box"][:, 1:]
    assert (np.abs(exact - seen) <= 1.0).all()


def test_a_view_leads_from_poses_to_pixels(scene: Path, tmp_path: Path) -> None:
    run = dataset.make(scene, tmp_path / "out", runs=1, size=(160, 120), fps=5)[0]
    for frame in range(len(run)):
        x, y = run["pose"][frame, 1, :2]
        scale_x, shift_x, scale_y, shift_y = run["view"][frame]
        assert run.masks[frame][int(y * scale_y + shift_y), int(x * scale_x + shift_x)] == 2


def test_contacts_tell_who_touches_where_and_how_hard(scene: Path, tmp_path: Path) -> None:
    run = dataset.make(scene, tmp_path / "out", runs=1, what=["contacts"], fps=5)[0]
    last = run["contact_frame"] == 4
    names = [body["name"] for body in run.bodies]
    crate = [
        i for i in np.flatnonzero(last) if "crate" in {names[k] for k in run["contact_body"][i]}
    ]
    assert sum(run["contact_force"][i, 0] for i in crate) == pytest.approx(9.81, rel=0.02)
    for i in crate:
        assert run["contact_point"][i, 1] == pytest.approx(0.0, abs=0.02)
        assert abs(run["contact_normal"][i, 1]) == pytest.approx(1.0)
    assert "pose" not in run.arrays


def test_events_tell_when_bodies_began_to_touch(scene: Path, tmp_path: Path) -> None:
    run = dataset.make(scene, tmp_path / "out", runs=1, what=["events", "state"], fps=100)[0]
    hits = [e for e in run.events if e["kind"] == "contact_begin" and "ball" in (e["a"], e["b"])]
    step = hits[0]["step"]
    assert hits[0]["time"] == pytest.approx(step / 100)
    assert run["pose"][step - 2, 1, 1] > 0.5
    assert run["velocity"][step, 1, 1] > run["velocity"][step - 2, 1, 1]


def test_who_comes_later_has_a_place_in_all_frames(tmp_path: Path) -> None:
    text = SCENE + (
        "prototypes: {drop: {bodies: {disc: {shape: {circle: 0.2}}}}}\n"
        "spawners: {rain: {use: drop, at: [0, 4], every: 0.3, max: 2}}\n"
    )
    run = dataset.make("rain", tmp_path / "out", runs=1, source=text, **SMALL)[0]
    assert len(run.bodies) == 5
    assert run["pose"].shape == (5, 5, 3)
    assert not run["alive"][0, 3]
    assert np.isnan(run["pose"][0, 3]).all()
    assert run["alive"][-1].all()
    assert {4, 5} & set(np.unique(run.masks).tolist())


def test_a_study_that_ends_runs_early_ends_those_of_a_data_set(tmp_path: Path) -> None:
    text = SCENE + "study: {vary: {vars.height: [2]}, until: =world.time > 0.5}\n"
    made = dataset.make("hop", tmp_path / "out", runs=1, source=text, **SMALL)
    assert len(made[0]) == 3
    world = build(loads(SCENE))
    world.step(51)
    assert made.runs[0]["hash"] == f"{world.state_hash():016x}"


def test_no_step_has_two_frames(scene: Path, tmp_path: Path) -> None:
    made = dataset.make(scene, tmp_path / "out", runs=1, what=["state"], fps=240)
    steps = made[0]["step"].tolist()
    assert steps == sorted(set(steps))
    assert len(steps) == 101 or steps == list(range(100))


# ---------------------------------------------------------------- splits and shards


def test_splits_have_their_shares_and_shards_their_size(scene: Path, tmp_path: Path) -> None:
    splits = (0.7, 0.2, 0.1)
    made = dataset.make(
        scene, tmp_path / "out", runs=20, what=["state"], splits=splits, shard_size=4
    )
    told = made.description["splits"]
    assert {name: part["runs"] for name, part in told.items()} == {"train": 14, "val": 4, "test": 2}
    assert [len(part["shards"]) for part in told.values()] == [4, 1, 1]
    found = [run.number for name in made.splits for run in made.split(name)]
    assert sorted(found) == list(range(20))
    assert found != sorted(found)


def test_splits_follow_from_seeds_and_not_from_what_is_kept(scene: Path, tmp_path: Path) -> None:
    splits = (0.5, 0.5)
    one = dataset.make(scene, tmp_path / "a", runs=10, what=["state"], splits=splits)
    other = dataset.make(
        scene, tmp_path / "b", runs=10, what=["events"], splits=splits, shard_size=2
    )
    assert [e["split"] for e in one.runs] == [e["split"] for e in other.runs]


# ---------------------------------------------------------------- the same bytes


@pytest.mark.parametrize("form", ["folder", "webdataset", "parquet"][: tries(1, 3)])
def test_jobs_do_not_change_a_byte(form: str, scene: Path, tmp_path: Path) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    for name, jobs in (("one", 1), ("two", 2)):
        dataset.make(scene, tmp_path / name, runs=9, format=form, shard_size=4, jobs=jobs, **SMALL)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_what_was_broken_off_ends_the_same(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    options: dict[str, Any] = {"runs": 9, "shard_size": 4, "splits": (0.7, 0.3), "coco": True}
    dataset.make(scene, whole, **options, **SMALL)
    monkeypatch.setattr("rigid2d.core.study.executor.FLUSH", 0.0)
    broken, kept = tmp_path / "broken", 0

    class StoppedError(Exception):
        pass

    def stop(progress: Any) -> None:
        if progress.done > progress.before + 1:
            raise StoppedError

    for _ in range(20):
        try:
            dataset.make(scene, broken, **options, **SMALL, on_progress=stop)
            break
        except StoppedError:
            kept += 1
    assert kept >= 2
    assert files_of(broken) == files_of(whole)


KILLS = tries(2, 4)
RUNS = str(tries(45, 60))


def test_a_data_set_killed_at_random_moments_is_the_same_as_one_never_killed(
    scene: Path, tmp_path: Path
) -> None:
    command = [
        *(
            sys.executable,
            "-m",
            "rigid2d.cli.main",
            "dataset",
            str(scene),
            "--runs",
            RUNS,
            "--size",
        ),
        *("32x24", "--fps", "10", "--shard-size", "7", "--format", "webdataset", "--jobs", "2"),
    ]
    program = "from rigid2d.cli.main import program; program()"
    command = [sys.executable, "-c", program, *command[3:]]
    alone = [*command[:-1], "1"]
    subprocess.run([*alone, "--out", str(tmp_path / "whole")], check=True, capture_output=True)
    chance = random.Random(4)
    out, kills, grown = tmp_path / "killed", 0, 0
    while kills < KILLS:
        process = subprocess.Popen(
            [*command, "--out", str(out)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        # First soon after it has begun, the last time when something more was stored.
        while process.poll() is None and not (
            (out / "dataset.json").exists() and (kills < KILLS - 1 or stored_in(out) > grown)
        ):
            time.sleep(0.02 * chance.random())
        time.sleep(0.2 * chance.random())
        if process.poll() is not None:
            break
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kills += 1
        grown = stored_in(out)
    assert kills >= 2
    subprocess.run([*alone, "--out", str(tmp_path / "killed")], check=True, capture_output=True)
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")


def stored_in(out: Path) -> int:
    """Number of pieces begun in a folder; they have ascending numbers."""
    numbers = [int(piece.stem) for piece in (out / "pieces").glob("*.zip")]
    return max(numbers, default=-1) + 1


def test_what_is_done_is_not_done_again(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset.make(scene, tmp_path / "out", runs=3, **SMALL)
    before = files_of(tmp_path / "out")

    def never(*_: Any) -> None:
        raise AssertionError("it was done again")

    monkeypatch.setattr("rigid2d.core.dataset.making.Maker.run", never)
    again = dataset.make(scene, tmp_path / "out", runs=3, **SMALL)
    assert len(again) == 3
    assert files_of(tmp_path / "out") == before


@pytest.mark.parametrize("form", ["folder", "webdataset", "parquet"])
def test_a_full_disk_is_told_of_and_loses_nothing(
    form: str, scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    options: dict[str, Any] = {"runs": 6, "shard_size": 3, "format": form, **SMALL}
    dataset.make(scene, tmp_path / "whole", **options)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def refuse(*_: Any) -> None:
        raise full

    with monkeypatch.context() as patched:
        patched.setattr("rigid2d.core.study.executor.FLUSH", 0.0)
        patched.setattr(
            "rigid2d.core.dataset.shards.unpack" if form != "webdataset" else "os.fsync",
            refuse,
        )
        with pytest.raises(UsageError, match="No space left on device"):
            dataset.make(scene, tmp_path / "out", **options)
    dataset.make(scene, tmp_path / "out", **options)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")


@pytest.mark.parametrize("writes", [1, 2, 3, 5])
def test_a_disk_that_is_full_while_a_piece_is_written_loses_nothing(
    writes: int, scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"runs": 6, "shard_size": 3, **SMALL}
    dataset.make(scene, tmp_path / "whole", **options)
    real, done = os.fsync, []

    def full(descriptor: int) -> None:
        if len(done) >= writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done.append(descriptor)
        real(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr("rigid2d.core.study.executor.FLUSH", 0.0)
        patched.setattr(os, "fsync", full)
        with pytest.raises(UsageError, match="No space left on device"):
            dataset.make(scene, tmp_path / "out", **options)
    assert not list((tmp_path / "out").rglob(".rigid-*"))
    dataset.make(scene, tmp_path / "out", **options)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")


@pytest.mark.skipif(not shutil.which("mount"), reason="needs file systems of memory")
def test_a_file_system_that_is_full_is_told_of(scene: Path, tmp_path: Path) -> None:
    small, options = tmp_path / "small", {"runs": 6, "shard_size": 3, **SMALL}
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("may not mount a file system here")
    try:
        with pytest.raises(UsageError, match="No space left on device"):
            dataset.make(scene, small / "out", **options)
        subprocess.run(["mount", "-o", "remount,size=16m", str(small)], check=True)
        dataset.make(scene, small / "out", **options)
        dataset.make(scene, tmp_path / "whole", **options)
        assert files_of(small / "out") == files_of(tmp_path / "whole")
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_damaged_piece_is_made_again(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"runs": 5, "shard_size": 5, **SMALL}
    dataset.make(scene, tmp_path / "whole", **options)
    monkeypatch.setattr("rigid2d.core.study.executor.FLUSH", 0.0)

    def stop(progress: Any) -> None:
        if progress.done >= 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dataset.make(scene, tmp_path / "out", **options, on_progress=stop)
    pieces = sorted((tmp_path / "out" / "pieces").glob("*.zip"))
    assert pieces
    pieces[0].write_bytes(pieces[0].read_bytes()[:100])
    dataset.make(scene, tmp_path / "out", **options)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")


@pytest.mark.parametrize("damage", [b"[3]\n", b'{"run": 0, "status": "ok', b"\xff", b""])
def test_a_shard_whose_list_is_damaged_is_made_again(
    damage: bytes, scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"runs": 2, "shard_size": 1, **SMALL}
    out = tmp_path / "out"
    with monkeypatch.context() as held:
        held.setattr(DatasetStore, "finish", lambda self: None)  # ended before the last words
        with pytest.raises(UsageError, match="is not done"):
            dataset.make(scene, out, **options)
    (out / "pieces" / "train-000000.jsonl").write_bytes(damage)
    assert len(dataset.make(scene, out, **options)) == 2


def test_a_damaged_table_of_what_is_done_is_told(scene: Path, tmp_path: Path) -> None:
    dataset.make(scene, tmp_path / "out", runs=1, **SMALL)
    (tmp_path / "out" / "runs.jsonl").write_bytes(b'{"run": 0, "sta')
    with pytest.raises(UsageError, match=r"runs\.jsonl: is damaged: .*take the data set away"):
        dataset.make(scene, tmp_path / "out", runs=1, **SMALL)


# ---------------------------------------------------------------- what goes wrong


def test_a_run_that_fails_is_told_of_and_the_others_are_there(tmp_path: Path) -> None:
    text = SCENE + "study: {vary: {vars.height: [2, 1e40]}}\n"
    made = dataset.make("hop", tmp_path / "out", runs=8, source=text, **SMALL)
    bad = [each for each in made.runs if each["status"] != "ok"]
    assert 0 < len(bad) < 8
    assert made.failures == len(bad)
    assert len(list(made)) == 8 - len(bad)
    assert all(each["message"] for each in bad)
    assert f"{len(bad)} more failed" in (tmp_path / "out" / "README.md").read_text()


def test_another_data_set_in_the_same_folder_is_refused(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    dataset.make(scene, out, runs=2, what=["state"])
    for change, message in (
        ({"runs": 1, "what": ["state"]}, "sample` was changed .random 2 -> random 1"),
        ({"runs": 2, "what": ["state", "events"]}, "another what .--what: state -> state,events"),
        ({"runs": 2, "what": ["state"], "fps": 7}, "another fps"),
        ({"runs": 2, "what": ["state"], "overrides": ["vars.height=3"]}, "vars.height: 2 -> 3"),
    ):
        options: dict[str, Any] = change
        with pytest.raises(UsageError, match=message):
            dataset.make(scene, out, **options)


def test_a_folder_with_other_files_is_left_alone(scene: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match=r"'thesis.tex' and no data set"):
        dataset.make(scene, tmp_path / "out", runs=1)
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["thesis.tex"]


def test_two_programs_do_not_work_in_one_folder(scene: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with (
        folder_lock(tmp_path / "out"),
        pytest.raises(UsageError, match="another `rigid dataset` is at work"),
    ):
        dataset.make(scene, tmp_path / "out", runs=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "--runs"),
        ({"runs": 1, "what": []}, "at least one of"),
        ({"runs": 1, "what": ["mask"]}, "did you mean 'masks'"),
        ({"runs": 1, "format": "tar"}, "folder"),
        ({"runs": 1, "size": (8, 8)}, "16 to 8192"),
        ({"runs": 1, "fps": 0}, "fps"),
        ({"runs": 1, "splits": (0.5, 0.4)}, "make 1"),
        ({"runs": 1, "splits": (0.25, 0.25, 0.25, 0.25)}, "train, val, test"),
        ({"runs": 1, "video": True, "what": ["state"]}, "no frames"),
        ({"runs": 1, "coco": True, "format": "webdataset"}, "--format folder"),
        ({"runs": 1, "shard_size": 0}, "shard_size"),
        ({"runs": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_made_is_refused_before_anything_is_there(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        dataset.make("hop", tmp_path / "out", source=SCENE, **options)
    assert not (tmp_path / "out").exists()


def test_the_card_and_the_description_tell_of_every_array(scene: Path, tmp_path: Path) -> None:
    made = dataset.make(scene, tmp_path / "out", runs=1, **SMALL)
    told = json.loads((tmp_path / "out" / "dataset.json").read_text())["arrays"]
    card = (tmp_path / "out" / "README.md").read_text()
    run = made[0]
    assert set(told) == set(run.arrays) != set()
    sizes = {"frame": 5, "body": 3, "contact": len(run["contact_frame"])}
    for name, each in told.items():
        assert run[name].dtype == each["type"]
        assert run[name].shape == tuple(sizes.get(size, size) for size in each["shape"])
        assert f"| `{name}` |" in card


def test_pieces_are_gone_in_the_end(scene: Path, tmp_path: Path) -> None:
    dataset.make(scene, tmp_path / "out", runs=3, shard_size=2, what=["state"])
    there = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert there == ["README.md", "dataset.json", "runs.jsonl", "train-000000", "train-000001"]


def test_tables_without_pyarrow_name_the_extra(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"Parquet files need pyarrow.*'rigid2d\[study\]'"):
        dataset.make(scene, tmp_path / "out", runs=2, format="parquet", **SMALL)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["folder", "webdataset"])
def test_a_data_set_grows_by_more_runs(form: str, scene: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        **{"size": (32, 24), "fps": 5, "shard_size": 2, "format": form, "splits": (0.5, 0.5)},
        "coco": form == "folder",
    }
    small = dataset.make(scene, tmp_path / "out", runs=5, **options)
    before = files_of(tmp_path / "out")
    splits = {run.number: run.split for run in small}
    grown = dataset.make(scene, tmp_path / "out", runs=9, **options)
    after = files_of(tmp_path / "out")
    shards = [name for name in before if name.startswith(("train", "val"))]
    assert all(after[name] == before[name] for name in shards)
    assert [run.number for run in grown] == list(range(9))
    assert {run.number: run.split for run in grown if run.number < 5} == splits
    assert [each["runs"] for each in grown.description["splits"].values()] == [4, 5]
    whole = dataset.make(scene, tmp_path / "whole", runs=9, **options)
    for one, other in zip(grown, whole, strict=True):
        assert one.parameters == other.parameters
        np.testing.assert_array_equal(one["pose"], other["pose"])
    assert files_of(tmp_path / "out") == after
    dataset.make(scene, tmp_path / "out", runs=9, **options)
    assert files_of(tmp_path / "out") == after
    if options["coco"]:
        assert counted(tmp_path / "out") == counted(tmp_path / "whole")


def counted(folder: Path) -> int:
    told = [json.loads(file.read_text()) for file in (folder / "annotations").glob("*.json")]
    return sum(len(each["annotations"]) for each in told)
