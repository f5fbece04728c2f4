# SPDX-License-Identifier: MIT
"""The images that a scene names."""

from __future__ import annotations

from .. import limits
from ..text.files import Folders
from ..text.images import read_image
from .scope import Scope


class Images:
    """The images that a scene names, each read once to see that it can be."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._sizes: dict[str, tuple[int, int]] = {}
        # By the names that were looked for, and the files that say them.
        self._paths: dict[tuple[str, str], str] = {}
        self._wrong: dict[tuple[str, str], str] = {}  # why there is none, likewise

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        return tuple(self._sizes)

    def find(self, name: str, scope: Scope, *at: int | str) -> str:
        """The real path of an image, which is inside the scene's folders; Stop after a problem."""
        asked = scope.file(*at), name
        if asked not in self._paths and asked not in self._wrong:
            try:
                path = str(self._folders.find(name, asked[0]))
                if path not in self._sizes:
                    self._sizes[path] = read_image(path).size
                self._paths[asked] = path
            except ValueError as error:
                self._wrong[asked] = str(error)
        if asked in self._wrong:
            raise scope.fail("file", self._wrong[asked], *at)
        if len(self._sizes) > limits.IMAGES:
            message = f"more than {limits.IMAGES} different images; that is the limit"
            raise scope.fail("limit", message, *at)
        if sum(width * height for width, height in self._sizes.values()) > limits.ALL_IMAGE_PIXELS:
            most = limits.ALL_IMAGE_PIXELS // 1_000_000
            message = f"the images have more than {most} million pixels together; that is the limit"
            raise scope.fail("limit", message, *at)
        return self._paths[asked]

    def size(self, path: str) -> tuple[int, int]:
        """Width and height of an image that was found."""
        return self._sizes[path]
