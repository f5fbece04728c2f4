# SPDX-License-Identifier: MIT
"""Textures of bodies: which picture is drawn where, and its cached sizes.

A picture that is drawn much smaller than it is would flicker: it is halved, each pixel the mean of
four, until a pixel of the frame takes less than two of its own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ...errors import UsageError
from ...scene.blocks.bodies.texture_models import FIRST_PIXEL
from ...scene.blocks.bodies.textures import picture_place
from ...scene.model import Body, InnerScene, Point, Scene, Texture
from ...scene.text.images import read_image
from ...scene.values.expression import ExpressionError, StateExpression, compile_state
from ...scene.values.portable_math import cos, sin
from ...viewers import view
from .colors import Color, parse_color
from .sheets import Sprite
from .text import Lettering

UInt8 = NDArray[np.uint8]
UInt32 = NDArray[np.uint32]

LONGEST_SIDE = 2048
"""A picture is kept at most so many pixels wide and high."""
WHITE: Color = (255, 255, 255, 255)


def read_pixels(path: str) -> UInt8:
    """An image as [height, width, 4]: red, green, blue and opacity."""
    try:
        image = read_image(path)
    except ValueError as error:  # it was whole when the scene was loaded
        raise UsageError(f"the image {path}: {error}") from None
    if image.mode.startswith("I;16"):  # Pillow would cut off what is above 255
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    return np.asarray(image.convert("RGBA"), np.uint8)


def halved(pixels: UInt8) -> UInt8:
    """A picture of half the size, each pixel the mean of four, clear ones without colour.

    In whole numbers, to the same bytes everywhere. An odd last row or column counts twice.
    """
    height, width = pixels.shape[:2]
    even = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge").astype(np.uint32)
    alpha = even[:, :, 3:]
    parts: UInt32 = np.concatenate([even[:, :, :3] * alpha, alpha], axis=2)
    sums = parts[::2, ::2] + parts[1::2, ::2] + parts[::2, 1::2] + parts[1::2, 1::2]
    total = sums[:, :, 3:]
    colors = (sums[:, :, :3] + total // 2) // np.maximum(total, 1)
    return np.concatenate([colors, (total + 2) // 4], axis=2).astype(np.uint8)


def keyed(pixels: UInt8, color_key: str) -> UInt8:
    """A picture without the pixels of one colour, whatever their opacity.

    Args:
        pixels: [height, width, 4] red, green, blue and opacity.
        color_key: a colour, or ``first_pixel`` for that of the top left pixel.
    """
    color = pixels[0, 0, :3] if color_key == FIRST_PIXEL else parse_color(color_key)[:3]
    seen = (pixels[:, :, :3] != np.asarray(color, np.uint8)).any(axis=2, keepdims=True)
    return np.where(seen, pixels, np.uint8(0))


class Textures:
    """Reads the pictures of textures, each once at each size that is needed."""

    def __init__(self, scene: Scene, lettering: Lettering) -> None:
        self._scene, self._lettering = scene, lettering
        self._images: dict[tuple[str, str | None], UInt8] = {}
        self._kept: dict[
            tuple[str | InnerScene, tuple[int, int], str | None, int, bool], tuple[int, ...]
        ] = {}

    def sprite(self, texture: Texture, size: tuple[float, float]) -> Sprite:
        """The pictures of a texture that is drawn at this size, in pixels."""
        chosen = mirrored = None
        if isinstance(texture.frame, str):
            chosen = self._compiled(texture.frame)
            texture = replace(texture, frame=0.0) if chosen is None else texture
        shown = texture.file if texture.inner is None else texture.inner
        key = texture.color_key
        pictures = self.pictures(shown, texture.grid, size, key)
        if texture.mirror_while:
            mirrored = self._compiled(texture.mirror_while)
            pictures += self.pictures(shown, texture.grid, size, key, mirrored=True)
            pictures = pictures if mirrored else pictures[: len(pictures) // 2]
        seconds = 1.0 / self._scene.units.time_per_second
        return Sprite(texture, pictures, chosen, seconds, mirrored)

    def _compiled(self, source: str) -> StateExpression | None:
        """None for one of a body that was added, about others that were."""
        try:
            return compile_state(source, self._scene)
        except ExpressionError:
            return None

    def pictures(
        self,
        shown: str | InnerScene,
        grid: tuple[int, int],
        size: tuple[float, float],
        color_key: str | None = None,
        *,
        mirrored: bool = False,
    ) -> tuple[int, ...]:
        """The pictures of a file, row by row, or of a scene, fit to be drawn at a size in pixels,
        or the same with their left sides on the right."""
        if isinstance(shown, str):
            image = self._image(shown, color_key)
            wide, high = image.shape[1] // grid[0], image.shape[0] // grid[1]
        else:
            wide, high = shown.size
        halvings = 0
        while min(wide, high) > 1 and (
            max(wide, high) > LONGEST_SIDE or (wide >= 2.0 * size[0] and high >= 2.0 * size[1])
        ):
            wide, high, halvings = (wide + 1) // 2, (high + 1) // 2, halvings + 1
        key = (shown, grid, color_key, halvings, mirrored)
        if key not in self._kept:
            cells = self._cells(shown, grid, color_key, halvings)
            cells = [np.ascontiguousarray(cell[:, ::-1]) for cell in cells] if mirrored else cells
            self._kept[key] = tuple(map(self._lettering.add_picture, cells))
        return self._kept[key]

    def _cells(
        self, shown: str | InnerScene, grid: tuple[int, int], color_key: str | None, halvings: int
    ) -> list[UInt8]:
        """The pictures of a file or of a scene, halved so often."""
        if isinstance(shown, str):
            cells = _parts(self._image(shown, color_key), grid)
        else:
            cells = [*view("pictures of a scene", shown)]
        for _ in range(halvings):
            cells = list(map(halved, cells))
        return cells

    def size(self, file: str) -> tuple[int, int]:
        """Width and height of an image, in its own pixels."""
        image = self._image(file)
        return image.shape[1], image.shape[0]

    def _image(self, file: str, color_key: str | None = None) -> UInt8:
        found = file, color_key
        if found not in self._images:
            pixels = read_pixels(file)
            self._images[found] = pixels if color_key is None else keyed(pixels, color_key)
        return self._images[found]


def _parts(image: UInt8, grid: tuple[int, int]) -> list[UInt8]:
    """The pictures of a sheet, row by row."""
    wide, high = image.shape[1] // grid[0], image.shape[0] // grid[1]
    return [
        image[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
        for row in range(grid[1])
        for column in range(grid[0])
    ]


def corners(middle: Point, size: tuple[float, float], angle: float, *, y_down: bool) -> list[Point]:
    """Top left, top right and bottom left of a picture, in the coordinates of its body."""
    c, s = cos(angle), sin(angle)
    x, y = 0.5 * size[0], (-0.5 if y_down else 0.5) * size[1]
    return [
        (middle[0] + c * right - s * up, middle[1] + s * right + c * up)
        for right, up in ((-x, y), (x, y), (-x, -y))
    ]


def place(texture: Texture, body: Body, y_down: bool) -> tuple[list[Point], tuple[float, float]]:
    """The corners of a body's picture, in its coordinates, and its size."""
    middle, size = picture_place(texture, body.shapes)
    sides = (
        -size[0] if texture.mirror == "x" else size[0],
        -size[1] if texture.mirror == "y" else size[1],
    )
    return corners(middle, sides, texture.angle, y_down=y_down), size


def tint(texture: Texture) -> Color:
    return WHITE if texture.tint is None else parse_color(texture.tint)
