# SPDX-License-Identifier: MIT
"""Anchors of joints: points of their bodies, by coordinates or by the names of bodies' points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...building.scope import Scope
from ...model import WORLD, Body, Point
from ...values.context import Context
from ...values.fields import LENGTH, POINT
from ...values.kinds import Kind, Tuple, nearest
from ...values.names import Name, NameTemplate
from ..places import to_local, to_world

POINTS = ".points."
"""The separator of the name of a body and that of one of its points."""

_NAME = Name("a point [x, y], or the name of a point of the body", computed=True)


def is_point_name(value: Any) -> bool:
    """Whether a written point is a name: a text that is no expression."""
    return isinstance(value, str) and bool(value) and not value.lstrip().startswith("=")


class _Either(Kind):
    """A point by its coordinates, or by its name."""

    def check(self, value: Any, context: Context) -> Any:
        return (_NAME if is_point_name(value) else POINT).check(value, context)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [POINT.schema(), _NAME.schema()]}


class AnchorKind(Tuple):
    """A point of the world, or a point of one of the two bodies by its name."""

    def check(self, value: Any, context: Context) -> Any:
        if is_point_name(value):
            return _NAME.check(value, context)
        return super().check(value, context)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [super().schema(), _NAME.schema()]}


class AnchorsKind(Tuple):
    """A point of each body."""

    def check(self, value: Any, context: Context) -> tuple[Any, ...]:
        if isinstance(value, list) and any(map(is_point_name, value)):
            return _NAMED.check(value, context)
        return super().check(value, context)

    def schema(self) -> dict[str, Any]:
        return _NAMED.schema()


ANCHOR = AnchorKind(
    LENGTH,
    2,
    "a point [x, y]",
    lists="; a point of each body, in its own coordinates, is `anchors`",
)
_TWO = "two points [[x, y], [x, y]]"
_NAMED = Tuple(_Either(), 2, _TWO)
ANCHORS = AnchorsKind(POINT, 2, _TWO, "; one point, in world coordinates, is `anchor`")


def each_point(scope: Scope, given: Any, pair: tuple[Body, Body]) -> tuple[Point, Point]:
    """The two points of ``anchors``, each in its own body's coordinates."""
    first, second = scope.resolve(given, "anchors")
    ends = zip((first, second), pair, (0, 1), strict=True)
    a, b = (
        named_point(scope, end, [body], "anchors", i)[1] if isinstance(end, str) else end
        for end, body, i in ends
    )
    return a, b


def world_point(scope: Scope, given: Any, pair: tuple[Body, Body]) -> Point:
    """The point of ``anchor``, in the world at the start."""
    at = scope.resolve(given, "anchor")
    if isinstance(at, str):
        return to_world(*named_point(scope, at, pair, "anchor"))
    point: Point = at
    return point


def common_point(scope: Scope, given: Any, pair: tuple[Body, Body]) -> tuple[Point, Point]:
    """The point of ``anchor`` in the coordinates of both bodies."""
    at = scope.resolve(given, "anchor")
    if not isinstance(at, str):
        a, b = (to_local(body, at) for body in pair)
        return a, b
    owner, own = named_point(scope, at, pair, "anchor")
    place = to_world(owner, own)
    a, b = (own if body is owner else to_local(body, place) for body in pair)
    return a, b


def is_named(given: Any) -> bool:
    """Whether ``anchor`` is the name of a point."""
    return isinstance(given, (str, NameTemplate))


def named_point(
    scope: Scope, name: str, bodies: Sequence[Body], *at: int | str
) -> tuple[Body, Point]:
    """A point of one of some bodies by its name, ``nose`` or ``car.points.nose``, and its body."""
    owner, dot, point = name.rpartition(POINTS)
    among = [body for body in bodies if body is not WORLD and owner in ("", body.name)]
    if dot and not among:
        those = " or ".join(f"`{body.name}`" for body in bodies if body is not WORLD)
        message = f"`{name}` is no point of {those or 'the world'}, which the joint holds here"
        raise scope.fail("unknown-name", message, *at)
    if not among:
        message = f"the world has no points with names, and no `{name}`; write [x, y]"
        raise scope.fail("unknown-name", message, *at)
    having = [body for body in among if point in body.points]
    if len(having) == 2:
        ways = " or ".join(f"`{body.name}{POINTS}{point}`" for body in having)
        message = f"both bodies have a point `{point}`; write {ways}"
        raise scope.fail("conflicting-keys", message, *at)
    if not having:
        known = {each: None for body in among for each in body.points}
        those = " and ".join(f"`{body.name}`" for body in among)
        hint = nearest(point, known) if known else "give it one in `points`"
        none = "have" if len(among) > 1 else "has"
        message = f"{those} {none} no point `{point}`; {hint}"
        raise scope.fail("unknown-name", message, *at)
    return having[0], having[0].points[point]
