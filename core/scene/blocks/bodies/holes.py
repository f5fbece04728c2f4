# SPDX-License-Identifier: MIT
"""Builds the holes of polygons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .... import _native
from ...building.drawings import Drawings
from ...building.scope import Scope
from ...model import Point
from ...text.problems import Path, show_suffix
from ...values.broken import Stop, is_read
from ...values.context import Wrong
from ...values.curves import Curve
from ...values.polygon import checked_polygon, rows_of


def build_holes(
    scope: Scope, given: Any, outline: Sequence[Point], at: Path, drawings: Drawings
) -> list[tuple[Point, ...]]:
    """The holes in the coordinates of the shape, clockwise; Stop after a problem."""
    if not is_read(given):
        raise Stop
    path: Path = (*at, "holes")
    holes: list[tuple[Point, ...]] = []
    try:
        for i, value in enumerate(given):
            path = (*at, "holes", i)
            if isinstance(value, Curve):
                from .curves import curve_points

                points = curve_points(value, scope, "polygon", path, True, drawings)
            else:
                points = scope.resolve(value, *path)
            holes.append(checked_polygon(points)[::-1])
        misplaced = _native.misplaced_hole(rows_of(outline), [rows_of(hole) for hole in holes])
        if misplaced is not None:
            path = (*at, "holes", misplaced[0])
            raise Wrong("impossible-shape", f"the hole {misplaced[1]}; {_WHERE}")
    except Wrong as wrong:
        scope.report.add_wrong(scope.path + path, wrong, scope.label + show_suffix(path))
        raise Stop from None
    return holes


_WHERE = "holes are inside the polygon, and touch neither its outline nor each other"
