"""The drawings that a scene names, of which outlines are taken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...errors import Kind
from .. import limits
from ..text.drawing import Drawing, Outline, read_drawing
from ..text.files import inside
from ..values.context import Wrong


class Drawings:
    """The SVG files that a scene names, each read once."""

    def __init__(self, folders: Sequence[Path | None]) -> None:
        self._folders = folders
        self._drawings: dict[str, Drawing] = {}  # by their real paths
        self._bytes = 0
        self._paths: dict[str, str] = {}  # by the names that were looked for
        self._wrong: dict[str, tuple[Kind, str]] = {}  # why there is none, likewise
        self._outlines: dict[tuple[str, str | None], Outline] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        return tuple(self._drawings)

    def outline(self, file: str, name: str | None) -> Outline:
        """The outline with an id, or the only one, of a file in the scene's folders."""
        try:
            drawing = self._find(file)
        except Wrong as wrong:
            raise wrong.under("file") from None
        if (file, name) not in self._outlines:
            try:
                self._outlines[file, name] = drawing.find(name)
            except Wrong as wrong:
                raise wrong.under("file" if name is None else "id") from None
        return self._outlines[file, name]

    def _find(self, file: str) -> Drawing:
        if file in self._wrong:
            raise Wrong(*self._wrong[file])
        if file not in self._paths:
            try:
                self._read(file)
            except Wrong as wrong:
                self._wrong[file] = wrong.findings[0].kind, wrong.findings[0].message
                raise
        if len(self._drawings) > limits.DRAWINGS:
            message = f"more than {limits.DRAWINGS} different drawings; that is the limit"
            raise Wrong("limit", message)
        if self._bytes > limits.ALL_DRAWING_BYTES:
            most = limits.ALL_DRAWING_BYTES // 2**20
            message = f"the drawings have more than {most} MiB together; that is the limit"
            raise Wrong("limit", message)
        return self._drawings[self._paths[file]]

    def _read(self, file: str) -> None:
        try:
            path = str(inside(file, *self._folders))
        except ValueError as error:
            raise Wrong("file", str(error)) from None
        if path not in self._drawings:
            self._drawings[path], size = read_drawing(path, file)
            self._bytes += size
        self._paths[file] = path
