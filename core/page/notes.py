# SPDX-License-Identifier: MIT
"""Texts, vectors, dimensions and plots of a scene for the page, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..fonts.tables import Outline
from ..record.frame import Frame
from ..render.canvas.colors import parse_color
from ..render.canvas.text import EM, Lettering, reach
from ..render.canvas.theme import THEMES
from ..render.marks.annotation_kinds import KINDS
from ..render.marks.annotations import Annotations, Note
from ..render.renderer import line_unit
from ..scene.model import Scene
from ..view.camera import View
from ..view.plot_values import plots_ahead
from ..view.strips import insets_of, with_shared
from ..view.survey import Survey
from .codes import Blob
from .fonts import family
from .themes import written

Float64 = NDArray[np.float64]

Slot = tuple[int, str, str, bool]
"""A part of an annotation: its row, its key, its colour, and whether it is a component."""

MOST_PLACES = 4
"""A dimension has four: its two ends, and those of its line."""


@dataclass(frozen=True, slots=True)
class Notes:
    """Non-array data of a scene's annotations: the look of each part, all texts, and formulas."""

    looks: list[dict[str, Any]]
    texts: list[str]
    formulas: list[dict[str, Any]]


def add_notes(
    blob: Blob,
    scene: Scene,
    moments: Sequence[Frame],
    rows: NDArray[np.int64],
    size: tuple[int, int],
    views: Sequence[View],
) -> Notes:
    """Pack the values of annotations. Texts count from 1; 0 is a part that is not shown.

    Places are those of all moments, texts and values those of the frames, the ``rows`` of these.
    ``size`` is that of the picture with strips beside it, ``views`` those of the moments.
    """
    frames = [moments[row] for row in rows]
    survey = Survey(scene, frames) if plots_ahead(scene) else None
    given = annotations_of(scene, size, survey)
    corners = corners_of(given, frames[0], views[0])
    texts: dict[str, int] = {}
    noted = [
        given.notes(frame, view)
        for frame, view in zip(moments if scene.annotations else (), views, strict=False)
    ]
    slots = _slots(scene, noted)
    count = len(moments)
    shown = np.zeros((count, len(slots)), np.int64)
    places = np.full((count, len(slots), 2 * MOST_PLACES), np.nan)
    values = np.array([given.plotted(frame) for frame in frames if scene.annotations])
    of_frames = set(rows.tolist())
    for i, notes in enumerate(noted):
        for note in notes:
            slot = slots[_slot(note)]
            if i in of_frames:
                shown[i, slot] = texts.setdefault(note.part.text, len(texts) + 1)
            flat = [each for place in note.part.points for each in place]
            places[i, slot, : len(flat)] = flat
    blob.add("note.text", shown[rows], "delta")
    blob.add_floats("note.place", places.reshape(count, -1))
    blob.add_floats("note.value", values.reshape(len(frames), -1))
    if values.size:
        _add_peaks(blob, given, frames, values)
    looks = note_looks(scene, corners, survey)
    parts = [{**looks[row], "tone": tone, "thin": thin} for row, _, tone, thin in slots]
    return Notes(parts, list(texts), formula_looks(given.lettering))


def annotations_of(
    scene: Scene, size: tuple[int, int], survey: Survey | None = None
) -> Annotations:
    """The annotations of a picture of a size, which is with strips beside it."""
    unit = line_unit(size)
    inner = insets_of(scene, size, unit).inner(size)
    return Annotations(scene, THEMES["light"], inner, unit, Lettering(), survey)


def corners_of(given: Annotations, first: Frame, view: View) -> list[str]:
    """The corner of each annotation, chosen in the first frame where it is to be chosen."""
    given.settle(first, view)
    return given.corners()


def _slot(note: Note) -> Slot:
    return note.row, note.part.key, note.part.tone, note.part.thin


def _slots(scene: Scene, noted: Sequence[Sequence[Note]]) -> dict[Slot, int]:
    """The columns of all parts that are ever shown, and of plots, in the order of annotations."""
    found: dict[Slot, None] = {}
    for notes in noted:
        found |= dict.fromkeys(map(_slot, notes))
    for row, each in enumerate(scene.annotations):
        if each.kind == "plot":
            found[row, "", "", False] = None
    return {slot: k for k, slot in enumerate(sorted(found, key=lambda slot: slot[0]))}


def _add_peaks(blob: Blob, given: Annotations, frames: Sequence[Frame], values: Float64) -> None:
    """Pack the peaks of plots between the frames: how many before each, their times and values."""
    passed = [
        given.passed((before.time, *last), frame)
        for before, last, frame in zip(frames, values.tolist(), frames[1:], strict=False)
    ]
    peaks = np.array([sample for part in passed for sample in part])
    peaks = peaks.reshape(-1, 1 + values.shape[1])
    blob.add("peak.count", np.array([0, *map(len, passed)]), "delta")
    blob.add_exact("peak.time", peaks[:, 0])
    blob.add_floats("peak.value", peaks[:, 1:])


def formula_looks(lettering: Lettering) -> list[dict[str, Any]]:
    """Formulas in the order of their signs, for letters of size 1: outlines, y down."""
    looks = []
    for formula in lettering.formulas:
        up, down = reach(formula)
        wide = round(EM * formula.wide, 4)
        looks.append({"wide": wide, "up": up, "down": down, "path": _path(formula.outline)})
    return looks


def _path(outline: Outline) -> str:
    """An outline in the notation of SVG."""
    commands = {2: "L", 4: "Q", 6: "C"}
    said = ""
    for contour in outline:
        for i, each in enumerate(contour):
            flat = [EM * part if k % 2 == 0 else -EM * part for k, part in enumerate(each)]
            numbers = " ".join(f"{part:.4g}" for part in flat)
            said += f"{commands[len(each)] if i else 'M'}{numbers}"
        said += "Z"
    return said


def note_looks(
    scene: Scene, corners: Sequence[str], survey: Survey | None = None
) -> list[dict[str, Any]]:
    """The look of each annotation; ``first`` counts the lines of the plots before it.

    With a survey of the run plots have the least and greatest values of that.
    """
    looks, first = [], 0
    for each, corner in zip(with_shared(scene.annotations), corners, strict=True):
        own = KINDS[each.kind].look(each, scene)
        placed = each.at is None and each.follow is None
        if each.kind == "plot" and survey is not None:
            of = survey.typical if each.range == "typical" else survey.plotted
            bounds = [of(source) for source in each.expressions]
            own["bounds"] = [[_finite(part) for part in pair] for pair in bounds]
            own["end"] = survey.end
        looks.append(
            {
                "kind": each.kind,
                "corner": corner if placed and corner else None,
                "above": each.follow is not None,
                "size": each.size,
                "color": None if each.color is None else written(parse_color(each.color)),
                "font": family(each.font or scene.render.font),
                "first": first,
                **own,
            }
        )
        first += own.get("lines", 0)
    return looks


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
