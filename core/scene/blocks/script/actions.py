# SPDX-License-Identifier: MIT
"""Builds actions: the entries of ``do``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ... import limits
from ...building.block import Making
from ...building.scope import Scope
from ...building.structure import validate
from ...event_model import Action, Live
from ...text.marks import Map, Mark, Seq
from ...text.problems import show_suffix
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Wrong
from ...values.expression import NO_EVENT
from ...values.kinds import Kind, Tuple, nearest
from ...values.names import missing_body
from ...values.quantity import Quantity, Written
from ..joints.types import JOINT_TYPES, JointInput
from ..settings.coordinates import added_kind, check_addable, split_axis
from ..settings.settable import (
    BODY,
    checked_value,
    find_setting,
    known_setting,
    read_only,
    scene_so_far,
    types_first,
    with_types,
)
from .action_models import ActionInput
from .destructions import build_destruction
from .live import Reader
from .spawns import Spawns, given_actions

IMPULSE = Tuple(Quantity((units.IMPULSE,)), 2, "an impulse [x, y]")
_AMOUNT = Quantity((units.IMPULSE,))
_NUMBER = Quantity()


class Actions:
    """Builds what is done, for events, controls and inputs alike."""

    def __init__(self, making: Making) -> None:
        self.making = making
        self.scene = scene_so_far(making)

    def build(
        self,
        given: Sequence[ActionInput] | None,
        scope: Scope,
        *at: int | str,
        names: Sequence[str] = (),
    ) -> tuple[Action, ...]:
        """The actions of one list. ``names`` begin with ``$``: what the event has."""
        if not is_read(given) or given is None:
            return ()
        if len(given) > limits.ACTIONS:
            raise scope.fail("limit", f"{len(given)} actions; the limit is {limits.ACTIONS}", *at)
        made = []
        for i, each in enumerate(given):
            if each is BROKEN:
                scope.failed = True
                continue
            one = _One(self.making, self.scene, scope, names, (*at, i))
            action = scope.attempt(one.build, None, each)
            if action is not None:
                made.append(action)
        return tuple(made)


class _One:
    """Builds one action."""

    def __init__(
        self, making: Making, scene: Any, scope: Scope, names: Sequence[str], at: tuple[Any, ...]
    ) -> None:
        self.making, self.scene, self.scope, self.at = making, scene, scope, at
        self.names = names
        self.reader = Reader(scene, scope, names)
        self.path = scope.label + show_suffix(at)

    def build(self, given: ActionInput) -> Action:
        kinds = [key for key in ActionInput.model_fields if getattr(given, key) is not None]
        if not kinds and self.scope.report.may_mean((*self.scope.path, *self.at), object):
            raise Stop
        if len(kinds) != 1:
            message = "an action is one of " + ", ".join(f"`{key}`" for key in kinds or _KINDS)
            kind = "conflicting-keys" if kinds else "missing-key"
            raise self.scope.fail(kind, f"{message}; write one", *self.at)  # type: ignore[arg-type]
        value = getattr(given, kinds[0])
        if value is BROKEN:
            raise Stop
        action: Action = getattr(self, f"_{kinds[0]}")(value, (*self.at, kinds[0]))
        return action

    # ------------------------------------------------------------ values

    def _set(self, given: Any, at: tuple[Any, ...]) -> Action:
        values: dict[str, Live] = {}
        self.scene = with_types(given, self.scene)
        for path, value in given.items():
            made = self.scope.attempt(self._setting, BROKEN, path, value, (*at, path))
            if made is not BROKEN:
                values[path] = made
        self.scope.stop_if_failed()
        return Action("set", self.path, values=types_first(values))

    def _setting(self, path: str, value: Any, at: tuple[Any, ...]) -> Any:
        if path.startswith("$"):
            owner, _, name = path.partition(".")
            return self.reader.read(self._of_event(owner, name, at), value, *at)
        if path.startswith("state."):
            self._variable(path.removeprefix("state."), at)
            return self.reader.read(_NUMBER, value, *at)
        setting = known_setting(path, self.scene, self.scope, *at)
        if setting is None:
            raise Stop
        if isinstance(value, str) and not value.lstrip().startswith("="):
            return checked_value(setting, value, self.scope, *at)
        return self.reader.read(setting.kind, value, *at)

    def _of_event(self, owner: str, name: str, at: tuple[Any, ...]) -> Kind:
        """The kind of value of a setting of the event's body."""
        self._event_name(owner, at)
        whole, axis = split_axis(name)
        if whole not in BODY:
            message = f"`{name}` of a body cannot be set; {nearest(name, tuple(BODY))}"
            message = read_only(owner, name) or message
            self.scope.report.add_key((*self.scope.path, *at), "unknown-name", message)
            self.scope.failed = True
            raise Stop
        kind = BODY[whole]
        return kind.item if isinstance(kind, Tuple) and axis is not None else kind

    def _add(self, given: Any, at: tuple[Any, ...]) -> Action:
        values: dict[str, Live] = {}
        for path, value in given.items():
            made = self.scope.attempt(self._added, BROKEN, path, value, (*at, path))
            if made is not BROKEN:
                values[path.removeprefix("state.") if "$" not in path else path] = made
        self.scope.stop_if_failed()
        return Action("add", self.path, values=values)

    def _added(self, path: str, value: Any, at: tuple[Any, ...]) -> Any:
        """Increments of a state variable, or of a value of a body, joint or actuator."""
        owner, dot, name = path.partition(".")
        if not dot or (owner == "state" and name in self.scene.state):
            self._variable(path.removeprefix("state."), at)
            return self.reader.read(_NUMBER, value, *at)
        try:
            if path.startswith("$"):
                kind, section = self._of_event(owner, name, at), "bodies"
                check_addable(section, path, name)
            else:
                setting = find_setting(path, self.scene, self.scope)
                kind, section = setting.kind, setting.section
                check_addable(section, path, setting.name)
        except Wrong as wrong:
            for finding in wrong.findings:
                place = (*self.scope.path, *at)
                self.scope.report.add_key(place, finding.kind, finding.message)
            self.scope.failed = True
            raise Stop from None
        return self.reader.read(added_kind(kind), value, *at)

    def _variable(self, name: str, at: tuple[Any, ...]) -> None:
        if name in self.scene.state:
            return
        self.scope.failed = True
        if not self.scope.report.may_have("state", name):
            message = f"there is no state variable `{name}`; {nearest(name, self.scene.state)}"
            self.scope.report.add_key((*self.scope.path, *at), "unknown-name", message)
        raise Stop

    # ------------------------------------------------------------ names

    def _event_name(self, name: str, at: tuple[Any, ...]) -> None:
        """Stop unless the event has a body of that name."""
        known = [each for each in ("$a", "$b") if f"{each}.x" in self.names]
        if name not in known:
            hint = nearest(name, known) if known else NO_EVENT
            message = f"there is no `{name}` here; {hint}"
            raise self.scope.fail("unknown-name", message, *at)

    def _body(self, name: str, at: tuple[Any, ...]) -> str:
        if name.startswith("$"):
            self._event_name(name, at)
        elif name not in self.scene.bodies:
            if self.scope.report.may_have("bodies", name):
                raise Stop
            message = missing_body(name, self.scene.bodies, self.scope.report.tree)
            if name in ("a", "b") and f"${name}.x" in self.names:
                message = f"there is no body `{name}`; did you mean `${name}`, that of the event?"
            elif self.scope.report.of_part and "did you mean" not in message:
                message += "; a prototype knows its own things only"
            raise self.scope.fail("unknown-name", message, *at, missing=name)
        return name

    def _known(self, section: str, what: str, name: str, at: tuple[Any, ...]) -> Any:
        things = getattr(self.scene, section)
        if name not in things:
            if self.scope.report.may_have(section, name):
                raise Stop
            message = f"there is no {what} `{name}`; {nearest(name, things)}"
            raise self.scope.fail("unknown-name", message, *at, missing=name)
        return things[name]

    def place(self, written: Any, at: tuple[Any, ...]) -> Live:
        """A point, or the name of a body, of a point of one, or of the event's."""
        return Spawns(self.making, self.reader).place(written, *at)

    # ------------------------------------------------------------ the kinds

    def _delete(self, given: str, at: tuple[Any, ...]) -> Action:
        if given.startswith("$"):
            self._event_name(given, at)
        elif given not in self.scene.joints and given not in self.scene.actuators:
            self._body(given, at)
        return Action("delete", self.path, given)

    def _destroy(self, given: Any, at: tuple[Any, ...]) -> Action:
        self.scope.need(given, *at)
        body = self._body(given.body, (*at, "body"))
        how = build_destruction(given, self.scope, *at)
        return Action("destroy", self.path, body, destruction=how)

    def _detach(self, given: str, at: tuple[Any, ...]) -> Action:
        if given not in _attached(self.making):
            self._known("joints", "joint", given, at)
        return Action("detach", self.path, given)

    def _of_animation(
        self, kind: Literal["play", "stop"], given: str, at: tuple[Any, ...]
    ) -> Action:
        animation = self._known("animations", "animation", given, at)
        if animation is not BROKEN and animation.kind == "manual":
            message = f"the animation `{given}` is manual: keys move it, it does not play"
            raise self.scope.fail("conflicting-keys", message, *at)
        return Action(kind, self.path, given)

    def _play(self, given: str, at: tuple[Any, ...]) -> Action:
        return self._of_animation("play", given, at)

    def _stop(self, given: str, at: tuple[Any, ...]) -> Action:
        return self._of_animation("stop", given, at)

    def _log(self, given: str, at: tuple[Any, ...]) -> Action:
        return Action("log", self.path, given)

    def _sound(self, given: str, at: tuple[Any, ...]) -> Action:
        return Action("sound", self.path, given)

    def _end(self, given: str, at: tuple[Any, ...]) -> Action:
        return Action("end", self.path, given)

    def _impulse(self, given: Any, at: tuple[Any, ...]) -> Action:
        self.scope.need(given, *at)
        body = self._body(given.body, (*at, "body"))
        where: Live = ""
        if is_read(given.at):
            where = self.place(given.at, (*at, "at"))
        amount = self._live(IMPULSE, given.impulse, (*at, "impulse"))
        return Action("impulse", self.path, body, at=where, amount=amount)

    def _explode(self, given: Any, at: tuple[Any, ...]) -> Action:
        self.scope.need(given, *at)
        where = self.place(given.at, (*at, "at"))
        radius = self.scope.known(given.radius, *at, "radius")
        amount = self._live(_AMOUNT, given.impulse, (*at, "impulse"))
        if radius is BROKEN:
            raise Stop
        return Action("explode", self.path, at=where, radius=radius, amount=amount)

    def _live(self, kind: Kind, written: Any, at: tuple[Any, ...]) -> Live:
        return self.reader.read(kind, written, *at)

    def _spawn(self, given: Any, at: tuple[Any, ...]) -> Action:
        spawn = Spawns(self.making, self.reader).build(given, *at)
        return Action("spawn", self.path, spawn=spawn)

    def _attach(self, given: Any, at: tuple[Any, ...]) -> Action:
        self.scope.need(given, *at)
        tree = given.joint.value if isinstance(given.joint, Written) else given.joint
        place = (*self.scope.path, *at, "joint")
        if not isinstance(tree, Map):
            raise self.scope.fail("wrong-type", "must be a joint, as under `joints`", *at, "joint")
        checked = validate(
            JointInput, _filled(tree, tree.at), self.scope.context, self.scope.report, place
        )
        if checked is BROKEN:
            raise Stop
        if any(each is BROKEN for each in (checked.type, checked.bodies, checked.body)):
            raise Stop
        self._check_attached(checked, (*at, "joint"))
        joint: dict[str, Any] = _plain(tree)
        if "body" in joint:
            self._body(str(joint["body"]), (*at, "joint", "body"))
            joint["bodies"] = ["world", str(joint.pop("body"))]
        else:
            for i, name in enumerate(joint["bodies"]):
                if name != "world":
                    self._body(str(name), (*at, "joint", "bodies", i))
        if self.scope.report.of_part:
            self._settle(joint, checked, (*at, "joint"))
        return Action("attach", self.path, given.name, joint=joint)

    def _check_attached(self, given: JointInput, at: tuple[Any, ...]) -> None:
        """Stop unless it is a joint of bodies that says which."""
        spec = None if given.type is None else JOINT_TYPES[given.type]
        if spec is not None and spec.links is not None:
            message = (
                f"an action cannot attach a {given.type}, which holds joints and not bodies; write "
                "it under `joints`"
            )
            raise self.scope.fail("unsupported", message, *at, "type")
        is_mouse = spec is not None and spec.has("body")
        if given.body is not None and not is_mouse:
            message = "`body` is for a mouse; other joints have `bodies`"
            raise self.scope.fail("conflicting-keys", message, *at, "body")
        if given.body is not None and given.bodies is not None:
            message = "`body` and `bodies` are both given; keep `body`"
            raise self.scope.fail("conflicting-keys", message, *at, "bodies")
        if given.type is None or (given.bodies is None and given.body is None):
            message = "needs `type` and `bodies`"
            if is_mouse:
                message = "`body` is missing; a mouse pulls a body: `body: crate`"
            raise self.scope.fail("missing-key", message, *at)

    def _settle(self, joint: dict[str, Any], checked: JointInput, at: tuple[Any, ...]) -> None:
        """Put numbers in the place of the vars of a prototype, which are not known later."""
        for key in ("anchor", "anchors", "ground_anchors", "axis", "target"):
            if key in joint and joint[key] != "$point":
                points = self.scope.resolve(getattr(checked, key), *at, key)
                joint[key] = [[*each] if isinstance(each, tuple) else each for each in points]
        joint |= {key: self._literal(value) for key, value in joint.items()}

    def _literal(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._literal(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._literal(each) for each in value]
        if isinstance(value, str) and value.lstrip().startswith("="):
            return f"={self.reader.source(self.scope.context.compile(value.strip()))}"
        return value


def _attached(making: Making) -> set[str]:
    """The names of joints that actions attach."""
    joints = [action.attach for action in given_actions(making)]
    names = [joint.name for joint in joints if joint is not None and is_read(joint)]
    return {name for name in names if name is not None and is_read(name)}


def _filled(tree: Any, at: Mark) -> Any:
    """A joint with what an event will put in, as something that can be checked."""
    if isinstance(tree, Map):
        filled = tree.copy()
        for key, value in tree.items():
            filled[key] = _filled(value, tree.at)
        return filled
    if isinstance(tree, Seq):
        items = tree.copy()
        items[:] = [_filled(each, tree.at) for each in tree]
        return items
    if tree == "$point":
        point = Seq(at)
        point += [0.0, 0.0]
        point.items_at = [at, at]
        return point
    return tree


def _plain(tree: Any) -> Any:
    """The values without their places."""
    if isinstance(tree, Map):
        return {key: _plain(value) for key, value in tree.items()}
    return [_plain(each) for each in tree] if isinstance(tree, Seq) else tree


_KINDS = tuple(ActionInput.model_fields)
