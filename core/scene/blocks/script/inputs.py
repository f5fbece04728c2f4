# SPDX-License-Identifier: MIT
"""The ``inputs`` block: a recorded player with keys, drags and settings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...model import Scene, Units
from ...script import Drag, InputEntry, KeyPress, Step, TimedSetting, Value
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context, Wrong
from ...values.fields import Force, Input, PointField, Time, about
from ...values.kinds import Custom, Text, nearest, show
from ...values.quantity import Deferred, Quantity
from ..settings.settable import is_angle, scene_so_far, set_values
from .action_types import ActionInput
from .actions import Actions
from .controls import SettingsField
from .event_writing import written_action

_TIME, _LENGTH = Quantity((units.TIME,), low=0.0), Quantity((units.LENGTH,))
_STOP = "a list [time, x, y]"


def _check_path(value: Any, context: Context) -> tuple[Step, ...]:
    """The path of a drag, with times."""
    if not isinstance(value, list) or not value:
        raise Wrong("wrong-type", f"must be a list of [time, x, y], not {show(value)}")
    path: list[Step] = []
    for i, entry in enumerate(value):
        if not isinstance(entry, list) or len(entry) != 3:
            raise Wrong("wrong-type", f"must be {_STOP}, not {show(entry)}", (i,))
        step = []
        for j, (kind, given) in enumerate(zip((_TIME, _LENGTH, _LENGTH), entry, strict=True)):
            try:
                number = kind.check(given, context)
            except Wrong as wrong:
                raise wrong.under(i, j) from None
            if isinstance(number, Deferred):
                raise Wrong("wrong-type", "must be a number, not an expression", (i, j))
            step.append(number)
        if path and step[0] <= path[-1][0]:
            raise Wrong("out-of-range", "the times of a path ascend", (i, 0))
        path.append((step[0], step[1], step[2]))
    return tuple(path)


_PATH_SCHEMA = {
    "type": "array",
    "minItems": 1,
    "items": {"type": "array", "items": Quantity().schema(), "minItems": 3, "maxItems": 3},
}


class InputModel(Input):
    form: ClassVar[str] = (
        "`{key: up, from: 0.5, to: 1.2}` or `{at: 2, set: {hinge.motor.speed: 90}}`"
    )
    hints: ClassVar[dict[str, str]] = {
        "until": "it is `to`",
        "start": "it is `from`",
        "time": "it is `at`",
        "t": "it is `at`",
    }
    key: Annotated[str | None, Text("the name of a key")] = about("A key of `controls`.")
    drag: Annotated[str | None, Text("the name of a body")] = about(
        "A body that is pulled by one of its points, as with a mouse."
    )
    from_: Time = about("When it is pressed or taken (0).", alias="from")
    to: Time = about("When it is released (the end of the run).")
    point: PointField = about("drag: the body's point, in its own coordinates ([0, 0]).")
    path: Annotated[Any, Custom(_check_path, _PATH_SCHEMA)] = about(
        "drag: where the point is pulled to, [[time, x, y], ...]."
    )
    max_force: Force = about("drag: the largest force (no limit).")
    at: Time = about("When something is set or done.")
    set: SettingsField = about("Settings at that time, by paths.")
    do: list[ActionInput] | None = about("Actions at that time.")


_KINDS = ("key", "drag", "set", "do")
_OF_DRAGS = ("point", "path", "max_force")


class Inputs:
    """Builds the recorded player."""

    def __init__(self, build_context: BuildContext) -> None:
        self.scene = scene_so_far(build_context)
        self.keys = dict.fromkeys([*self.scene.controls, *build_context.prototype_builder.keys()])
        self.actions = Actions(build_context)
        self.made: list[InputEntry] = []

    def add(self, given: InputModel, scope: Scope) -> None:
        """One entry of the list; its problems are reported."""
        if given is BROKEN:
            return
        made = scope.attempt(self._build, None, given, scope)
        if made is not None:
            self.made.append(made)

    def _build(self, given: InputModel, scope: Scope) -> InputEntry:
        values = {
            field: scope.known(getattr(given, field), field.rstrip("_"))
            for field in ("from_", "to", "at")
        }
        said = [field for field in _KINDS if getattr(given, field) is not None]
        if not said and not scope.report.may_mean(scope.path, object):
            raise scope.fail(
                "missing-key",
                "an input is `{key: up, from: 0.5, to: 1.2}`, `{at: 2, set: {...}}` or "
                "`{drag: crate, from: 1, to: 2, path: [[1, 3, 4], [1.5, 4, 4]]}`",
            )
        for field in said[1:]:
            if said[0] in ("key", "drag"):
                message = f"`{said[0]}` and `{field}` are both given; keep one"
                raise scope.fail("conflicting-keys", message, field)
        if given.drag is not None:
            return self._drag(given, given.drag, values, scope)
        self._refuse(given, _OF_DRAGS, "it is of a `drag`", scope)
        if given.key is None:
            return self._setting(given, values, scope)
        self._refuse(given, ("at",), "a key is held `from` one time `to` another", scope)
        if is_read(given.key) and given.key not in self.keys:
            if scope.report.may_have("controls", given.key):
                raise Stop
            scope.fail(
                "unknown-name",
                f"no control has the key `{given.key}`; {nearest(given.key, self.keys)}",
                "key",
                missing=f"key {given.key}",
            )
        return KeyPress(given.key, *self._span(values, scope))

    def _span(self, values: dict[str, Any], scope: Scope) -> tuple[float, float]:
        """Start and end time of a held input."""
        start = 0.0 if values["from_"] is None else values["from_"]
        until = math.inf if values["to"] is None else values["to"]
        if is_read(start) and is_read(until) and not start < until:
            scope.fail("out-of-range", "`to` must be after `from`", "to")
        scope.stop_if_failed()
        return start, until

    def _drag(self, given: InputModel, body: str, values: dict[str, Any], scope: Scope) -> Drag:
        self._refuse(given, ("at",), "a body is dragged `from` one time `to` another", scope)
        if is_read(body):
            self._check_body(body, scope)
        if given.path is None and not scope.report.may_mean(scope.path, object):
            scope.fail("missing-key", "`path` is missing: [[time, x, y], ...]")
        point = scope.known(given.point, "point")
        most = scope.known(given.max_force, "max_force")
        start, until = self._span(values, scope)
        if body is BROKEN or given.path is BROKEN:
            raise Stop
        return Drag(
            body,
            (0.0, 0.0) if point is None else point,
            start,
            until,
            given.path,
            math.inf if most is None else most,
        )

    def _check_body(self, name: str, scope: Scope) -> None:
        """Report a name that no body has, or will have, and one of a body that forces do not
        move."""
        body = self.scene.bodies.get(name)
        if body is None:
            if self.scene.reacts or scope.report.may_have("bodies", name):
                return  # it may come while the scene runs
            message = f"there is no body `{name}`; {nearest(name, self.scene.bodies)}"
            scope.fail("unknown-name", message, "drag", missing=name)
        elif body is not BROKEN and body.kind != "dynamic":
            message = f"`{name}` is {body.kind}; only dynamic bodies are dragged"
            scope.fail("impossible-motion", message, "drag")

    def _setting(self, given: InputModel, values: dict[str, Any], scope: Scope) -> TimedSetting:
        self._refuse(given, ("from_", "to"), "what is set, is set `at` one time", scope)
        if given.at is None:
            scope.fail("missing-key", "`at` is missing: when is it set?")
        sets = self._settings(given, scope)
        actions = self.actions.build(given.do, scope, "do")
        scope.stop_if_failed()
        return TimedSetting(values["at"], sets, actions)

    def _settings(self, given: InputModel, scope: Scope) -> dict[str, Value]:
        none: dict[str, Value] = {}
        if not is_read(given.set):
            return none
        return scope.attempt(set_values, none, given.set, self.scene, scope, "set")

    def _refuse(self, given: InputModel, fields: tuple[str, ...], why: str, scope: Scope) -> None:
        for field in fields:
            if is_read(getattr(given, field)):
                name = field.rstrip("_")
                scope.fail("conflicting-keys", f"`{name}` does not belong here: {why}", name)


def written_input(entry: InputEntry, units: Units) -> dict[str, Any]:
    """An entry of the recorded player as a scene file has it."""
    if isinstance(entry, TimedSetting):
        does = (
            {"do": [written_action(each, units) for each in entry.actions]} if entry.actions else {}
        )
        return {"at": entry.at, **({"set": dict(entry.sets)} if entry.sets else {}), **does}
    until = {} if math.isinf(entry.until) else {"to": entry.until}
    if isinstance(entry, KeyPress):
        return {"key": entry.key, "from": entry.start, **until}
    most = {} if math.isinf(entry.max_force) else {"max_force": entry.max_force}
    held = {"drag": entry.body, "from": entry.start, **until, "point": entry.point}
    return {**held, **most, "path": entry.path}


def recorded_input(entry: InputEntry, scene: Scene) -> dict[str, Any]:
    """The same in the units of a scene, whose plain angles may be degrees."""
    written = written_input(entry, replace(scene.units, angle="rad"))  # joints in the scene's units
    if scene.units.angle == "deg" and isinstance(entry, TimedSetting) and entry.sets:
        written["set"] = {
            path: _in_degrees(value) if is_angle(path, scene) else value
            for path, value in entry.sets.items()
        }
    return written


def _in_degrees(value: Value) -> Value:
    """The shortest numbers of degrees that are read as just these radians."""
    if isinstance(value, tuple):
        return tuple(_degrees(each) for each in value)
    return _degrees(value) if isinstance(value, float) else value


def _degrees(radians: float) -> float:
    if not math.isfinite(radians):
        return radians
    near = radians * 180.0 / math.pi
    for digits in range(1, 18):
        shorter = float(f"{near:.{digits}g}")
        if shorter * math.pi / 180.0 == radians:
            return shorter
    beside = (math.nextafter(near, -math.inf), math.nextafter(near, math.inf))
    return next((each for each in beside if each * math.pi / 180.0 == radians), near)


def _build_inputs(
    given: Sequence[InputModel] | None, build_context: BuildContext
) -> tuple[InputEntry, ...]:
    inputs = Inputs(build_context)
    for i, entry in enumerate(() if given is BROKEN else given or ()):
        inputs.add(entry, build_context.scope("inputs", i))
    return tuple(inputs.made)


def _pieces(scene: Scene) -> Iterator[bytes]:
    for each in scene.inputs:
        yield repr(each).encode()
        if isinstance(each, TimedSetting) and each.actions:
            yield repr((each.actions, None)).encode()


INPUTS = BlockSpec(
    list[InputModel] | None,
    _build_inputs,
    write=lambda scene: [written_input(each, scene.units) for each in scene.inputs],
    hash_pieces=_pieces,
)
