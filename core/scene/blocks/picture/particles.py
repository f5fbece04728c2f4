# SPDX-License-Identifier: MIT
"""The block ``particles``: sparks and flames, drawn without effect on physics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...building.writing import differences
from ...model import Emitter, Scene
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context, Wrong
from ...values.expression import state_problem
from ...values.fields import Duration, Input, Size, Value, about
from ...values.kinds import Color, Custom, ListOf, Text, nearest, show
from ...values.names import born_of
from ...values.portable_math import total
from ...values.quantity import Quantity

_SPEED = 2.0  # in length_unit a second
_SIZE = 0.05  # in length_unit
_PLACE = {"type": "string", "minLength": 1}


def _check_places(value: Any, context: Context) -> tuple[str, ...]:
    places = value if isinstance(value, list) else [value]
    if not 1 <= len(places) <= 2 or not all(isinstance(each, str) and each for each in places):
        message = (
            "must be a body or a point of one, such as `ship.points.nozzle`, or two of these, not "
            f"{show(value)}"
        )
        raise Wrong("wrong-type", message)
    return tuple(each.strip() for each in places)


class EmitterInput(Input):
    form: ClassVar[str] = "`{from: ship.points.nozzle, rate: 200, life: 0.4}`"
    hints: ClassVar[dict[str, str]] = {"color": "it is `colors`, a list: `colors: [red]`"}
    needed: ClassVar[tuple[str, ...]] = ("from", "life")
    while_: Annotated[str | None, Text("the name of an actuator")] = about(
        "An actuator; they come only while it acts (default: always).", alias="while"
    )
    from_: Annotated[
        Any,
        Custom(
            _check_places,
            {"anyOf": [_PLACE, {"type": "array", "items": _PLACE, "minItems": 1, "maxItems": 2}]},
        ),
    ] = about("Where: a body or a point of one, or two of these and what is between.", alias="from")
    rate: Annotated[Value, Quantity((units.FREQUENCY,), above=0.0, per_time=True)] = about(
        "How many come in a second; with `count` how many bursts."
    )
    count: Annotated[Value, Quantity(low=1, high=limits.PARTICLES, whole=True)] = about(
        "How many come together (1); without `rate` they come once, at the start."
    )
    life: Duration = about("How long each is there.")
    colors: Annotated[
        tuple[str, ...] | None, ListOf(Color(), "a list of colours", 1, limits.PARTICLE_COLORS)
    ] = about("The colours that each goes through, one to 8 (default [yellow, red]).")
    speed: Annotated[Value, Quantity((units.SPEED,), low=0.0)] = about(
        "How fast they leave what they come from (default: 2 length_unit a second)."
    )
    spread: Annotated[Value, Quantity((units.ANGLE,), low=0.0)] = about(
        "How far to either side they may go (default 15 degrees; all round from one place)."
    )
    size: Size = about("The radius that each begins with (default: a twentieth of length_unit).")


class Emitters:
    """Builds the emitters of a scene whose bodies and actuators are known."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.made: dict[str, Emitter] = {}

    def add(self, name: str, given: EmitterInput, scope: Scope) -> None:
        """One entry of the block; its problems are reported."""
        self.made[name] = BROKEN
        if given is not BROKEN:
            self.made[name] = scope.attempt(self._build, BROKEN, name, given, scope)

    def _build(self, name: str, given: EmitterInput, scope: Scope) -> Emitter:
        values = scope.values_of(given)
        scope.need(given)
        gate = values.pop("while_", "")
        if gate:
            self._check_actuator(gate, scope)
        places = values.pop("from_")
        for i, place in enumerate(places):
            self._check_place(place, scope, *(("from",) if len(places) == 1 else ("from", i)))
        scope.stop_if_failed()
        world = self.scene.world
        if "rate" not in values:
            self._check_once(given, scope)
            values |= {"rate": 1.0 / world.dt if is_read(world) else 1.0, "once": True}
        values["count"] = int(values.get("count", 1))
        long = world.length_unit if is_read(world) else 1.0
        values.setdefault("speed", _SPEED * long / self.scene.units.time_per_second)
        values.setdefault("size", _SIZE * long)
        made = Emitter(name, places, gate=gate, **values)
        if made.alive > limits.PARTICLES:
            message = f"{made.alive:.0f} particles at a time; the limit is {limits.PARTICLES}"
            raise scope.fail("limit", message)
        return made

    def _check_once(self, given: EmitterInput, scope: Scope) -> None:
        """Report a missing rate where there is no burst that comes once."""
        if given.count is None:
            message = "`rate` is missing: how many come in a second, or `count`, for one burst"
            raise scope.fail("missing-key", message)
        if given.while_ is not None:
            message = "one burst comes at the start; while an actuator acts, bursts have a `rate`"
            raise scope.fail("conflicting-keys", message, "while")

    def _check_actuator(self, name: str, scope: Scope) -> None:
        if name in self.scene.actuators:
            return
        if scope.report.may_have("actuators", name):
            raise Stop
        hint = nearest(name, self.scene.actuators)
        scope.fail("unknown-name", f"there is no actuator `{name}`; {hint}", "while", missing=name)

    def _check_place(self, name: str, scope: Scope, *at: int | str) -> None:
        problem = state_problem(f"{name}.vx", self.scene, or_var=False)
        if not problem:
            return
        owner = name.partition(".")[0]
        if scope.report.may_have("bodies", owner):
            raise Stop
        problem = born_of(scope.report.tree, name) or problem
        if owner in self.scene.bodies and ".points." not in name:
            problem = f"`{name}` is no body and no point of one"
        scope.fail("unknown-name", problem, *at, missing=owner)


def _build(
    given: Mapping[str, EmitterInput] | None, build_context: BuildContext
) -> dict[str, Emitter]:
    """The emitters, behind those of instances."""
    entries = {} if given is None or given is BROKEN else given
    emitters = Emitters(build_context.scene)
    emitters.made |= build_context.placed["particles"]
    for name, entry in entries.items():
        if name in emitters.made:
            problem = f"an instance has an emitter `{name}`; choose another name"
            build_context.report.add_invalid_name(("particles", name), problem)
        emitters.add(name, entry, build_context.scope("particles", name))
    problem = too_many(each for each in emitters.made.values() if each is not BROKEN)
    if problem:
        raise build_context.scope("particles").fail("limit", problem)
    return emitters.made


def too_many(emitters: Iterable[Emitter]) -> str:
    """The problem of more particles than allowed at a time."""
    alive = [each.alive for each in emitters]
    if len(alive) > limits.EMITTERS:
        return f"{len(alive)} emitters of particles at a time; the limit is {limits.EMITTERS}"
    if total(alive) > limits.ALL_PARTICLES:
        return (
            f"{total(alive):.0f} particles of all emitters at a time; the limit is "
            f"{limits.ALL_PARTICLES}"
        )
    return ""


def _write(emitter: Emitter) -> dict[str, Any]:
    values: dict[str, Any] = {"while": emitter.gate} if emitter.gate else {}
    values["from"] = emitter.places
    names = ("life", "speed", "size") if emitter.once else ("rate", "life", "speed", "size")
    values |= {name: getattr(emitter, name) for name in names}
    if emitter.once:
        values["count"] = emitter.count
    return values | differences(emitter, Emitter("", (), 1.0, 1.0), ("count", "colors", "spread"))


PARTICLES = BlockSpec(
    dict[str, EmitterInput] | None,
    _build,
    write=lambda scene: {each.name: _write(each) for each in scene.particles.values()},
)
