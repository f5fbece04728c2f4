# SPDX-License-Identifier: MIT
"""The overlay ``probes``: rays with the points that they meet, shapes, and velocities."""

from __future__ import annotations

from ...record.frame import Frame, Sight
from ...scene.model import Point
from ...scene.values.portable_math import hypot
from ...view.camera import View
from ..canvas.colors import Color, fade
from ..canvas.display import CLEAR, Items
from ..canvas.theme import Theme

NORMAL = 14.0
"""Length of the normal of a surface, in units of lines."""


def add_probes(
    items: Items, theme: Theme, frame: Frame, view: View, unit: float, seconds: float
) -> None:
    """The readings of all probes, in full colour those that find something. A velocity is an arrow
    to the place of its point after ``seconds``."""
    for sight in frame.sights:
        if not sight.ends:
            continue
        if sight.kind == "ray":
            _add_ray(items, theme, sight, view, unit)
        elif sight.kind == "shape":
            color = theme.contact if sight.bodies else fade(theme.quiet, 0.7)
            for corners, radius in sight.pieces:
                _add_piece(items, corners, radius, color, view, unit)
        else:
            (x, y), (vx, vy) = sight.ends[0], sight.velocity
            tip = (x + seconds * vx, y + seconds * vy)
            items.add("circle", [view.pixel(x, y)], theme.velocity, radius=2.2 * unit)
            _add_arrow(items, view.pixel(x, y), view.pixel(*tip), theme.velocity, unit)


def _add_ray(items: Items, theme: Theme, sight: Sight, view: View, unit: float) -> None:
    start, end = (view.pixel(*each) for each in sight.ends)
    faint = fade(theme.quiet, 0.7)
    items.add("circle", [start], theme.contact if sight.hit else faint, radius=1.6 * unit)
    if sight.hit is None:
        items.add("path", [start, end], faint, radius=0.5 * unit)
        return
    point, (nx, ny) = view.pixel(*sight.hit[0]), sight.hit[1]
    items.add("path", [start, point], theme.contact, radius=0.6 * unit)
    items.add("path", [point, end], fade(faint, 0.4), radius=0.5 * unit)
    sign = 1.0 if view.scale_y > 0.0 else -1.0
    tip = point[0] + NORMAL * unit * nx, point[1] + sign * NORMAL * unit * ny
    _add_arrow(items, point, tip, theme.normal, unit)
    items.add(
        "circle", [point], theme.contact, radius=2.4 * unit, outline=0.8 * unit, stroke=theme.paper
    )


def _add_piece(
    items: Items, corners: tuple[Point, ...], radius: float, color: Color, view: View, unit: float
) -> None:
    """The outline of one convex piece, as far out as its radius."""
    placed = [view.pixel(*each) for each in corners]
    wide = radius * view.scale
    if len(placed) == 1:
        items.add("circle", placed, CLEAR, radius=wide, outline=unit, stroke=color)
    elif len(placed) == 2 and wide == 0.0:
        items.add("path", placed, color, radius=0.5 * unit)
    elif len(placed) == 2:
        items.add("path", placed, CLEAR, radius=wide, outline=unit, stroke=color)
    else:
        items.add("polygon", placed, CLEAR, radius=wide, outline=unit, stroke=color)


def _add_arrow(items: Items, start: Point, tip: Point, color: Color, unit: float) -> None:
    if hypot(tip[0] - start[0], tip[1] - start[1]) >= 2.0:
        items.add("arrow", [start, tip], color, radius=0.8 * unit, a=7.0 * unit, b=3.2 * unit)
