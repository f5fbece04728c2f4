"""Builds ``record`` and ``expect``, and checks the names in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from .expression import ExpressionError, compile_state, state_problem
from .input_models import ExpectInput, RecordInput
from .joints import missing_body
from .model import Body, Expectation, Record, Scene
from .problems import Report, locate
from .scope import Scope, Stop

_ANGULAR = ("angle", "angular_velocity")
_QUANTITIES = ("position", "angle", "velocity", "angular_velocity")
DEFAULT_TOLERANCE = 0.01


def build_record(given: RecordInput | None, scene: Scene, scope: Scope) -> Record:
    """The ``record`` block; the name of a generator stands for all that it made."""
    if given is None:
        return Record()
    every = scope.resolve(given.every, "every")
    channels: list[str] | None = None
    if given.channels is not None:
        channels = []
        made = _generated((*scene.bodies, *scene.joints))
        for i, channel in enumerate(given.channels):
            channels += _channel(channel, made, scene, scope, i)
    return Record(
        every=1 if every is None else int(every),
        channels=None if channels is None else tuple(dict.fromkeys(channels)),
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
    owner, dot, rest = channel.partition(".")
    if owner in made:
        channels = [f"{name}{dot}{rest}" for name in made[owner]]
        channel = channels[0]
    else:
        channels = [channel]
    if not dot and owner in made:
        return channels
    problem = state_problem(channel, scene)
    if problem and _is_broken(owner, scope.report):
        raise Stop
    if problem:
        raise scope.fail(problem, "channels", i)
    return channels


def _is_broken(owner: str, report: Report) -> bool:
    """Whether a body or joint is missing only because its own problem is reported already."""
    return report.is_broken("bodies", owner) or report.is_broken("joints", owner)


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
                    f"`{forms[0]}` and the state of a body are two expectations; make two entries",
                    forms[0],
                )
            return self._states(given, quantities, scope)
        if not forms and self.report.has_unknown(scope.path):
            raise Stop
        if len(forms) != 1:
            raise scope.fail(
                "an expectation is one of `{at: end, that: =...}`, `{always: =...}`, "
                "`{eventually: =...}` and `{at: 2.0, body: ball, position: [x, y]}`"
            )
        if given.tolerance is not None:
            raise scope.fail("`tolerance` goes with the state of a body", "tolerance")
        form = forms[0]
        source = getattr(given, form)
        try:
            state = compile_state(source, self.scene)
        except ExpressionError as error:
            if error.name and _is_broken(error.name.partition(".")[0], self.report):
                raise Stop from None
            self.report.add((*scope.path, form), error.message, error.offset)
            raise Stop from None
        if form != "that":
            if given.at is not None:
                raise scope.fail(f"`at` goes with `that`, not with `{form}`", "at")
            kind: Any = form
            return [Expectation(kind=kind, that=state.source)]
        return [Expectation(kind="at", at=self._at(given, scope), that=state.source)]

    def _at(self, given: ExpectInput, scope: Scope) -> float | None:
        if given.at is None or given.at == "end":
            return None
        at = float(scope.resolve(given.at, "at"))
        world = self.scene.world
        end = world.steps * world.dt
        if at > end + 0.5 * world.dt and not self.report.is_broken("world"):
            raise scope.fail(f"{at:.6g} is after the end of the run, {end:.6g}", "at")
        return at

    def _states(self, given: ExpectInput, quantities: list[str], scope: Scope) -> list[Expectation]:
        if given.body is None:
            raise scope.fail(f"`{quantities[0]}` needs `body`: whose it is", quantities[0])
        bodies: dict[str, Body] = dict(self.scene.bodies)
        if given.body not in bodies:
            if _is_broken(given.body, self.report):
                raise Stop
            raise scope.fail(missing_body(given.body, bodies), "body")
        if not quantities:
            raise scope.fail(f"what of the body? Give one of {', '.join(_QUANTITIES)}")
        at = self._at(given, scope)
        tolerance = scope.resolve(given.tolerance, "tolerance")
        unit = DEFAULT_TOLERANCE * self.scene.world.length_unit
        made = []
        groups = [[q for q in quantities if q not in _ANGULAR]]
        groups += [[q] for q in quantities if q in _ANGULAR]
        for group in groups:
            if not group:
                continue
            values = {}
            for quantity in group:
                value = scope.resolve(getattr(given, quantity), quantity)
                values[quantity] = value if isinstance(value, tuple) else (value,)
            allowed = unit if tolerance is None else tolerance
            if group[0] in _ANGULAR:
                allowed = DEFAULT_TOLERANCE if tolerance is None else self._angle(tolerance, scope)
            made.append(
                Expectation(kind="state", at=at, body=given.body, values=values, tolerance=allowed)
            )
        return made

    @staticmethod
    def _angle(tolerance: float, scope: Scope) -> float:
        from .units import ANGLE

        return scope.context.to_model(tolerance, ANGLE)
