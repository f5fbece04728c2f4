# SPDX-License-Identifier: MIT
"""The minimap: the whole scene, small, in a corner, with the camera's view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..record.frame import Frame
from ..scene.model import Minimap, Scene
from ..view.boxes import Box
from ..view.camera import View, frame_box
from ..view.fit import fit_box
from .canvas.colors import fade
from .canvas.display import Items, join
from .canvas.text import Lettering
from .canvas.textures import Textures
from .canvas.theme import Theme
from .marks.axes import in_corner
from .objects.drawing import PoseDrawing

UInt8 = NDArray[np.uint8]

EDGE = 9.0
"""Distance from the picture's edges at picture size ``unit`` 1."""
LEAST, MOST = 0.3, 1.5
"""It is so many times as high as wide, at least and at most."""
LINES = 0.5
"""Its lines against those of the picture."""


def minimap_view(
    scene: Scene, given: Minimap, first: Frame, size: tuple[int, int]
) -> tuple[tuple[int, int], View]:
    """The size of a minimap in a picture of a size, and its view."""
    if given.rect is None:
        box = fit_box(on_map(scene), first)
    else:
        (x0, y0), (x1, y1) = given.rect
        box = (x0, y0, x1, y1)
    wide = max(int(given.size * size[0]), 8)
    shape = (box[3] - box[1]) / max(box[2] - box[0], 1e-300)
    small = (wide, min(max(int(wide * min(max(shape, LEAST), MOST)), 8), size[1]))
    return small, frame_box(box, small, scene.units.y_down, None, 0.5)


def on_map(scene: Scene) -> Scene:
    """The scene with all that its minimap shows visible."""
    also = {name: replace(scene.bodies[name], visible=True) for name in always_on_map(scene)}
    return replace(scene, bodies={**scene.bodies, **also}) if also else scene


def always_on_map(scene: Scene) -> list[str]:
    """The bodies that a scene's minimap shows also where they are not visible."""
    also = set(() if scene.minimap is None else scene.minimap.also)
    if not also:
        return []
    bodies = scene.bodies.items()
    return [name for name, body in bodies if name in also or not also.isdisjoint(body.tags)]


class MinimapPicture:
    """Draws the minimap of one rendering.

    Args:
        size: of the picture that it is in a corner of, in pixels.
        taken: parts of that where it should not be.
    """

    def __init__(
        self,
        scene: Scene,
        given: Minimap,
        theme: Theme,
        size: tuple[int, int],
        unit: float,
        first: Frame,
        textures: Textures,
        lettering: Lettering,
        taken: Sequence[Box],
    ) -> None:
        self._scene, self._given, self._theme = scene, given, theme
        self._unit, self._textures, self._lettering = unit, textures, lettering
        self._picture = size
        self.size, self._view = minimap_view(scene, given, first, size)
        edge = EDGE * unit
        x, y = in_corner(given.corner, size, *self.size, edge, taken)[:2]
        left = min(max(int(x), 0), size[0] - self.size[0])
        top = min(max(int(y), 0), size[1] - self.size[1])
        self.box: Box = (left, top, left + self.size[0], top + self.size[1])
        self._drawn: Scene | None = None
        self._drawing: PoseDrawing | None = None

    def paint(self, image: UInt8, now: Scene, frame: Frame, view: View) -> None:
        """Lay it onto a picture that shows ``view``."""
        if self._drawing is None or now is not self._drawn:
            line = LINES * self._unit
            scale = self._view.scale
            shown = on_map(now)
            self._drawing = PoseDrawing(
                shown, self._theme, scale, line, self._textures, self._scene.bodies
            )
            self._drawn = now
        small: UInt8 = np.empty((self.size[1], self.size[0], 3), np.uint8)
        small[:] = self._theme.paper[:3]
        items, points = join([self._drawing.place(frame, self._view), self._frame(view)])
        _native.rasterize(small, items, points, *self._lettering.pictures())
        left, top, right, bottom = map(int, self.box)
        image[top:bottom, left:right] = small

    def _frame(self, view: View) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The border, and what the camera sees."""
        items, (wide, high) = Items(), self.size
        x0, y0, x1, y1 = view.box(self._picture)
        (left, top), (right, bottom) = self._view.pixel(x0, y0), self._view.pixel(x1, y1)
        seen = [(left, top), (right, top), (right, bottom), (left, bottom)]
        items.add("loop", seen, self._theme.contact, radius=0.6 * self._unit)
        edge = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)]
        items.add("loop", edge, fade(self._theme.ink, 0.6), radius=1.0 * self._unit)
        return items.arrays()
