# SPDX-License-Identifier: MIT
"""The table of a finished study."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, named, text
from ..errors import UsageError, unknown_name
from ..record.data_frames import need_pandas
from ..storage import files_of
from ..viewers import view
from .picking import picked, read_pick
from .tables import DamagedError, need_pyarrow, read_parquet

RESULTS = "results.parquet"
SECONDS = "seconds.parquet"
PLAN = "study.json"


class Results:
    """The table of a study, a row for each run, in their order.

    ``results["range"]`` is a column as a NumPy array; missing numbers are nan, other missing
    values None. ``table`` and ``seconds`` are pyarrow's.

    Attributes:
        address: the study's folder, as it was named: a path, or an address such as
            `s3://bucket/name`.
    """

    @checked(path=named)
    def __init__(self, path: str | Path) -> None:
        """Open the folder of a finished study; raise UsageError if there is none."""
        self._files = files_of(path)
        self.address = self._files.address
        need_pyarrow()
        if not self._files.at(RESULTS).is_file():
            raise UsageError(f"{path}: holds no study that is done; `rigid study` makes one")

    @property
    def path(self) -> Path:
        """The study's folder; for an address a folder here, with copies of what was read."""
        return self._files.folder

    @cached_property
    def table(self) -> Any:
        """The columns: run, varied values, collected values, status, message, hash."""
        return self._read(RESULTS)

    @cached_property
    def seconds(self) -> NDArray[np.float64]:
        """[runs] wall-clock seconds of each run."""
        found = self._read(SECONDS)
        if found.num_rows != len(self) or "seconds" not in found.column_names:
            raise self._damaged(SECONDS, "it is of another study")
        return np.array(found["seconds"].to_pylist(), np.float64)

    @cached_property
    def study(self) -> dict[str, Any]:
        """Varied and collected quantities, as plain data."""
        metadata = self.table.schema.metadata or {}
        try:
            told: dict[str, Any] = json.loads(metadata.get(b"rigid", b""))["study"]
            names = [each["path"] for each in told["axes"]]
            names += [each["name"] for each in told["collect"]]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self._damaged(RESULTS, "it does not say what was studied") from None
        if not {*names, "run", "status"} <= {*self.table.column_names}:
            raise self._damaged(RESULTS, "columns are missing")
        return told

    @cached_property
    def plan(self) -> dict[str, Any]:
        """The content of ``study.json``: engine, scene, and what was varied and collected."""
        file = self._files.at(PLAN)
        try:
            found: dict[str, Any] = json.loads(file.read_text("utf-8"))
            if not (isinstance(found["study"], dict) and isinstance(found["scene"], dict)):
                raise ValueError("it has no plan")
        except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
            raise self._damaged(PLAN, error) from None
        return found

    def _read(self, name: str) -> Any:
        try:
            return read_parquet(self._files.at(name))
        except DamagedError as error:
            raise self._damaged(name, error) from None

    def _damaged(self, name: str, why: object) -> UsageError:
        return UsageError(f"{self.address}/{name}: is damaged: {why}")

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.table.column_names)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The columns that were varied."""
        return tuple(axis["path"] for axis in self.study["axes"])

    @property
    def collected(self) -> tuple[str, ...]:
        """The columns that were collected."""
        return tuple(each["name"] for each in self.study["collect"])

    @cached_property
    def failures(self) -> int:
        """Number of failed runs."""
        return sum(each != "ok" for each in self._statuses)

    def failed(self, count: int) -> list[dict[str, Any]]:
        """The first ``count`` of the rows that are not ok, as plain data."""
        numbers = [run for run, status in enumerate(self._statuses) if status != "ok"][:count]
        found: list[dict[str, Any]] = []
        for number in numbers:
            found += self.table.slice(number, 1).to_pylist()
        return found

    @property
    def _statuses(self) -> list[str]:
        if "status" not in self.table.column_names:
            raise self._damaged(RESULTS, "columns are missing")
        found: list[str] = self.table["status"].to_pylist()
        return found

    def __len__(self) -> int:
        """Number of runs."""
        return int(self.table.num_rows)

    def __iter__(self) -> Iterator[str]:
        """The names of the columns, as a mapping does."""
        return iter(self.columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column. Raises UnknownNameError, also a KeyError."""
        found = resolve(name, self.columns)
        column = self.table[found]
        kind = str(column.type)
        if kind == "double":
            values = [np.nan if each is None else each for each in column.to_pylist()]
            return np.array(values, np.float64)
        if kind == "int64" and not column.null_count:
            return np.asarray(column.to_numpy(), np.int64)
        if kind == "bool" and not column.null_count:
            return np.array(column.to_pylist(), np.bool_)
        return np.array(column.to_pylist(), dtype=object)

    def rows(self, count: int | None = None) -> list[dict[str, Any]]:
        """The rows, or the first ``count`` of them, as plain data."""
        part = self.table if count is None else self.table.slice(0, count)
        found: list[dict[str, Any]] = part.to_pylist()
        return found

    @checked(text=text)
    def pick(self, text: str) -> list[dict[str, Any]]:
        """The rows of ``top N by COLUMN`` or ``bottom N by COLUMN``, best first, as plain data."""
        largest, count, name = read_pick(text)
        column = resolve(name, self.columns)
        places = picked(self.table[column].to_pylist(), largest, count)
        found: list[dict[str, Any]] = self.table.take(places).to_pylist() if places else []
        return found

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each run, by its number; ``attrs`` has the study.
        Raises UsageError where pandas is missing."""
        need_pandas()
        frame = self.table.to_pandas().set_index("run")
        frame.attrs.clear()
        frame.attrs["study"] = self.study
        return frame

    def __repr__(self) -> str:
        return f"Results({self.address!r}: {len(self):,} runs, {self.failures:,} failed)"

    def _repr_html_(self) -> str:
        html: str = view("notebook of a study", self)
        return html


def resolve(name: str, columns: Sequence[str]) -> str:
    """Resolve a name to a column: by its full name, or by the part after a point."""
    if name in columns:
        return name
    ends = [each for each in columns if each.endswith(f".{name}")]
    if len(ends) == 1:
        return ends[0]
    if ends:
        raise UsageError(f"{name!r} may be {' or '.join(map(repr, ends))}; write it whole")
    raise unknown_name("column", name, columns)
