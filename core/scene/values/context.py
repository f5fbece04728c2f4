# SPDX-License-Identifier: MIT
"""The context of checking a value: the scene's units, vars and seed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple

from ...errors import Kind
from .. import limits
from ..model import Units
from .expression import Expression, ExpressionError
from .units import ANGLE, ANGULAR_SPEED, FREQUENCY, Converter, Powers
from .words import Place

_HALF_TURN = 180.0  # degrees
TURNED = (ANGLE, ANGULAR_SPEED, FREQUENCY)
"""Quantities that `Context.to_model` converts."""


class Finding(NamedTuple):
    """A problem of a value.

    ``at`` is its place inside the value, ``offset`` the character of a text, ``missing`` a missing
    name, if this is the problem, ``meant`` the unambiguous word of a misspelt one. ``place`` is
    where the problem is, if that is in another file than the value.
    """

    at: tuple[int | str, ...]
    kind: Kind
    message: str
    offset: int | None = None
    missing: str = ""
    meant: str = ""
    place: Place | None = None


class Wrong(ValueError):  # noqa: N818 - it is a finding, collected into a SceneError later
    """One or more problems of a value; none if they are reported already."""

    def __init__(
        self,
        kind: Kind | None = None,
        message: str = "",
        at: tuple[int | str, ...] = (),
        offset: int | None = None,
        missing: str = "",
        meant: str = "",
        place: Place | None = None,
    ) -> None:
        super().__init__(message)
        found = () if kind is None else (Finding(at, kind, message, offset, missing, meant, place),)
        self.findings = list(found)

    def add(
        self,
        kind: Kind,
        message: str,
        at: tuple[int | str, ...] = (),
        offset: int | None = None,
        missing: str = "",
    ) -> None:
        """One more finding."""
        self.findings.append(Finding(at, kind, message, offset, missing))

    def shifted(self, by: int) -> Wrong:
        """The same findings in a text that begins ``by`` characters earlier."""
        self.findings = [each._replace(offset=by + (each.offset or 0)) for each in self.findings]
        return self

    def under(self, *at: int | str) -> Wrong:
        """The same findings, one level further out."""
        self.findings = [each._replace(at=at + each.at) for each in self.findings]
        return self


class Compiler:
    """Compiles the expressions of a scene: each text once, and not more than there may be.

    Attributes:
        drew: whether a random number was drawn already, and not only read about.
    """

    def __init__(self) -> None:
        self._compiled: dict[str, Expression] = {}
        self._left = limits.EXPRESSION_SYMBOLS
        self.drew = False

    @property
    def draws(self) -> bool:
        """Whether any of the expressions so far has random numbers."""
        return any(each.seeded for each in self._compiled.values())

    def evaluate(self, expression: Expression, values: Any, seed: int, path: str) -> Any:
        """The value of an expression; of one that draws, that something was drawn is kept."""
        self.drew |= expression.seeded
        return expression.evaluate(values, seed=seed, path=path)

    def compile(self, source: str) -> Expression:
        """Return the compiled expression; raise Wrong for its problem, and once for the limit."""
        expression = self._compiled.get(source)
        if expression is not None:
            return expression
        if self._left < 0:
            raise Wrong()
        try:
            expression = Expression(source)
        except ExpressionError as error:
            hint = ""
            if "expected" in error.message and "(" in source and ")" not in source:
                hint = "; quote an expression that holds a comma"
            self._left -= 1 + min(len(source), limits.EXPRESSION_LENGTH) // 2
            raise Wrong("expression", error.message + hint, (), error.offset) from None
        self._left -= expression.symbols
        if self._left < 0:
            raise Wrong(
                "limit",
                f"the different expressions of this scene have more than "
                f"{limits.EXPRESSION_SYMBOLS} symbols together (numbers, names, operators); that "
                "is the limit",
            )
        self._compiled[source] = expression
        return expression


class Context:
    """The scene's units, the values of its vars and its seed, and the compiled expressions.

    The value of a var whose own problem is reported is BROKEN. ``folders`` are those of the
    tables of generators; vars have none.
    """

    def __init__(
        self,
        units: Units,
        converter: Converter,
        values: Mapping[str, Any],
        seed: int,
        compiler: Compiler,
        folders: Any = None,
    ) -> None:
        self.units = units
        self.converter = converter
        self.values = values
        self.seed = seed
        self.folders = folders
        self.degrees = units.angle == "deg"
        self.compile = compiler.compile
        self._compiler = compiler

    def with_seed(self, seed: int) -> Context:
        """The same with another seed."""
        other = copy(self)
        other.seed = seed
        return other

    def evaluate(self, expression: Expression, values: Any, path: str) -> Any:
        """The value of an expression, with the random numbers of the seed and the path."""
        return self._compiler.evaluate(expression, values, self.seed, path)

    def note_draws(self) -> None:
        """Remember that random numbers were drawn."""
        self._compiler.drew = True

    def to_model(self, value: float, powers: Powers) -> float:
        """An author's plain number in the model's units: radians, and per scene time for Hz."""
        if self.degrees and powers in (ANGLE, ANGULAR_SPEED):
            return value * math.pi / _HALF_TURN
        if powers == FREQUENCY:
            return value / self.units.time_per_second
        return value
