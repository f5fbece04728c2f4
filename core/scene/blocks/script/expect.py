# SPDX-License-Identifier: MIT
"""The block ``expect``: conditions that must hold during or after a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from ....errors import Kind
from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...model import Expectation, Scene
from ...text.problems import locate
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context, Wrong
from ...values.expression import Expression, split_state, state_problems, truth_problems
from ...values.fields import (
    Angle,
    AngularSpeed,
    Input,
    NotNegative,
    PointField,
    VelocityField,
    about,
)
from ...values.kinds import EXPRESSION_SCHEMA, Custom, OneOf, show
from ...values.names import Name, missing_body
from ...values.quantity import Quantity
from .record import may_be

_OUTCOME_WORDS = {
    **dict.fromkeys(("won", "victory", "success"), "win"),
    **dict.fromkeys(("lost", "fail", "failed", "failure", "defeat"), "lose"),
    **dict.fromkeys(("passed", "ok"), "pass"),
    **dict.fromkeys(("timeout", "running", "open"), "none"),
}
"""Names of outcomes in other programs. A run that ends with `fail` is a failed check always."""


def _check_at(value: Any, context: Context) -> Any:
    if value == "end":
        return value
    return Quantity((units.TIME,), low=0.0).check(value, context)


def check_condition(value: Any, context: Context) -> str:
    """An expression over the state of a run; its names are looked at when all are known."""
    if not isinstance(value, str) or not value.strip().startswith("="):
        raise Wrong("wrong-type", f"must be an expression such as `=ball.y > 0`, not {show(value)}")
    context.compile(value.strip())
    return value.strip()


_AT_SCHEMA = {"anyOf": [{"const": "end"}, Quantity((units.TIME,), low=0.0).schema()]}


OUTCOMES = ("win", "lose", "pass", "none")


class ExpectInput(Input):
    form: ClassVar[str] = "`{at: 2, that: =ball.y > 1}`"

    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("result", "ending", "ends"), "it is `outcome`: win, lose, pass or none"),
        **dict.fromkeys(("win", "lose"), "it is `{at: end, outcome: win}`, or lose"),
        "joint": "what a joint does is asked for by expressions: `that: =hinge.angle < 1`",
    }
    at: Annotated[Any, Custom(_check_at, _AT_SCHEMA)] = about("When: a time, or end (default).")
    that: Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)] = about("Holds at that time.")
    always: Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)] = about(
        "Holds at every step."
    )
    eventually: Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)] = about(
        "Holds at some step."
    )
    outcome: Annotated[str | None, OneOf(OUTCOMES, _OUTCOME_WORDS)] = about(
        "The outcome of the run: win, lose, pass, or none for one that runs to its last step."
    )
    body: Annotated[str | None, Name("the name of a body")] = about(
        "The body whose state is compared."
    )
    position: PointField = about("Its expected position.")
    angle: Angle = about("Its expected angle.")
    velocity: VelocityField = about("Its expected velocity.")
    angular_velocity: AngularSpeed = about("Its expected angular velocity.")
    tolerance: NotNegative = about(
        "Allowed difference of each (default 0.01 length units, or 0.01 rad)."
    )


_ANGULAR = ("angle", "angular_velocity")
_QUANTITIES = ("position", "angle", "velocity", "angular_velocity")
DEFAULT_TOLERANCE = 0.01


def read_state(
    source: str, scene: Scene, scope: Scope, *at: str, is_truth: bool = True
) -> Expression:
    """An expression over the state of a run; Stop after all the names that the scene lacks.

    ``is_truth`` says whether it has to be true or false.
    """
    path, report = (*scope.path, *at), scope.report
    try:
        expression = scope.context.compile(source)
    except Wrong as wrong:
        report.add_wrong(path, wrong)
        raise Stop from None
    problems = state_problems(expression, scene)
    if not problems and is_truth:
        for number in truth_problems(expression, scene):
            report.add(path, "wrong-type", str(number), number.offset)
    for problem in problems:
        owner, dot = split_state(problem.name, scene)
        sections = ("bodies", "joints", "probes", *(() if dot else ("vars",)))
        if owner and may_be(owner, report, *sections):
            continue
        kind: Kind = "unknown-name" if problem.name else "expression"
        report.add(path, kind, problem.message, problem.offset, None, owner)
    if problems:
        raise Stop
    return expression


class Expectations:
    """Builds the entries of ``expect``."""

    def __init__(self, build_context: BuildContext) -> None:
        self.build_context = build_context
        self.scene, self.report = build_context.scene, build_context.report
        self.default_file: str = build_context.head["path"]
        self.made: list[Expectation] = []

    def add(self, given: ExpectInput, scope: Scope) -> None:
        """The expectations of one entry: one, or one for each quantity of a body."""
        mark, _ = locate(self.report.tree, scope.path)
        try:
            for expectation in self._build(given, scope):
                place = replace(
                    expectation,
                    line=mark.line,
                    column=mark.column,
                    file=mark.file or self.default_file,
                )
                self.made.append(place)
        except Stop:
            return

    def _build(self, given: ExpectInput, scope: Scope) -> list[Expectation]:
        quantities = [name for name in _QUANTITIES if getattr(given, name) is not None]
        forms = [
            name
            for name in ("that", "always", "eventually", "outcome")
            if getattr(given, name) is not None
        ]
        if given.body is not None or quantities:
            if forms:
                raise scope.fail(
                    "conflicting-keys",
                    f"`{forms[0]}` and the state of a body are two expectations; make two entries",
                    forms[0],
                )
            return self._states(given, quantities, scope)
        if not forms and self.report.may_mean(scope.path, str):
            raise Stop
        if len(forms) != 1:
            raise scope.fail(
                "missing-key",
                "an expectation is one of `{at: end, that: =...}`, `{always: =...}`, "
                "`{eventually: =...}`, `{at: end, outcome: win}` and "
                "`{at: 2.0, body: ball, position: [x, y]}`",
            )
        if is_read(given.tolerance):
            raise scope.fail(
                "conflicting-keys", "`tolerance` goes with the state of a body", "tolerance"
            )
        form = forms[0]
        if form == "outcome":
            return [self._outcome(given, scope)]
        that = scope.attempt(lambda: self._state(getattr(given, form), form, scope), BROKEN)
        if form != "that":
            if is_read(given.at):
                raise scope.fail(
                    "conflicting-keys", f"`at` goes with `that`, not with `{form}`", "at"
                )
            kind: Any = form
            return [Expectation(kind=kind, that=that)]
        at = scope.attempt(self._at, BROKEN, given, scope)
        return [Expectation(kind="at", at=at, that=that)]

    def _outcome(self, given: ExpectInput, scope: Scope) -> Expectation:
        """The required outcome of the run."""
        word = given.outcome
        if not is_read(word):
            raise Stop
        assert word is not None
        if is_read(given.at) and given.at != "end":
            message = "an outcome is that of the run's end: write `at: end`, or leave it out"
            raise scope.fail("conflicting-keys", message, "at")
        if not self._may_end(word):
            do = f"`do: [{{end: {word}}}]` of an event"
            if word != "pass":
                do = f"`outcome: {{{word}: =...}}`"
            message = f"nothing in the scene ends its run with `{word}`; it needs {do}"
            raise scope.fail("conflicting-keys", message, "outcome")
        return Expectation(kind="outcome", outcome=word)

    def _may_end(self, word: str) -> bool:
        """Whether anything in the scene can cause this outcome."""
        given = self.build_context.given
        if word in ("win", "lose"):
            outcome = given.outcome
            return outcome is BROKEN or (outcome is not None and getattr(outcome, word) is not None)
        if word == "none" or given.prototypes or given.instances:
            return True
        from .spawns import given_actions  # which few scenes need

        found = (action.end for action in given_actions(self.build_context))
        return any(each is BROKEN or each == word for each in found)

    def _state(self, source: str, form: str, scope: Scope) -> str:
        return read_state(source, self.scene, scope, form).source

    def _at(self, given: ExpectInput, scope: Scope) -> float | None:
        if given.at is None or given.at == "end":
            return None
        at = float(scope.resolve(given.at, "at"))
        world = self.scene.world
        end = world.steps * world.dt
        if at > end + 0.5 * world.dt:
            raise scope.fail(
                "out-of-range", f"{at:.6g} is after the end of the run, {end:.6g}", "at"
            )
        return at

    def _states(self, given: ExpectInput, quantities: list[str], scope: Scope) -> list[Expectation]:
        if given.body is None:
            raise scope.fail(
                "missing-key", f"`{quantities[0]}` needs `body`: whose it is", quantities[0]
            )
        bodies = self.scene.bodies
        at = scope.attempt(self._at, BROKEN, given, scope)
        values = {
            quantity: scope.known(getattr(given, quantity), quantity) for quantity in quantities
        }
        tolerance = scope.known(given.tolerance, "tolerance")
        if given.body not in bodies:
            if self.report.may_have("bodies", given.body):
                raise Stop
            message = missing_body(given.body, bodies, self.report.tree)
            raise scope.fail("unknown-name", message, "body", missing=given.body)
        if not quantities:
            raise scope.fail(
                "missing-key", f"what of the body? Give one of {', '.join(_QUANTITIES)}"
            )
        unit = DEFAULT_TOLERANCE * self.scene.world.length_unit
        made = []
        groups = [[q for q in quantities if q not in _ANGULAR]]
        groups += [[q] for q in quantities if q in _ANGULAR]
        for group in groups:
            if not group:
                continue
            expected = {
                name: values[name] if isinstance(values[name], tuple) else (values[name],)
                for name in group
            }
            allowed = unit if tolerance is None else tolerance
            if group[0] in _ANGULAR:
                allowed = DEFAULT_TOLERANCE if tolerance is None else self._angle(tolerance, scope)
            made.append(
                Expectation(
                    kind="state", at=at, body=given.body, values=expected, tolerance=allowed
                )
            )
        return made

    @staticmethod
    def _angle(tolerance: float, scope: Scope) -> float:
        from ...values.units import ANGLE

        return scope.context.to_model(tolerance, ANGLE)


def _expectation(expectation: Expectation) -> dict[str, Any]:
    if expectation.kind in ("always", "eventually"):
        return {expectation.kind: f"={expectation.that}"}
    at: Any = "end" if expectation.at is None else expectation.at
    if expectation.kind == "outcome":
        return {"at": at, "outcome": expectation.outcome}
    if expectation.kind == "at":
        return {"at": at, "that": f"={expectation.that}"}
    values: dict[str, Any] = {"at": at, "body": expectation.body}
    for name, value in expectation.values.items():
        values[name] = value if len(value) > 1 else value[0]
    values["tolerance"] = expectation.tolerance
    return values


def _build(given: list[ExpectInput] | None, build_context: BuildContext) -> tuple[Expectation, ...]:
    expectations = Expectations(build_context)
    for i, entry in enumerate(() if given is BROKEN else given or ()):
        if i == limits.EXPECTATIONS:
            message = f"more than {limits.EXPECTATIONS} expectations; that is the limit"
            build_context.report.add(("expect", i), "limit", message)
            break
        expectations.add(entry, build_context.scope("expect", i))
    return tuple(expectations.made)


def _bounded(value: Any) -> Any:
    """The checked part of a list: up to the first item beyond the limit."""
    return value[: limits.EXPECTATIONS + 1] if isinstance(value, list) else value


EXPECT = BlockSpec(
    Annotated[list[ExpectInput] | None, BeforeValidator(_bounded)],
    _build,
    write=lambda scene: [_expectation(each) for each in scene.expect],
)
