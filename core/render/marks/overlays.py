# SPDX-License-Identifier: MIT
"""Overlays: contacts, velocities, boxes, trails, names, grid, clock, energy.

Each overlay writes items in pixels for one frame. Grid and trails are below the bodies, the others
above them; ``BELOW`` and ``ABOVE`` list their functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from ...record.frame import Frame
from ...scene.model import Scene
from ...view.boxes import BodyBoxes, Box, box_of, is_somewhere
from ...view.camera import View, world_points
from ...view.strips import Insets
from ...view.survey import Survey
from ..canvas.colors import fade
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme
from .annotations import Annotations
from .bars import LEGEND_HEIGHT, LEGEND_WIDTH, add_bar_forces, add_force_legend, find_bars
from .energy import EnergyCurves
from .grid import add_grid
from .labels import Labels
from .mechanics import Mechanics
from .probes import add_probes
from .scales import mean_weight
from .thrust import Thrust
from .trails import Trails

Float64 = NDArray[np.float64]

VELOCITY_SECONDS = 0.2
"""A velocity's arrow reaches where its body would be after so long."""

OF_CONTACTS = ("contacts", "normals", "depths", "body_forces")
"""Overlays that need the contacts of a frame."""
OF_NAMES = {"names": "body", "joint_names": "joint"}
"""Overlays of names, and whose these are."""
OF_ALL = ("grid", "time", "energy")
"""Overlays that variants over each other have once; the others belong to bodies."""


