# SPDX-License-Identifier: MIT
"""The ``controls`` block: actions of keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...event_model import Action
from ...model import Scene, Units
from ...script import Control, Value
from ...text.marks import Map
from ...text.problems import find
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context
from ...values.fields import Duration, Input, about
from ...values.kinds import Custom, nearest, show
from ..settings.settable import SETTINGS_SCHEMA, check_settings, scene_so_far, set_values
from .action_types import ActionInput
from .actions import Actions
from .event_writing import written_action
from .paths import at_its_place

_MOVES = ("forward", "backward")
_HOLDS = "an actuator, or an animation with `.forward` or `.backward`"


def _as_written(value: Any, context: Context) -> Any:
    return value


# Keys as browsers, Unity and pygame name them, in lower case, by the name of a scene.
_KEYS = {
    "up": ("arrowup", "uparrow", "k_up"),
    "down": ("arrowdown", "downarrow", "k_down"),
    "left": ("arrowleft", "leftarrow", "k_left"),
    "right": ("arrowright", "rightarrow", "k_right"),
    "space": ("spacebar", "k_space"),
    "enter": ("return", "k_return"),
}


def key_problem(name: str) -> str:
    """The message on an invalid name of a key; empty for a valid name."""
    if not name.strip():
        return "a key needs a name, such as `up` or `space`"
    key = _key_of(name)
    return f"no key of a scene is named `{name}`; it is `{key}`" if key else ""


def _key_of(name: str) -> str:
    """The scene's name of a key given by a foreign name; empty for other names."""
    lower = name.lower()
    for key, names in _KEYS.items():
        if lower in names:
            return key
    letter = lower.removeprefix("key").removeprefix("k_")
    return letter if len(letter) == 1 and letter != lower and letter.isalnum() else ""


HOLD_SCHEMA: dict[str, Any] = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]
}


def _as_control(value: Any) -> Any:
    """The short form of a control as the long one."""
    return {"hold": value} if isinstance(value, (str, list)) else value


SettingsField = Annotated[Any, Custom(check_settings, SETTINGS_SCHEMA)]


class ReleaseInput(Input):
    form: ClassVar[str] = "`{set: {brake.friction: 0.05}, do: [{log: slow}]}`"
    set: SettingsField = about("Settings, by paths.")
    do: list[ActionInput] | None = about("Actions.")


def _as_release(value: Any) -> Any:
    """Convert the short form of a release, its settings alone, to the long form."""
    if isinstance(value, dict) and value and {"set", "do"}.isdisjoint(value):
        return {"set": value}
    return value


class ControlInput(Input):
    form: ClassVar[str] = "`jet`, `crouch.forward` or `{set: {brake.friction: 1}}`"
    hints: ClassVar[dict[str, str]] = {
        "release": "it is `on_release`",
        "press": "what is set when the key is pressed is `set`",
    }
    hold: Annotated[Any, Custom(_as_written, HOLD_SCHEMA)] = about(
        "Active while the key is held: actuators, and manual animations as `crouch.forward` or "
        "`crouch.backward`."
    )
    set: SettingsField = about("Settings when the key is pressed, by paths.")
    on_release: Annotated[ReleaseInput, BeforeValidator(_as_release)] | None = about(
        "Settings when the key is released, by paths; or `{set: {...}, do: [...]}` with actions."
    )
    do: list[ActionInput] | None = about("Actions when the key is pressed.")
    every: Duration = about("How long after it that is done again while the key is held.")


ControlsField = dict[str, Annotated[ControlInput, BeforeValidator(_as_control)]] | None


