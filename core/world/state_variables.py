# SPDX-License-Identifier: MIT
"""State variables of a running world, to be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ..errors import UsageError, unknown_name


class StateVariables(dict[str, float]):
    """The values of a scene's state variables by their names, as they were when they were read.

    Changes raise UsageError; unknown names raise UnknownNameError, also a KeyError.
    """

    __slots__ = ()

    def __missing__(self, name: object) -> NoReturn:
        raise unknown_name("state variable", name, self)

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        given = args[0] if args and isinstance(args[0], str) else next(iter(self), "name")
        raise UsageError(
            f'world.state is a copy, to be read; set a variable by world.set("state.{given}", ...)'
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[StateVariables], tuple[Mapping[str, float]]]:
        return StateVariables, (dict(self),)
