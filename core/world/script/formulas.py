# SPDX-License-Identifier: MIT
"""Evaluates compiled expressions while a scene runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...record.channels import resolve_channels
from ...scene.event_model import Formula, Live
from ...scene.values.expression import Expression, ExpressionError, compile_expression
from ...scene.values.state_words import STATE
from ..aggregates import tally
from ..naming.parts import WorldParts
from .failure_messages import failure

Values = Mapping[str, Any]
OWN = "$own."
"""Prefix of the names of a copy's own objects."""
COMPILED = 4096  # expressions that are kept


class Sampled:
    """Expressions whose names are read from a world in one call.

    Names that begin with ``$`` are those of an event.
    """

    def __init__(self, world: WorldParts, sources: Sequence[str]) -> None:
        scene = world.roster.scene
        self.expressions: list[Expression] = [compile_expression(source) for source in sources]
        names = dict.fromkeys(name for each in self.expressions for name in sorted(each.names))
        self.constants = {name: scene.vars[name] for name in names if name in scene.vars}
        rest = [name for name in names if name not in self.constants and name[0] != "$"]
        self.of_event = [name for name in names if name[0] == "$"]
        start = f"{STATE}."
        own = STATE in scene.bodies or STATE in scene.joints
        self.variables = [name for name in rest if name.startswith(start) and not own]
        rest = [name for name in rest if name not in self.variables]
        found = dict(zip(rest, resolve_channels(scene, rest), strict=True))
        self.tallies = {name: each for name, each in found.items() if each.is_sum}
        self.channels = [name for name in rest if name not in self.tallies]
        codes = world.roster.channel_codes([found[name] for name in self.channels])
        self.codes = np.ascontiguousarray(codes)

    def values(self, world: WorldParts, state: Mapping[str, float]) -> dict[str, Any]:
        """A value for each name, as it is now."""
        values: dict[str, Any] = dict(self.constants)
        for name in self.variables:
            values[name] = state[name.removeprefix(f"{STATE}.")]
        for name, channel in self.tallies.items():
            values[name] = tally(world, channel)
        if self.channels:
            sampled = world.native.sample(self.codes).tolist()
            values.update(zip(self.channels, sampled, strict=True))
        return values


class Conditions:
    """Boolean expressions, evaluated together."""

    def __init__(self, world: WorldParts, sources: Sequence[str], paths: Sequence[str]) -> None:
        self.sampled = Sampled(world, sources)
        self.paths = paths

    def look(self, world: WorldParts, state: Mapping[str, float]) -> list[bool]:
        """Evaluate the conditions: whether each is true now."""
        values = self.sampled.values(world, state)
        found = []
        for expression, path in zip(self.sampled.expressions, self.paths, strict=True):
            try:
                found.append(bool(expression.evaluate(values)))
            except (ExpressionError, ArithmeticError, ValueError) as error:
                raise failure(world, path, str(error)) from None
        return found


class ActionValues:
    """Evaluates the values of actions.

    Attributes:
        uses: how often each random value was drawn, by its path in the file.
    """

    def __init__(self, world: WorldParts) -> None:
        self.world = world
        self.uses: dict[str, int] = {}
        self._compiled: dict[str, Sampled] = {}

    def work_out(self, value: Live | None, state: Mapping[str, float], event: Values) -> Any:
        """The value with its formulas replaced by numbers."""
        if isinstance(value, tuple):
            return tuple(
                [
                    each if isinstance(each, float) else self._part(each, state, event)
                    for each in value
                ]
            )
        return self._number(value, state, event) if isinstance(value, Formula) else value

    def _part(self, value: Live | None, state: Mapping[str, float], event: Values) -> Any:
        """The value of a coordinate, which is 1 or 0 where a condition gives it."""
        part = self.work_out(value, state, event)
        return float(part) if isinstance(part, bool) else part

    def reads_run(self, value: Live | None) -> bool:
        """Return whether a value depends on the state of the run."""
        if isinstance(value, tuple):
            return any(map(self.reads_run, value))
        if isinstance(value, str):
            return bool(value)
        if not isinstance(value, Formula):
            return False
        sampled = self._sampled(value)
        return bool(sampled.channels or sampled.tallies)

    def _sampled(self, formula: Formula) -> Sampled:
        sampled = self._compiled.get(formula.source)
        if sampled is None:
            if len(self._compiled) >= COMPILED:  # what is born with vars of its own has others
                self._compiled = {}
            sampled = self._compiled[formula.source] = Sampled(self.world, [formula.source])
        return sampled

    def _number(self, formula: Formula, state: Mapping[str, float], event: Values) -> float | bool:
        sampled = self._sampled(formula)
        expression = sampled.expressions[0]
        values = sampled.values(self.world, state)
        for name in sampled.of_event:
            values[name] = event[name]
        path = formula.path
        if expression.seeded:
            use = self.uses[path] = self.uses.get(path, -1) + 1
            path = f"{path}#{use}"
        try:
            seed = self.world.roster.scene.world.seed
            result: float | bool = expression.evaluate(values, seed=seed, path=path)
        except (ExpressionError, ArithmeticError, ValueError) as error:
            raise failure(self.world, formula.path, str(error)) from None
        if not formula.low <= result <= formula.high:
            message = f"gives {result:.12g}, which is not between {formula.low:g} and "
            raise failure(self.world, formula.path, f"{message}{formula.high:g}")
        return result
