# SPDX-License-Identifier: MIT
"""Reads a data set in any of its formats, run by run and in any order."""

from __future__ import annotations

import json
import operator
import random
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, overload

from ..arguments import checked, named, optional, text, whole
from ..errors import UnknownNameError, UsageError, unknown_name
from ..record.data_frames import need_pandas
from ..storage import files_of, is_address
from ..viewers import view
from .run import Run
from .sources import source_of

DESCRIPTION = "dataset.json"
LARGEST_SEED = 2**63


class PlaceError(UsageError, IndexError):
    """A place that a data set does not have; also an IndexError."""


class Dataset(Sequence[Run]):
    """An existing data set, a sequence of its runs that did not fail.

    ``dataset[0]`` to ``dataset[len(dataset) - 1]`` are runs, a slice is a part of the data set,
    which is a Dataset too. Nothing is open between two reads, so that processes and threads may
    read the same one, whether forked, spawned or pickled.

    Attributes:
        address: its folder, as it was named: a path, or an address such as `s3://bucket/name`.
        description: the content of ``dataset.json``: arrays with types and units, splits, scene.
        runs: the entries of ``runs.jsonl``, including failed runs.
    """

    @checked(path=named)
    def __init__(self, path: str | Path) -> None:
        """Open the folder of a finished data set; raise UsageError if there is none."""
        self._files = files_of(path)
        self.address = self._files.address
        try:
            told = self._files.at(DESCRIPTION).read_text(encoding="utf-8")
            self.description: dict[str, Any] = json.loads(told)
            if not self.description["complete"]:
                raise UsageError(f"{path}: is not done; the command that began it goes on with it")
            lines = self._files.at("runs.jsonl").read_text(encoding="utf-8").splitlines()
            self.runs: list[dict[str, Any]] = [json.loads(line) for line in lines]
            self._source = source_of(self._files, self.description)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"{path}: holds no data set that is done ({error}); `rigid dataset` makes one"
            ) from None
        self._width = max(6, len(str(len(self.runs) - 1)))
        self._take(self.runs)

    def _take(self, runs: list[dict[str, Any]]) -> Dataset:
        self.runs = runs
        self._good = [each for each in runs if each["status"] == "ok"]
        self._place = {each["run"]: i for i, each in enumerate(self._good)}
        return self

    @property
    def path(self) -> Path:
        """Its folder; for an address a folder here, with copies of what was read."""
        return self._files.folder

    def __repr__(self) -> str:
        return f"Dataset({self.address!r}: {len(self):,} runs)"

    def _repr_html_(self) -> str:
        html: str = view("notebook of a data set", self)
        return html

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each run, failed ones too, by its number: its
        split, its status, its vars and its varied values. Raises UsageError where pandas is
        missing."""
        rows = [
            {
                **{name: each[name] for name in ("run", "split", "status", "message", "frames")},
                **{f"vars.{name}": value for name, value in each.get("vars", {}).items()},
                **each["parameters"],
            }
            for each in self.runs
        ]
        return need_pandas().DataFrame(rows).set_index("run")

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits."""
        return tuple(self.description["splits"])

    @property
    def failures(self) -> int:
        """Number of failed runs, which the data set lacks."""
        return len(self.runs) - len(self._good)

    def __len__(self) -> int:
        """Number of runs without the failed ones."""
        return len(self._good)

    def __iter__(self) -> Iterator[Run]:
        return (self._read(each) for each in self._good)

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> Dataset: ...
    def __getitem__(self, place: int | slice) -> Run | Dataset:
        """The run at a place, from 0, or from the end below 0; a slice is a part. Raises
        UsageError, also an IndexError, for a place beyond the last."""
        if isinstance(place, slice):
            return copy(self)._take(self._good[place])
        try:
            found = self._good[operator.index(place)]
        except TypeError:
            raise UsageError(
                f"a data set has runs at whole numbers and slices, not at {place!r}; "
                "`split(NAME)` is a part by its name"
            ) from None
        except IndexError:
            raise PlaceError(
                f"{self.address}: there is no run at {place}; it has {len(self):,} runs"
            ) from None
        return self._read(found)

    @checked(number=whole(0))
    def numbered(self, number: int) -> Run:
        """The run with this number, ``run.number``. Raises UnknownNameError (a KeyError) for a
        failed run."""
        if number not in self._place:
            raise UnknownNameError(f"{self.address}: there is no run {number!r}")
        return self._read(self._good[self._place[number]])

    def split(self, name: str) -> Dataset:
        """The part that is a split."""
        if name not in self.splits:
            raise unknown_name("split", name, self.splits)
        return copy(self)._take([each for each in self.runs if each["split"] == name])

    @checked(seed=whole(-LARGEST_SEED, LARGEST_SEED))
    def shuffled(self, seed: int) -> Dataset:
        """The same runs in another order, which follows from the seed."""
        order = list(self._good)
        random.Random(seed).shuffle(order)
        return copy(self)._take(order)

    @checked(split=optional(text), base=optional(text))
    def shards(self, split: str | None = None, base: str | None = None) -> list[str]:
        """The shards of a split, or all of them: paths, or addresses below ``base`` or where the
        data set is, as webdataset takes them."""
        if split is not None and split not in self.splits:
            raise unknown_name("split", split, self.splits)
        names = [
            shard
            for name, each in self.description["splits"].items()
            for shard in each["shards"]
            if split in (None, name)
        ]
        if base is None:
            if not is_address(self.address):
                return [str(self.path / name) for name in names]
            base = self.address
        return [f"{base.rstrip('/')}/{name}" for name in names]

    def _read(self, facts: Mapping[str, Any]) -> Run:
        try:
            return self._source.read(facts, f"{facts['run']:0{self._width}d}")
        except (OSError, ValueError, KeyError, tarfile.TarError) as error:
            where = f"{self.address}/{facts['shard']}"
            raise UsageError(f"{where}: run {facts['run']} cannot be read: {error}") from None


@checked(path=named)
def open(path: str | Path) -> Dataset:
    """Open the folder of a finished data set; raise UsageError if there is none."""
    return Dataset(path)