class Controls:
    """Builds the controls of a scene."""

    def __init__(self, build_context: BuildContext) -> None:
        self.scene = scene_so_far(build_context)
        self.animations = self.scene.animations
        self.actions = Actions(build_context)
        self.made: dict[str, Control] = {}

    def add(self, key: str, given: ControlInput, scope: Scope) -> None:
        """One entry of the block; its problems are reported."""
        problem = key_problem(key)
        if problem:
            scope.report.add_invalid_name(scope.path, problem)
        self.made[key] = BROKEN
        if given is not BROKEN:
            self.made[key] = scope.attempt(self._build, BROKEN, key, given, scope)

    def _build(self, key: str, given: ControlInput, scope: Scope) -> Control:
        fields = (given.hold, given.set, given.on_release, given.do)
        if all(field is None for field in fields):
            if scope.report.may_mean(scope.path, object):
                raise Stop
            raise scope.fail(
                "missing-key", "it does nothing; give it `hold`, `set`, `on_release` or `do`"
            )
        held: dict[str, list[str]] = {"forward": [], "backward": [], "holds": []}
        if is_read(given.hold):
            is_short = not isinstance(find(scope.report.tree, scope.path), Map)
            at = () if is_short else ("hold",)
            scope.attempt(lambda: self._hold(given.hold, held, scope, *at), None)
        sets = self._settings(given.set, scope, "set")
        released, undone = self._release(given.on_release, scope)
        actions = self.actions.build(given.do, scope, "do")
        every = scope.known(given.every, "every")
        if every is not None and given.do is None:
            scope.fail("conflicting-keys", "`every` belongs to `do`", "every")
        scope.stop_if_failed()
        lists = {name: tuple(names) for name, names in held.items()}
        return Control(
            key,
            **lists,
            sets=sets,
            on_release=released,
            actions=actions,
            every=every,
            released=undone,
        )

    def _release(
        self, given: ReleaseInput | None, scope: Scope
    ) -> tuple[dict[str, Any], tuple[Action, ...]]:
        """Settings and actions of the release of the key."""
        if given is None or given is BROKEN:
            return {}, ()
        if given.set is None and given.do is None:
            scope.fail("missing-key", f"says nothing; write {ReleaseInput.form}", "on_release")
        written = find(scope.report.tree, (*scope.path, "on_release"))
        is_long = isinstance(written, Map) and not {"set", "do"}.isdisjoint(written)
        at = ("on_release", "set") if is_long else ("on_release",)
        sets = self._settings(given.set, scope, *at)
        return sets, self.actions.build(given.do, scope, "on_release", "do")

    def _settings(self, given: Any, scope: Scope, *at: str) -> dict[str, Any]:
        if not is_read(given):
            return {}
        return scope.attempt(lambda: set_values(given, self.scene, scope, *at), {})

    def _hold(self, written: Any, held: dict[str, list[str]], scope: Scope, *at: int | str) -> None:
        """Return the actuators and animations of a held key."""
        several = isinstance(written, list)
        if several and not written:
            raise scope.fail("missing-key", f"names nothing; give it {_HOLDS}", *at)
        for i, name in enumerate(written if several else [written]):
            place = (*at, i) if several else at
            if not isinstance(name, str) or not name:
                scope.fail("wrong-type", f"must be {_HOLDS}, not {show(name)}", *place)
                continue
            where = scope.attempt(self._where, None, name, scope, *place)
            if where is None:
                continue
            kind, target = where
            if any(target in names for names in held.values()):
                scope.fail("conflicting-keys", f"`{target}` is named twice", *place)
            held[kind].append(target)

    def _where(self, name: str, scope: Scope, *at: int | str) -> tuple[str, str]:
        """The list of a control that a name belongs to, and its owner."""
        if name in self.scene.actuators:
            return "holds", name
        owner, _, move = name.rpartition(".")
        if owner in self.animations:
            if move not in _MOVES:
                message = f"an animation is moved `forward` or `backward`; {nearest(move, _MOVES)}"
                raise scope.fail("unknown-word", message, *at)
            animation = self.animations[owner]
            if animation is not BROKEN and animation.kind != "manual":
                raise scope.fail(
                    "conflicting-keys",
                    f"the animation `{owner}` is of type {animation.kind}; keys move those of type "
                    "manual",
                    *at,
                )
            return move, owner
        if name in self.animations:
            raise scope.fail(
                "missing-key",
                f"which way does it move? Write `{name}.forward` or `{name}.backward`",
                *at,
            )
        for section in ("actuators", "animations"):
            if scope.report.may_have(section, owner or name):
                raise Stop
        known = [
            *self.scene.actuators,
            *(f"{each}.{way}" for each in self.animations for way in _MOVES),
        ]
        hint = nearest(name, known, what="actuators or animations")
        message = f"there is no actuator or animation `{name}`; {hint}"
        raise scope.fail("unknown-name", message, *at, missing=name)


