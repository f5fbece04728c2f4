# SPDX-License-Identifier: MIT
"""Images that a scene names: allowed kinds and sizes, and errors of reading."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

from ...reading import read_bytes
from .. import limits

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
"""Formats that are opened. Others of Pillow start programs, such as Ghostscript."""


def read_image(path: str) -> Image:
    """An image, decoded; the first one of several. ValueError says why there is none."""
    from PIL import Image, UnidentifiedImageError

    try:
        data = read_bytes(path, limits.IMAGE_BYTES)
    except OSError as error:
        raise ValueError(f"the image cannot be read: {error.strerror}") from None
    if path.lower().endswith(".svg"):
        return _drawn(data, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sizes, which are compared here, and of odd metadata
        try:
            image = Image.open(BytesIO(data), formats=FORMATS)
            pixels = image.width * image.height
            if pixels <= limits.IMAGE_PIXELS:
                image.load()
                return image
        except (UnidentifiedImageError, Image.DecompressionBombError) as error:
            if isinstance(error, Image.DecompressionBombError):
                raise ValueError(_too_many("")) from None
            raise ValueError(
                "the file is not a PNG, JPEG, WebP or GIF image; a drawing ends in .svg"
            ) from None
        except Exception as error:  # decoders of damaged images raise whatever comes to them
            raise ValueError(f"the image is damaged: {error}") from None
    raise ValueError(_too_many(f" of {image.width}x{image.height}"))


def _drawn(data: bytes, path: str) -> Image:
    from .svg_pictures import draw_drawing  # which few scenes need

    try:
        return draw_drawing(data.decode("utf-8-sig"), path)
    except UnicodeDecodeError:
        raise ValueError("the drawing is not text in UTF-8") from None


def _too_many(size: str) -> str:
    return (
        f"the image{size} has too many pixels; the limit is "
        f"{limits.IMAGE_PIXELS // 1_000_000} million"
    )
