# SPDX-License-Identifier: MIT
"""The fonts that a scene names."""

from __future__ import annotations

from .. import limits
from ..text.files import Folders
from .scope import Scope


class Fonts:
    """The fonts that a scene names, each read once to see that it can be."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._paths: dict[str, None] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        return tuple(self._paths)

    def find(self, name: str, scope: Scope, *at: int | str) -> str:
        """The real path of a font, which is inside the scene's folders; Stop after a problem."""
        from ..text.fonts import read_font  # which few scenes need

        try:
            path = str(self._folders.find(name, scope.file(*at)))
            read_font(path)
        except ValueError as error:
            raise scope.fail("file", str(error), *at) from None
        self._paths[path] = None
        if len(self._paths) > limits.FONTS:
            message = f"more than {limits.FONTS} different fonts; that is the limit"
            raise scope.fail("limit", message, *at)
        return path