def _written_control(control: Control, units: Units) -> dict[str, Any]:
    """A control as a scene file has it."""
    values: dict[str, Any] = {}
    hold = [
        *(f"{name}.forward" for name in control.forward),
        *(f"{name}.backward" for name in control.backward),
        *control.holds,
    ]
    if hold:
        values["hold"] = hold
    if control.sets:
        values["set"] = dict(control.sets)
    if control.released:
        sets = {"set": dict(control.on_release)} if control.on_release else {}
        undone = [written_action(action, units) for action in control.released]
        values["on_release"] = {**sets, "do": undone}
    elif control.on_release:
        values["on_release"] = dict(control.on_release)
    if control.actions:
        values["do"] = [written_action(action, units) for action in control.actions]
    if control.every is not None:
        values["every"] = control.every
    return values


def _build_controls(
    given: Mapping[str, ControlInput] | None, build_context: BuildContext
) -> dict[str, Control]:
    placed: dict[str, Joined] = build_context.placed["controls"]
    if not given and not placed:
        return {}
    controls = Controls(build_context)
    for key, control in (given or {}).items():
        controls.add(key, control, build_context.scope("controls", key))
    for key, own in controls.made.items():
        placed.setdefault(key, Joined()).add(own, build_context.scope("controls", key))
    made = {key: each.control() for key, each in placed.items()}
    if build_context.is_part:
        return made
    return {key: at_its_place(each, f"controls.{key}") for key, each in made.items()}


class Joined:
    """A key with the effects of several; of equal settings the last one applies.

    Each is merged once, for any number of them.
    """

    def __init__(self) -> None:
        self._only: Control | None = None
        self._broken = False
        self._moves: tuple[dict[str, None], ...] = ({}, {}, {})
        self._sets: tuple[dict[str, Value], ...] = ({}, {})
        self._actions: list[Action] = []
        self._released: list[Action] = []
        self._every: float | None = None
        self._key = ""

    def add(self, control: Control, scope: Scope) -> None:
        """Add the effects of another key; a conflict is reported."""
        if control is BROKEN or self._broken:
            self._broken = True
        elif self.fits(control):
            self.merge(control)
        else:
            self._broken = True
            scope.attempt(self._refuse, None, control.key, scope)

    def fits(self, control: Control) -> bool:
        """Whether the actions of another key are repeated with the same period, or never."""
        return not (self._actions and control.actions and self._every != control.every)

    def merge(self, control: Control) -> None:
        """Add the effects of another key, which fits."""
        self._only = None if self._key else control
        self._key = control.key
        for names, more in zip(
            self._moves, (control.forward, control.backward, control.holds), strict=True
        ):
            names.update(dict.fromkeys(more))
        self._sets[0].update(control.sets)
        self._sets[1].update(control.on_release)
        if control.actions:
            self._every = control.every
            self._actions += control.actions
        self._released += control.released

    def _refuse(self, key: str, scope: Scope) -> None:
        message = (
            f"what the key `{key}` does elsewhere is repeated otherwise; give it the same "
            "`every`, or another key: `controls: {old: new}` of an instance"
        )
        raise scope.fail("conflicting-keys", message)

    def control(self) -> Control:
        """The actions of all controls; BROKEN if they are not known."""
        if self._broken:
            return BROKEN  # type: ignore[no-any-return]
        if self._only is not None:
            return self._only
        forward, backward, holds = (tuple(names) for names in self._moves)
        return Control(
            self._key,
            forward,
            backward,
            holds,
            sets=self._sets[0],
            on_release=self._sets[1],
            actions=tuple(self._actions),
            every=self._every,
            released=tuple(self._released),
        )


def _pieces(scene: Scene) -> Iterator[bytes]:
    for each in scene.controls.values():
        yield repr(each).encode()
        if each.actions:
            yield repr((each.actions, each.every)).encode()
        if each.released:
            yield repr(("on_release", each.released)).encode()


CONTROLS = BlockSpec(
    ControlsField,
    _build_controls,
    write=lambda scene: {
        key: _written_control(each, scene.units) for key, each in scene.controls.items()
    },
    hash_pieces=_pieces,
)
