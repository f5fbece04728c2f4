# SPDX-License-Identifier: MIT
"""Parts of a scene as plain data that JSON represents exactly, and back."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .model import Actuator, Body, Emitter, Joint, Material, Motor, Shape, Spring, Texture, Trail

Item = TypeVar("Item")
_TYPES: dict[str, Any] = {
    each.__name__: each
    for each in (Actuator, Body, Emitter, Joint, Material, Motor, Shape, Spring, Texture, Trail)
}


def plain(value: Any) -> Any:
    """A part of a scene as lists, mappings and numbers, without fields that have their default."""
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


def from_plain(value: Any) -> Any:
    """The inverse of ``plain``. Raises ValueError for other data."""
    try:
        return _from_plain(value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError("this is no part of a scene") from error


def part_from_plain(kind: type[Item], value: Any) -> Item:
    """The part of a scene that ``plain`` was given; it and all of it have the right types.

    Raises ValueError for other data.
    """
    made = from_plain(value)
    wrong = what_is_other(made, kind, kind.__name__)
    if wrong:
        raise ValueError(wrong)
    return made  # type: ignore[no-any-return]


def what_is_other(value: Any, hint: Any, where: str) -> str:
    """Return the places where a value or its parts are of a wrong type; empty if none is."""
    origin, given = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if any(not what_is_other(value, each, where) for each in given):
            return ""
        return f"{where} is of none of its types"
    if origin is Literal:
        right = any(type(value) is type(each) and value == each for each in given)
        return "" if right else f"{where} is none of {', '.join(map(str, given))}"
    if origin is tuple:
        if not isinstance(value, tuple):
            return f"{where} is no list"
        kinds = [given[0]] * len(value) if given[1:] == (...,) else [*given]
        if len(kinds) != len(value):
            return f"{where} is a list of another length"
        parts = (
            (each, kind, f"{where}[{i}]")
            for i, (each, kind) in enumerate(zip(value, kinds, strict=True))
        )
        return next(filter(None, (what_is_other(*part) for part in parts)), "")
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            return f"{where} is no mapping"
        parts = ((each, given[1], f"{where}.{name}") for name, each in value.items())
        return next(filter(None, (what_is_other(*part) for part in parts)), "")
    if is_dataclass(hint):
        if not isinstance(value, hint):  # type: ignore[arg-type]
            return f"{where} is no {getattr(hint, '__name__', hint)}"
        hints = _hints(hint)  # type: ignore[arg-type]
        parts = ((getattr(value, name), hints[name], f"{where}.{name}") for name in hints)
        return next(filter(None, (what_is_other(*part) for part in parts)), "")
    return _what_is_no(value, hint, where)


def _what_is_no(value: Any, hint: Any, where: str) -> str:
    if hint is Any:
        return ""
    if hint is float:
        numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
        right = numeric and not math.isnan(value)
    elif hint is int:
        right = isinstance(value, int) and not isinstance(value, bool)
    else:
        right = value is None if hint in (None, type(None)) else type(value) is hint
    return "" if right else f"{where} is no {getattr(hint, '__name__', hint)}"


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """The types of the fields of a class, by name."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _from_plain(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_from_plain(each) for each in value)
    if not isinstance(value, dict):
        return value
    ((name, given),) = value.items()
    parts = {field: _from_plain(each) for field, each in given.items()}
    return _TYPES[name](**parts) if name else parts
