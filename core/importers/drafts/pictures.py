# SPDX-License-Identifier: MIT
"""Pictures named in a foreign file, as paths in the scene's own folder."""

from __future__ import annotations

from pathlib import Path

from ...scene import limits
from ...scene.text.files import inside
from ...scene.text.images import read_image


class Pictures:
    """The pictures in the folder of the scene. Others are not searched."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._sizes: dict[str, tuple[int, int]] = {}

    def find(self, given: str) -> str:
        """A picture's name as a scene says it. ValueError says why the scene cannot have it."""
        name = given.replace("\\", "/").removeprefix("./")
        if self.folder is None:
            raise ValueError(f"the picture {given!r} is left out: nobody said where the scene goes")
        if name not in self._sizes:
            try:
                size = read_image(str(inside(name, self.folder.resolve()))).size
            except ValueError as error:
                raise ValueError(f"the picture is left out: {error}") from None
            pixels = sum(width * height for width, height in (size, *self._sizes.values()))
            if len(self._sizes) >= limits.IMAGES or pixels > limits.ALL_IMAGE_PIXELS:
                raise ValueError(f"the picture {given!r} is left out: there are too many")
            self._sizes[name] = size
        return name

    def size(self, name: str) -> tuple[int, int]:
        """Width and height in pixels of a picture that was found."""
        return self._sizes[name]
