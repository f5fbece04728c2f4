# SPDX-License-Identifier: MIT
"""Result of an import: the scene's text, and the losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...scene import loads
from ...scene.model import Scene


@dataclass(frozen=True, slots=True)
class Loss:
    """A part of the foreign file that the scene lacks or changes.

    Attributes:
        path: the place in the foreign file, such as ``joint[3].maxForce``.
        line: 1-based line of it, 0 when no line is known.
        column: 1-based column of it, 0 when none is known.
        message: the loss or the change.
    """

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.path}: {self.message}" if self.path else f"{place}{self.message}"


@dataclass(frozen=True, slots=True)
class Import:
    """A foreign scene as a scene file.

    Attributes:
        file: the foreign file as the user named it.
        format: its format, one of ``FORMATS``.
        text: the scene file.
        losses: lost and changed parts.
        bodies: the number of bodies.
        joints: the number of joints.
        actuators: the number of actuators.
        folder: the folder of the scene, None if not given.
        pictures: PNG files that the scene needs beside it, by their names, such as layers of tiles.
    """

    file: str
    format: str
    text: str
    losses: tuple[Loss, ...]
    bodies: int
    joints: int
    actuators: int
    folder: Path | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)

    def scene(self) -> Scene:
        """The scene, loaded."""
        return loads(self.text, path=f"{self.file}.yaml", folder=self.folder)
