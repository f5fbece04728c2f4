# SPDX-License-Identifier: MIT
"""Initial states of a batch's worlds: from seeds, by the random numbers of their scene.

The start values of a ``task`` are drawn for each seed and written. If the rest of the scene
has random numbers too, each seed gives its own scene.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...scene.basis import basis_of
from ...scene.event_model import Formula
from ...scene.loading import reseeded
from ...scene.model import Scene
from ...scene.values.array_expression import over_arrays
from ...scene.values.expression import compile_expression
from ...scene.values.expression_parts import PATH, SEED
from ..world import World
from .one_by_one import reseeded_first

MOST_LAYOUTS = 1024  # that are kept
MOST_SEED = 1 << 48


class InitialStates:
    """The initial states of the worlds of one scene.

    Attributes:
        writer: the writer of the task's start values; None without these.
        redrawn: whether the scene depends on the seed.
    """

    def __init__(
        self, first: World, lanes: int, writer_of: Callable[[tuple[str, ...]], Any]
    ) -> None:
        scene = first.roster.scene
        self.scene = scene
        self._first = first
        self._lanes = lanes
        self._layouts: OrderedDict[int, World] = OrderedDict()
        task, basis = scene.task, basis_of(scene)
        self._draws = (basis is not None and basis.drew) if task is None else task.draws
        self.redrawn = self._draws or scene.reacts
        start = {} if scene.task is None else scene.task.start
        self._drawn = [_DrawnEntry(scene, value) for value in start.values()]
        self._names = list(start)
        settings = tuple(name for name in start if not name.startswith("$"))
        self.writer = writer_of(settings) if settings else None
        named = zip(start, self._drawn, strict=True)
        parts = [(name, part) for name, drawn in named for part in drawn.parts]
        ranges = [part.range if isinstance(part, _Formula) else (part, part) for _, part in parts]
        self._low, self._high = np.array(ranges).reshape(-1, 2).T
        self._written = [i for i, (name, _) in enumerate(parts) if not name.startswith("$")]
        # The seeds whose values are drawn ahead, in ascending order, and the values.
        self._known = np.empty(0, np.int64)
        self._ahead = np.empty((0, len(self._written)))

    def layout(self, seed: int) -> World:
        """The world of the scene with another seed, at its beginning."""
        task = self.scene.task
        number = seed % task.layouts if task is not None and task.layouts else seed
        if number in self._layouts:
            self._layouts.move_to_end(number)
            return self._layouts[number]
        if not self._draws:  # it is drawn while it runs, or not at all
            return reseeded_first(self._first, number)
        scene = replace(reseeded(self.scene, number), inputs=self.scene.inputs)
        if list(scene.bodies) != list(self.scene.bodies) or list(scene.joints) != list(
            self.scene.joints
        ):
            raise UsageError(
                f"{self.scene.path}: with the seed {number} it has other bodies or joints; worlds "
                "of a batch have the same"
            )
        made = World(scene, lanes=self._lanes)
        self._layouts[number] = made
        if len(self._layouts) > MOST_LAYOUTS:
            self._layouts.popitem(last=False)
        return made

    def start(self, seeds: NDArray[np.int64]) -> NDArray[np.float64]:
        """[seeds, numbers] the written values of each."""
        assert self.writer is not None
        rows, are_known = self._rows(seeds)
        if are_known.all():
            found: NDArray[np.float64] = self._ahead[rows]
            return found
        drawn = self._within(seeds)
        if drawn is None:
            self._tell(seeds)
        assert drawn is not None
        return drawn

    def draw_ahead(self, seeds: NDArray[np.int64]) -> None:
        """Store the values of these seeds for ``start``, and no others: one call for many
        costs little more than one for a few."""
        if self.writer is None:
            return
        rows, are_known = self._rows(seeds)
        fresh = seeds[~are_known]
        new = self._within(fresh) if len(fresh) else self._ahead[:0]
        if new is None:
            self._known = np.empty(0, np.int64)
            return
        drawn = np.empty((len(seeds), len(self._written)))
        drawn[~are_known] = new
        drawn[are_known] = self._ahead[rows[are_known]]
        order = seeds.argsort()
        self._known, self._ahead = seeds[order], drawn[order]

    def _rows(self, seeds: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The rows of the values that are drawn ahead, and whether each seed has one."""
        if not len(self._known):
            return np.zeros(len(seeds), np.intp), np.zeros(len(seeds), np.bool_)
        rows = np.minimum(self._known.searchsorted(seeds), len(self._known) - 1)
        return rows, self._known[rows] == seeds

    def _within(self, seeds: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """[seeds, numbers] the written values; None if one has no value in its range."""
        try:
            drawn = self._draw(seeds)
        except ValueError:
            return None
        if not ((drawn >= self._low) & (drawn <= self._high)).all():
            return None
        return drawn[:, self._written] if len(self._written) < len(self._low) else drawn

    def _draw(self, seeds: NDArray[np.int64]) -> NDArray[np.float64]:
        """[seeds, parts] all start values, with placeholders for kept coordinates."""
        table = np.empty((len(seeds), len(self._low)))
        known: dict[str, Any] = {}
        column = 0
        with np.errstate(all="ignore"):
            for name, drawn in zip(self._names, self._drawn, strict=True):
                for part in drawn.parts:
                    table[:, column] = part if isinstance(part, float) else part.of(seeds, known)
                    if name.startswith("$"):
                        known[name] = table[:, column]
                    column += 1
        return table

    def _tell(self, seeds: NDArray[np.int64]) -> None:
        """Raise UsageError for the first part that has no such value."""
        known: dict[str, Any] = {}
        for name, drawn in zip(self._names, self._drawn, strict=True):
            for part in drawn.parts:
                values = part if isinstance(part, float) else part.draw(seeds, known)
                if name.startswith("$"):
                    known[name] = values


class _DrawnEntry:
    """One entry of a task's start."""

    def __init__(self, scene: Scene, value: Any) -> None:
        self.parts = [
            _Formula(scene, each) if isinstance(each, Formula) else float(each)
            for each in (value if isinstance(value, tuple) else (value,))
        ]


class _Formula:
    """One number of it, drawn for many seeds at once."""

    def __init__(self, scene: Scene, formula: Formula) -> None:
        self._path = scene.path
        self._formula = formula
        expression = compile_expression(formula.source)
        self._values = over_arrays(expression)
        self._constants = {n: scene.vars[n] for n in expression.names if n in scene.vars}
        self.range = formula.low, formula.high

    def of(self, seeds: NDArray[np.int64], known: dict[str, Any]) -> Any:
        """Return the numbers of these seeds, or one for all seeds."""
        names = {**self._constants, **known, SEED: seeds, PATH: self._formula.path}
        return self._values(names)

    def draw(self, seeds: NDArray[np.int64], known: dict[str, Any]) -> NDArray[np.float64]:
        """The numbers for these seeds. Raises UsageError where one has none in its range."""
        formula = self._formula
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(self.of(seeds, known))
            if found.ndim == 0:
                found = np.full(len(seeds), found)
        except ValueError as error:
            raise UsageError(f"{self._path}: {formula.path} has no value: {error}") from None
        if not (len(found) == 0 or formula.low <= found.min() <= found.max() <= formula.high):
            at = int(np.argmin((found >= formula.low) & (found <= formula.high)))
            raise UsageError(
                f"{self._path}: {formula.path} is {found[at]:g} with the seed {seeds[at]}; it must "
                f"lie between {formula.low:g} and {formula.high:g}"
            )
        return found
