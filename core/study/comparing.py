# SPDX-License-Identifier: MIT
"""Compares two finished studies: their plans, and their runs with the same values."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import checked, named, real
from ..errors import UsageError
from .changes import changes, in_words
from .results import Results

FEW = 12


@dataclass(frozen=True, slots=True)
class ColumnDifference:
    """A collected column: in how many ``runs`` it differs, and the ``largest`` change of a number,
    new minus old, in the run ``where``; nan and -1 where no numbers differ."""

    name: str
    runs: int
    largest: float = math.nan
    where: int = -1

    def __str__(self) -> str:
        text = f"{self.name}: differs in {self.runs:,} runs"
        if self.where >= 0:
            text += f", most in run {self.where}, by {self.largest:+.6g}"
        return text


@dataclass(frozen=True, slots=True)
class StudyDifference:
    """The difference of two studies.

    Attributes:
        plan: changed values of their scenes, plans and engines, in words.
        shared: the number of runs with the same varied values in both.
        only_old, only_new: the number of runs that only one of them has.
        columns: the collected columns, ``status`` and ``hash`` that differ.
    """

    plan: tuple[str, ...]
    shared: int
    only_old: int
    only_new: int
    columns: tuple[ColumnDifference, ...]

    @property
    def same(self) -> bool:
        """Whether both have the same runs with the same results."""
        return not (self.columns or self.only_old or self.only_new)

    def __str__(self) -> str:
        lines = [f"{self.shared:,} runs have the same values in both"]
        for count, which in ((self.only_old, "old"), (self.only_new, "new")):
            if count:
                lines.append(f"{count:,} runs are only in the {which} study")
        lines += map(str, self.columns)
        if self.shared and not self.columns:
            lines.append("all of their results are the same")
        if self.plan:
            lines.append("their plans are not the same")
            lines += [f"  {each}" for each in self.plan[:FEW]]
            if len(self.plan) > FEW:
                lines.append(f"  and {len(self.plan) - FEW} more")
        return "\n".join(lines)


@checked(old=named, new=named, tolerance=real)
def compare_studies(old: str | Path, new: str | Path, tolerance: float = 0.0) -> StudyDifference:
    """Compare two folders of studies. Runs are matched by their varied values; numbers differ if
    they are more than ``tolerance`` apart."""
    a, b = Results(old), Results(new)
    plans = _plan(a), _plan(b)
    shared_paths = [path for path in a.parameters if path in b.parameters]
    if not shared_paths:
        raise UsageError(f"{old}, {new}: they vary nothing in common")
    places = [_places(each, shared_paths) for each in (a, b)]
    pairs = [(places[0][key], places[1][key]) for key in places[0] if key in places[1]]
    names = [name for name in (*a.collected, "status", "hash") if name in b.columns]
    columns = [_column(name, a, b, pairs, tolerance) for name in names]
    return StudyDifference(
        tuple(changes(*plans)),
        len(pairs),
        len(a) - len(pairs),
        len(b) - len(pairs),
        tuple(each for each in columns if each.runs),
    )


def _plan(results: Results) -> dict[str, Any]:
    """Engine, scene and plan of a study, to be compared."""
    told = results.plan
    words = {key: value for key, value in in_words(told["study"]).items() if value}
    return {"engine": told.get("rigid"), "scene": told["scene"].get("written") or {}, **words}


def _places(results: Results, paths: Sequence[str]) -> dict[str, int]:
    columns = [results.table[path].to_pylist() for path in paths]
    rows = zip(*columns, strict=True)
    seen: dict[str, int] = {}
    found: dict[str, int] = {}
    for place, row in enumerate(rows):
        key = json.dumps(row)
        seen[key] = seen.get(key, -1) + 1  # of equal rows the first is matched with the first
        found[f"{key} {seen[key]}"] = place
    return found


def _column(
    name: str, a: Results, b: Results, pairs: Sequence[tuple[int, int]], tolerance: float
) -> ColumnDifference:
    old, new = a.table[name].to_pylist(), b.table[name].to_pylist()
    count, largest, where = 0, math.nan, -1
    for i, j in pairs:
        before, after = old[i], new[j]
        if before == after or (before != before and after != after):
            continue
        if _is_number(before) and _is_number(after):
            change = after - before
            if abs(change) <= tolerance:
                continue
            if where < 0 or abs(change) > abs(largest):
                largest, where = change, i
        elif name == "hash" and tolerance > 0:
            continue
        count += 1
    return ColumnDifference(name, count, largest, where)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
