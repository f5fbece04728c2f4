# SPDX-License-Identifier: MIT
"""Outlines of drawings as points of a shape: scaled, about an origin, y as in the scene."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ... import limits
from ...model import Point
from ...text.drawing import Outline
from ...text.svg_outlines import Cut
from ...values.context import Wrong
from ...values.curves import CENTER, FINE
from ...values.polygon import size_of, without_neighbours, without_repeats
from ...values.svg_path import Subpath

_ROUGH = Cut(1e-300, 8)  # enough to know how large an outline is


def drawn_points(
    outline: Outline, parts: Mapping[str, Any], y_down: bool, closed: bool, most: int
) -> tuple[Point, ...]:
    """The points of an outline; ``parts`` are those of `svg`, known. Wrong says why there are none.

    A ``closed`` one, and one that is closed in the drawing, does not come back to its first point.
    Where they are more than ``most``, that is found before they are drawn.
    """
    size = size_of(_line(outline, parts, _ROUGH).points)
    if not 0.0 < size < math.inf:
        raise Wrong("impossible-shape", "the outline has no size", ("svg",))
    cut = Cut(size / FINE, limits.CHAIN_POINTS, min(most + 1, limits.CHAIN_POINTS))
    line = _line(outline, parts, cut)
    scale = _scale(line.points, parts)
    if "tolerance" in parts:
        line = _line(outline, parts, cut._replace(tolerance=parts["tolerance"] / scale))
        scale = _scale(line.points, parts)
    x0, y0 = _origin(line.points, parts)
    up = scale if y_down else -scale
    tidy = without_repeats if closed or line.closed else without_neighbours
    return tuple((scale * (x - x0), up * (y - y0)) for x, y in tidy(line.points))


def _line(outline: Outline, parts: Mapping[str, Any], cut: Cut) -> Subpath:
    """The requested contour."""
    at = ("svg", "id" if "id" in parts else "file")
    try:
        lines = outline.lines(cut)
    except Wrong as wrong:
        raise wrong.under(*at) from None
    if not lines:
        raise Wrong("impossible-shape", "the outline has no size", at)
    place = outline.element.shown
    if "contour" in parts:
        index = int(parts["contour"])
        if index >= len(lines):
            count = "one contour" if len(lines) == 1 else f"{len(lines)} contours"
            message = f"{place} has {count}, counted from 0"
            raise Wrong("out-of-range", message, ("svg", "contour"))
        return lines[index]
    if len(lines) > 1:
        message = (
            f"{place} has {len(lines)} contours; say which with `contour: 0` to "
            f"`contour: {len(lines) - 1}`, or make a compound with `shapes`"
        )
        raise Wrong("impossible-shape", message, at)
    return lines[0]


def _scale(points: Sequence[Point], parts: Mapping[str, Any]) -> float:
    """The length in the scene of one unit of the drawing."""
    for name, axis in (("width", 0), ("height", 1)):
        if name in parts:
            values = [point[axis] for point in points]
            extent = max(values) - min(values)
            if not extent > 0.0:
                raise Wrong("impossible-shape", f"the outline has no {name}", ("svg", name))
            return float(parts[name]) / extent
    return float(parts.get("scale", 1.0))


def _origin(points: Sequence[Point], parts: Mapping[str, Any]) -> Point:
    origin = parts.get("origin", CENTER)
    if origin != CENTER:
        return float(origin[0]), float(origin[1])
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return 0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys))
