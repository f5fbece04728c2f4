"""How the worlds of a batch begin: from seeds, by the random numbers of their scene.

What a ``task`` sets at its start is drawn for each seed and written. Where the rest of the scene
has random numbers too, its seed is another one, and so a scene of its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..scene.event_model import Formula
from ..scene.loading import reseeded
from ..scene.model import Scene
from ..scene.values.expression import Expression, ExpressionError, compile_expression
from .batch_settings import Writer
from .world import World

MOST_LAYOUTS = 1024  # that are kept
MOST_SEED = 1 << 48


class Beginnings:
    """The beginnings of the worlds of one scene.

    Attributes:
        writer: of what the task sets at its start; None where that is nothing.
    """

    def __init__(self, first: World, lanes: int) -> None:
        scene = first.roster.scene
        self.scene = scene
        self._first = first
        self._lanes = lanes
        self._layouts: OrderedDict[int, World] = OrderedDict()
        start = {} if scene.task is None else scene.task.start
        self._drawn = [_Drawn(scene, value) for value in start.values()]
        self._names = list(start)
        settings = tuple(name for name in start if not name.startswith("$"))
        self.writer = Writer(first, settings) if settings else None

    @property
    def redrawn(self) -> bool:
        """Whether another seed is another scene."""
        return self.scene.task is not None and self.scene.task.draws

    def layout(self, seed: int) -> World:
        """The world of the scene with another seed, at its beginning."""
        task = self.scene.task
        assert task is not None
        number = seed % task.layouts if task.layouts else seed
        if number in self._layouts:
            self._layouts.move_to_end(number)
            return self._layouts[number]
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

    def start(self, seeds: Sequence[int]) -> NDArray[np.float64]:
        """[seeds, numbers] what is written for each."""
        assert self.writer is not None
        rows = np.empty((len(seeds), self.writer.width))
        for row, seed in zip(rows, seeds, strict=True):
            row[:] = self._one(seed)
        return rows

    def _one(self, seed: int) -> list[float]:
        known: dict[str, Any] = {}
        numbers: list[float] = []
        for name, drawn in zip(self._names, self._drawn, strict=True):
            values = drawn.draw(seed, known)
            if name.startswith("$"):
                known[name] = values[0]
            else:
                numbers += values
        return numbers


class _Drawn:
    """One entry of a task's start."""

    def __init__(self, scene: Scene, value: Any) -> None:
        self.path = scene.path
        self.parts: list[tuple[Expression, Formula] | float] = []
        self.constants: dict[str, Any] = {}
        for each in value if isinstance(value, tuple) else (value,):
            if not isinstance(each, Formula):
                self.parts.append(float(each))
                continue
            expression = compile_expression(each.source)
            self.parts.append((expression, each))
            self.constants |= {n: scene.vars[n] for n in expression.names if n in scene.vars}

    def draw(self, seed: int, known: dict[str, Any]) -> list[float]:
        """Its numbers for a seed."""
        found = []
        for part in self.parts:
            if isinstance(part, float):
                found.append(part)
                continue
            expression, formula = part
            values = {**self.constants, **known}
            try:
                number = float(expression.evaluate(values, seed=seed, path=formula.path))
            except ExpressionError as error:
                raise UsageError(
                    f"{self.path}: {formula.path} has no value with the seed {seed}: {error}"
                ) from None
            if not formula.low <= number <= formula.high:
                raise UsageError(
                    f"{self.path}: {formula.path} is {number:g} with the seed {seed}; it must lie "
                    f"between {formula.low:g} and {formula.high:g}"
                )
            found.append(number)
        return found
