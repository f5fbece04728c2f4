# SPDX-License-Identifier: MIT
"""Plain data of which there are many classes: frozen dataclasses that are quick to define.

``dataclass`` writes six methods of each class as source and compiles them, which takes half a
millisecond: with all that a scene may hold, longer than to read a small one. Few of the classes are
used in a run, and few of their methods; so here ``dataclass`` makes each when it is first called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import (
    MISSING,
    Field,
    FrozenInstanceError,
    dataclass,
    field,
    fields,
    make_dataclass,
)
from functools import cache
from typing import Any, NoReturn, TypeVar

if sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:
    from typing_extensions import dataclass_transform

C = TypeVar("C")

_MADE_WITH: dict[str, dict[str, bool]] = {
    "__repr__": {"init": False, "eq": False},
    "__eq__": {"init": False, "repr": False},
    "__hash__": {"init": False, "repr": False, "frozen": True},
}
"""The methods, and what has ``dataclass`` make hardly more than one of them."""
_BECOME = object.__dict__["__class__"].__set__
_NOT_GIVEN = object()
"""In place of an argument whose default is made for each object."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[C]) -> type[C]:
    """``dataclass(frozen=True, slots=True)``, in all that is seen of it."""
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    if "__init__" not in vars(cls):
        made.__init__ = _init_when_called(made)  # type: ignore[method-assign]
    for name in _MADE_WITH:
        if name not in vars(cls):
            setattr(made, name, _made_when_called(made, name))
    for name, method in _SHARED.items():
        setattr(made, name, method)
    return made


def _made_when_called(cls: type[Any], name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        entries = [(each.name, each.type, each) for each in fields(cls)]
        twin = make_dataclass(cls.__name__, entries, **_MADE_WITH[name])  # type: ignore[arg-type]
        made = getattr(twin, name)
        setattr(cls, name, made)
        return made(self, *args, **kwargs)

    return method


def _init_when_called(cls: type[Any]) -> Callable[..., None]:
    def method(self: Any, *args: Any, **kwargs: Any) -> None:
        made = _init_of(cls)
        cls.__init__ = made
        made(self, *args, **kwargs)

    return method


def _init_of(cls: Any) -> Callable[..., None]:
    """The ``__init__`` that ``dataclass`` would make, of which it makes a whole class besides.

    An object is one of a twin class without ``__setattr__`` while its fields are set: a fifth of
    the time that setting them through their slots takes.
    """
    names = {"_none": _NOT_GIVEN, "_become": _BECOME, "_twin": _twin_of(cls), "_cls": cls}
    heads, lines = ["self"], []
    for each in fields(cls):
        head, value = _argument(each, names)
        heads.append(head)
        lines.append(f"  self.{each.name} = {value}\n")
    text = f"def __init__({', '.join(heads)}):\n  _become(self, _twin)\n{''.join(lines)}"
    exec(f"{text}  self.__class__ = _cls\n", names)
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    made.__annotations__ = {**{each.name: each.type for each in fields(cls)}, "return": None}
    return made


@cache
def _twin_of(cls: Any) -> type[Any]:
    """A class with the same slots, whose objects can be changed."""
    assert cls.__bases__ == (object,), "such classes are not supported"
    return type(cls.__name__, (), {"__slots__": cls.__slots__})


def copier(item: C, names: tuple[str, ...]) -> Callable[..., C]:
    """A function that makes copies of an object with other values of these fields, in this order.

    Like ``replace``, in a tenth of the time for many copies of one object.
    """
    cls: Any = type(item)
    made: Callable[..., C] = _copier_of(cls, names)(item)
    return made


@cache
def _copier_of(cls: Any, changed: tuple[str, ...]) -> Callable[[Any], Callable[..., Any]]:
    own = [each.name for each in fields(cls)]
    kept = [f"  {name} = _item.{name}\n" for name in own if name not in changed]
    sets = [f"    _self.{name} = {name}\n" for name in own]
    text = (
        f"def _copier(_item):\n{''.join(kept)}"
        f"  def _copy({', '.join(changed)}):\n"
        f"    _self = _new(_twin)\n{''.join(sets)}"
        "    _self.__class__ = _cls\n    return _self\n"
        "  return _copy\n"
    )
    names: dict[str, Any] = {"_new": object.__new__, "_twin": _twin_of(cls), "_cls": cls}
    exec(text, names)
    found: Callable[[Any], Callable[..., Any]] = names["_copier"]
    return found


def _argument(each: Field[Any], names: dict[str, Any]) -> tuple[str, str]:
    """A field as an argument, and its value; defaults are put into ``names``."""
    assert (each.init, each.kw_only) == (True, False), "such fields are not supported"
    name = each.name
    if each.default_factory is not MISSING:
        names[f"_make_{name}"] = each.default_factory
        return f"{name}=_none", f"_make_{name}() if {name} is _none else {name}"
    if each.default is not MISSING:
        names[f"_default_{name}"] = each.default
        return f"{name}=_default_{name}", name
    return name, name


def _refuse_setting(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _take_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


_SHARED = {
    "__setattr__": _refuse_setting,
    "__delattr__": _refuse_deleting,
    "__getstate__": _state,
    "__setstate__": _take_state,
}