class Overlays:
    """The overlays of one rendering; trails and energy store earlier values."""

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        names: Sequence[str],
        size: tuple[int, int],
        unit: float,
        lettering: Lettering,
        survey: Survey | None = None,
    ) -> None:
        self._scene, self._theme, self._size, self._unit = scene, theme, size, unit
        self._names = frozenset(names)
        self._lettering = lettering
        self._trails = Trails(scene, theme, "trails" in self._names)
        self._graph: EnergyCurves | None = None
        self._survey = survey
        self._weight = mean_weight(scene)
        kinds = [kind for name, kind in OF_NAMES.items() if name in self._names]
        self._labels = Labels(scene, theme, size, unit, lettering, kinds)
        self._noted: list[Box] = []  # what annotations take of the present picture
        self._annotations = Annotations(scene, theme, size, unit, lettering, survey)
        self._coloured = "forces" in self._names or scene.render.palette == "forces"
        self._line_up(scene)
        self.reserved: list[Box] = []
        """Areas of the picture in which something else is drawn later."""
        self._edge = 9.0 * unit
        clock = 22.0 * unit if "time" in self._names else 0.0
        self._legend = (self._edge, self._edge + clock)

    def _line_up(self, scene: Scene) -> None:
        self._scene = scene
        self._boxes = BodyBoxes(scene)
        self._thrust = Thrust(scene, self._theme, self._unit, self._weight)
        self._mechanics = Mechanics(scene, self._theme, self._unit, self._weight)
        self._bars = find_bars(scene) if self._coloured else []

    def follow(self, scene: Scene) -> None:
        """Take in other bodies."""
        self._line_up(scene)
        self._trails.follow(scene)
        self._labels.follow(scene)
        if self._graph is not None:
            self._graph.follow(scene)

    def items(
        self, frame: Frame, view: View
    ) -> tuple[tuple[Float64, Float64], tuple[Float64, Float64]]:
        """The display lists below and above the bodies."""
        below, above = Items(), Items()
        if "energy" in self._names and self._graph is None:
            self._graph = self._energy_graph(frame, view)
        for items, layers in ((below, BELOW), (above, ABOVE)):
            for layer in layers:
                if layer.overlays is None or not self._names.isdisjoint(layer.overlays):
                    layer.add(self, items, frame, view)
        return below.arrays(), above.arrays()

    def _energy_graph(self, first: Frame, view: View) -> EnergyCurves:
        return EnergyCurves(
            self._scene,
            self._theme,
            self._size,
            self._unit,
            first,
            view,
            self._survey,
            self.corners(first),
        )

    def corners(self, frame: Frame) -> list[Box]:
        """The places of clock, legend and energy graph, in pixels."""
        corners = list(self.reserved)
        if "time" in self._names:
            corners.append((0.0, 0.0, self._edge + 80.0 * self._unit, 2.5 * self._edge))
        if self._bars and frame.push_pull is not None:
            x, y = self._legend
            unit = self._unit
            corners.append((0.0, y, x + LEGEND_WIDTH * unit, y + LEGEND_HEIGHT * unit))
        if self._graph is not None:
            corners.append(self._graph.box)
        return corners

    def _add_grid(self, items: Items, frame: Frame, view: View) -> None:
        corners = self.corners(frame)
        add_grid(items, self._lettering, view, self._size, self._theme, self._unit, corners)

    def _add_trails(self, items: Items, frame: Frame, view: View) -> None:
        """Those of the overlay, and those of bodies that have one of their own."""
        self._trails.add(items, frame, view, self._unit)

    def _add_flames(self, items: Items, frame: Frame, view: View) -> None:
        self._thrust.add_flames(items, frame, view)

    def _add_bars(self, items: Items, frame: Frame, view: View) -> None:
        """Draw the forces of bars, and a legend of their colours; with ``palette: forces`` too."""
        if not self._bars:
            return
        add_bar_forces(items, self._bars, self._theme, frame, view, self._unit, self._weight)
        if frame.push_pull is not None:
            add_force_legend(
                items, self._lettering, self._legend, self._weight, self._theme, self._unit
            )

    def _add_forces(self, items: Items, frame: Frame, view: View) -> None:
        self._thrust.add_arrows(items, frame, view)
        self._thrust.add_turns(items, frame, view)

    def _add_names(self, items: Items, frame: Frame, view: View) -> None:
        """After all arrows and the annotations, which names make way for."""
        reserved = [*self.corners(frame), *self._noted]
        arrows = [*items.lines("arrow"), *self._annotations.rods(frame, view)]
        self._labels.add(items, frame, view, reserved, arrows)

    def _add_energy(self, items: Items, frame: Frame, view: View) -> None:
        if self._graph is not None:
            self._graph.add(items, self._lettering, frame)

    def _add_annotations(self, items: Items, frame: Frame, view: View) -> None:
        if self._annotations:
            self._noted = self._annotations.add(items, frame, view, self.corners(frame))

    def strips(
        self, frame: Frame, size: tuple[int, int], insets: Insets
    ) -> tuple[Float64, Float64]:
        """The display list of the strips beside a picture, whose size is with them."""
        items = Items()
        self._annotations.add_strips(items, frame, size, insets)
        return items.arrays()

    def _seen(self, frame: Frame) -> list[int]:
        """The bodies that move and are there to see."""
        return [
            row
            for row, body in enumerate(self._scene.bodies.values())
            if body.visible and body.kind != "static" and frame.alive[row]
        ]

    def _add_boxes(self, items: Items, frame: Frame, view: View) -> None:
        color = fade(self._theme.quiet, 0.7)
        for box in map(box_of, self._boxes.of(frame)):
            if is_somewhere(box):
                (x0, y0), (x1, y1) = view.pixel(box[0], box[1]), view.pixel(box[2], box[3])
                corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
                items.add("loop", corners, color, radius=0.5 * self._unit)

    def _add_velocities(self, items: Items, frame: Frame, view: View) -> None:
        seconds = VELOCITY_SECONDS * self._scene.units.time_per_second
        longest = 0.25 * max(self._size)
        centers = world_points(frame, np.arange(len(frame.pose)), frame.center)
        for row in self._seen(frame):
            vx = float(frame.velocity[row, 0]) * view.scale_x * seconds
            vy = float(frame.velocity[row, 1]) * view.scale_y * seconds
            x, y = view.pixel(float(centers[row, 0]), float(centers[row, 1]))
            self._add_arrow(items, (x, y), (vx, vy), longest, "velocity")

    def _add_arrow(
        self,
        items: Items,
        start: tuple[float, float],
        along: tuple[float, float],
        longest: float,
        color: str,
    ) -> None:
        length = sqrt(along[0] * along[0] + along[1] * along[1])
        if not isfinite(length) or length < 2.0:
            return
        share = min(1.0, longest / length)
        unit = self._unit
        tip = (start[0] + share * along[0], start[1] + share * along[1])
        items.add(
            "arrow",
            [start, tip],
            getattr(self._theme, color),
            radius=0.8 * unit,
            a=7.0 * unit,
            b=3.2 * unit,
        )

    def _add_contacts(self, items: Items, frame: Frame, view: View) -> None:
        """A dot at each touching point; its line is as long as the square root of the force."""
        contacts = frame.contacts
        if contacts is None:
            return
        unit, theme = self._unit, self._theme
        show_points, show_normals = "contacts" in self._names, "normals" in self._names
        for i in range(len(contacts.point)):
            x, y = view.pixel(float(contacts.point[i, 0]), float(contacts.point[i, 1]))
            nx = float(contacts.normal[i, 0])
            ny = float(contacts.normal[i, 1]) * (1.0 if view.scale_y > 0.0 else -1.0)
            if show_normals:
                long = 20.0 * unit
                self._add_arrow(items, (x, y), (nx * long, ny * long), long, "normal")
            if show_points:
                force = abs(float(contacts.normal_force[i]))
                long = min(14.0 * unit * sqrt(force / self._weight), 70.0 * unit)
                if isfinite(long) and long >= 1.0:
                    ends = [(x - nx * long, y - ny * long), (x + nx * long, y + ny * long)]
                    items.add("path", ends, theme.contact, radius=0.7 * unit)
                items.add(
                    "circle",
                    [(x, y)],
                    theme.contact,
                    radius=2.4 * unit,
                    outline=0.8 * unit,
                    stroke=theme.paper,
                )

    def _add_joints(self, items: Items, frame: Frame, view: View) -> None:
        """Lines from the centres of mass that move to the anchors, and the force at each joint."""
        rows = {name: row for row, name in enumerate(self._scene.bodies)}
        unit = self._unit
        for index, joint in enumerate(self._scene.joints.values()):
            if frame.joint_broken[index]:
                continue
            tips: list[tuple[float, float]] = []
            for name, anchor in ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b)):
                row = rows.get(name, -1)
                if row < 0:
                    tips.append(view.pixel(*frame.targets.get(index, anchor)))
                    continue
                local = np.array([frame.center[row], anchor])
                middle, tip = world_points(frame, np.array([row, row]), local)
                ends = [view.pixel(*map(float, middle)), view.pixel(*map(float, tip))]
                if self._scene.bodies[name].kind != "static":
                    items.add("path", ends, fade(self._theme.pull, 0.8), radius=0.6 * unit)
                tips.append(ends[1])
            for tip in tips:
                items.add("circle", [tip], self._theme.pull, radius=2.2 * unit)
            fx, fy, _ = (float(value) for value in frame.joint_force[index])
            force = sqrt(fx * fx + fy * fy)
            if isfinite(force) and force > 0.0:
                long = 14.0 * unit * sqrt(force / self._weight) / force
                sign = 1.0 if view.scale_y > 0.0 else -1.0
                self._add_arrow(items, tips[1], (fx * long, sign * fy * long), 70.0 * unit, "push")

    def _add_depths(self, items: Items, frame: Frame, view: View) -> None:
        self._mechanics.add_depths(items, frame, view)

    def _add_limits(self, items: Items, frame: Frame, view: View) -> None:
        self._mechanics.add_limits(items, frame, view)

    def _add_errors(self, items: Items, frame: Frame, view: View) -> None:
        self._mechanics.add_errors(items, frame, view)

    def _add_parts(self, items: Items, frame: Frame, view: View) -> None:
        self._mechanics.add_parts(items, frame, view)

    def _add_body_forces(self, items: Items, frame: Frame, view: View) -> None:
        self._mechanics.add_body_forces(items, frame, view)

    def _add_probes(self, items: Items, frame: Frame, view: View) -> None:
        seconds = VELOCITY_SECONDS * self._scene.units.time_per_second
        add_probes(items, self._theme, frame, view, self._unit, seconds)

    def _add_time(self, items: Items, frame: Frame, view: View) -> None:
        size, edge = 13.0 * self._unit, self._edge
        seconds = frame.time / self._scene.units.time_per_second
        self._lettering.add(items, f"{seconds:.2f} s", (edge, edge), self._theme.quiet, size)


