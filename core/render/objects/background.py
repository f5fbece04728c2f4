# SPDX-License-Identifier: MIT
"""The background: the paper's colour, or an image."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ...scene.model import Scene
from ...view.boxes import Box
from ...view.camera import View
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.textures import read_pixels
from ..canvas.theme import Theme

UInt8 = NDArray[np.uint8]
Float64 = NDArray[np.float64]

LONGEST_SIDE = 4096
"""An image glued to the world is shrunk to this length."""


def world_box(scene: Scene, shown: Box, size: tuple[int, int]) -> Box:
    """The place in the world of an image of a size in pixels that is fixed to it.

    It covers ``camera.bounds``, or ``world.bounds``, or what is ``shown`` in the first frame, has
    its own proportions, and so goes beyond in one direction where these are others.
    """
    bounds = scene.camera.bounds or scene.world.bounds
    x0, y0, x1, y1 = shown if bounds is None else (*bounds[0], *bounds[1])
    across, up = 0.5 * abs(x1 - x0), 0.5 * abs(y1 - y0)
    across, up = max(across, up * size[0] / size[1]), max(up, across * size[1] / size[0])
    x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    return (x - across, y - up, x + across, y + up)


class BackgroundPainter:
    """Behind everything.

    ``stretch`` and ``contain`` stay with the picture, ``world`` with the world, see ``world_box``.
    In its ``own`` size it stays with the world if it says how long its pixels are there, and else a
    pixel of it is one of the picture, of which ``unit`` are drawn.
    """

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        size: tuple[int, int],
        view: View,
        lettering: Lettering,
        unit: int = 1,
    ) -> None:
        width, height = size
        self._paper: UInt8 = np.empty((height, width, 3), np.uint8)
        self._paper[:] = theme.paper[:3]
        self._picture = -1
        self._box: Box = view.box(size)
        self._y_down = scene.units.y_down
        given = scene.render.background
        if given is None or given.image is None:
            return
        image = Image.fromarray(read_pixels(given.image))
        glued = given.fit == "world" or (given.fit == "own" and given.scale is not None)
        if given.fit == "own":
            self._box = given.box(scene.world.length_unit)
        elif glued:
            self._box = world_box(scene, self._box, image.size)
        if glued:
            image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            self._picture = lettering.add_picture(np.asarray(image, np.uint8))
            return
        if given.fit == "contain":
            scale = min(width / image.width, height / image.height)
            inner = (max(int(image.width * scale), 1), max(int(image.height * scale), 1))
        elif given.fit == "own":
            image = _middle(image, -(-width // unit), -(-height // unit))
            inner = (image.width * unit, image.height * unit)
        else:
            inner = size
        paper = Image.fromarray(self._paper)
        scaled = image.resize(inner, Image.Resampling.LANCZOS)
        paper.paste(scaled, ((width - inner[0]) // 2, (height - inner[1]) // 2), scaled)
        self._paper = np.array(paper, np.uint8)

    def canvas(self) -> UInt8:
        """A fresh canvas."""
        return self._paper.copy()

    def items(self, view: View) -> tuple[Float64, Float64]:
        """The image that is glued to the world, if there is one."""
        items = Items()
        if self._picture >= 0:
            x0, y0, x1, y1 = self._box
            top, bottom = (y0, y1) if self._y_down else (y1, y0)
            corners = [view.pixel(x0, top), view.pixel(x1, top), view.pixel(x0, bottom)]
            items.add("quad", corners, (0, 0, 0, 255), a=float(self._picture))
        return items.arrays()


def _middle(image: Image.Image, width: int, height: int) -> Image.Image:
    """The part of an image that is in sight where its middle is that of a picture."""
    across, down = max(image.width - width, 0) // 2, max(image.height - height, 0) // 2
    return image.crop((across, down, image.width - across, image.height - down))
