"""What can be asked of a run, and how its pictures look."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["gif", "mp4", "webp", "png", "frames", "csv", "npz", "snapshot"]
MOVIES: tuple[Kind, ...] = ("gif", "mp4", "webp", "frames")
"""Kinds that show every frame; ``frames`` is a folder of PNG files."""
PICTURES: tuple[Kind, ...] = (*MOVIES, "png")


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write, or for kind ``frames`` a folder."""

    kind: Kind
    path: Path


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures are drawn; None and empty leave it to the scene."""

    size: tuple[int, int] | None = None
    fps: float | None = None
    overlays: tuple[str, ...] = ()
    theme: str | None = None
