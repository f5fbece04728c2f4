# SPDX-License-Identifier: MIT
"""The drawings that a scene takes outlines from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import Kind
from .. import limits
from ..text.files import Folders
from ..values.context import Wrong

if TYPE_CHECKING:
    from ..text.drawing import Outline, SvgDrawing


class Drawings:
    """The SVG files that a scene names, each read once."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._drawings: dict[str, SvgDrawing] = {}  # by their real paths
        self._bytes = 0
        # By the names that were looked for, and the files that say them.
        self._paths: dict[tuple[str, str], str] = {}
        self._wrong: dict[tuple[str, str], tuple[Kind, str]] = {}  # why there is none, likewise
        self._outlines: dict[tuple[str, str, str | None], Outline] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        return tuple(self._drawings)

    def outline(self, file: str, name: str | None, by: str) -> Outline:
        """The outline with an id, or the only one, of a file that the file ``by`` names."""
        try:
            drawing = self._find(by, file)
        except Wrong as wrong:
            raise wrong.under("file") from None
        if (by, file, name) not in self._outlines:
            try:
                self._outlines[by, file, name] = drawing.find(name)
            except Wrong as wrong:
                raise wrong.under("file" if name is None else "id") from None
        return self._outlines[by, file, name]

    def _find(self, by: str, file: str) -> SvgDrawing:
        asked = by, file
        if asked in self._wrong:
            raise Wrong(*self._wrong[asked])
        if asked not in self._paths:
            try:
                self._read(by, file)
            except Wrong as wrong:
                self._wrong[asked] = wrong.findings[0].kind, wrong.findings[0].message
                raise
        if len(self._drawings) > limits.DRAWINGS:
            message = f"more than {limits.DRAWINGS} different drawings; that is the limit"
            raise Wrong("limit", message)
        if self._bytes > limits.ALL_DRAWING_BYTES:
            most = limits.ALL_DRAWING_BYTES // 2**20
            message = f"the drawings have more than {most} MiB together; that is the limit"
            raise Wrong("limit", message)
        return self._drawings[self._paths[asked]]

    def _read(self, by: str, file: str) -> None:
        try:
            path = str(self._folders.find(file, by))
        except ValueError as error:
            raise Wrong("file", str(error)) from None
        if path not in self._drawings:
            from ..text.drawing import read_drawing

            self._drawings[path], size = read_drawing(path, file)
            self._bytes += size
        self._paths[by, file] = path
