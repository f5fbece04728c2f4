# SPDX-License-Identifier: MIT
"""The values of plots in the picture, and their least and greatest over a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from ..record.frame import Frame
from ..scene.model import Annotation, Scene
from ..scene.values.expression import ExpressionError, StateExpression, compile_state

Bounds = tuple[float, float]
"""The least and the greatest value; the least is greater where there is none."""
NO_BOUNDS: Bounds = (float("inf"), float("-inf"))
MOST_VALUES = 1 << 14
"""So many values of a run are kept at most to find the typical ones."""
PEAKS = 0.03
"""Values are typical but for this share of a run's steps at either end,"""
MOST_TYPICAL = 0.5
"""if their range is less than this share of that of all values."""


def value_of(expression: StateExpression, values: Mapping[str, float]) -> float:
    """The value where state names have these; not a number where there is none."""
    try:
        value = expression.evaluate(values)
    except (ExpressionError, ArithmeticError):
        return float("nan")
    return value if isinstance(value, bool) else float(value)


def passed_values(expressions: Sequence[StateExpression], frame: Frame) -> list[list[float]]:
    """The values at the steps that passed before a frame, as far as they are known."""
    if frame.passed is None:
        return []
    names, rows = frame.passed.names, frame.passed.values.tolist()
    moments = [dict(zip(names, row, strict=True)) for row in rows]
    return [[value_of(each, moment) for each in expressions] for moment in moments]


def is_ahead(given: Annotation) -> bool:
    """Whether a plot depends on the rest of the run: its axes, or its place."""
    if given.kind != "plot":
        return False
    axes = (
        given.range in (None, "typical")
        or given.seconds == "run"
        or (given.phase and given.x_range is None)
    )
    placed = given.corner in (None, "auto") and given.strip is None and not given.share
    return axes or placed


def plots_ahead(scene: Scene) -> bool:
    """Whether plots in the picture depend on the rest of the run."""
    return any(is_ahead(each) for each in scene.annotations)


class PlotBounds:
    """The least and the greatest of each expression in plots, frame by frame."""

    def __init__(self, scene: Scene) -> None:
        plots = [each for each in scene.annotations if is_ahead(each)]
        sources = dict.fromkeys(source for each in plots for source in each.expressions)
        self._expressions = [compile_state(source, scene) for source in sources]
        self.found: dict[str, Bounds] = dict.fromkeys(sources, NO_BOUNDS)
        self._values: dict[str, list[float]] = {
            source: [] for each in plots if each.range == "typical" for source in each.expressions
        }
        self._every, self._skip = 1, 0  # every so many values is kept, the next after so many

    def add(self, frame: Frame) -> None:
        """Take note of a frame, and of the steps before it."""
        if not self._expressions:
            return
        now = [value_of(each, frame.values) for each in self._expressions]
        columns = list(zip(*passed_values(self._expressions, frame), now, strict=True))
        for source, column in zip(self.found, columns, strict=True):
            self.found[source] = widened(self.found[source], column)
            if source in self._values:
                self._values[source] += column[self._skip :: self._every]
        self._skip = (self._skip - len(columns[0])) % self._every
        if max(map(len, self._values.values()), default=0) > MOST_VALUES:
            self._values = {source: kept[::2] for source, kept in self._values.items()}
            self._every *= 2

    def typical(self, source: str) -> Bounds:
        """The bounds of an expression without short peaks, if these take most of its range."""
        low, high = self.found.get(source, NO_BOUNDS)
        values = sorted(each for each in self._values.get(source, ()) if isfinite(each))
        if not values:
            return low, high
        last = len(values) - 1
        least, most = values[round(PEAKS * last)], values[round((1.0 - PEAKS) * last)]
        return (least, most) if most - least < MOST_TYPICAL * (high - low) else (low, high)


def widened(bounds: Bounds, values: Sequence[float]) -> Bounds:
    """Bounds with further values."""
    known = [each for each in values if isfinite(each)]
    return min((bounds[0], *known)), max((bounds[1], *known))
