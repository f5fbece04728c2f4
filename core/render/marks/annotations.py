# SPDX-License-Identifier: MIT
"""Annotations: texts with values, vectors, dimensions and plots over the bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isfinite, sqrt

import numpy as np

from ...record.frame import Frame
from ...scene.model import Annotation, Scene
from ...scene.values.expression import ExpressionError, StateExpression, compile_state
from ...scene.values.text_template import TextTemplate, written
from ..canvas.colors import Color, fade, parse_color
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme
from ..view.boxes import BodyBoxes, Box, box_of, is_somewhere
from ..view.camera import View, world_points
from .axes import in_corner
from .plots import Plot
from .scales import mean_weight

EDGE = 9.0
"""How far what is in a corner is from the picture's edges, at picture size ``unit`` 1."""
LINE = 1.3
"""Height of a line of text, in letters."""
ABOVE = 7.0
"""How far above its body a text is that goes along with it."""
VELOCITY_SECONDS = 0.2
"""A velocity that does not say its scale reaches where its body would be after so long."""

Pixel = tuple[float, float]


def has_memory(scene: Scene) -> bool:
    """Whether annotations depend on the frames before."""
    return any(annotation.kind == "plot" for annotation in scene.annotations)


def wants_contacts(scene: Scene) -> bool:
    """Whether annotations need the contacts of a frame."""
    vectors = (each.vector for each in scene.annotations)
    return any(each.endswith(".force") and each[:-6] in scene.bodies for each in vectors)


@dataclass(frozen=True, slots=True)
class Note:
    """The content of an annotation at one moment, for other renderers.

    ``places`` are points of the world: where a text is, a vector's ends, a dimension's two ends and
    then those of its line. A text in a corner and a plot have none. ``row`` says which of the
    scene's it is.
    """

    row: int
    text: str
    places: tuple[Pixel, ...]


