# SPDX-License-Identifier: MIT
"""The folder of a study: shards while it runs, one table when it is done.

A shard is a Parquet file with the rows of some runs. It is written under another name, synchronised
and renamed, so that it is complete or absent in any case; kept files of runs are
written before the shard that lists them. Seconds, which always differ, have their own
table, so that all other files are the same byte for byte after any interruptions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..jobs.interrupts import interrupts_held
from ..reading import read_bytes
from ..record.atomic import atomic_file, cannot_be_written
from ..record.folder_lock import folder_lock
from ..record.inputs import inputs_of, refuse_inputs_in
from ..unfinished import discard
from .changes import difference
from .plan import StudyPlan
from .results import PLAN, RESULTS, SECONDS
from .running import Done
from .tables import (
    OWN,
    DamagedError,
    as_parquet,
    collected,
    need_pyarrow,
    numbers_of_runs,
    parameters,
    read_parquet,
    table,
)

PAGE = "index.html"
SHARDS = "shards"
RUNS = "runs"
_LARGEST_PLAN = 256 << 20  # bytes
_PART = ".rigid-*.part"  # what a program that was killed leaves of a file


@contextmanager
def held(path: Path, verb: str) -> Iterator[None]:
    """Make a folder, and hold it for the block: no two programs work in it at once.

    Raises UsageError when another does, and when it cannot be written. ``verb`` names these.
    """
    Store.make(path)

    def refuse() -> None:
        raise UsageError(
            f"{path}: another `rigid {verb}` is at work in this folder; wait for it, or name "
            "another one with --out"
        )

    with folder_lock(path, refuse):
        yield


@contextmanager
def opened(path: Path, plan: StudyPlan) -> Iterator[Store]:
    """The folder of a study. Raises UsageError as ``held`` does, and when it holds another study or
    other files."""
    store = Store(path, plan)
    with held(path, "study"):
        store.begin()
        yield store


def discard_parts(*folders: Path) -> None:
    """Remove incomplete files of a killed program in folders."""
    for folder in folders:
        for part in folder.glob(_PART):
            discard(part)


class Store:
    """The folder of a study.

    Attributes:
        done: the numbers of the runs with stored rows.
        failures: the number of them that are not ok.
        damaged: unreadable shards, whose runs are repeated.
    """

    def __init__(self, path: Path, plan: StudyPlan) -> None:
        self.path = path
        self.plan = plan
        self.done: set[int] = set()
        self.failures = 0
        self.damaged: list[str] = []
        self._next = 0
        self._width = len(str(max(1, len(plan) - 1)))
        need_pyarrow()

    # ------------------------------------------------------------ beginning

    def begin(self) -> None:
        """Continue an existing study, or start a new one."""
        refuse_inputs_in(self.path, inputs_of(self.plan.scene))
        discard_parts(self.path, self.path / SHARDS, *(self.path / RUNS).glob("*"))
        for name in (PLAN, RESULTS, SECONDS, PAGE):
            file = self.path / name
            if os.path.lexists(file) and not file.is_file():  # a pipe would be written into
                raise UsageError(f"{file}: is no plain file, and no study's")
        written = self._read_plan()
        if written is None:
            self._refuse_others()
            self._write_plan()
        else:
            changed = difference(written, self.plan.description, self.plan.rows)
            if changed:
                raise UsageError(
                    f"{self.path}: holds another study: {changed}. Name another folder with --out, "
                    "or delete this one"
                )
            if written["runs"] < len(self.plan):
                self._grow(written["runs"])
        for number, rows in self._shards():
            self._next = max(self._next, number + 1)
            self._note(rows["run"].to_pylist(), rows["status"].to_pylist())
        if self.is_merged:
            self._note(*self._merged(len(self.plan)))

    def _write_plan(self) -> None:
        text = json.dumps(self.plan.description, indent=2, ensure_ascii=False) + "\n"
        self.write(self.path / PLAN, text.encode())

    def _grow(self, runs: int) -> None:
        """Have more runs than the ``runs`` there were: the table is a shard again."""
        if self.is_merged:
            self._merged(runs)
            pa = need_pyarrow()
            rows = read_parquet(self.path / RESULTS).select([n for n, _ in self._columns[:-1]])
            seconds = read_parquet(self.path / SECONDS)["seconds"]
            whole = rows.replace_schema_metadata(None).append_column("seconds", seconds)
            numbers = [int(each.stem) for each in (self.path / SHARDS).glob("*.parquet")]
            self.make(self.path / SHARDS)
            shard = self.path / SHARDS / f"{max(numbers, default=-1) + 1:06d}.parquet"
            self.write(shard, as_parquet(pa.table(whole)))
            for name in (RESULTS, SECONDS):
                (self.path / name).unlink(missing_ok=True)
        for folder in sorted((self.path / RUNS).glob("*")):
            if folder.name.isdecimal() and len(folder.name) < self._width:
                folder.rename(self.folder_of(int(folder.name)))
        self._write_plan()

    def _read_plan(self) -> dict[str, Any] | None:
        file = self.path / PLAN
        try:
            found = json.loads(read_bytes(file, _LARGEST_PLAN))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(
                f"{file}: cannot be read: {error}. Name another folder with --out"
            ) from None
        return found if isinstance(found, dict) else {}

    def _refuse_others(self) -> None:
        there = sorted(each.name for each in self.path.iterdir() if each.name != SHARDS)
        if there:
            raise UsageError(
                f"{self.path}: holds {there[0]!r} and no study; name a new or empty folder"
            )

    def _note(self, runs: Sequence[int], statuses: Sequence[str]) -> None:
        for run, status in zip(runs, statuses, strict=True):
            if run not in self.done:
                self.done.add(run)
                self.failures += status != "ok"

    @property
    def is_merged(self) -> bool:
        """Whether the merged table exists."""
        return (self.path / RESULTS).is_file() and (self.path / SECONDS).is_file()

    def pending(self) -> list[int]:
        """The remaining runs, in order."""
        return [run for run in range(len(self.plan)) if run not in self.done]

    # ------------------------------------------------------------ continuing

    def append(self, done: Sequence[Done]) -> None:
        """Write rows of runs and their kept files. Raise UsageError if the disk is full."""
        new = [each for each in done if each.run not in self.done]
        if not new:
            return
        rows = [
            [each.run, *each.collected, each.status, each.message, each.hash, each.seconds]
            for each in new
        ]
        try:
            with interrupts_held():
                for each in new:
                    self._keep(each)
                self.make(self.path / SHARDS)
                shard = self.path / SHARDS / f"{self._next:06d}.parquet"
                self.write(shard, as_parquet(table(self._columns, rows)))
                self._next += 1
                self._note([each.run for each in new], [each.status for each in new])
        except UsageError as error:
            raise UsageError(
                f"{error}. {len(self.done)} of {len(self.plan)} runs are kept; the same command "
                "goes on from there"
            ) from None

    def folder_of(self, run: int) -> Path:
        """Return the folder of a run's files."""
        return self.path / RUNS / f"{run:0{self._width}d}"

    def _keep(self, done: Done) -> None:
        if not done.files:
            return
        folder = self.folder_of(done.run)
        self.make(folder)
        for name, data in done.files.items():
            self.write(folder / name, data)

    @staticmethod
    def make(folder: Path) -> None:
        """Make a folder if it does not exist."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise UsageError(f"{folder}: is a file, and a folder is needed there") from None
        except OSError as error:
            raise cannot_be_written(folder, error) from None

    @staticmethod
    def write(path: Path, data: bytes | memoryview) -> None:
        """Write a file atomically and flush it to disk."""
        with atomic_file(path) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):  # a system where a folder cannot be opened
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    # ------------------------------------------------------------ ending

    @property
    def _columns(self) -> list[tuple[str, str]]:
        """Columns of a shard: names and types."""
        return [("run", "int64"), *collected(self.plan.study), *OWN, ("seconds", "float64")]

    @property
    def _merged_columns(self) -> list[tuple[str, str]]:
        """Columns of the table: names and types."""
        study = self.plan.study
        return [("run", "int64"), *parameters(study), *collected(study), *OWN]

    def _shards(self) -> Iterator[tuple[int, Any]]:
        """The shards in order, by number; delete a shard that cannot be read."""
        for file in sorted((self.path / SHARDS).glob("*.parquet")):
            try:
                rows = read_parquet(file, self._columns, len(self.plan))
                numbers_of_runs(rows, len(self.plan))
                number = int(file.stem)
            except (DamagedError, ValueError):
                self.damaged.append(str(file))
                discard(file)
                continue
            yield number, rows

    def _merged(self, runs: int) -> tuple[list[int], list[str]]:
        """Return the ``runs`` of the existing table, and their results."""
        file = self.path / RESULTS
        try:
            rows = read_parquet(file, self._merged_columns, runs)
            numbers = numbers_of_runs(rows, runs)
            if numbers != [*range(runs)]:
                raise DamagedError("runs are missing")
        except DamagedError as error:
            raise UsageError(
                f"{file}: is damaged: {error}. Delete it, and the same command does its runs again"
            ) from None
        return numbers, rows["status"].to_pylist()

    def merge(self) -> None:
        """Merge all shards into one table, in the order of the runs. All runs must be done."""
        pa = need_pyarrow()
        shards = [rows for _, rows in self._shards()]
        if self.is_merged and not shards:
            return
        if not self.is_merged:
            whole = pa.concat_tables(shards)
            first: dict[int, int] = {}
            for place, run in enumerate(whole["run"].to_pylist()):
                first.setdefault(run, place)
            whole = whole.take(pa.array([first[run] for run in range(len(self.plan))]))
            self.write(self.path / SECONDS, as_parquet(whole.select(["run", "seconds"])))
            results = self._with_parameters(whole.drop(["seconds"]))
            self.write(self.path / RESULTS, as_parquet(results))
        for file in (self.path / SHARDS).glob("*.parquet"):
            file.unlink(missing_ok=True)
        with suppress(OSError):
            (self.path / SHARDS).rmdir()

    def _with_parameters(self, rows: Any) -> Any:
        """Return the table with the varied values after the numbers of the runs."""
        varied = table(parameters(self.plan.study), self.plan.rows)
        for place, name in enumerate(varied.column_names):
            rows = rows.add_column(1 + place, name, varied[name])
        told = {"study": self.plan.description["study"], "runs": len(self.plan)}
        return rows.replace_schema_metadata({"rigid": json.dumps(told, ensure_ascii=False)})
