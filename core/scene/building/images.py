"""The images that a scene names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import limits
from ..text.files import inside
from ..text.images import read_image
from .scope import Scope


class Images:
    """The images that a scene names, each read once to see that it can be."""

    def __init__(self, folders: Sequence[Path | None]) -> None:
        self._folders = folders
        self._sizes: dict[str, tuple[int, int]] = {}

    def find(self, name: str, scope: Scope, *at: int | str) -> str:
        """The real path of an image, which is inside the scene's folders; Stop after a problem."""
        try:
            path = str(inside(name, *self._folders))
            if path not in self._sizes:
                self._sizes[path] = read_image(path).size
        except ValueError as error:
            raise scope.fail("file", str(error), *at) from None
        if len(self._sizes) > limits.IMAGES:
            message = f"more than {limits.IMAGES} different images; that is the limit"
            raise scope.fail("limit", message, *at)
        if sum(width * height for width, height in self._sizes.values()) > limits.ALL_IMAGE_PIXELS:
            most = limits.ALL_IMAGE_PIXELS // 1_000_000
            message = f"the images have more than {most} million pixels together; that is the limit"
            raise scope.fail("limit", message, *at)
        return path

    def size(self, path: str) -> tuple[int, int]:
        """Width and height of an image that was found."""
        return self._sizes[path]
