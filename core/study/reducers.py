# SPDX-License-Identifier: MIT
"""Collects results of a run as it is stepped, without keeping it in memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RigidError
from ..record.recorder import Recorder
from ..scene.model import Record, Scene
from ..scene.study_model import Collect, CollectKind, Study
from ..scene.values.array_expression import over_arrays
from ..scene.values.expression import Expression, ExpressionError, state_problems

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


class ReachedError(Exception):
    """The ``until`` condition of a study is true, after ``step`` steps."""

    def __init__(self, step: int) -> None:
        super().__init__(step)
        self.step = step


class CollectError(RigidError):
    """A collected value, or the ``until`` condition, has no value in this run."""


@dataclass(frozen=True)
class StudyFormula:
    """An expression over the state of runs, for one moment and for many at once."""

    expression: Expression
    over_rows: Callable[[Mapping[str, Any]], Any]

    @classmethod
    def of(cls, source: str) -> StudyFormula:
        expression = Expression(source)
        return cls(expression, over_arrays(expression))


class ValueSeries:
    """The values of an expression, block by block.

    Attributes:
        channels: the state names in it.
    """

    def __init__(self, formula: StudyFormula, scene: Scene, label: str) -> None:
        expression = formula.expression
        for problem in state_problems(expression, scene):
            raise CollectError(f"{label}: {problem.message}")
        self.label = label
        self._formula = formula
        is_var = {name: "." not in name and name in scene.vars for name in expression.names}
        self._constants = {name: scene.vars[name] for name, known in is_var.items() if known}
        names = sorted(expression.names, key=expression.offset)
        self.channels = tuple(name for name in names if not is_var[name])
        self._is_plain = expression.source in self.channels
        self.columns: list[int] = []

    def of(self, values: Float64) -> Float64:
        """One value per row of ``values`` [rows, channels]; nan if a channel has none."""
        found = self._reckoned(values)
        self._explain(found, values, len(values))
        return found

    def first_true(self, values: Float64) -> int:
        """Return the first row in which it is true, or -1; later rows do not matter."""
        found = self._reckoned(values)
        rows = np.flatnonzero(found == 1.0)
        first = int(rows[0]) if len(rows) else -1
        self._explain(found, values, first if first >= 0 else len(values))
        return first

    def _reckoned(self, values: Float64) -> Float64:
        """The values; missing ones are not finite."""
        if self._is_plain:
            column: Float64 = values[:, self.columns[0]]
            return column
        columns = [values[:, column] for column in self.columns]
        with np.errstate(all="ignore"):
            named = {**self._constants, **dict(zip(self.channels, columns, strict=True))}
            found = np.array(self._formula.over_rows(named), np.float64)
        found = np.broadcast_to(found, (len(values),)).copy()
        for column in columns:
            found[column != column] = math.nan
        return found

    def _explain(self, found: Float64, values: Float64, end: int) -> None:
        """Raise CollectError where one of the first ``end`` has no value and its channels have."""
        if self._is_plain:
            return
        for row in np.flatnonzero(~np.isfinite(found[:end])).tolist():
            given = values[row, self.columns].tolist()
            if any(value != value for value in given):
                continue
            named = {**self._constants, **dict(zip(self.channels, given, strict=True))}
            try:
                found[row] = float(self._formula.expression.evaluate(named))
            except (ArithmeticError, ValueError, ExpressionError) as error:
                raise CollectError(f"{self.label}: {error}") from None


# ---------------------------------------------------------------- one column


class Gatherer:
    """Takes the blocks of one column. Times are those of the rows.

    Attributes:
        problem: the reason for a missing value, such as a division by 0; else empty.
    """

    def __init__(self, series: ValueSeries) -> None:
        self.series = series
        self.problem = ""

    def take(self, times: Float64, values: Float64) -> None:
        """Take a block of rows [rows, channels]; after a problem nothing."""
        if self.problem:
            return
        try:
            found = self.series.of(values)
        except CollectError as error:
            self.problem = str(error)
            return
        self.add(times, found)

    def add(self, times: Float64, values: Float64) -> None:
        """Take a block of the series."""
        raise NotImplementedError

    def finish(self) -> None:
        """Finish after the last block."""

    @property
    def value(self) -> float | None:
        """The collected value; None if there is none."""
        raise NotImplementedError


class _End(Gatherer):
    """The value of the last row."""

    last: tuple[Float64, Float64] | None = None
    found: float | None = None

    def take(self, times: Float64, values: Float64) -> None:
        self.last = times[-1:].copy(), values[-1:].copy()

    def add(self, times: Float64, values: Float64) -> None:
        self.found = float(values[0])

    def finish(self) -> None:
        if self.last is not None:
            super().take(*self.last)

    @property
    def value(self) -> float | None:
        return self.found


class _Extreme(Gatherer):
    def __init__(self, series: ValueSeries, better: Callable[[float, float], float]) -> None:
        super().__init__(series)
        self._better = better
        self._found = math.nan

    def add(self, times: Float64, values: Float64) -> None:
        numbers = values[values == values]
        if len(numbers):
            block = float(numbers.max() if self._better is max else numbers.min())
            known = self._found == self._found
            self._found = self._better(self._found, block) if known else block

    @property
    def value(self) -> float | None:
        return self._found


class _Mean(Gatherer):
    """Sums are rounded once for each block, so that no order of additions decides their bits."""

    def __init__(self, series: ValueSeries) -> None:
        super().__init__(series)
        self._sums: list[float] = []
        self._rows = 0

    def add(self, times: Float64, values: Float64) -> None:
        self._sums.append(math.fsum(values.tolist()))
        self._rows += len(values)

    @property
    def value(self) -> float | None:
        return math.fsum(self._sums) / self._rows if self._rows else None


class _Integral(Gatherer):
    def __init__(self, series: ValueSeries) -> None:
        super().__init__(series)
        self._sums: list[float] = []
        self._before: tuple[float, float] | None = None

    def add(self, times: Float64, values: Float64) -> None:
        t, v = times.tolist(), values.tolist()
        if self._before is not None:
            t.insert(0, self._before[0])
            v.insert(0, self._before[1])
        pieces = [0.5 * (v[i] + v[i + 1]) * (t[i + 1] - t[i]) for i in range(len(t) - 1)]
        self._sums.append(math.fsum(pieces))
        self._before = t[-1], v[-1]

    @property
    def value(self) -> float | None:
        return math.fsum(self._sums)


class _First(Gatherer):
    found: float | None = None

    def add(self, times: Float64, values: Float64) -> None:
        if self.found is None:
            rows = np.flatnonzero(values == 1.0)
            self.found = float(times[rows[0]]) if len(rows) else None

    @property
    def value(self) -> float | None:
        return self.found


class _Last(_First):
    def add(self, times: Float64, values: Float64) -> None:
        rows = np.flatnonzero(values == 1.0)
        if len(rows):
            self.found = float(times[rows[-1]])


class _Count(Gatherer):
    number = 0

    def add(self, times: Float64, values: Float64) -> None:
        self.number += int((values == 1.0).sum())

    @property
    def value(self) -> float | None:
        return self.number


_GATHERERS: Mapping[CollectKind, Callable[[ValueSeries], Gatherer]] = {
    "end": _End,
    "max": lambda series: _Extreme(series, max),
    "min": lambda series: _Extreme(series, min),
    "mean": _Mean,
    "integral": _Integral,
    "first": _First,
    "last": _Last,
    "count": _Count,
}


# ---------------------------------------------------------------- one run


@dataclass(frozen=True)
class Compiled:
    """The expressions of a study, which are the same in all its runs."""

    study: Study
    until: StudyFormula | None
    sources: Mapping[str, StudyFormula]

    @classmethod
    def of(cls, study: Study) -> Compiled:
        until = StudyFormula.of(study.until) if study.until else None
        named = {each.name: StudyFormula.of(each.source) for each in study.collect if each.source}
        return cls(study, until, named)

    @property
    def checks(self) -> bool:
        """Whether the scene's expectations are looked at."""
        return any(each.kind == "expect" for each in self.study.collect)


