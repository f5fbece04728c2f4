# SPDX-License-Identifier: MIT
"""Values that are evaluated while a scene runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...building.scope import Scope
from ...event_model import Formula, Live
from ...model import Scene
from ...text.problems import show_suffix
from ...values.broken import BROKEN, Stop
from ...values.context import Context, Wrong
from ...values.expression import Expression, live_problems, reads_run, split_state, truth_problems
from ...values.kinds import Kind
from ...values.quantity import Deferred, Quantity, Written
from .record import may_be


@dataclass(frozen=True, eq=False)
class Unchecked(Kind):
    """A value that is checked when the names of its expressions are known."""

    kind: Kind

    def check(self, value: Any, context: Context) -> Written:
        return Written(value)

    def schema(self) -> dict[str, Any]:
        return self.kind.schema()


@dataclass(frozen=True)
class LiveReader:
    """Checks values that may have expressions over the state of the run.

    Attributes:
        given: the names of an event, which begin with ``$``.
    """

    scene: Scene
    scope: Scope
    given: Sequence[str] = ()

    def read(self, kind: Kind, written: Any, *at: int | str) -> Live:
        """The value, with formulas where there are expressions of the run; Stop after a problem."""
        value = written.value if isinstance(written, Written) else written
        try:
            checked = kind.check(value, self.scope.context)
        except Wrong as wrong:
            self.scope.failed = True
            self.scope.report.add_wrong((*self.scope.path, *at), wrong)
            raise Stop from None
        live: Live = self._live(checked, at)
        return live

    def _live(self, value: Any, at: tuple[int | str, ...]) -> Any:
        if isinstance(value, tuple):
            return tuple(self._live(each, (*at, i)) for i, each in enumerate(value))
        if not isinstance(value, Deferred):
            return value
        expression, quantity = value.expression, value.quantity
        self.check_names(expression, *at)
        reads = reads_run(expression, self.scene)
        if not expression.seeded and not reads:
            return self.scope.resolve(value, *at)
        source, factor = self.source(expression), 1.0
        if not reads and not quantity.per_time:  # the run itself has angles in radians
            factor = self.scope.context.to_model(1.0, quantity.dimensions[0])
        return Formula(
            source if factor == 1.0 else f"({source})*{factor!r}",
            self.scope.label + show_suffix(at),
            lowest(quantity),
            quantity.largest if quantity.high is None else quantity.high,
        )

    def source(self, expression: Expression) -> str:
        """The text; that of a prototype has its vars as numbers, since others do not know them."""
        if not self.scope.report.of_part:
            return expression.source
        values = self.scope.context.values
        return expression.renamed(
            lambda name: literal(values[name]) if name in self.scene.vars else name
        )

    def check_names(self, expression: Expression, *at: int | str) -> None:
        """Stop after all the names that the scene does not have."""
        problems = live_problems(expression, self.scene, self.given)
        scope = self.scope
        for problem in problems:
            owner, _ = split_state(problem.name, self.scene)
            if not may_be(owner, scope.report, "bodies", "joints", "probes", "state", "vars"):
                scope.report.add(
                    (*scope.path, *at), "unknown-name", problem.message, problem.offset, None, owner
                )
        if problems:
            scope.failed = True
            raise Stop

    def condition(self, source: Any, *at: int | str) -> str:
        """The text of an expression that is true or false while the scene runs."""
        scope = self.scope
        try:
            expression = scope.context.compile(source)
        except Wrong as wrong:
            scope.failed = True
            scope.report.add_wrong((*scope.path, *at), wrong)
            raise Stop from None
        self.check_names(expression, *at)
        if expression.seeded:
            message = "random numbers have no place in a condition"
            raise scope.fail("expression", message, *at)
        for number in truth_problems(expression, self.scene):
            scope.failed = True
            scope.report.add((*scope.path, *at), "wrong-type", str(number), number.offset)
        scope.stop_if_failed()
        return self.source(expression)


def lowest(quantity: Quantity) -> float:
    """The lowest number that a formula of such a quantity may give."""
    given = [each for each in (quantity.low, quantity.above) if each is not None]
    return max(given, default=-quantity.largest)


def literal(value: Any) -> str:
    """A number, true or false as expressions have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is BROKEN:
        raise Stop
    return repr(value) if value >= 0.0 else f"({value!r})"
