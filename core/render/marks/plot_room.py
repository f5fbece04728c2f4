# SPDX-License-Identifier: MIT
"""The part of a fitted picture that is left to its plots, so that they hide no bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...scene.model import Scene
from ...view.boxes import Box
from ...view.camera import View, fit_view
from ...view.strips import Insets, fitting, group_size, groups, plot_scale
from ...view.survey import Survey
from . import energy
from .annotation_mark import EDGE
from .axes import CORNERS, in_corner, least_hiding

LITTLE = 0.02
"""A plot may hide bodies in so much of its area, on average over the run."""
LEAST_SCALE = 0.6
"""The picture becomes at most so many times smaller to leave room."""


@dataclass(frozen=True, slots=True)
class _Panel:
    corner: str  # empty where it is to be chosen
    width: float
    height: float


def plot_room(
    scene: Scene,
    size: tuple[int, int],
    unit: float,
    overlays: Sequence[str],
    survey: Survey,
    box: Box,
) -> Insets:
    """The side of a picture that is left to its plots; none where they hide little anyway.

    ``box`` is what the picture shows.
    """
    panels = _panels(scene, size, unit, overlays)
    if not panels:
        return Insets()
    plain = fit_view(scene, box, size)
    if _hidden(panels, size, unit, survey, plain) <= LITTLE:
        return Insets()
    edge = 2.0 * EDGE * unit
    wide = round(max(panel.width for panel in panels) + edge)
    high = round(max(panel.height for panel in panels) + edge)
    found: list[tuple[float, Insets]] = []
    for room in (Insets(right=wide), Insets(left=wide), Insets(top=high), Insets(bottom=high)):
        view = fit_view(scene, box, size, room)
        large = view.scale >= LEAST_SCALE * plain.scale
        if large and _hidden(panels, size, unit, survey, view) <= LITTLE:
            found.append((view.scale, room))
    return max(found, key=lambda each: each[0])[1] if found else Insets()


def _panels(
    scene: Scene, size: tuple[int, int], unit: float, overlays: Sequence[str]
) -> list[_Panel]:
    """The plots in corners, in the order of their places, and the graph of energies."""
    found = []
    if "energy" in overlays:
        graph = scene.render.energy
        k, chosen = unit * graph.scale, "" if graph.corner == "auto" else graph.corner
        found.append(_Panel(chosen, energy.WIDTH * k, energy.HEIGHT * k))
    for rows in groups(scene.annotations):
        plots = [scene.annotations[row] for row in rows]
        first = plots[0]
        if first.strip is None:
            wide, high = group_size(plots, unit)
            plain = plot_scale(first, unit)
            share = fitting(plain, (wide, high), size) / plain
            corner = "" if first.corner in (None, "auto") else str(first.corner)
            found.append(_Panel(corner, share * wide, share * high))
    return found


def _hidden(
    panels: Sequence[_Panel], size: tuple[int, int], unit: float, survey: Survey, view: View
) -> float:
    """The largest share of a plot in which it hides bodies, each in its best corner."""
    taken: list[Box] = []
    most = 0.0
    for panel in panels:
        corners = (panel.corner,) if panel.corner else CORNERS
        sides = (panel.width, panel.height)
        boxes = [in_corner(each, size, *sides, EDGE * unit, taken) for each in corners]
        taken.append(least_hiding(boxes, survey, view))
        most = max(most, survey.covered(view, taken[-1]))
    return most
