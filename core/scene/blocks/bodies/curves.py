# SPDX-License-Identifier: MIT
"""Turns curves into the points of chains and polygons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import limits
from ...building.drawings import Drawings
from ...building.scope import Scope
from ...model import Point
from ...text.problems import Path
from ...values.broken import BROKEN, Stop
from ...values.context import Wrong
from ...values.curves import Curve, points_of
from ...values.expression import Expression, ExpressionError
from ...values.kinds import nearest
from ...values.quantity import Quantity
from ...values.units import LENGTH

if TYPE_CHECKING:
    from ...text.drawing import Outline

_LENGTH = Quantity((LENGTH,))


def curve_points(
    curve: Curve, scope: Scope, kind: str, at: Path, closed: bool, drawings: Drawings
) -> Any:
    """The points of a curve in the coordinates of its shape; Wrong or Stop after a problem."""
    most = limits.POLYGON_POINTS if kind == "polygon" else limits.CHAIN_POINTS
    outline = _outline(curve, drawings, scope.file(*at)) if curve.kind == "svg" else None
    least = _least(curve, outline)
    scope.budget.draw(least)
    if curve.kind == "points":
        points = _generated(curve, scope, at)
    else:
        inner = curve.kind in ("bezier", "spline", "path")
        parts = {
            name: scope.resolve(
                part, *at, *(() if inner or name == "tolerance" else (curve.kind,)), name
            )
            for name, part in zip(curve.names, curve.parts, strict=True)
        }
        if outline is None:
            points = points_of(curve.kind, parts, closed, most)
        else:
            from .drawn_outlines import drawn_points

            points = drawn_points(outline, parts, scope.context.units.y_down, closed, most)
    scope.budget.draw(max(len(points) - least, 0))
    if not all(abs(x) <= limits.REACH and abs(y) <= limits.REACH for x, y in points):
        raise Wrong("limit", f"the curve reaches further than {limits.REACH:.0f} (the limit)")
    fewest = 3 if kind == "polygon" else 2
    if len(points) > most:
        message = f"the curve has {len(points)} points; the limit of a {kind} is {most}"
        raise Wrong("limit", message)
    if len(points) < fewest:
        raise Wrong("impossible-shape", f"a {kind} needs at least {fewest} points")
    return points


def _outline(curve: Curve, drawings: Drawings, by: str) -> Outline:
    parts = dict(zip(curve.names, curve.parts, strict=True))
    try:
        return drawings.outline(parts["file"], parts.get("id"), by)
    except Wrong as wrong:
        raise wrong.under("svg") from None


def _least(curve: Curve, outline: Outline | None) -> int:
    """The points of a curve for the limit, before anything is drawn."""
    length = len(curve.parts[0]) if curve.kind == "path" else 0
    if outline is not None:
        length = outline.data
    return limits.CURVE_LEAST + length // limits.PATH_CHARACTERS


def _generated(curve: Curve, scope: Scope, at: Path) -> tuple[Point, ...]:
    """One point for each index i from 0."""
    parts = dict(zip(curve.names, curve.parts, strict=True))
    count = int(scope.resolve(parts["count"], *at, "points", "count"))
    columns = [_column(parts[name], count, scope, *at, "points", name) for name in ("x", "y")]
    return tuple(zip(*columns, strict=True))


def _column(part: Any, count: int, scope: Scope, *at: int | str) -> list[float]:
    if not isinstance(part, Expression):
        return [scope.resolve(part, *at)] * count
    values = dict(scope.values)
    missing = [name for name in part.names if name != "i" and values.get(name, BROKEN) is BROKEN]
    if any(name in values for name in missing):
        raise Stop
    try:
        if missing:
            offset = part.offset(missing[0])
            message = f"there is no var or index `{missing[0]}`; {nearest(missing[0], values, 'i')}"
            raise Wrong("unknown-name", message, (), offset, f"var {missing[0]}")
        scope.budget.spend(part.work * count)
        column = []
        for i in range(count):
            values["i"] = float(i)
            seed = f"{scope.label}.{'.'.join(map(str, at))}[{i}]" if part.seeded else ""
            try:
                number = scope.context.evaluate(part, values, seed)
            except ExpressionError as error:
                message = f"{error.message} (where i is {i})"
                raise Wrong("expression", message, (), error.offset) from None
            column.append(
                _LENGTH.finish(number, scope.context, f"where i is {i}, the expression gives ")
            )
        return column
    except Wrong as wrong:
        scope.report.add_wrong(scope.path + at, wrong)
        raise Stop from None
