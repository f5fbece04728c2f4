# SPDX-License-Identifier: MIT
"""Reads one run of a shard, in each format.

A source opens its file for each run and closes it again, so that processes and threads share no
place in a file. It remembers where the runs of a shard are, and nothing else; a pickle of it does
not even have that.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..storage import LocalFiles, StoredCopies
from ..study.tables import need_pyarrow
from .archive import places, unpack
from .run import Run

Facts = Mapping[str, Any]


class Source(Protocol):
    """The shards of a data set."""

    def read(self, facts: Facts, key: str) -> Run:
        """The run of an entry of ``runs.jsonl``, with its name."""


class _Places:
    """Remembers something about each shard. A pickle forgets it."""

    def __init__(self, files: LocalFiles | StoredCopies, description: Mapping[str, Any]) -> None:
        self.files = files
        self.description = description
        self.known: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "known": {}}


class FolderSource(_Places):
    """A folder for each run."""

    def read(self, facts: Facts, key: str) -> Run:
        folder = self.files.all_at(f"{facts['shard']}/{key}")
        return _run(facts, {file.name: file.read_bytes() for file in folder.iterdir()})


class TarSource(_Places):
    """Tar archives: the files of a run follow each other, and are read at once."""

    def read(self, facts: Facts, key: str) -> Run:
        path = self.files.at(f"{facts['shard']}.tar")
        if path.name not in self.known:
            self.known[path.name] = places(path)
        begin, end = self.known[path.name][key]
        with path.open("rb") as file:
            file.seek(begin)
            packed = file.read(end - begin)
        if len(packed) < end - begin:
            raise tarfile.ReadError("the archive is cut off")
        return _run(facts, dict(unpack(packed, key)))


class TableSource(_Places):
    """Parquet files, in which each run is a group of rows of its own."""

    def read(self, facts: Facts, key: str) -> Run:
        parquet = need_pyarrow("data sets in Parquet files need").parquet
        name = f"{facts['shard']}.parquet"
        if name not in self.known:
            with parquet.ParquetFile(self.files.at(name)) as file:
                runs = file.read(["run"], use_threads=False)["run"].to_pylist()
                if file.num_row_groups != len(runs):
                    raise UsageError(
                        f"{self.files.address}/{name}: each run needs a group of rows of its own"
                    )
                self.known[name] = file.metadata, {run: i for i, run in enumerate(runs)}
        metadata, groups = self.known[name]
        with parquet.ParquetFile(self.files.at(name), metadata=metadata) as file:
            table = file.read_row_group(groups[facts["run"]], use_threads=False)
        listed = self.description["arrays"]
        arrays = {name: _array(table[name], each) for name, each in listed.items()}
        row = table.select([each for each in table.column_names if each not in listed])
        told = row.to_pylist()[0]
        told |= json.loads(told.get("things") or "{}")
        files = {
            f"{kind}.{i:05d}.png": data
            for kind in ("frame", "mask")
            for i, data in enumerate(told.get(kind) or ())
        }
        if "video" in told:
            files["frames.mp4"] = told["video"]
        return Run(facts, told, arrays, files)


SOURCES: Mapping[str, type[_Places]] = {
    "folder": FolderSource,
    "webdataset": TarSource,
    "parquet": TableSource,
}


def source_of(files: LocalFiles | StoredCopies, description: Mapping[str, Any]) -> Source:
    """The source of a data set. Raises KeyError for an unknown format."""
    found: Any = SOURCES[str(description["dataset"]["format"])](files, description)
    source: Source = found
    return source


def _run(facts: Facts, files: Mapping[str, bytes]) -> Run:
    with np.load(BytesIO(files["arrays.npz"])) as arrays:
        return Run(facts, json.loads(files["run.json"]), dict(arrays), files)


def _array(column: Any, each: Mapping[str, Any]) -> NDArray[Any]:
    """The array in a column of nested lists of one row, of which the last sizes are known where
    there are no rows."""
    values = column.combine_chunks()
    sizes: list[int] = []
    count = 1
    for named in each["shape"]:
        values = values.flatten()
        known = named if isinstance(named, int) else 0
        sizes.append(len(values) // count if count else known)
        count *= sizes[-1]
    array = values.to_numpy(zero_copy_only=False).astype(each["type"])
    return np.array(array.reshape(sizes))
