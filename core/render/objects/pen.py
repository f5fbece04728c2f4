# SPDX-License-Identifier: MIT
"""Bodies that a function draws: a pen in the coordinates of the body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ...arguments import checked, list_of, not_negative, one_of, optional, text, vector, whole
from ...errors import UsageError
from ...record.frame import Frame
from ...scene.model import Body, Point
from ...view.camera import View, world_points
from ..canvas.colors import Color, parse_color
from ..canvas.display import Items

Float64 = NDArray[np.float64]


class Pen:
    """Draws one body in one frame, by its own coordinates and lengths of the scene.

    Colours are written as in a scene. Later drawings cover earlier ones.

    Attributes:
        body: as the scene has it.
        frame: the moment.
        row: the row of the body in arrays of the frame: ``pen.frame.velocity[pen.row]``.
    """

    @checked(body=one_of(Body), frame=one_of(Frame), row=whole(0), view=one_of(View))
    def __init__(self, body: Body, frame: Frame, row: int, view: View) -> None:
        self.body, self.frame, self.row = body, frame, row
        self._view, self._items = view, Items()

    @checked(points=list_of(vector), fill=text, outline=optional(text), width=not_negative)
    def polygon(
        self, points: Sequence[Point], fill: str, outline: str | None = None, width: float = 0.0
    ) -> None:
        """A polygon, filled, and with an outline of a width where there is one."""
        if len(points) < 3:
            raise UsageError(f"a polygon has at least 3 points, not {len(points)}")
        self._add("polygon", points, fill, 0.0, outline, width)

    @checked(center=vector, radius=not_negative, fill=text, outline=optional(text))
    def circle(
        self,
        center: Point,
        radius: float,
        fill: str,
        outline: str | None = None,
        width: float = 0.0,
    ) -> None:
        """A disc, with an outline of a width where there is one."""
        self._add("circle", [center], fill, radius, outline, width)

    @checked(points=list_of(vector), color=text, width=not_negative)
    def line(self, points: Sequence[Point], color: str, width: float) -> None:
        """A line through points, with round ends."""
        if len(points) < 2:
            raise UsageError(f"a line has at least 2 points, not {len(points)}")
        self._add("path", points, color, 0.5 * width, None, 0.0)

    def _add(
        self,
        kind: str,
        points: Sequence[Point],
        fill: str,
        radius: float,
        outline: str | None,
        width: float,
    ) -> None:
        local = np.array(points, np.float64)
        placed = world_points(self.frame, np.full(len(local), self.row), local)
        pixels = [self._view.pixel(x, y) for x, y in placed.tolist()]
        if not all(isfinite(x) and isfinite(y) for x, y in pixels):
            return
        scale, color = self._view.scale, parse_color(fill)
        edge: Color = color if outline is None else parse_color(outline)
        drawn = 0.0 if outline is None else width * scale
        self._items.add(kind, pixels, color, radius=radius * scale, outline=drawn, stroke=edge)

    def arrays(self) -> tuple[Float64, Float64]:
        """The display list of what was drawn, in pixels."""
        return self._items.arrays()


Painter = Callable[[Pen], None]
"""A function that draws a body in place of its shapes."""