class RunRecorder(Recorder):
    """A recorder of the collected values of a study, which ends the run at ``until``.

    Attributes:
        problems: the reasons why collected values do not exist, by name.

    Raises CollectError for a name in ``until`` that this scene does not have.
    """

    def __init__(self, scene: Scene, compiled: Compiled) -> None:
        self._until = None
        if compiled.until is not None:
            self._until = ValueSeries(compiled.until, scene, "until")
        self.problems: dict[str, str] = {}
        self._gatherers: dict[str, Gatherer] = {}
        for each in compiled.study.collect:
            if not each.source:
                continue
            try:
                series = ValueSeries(compiled.sources[each.name], scene, f"collect.{each.name}")
            except CollectError as error:
                self.problems[each.name] = str(error)
                continue
            self._gatherers[each.name] = _GATHERERS[each.kind](series)
        every = [gatherer.series for gatherer in self._gatherers.values()]
        every += [] if self._until is None else [self._until]
        channels = dict.fromkeys(name for series in every for name in series.channels)
        recorded = replace(scene, record=Record(channels=tuple(channels)))
        super().__init__(recorded, trace=bool(channels), check=compiled.checks)
        column = {channel.name: i for i, channel in enumerate(self.channels)}
        for series in every:
            series.columns = [column[name] for name in series.channels]
        self.watched = self._until is not None
        self._row: tuple[Int64, Float64, Float64] | None = None

    def set_centers(self, centers: Callable[[], Mapping[str, tuple[float, float]]]) -> None:
        """Ignore the centres of mass, since nothing is drawn."""

    def add(self, steps: Int64, times: Float64, values: Float64) -> None:
        """Take a block: ``steps``, ``times`` [rows] and ``values`` [rows, channels]."""
        if not len(steps):
            return
        end = -1
        if self._until is not None and steps[-1] > 0:
            end = self._until.first_true(values)
        if end >= 0:
            steps, times, values = steps[: end + 1], times[: end + 1], values[: end + 1]
        if self._checker is not None:
            self._checker.add(steps, times, values[:, self._check_columns])
        for gatherer in self._gatherers.values():
            gatherer.take(times, values)
        if end >= 0:
            self.ended = int(steps[-1])
            raise ReachedError(self.ended)

    def collected(self, collect: Sequence[Collect]) -> list[Any]:
        """The results of the run, in the order of ``collect``; None for missing values."""
        return [self._value(each) for each in collect]

    def _value(self, what: Collect) -> Any:
        if what.kind == "expect":
            return all(result.passed for result in self.results)
        if what.kind == "outcome":
            return self.outcome or None
        gatherer = self._gatherers.get(what.name)
        if gatherer is None:
            return None
        gatherer.finish()
        if gatherer.problem:
            self.problems[what.name] = gatherer.problem
            return None
        value = gatherer.value
        if value is None or value != value:
            return None
        if what.is_truth:
            return value == 1.0
        return int(value) if what.kind == "count" else float(value)
