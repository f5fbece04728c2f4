# SPDX-License-Identifier: MIT
"""Checks the places, names and expressions of an annotation, for the functions that build it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...building.scope import Scope
from ...model import Point, Scene
from ...values.broken import Stop
from ...values.expression import Expression, state_problem, state_problems, truth_problems
from ...values.expression_parts import ExpressionError
from ...values.fields import Input
from ...values.text_template import TextFormula, TextTemplate

_OWNERS = ("bodies", "joints", "probes")
"""The sections of those whose state a name may be."""


class AnnotationBuilder:
    """Checks the values of one annotation, at its place in the list; ``before`` is the one before
    it."""

    def __init__(self, index: int, scene: Scene, scope: Scope, before: Input | None = None) -> None:
        self.index, self.scene, self.scope, self.before = index, scene, scope, before

    def fail(self, kind: Any, message: str, *at: int | str) -> Stop:
        """Report a problem of the annotation; return the exception to be raised."""
        return self.scope.fail(kind, message, self.index, *at)

    # ------------------------------------------------------------ places

    def one_place(self, given: Input, *names: str) -> None:
        """Stop unless exactly one of these fields is given."""
        there = [name for name in names if getattr(given, name) is not None]
        if len(there) != 1:
            listed = ", ".join(f"`{name}`" for name in names)
            kind = "conflicting-keys" if there else "missing-key"
            raise self.fail(kind, f"where? Give one of {listed}")

    def place(self, name: str, *at: int | str) -> str:
        """The name of a body or of a point of a body."""
        self.name(f"{name}.vx", name, *at)
        return name

    def end(self, end: Any, *at: int | str) -> Point | str:
        """A point of the world, or the name of a body or of a point of one."""
        if isinstance(end, str):
            return self.place(end, *at)
        point: Point = self.scope.resolve(end, self.index, *at)
        return point

    # ------------------------------------------------------------ names and expressions

    def name(self, channel: str, shown: str, *at: int | str) -> None:
        """Stop unless the state of the run has a channel, which is written as ``shown``."""
        problem = state_problem(channel, self.scene, or_var=False)
        if not problem:
            return
        owner = shown.partition(".")[0]
        there = owner in self.scene.bodies or owner in self.scene.joints
        if not there and any(
            self.scope.report.may_have(s, owner) for s in ("bodies", "joints", "probes")
        ):
            raise Stop
        if there and channel.endswith(".vx") and ".points." not in shown:
            problem = f"`{shown}` is no body and no point of one"
        raise self.fail("unknown-name", problem, *at)

    def expression(self, source: str, *at: int | str, truth: bool = False) -> None:
        """Stop unless a text is an expression over the state of the run, true or false if asked."""
        try:
            expression = Expression(source)
            problems = state_problems(expression, self.scene)
            if truth and not problems:
                problems = truth_problems(expression, self.scene)
        except ExpressionError as error:
            problems = [error]
        self._report(problems, *at)

    def template(self, text: str, *at: int | str) -> str:
        """A text with values of the run in braces."""
        try:
            template = TextTemplate(text)
        except ExpressionError as error:
            self._report([error], *at)
            raise Stop from None
        for formula in template.formulas:
            self._formula(formula, *at)
        for field in template.fields:
            problems = state_problems(field.expression, self.scene)
            self._report(problems, *at, shift=field.offset + 1)
        return text

    def _formula(self, formula: TextFormula, *at: int | str) -> None:
        """Stop unless a formula can be read, if what reads it is installed."""
        from ....fonts.formulas import MISSING, FormulaError, typeset  # which few scenes need

        try:
            typeset(formula.source)
        except ImportError:
            path = (*self.scope.path, self.index, *at)
            self.scope.report.warn(path, "unsupported", MISSING, formula.offset)
        except FormulaError as error:
            message = f"the formula cannot be read: {error}; a dollar sign itself is `$$`"
            problem = ExpressionError(message, error.offset)
            self._report([problem], *at, shift=formula.offset + 1)

    def _report(self, problems: Sequence[ExpressionError], *at: int | str, shift: int = 0) -> None:
        report, path = self.scope.report, (*self.scope.path, self.index, *at)
        for problem in problems:
            owner = problem.name.partition(".")[0]
            if owner and any(
                report.may_have(s, owner) for s in ("bodies", "joints", "probes", "vars")
            ):
                continue
            kind: Any = "unknown-name" if problem.name else "expression"
            report.add(path, kind, problem.message, problem.offset + shift, None, owner)
        if problems:
            raise Stop
