# SPDX-License-Identifier: MIT
"""Images behind and in front of the bodies, encoded for the page."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

from PIL import Image, ImageChops

from ..render.canvas.colors import parse_color
from ..render.canvas.textures import WHITE, read_pixels
from ..render.objects.background import world_box
from ..scene.model import Scene
from ..view.camera import View

LONGEST_SIDE = 2048
"""An image is shrunk to this length."""


def backdrop(scene: Scene, first: View, size: tuple[int, int]) -> dict[str, Any] | None:
    """The background image, its placement, and the box that an image of size ``world`` covers."""
    given = scene.render.background
    if given is None or given.image is None:
        return None
    image = Image.fromarray(read_pixels(given.image))
    box = world_box(scene, first.box(size), image.size)
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    if given.fit == "own":
        fit = "own" if given.scale is None else "world"
        box = given.box(scene.world.length_unit)
        return {"image": data_address(image), "fit": fit, "box": box, "pixels": given.pixels}
    return {"image": data_address(image), "fit": given.fit, "box": box}


def layers(scene: Scene, first: View, size: tuple[int, int]) -> list[dict[str, Any]]:
    """The image layers in the order of their z; tinted, and shrunk where they are very large."""
    x0, y0, x1, y1 = first.box(size)
    start = (0.5 * (x0 + x1), 0.5 * (y0 + y1))
    found = []
    for layer in sorted(scene.layers, key=lambda each: each.z):
        image = Image.fromarray(read_pixels(layer.image))
        wide, high = image.size
        tint = WHITE if layer.tint is None else parse_color(layer.tint)
        if tint[:3] != WHITE[:3]:
            image = ImageChops.multiply(image, Image.new("RGBA", image.size, (*tint[:3], 255)))
        image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
        found.append(
            {
                "image": data_address(image),
                "at": layer.at,
                "size": (layer.scale * wide, layer.scale * high),
                "parallax": layer.parallax,
                "repeat": layer.repeat,
                "opacity": tint[3] / 255.0,
                "z": layer.z,
                "start": start,
            }
        )
    return found


def data_address(image: Image.Image) -> str:
    """A picture as an address that holds it."""
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
