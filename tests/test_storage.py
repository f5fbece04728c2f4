# SPDX-License-Identifier: MIT
"""Studies and data sets at addresses of object storage: in fsspec's own in memory."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import dataset
from rigid2d.core.errors import UsageError
from rigid2d.core.storage import Bucket, FolderMirror, is_address, kept_in
from rigid2d.core.study.results import Results
from rigid2d.core.study.study import run_study

fsspec = pytest.importorskip("fsspec", reason="addresses need the extra `storage`")
pytest.importorskip("pyarrow", reason="studies need the extra `study`")

SCENE = """\
rigid: 1
vars: {speed: 1}
world: {duration: 0.1, gravity: [0, 0]}
bodies: {ball: {shape: {circle: 0.1}, velocity: [=speed, 0]}}
study: {vary: {vars.speed: [1, 2, 3]}, collect: {way: =ball.x}}
"""


@pytest.fixture
def address() -> Iterator[str]:
    files = fsspec.filesystem("memory")
    yield "memory://lab"
    files.rm("/lab", recursive=True) if files.exists("/lab") else None


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE)
    return file


def there() -> list[str]:
    return sorted(each.removeprefix("/lab/") for each in fsspec.filesystem("memory").find("/lab"))


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("s3://bucket/name", True), ("memory://x", True), ("out", False), ("C:/out", False)],
)
def test_an_address_has_a_protocol(name: str, is_one: bool) -> None:
    assert is_address(name) == is_one


def test_a_study_is_kept_at_an_address_and_goes_on_there(scene: Path, address: str) -> None:
    out = f"{address}/study"
    results = run_study(scene, out)
    names = ("index.html", "results.parquet", "seconds.parquet", "study.json")
    assert there() == [f"study/{name}" for name in names]
    assert repr(results) == "Results('memory://lab/study': 3 runs, 0 failed)"
    assert results["way"].tolist() == pytest.approx([0.1, 0.2, 0.3])
    grown: list[Any] = []
    more = {"vars.speed": [5, 6, 7]}
    with pytest.raises(UsageError, match=r"^memory://lab/study: holds another study"):
        run_study(scene, out, vary=more)
    run_study(scene, out, on_progress=grown.append)
    assert grown == []
    assert pickle.loads(pickle.dumps(Results(out))).rows() == results.rows()


@pytest.mark.parametrize("format", ["folder", "webdataset", "parquet"])
def test_a_data_set_grows_at_an_address_and_is_read_there(
    scene: Path, address: str, tmp_path: Path, format: str
) -> None:
    def make(out: str | Path, runs: int) -> dataset.Dataset:
        how: dict[str, Any] = {"format": format, "shard_size": 2, "what": ["state"]}
        return dataset.make(scene, out, runs=runs, **how)

    assert len(make(address, 3)) == 3
    grown = make(address, 9)
    make(tmp_path / "here", 3)
    beside = make(tmp_path / "here", 9)
    assert [run.number for run in grown] == [run.number for run in beside]
    for run, other in zip(pickle.loads(pickle.dumps(grown)), beside, strict=True):
        assert run.arrays.keys() == other.arrays.keys()
        assert all((run.arrays[name] == other.arrays[name]).all() for name in run.arrays)
    assert grown.shards()[0] == f"{address}/{Path(beside.shards()[0]).name}"
    files = [each.relative_to(beside.path).as_posix() for each in beside.path.rglob("*")]
    assert there() == sorted(name for name in files if (beside.path / name).is_file())


def test_what_does_not_exist_is_told_with_its_address(address: str, scene: Path) -> None:
    with pytest.raises(UsageError, match="memory://lab/none: holds no study"):
        Results(f"{address}/none")
    with pytest.raises(UsageError, match="memory://lab/none: holds no data set"):
        dataset.open(f"{address}/none")
    with pytest.raises(UsageError, match="gopher://hole: cannot be opened: Protocol not known"):
        run_study(scene, "gopher://hole")


def test_files_are_sent_before_those_that_say_that_they_are_whole(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    deleted: list[str] = []
    monkeypatch.setattr(Bucket, "send", lambda self, names, folder: sent.extend(names))
    monkeypatch.setattr(Bucket, "delete", lambda self, names: deleted.extend(names))
    mirror = FolderMirror(Bucket(address), tmp_path, ("dataset.json",))
    for name in ("dataset.json", "list.jsonl", "a.tar", ".rigid-1.part"):
        (tmp_path / name).touch()
        same = 10**18
        os.utime(tmp_path / name, ns=(same, same))
    mirror.send()
    assert sent == ["a.tar", "list.jsonl", "dataset.json"]
    (tmp_path / "a.tar").unlink()
    mirror.keep_up()
    assert deleted == []  # a moment ago
    monkeypatch.setattr(time, "monotonic", lambda: 1e18)
    mirror.keep_up()
    assert (len(sent), deleted) == (3, ["a.tar"])


def test_what_cannot_be_sent_is_kept_here(
    address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))

    def fail(self: Bucket, names: list[str], folder: Path) -> None:
        raise UsageError(f"{self.address}: cannot be written: no network")

    monkeypatch.setattr(Bucket, "send", fail)

    def work() -> None:
        with kept_in(address, ()) as (folder, _):
            (folder / "a").write_text("b")

    with pytest.raises(
        UsageError, match=r"no network\. The files that were not sent are"
    ) as caught:
        work()
    kept = next(tmp_path.iterdir())
    assert str(kept) in str(caught.value)
    assert (kept / "a").read_text() == "b"


def test_an_interrupted_program_leaves_no_folder(
    address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))

    def work() -> None:
        with kept_in(address, ()) as (folder, _):
            (folder / "a").write_text("b")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert list(tmp_path.iterdir()) == []
