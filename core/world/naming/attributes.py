# SPDX-License-Identifier: MIT
"""Attributes of worlds and of their handles; others are refused, with the right call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from ...nearest import nearest_name
from ...scene.blocks.settings.joint_settings import LENGTHS
from ...scene.blocks.settings.settable import ACTUATOR, BODY, PROPERTIES, SET_AS, WORLD
from ...scene.object_model import World as WorldSettings
from ...scene.values.foreign_words import plain_word

BY_NAME = tuple(name for name in BODY if name not in PROPERTIES)
"""Values of a body that are set by name, with ``set``."""
_MOTOR = ("motor", "enabled", "speed", "position", "max_force", "max_torque")

Ways = Mapping[str, str]
"""By the name of a value that is no attribute: how to set it, or how to read it."""


class FixedAttributes:
    """Base of objects that take no attributes but their own."""

    __slots__ = ()

    if not TYPE_CHECKING:  # so that type checkers still find unknown attributes themselves

        def __setattr__(self, name: str, value: Any) -> None:
            setter = getattr(getattr(type(self), name, None), "fset", None)
            if setter is not None:
                setter(self, value)
            elif self._may_assign(name):
                object.__setattr__(self, name, value)
            else:
                raise _refusal(self, name, self._set_by(), " that can be set")

        def __getattr__(self, name: str) -> NoReturn:
            hidden = name.startswith("_") or not self._is_complete()
            raise AttributeError(name) if hidden else _refusal(self, name, self._read_by())

    def _is_complete(self) -> bool:
        """Whether the constructor has assigned everything."""
        return all(_is_assigned(self, name) for name in getattr(self, "__slots__", ()))

    def _may_assign(self, name: str) -> bool:
        """Whether a name that is no property may be assigned; slots are, once."""
        return name in getattr(self, "__slots__", ()) and not _is_assigned(self, name)

    def _set_by(self) -> Ways:
        return {}

    def _read_by(self) -> Ways:
        return {}


def _is_assigned(owner: object, name: str) -> bool:
    try:
        object.__getattribute__(owner, name)
    except AttributeError:
        return False
    return True


def _refusal(owner: object, name: str, ways: Ways, which: str = "") -> AttributeError:
    """The error for a name that is no attribute, or none that can be set."""
    kind = type(owner).__name__
    own = [each for each in dir(type(owner)) if not each.startswith("_")]
    plain = plain_word(name)
    name_here = name if name in ways else plain
    if name_here in ways and name_here not in own:
        ways = {name: ways[name_here]}
    elif plain != name and plain in own:
        return AttributeError(f"{kind} has no attribute {name!r}; did you mean {plain!r}?")
    if name in ways:
        return AttributeError(f"{kind} has no attribute {name!r}{which}: {ways[name]}")
    if name in own:
        return AttributeError(f"{name!r} of {kind} can only be read")
    near = nearest_name(name, [*own, *ways])
    hint = f"did you mean {near!r}?" if near else "the Python reference lists them all"
    told = f" {ways[near][0].upper()}{ways[near][1:]}" if near in ways else ""
    return AttributeError(f"{kind} has no attribute {name!r}; {hint}{told}")


class _Dictionary(FixedAttributes):
    """Base of objects without slots. Subclasses of users may have attributes of their own."""

    __slots__ = ()
    _LAST: ClassVar[str] = ""
    """The attribute that the constructor assigns last."""

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            mine = self.__dict__
            if name in mine:
                mine[name] = value
            else:
                super().__setattr__(name, value)

    def _is_complete(self) -> bool:
        return self._LAST in vars(self)

    def _may_assign(self, name: str) -> bool:
        ours = type(self).__module__.startswith(__name__.partition(".")[0] + ".")
        return not self._is_complete() or not ours


class WorldAttributes(_Dictionary):
    """Attributes of a world."""

    __slots__ = ()
    _LAST = "script"

    def _set_by(self) -> Ways:
        fixed = 'it belongs to the scene; change it there, or by load(path, ["world.{}=..."])'
        return {
            **{name: f"set a value of {call}" for name, call in _calls(self).items()},
            **{name: fixed.format(name) for name in _SETTINGS},
            **{name: f'call world.set("world.{name}", ...)' for name in WORLD},
        }

    def _read_by(self) -> Ways:
        return {
            "body": 'write world["..."], with the name of a body',
            **{name: f"write {call}" for name, call in _calls(self).items()},
            **{name: f"world.scene.world.{name} is that of the scene" for name in _SETTINGS},
        }


class BatchAttributes(_Dictionary):
    """Attributes of a batch."""

    __slots__ = ()
    _LAST = "_beginnings"

    def _set_by(self) -> Ways:
        return {name: f'call batch.write(["world.{name}"], ...)' for name in WORLD}


class BodyAttributes(FixedAttributes):
    """Attributes of a body's handle."""

    __slots__ = ()

    def _set_by(self) -> Ways:
        return {
            **{name: f"set body.{whole}" for name, whole in _OF_BODY.items()},
            **{name: f'call body.set("{name}", ...)' for name in BY_NAME},
        }

    def _read_by(self) -> Ways:
        return {
            **{name: f"read body.{whole}" for name, whole in _OF_BODY.items()},
            **dict.fromkeys(BY_NAME, "it can only be set, by body.set"),
        }


