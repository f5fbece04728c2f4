# SPDX-License-Identifier: MIT
"""Scopes of expressions: vars, indices of a generator, and the path of the value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from keyword import iskeyword
from typing import Any, NoReturn, ParamSpec, TypeVar

from ...errors import Kind
from .. import limits
from ..text.problems import Path, Report, locate, show_suffix
from ..values.broken import BROKEN, Broken, Stop
from ..values.columns import Columns
from ..values.context import Context, Wrong
from ..values.curves import Curve
from ..values.expression import Expression
from ..values.fields import Input, RepeatedInput
from ..values.kinds import missing_key
from ..values.names import NameTemplate
from ..values.quantity import Deferred

T = TypeVar("T")
P = ParamSpec("P")


def _stop_building(most: str, report: Report, path: Path) -> NoReturn:
    report.add(
        path,
        "limit",
        f"the prototypes that this scene builds have more than {most} together; that is the limit "
        "(instances with the same vars share one)",
    )
    raise Stop


def _stop_below_zero(before: int, left: int, scope: Scope, message: str) -> None:
    """Stop if a budget is spent; the message is reported the first time."""
    if before < 0:
        raise Stop
    if left < 0:
        raise scope.fail("limit", message)


class Budget:
    """The remaining budget of a scene's expressions and generators."""

    def __init__(self, nodes: int = 0) -> None:
        self.work = limits.EXPRESSION_WORK
        self.values = limits.NODES - nodes  # that generators and defaults may make
        self.bodies = limits.BODY_VALUES  # that may differ between bodies of generators
        self.prototypes = limits.PROTOTYPE_VALUES
        self.objects = limits.PROTOTYPE_OBJECTS  # in prototypes
        self.points = limits.CURVE_POINTS

    @property
    def is_spent(self) -> bool:
        """Whether a limit that variants share is reached, which was reported."""
        return self.points < 0 or self.work < 0 or self.prototypes < 0 or self.objects < 0

    def share(self, other: Budget) -> None:
        """Continue the common limits of variants from another scene."""
        self.work, self.points = other.work, other.points
        self.prototypes, self.objects = other.prototypes, other.objects

    def read(self, values: int, report: Report, path: Path) -> None:
        """Count the values of a prototype; Stop at the limit."""
        self.prototypes -= values
        if self.prototypes < 0:
            _stop_building(f"{limits.PROTOTYPE_VALUES} values", report, path)

    def build(self, objects: int, report: Report, path: Path) -> None:
        """Count the objects of a built prototype; Stop at the limit."""
        self.objects -= objects
        if self.objects < 0:
            _stop_building(f"{limits.PROTOTYPE_OBJECTS} bodies, joints and actuators", report, path)

    def may_spend(self, work: int) -> bool:
        """Reserve the work of many turns at once; return whether the budget allows it."""
        if self.work < work:
            return False
        self.work -= work
        return True

    def make(self, values: int, scope: Scope) -> None:
        """Count values that generators and defaults make; Stop at the limit."""
        left, self.values = self.values, self.values - values
        _stop_below_zero(
            left,
            self.values,
            scope,
            f"the scene has more than {limits.NODES} values with those that its generators and "
            "defaults make; that is the limit",
        )

    def vary(self, values: int, scope: Scope) -> None:
        """Count values that differ between bodies of a generator; Stop at the limit."""
        left, self.bodies = self.bodies, self.bodies - values
        _stop_below_zero(
            left,
            self.bodies,
            scope,
            f"the bodies that generators make have more than {limits.BODY_VALUES} values that "
            "differ between them; that is the limit (columns of a table do not count)",
        )

    def draw(self, points: int) -> None:
        """Count the points of a curve; Wrong at the limit, which is reported once."""
        spent = self.points < 0
        self.points -= points
        if self.points >= 0:
            return
        if spent:
            raise Wrong()
        most = limits.CURVE_POINTS
        message = f"the curves of this scene have more than {most} points together"
        raise Wrong("limit", f"{message}; that is the limit")

    def spend(self, work: int) -> None:
        """Wrong when the limit is reached, which is reported once."""
        spent = self.work < 0
        self.work -= work
        if self.work >= 0:
            return
        if spent:
            raise Wrong()
        raise Wrong(
            "limit",
            f"the expressions of this scene take more than {limits.EXPRESSION_WORK} "
            "operations together; that is the limit",
        )


