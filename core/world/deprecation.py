# SPDX-License-Identifier: MIT
"""Old names of a world's members, which still work and name the new one in a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def warn_of(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn whoever called the caller that a name of ``World`` is old.

    ``stacklevel`` is 4 where the caller is ``checked``.
    """
    warnings.warn(_message(old, new), DeprecationWarning, stacklevel=stacklevel)


def _message(old: str, new: str) -> str:
    return f"`world.{old}` is deprecated; use `world.{new}`"


class RenamedValue(Generic[T]):
    """A property of ``World`` that is now one of its part, such as ``bodies.x``."""

    def __init__(self, new: str) -> None:
        self._new = new
        self._read = attrgetter(new)
        self._message = ""
        self.__doc__ = f"The old name of ``{new}``."

    def __set_name__(self, owner: type, name: str) -> None:
        self._message = _message(name, self._new)

    def __get__(self, world: Any, owner: type | None = None) -> T:
        if world is None:
            return self  # type: ignore[return-value]
        warnings.warn(self._message, DeprecationWarning, stacklevel=2)
        value: T = self._read(world)
        return value


def renamed(
    old: str, new: str, method: Callable[Concatenate[Any, P], R]
) -> Callable[Concatenate[Any, P], R]:
    """The old name of a method that is now one of a part of ``World``, such as ``query.ray_cast``.

    ``method`` is the new one, whose signature it has.
    """
    find = attrgetter(new)

    @wraps(method)
    def call(world: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        warn_of(f"{old}()", f"{new}()")
        result: R = find(world)(*args, **kwargs)
        return result

    call.__doc__ = f"The old name of ``{new}``."
    call.__name__ = old
    return call
