# SPDX-License-Identifier: MIT
"""Reading ends soon and in little memory, whatever the files are."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core.errors import SceneError, UsageError
from rigid2d.core.jobs.gallery_record import read_record
from rigid2d.core.record import Trace
from rigid2d.core.record.snapshot import read_snapshot
from rigid2d.core.scene import limits, load, loads

Command = Callable[..., subprocess.CompletedProcess[bytes]]
ENDLESS = Path("/dev/zero")


def sparse(path: Path, size: int = 3 << 30) -> Path:
    """A file of many bytes that takes no room."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


@pytest.fixture(params=["endless", "huge", "silent"])
def bottomless(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What has no end, too many bytes, or never begins."""
    if request.param == "endless":
        return ENDLESS
    return sparse(tmp_path / "huge") if request.param == "huge" else pipe(tmp_path / "pipe")


def test_a_scene_without_an_end_is_refused(bottomless: Path) -> None:
    with pytest.raises(SceneError, match=r"limit is 8 MiB|nobody writes"):
        load(bottomless)


def test_a_snapshot_without_an_end_is_refused(bottomless: Path) -> None:
    with pytest.raises(UsageError, match=r"limit is 64 MiB|nobody writes"):
        read_snapshot(bottomless)


def test_a_trace_without_an_end_is_refused(bottomless: Path) -> None:
    with pytest.raises(UsageError, match=r"limit is 256 MiB|nobody writes"):
        Trace.load(str(bottomless))


def test_a_record_of_a_gallery_that_is_huge_is_refused(tmp_path: Path) -> None:
    sparse(tmp_path / "gallery.json")
    with pytest.raises(UsageError, match="limit is 8 MiB"):
        read_record(tmp_path)


def test_an_included_file_that_is_huge_is_refused(tmp_path: Path) -> None:
    sparse(tmp_path / "part.yaml")
    (tmp_path / "scene.yaml").write_text("rigid: 1\ninclude: [part.yaml]\n")
    with pytest.raises(SceneError, match="limit is 8 MiB") as caught:
        load(tmp_path / "scene.yaml")
    assert [problem.kind for problem in caught.value.problems] == ["limit"]


def test_pipes_and_devices_in_a_folder_are_passed_over(
    ball: Path, tmp_path: Path, command: Command
) -> None:
    pipe(tmp_path / "a.yaml")
    (tmp_path / "z.yaml").symlink_to(ENDLESS)
    done = command("validate", tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"a.yaml" not in done.stderr or b"skipped" in done.stderr


def test_a_scene_comes_through_a_named_pipe(ball: Path, tmp_path: Path) -> None:
    path = pipe(tmp_path / "pipe")
    with subprocess.Popen(["/bin/sh", "-c", 'cat "$0" > "$1"', ball, path]):
        assert list(load(path).bodies) == ["ground", "ball", "bob"]


# ---------------------------------------------------------------- what files claim

SNAPSHOT = "rigid snapshot 2\nengine 1\nscene 0\nname n\ndt {dt}\nsteps {steps}\n{rest}"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"steps": 10**12}, r":6: expected 1 to 10000000 steps"),
        ({"steps": "9" * 5000}, r":6: expected a whole number"),
        ({"dt": "nan"}, r":5: expected a length of time"),
        ({"rest": "step 1 hash 0 " + "[" * 100_000}, r":7: a list of bodies does not end"),
        ({"rest": "step 1 hash " + "f" * 17}, r":7: expected a hash"),
        ({"rest": "\n" * (limits.SNAPSHOT_LINES + 1)}, r"more lines"),
    ],
)
def test_a_snapshot_that_claims_the_impossible_is_refused(
    values: dict[str, object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.snapshot"
    path.write_text(SNAPSHOT.format(**{"dt": 0.1, "steps": 1, "rest": "", **values}))
    with pytest.raises(UsageError, match=message):
        read_snapshot(path)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A stored trace of two rows."""
    path = tmp_path / "a.npz"
    Trace(("a.x",), np.zeros(2), np.arange(2), np.ones((2, 1))).save(str(path))
    return path


def replace_member(path: Path, name: str, content: bytes) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    members[name] = content
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, data in members.items():
            archive.writestr(each, data)


def array(values: object) -> bytes:
    packed = BytesIO()
    np.lib.format.write_array(packed, np.asarray(values))
    return packed.getvalue()


def meta(**values: object) -> bytes:
    whole = {"format": "rigid trace 1", "channels": ["a.x"], "scene_name": "", "scene_hash": ""}
    return array(json.dumps({**whole, "dt": 1, "centers": {}, "removed": {}, "broken": {},
                             "events": [], **values}))  # fmt: skip


def claiming(shape: str) -> bytes:
    """An array that says that it has another shape than it has."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(16)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.npy", claiming("(1000000000000,)")),
        ("t.npy", claiming("(-2,)")),
        ("t.npy", bytes(limits.TRACE_BYTES + 1)),
        ("t.npy", array([1.0, 2.0, 3.0])),
        ("t.npy", array(1.0)),
        ("step.npy", array(["a", "b"])),
        ("step.npy", array(3)),
        ("a.x.npy", b""),
        ("a.x.npy", array([1j, 2j])),
        ("meta.npy", array("[" * 100_000)),
        ("meta.npy", array("null")),
        ("meta.npy", meta(centers=[])),
        ("meta.npy", meta(centers={"a": 1})),
        ("meta.npy", meta(removed={"a": "x"})),
        ("meta.npy", meta(channels=[["a"]])),
        ("meta.npy", meta(dt={})),
        ("meta.npy", meta(events=3)),
    ],
)
def test_a_damaged_trace_is_a_usage_error(stored: Path, name: str, content: bytes) -> None:
    replace_member(stored, name, content)
    with pytest.raises(UsageError, match=r"a\.npz: is not a trace"):
        Trace.load(str(stored))


def test_a_trace_with_any_byte_changed_is_read_or_refused(stored: Path) -> None:
    whole = stored.read_bytes()
    refused = 0
    for position in range(len(whole)):
        damaged = bytearray(whole)
        damaged[position] ^= 0xFF
        stored.write_bytes(damaged)
        try:
            Trace.load(str(stored))
        except UsageError:
            refused += 1
    assert refused > len(whole) // 2


@pytest.mark.parametrize(
    "stored",
    ["[" * 100_000, '{"scenes": {"a": {"size": [Infinity, 1]}}}', "\x00", "[]", '{"scenes": 3}',
     '{"scenes": {}, "unfinished": ["\\ud800"]}', '{"scenes": {}, "unfinished": [1e999]}',
     '{"scenes": {"a": {"digest": "", "movie": "a", "poster": "b", "size": [Infinity, 1],'
     ' "paper": "", "seconds": 1, "bytes": 1, "checks": [1, 1]}}}'],
)  # fmt: skip
def test_a_corrupt_record_of_a_gallery_is_a_usage_error(stored: str, tmp_path: Path) -> None:
    (tmp_path / "gallery.json").write_text(stored)
    with pytest.raises(UsageError, match="is not the record of a gallery"):
        read_record(tmp_path)


@pytest.mark.parametrize("name", ["b/" * 3000, "a" * 300, "loop.yaml"])
@pytest.mark.parametrize("way", ["include: [{}]", "prototypes: {{p: {{file: {}}}}}"])
def test_a_file_in_a_folder_may_name_what_cannot_be(tmp_path: Path, name: str, way: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "sub/part.yaml").write_text(way.format(name))
    with pytest.raises(SceneError, match="there is no file") as caught:
        loads("rigid: 1\ninclude: [sub/part.yaml]\n", folder=tmp_path)
    assert caught.value.problems[0].file == "sub/part.yaml"