class Scope:
    """Resolves the values of one entry (a body, a joint, a block), made once or by a generator.

    ``path`` is the entry's place in the file and ``label`` its own path, which has indices where
    a generator made it.
    """

    __slots__ = (
        "budget",
        "columns",
        "context",
        "failed",
        "label",
        "path",
        "report",
        "turn",
        "values",
    )

    def __init__(
        self,
        context: Context,
        report: Report,
        budget: Budget,
        path: Path,
        label: str,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        self.context = context
        self.report = report
        self.budget = budget
        self.path = path
        self.label = label
        self.values = context.values if values is None else values
        self.failed = False  # something of the entry has a problem
        self.columns: Columns | None = None  # of the generator of which this is a turn
        self.turn = 0

    def resolve(self, value: Any, *at: int | str) -> Any:
        """The value with all that was deferred in it evaluated; Stop after a problem."""
        kind = type(value)
        if kind is tuple and len(value) == 2 and type(value[0]) is float is type(value[1]):
            return value  # a plain point, which most are
        if self.columns is not None:
            column = self.columns.of(value, self.turn, at)
            if column:
                return column[self.turn]
        if kind is Deferred:
            return self._evaluate(value, at)
        if kind is tuple:
            parts = self.parts(value, *at)
            if any(part is BROKEN for part in parts):
                raise Stop
            return parts
        if kind is NameTemplate:
            return self._name(value, at)
        if kind is Broken:
            raise Stop
        return value

    def parts(self, value: tuple[Any, ...], *at: int | str) -> tuple[Any, ...]:
        """The items of a tuple resolved, BROKEN where one has a problem."""
        column = () if self.columns is None else self.columns.of(value, self.turn, at)
        if column:
            whole: tuple[Any, ...] = column[self.turn]
            return whole
        result = []
        for i, item in enumerate(value):
            try:
                result.append(self.resolve(item, *at, i))
            except Stop:
                result.append(BROKEN)
        return tuple(result)

    def known(self, value: Any, *at: int | str) -> Any:
        """The value resolved, BROKEN after a problem."""
        if value is None:
            return None
        try:
            return self.resolve(value, *at)
        except Stop:
            self.failed = True
            return BROKEN

    def _evaluate(self, value: Deferred, at: Path) -> Any:
        try:
            self.budget.spend(value.expression.work)
            where = self.label + show_suffix(at) if value.expression.seeded else ""
            return value.evaluate(self.values, self.context, where)
        except Wrong as wrong:
            self.report.add_wrong(self.path + at, wrong, self.label + show_suffix(at))
            raise Stop from None

    def _name(self, value: NameTemplate, at: Path) -> str:
        try:
            self.budget.spend(20 * len(value.indices))
            where = self.label + show_suffix(at) if value.seeded else ""
            return value.evaluate(self.values, self.context, where)
        except Wrong as wrong:
            self.report.add_wrong(self.path + at, wrong, self.label + show_suffix(at))
            raise Stop from None

    def attempt(self, make: Callable[P, T], instead: T, *arguments: P.args, **named: P.kwargs) -> T:
        """The result of ``make`` for the arguments, or ``instead`` after a problem, so that others
        are found too."""
        try:
            return make(*arguments, **named)
        except Stop:
            self.failed = True
            return instead

    def stop_if_failed(self) -> None:
        """Raise Stop if an attempt failed."""
        if self.failed:
            raise Stop

    def need(self, given: Input, *at: int | str) -> None:
        """Stop unless a model has all required fields."""
        missing = [key for key in given.needed if _said(given, key) is None]
        for key in missing:
            if not self.report.may_mean(self.path + at, object):
                self.fail("missing-key", missing_key(key, given.needed), *at)
        if missing:
            raise Stop

    def check_values(self, given: Input, *at: str) -> None:
        """Report the problems of the single values of a model."""
        for name, field in type(given).model_fields.items():
            value, key = getattr(given, name), field.alias or name
            if isinstance(value, Input):
                self.check_values(value, *at, key)
            elif name not in RepeatedInput.model_fields:
                self.known(value, *at, key)

    def values_of(self, given: Input, *at: int | str) -> dict[str, Any]:
        """All values of an entry, resolved; Stop after reporting all problems."""
        if given is BROKEN:
            raise Stop
        values = {
            name: self.known(getattr(given, name), *at, field.alias or name)
            for name, field in type(given).model_fields.items()
            if getattr(given, name) is not None
        }
        if any(value is BROKEN for value in values.values()):
            raise Stop
        return values

    def at(self, *path: int | str) -> Scope:
        """Return this scope for an entry at another place in the file."""
        return Scope(self.context, self.report, self.budget, path, self.label, self.values)

    def file(self, *at: int | str) -> str:
        """The name of a value's file in messages."""
        return locate(self.report.tree, (*self.path, *at))[0].file

    def fail(self, kind: Kind, message: str, *at: int | str, missing: str = "") -> Stop:
        """Report a problem of this entry; return the exception to be raised."""
        self.failed = True
        self.report.add(self.path + at, kind, message, None, self.label + show_suffix(at), missing)
        return Stop()


def _said(given: Input, key: str) -> Any:
    """The field of a model for a key; keywords of Python have an underscore appended."""
    return getattr(given, f"{key}_" if iskeyword(key) else key)


def deferred(value: Any) -> bool:
    """Whether resolving a value gives different results for different indices."""
    kind = type(value)
    if kind is tuple:
        return any(deferred(item) for item in value)
    if kind is Curve:
        return deferred(value.parts)
    return kind is Deferred or kind is NameTemplate or kind is Expression
