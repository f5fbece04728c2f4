# SPDX-License-Identifier: MIT
from __future__ import annotations

import stat
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from rigid2d.core import Recorder, loads, simulate
from rigid2d.core.errors import UsageError
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Target
from rigid2d.core.record import atomic_file, write_csv, write_snapshot
from rigid2d.core.world import take_snapshot

Limit = Callable[[], AbstractContextManager[None]]


def test_a_file_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with atomic_file(target) as file:
        file.write(b"half")
        assert not target.exists()
        file.write(b" and half")
    assert target.read_bytes() == b"half and half"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


def test_a_failure_leaves_the_older_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_bytes(b"old")

    def write_half() -> None:
        with atomic_file(target) as file:
            file.write(b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert target.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    def interrupted() -> None:
        with atomic_file(tmp_path / "out.txt"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_with_the_files_name(tmp_path: Path, small_files: Limit) -> None:
    target = tmp_path / "out.txt"
    target.write_bytes(b"old")

    def write() -> None:
        with atomic_file(target) as file:
            file.write(bytes(100_000))

    with small_files(), pytest.raises(UsageError, match="cannot be written"):
        write()
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_does_not_exist_is_not_made(tmp_path: Path) -> None:
    scene = loads("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\nworld: {duration: 0.1}")
    trace, target = simulate(scene), tmp_path / "a" / "out"

    def write() -> None:
        with atomic_file(target):
            pass

    writers: list[Callable[[], object]] = [
        write,
        lambda: write_snapshot(target, take_snapshot(scene)),
        lambda: trace.save(target),
        lambda: write_csv(target, trace),
        lambda: simulate(scene, recorder=Recorder(scene, csv=target)),
        lambda: produce(scene, [Target("npz", target)]),
    ]
    for call in writers:
        with pytest.raises(UsageError, match=r"there is no folder .*/a; make it first"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    with atomic_file(tmp_path / "atomic"):
        pass
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "atomic")}
    assert len(modes) == 1


@pytest.mark.parametrize("name", ["", "file/below"])
def test_a_place_that_cannot_be_written_is_a_usage_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    target = tmp_path / name

    def write() -> None:
        with atomic_file(target):
            pass

    with pytest.raises(UsageError, match=str(target)):
        write()
