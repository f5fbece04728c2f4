# SPDX-License-Identifier: MIT
"""A placeholder for values that cannot be read, so that the rest of a scene is checked too.

A mistake is reported where it is made. Its dependents are neither made nor reported: the value
is replaced by ``BROKEN``, and its users are stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn


class Stop(Exception):  # noqa: N818 - it ends the making of something whose problem is reported
    """A problem was reported; objects with it, or dependent on it, cannot be built."""


class Broken:
    """A value whose own problem is reported. It can be passed on; every use of it raises Stop."""

    __slots__ = ()

    def _stop(self, *_arguments: Any) -> NoReturn:
        raise Stop

    __getattr__ = __getitem__ = __contains__ = __iter__ = __len__ = __call__ = _stop
    __bool__ = __int__ = __float__ = __index__ = __str__ = __hash__ = _stop
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _stop
    __neg__ = __abs__ = __add__ = __radd__ = __sub__ = __rsub__ = _stop
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _stop


BROKEN: Any = Broken()


def is_read(value: Any) -> bool:
    """Whether a value is given and has no problem."""
    return value is not None and value is not BROKEN


class Unclear(dict[str, Any]):
    """Values by name, of which some names are unreadable: a missing name may be one of them."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        return BROKEN


def joined(values: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """All values together; unclear if the first are."""
    both = {**values, **more}
    return Unclear(both) if isinstance(values, Unclear) else both
