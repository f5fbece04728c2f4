# SPDX-License-Identifier: MIT
from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.record import (
    Checkpoint,
    Snapshot,
    compare_snapshots,
    read_snapshot,
    write_snapshot,
)
from rigid2d.core.record.snapshot import State, checkpoint_steps, format_snapshot

from tests.rows import every_row

STATE: State = (1 / 3, -0.0, 1e-300, 0.10000000149011612, -1e300, 2.0)
LINES = format_snapshot(
    Snapshot("0.1.0", "abc", "Two  objects", 1 / 60, 20, (Checkpoint(10, 0xFE, {"ball": STATE}),))
).splitlines()


@pytest.fixture
def snapshot() -> Snapshot:
    def checkpoint(step: int) -> Checkpoint:
        return Checkpoint(step, 0xABC + step, {"ball": STATE, "box[0,1]": STATE, 'a "b"': STATE})

    return Snapshot("0.1.0", "abc", "Test", 1 / 60, 20, (checkpoint(10), checkpoint(20)))


def changed(snapshot: Snapshot, step: int, name: str, state: State | None) -> Snapshot:
    """The snapshot with one body at one step in another state, or absent."""
    checkpoints = []
    for checkpoint in snapshot.checkpoints:
        if checkpoint.step >= step:
            bodies = {**checkpoint.bodies}
            if state is None:
                del bodies[name]
            else:
                bodies[name] = state
            checkpoint = Checkpoint(checkpoint.step, checkpoint.hash ^ 1, bodies)
        checkpoints.append(checkpoint)
    return dataclasses.replace(snapshot, checkpoints=tuple(checkpoints))


def test_a_snapshot_reads_back_exactly(tmp_path: Path, snapshot: Snapshot) -> None:
    path = tmp_path / "s.snapshot"
    write_snapshot(path, snapshot)
    again = read_snapshot(path)
    assert again == snapshot
    assert math.copysign(1, again.checkpoints[0].bodies["ball"][1]) == -1


def test_the_file_is_text_with_a_line_per_body() -> None:
    assert LINES[:6] == [
        "rigid snapshot 1",
        "engine 0.1.0",
        "scene abc",
        "name Two objects",
        "dt 0.016666666666666666",
        "steps 20",
    ]
    assert LINES[7] == "step 10 hash 00000000000000fe"
    assert LINES[8].startswith("ball 0.3333333333333333 -0.0 1e-300 ")


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, "rigid picture 1", "first line should be 'rigid snapshot 1'"),
        (2, "motor 0.1.0", "expected 'engine ...'"),
        (5, "dt fast", "expected a number, found 'fast'"),
        (6, "steps 2.5", "expected a whole number"),
        (8, "step ten hash 0", "expected a whole number, found 'ten'"),
        (8, "step 10 hash xyz", "expected a hash"),
        (8, "ball 0 0 0 0 0 0", "before the first 'step N hash H'"),
        (9, "ball 1 2 3", "6 numbers"),
        (9, "ball 1 2 3 4 5 six", "found 'six'"),
        (9, '"ball 1 2 3 4 5 6', "quoted name does not end"),
        (9, "step 10 hash 00", "step 10 follows step 10"),
    ],
)
def test_a_malformed_file_is_named_with_its_line(
    tmp_path: Path, line: int, text: str, message: str
) -> None:
    path = tmp_path / "s.snapshot"
    lines = [*LINES]
    lines[line - 1] = text
    path.write_text("\n".join(lines))
    with pytest.raises(UsageError, match=rf"s\.snapshot:{line}: .*{message}"):
        read_snapshot(path)


