# SPDX-License-Identifier: MIT
"""The block ``groups``: names for sets of bodies."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.generators import name_problem
from ...building.scope import Scope
from ...values.broken import BROKEN, Stop
from ...values.kinds import ListOf
from ...values.names import Name, missing_body, wholes

_MEMBERS = ListOf(Name("the name of a body"), "a list of bodies", 1, limits.BODIES)
_GROUPS = dict[str, Annotated[Any, _MEMBERS]]


def _build(
    given: Mapping[str, Any] | None, build_context: BuildContext
) -> dict[str, tuple[str, ...]]:
    bodies = build_context.made["bodies"]
    known: dict[str, Any] = wholes(bodies) if given else {}
    nothing: tuple[str, ...] = ()
    made: dict[str, tuple[str, ...]] = {}
    for name, members in (given or {}).items():
        scope = build_context.scope("groups", name)
        problem = name_problem(name, "group")
        if not problem and (name in bodies or name in known):
            problem = f"there is something else with the name `{name}`; choose another one"
        if problem:
            build_context.report.add_invalid_name(("groups", name), problem)
        if members is BROKEN:
            build_context.report.add_unread(("groups", name))
            continue
        found: dict[str, None] = {}
        for i, member in enumerate(members):
            find = partial(_bodies, member, i, ChainMap(known, made), scope, build_context)
            its = scope.attempt(find, nothing)
            found |= dict.fromkeys(its)
        made[name] = tuple(found)
    return made


def _bodies(
    member: str, i: int, known: Mapping[str, Any], scope: Scope, build_context: BuildContext
) -> tuple[str, ...]:
    """Return the bodies of a member: itself, or those of a generator, instance or group."""
    bodies = build_context.made["bodies"]
    if member in bodies:
        return (member,)
    if member in known:
        build_context.turns.add_members(len(known[member]), scope, i)
        return tuple(known[member])
    if build_context.report.may_have("bodies", member) or build_context.report.may_have(
        "groups", member
    ):
        raise Stop
    later = build_context.given.groups
    if member in later:
        message = f"the group `{member}` comes later; a group has only such that stand before it"
        raise scope.fail("unknown-name", message, i)
    message = missing_body(member, bodies, build_context.report.tree)
    raise scope.fail("unknown-name", message, i, missing=member)


GROUPS = BlockSpec(
    _GROUPS | None,
    _build,
    write=lambda scene: dict(scene.groups),
)
