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
    axes = given.range is None or given.seconds == "run" or (given.phase and given.x_range is None)
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

    def add(self, frame: Frame) -> None:
        """Take note of a frame, and of the steps before it."""
        if not self._expressions:
            return
        now = [value_of(each, frame.values) for each in self._expressions]
        columns = zip(*passed_values(self._expressions, frame), now, strict=True)
        for source, column in zip(self.found, columns, strict=True):
            self.found[source] = widened(self.found[source], column)


def widened(bounds: Bounds, values: Sequence[float]) -> Bounds:
    """Bounds with further values."""
    known = [each for each in values if isfinite(each)]
    return min((bounds[0], *known)), max((bounds[1], *known))
