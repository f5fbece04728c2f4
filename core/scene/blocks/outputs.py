"""Builds ``record`` and ``expect``, and checks the names in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...errors import Kind
from .. import limits
from ..building.scope import Scope
from ..model import Expectation, Record, Scene
from ..text.problems import Report, locate
from ..values.broken import BROKEN, Stop, is_read
from ..values.context import Wrong
from ..values.expression import state_problem, state_problems, truth_problems
from ..values.names import missing_body
from .input_models import ExpectInput, RecordInput

_ANGULAR = ("angle", "angular_velocity")
_QUANTITIES = ("position", "angle", "velocity", "angular_velocity")
DEFAULT_TOLERANCE = 0.01


def build_record(given: RecordInput | None, scene: Scene, scope: Scope) -> Record:
    """The ``record`` block; the name of a generator stands for all that it made."""
    if given is None:
        return Record()
    every = scope.known(given.every, "every")
    channels: dict[str, None] | None = None
    if given.channels is not None:
        channels = {}
        made = _generated((*scene.bodies, *scene.joints))
        first = {channel: i for i, channel in reversed([*enumerate(given.channels)])}
        for channel, i in reversed(first.items()):
            named: list[str] = scope.attempt(lambda: _channel(channel, made, scene, scope, i), [])  # noqa: B023
            channels |= dict.fromkeys(named)
            if len(channels) > limits.CHANNELS:
                message = f"more than {limits.CHANNELS} channels; that is the limit"
                scope.fail("limit", message, "channels", i)
                break
    return Record(
        every=1 if every is None or every is BROKEN else int(every),
        channels=None if channels is None else tuple(channels),
    )


def _generated(names: Iterable[str]) -> dict[str, list[str]]:
    made: dict[str, list[str]] = {}
    for name in names:
        base, bracket, _ = name.partition("[")
        if bracket:
            made.setdefault(base, []).append(name)
    return made


def _channel(
    channel: str, made: dict[str, list[str]], scene: Scene, scope: Scope, i: int
) -> list[str]:
    if channel == "world" or channel in scene.bodies or channel in scene.joints:
        return [channel]
    if channel == "solver" and not state_problem("solver.residual", scene):
        return [channel]
    owner, dot, rest = channel.partition(".")
    if owner in made:
        channels = [f"{name}{dot}{rest}" for name in made[owner]]
        channel = channels[0]
    else:
        channels = [channel]
    if not dot and owner in made:
        return channels
    problem = state_problem(channel, scene, or_var=False)
    if not problem:
        return channels
    there = owner in scene.bodies or owner in scene.joints or owner == "world"
    if not there and _may_be(owner, scope.report, "bodies", "joints"):
        raise Stop
    raise scope.fail("unknown-name", problem, "channels", i, missing="" if there else owner)


def _may_be(owner: str, report: Report, *sections: str) -> bool:
    """Whether something that is not there may be one of the things that cannot be read."""
    return any(report.may_have(section, owner) for section in sections)


class Expectations:
    """Builds the entries of ``expect``."""

    def __init__(self, scene: Scene, report: Report, default_file: str) -> None:
        self.scene = scene
        self.report = report
        self.default_file = default_file
        self.made: list[Expectation] = []

    def add(self, given: ExpectInput, scope: Scope) -> None:
        """The expectations of one entry: one, or one for each quantity of a body."""
        mark, _ = locate(self.report.tree, scope.path)
        try:
            for expectation in self._build(given, scope):
                place = replace(expectation, line=mark.line, file=mark.file or self.default_file)
                self.made.append(place)
        except Stop:
            return

    def _build(self, given: ExpectInput, scope: Scope) -> list[Expectation]:
        quantities = [name for name in _QUANTITIES if getattr(given, name) is not None]
        forms = [
            name for name in ("that", "always", "eventually") if getattr(given, name) is not None
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
                "`{eventually: =...}` and `{at: 2.0, body: ball, position: [x, y]}`",
            )
        if is_read(given.tolerance):
            raise scope.fail(
                "conflicting-keys", "`tolerance` goes with the state of a body", "tolerance"
            )
        form = forms[0]
        that = scope.attempt(lambda: self._state(getattr(given, form), form, scope), BROKEN)
        if form != "that":
            if is_read(given.at):
                raise scope.fail(
                    "conflicting-keys", f"`at` goes with `that`, not with `{form}`", "at"
                )
            kind: Any = form
            return [Expectation(kind=kind, that=that)]
        at = scope.attempt(lambda: self._at(given, scope), BROKEN)
        return [Expectation(kind="at", at=at, that=that)]

    def _state(self, source: str, form: str, scope: Scope) -> str:
        """The expression's text; Stop after all the names that the scene does not have."""
        try:
            expression = scope.context.compile(source)
        except Wrong as wrong:
            self.report.add_wrong((*scope.path, form), wrong)
            raise Stop from None
        problems = state_problems(expression, self.scene)
        if not problems:
            for number in truth_problems(expression, self.scene):
                self.report.add((*scope.path, form), "wrong-type", str(number), number.offset)
        for problem in problems:
            owner, dot, _ = problem.name.partition(".")
            sections = ("bodies", "joints") if dot else ("bodies", "joints", "vars")
            if owner and _may_be(owner, self.report, *sections):
                continue
            kind: Kind = "unknown-name" if problem.name else "expression"
            self.report.add((*scope.path, form), kind, problem.message, problem.offset, None, owner)
        if problems:
            raise Stop
        return expression.source

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
        at = scope.attempt(lambda: self._at(given, scope), BROKEN)
        values = {
            quantity: scope.known(getattr(given, quantity), quantity) for quantity in quantities
        }
        tolerance = scope.known(given.tolerance, "tolerance")
        if given.body not in bodies:
            if self.report.may_have("bodies", given.body):
                raise Stop
            message = missing_body(given.body, bodies)
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
        from ..values.units import ANGLE

        return scope.context.to_model(tolerance, ANGLE)
