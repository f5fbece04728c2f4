# SPDX-License-Identifier: MIT
"""Things of a scene as plain data that JSON holds exactly, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar

from .model import Actuator, Body, Emitter, Joint, Material, Motor, Shape, Spring, Texture, Trail

Thing = TypeVar("Thing")
_TYPES: dict[str, Any] = {
    each.__name__: each
    for each in (Actuator, Body, Emitter, Joint, Material, Motor, Shape, Spring, Texture, Trail)
}


def plain(value: Any) -> Any:
    """A thing as lists, mappings and numbers; fields that have their default are left out."""
    if is_dataclass(value):
        given = {
            field.name: plain(getattr(value, field.name))
            for field in fields(value)
            if field.default is MISSING or repr(getattr(value, field.name)) != repr(field.default)
        }
        return {type(value).__name__: given}
    if isinstance(value, Mapping):
        return {"": {name: plain(each) for name, each in value.items()}}
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def thing(value: Any) -> Any:
    """What ``plain`` was given. Raises ValueError for other data."""
    try:
        return _thing(value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError("this is not a thing of a scene") from error


def thing_of(kind: type[Thing], value: Any) -> Thing:
    """What ``plain`` was given, which is of this kind. Raises ValueError for other data."""
    made = thing(value)
    if not isinstance(made, kind):
        raise ValueError(f"this is no {kind.__name__}")
    return made


def _thing(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_thing(each) for each in value)
    if not isinstance(value, dict):
        return value
    ((name, given),) = value.items()
    parts = {field: _thing(each) for field, each in given.items()}
    return _TYPES[name](**parts) if name else parts
