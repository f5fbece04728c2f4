# SPDX-License-Identifier: MIT
"""The sizes of plots in the picture, and the strips beside it that hold some of them.

A strip takes its part of the picture's size; the world is shown in the rest. Those above and below
are as wide as the whole picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..scene.model import Annotation, Scene
from ..scene.values.portable_math import total
from .boxes import Box

WIDTH, HEIGHT = 190.0, 112.0
"""Size of a plot without one, at picture size ``unit`` 1 and with letters of the usual size."""
LETTERS = 13.0
"""The usual ``size`` of an annotation."""
LEAST_UNIT = 0.8
"""A plot in a small picture is drawn as at this ``unit``, to be read,"""
MOST_WIDE, MOST_HIGH = 0.62, 0.6
"""unless it would take more than this share of the picture."""
MOST_STRIP = 0.6
"""A strip takes at most this share of the picture's side."""
GAP = 4.0
"""Gap between and around plots in a strip, at ``unit`` 1."""

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Insets:
    """How much strips take from the sides of a picture, in pixels."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0

    def __bool__(self) -> bool:
        return any((self.left, self.top, self.right, self.bottom))

    def inner(self, size: Size) -> Size:
        """The size of what is left of a picture."""
        return size[0] - self.left - self.right, size[1] - self.top - self.bottom


def groups(annotations: Sequence[Annotation]) -> list[tuple[int, ...]]:
    """The rows of plots that share one place: the first, and those that share its axis."""
    found: list[tuple[int, ...]] = []
    for row, each in enumerate(annotations):
        if each.kind == "plot" and each.share:
            found[-1] = (*found[-1], row)
        elif each.kind == "plot":
            found.append((row,))
    return found


def with_shared(annotations: Sequence[Annotation]) -> list[Annotation]:
    """Annotations in which plots that share an axis have the time of that one, too."""
    found = [*annotations]
    for first, *others in groups(annotations):
        for row in others:
            found[row] = replace(annotations[row], seconds=annotations[first].seconds)
    return found


def without_strips(scene: Scene) -> Scene:
    """A scene without the plots beside its picture."""
    given = scene.annotations
    beside = {row for group in groups(given) if given[group[0]].strip for row in group}
    if not beside:
        return scene
    kept = tuple(each for row, each in enumerate(given) if row not in beside)
    return replace(scene, annotations=kept)


def plot_scale(given: Annotation, unit: float) -> float:
    """The size of a pixel of a plot, before it is fitted into a picture."""
    return max(unit, LEAST_UNIT) * given.size / LETTERS


def plot_size(given: Annotation, unit: float) -> tuple[float, float]:
    """Width and height of a plot in pixels, before it is fitted into a picture.

    Sides that a scene gives are in pixels of a picture 480 pixels high, and so independent of the
    size of letters.
    """
    k, own = plot_scale(given, unit), max(unit, LEAST_UNIT)
    width = WIDTH * k if given.width is None else given.width * own
    return width, HEIGHT * k if given.height is None else given.height * own


def fitting(k: float, plot: tuple[float, float], size: tuple[float, float]) -> float:
    """The size of a pixel of a plot that has a size in pixels, fitted into a picture."""
    return k * min(1.0, MOST_WIDE * size[0] / plot[0], MOST_HIGH * size[1] / plot[1])


def group_size(plots: Sequence[Annotation], unit: float) -> tuple[float, float]:
    """Width and height of plots that share one place, in pixels, before they are fitted."""
    sizes = [plot_size(each, unit) for each in plots]
    return sizes[0][0], sum(high for _, high in sizes)


def insets_of(scene: Scene, size: Size, unit: float, multiple: int = 1) -> Insets:
    """The part of a picture that strips take: whole pixels, multiples of ``multiple``."""
    taken = dict.fromkeys(("left", "above", "right", "below"), 0.0)
    for group in groups(scene.annotations):
        plots = [scene.annotations[row] for row in group]
        side = plots[0].strip
        if side is None:
            continue
        wide, high = group_size(plots, unit)
        across = side in ("left", "right")
        taken[side] = max(taken[side], (wide if across else high) + 2.0 * GAP * unit)
    kept: list[int] = []
    for side, other in (
        ("left", "right"),
        ("above", "below"),
        ("right", "left"),
        ("below", "above"),
    ):
        whole = size[0] if side in ("left", "right") else size[1]
        both = taken[side] + taken[other]
        share = min(1.0, MOST_STRIP * whole / both) if both else 1.0
        kept.append(multiple * int(taken[side] * share / multiple))
    return Insets(*kept)


def strip_boxes(
    scene: Scene, size: tuple[float, float], unit: float, insets: Insets
) -> list[tuple[tuple[int, ...], Box]]:
    """The plots of strips, those that share a place together, and their boxes in the picture."""
    width, height = size
    gap = GAP * unit
    parts: dict[str, Box] = {
        "above": (0.0, 0.0, width, float(insets.top)),
        "below": (0.0, height - insets.bottom, width, height),
        "left": (0.0, float(insets.top), float(insets.left), height - insets.bottom),
        "right": (width - insets.right, float(insets.top), width, height - insets.bottom),
    }
    found: list[tuple[tuple[int, ...], Box]] = []
    for side, part in parts.items():
        members = [g for g in groups(scene.annotations) if scene.annotations[g[0]].strip == side]
        across = 0 if side in ("above", "below") else 1  # groups are beside or below each other
        weights = [
            group_size([scene.annotations[row] for row in group], 1.0)[across] for group in members
        ]
        start, end = part[across] + gap, part[across + 2] - gap
        room = end - start - gap * (len(members) - 1)
        for group, weight in zip(members, weights, strict=True):
            box = [part[0] + gap, part[1] + gap, part[2] - gap, part[3] - gap]
            box[across], box[across + 2] = start, start + room * weight / total(weights)
            found.append((group, (box[0], box[1], box[2], box[3])))
            start = box[across + 2] + gap
    return found
