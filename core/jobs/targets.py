# SPDX-License-Identifier: MIT
"""Output targets of a run, and the look of its pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from .. import arguments
from ..arguments import checked_fields, flag, optional, real, text, texts, word_of
from ..errors import UsageError

Kind = Literal[
    "gif", "mp4", "webp", "png", "frames", "html", "csv", "npz", "snapshot", "save-state"
]
MOVIES: tuple[Kind, ...] = ("gif", "mp4", "webp", "frames")
"""Kinds that show every frame; ``frames`` is a folder of PNG files."""
PICTURES: tuple[Kind, ...] = (*MOVIES, "png")
PAGES: tuple[Kind, ...] = ("html",)


def _kind(value: Any, name: str) -> str:
    kind = text(value, name)
    if kind not in get_args(Kind):
        raise UsageError(f"{name} should be one of {', '.join(get_args(Kind))}, not {kind!r}")
    return kind


@checked_fields(kind=_kind, path=arguments.path)
@dataclass(frozen=True, slots=True)
class Target:
    """A file to write, or for kind ``frames`` a folder. A ``small`` MP4 has less detail.

    A ``small`` PNG has a palette of at most 256 colours.
    """

    kind: Kind
    path: Path
    small: bool = False


@checked_fields(
    size=optional(arguments.size),
    fps=optional(real),
    overlays=texts,
    theme=optional(text),
    mute=flag,
    full_colors=flag,
    live=word_of("", "inline", "link"),
)
@dataclass(frozen=True, slots=True)
class Look:
    """Look of pictures; None and empty values leave a choice to the scene.

    ``mute`` leaves out sounds. With ``full_colors`` an MP4 stores the colour of each pixel (4:4:4),
    not one for two by two; some browsers and phones do not play it. A ``live`` page runs the scene
    itself: with the engine in it, or with a ``link`` to that in a file beside it.
    """

    size: tuple[int, int] | None = None
    fps: float | None = None
    overlays: tuple[str, ...] = ()
    theme: str | None = None
    mute: bool = False
    full_colors: bool = False
    live: Literal["", "inline", "link"] = ""
