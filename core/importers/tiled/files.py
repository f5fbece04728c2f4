# SPDX-License-Identifier: MIT
"""Files that a map names: tilesets, templates and pictures, inside one folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...reading import read_bytes
from ...scene.limits import ALL_IMAGE_PIXELS, FILE_BYTES, INCLUDES
from ...scene.text.images import read_image
from ..drafts.draft import Draft
from ..drafts.json_places import parse
from ..drafts.places import SourceText, Value, check_size
from .markup import read_markup

if TYPE_CHECKING:
    from PIL.Image import Image


class MapFiles:
    """Reads each file once, relative to the folder of the file that names it."""

    def __init__(self, draft: Draft, value: Value) -> None:
        source = value.source
        self.draft = draft
        self.home = source.home if source.home is not None else source.folder
        self.root = source.assets if source.assets is not None else self.home
        self.stem = Path(source.file).stem if source.home is not None else "map"
        self._values: dict[Path, Value] = {}
        self._images: dict[Path, Image] = {}

    def folder_of(self, value: Value) -> Path | None:
        """The folder to which the names in a value are relative."""
        home = value.source.home
        return home if home is not None else self.home

    def value(self, name: str, owner: Value) -> Value:
        """A tileset or template. ValueError says why there is none; SceneError, what is wrong."""
        path = self._path(name, owner)
        if path not in self._values:
            if len(self._values) >= INCLUDES:
                raise ValueError(f"more than {INCLUDES} files; that is the limit")
            self._values[path] = _read(path, name, self.draft.source)
        return self._values[path]

    def image(self, name: str, owner: Value) -> tuple[Path, Image]:
        """A picture and its place. ValueError says why there is none."""
        path = self._path(name, owner)
        if path not in self._images:
            image = read_image(str(path)).convert("RGBA")
            pixels = sum(each.width * each.height for each in (image, *self._images.values()))
            if pixels > ALL_IMAGE_PIXELS:
                raise ValueError("there are too many pixels in all pictures")
            self._images[path] = image
        return path, self._images[path]

    def in_scene(self, path: Path) -> str | None:
        """The name of a picture in the folder of the scene, None outside of it."""
        folder = self.draft.source.folder
        if folder is None or not path.is_relative_to(folder.resolve()):
            return None
        try:
            return self.draft.pictures.find(path.relative_to(folder.resolve()).as_posix())
        except ValueError:
            return None

    def _path(self, name: str, owner: Value) -> Path:
        folder = self.folder_of(owner)
        if folder is None or self.root is None:
            raise ValueError(f"{name!r} cannot be found: the map has no folder")
        plain = name.replace("\\", "/")
        if not plain.strip() or "\0" in plain:
            raise ValueError("the name of a file is missing")
        root = self.root.resolve()
        for base in (folder, self.draft.source.folder):
            try:
                path = None if base is None else (base / plain).resolve()
            except (OSError, RuntimeError):
                continue
            if path is None or not path.is_file():
                continue
            scene = self.draft.source.folder
            inside = scene is not None and path.is_relative_to(scene.resolve())
            if inside or path.is_relative_to(root):
                return path
            raise ValueError(
                f"{name!r} is outside of the map's folder; name a folder that has both by --assets"
            )
        raise ValueError(f"there is no file {name!r} beside the map")


def _read(path: Path, name: str, source: SourceText) -> Value:
    try:
        text = read_bytes(path, FILE_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{name!r} cannot be read: {error}") from None
    own = SourceText(str(path), text, source.folder, path.parent, source.assets)
    if text.lstrip().startswith("<"):
        return read_markup(text, str(path), own)
    value = Value(parse(text, str(path)), own)
    check_size(value)
    if not isinstance(value.data, dict):
        raise value.fail("wrong-type", "must be an object in braces")
    return value
