# SPDX-License-Identifier: MIT
"""The types of actions: their fields, building, writing and copying.

``world/script/action_executor.py`` executes each by a method with the name of the type.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from ...action_model import Motion
from ...event_model import Action, Live
from ...model import Units
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.fields import POINT, Input, about
from ...values.kinds import OneOf, Text, Tuple
from ...values.names import Name
from ...values.quantity import Quantity
from ..placing.attached_joints import joint_in_radians
from ..settings.settable import types_first, with_types
from .action_builder import ActionBuilder
from .action_models import (
    ANGLE,
    VELOCITY,
    VOLUME,
    AttachInput,
    CopyInput,
    DestroyInput,
    ExplodeInput,
    ImpulseInput,
    MoveInput,
    Settings,
    SoundInput,
    SpawnInput,
    Target,
    as_sound,
)
from .attached import attached_names, build_attach
from .destructions import build_destruction, written_destruction
from .reaches import ReachInput, build_reach, write_reach
from .spawns import Spawns
from .writing import written_spawn, written_value

At = tuple[Any, ...]
IMPULSE = Tuple(Quantity((units.IMPULSE,)), 2, "an impulse [x, y]")
_AMOUNT = Quantity((units.IMPULSE,))


class ActionInput(Input):
    form: ClassVar[str] = (
        "`{delete: $a}`, `{add: {score: 1}}` or `{spawn: {use: spark, at: $point}}`"
    )
    hints: ClassVar[dict[str, str]] = {
        "remove": "it is `delete`",
        "print": "it is `log`",
    }
    set: Settings = about("Settings, by paths.")
    add: Settings = about(
        "Numbers added to state variables, and to values of bodies, joints and actuators."
    )
    delete: Target = about(
        "What is removed from the world: an object, a group, a generator, an instance, or a tag."
    )
    move: MoveInput | None = about("Bodies that are put elsewhere.")
    copy_: CopyInput | None = about(
        "Bodies that are there once more, as they are now.", alias="copy"
    )
    destroy: DestroyInput | None = about("A body that breaks into pieces.")
    spawn: SpawnInput | None = about("A prototype that is put into the world.")
    attach: AttachInput | None = about("A joint that is made.")
    detach: Target = about("A joint that is taken out: of the scene, or all that were attached so.")
    impulse: ImpulseInput | None = about("A blow to a body.")
    explode: ExplodeInput | None = about("A blow to all bodies about a place.")
    reach: ReachInput | None = about("A chain of hinges that brings a point to a place.")
    play: Annotated[Any, Name("the name of an animation")] = about("An animation that plays anew.")
    stop: Annotated[Any, Name("the name of an animation")] = about(
        "An animation that stays where it is, until it plays anew."
    )
    log: Annotated[str | None, Text("a text")] = about("A row of the list of events.")
    sound: Annotated[SoundInput, BeforeValidator(as_sound)] | None = about(
        "A sound in pages and movies, and a row of the list of events."
    )
    end: Annotated[str | None, OneOf(("pass", "fail"))] = about("Ends the run.")


def _write_name(action: Action, in_units: Units) -> Any:
    return action.name


@dataclass(frozen=True, kw_only=True)
class ActionSpec:
    """The definition of one type of actions.

    Attributes:
        name: its key.
        build: the action from its text, at a place in the list.
        write: the inverse; attached joints are written in the units of the scene.
        is_text: whether ``Action.name`` is a text, and not the name of an object, which is renamed
            in copies.
        is_directed: whether ``Action.amount`` is a direction, which rotates with a copy.
        sets: whether ``Action.values`` are settings by their paths.
        takes_out: whether it removes a body.
    """

    name: str
    build: Callable[[ActionBuilder, Any, At], Action]
    write: Callable[[Action, Units], Any] = _write_name
    is_text: bool = False
    is_directed: bool = False
    sets: bool = False
    takes_out: bool = False

    @property
    def field(self) -> str:
        """Its field of ``ActionInput``."""
        return next(
            name
            for name, field in ActionInput.model_fields.items()
            if self.name in (field.alias, name)
        )


def _set(builder: ActionBuilder, given: Any, at: At) -> Action:
    scope = builder.scope
    values: dict[str, Live] = {}
    builder.scene = with_types(given, builder.scene)
    for path, value in given.items():
        made = scope.attempt(builder.setting, BROKEN, path, value, (*at, path))
        if made is not BROKEN:
            values[path] = made
    scope.stop_if_failed()
    return Action("set", builder.path, values=types_first(values))


def _write_values(action: Action, in_units: Units) -> Any:
    return {path: written_value(value) for path, value in action.values.items()}


def _add(builder: ActionBuilder, given: Any, at: At) -> Action:
    scope = builder.scope
    values: dict[str, Live] = {}
    for path, value in given.items():
        made = scope.attempt(builder.added, BROKEN, path, value, (*at, path))
        if made is not BROKEN:
            values[path.removeprefix("state.") if "$" not in path else path] = made
    scope.stop_if_failed()
    return Action("add", builder.path, values=values)


def _delete(builder: ActionBuilder, given: str, at: At) -> Action:
    if given not in builder.scene.joints and given not in builder.scene.actuators:
        builder.bodies(given, at)
    return Action("delete", builder.path, given)


def _destroy(builder: ActionBuilder, given: Any, at: At) -> Action:
    builder.scope.need(given, *at)
    body = builder.body(given.body, (*at, "body"))
    how = build_destruction(given, builder.scope, *at)
    return Action("destroy", builder.path, body, destruction=how)


def _move(builder: ActionBuilder, given: Any, at: At) -> Action:
    scope = builder.scope
    scope.need(given, *at)
    what = builder.bodies(given.what, (*at, "what"))
    if is_read(given.to) and is_read(given.by):
        message = "`to` and `by` are both given; keep one"
        raise scope.fail("conflicting-keys", message, *at, "by")
    to: Live = builder.place(given.to, (*at, "to")) if is_read(given.to) else ""
    kinds = (("by", POINT), ("angle", ANGLE), ("velocity", VELOCITY))
    values: dict[str, Any] = {
        key: builder.live(kind, getattr(given, key), (*at, key))
        for key, kind in kinds
        if is_read(getattr(given, key))
    }
    if at[-1] == "move" and not to and not values:
        message = "it moves nothing; give it `to`, `by`, `angle` or `velocity`"
        raise scope.fail("missing-key", message, *at)
    if at[-1] == "copy":
        values["name"] = given.name
        Spawns(builder.build_context, builder.reader).check_name(given.name, *at, "name")
    return Action(at[-1], builder.path, what, at=to, motion=Motion(**values))


def _write_move(action: Action, in_units: Units) -> Any:
    motion = action.motion
    assert motion is not None
    values: dict[str, Any] = {"what": action.name}
    if motion.name:
        values["name"] = motion.name
    values |= {"to": written_value(action.at)} if action.at else {"by": written_value(motion.by)}
    values["angle"] = written_value(motion.angle)
    if motion.velocity is not None:
        values["velocity"] = written_value(motion.velocity)
    return values


def _detach(builder: ActionBuilder, given: str, at: At) -> Action:
    if given not in attached_names(builder.build_context):
        builder.known("joints", "joint", given, at)
    return Action("detach", builder.path, given)


def _impulse(builder: ActionBuilder, given: Any, at: At) -> Action:
    builder.scope.need(given, *at)
    body = builder.body(given.body, (*at, "body"))
    where: Live = ""
    if is_read(given.at):
        where = builder.place(given.at, (*at, "at"))
    amount = builder.live(IMPULSE, given.impulse, (*at, "impulse"))
    return Action("impulse", builder.path, body, at=where, amount=amount)


def _explode(builder: ActionBuilder, given: Any, at: At) -> Action:
    builder.scope.need(given, *at)
    where = builder.place(given.at, (*at, "at"))
    radius = builder.scope.known(given.radius, *at, "radius")
    amount = builder.live(_AMOUNT, given.impulse, (*at, "impulse"))
    if radius is BROKEN:
        raise Stop
    return Action("explode", builder.path, at=where, radius=radius, amount=amount)


def _spawn(builder: ActionBuilder, given: Any, at: At) -> Action:
    spawn = Spawns(builder.build_context, builder.reader).build(given, *at)
    return Action("spawn", builder.path, spawn=spawn)


def _animation(builder: ActionBuilder, given: str, at: At) -> Action:
    animation = builder.known("animations", "animation", given, at)
    if animation is not BROKEN and animation.kind == "manual":
        message = f"the animation `{given}` is manual: keys move it, it does not play"
        raise builder.scope.fail("conflicting-keys", message, *at)
    return Action(at[-1], builder.path, given)


def _text(builder: ActionBuilder, given: str, at: At) -> Action:
    return Action(at[-1], builder.path, given)


def _sound(builder: ActionBuilder, given: Any, at: At) -> Action:
    scope = builder.scope
    scope.need(given, *at)
    name = builder.build_context.sounds.find(scope.known(given.name, *at, "name"), scope, *at)
    if not is_read(given.volume):
        return Action("sound", builder.path, name)
    volume = builder.live(VOLUME, given.volume, (*at, "volume"))
    if isinstance(volume, (int, float)) and not 0.0 < volume <= 1.0:
        message = f"must be above 0 and at most 1, not {volume:g}"
        raise scope.fail("out-of-range", message, *at, "volume")
    return Action("sound", builder.path, name, amount=volume)


def _write_sound(action: Action, in_units: Units) -> Any:
    if action.amount == 0.0:
        return action.name
    return {"name": action.name, "volume": written_value(action.amount)}


def _write_destroy(action: Action, in_units: Units) -> Any:
    assert action.destruction is not None
    return written_destruction(action.name, action.destruction)


def _write_spawn(action: Action, in_units: Units) -> Any:
    assert action.spawn is not None
    return written_spawn(action.spawn)


def _write_attach(action: Action, in_units: Units) -> Any:
    return {"name": action.name, "joint": joint_in_radians(action.joint, in_units)}


def _write_impulse(action: Action, in_units: Units) -> Any:
    where = {"at": written_value(action.at)} if action.at else {}
    return {"body": action.name, "impulse": written_value(action.amount), **where}


def _write_explode(action: Action, in_units: Units) -> Any:
    values = {"radius": action.radius, "impulse": written_value(action.amount)}
    return {"at": written_value(action.at), **values}


ACTION_TYPES: dict[str, ActionSpec] = {
    each.name: each
    for each in (
        ActionSpec(name="set", build=_set, write=_write_values, sets=True),
        ActionSpec(name="add", build=_add, write=_write_values, sets=True),
        ActionSpec(name="delete", build=_delete, takes_out=True),
        ActionSpec(name="move", build=_move, write=_write_move),
        ActionSpec(name="copy", build=_move, write=_write_move),
        ActionSpec(name="destroy", build=_destroy, write=_write_destroy, takes_out=True),
        ActionSpec(name="spawn", build=_spawn, write=_write_spawn),
        ActionSpec(name="attach", build=build_attach, write=_write_attach),
        ActionSpec(name="detach", build=_detach),
        ActionSpec(name="impulse", build=_impulse, write=_write_impulse, is_directed=True),
        ActionSpec(name="explode", build=_explode, write=_write_explode),
        ActionSpec(name="reach", build=build_reach, write=write_reach),
        ActionSpec(name="play", build=_animation),
        ActionSpec(name="stop", build=_animation),
        ActionSpec(name="log", build=_text, is_text=True),
        ActionSpec(name="sound", build=_sound, write=_write_sound, is_text=True),
        ActionSpec(name="end", build=_text, is_text=True),
    )
}
"""The types of actions by their keys, in the order of the reference."""
