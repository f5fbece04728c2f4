"""One simulation pass that leaves everything that was asked for: movies, pictures, tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..record import Result

if TYPE_CHECKING:
    pass

Kind = Literal["gif", "mp4", "webp", "png", "frames", "csv", "npz", "snapshot"]
MOVIES: tuple[Kind, ...] = ("gif", "mp4", "webp", "frames")
"""Kinds that show every frame; ``frames`` is a folder of PNG files."""


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


@dataclass(frozen=True, slots=True)
class Report:
    """What a run was like.

    Attributes:
        steps: how many were done.
        time: the scene time they took.
        wall: seconds on the clock, pictures included.
        frames: how many frames the movies have.
        bodies, alive, asleep: how many at the start, and of those at the end.
        joints, broken: likewise.
        contacts: touching points at the end.
        energy: (kinetic, potential) at the end.
        results: how the expectations came out; empty when they were not checked.
        warnings: what the engine warned of.
    """

    steps: int
    time: float
    wall: float
    frames: int
    bodies: int
    alive: int
    asleep: int
    joints: int
    broken: int
    contacts: int
    energy: tuple[float, float]
    results: tuple[Result, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every expectation that was checked held."""
        return all(result.passed for result in self.results)
