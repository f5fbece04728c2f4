# SPDX-License-Identifier: MIT
"""The images, fonts and sounds that a scene names, and the scenes that its bodies show."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import SceneError
from .. import limits
from ..model import InnerScene, Scene
from ..text.files import Folders
from ..values.broken import Stop
from .scope import Scope


@dataclass
class InnerScenes:
    """The scenes that bodies of a scene show: each file is loaded once, and none shows itself.

    Attributes:
        load: loads the scene of a file, by its name in errors, whose inner scenes are these.
        open: the files of the scenes inside each other, of which the last one has these.
        made: all scenes on bodies so far, or why there is none, by their files.
    """

    load: Callable[[Path, str, InnerScenes], Scene]
    open: tuple[Path, ...]
    made: dict[Path, Scene | SceneError] = field(default_factory=dict)

    def find(self, path: Path, shown: str) -> Scene:
        """The scene of a file. Raises SceneError for its problems, ValueError for others."""
        if path in self.open:
            circle = [*self.open[self.open.index(path) :], path]
            names = " -> ".join(each.name for each in circle)
            raise ValueError(f"a scene cannot show itself: {names}")
        if path not in self.made:
            self._check(len(self.open), limits.INNER_DEPTH, "scenes on bodies inside each other")
            self._check(len(self.made), limits.INNER_SCENES - 1, "different scenes on bodies")
            try:
                inside = InnerScenes(self.load, (*self.open, path), self.made)
                self.made[path] = self.load(path, shown, inside)
            except SceneError as error:
                self.made[path] = error
        found = self.made[path]
        if isinstance(found, SceneError):
            raise found
        return found

    @staticmethod
    def _check(there: int, most: int, what: str) -> None:
        if there > most:
            raise ValueError(f"more than {most} {what}; that is the limit")


class Images:
    """The images and scenes that bodies and pictures of a scene show, each read once to see that
    it can be."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._sizes: dict[str, tuple[int, int]] = {}
        # By the names that were looked for, and the files that say them.
        self._paths: dict[tuple[str, str], str] = {}
        self._wrong: dict[tuple[str, str], str] = {}  # why there is none, likewise
        self._scenes: dict[str, Scene] = {}  # by their real paths
        self._wrong_scenes: set[str] = set()  # whose problems were reported
        self._shown: dict[InnerScene, int] = {}  # and the pixels of their pictures

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        scenes = self._scenes.items()
        return (*self._sizes, *(each for file, scene in scenes for each in (file, *scene.files)))

    def find(self, name: str, scope: Scope, *at: int | str) -> str:
        """The real path of an image, which is inside the scene's folders; Stop after a problem."""
        asked = scope.file(*at), name
        if asked not in self._paths and asked not in self._wrong:
            try:
                path = str(self._folders.find(name, asked[0]))
                if path not in self._sizes:
                    from ..text.images import read_image

                    self._sizes[path] = read_image(path).size
                self._paths[asked] = path
            except ValueError as error:
                self._wrong[asked] = str(error)
        if asked in self._wrong:
            raise scope.fail("file", self._wrong[asked], *at)
        if len(self._sizes) > limits.IMAGES:
            message = f"more than {limits.IMAGES} different images; that is the limit"
            raise scope.fail("limit", message, *at)
        self._check_pixels(scope, *at)
        return self._paths[asked]

    def scene(self, name: str, scope: Scope, *at: int | str) -> tuple[str, Scene]:
        """The real path of a scene file, likewise, and its scene; Stop after a problem."""
        by = scope.file(*at)
        try:
            path = self._folders.find(name, by)
            beside = by in self._folders.beside
            found = self._folders.inner.find(path, str(Path(by).parent / name if beside else name))
        except ValueError as error:
            raise scope.fail("file", str(error), *at) from None
        except SceneError as error:
            if str(path) not in self._wrong_scenes:
                self._wrong_scenes.add(str(path))
                scope.report.extend(error.problems)
            scope.failed = True
            raise Stop from None
        self._scenes[str(path)] = found
        return str(path), found

    def show(self, inner: InnerScene, scope: Scope, *at: int | str) -> None:
        """Count the pictures of a scene on a body among the images; Stop at the limit."""
        self._shown[inner] = inner.count * inner.size[0] * inner.size[1]
        self._check_pixels(scope, *at)

    def _check_pixels(self, scope: Scope, *at: int | str) -> None:
        images = sum(width * height for width, height in self._sizes.values())
        if images + sum(self._shown.values()) > limits.ALL_IMAGE_PIXELS:
            most = limits.ALL_IMAGE_PIXELS // 1_000_000
            message = f"the images have more than {most} million pixels together; that is the limit"
            raise scope.fail("limit", message, *at)

    def size(self, path: str) -> tuple[int, int]:
        """Width and height of an image that was found."""
        return self._sizes[path]


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


class Sounds:
    """The sound files that a scene names, each read once to see that it is one."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._paths: dict[str, None] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        return tuple(self._paths)

    def find(self, name: str, scope: Scope, *at: int | str) -> str:
        """The name of a sound, that of a file by the scene's own folder; Stop after a problem."""
        from ..text.sounds import check_kind, check_sound, is_file

        try:
            check_kind(name)
            if not is_file(name):
                return name
            path = str(self._folders.find(name, scope.file(*at)))
            if path not in self._paths:
                check_sound(path)
        except ValueError as error:
            raise scope.fail("file", str(error), *at) from None
        self._paths[path] = None
        if len(self._paths) > limits.SOUNDS:
            message = f"more than {limits.SOUNDS} different sounds; that is the limit"
            raise scope.fail("limit", message, *at)
        own = self._folders.own[0]
        return Path(os.path.relpath(path, own.resolve())).as_posix() if own else name
