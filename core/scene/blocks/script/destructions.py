# SPDX-License-Identifier: MIT
"""Builds destructions, the breaking of bodies by actions."""

from __future__ import annotations

from typing import Any

from ... import limits
from ...building.scope import Scope
from ...building.writing import differences
from ...script import Destruction, Kick
from .action_models import DestroyInput


def build_destruction(given: DestroyInput, scope: Scope, *at: int | str) -> Destruction:
    """Build a destruction; Stop after a problem."""
    values: dict[str, Any] = {}
    for name in ("method", "count", "seed"):
        if getattr(given, name) is not None:
            values[name] = scope.resolve(getattr(given, name), *at, name)
    for name in values.keys() & {"count", "seed"}:
        values[name] = int(values[name])
    if given.kick is not None:
        values["kick"] = Kick(**scope.values_of(given.kick, *at, "kick"))
    if given.tags is not None:
        values["tags"] = tuple(given.tags)
    for name in ("collide", "lifetime"):
        if getattr(given, name) is not None:
            values[name] = scope.known(getattr(given, name), *at, name)
    how = Destruction(**values)
    most = limits.PIECES[how.method]
    if how.count > most:
        message = f"of {how.method} must be at most {most}, not {how.count}"
        raise scope.fail("out-of-range", message, *at, "count")
    return how


def written_destruction(body: str, how: Destruction) -> dict[str, Any]:
    """Write a destruction in the form of a scene file."""
    kick = differences(how.kick, Kick(), ("radial", "random", "spin"))
    values = {"body": body, "method": how.method, "count": how.count}
    values |= differences(how, Destruction(), ("seed", "tags", "collide", "lifetime"))
    return values | ({"kick": kick} if kick else {})
