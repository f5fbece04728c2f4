"""The image behind a picture, as the page takes it."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

from PIL import Image

from ..render.camera import View
from ..render.textures import read_pixels
from ..scene.model import Scene

LONGEST_SIDE = 2048
"""An image is shrunk to this length."""


def backdrop(scene: Scene, first: View, size: tuple[int, int]) -> dict[str, Any] | None:
    """The image, how it lies, and the box of the world that one glued to the world covers."""
    given = scene.render.background
    if given is None or given.image is None:
        return None
    image = Image.fromarray(read_pixels(given.image))
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    bounds = scene.camera.bounds or scene.world.bounds
    box = first.box(size)
    if bounds is not None:
        (x0, y0), (x1, y1) = bounds
        box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    return {"image": data_address(image), "fit": given.fit, "box": box}


def data_address(image: Image.Image) -> str:
    """A picture as an address that holds it."""
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