def test_a_short_absent_or_binary_file_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "s.snapshot"
    path.write_text("rigid snapshot 1\nengine 0.1.0")
    with pytest.raises(UsageError, match=r"s\.snapshot:3: expected 'scene"):
        read_snapshot(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"s\.snapshot:1: .*UTF-8"):
        read_snapshot(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_snapshot(tmp_path / "absent")


def test_a_body_listed_twice_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "s.snapshot"
    path.write_text("\n".join([*LINES, "ball 0 0 0 0 0 0"]))
    with pytest.raises(UsageError, match=r":10: body 'ball' is listed twice in step 10"):
        read_snapshot(path)


def test_equal_snapshots_have_no_difference(snapshot: Snapshot) -> None:
    assert compare_snapshots(snapshot, snapshot) is None


def test_the_first_step_and_the_bodies_that_went_apart_are_named(snapshot: Snapshot) -> None:
    moved = (STATE[0] + 0.5, *STATE[1:])
    difference = compare_snapshots(snapshot, changed(snapshot, 20, "ball", moved))
    assert difference is not None
    assert difference.step == 20
    assert [body.name for body in difference.bodies] == ["ball"]
    assert difference.bodies[0].change["x"] == pytest.approx(0.5)
    assert "step 20" in str(difference)
    assert "ball: x by +0.5" in str(difference)


def test_the_body_that_went_farthest_comes_first(snapshot: Snapshot) -> None:
    near = changed(snapshot, 10, "ball", (STATE[0] + 1e-3, *STATE[1:]))
    both = changed(near, 10, "box[0,1]", (STATE[0] + 1.0, *STATE[1:]))
    both = dataclasses.replace(
        both, checkpoints=tuple(dataclasses.replace(c, hash=1) for c in both.checkpoints)
    )
    difference = compare_snapshots(snapshot, both)
    assert difference is not None
    assert [body.name for body in difference.bodies] == ["box[0,1]", "ball"]


def test_a_tolerance_forgives_what_is_within_it(snapshot: Snapshot) -> None:
    other = changed(snapshot, 10, "ball", (STATE[0] + 1e-6, *STATE[1:]))
    assert compare_snapshots(snapshot, other, tolerance=1e-5) is None
    assert compare_snapshots(snapshot, other, tolerance=1e-7) is not None
    assert compare_snapshots(snapshot, other) is not None


def test_a_value_that_is_not_a_number_is_beyond_any_tolerance(snapshot: Snapshot) -> None:
    other = changed(snapshot, 10, "ball", (math.nan, *STATE[1:]))
    difference = compare_snapshots(snapshot, other, tolerance=1e9)
    assert difference is not None
    assert difference.bodies[0].largest == math.inf


def test_a_missing_body_is_a_difference(snapshot: Snapshot) -> None:
    difference = compare_snapshots(snapshot, changed(snapshot, 10, "ball", None), tolerance=1.0)
    assert difference is not None
    assert "ball: is not in the new state" in str(difference)


def test_hashes_that_differ_alone_are_a_difference_unless_a_tolerance_is_given(
    snapshot: Snapshot,
) -> None:
    other = changed(snapshot, 10, "ball", STATE)
    assert compare_snapshots(snapshot, other) is not None
    assert compare_snapshots(snapshot, other, tolerance=1e-12) is None


def test_a_missing_checkpoint_is_a_difference(snapshot: Snapshot) -> None:
    short = dataclasses.replace(snapshot, checkpoints=snapshot.checkpoints[:1], steps=10)
    difference = compare_snapshots(snapshot, short)
    assert difference is not None
    assert difference.step == 20
    assert "new snapshot has no checkpoint" in str(difference)
    assert "there were 20 steps and are 10" in str(difference)


def test_headers_that_differ_are_noted(snapshot: Snapshot) -> None:
    other = dataclasses.replace(changed(snapshot, 10, "ball", None), scene="xyz", engine="9", dt=1)
    difference = compare_snapshots(snapshot, other)
    assert difference is not None
    assert len(difference.notes) == 3


@every_row(
    ("steps", "expected"), [(0, (0,)), (3, (1, 2, 3)), (20, tuple(range(2, 21, 2))), (25, None)]
)
def test_checkpoints_are_spread_and_end_with_the_last_step(
    steps: int, expected: tuple[int, ...] | None
) -> None:
    points = checkpoint_steps(steps)
    assert points[-1] == steps
    assert len(points) <= 11
    if expected is not None:
        assert points == expected


@every_row(
    ("cut", "says"),
    [
        (lambda text: text[:-2], "is cut short: its last line does not end"),
        (lambda text: text.partition("step ")[0], "is cut short: it has no 'step N hash H'"),
    ],
)
def test_a_file_that_is_cut_short_is_refused(tmp_path: Path, cut, says: str) -> None:
    file = tmp_path / "a.snapshot"
    file.write_text(cut("\n".join(LINES) + "\n"))
    with pytest.raises(UsageError, match=says):
        read_snapshot(file)


def test_line_ends_of_windows_are_read(tmp_path: Path, snapshot: Snapshot) -> None:
    for packed in (snapshot, dataclasses.replace(snapshot, inputs={"vars.n": "2"})):
        file = tmp_path / "a.snapshot"
        file.write_bytes(format_snapshot(packed).replace("\n", "\r\n").encode())
        assert read_snapshot(file) == packed
