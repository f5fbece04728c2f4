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
        self._paths: dict[str, str] = {}  # by the names that were looked for
        self._wrong: dict[str, str] = {}  # why there is none, likewise

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        return tuple(self._sizes)

    def find(self, name: str, scope: Scope, *at: int | str) -> str:
        """The real path of an image, which is inside the scene's folders; Stop after a problem."""
        if name not in self._paths and name not in self._wrong:
            try:
                path = str(inside(name, *self._folders))
                if path not in self._sizes:
                    self._sizes[path] = read_image(path).size
                self._paths[name] = path
            except ValueError as error:
                self._wrong[name] = str(error)
        if name in self._wrong:
            raise scope.fail("file", self._wrong[name], *at)
        if len(self._sizes) > limits.IMAGES:
            message = f"more than {limits.IMAGES} different images; that is the limit"
            raise scope.fail("limit", message, *at)
        if sum(width * height for width, height in self._sizes.values()) > limits.ALL_IMAGE_PIXELS:
            most = limits.ALL_IMAGE_PIXELS // 1_000_000
            message = f"the images have more than {most} million pixels together; that is the limit"
            raise scope.fail("limit", message, *at)
        return self._paths[name]

    def size(self, path: str) -> tuple[int, int]:
        """Width and height of an image that was found."""
        return self._sizes[path]
