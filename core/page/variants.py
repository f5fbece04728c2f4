# SPDX-License-Identifier: MIT
"""The page of variants: a run of each beside the others, with one clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record import Frame, Result
from ..scene.model import Scene
from .document import document
from .replay import Style, Told, marks_of, pack

MOST_COLUMNS = 4
WIDE = 2.0


@dataclass
class Filmed:
    """A run of a page, frame by frame, with the values between frames that ``take_spans`` gives."""

    name: str
    scene: Scene
    frames: list[Frame] = field(default_factory=list)
    spans: list[NDArray[np.float64]] = field(default_factory=list)


def variants_page(
    scene: Scene, runs: Sequence[Filmed], style: Style, results: Mapping[str, Sequence[Result]]
) -> str:
    """The page of a scene that compares variants, as HTML.

    It marks the results of all, which are given by the names of variants; the scene's have none.
    """
    compare = scene.compare
    assert compare is not None
    width, height = style.size
    columns = compare.columns or ceil(sqrt(len(runs)))
    if compare.layout == "overlay":  # of the size of one picture, wide ones below each other
        columns = 1 if width > WIDE * height else min(len(runs), MOST_COLUMNS)
    elif compare.layout == "row":
        columns = len(runs)
    if compare.layout != "overlay":
        width, height = width // columns, height // ceil(len(runs) / columns)
    pane = replace(style, size=(max(width, 16), max(height, 16)))
    shared = compare.camera == "shared" or compare.layout == "overlay"
    alike = len({tuple(run.scene.bodies) for run in runs}) == 1
    seen = [frame for run in runs for frame in run.frames] if shared and alike else None
    packed: list[tuple[dict[str, Any], str]] = []
    for run in runs:
        told = Told(spans=run.spans)
        packed.append(pack(run.scene, run.frames, pane, told, seen))
    data = packed[0][0] | {
        "name": scene.name,
        "description": scene.description,
        "marks": _marks(results),
        "variants": {
            "names": [run.name for run in runs],
            "columns": min(columns, MOST_COLUMNS),
            "shared": shared,
            "others": [each for each, _ in packed[1:]],
        },
    }
    texts = {f"rigid-film-{i}" if i else "rigid-film": text for i, (_, text) in enumerate(packed)}
    return document(scene.name or "Variants", data, texts, ("variants.js", "replay.js"))


def _marks(results: Mapping[str, Sequence[Result]]) -> list[dict[str, Any]]:
    """The marks of all expectations, those of a variant with its name, in the order of time."""
    marks: list[dict[str, Any]] = []
    for name, some in results.items():
        for mark in marks_of(some):
            marks.append(mark | ({"text": f"{name}: {mark['text']}"} if name else {}))
    return sorted(marks, key=lambda mark: float(mark["time"]))
