"""Where expressions get their values: vars, indices of a generator, and the path of the value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from . import limits
from .context import Context, Wrong
from .names import NameTemplate
from .problems import Path, Report, show_suffix
from .quantity import Deferred

T = TypeVar("T")


class Budget:
    """What the expressions of a scene may still cost."""

    def __init__(self) -> None:
        self.work = limits.EXPRESSION_WORK

    def spend(self, work: int) -> None:
        """Wrong when the limit is reached."""
        self.work -= work
        if self.work < 0:
            raise Wrong(
                f"the expressions of this scene take more than {limits.EXPRESSION_WORK} "
                "operations together; that is the limit"
            )


class Stop(Exception):  # noqa: N818 - it ends the expansion of one entry, whose problem is reported
    """A problem was reported; the entry that has it cannot be made."""


class Scope:
    """Resolves the values of one entry (a body, a joint, a block), made once or by a generator.

    ``path`` is the entry's place in the file and ``label`` its own path, which has indices where
    a generator made it.
    """

    __slots__ = ("budget", "context", "failed", "label", "path", "report", "values")

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
        self.failed = False  # an attempt ended in Stop

    def resolve(self, value: Any, *at: int | str) -> Any:
        """The value with all that was deferred in it evaluated; Stop after a problem."""
        kind = type(value)
        if kind is Deferred:
            return self._evaluate(value, at)
        if kind is tuple:
            return tuple([self.resolve(item, *at, i) for i, item in enumerate(value)])
        if kind is NameTemplate:
            return self._name(value, at)
        return value

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
            return value.evaluate(self.values, self.context, self.label + show_suffix(at))
        except Wrong as wrong:
            self.report.add_wrong(self.path + at, wrong, self.label + show_suffix(at))
            raise Stop from None

    def attempt(self, make: Callable[[], T], instead: T) -> T:
        """What ``make`` gives, or ``instead`` after a problem, so that others are found too."""
        try:
            return make()
        except Stop:
            self.failed = True
            return instead

    def stop_if_failed(self) -> None:
        """Raise Stop if an attempt failed."""
        if self.failed:
            raise Stop

    def at(self, *path: int | str) -> Scope:
        """The same scope for an entry that stands elsewhere in the file."""
        return Scope(self.context, self.report, self.budget, path, self.label, self.values)

    def fail(self, message: str, *at: int | str) -> Stop:
        """Report a problem of this entry; raise what it returns."""
        self.report.add(self.path + at, message, None, self.label + show_suffix(at))
        return Stop()


def deferred(value: Any) -> bool:
    """Whether resolving a value gives different results for different indices."""
    kind = type(value)
    if kind is tuple:
        return any(deferred(item) for item in value)
    return kind is Deferred or kind is NameTemplate
