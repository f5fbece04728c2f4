# SPDX-License-Identifier: MIT
"""The block ``groups``: names for sets of bodies."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from ... import limits
from ...building.block import Making, Workings
from ...building.generators import name_problem
from ...building.scope import Scope
from ...values.broken import BROKEN, Stop
from ...values.kinds import ListOf
from ...values.names import Name, missing_body, wholes

_MEMBERS = ListOf(Name("the name of a body"), "a list of bodies", 1, limits.BODIES)
_GROUPS = dict[str, Annotated[Any, _MEMBERS]]


def _build(given: Mapping[str, Any] | None, making: Making) -> dict[str, tuple[str, ...]]:
    bodies = making.made["bodies"]
    known: dict[str, Any] = wholes(bodies) if given else {}
    nothing: tuple[str, ...] = ()
    made: dict[str, tuple[str, ...]] = {}
    for name, members in (given or {}).items():
        scope = making.scope("groups", name)
        problem = name_problem(name, "group")
        if not problem and (name in bodies or name in known):
            problem = f"there is something else with the name `{name}`; choose another one"
        if problem:
            making.report.add_invalid_name(("groups", name), problem)
        if members is BROKEN:
            making.report.add_unread(("groups", name))
            continue
        found: dict[str, None] = {}
        for i, member in enumerate(members):
            find = partial(_bodies, member, i, ChainMap(known, made), scope, making)
            its = scope.attempt(find, nothing)
            found |= dict.fromkeys(its)
        made[name] = tuple(found)
    return made


def _bodies(
    member: str, i: int, known: Mapping[str, Any], scope: Scope, making: Making
) -> tuple[str, ...]:
    """The bodies that a member stands for: itself, or what a generator, instance or group has."""
    bodies = making.made["bodies"]
    if member in bodies:
        return (member,)
    if member in known:
        making.turns.add_members(len(known[member]), scope, i)
        return tuple(known[member])
    if making.report.may_have("bodies", member) or making.report.may_have("groups", member):
        raise Stop
    later = making.given.groups
    if member in later:
        message = f"the group `{member}` comes later; a group has only such that stand before it"
        raise scope.fail("unknown-name", message, i)
    message = missing_body(member, bodies, making.report.tree)
    raise scope.fail("unknown-name", message, i, missing=member)


GROUPS = Workings(
    _GROUPS | None,
    _build,
    write=lambda scene: dict(scene.groups),
)