@dataclass(frozen=True, slots=True)
class OverlayLayer:
    """The function of one overlay, or of two with common drawing.

    ``overlays`` are their names; None draws the scene's own marks in every picture.
    """

    add: Callable[[Overlays, Items, Frame, View], None]
    overlays: tuple[str, ...] | None = None


BELOW = (
    OverlayLayer(Overlays._add_grid, ("grid",)),
    OverlayLayer(Overlays._add_trails),
    OverlayLayer(Overlays._add_flames),
)
"""Layers below the bodies, in the order in which they are drawn."""
ABOVE = (
    OverlayLayer(Overlays._add_boxes, ("aabbs",)),
    OverlayLayer(Overlays._add_parts, ("parts",)),
    OverlayLayer(Overlays._add_limits, ("limits",)),
    OverlayLayer(Overlays._add_joints, ("joints",)),
    OverlayLayer(Overlays._add_errors, ("errors",)),
    OverlayLayer(Overlays._add_velocities, ("velocities",)),
    OverlayLayer(Overlays._add_contacts, ("contacts", "normals")),
    OverlayLayer(Overlays._add_depths, ("depths",)),
    OverlayLayer(Overlays._add_body_forces, ("body_forces",)),
    OverlayLayer(Overlays._add_probes, ("probes",)),
    OverlayLayer(Overlays._add_bars),
    OverlayLayer(Overlays._add_forces, ("forces",)),
    OverlayLayer(Overlays._add_energy, ("energy",)),
    OverlayLayer(Overlays._add_time, ("time",)),
    OverlayLayer(Overlays._add_annotations),
    OverlayLayer(Overlays._add_names, ("names", "joint_names")),
)
"""Layers above the bodies, in the order in which they are drawn."""