class JointAttributes(FixedAttributes):
    """Attributes of a joint's handle."""

    __slots__ = ()

    def _set_by(self) -> Ways:
        return {
            **dict.fromkeys(_MOTOR, "call joint.set_motor(...)"),
            **{name: f"call joint.set_motor({key}=...)" for name, key in _MOTOR_WORDS.items()},
            **dict.fromkeys(("length", *LENGTHS), "call joint.set_lengths(...)"),
            "limits": "call joint.set_limits(lower, upper)",
            "spring": "call joint.set_spring(...)",
            "target": "call joint.set_target((x, y))",
        }

    def _read_by(self) -> Ways:
        read = "the scene's are joint.definition.motor, and joint.set_motor({}=...) sets it"
        return {name: read.format(key) for name, key in _MOTOR_WORDS.items()}


class ActuatorAttributes(FixedAttributes):
    """Attributes of an actuator's handle."""

    __slots__ = ()

    def _set_by(self) -> Ways:
        return {name: f'call actuator.set("{name}", ...)' for name in _ACTUATOR}

    def _read_by(self) -> Ways:
        return {name: f"read actuator.now.{name}" for name in _ACTUATOR}


_SETTINGS = tuple(field.name for field in fields(WorldSettings))
_WHOLE = {name: whole.partition(".")[0] for name, whole in SET_AS.items()}
_OF_BODY = {
    **_WHOLE,
    "linear_velocity": "velocity",
    "transform": "position and body.angle",
    **dict.fromkeys(("rotation", "orientation", "theta"), "angle"),
    **dict.fromkeys(("pos", "translation", "location"), "position"),
    **dict.fromkeys(("body_type", "kind"), "type"),
    **dict.fromkeys(("vel", "speed"), "velocity"),
    **dict.fromkeys(("spin", "w"), "angular_velocity"),
}
"""Attributes of bodies by readings of scenes and by words of other engines."""
_MOTOR_WORDS = {
    "motor_speed": "speed",
    "max_motor_torque": "max_torque",
    "max_motor_force": "max_force",
    "enable_motor": "enabled",
    "motor_enabled": "enabled",
}
_ACTUATOR = {name for names in ACTUATOR.values() for name in names if name != "enabled"}


def _calls(world: Any) -> dict[str, str]:
    """The calls that give the members of a world, by their names."""
    roster = world.roster
    return {
        **{name: f'world.actuator("{name}")' for name in world.actuators.definitions},
        **{name: f'world.joint("{name}")' for name in roster.joints},
        **{name: f'world["{name}"]' for name in roster.bodies},
    }
