# SPDX-License-Identifier: MIT
"""The page of variants: a run of each beside the others, with one clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record import Frame, Result
from ..render.canvas.colors import fade, parse_color
from ..render.canvas.theme import THEMES
from ..render.variants import tints_of
from ..scene.model import Body, Scene
from .document import document
from .replay import Style, Told, marks_of, pack
from .themes import written

MOST_COLUMNS = 4


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
    over = compare.layout == "overlay"
    if compare.layout == "row":
        columns = len(runs)
    if not over:
        width, height = width // columns, height // ceil(len(runs) / columns)
    pane = replace(style, size=(max(width, 16), max(height, 16)))
    shared = compare.camera == "shared" or over
    alike = len({tuple(run.scene.bodies) for run in runs}) == 1
    seen = [frame for run in runs for frame in run.frames] if shared and alike else None
    tints = tints_of(compare, THEMES[style.theme])
    packed: list[tuple[dict[str, Any], str]] = []
    for run, tint in zip(runs, tints, strict=True):
        first = runs[0].scene if run is not runs[0] else None
        dressed = partial(_laid_over, color=_clear(tint, compare.opacity), first=first)
        told = Told(spans=run.spans)
        packed.append(pack(run.scene, run.frames, pane, told, seen, dressed if over else None))
    data = packed[0][0] | {
        "name": scene.name,
        "description": scene.description,
        "marks": _marks(results),
        "variants": {
            "names": [run.name for run in runs],
            "columns": min(columns, MOST_COLUMNS),
            "tints": [_clear(tint, 1.0) for tint in tints] if over else [],
            "shared": shared,
            "others": [each for each, _ in packed[1:]],
        },
    }
    texts = {f"rigid-film-{i}" if i else "rigid-film": text for i, (_, text) in enumerate(packed)}
    return document(scene.name or "Variants", data, texts, ("variants.js", "replay.js"))


def _laid_over(scene: Scene, color: str, first: Scene | None) -> Scene:
    """A variant as it is drawn over others: bodies that move have its colour, and no textures.

    What it has in common with the ``first`` one, and does not move, is drawn there.
    """
    bodies: dict[str, Body] = {}
    for name, body in scene.bodies.items():
        if body.kind == "static":
            same = first is not None and first.bodies.get(name) == body
            bodies[name] = replace(body, visible=False) if same else body
        else:
            shapes = tuple(
                replace(each, material=replace(each.material, color=None, outline=None))
                for each in body.shapes
            )
            bodies[name] = replace(body, shapes=shapes, color=color, outline=None, texture=None)
    return replace(scene, bodies=bodies, render=replace(scene.render, palette="bodies"))


def _clear(tint: str, opacity: float) -> str:
    """A colour with an opacity, as scenes write it."""
    return written(fade((*parse_color(tint)[:3], 255), opacity))


def _marks(results: Mapping[str, Sequence[Result]]) -> list[dict[str, Any]]:
    """The marks of all expectations, those of a variant with its name, in the order of time."""
    marks: list[dict[str, Any]] = []
    for name, some in results.items():
        for mark in marks_of(some):
            marks.append(mark | ({"text": f"{name}: {mark['text']}"} if name else {}))
    return sorted(marks, key=lambda mark: float(mark["time"]))
