# SPDX-License-Identifier: MIT
"""Image layers behind and in front of the bodies, which scroll by their distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...scene.model import ImageLayer, Scene
from ...view.camera import View
from ..canvas.colors import Color, parse_color
from ..canvas.display import Items
from ..canvas.textures import WHITE, Textures

Float64 = NDArray[np.float64]
Lists = tuple[tuple[Float64, Float64], tuple[Float64, Float64]]


class Layers:
    """The layers of a scene, painted in the order of their z.

    Args:
        first: the view of the first frame, in which every layer is where the scene says.
    """

    def __init__(
        self, scene: Scene, size: tuple[int, int], first: View, textures: Textures
    ) -> None:
        self._layers = sorted(scene.layers, key=lambda layer: layer.z)
        self._size, self._textures = size, textures
        self._start = _middle(first, size)

    def __len__(self) -> int:
        return len(self._layers)

    def items(self, view: View) -> Lists:
        """The display lists behind and in front of the bodies."""
        behind, before = Items(), Items()
        for layer in self._layers:
            self._add(behind if layer.z < 0.0 else before, layer, view)
        return behind.arrays(), before.arrays()

    def _add(self, items: Items, layer: ImageLayer, view: View) -> None:
        wide, high = (layer.scale * pixels for pixels in self._textures.size(layer.image))
        size = (wide * view.scale, high * view.scale)
        (picture,) = self._textures.pictures(layer.image, (1, 1), size)
        now, rest = _middle(view, self._size), 1.0 - layer.parallax
        x, y = view.pixel(
            layer.at[0] + rest * (now[0] - self._start[0]),
            layer.at[1] + rest * (now[1] - self._start[1]),
        )
        x0, y0 = x - 0.5 * size[0], y - 0.5 * size[1]
        x1, y1 = x0 + size[0], y0 + size[1]
        corners = [(x0, y0), (x1, y0), (x0, y1)]
        if layer.repeat in ("x", "both"):
            x0, x1 = -2.0, self._size[0] + 2.0
        if layer.repeat in ("y", "both"):
            y0, y1 = -2.0, self._size[1] + 2.0
        if layer.repeat != "none":
            corners += [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        tint: Color = WHITE if layer.tint is None else parse_color(layer.tint)
        opacity = (0, 0, 0, tint[3])
        ways = {"x": 1.0, "y": 2.0}.get(layer.repeat, 0.0)
        items.add("quad", corners, opacity, stroke=tint, a=float(picture), b=ways)


def _middle(view: View, size: tuple[int, int]) -> tuple[float, float]:
    x0, y0, x1, y1 = view.box(size)
    return 0.5 * (x0 + x1), 0.5 * (y0 + y1)