class Annotations:
    """The annotations of one rendering, drawn frame by frame in the order of time."""

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        size: tuple[int, int],
        unit: float,
        lettering: Lettering,
    ) -> None:
        self._scene, self._theme, self._size, self._unit = scene, theme, size, unit
        self._lettering = lettering
        self._rows = {name: row for row, name in enumerate(scene.bodies)}
        self._joints = {name: row for row, name in enumerate(scene.joints)}
        self._boxes = BodyBoxes(scene)
        time = scene.units.time_per_second
        self._given = [_Given(each, scene, theme, unit, time) for each in scene.annotations]
        self._of_velocity = VELOCITY_SECONDS * time
        self._of_force = scene.world.length_unit / mean_weight(scene)

    def __len__(self) -> int:
        return len(self._given)

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> None:
        """Take note of this frame, and draw what is shown in it, not over what is ``taken``."""
        corners = list(taken)
        for given in self._given:
            what = given.what
            if given.plot is not None:
                given.plot.note(frame.time, given.values(frame))
            if not given.is_shown(frame):
                continue
            if what.kind == "vector":
                self._add_vector(items, given, frame, view)
            elif what.kind == "dimension":
                self._add_dimension(items, given, frame, view)
            elif given.plot is not None:
                corners.append(self._add_plot(items, given.plot, what, corners))
            elif what.corner is not None:
                corners.append(self._add_in_corner(items, given, frame, corners))
            else:
                self._add_text(items, given, frame, view)

    def plotted(self, frame: Frame) -> list[float]:
        """The lines of all plots in a frame, one plot after the other."""
        return [
            value
            for given in self._given
            if given.plot is not None
            for value in given.values(frame)
        ]

    def notes(self, frame: Frame) -> list[Note]:
        """The annotations shown in a frame."""
        found = []
        for row, given in enumerate(self._given):
            if not given.is_shown(frame):
                continue
            places = self._places(given, frame)
            if places is not None and all(isfinite(x) and isfinite(y) for x, y in places):
                found.append(Note(row, self._told(given, frame, places), places))
        return found

    def _places(self, given: _Given, frame: Frame) -> tuple[Pixel, ...] | None:
        what = given.what
        if what.kind == "vector":
            found = self._vector(given, frame)
            if found is None:
                return None
            (x, y), (vx, vy), usual = found
            scale = usual if what.scale is None else what.scale
            return ((x, y), (x + vx * scale, y + vy * scale))
        if what.kind == "dimension":
            return self._measured(given, frame)
        if what.corner is not None or given.plot is not None:
            return ()
        place = what.at if what.at is not None else self._top(what.follow or "", frame)
        return None if place is None else (place,)

    def _told(self, given: _Given, frame: Frame, places: Sequence[Pixel]) -> str:
        text = given.text(frame)
        if given.what.kind != "dimension" or text:
            return text
        (ax, ay), (bx, by) = places[:2]
        length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        return f"{length:.2f} {self._scene.units.length}"

    # ------------------------------------------------------------ texts

    def _add_in_corner(
        self, items: Items, given: _Given, frame: Frame, taken: Sequence[Box]
    ) -> Box:
        corner = given.what.corner or ""
        lines, letters = given.text(frame).split("\n"), given.what.size * self._unit
        wide = max(self._lettering.width(line, letters) for line in lines)
        high = LINE * letters * len(lines)
        box = in_corner(corner, self._size, wide, high, EDGE * self._unit, taken)
        align = 0.0 if corner.endswith("left") else 1.0 if corner.endswith("right") else 0.5
        x = box[0] + align * wide
        for i, line in enumerate(lines):
            at = (x, box[1] + i * LINE * letters)
            self._lettering.add(items, line, at, given.color, letters, align=align)
        return box

    def _add_text(self, items: Items, given: _Given, frame: Frame, view: View) -> None:
        what, lines = given.what, given.text(frame).split("\n")
        letters = what.size * self._unit
        if what.at is not None:
            x, y = view.pixel(*what.at)
            top = y - 0.5 * LINE * letters * len(lines)
        else:
            place = self._top(what.follow or "", frame)
            if place is None:
                return
            x, y = view.pixel(*place)
            top = y - ABOVE * self._unit - LINE * letters * len(lines)
        for i, line in enumerate(lines):
            self._write(items, line, (x, top + i * LINE * letters), given.color, letters)

    def _top(self, name: str, frame: Frame) -> Pixel | None:
        """The upper end of a body, or a point of it."""
        body, _, point = name.partition(".points.")
        if point:
            return self._place(name, frame)
        box = box_of(self._boxes.of(frame)[self._rows[body]])
        if not is_somewhere(box):
            return self._place(name, frame)
        return 0.5 * (box[0] + box[2]), box[1] if self._scene.units.y_down else box[3]

    def _write(self, items: Items, line: str, at: Pixel, color: Color, letters: float) -> None:
        """A line about the middle above, on a pale ground, to be read on any colour."""
        if not line or not (isfinite(at[0]) and isfinite(at[1])):
            return
        half, y = 0.5 * self._lettering.width(line, letters), at[1] + 0.62 * letters
        ground = [(at[0] - half, y), (at[0] + half, y)]
        items.add("path", ground, fade(self._theme.paper, 0.72), radius=0.62 * letters)
        self._lettering.add(items, line, at, color, letters, align=0.5)

    # ------------------------------------------------------------ vectors

    def _add_vector(self, items: Items, given: _Given, frame: Frame, view: View) -> None:
        what = given.what
        found = self._vector(given, frame)
        if found is None:
            return
        (x, y), (vx, vy), usual = found
        scale = usual if what.scale is None else what.scale
        start = view.pixel(x, y)
        tip = (start[0] + vx * scale * view.scale_x, start[1] + vy * scale * view.scale_y)
        dx, dy = tip[0] - start[0], tip[1] - start[1]
        length = sqrt(dx * dx + dy * dy)
        if not isfinite(length) or length < 2.0:
            return
        k = self._unit
        items.add("arrow", [start, tip], given.color, radius=1.2 * k, a=9.0 * k, b=4.2 * k)
        letters = what.size * k
        aside = 0.6 * letters + 0.5 * self._lettering.width(given.text(frame), letters)
        beyond = (tip[0] + dx / length * aside, tip[1] + dy / length * letters)
        at = (beyond[0], beyond[1] - 0.62 * letters)
        self._write(items, given.text(frame), at, given.color, letters)

    def _vector(
        self, given: _Given, frame: Frame
    ) -> tuple[Pixel, tuple[float, float], float] | None:
        """Where a vector begins, what it is, and its usual scale; None if it is nowhere."""
        what = given.what
        if not what.vector:
            place = what.at or self._place(what.follow or "", frame)
            x, y = given.values(frame)
            return None if place is None else (place, (x, y), 1.0)
        owner, _, quantity = what.vector.rpartition(".")
        if quantity == "velocity":
            place = self._place(owner, frame, center=True)
            return (
                None if place is None else (place, self._velocity(owner, frame), self._of_velocity)
            )
        if owner in self._joints:
            row = self._joints[owner]
            joint = self._scene.joints[owner]
            place = self._on(joint.body_b, joint.anchor_b, frame)
            fx, fy = (float(part) for part in frame.joint_force[row, :2])
            return None if place is None else (place, (fx, fy), self._of_force)
        place = self._place(owner, frame, center=True)
        return None if place is None else (place, self._pressed(owner, frame), self._of_force)

    def _velocity(self, name: str, frame: Frame) -> tuple[float, float]:
        body, _, point = name.partition(".points.")
        row = self._rows[body]
        vx, vy, omega = (float(part) for part in frame.velocity[row])
        if point:
            center = self._place(body, frame, center=True)
            place = self._place(name, frame)
            if center is not None and place is not None:
                vx -= omega * (place[1] - center[1])
                vy += omega * (place[0] - center[0])
        return vx, vy

    def _pressed(self, name: str, frame: Frame) -> tuple[float, float]:
        """The sum of the normal forces on a body."""
        contacts, row = frame.contacts, self._rows[name]
        if contacts is None:
            return 0.0, 0.0
        sign = (contacts.bodies[:, 1] == row).astype(float) - (contacts.bodies[:, 0] == row)
        forces = (sign * contacts.normal_force)[:, None] * contacts.normal
        return fsum(forces[:, 0].tolist()), fsum(forces[:, 1].tolist())

    # ------------------------------------------------------------ dimensions

    def _add_dimension(self, items: Items, given: _Given, frame: Frame, view: View) -> None:
        """A line with arrows between two ends, and thin lines from the ends to it."""
        what, k = given.what, self._unit
        found = self._measured(given, frame)
        if found is None:
            return
        start, end, a, b = (view.pixel(*place) for place in found)
        if what.offset:
            thin = fade(given.color, 0.5)
            items.add("path", [start, a], thin, radius=0.4 * k)
            items.add("path", [end, b], thin, radius=0.4 * k)
        middle = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))
        for end in (a, b):
            items.add("arrow", [middle, end], given.color, radius=0.5 * k, a=6.0 * k, b=2.4 * k)
        letters = what.size * k
        text = self._told(given, frame, found)
        self._write(items, text, (middle[0], middle[1] - 0.62 * letters), given.color, letters)

    def _measured(self, given: _Given, frame: Frame) -> tuple[Pixel, ...] | None:
        """The two ends of a dimension, and the two of its line; None where it has no length."""
        what = given.what
        ends = [self._place(e, frame) if isinstance(e, str) else e for e in what.ends]
        if ends[0] is None or ends[1] is None:
            return None
        (ax, ay), (bx, by) = ends[0], ends[1]
        length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        if not isfinite(length) or length == 0.0:
            return None
        nx, ny = -(by - ay) / length * what.offset, (bx - ax) / length * what.offset
        return (ax, ay), (bx, by), (ax + nx, ay + ny), (bx + nx, by + ny)

    def _add_plot(self, items: Items, plot: Plot, what: Annotation, taken: Sequence[Box]) -> Box:
        corner = what.corner or "top_right"
        box = in_corner(corner, self._size, *plot.size, EDGE * self._unit, taken)
        plot.add(items, self._lettering, box)
        return box

    # ------------------------------------------------------------ places

    def _pixel(self, name: str, frame: Frame, view: View) -> Pixel | None:
        place = self._place(name, frame)
        return None if place is None else view.pixel(*place)

    def _place(self, name: str, frame: Frame, *, center: bool = False) -> Pixel | None:
        """The place of a body's origin, centre of mass or other point; None if it was removed."""
        body, _, point = name.partition(".points.")
        local = (0.0, 0.0)
        if point:
            local = self._scene.bodies[body].points[point]
        elif center:
            x, y = frame.center[self._rows[body]]
            local = (float(x), float(y))
        return self._on(body, local, frame)

    def _on(self, body: str, local: Pixel, frame: Frame) -> Pixel | None:
        if body == "world":
            return local
        row = self._rows[body]
        if not frame.alive[row]:
            return None
        x, y = world_points(frame, np.array([row]), np.array([local]))[0]
        return (float(x), float(y)) if isfinite(x) and isfinite(y) else None


