# SPDX-License-Identifier: MIT
"""Evaluates compiled expressions while a scene runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...record.channels import resolve_channels
from ...scene.values.expression import Expression, ExpressionError, compile_expression
from ...scene.values.state_words import STATE
from ..aggregates import tally
from ..naming.parts import WorldParts
from .failure_messages import failure

Values = Mapping[str, Any]


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