class _Given:
    """An annotation with its expressions compiled and its colour chosen."""

    def __init__(
        self, what: Annotation, scene: Scene, theme: Theme, unit: float, time: float
    ) -> None:
        self.what = what
        self._values = [compile_state(source, scene) for source in what.expressions]
        condition = what.condition
        self._condition = compile_state(condition, scene) if condition else None
        pieces = TextTemplate(what.text).pieces
        self._pieces = [
            piece
            if isinstance(piece, str)
            else (compile_state(piece.expression.source, scene), piece.spec)
            for piece in pieces
        ]
        usual = theme.ink
        if what.kind == "vector":
            usual = theme.push if what.vector.endswith(".force") else theme.velocity
        self.color = usual if what.color is None else parse_color(what.color)
        self.plot = Plot(what, theme, unit, time) if what.kind == "plot" else None

    def is_shown(self, frame: Frame) -> bool:
        """Whether it is there in a frame: by its time, and by what has to hold."""
        return self.what.start <= frame.time < self.what.until and self.holds(frame)

    def holds(self, frame: Frame) -> bool:
        """Whether its condition is true in a frame; where that has no value, it is not."""
        return self._condition is None or _value(self._condition, frame) > 0.0

    def values(self, frame: Frame) -> list[float]:
        return [_value(each, frame) for each in self._values]

    def text(self, frame: Frame) -> str:
        parts = [
            piece if isinstance(piece, str) else written(_value(piece[0], frame), piece[1])
            for piece in self._pieces
        ]
        return "".join(parts)


def _value(expression: StateExpression, frame: Frame) -> float:
    """The value in a frame; not a number where there is none."""
    try:
        value = expression.evaluate(frame.values)
    except (ExpressionError, ArithmeticError):
        return float("nan")
    return value if isinstance(value, bool) else float(value)
