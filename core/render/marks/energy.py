# SPDX-License-Identifier: MIT
"""The energy graph: kinetic, potential and total energy against time, in a corner of the picture.

The three lines differ in more than their colour, so that they can be distinguished by everyone and
where they overlap: the total is wide, pale and at the bottom, the kinetic energy is a solid
line, the potential energy a dashed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isfinite

from ...record.frame import Frame
from ...scene.model import Body, Scene
from ...scene.readings import ENERGIES
from ...view.boxes import Box
from ...view.camera import View
from ...view.survey import Survey
from ..canvas.colors import Color, fade
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme
from .axes import CORNERS, axis_marks, between, in_corner, least_hiding
from .grid import grid_step, tick_label, ticks
from .plots import Sample, peaks
from .scales import mass_of

WIDTH, HEIGHT = 230.0, 108.0
"""Size of the panel at picture size ``unit`` 1, in pixels."""
EDGE = 9.0
"""Distance from the picture's edges."""
PREFIXES = (
    (1e12, "TJ"),
    (1e9, "GJ"),
    (1e6, "MJ"),
    (1e3, "kJ"),
    (1.0, "J"),
    (1e-3, "mJ"),
    (1e-6, "µJ"),
    (1e-9, "nJ"),
)
HEADROOM = 0.06
"""Empty part of the axis above and below the lines."""

Energies = tuple[float, float]
"""Kinetic and potential energy."""


@dataclass(frozen=True, slots=True)
class Line:
    """The look of the curve of one energy."""

    name: str
    color: Color
    radius: float
    dash: float = 0.0


class EnergyCurves:
    """Stores the least and the greatest energies of every pixel of its width, over the whole
    duration: of frames, and of the steps between them.

    Args:
        survey: the survey of the run; without one the axis grows with the values.
        taken: occupied parts of the picture, in pixels.
    """

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        size: tuple[int, int],
        unit: float,
        first: Frame,
        view: View,
        survey: Survey | None,
        taken: list[Box],
    ) -> None:
        self._scene, self._theme, self._given = scene, theme, scene.render.energy
        k = unit * self._given.scale
        self._unit = k = min(k, 0.62 * size[0] / WIDTH, 0.6 * size[1] / HEIGHT)
        self.box = _place(
            self._given.corner, size, k, unit, taken, view, survey or Survey(scene, [first])
        )
        x0, y0, x1, y1 = self.box
        self._plot: Box = (x0 + 36.0 * k, y0 + 32.0 * k, x1 - 10.0 * k, y1 - 15.0 * k)
        self.follow(scene)
        self._joule = _joule(scene)
        self._start = first.energy[1]
        self._lowest = self._start
        self._least = self._most = 0.0
        self._last: Sample | None = None
        self._samples: list[tuple[int, Sample]] = []  # by columns of pixels
        self._duration = max(scene.world.dt * scene.world.steps, 1e-300)
        if survey is not None and survey.end > 0.0:
            self._duration = survey.end
            self._lowest = min([potential for _, potential in survey.energies], default=self._start)
            for energies in survey.energies:
                self._widen(self._in_joule(energies, first))
        self._lines = (
            Line("total", fade(theme.ink, 0.3), 2.1 * k),
            Line("kinetic", theme.push, 0.85 * k),
            Line("potential", theme.pull, 0.85 * k, 4.0 * k),
        )

    def follow(self, scene: Scene) -> None:
        """Take in other bodies."""
        self._weights = [_weight_per_height(scene, body) for body in scene.bodies.values()]

    # ------------------------------------------------------------ numbers

    def _in_joule(self, energies: Sequence[float], frame: Frame) -> Energies:
        """In joule, but a potential that counts from the lowest still counts from the origin."""
        kinetic, potential = energies
        zero = self._given.zero
        if zero == "start":
            potential -= self._start
        elif zero != "lowest" and zero != 0.0:
            potential -= zero * fsum(
                weight for weight, alive in zip(self._weights, frame.alive, strict=True) if alive
            )
        return kinetic * self._joule, potential * self._joule

    def _shift(self) -> float:
        return self._lowest * self._joule if self._given.zero == "lowest" else 0.0

    def _widen(self, energies: Sequence[float]) -> None:
        kinetic, potential = energies[0], energies[1] - self._shift()
        self._least = min(self._least, kinetic, potential, kinetic + potential)
        self._most = max(self._most, kinetic, potential, kinetic + potential)

    def _axis(self) -> tuple[float, float]:
        """The least and the greatest energy of the axis."""
        if self._given.range is not None:
            return self._given.range
        span = self._most - self._least
        if not span > 0.0:
            return (-0.1, 1.0)
        spare = HEADROOM * span
        return (self._least - (spare if self._least < 0.0 else 0.0), self._most + spare)

    def _note(self, frame: Frame) -> Energies | None:
        if not (isfinite(frame.energy[0]) and isfinite(frame.energy[1])):
            return None
        passed = [] if frame.passed is None else frame.passed.of(ENERGIES).tolist()
        passed = [each for each in passed if isfinite(each[1]) and isfinite(each[2])]
        if self._given.zero == "lowest":
            self._lowest = min([self._lowest, frame.energy[1], *(each[2] for each in passed)])
        now = self._sample(frame.time, frame.energy, frame)
        between = [self._sample(time, energies, frame) for time, *energies in passed]
        for sample in (*peaks(self._last, between, now), now):
            self._keep(sample)
            self._widen(sample[2:])
        self._last = now
        return now[2], now[3] - self._shift()

    def _sample(self, time: float, energies: Sequence[float], frame: Frame) -> Sample:
        """A time, and the energies in the order of the lines."""
        kinetic, potential = self._in_joule(energies, frame)
        return (time, kinetic + potential, kinetic, potential)

    def _keep(self, sample: Sample) -> None:
        """Keep of those in a column of pixels the last, and the lowest and highest of each line."""
        width = self._plot[2] - self._plot[0]
        column = int(min(max(sample[0] / self._duration, 0.0), 1.0) * width)
        first = len(self._samples)
        while first and self._samples[first - 1][0] == column:
            first -= 1
        group = [each for _, each in self._samples[first:]]
        kept: set[int] = set()
        for line in (1, 2, 3) if group else ():
            places = range(len(group))
            kept |= {min(places, key=lambda k: group[k][line])}
            kept |= {max(places, key=lambda k: group[k][line])}
        left = [group[k] for k in sorted(kept)]
        self._samples[first:] = [(column, each) for each in (*left, sample)]

    # ------------------------------------------------------------ drawing

    def add(self, items: Items, lettering: Lettering, frame: Frame) -> None:
        """Record this frame and draw."""
        now = self._note(frame)
        self._add_panel(items)
        least, most = self._axis()
        size, name = _prefix(max(abs(least), abs(most)))
        self._add_energies(items, lettering, least / size, most / size, name)
        self._add_times(items, lettering)
        for index, line in enumerate(self._lines):
            self._add_line(items, index, line)
            value = None if now is None else _three(now)[index] / size
            text = "" if value is None else f"{_decimal(value, most / size, least / size)} {name}"
            self._add_legend(items, lettering, index, line, text)

    def _add_panel(self, items: Items) -> None:
        x0, y0, x1, y1 = self.box
        items.add(
            "polygon",
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)],
            fade(self._theme.paper, 0.86),
            radius=3.0 * self._unit,
            outline=0.8 * self._unit,
            stroke=self._theme.axis,
        )

    def _add_energies(
        self, items: Items, lettering: Lettering, least: float, most: float, name: str
    ) -> None:
        """The axis of the energies: lines at round numbers, the topmost with the unit."""
        x0, y0, x1, y1 = self._plot
        k, theme = self._unit, self._theme
        marks = axis_marks(least, most, y1 - y0, 17.0 * k)
        for value, label in marks:
            y = y1 - (y1 - y0) * (value - least) / (most - least)
            color = theme.quiet if value == 0.0 else theme.axis
            items.add("path", [(x0 - 3.0 * k, y), (x1, y)], color, radius=0.4 * k)
            text = label + (f" {name}" if value == marks[-1][0] else "")
            lettering.add(items, text, (x0 - 5.0 * k, y - 5.6 * k), theme.ink, 8.5 * k, align=1.0)
        items.add("path", [(x0, y0 - 2.0 * k), (x0, y1)], theme.quiet, radius=0.5 * k)

    def _add_times(self, items: Items, lettering: Lettering) -> None:
        x0, _, x1, y1 = self._plot
        k, theme = self._unit, self._theme
        seconds = self._duration / self._scene.units.time_per_second
        step = grid_step((x1 - x0) / seconds, 32.0 * k)
        marks = ticks(0.0, seconds, step)
        items.add("path", [(x0, y1), (x1, y1)], theme.quiet, radius=0.5 * k)
        for mark in marks:
            x = x0 + (x1 - x0) * mark * step / seconds
            items.add("path", [(x, y1), (x, y1 + 3.0 * k)], theme.quiet, radius=0.4 * k)
            text = tick_label(mark * step) + (" s" if mark == marks[-1] else "")
            lettering.add(items, text, (x, y1 + 3.5 * k), theme.ink, 8.5 * k, align=0.5)

    def _add_line(self, items: Items, index: int, line: Line) -> None:
        x0, y0, _, y1 = self._plot
        least, most = self._axis()
        shift = 0.0 if line.name == "kinetic" else self._shift()
        points = [
            (x0 + column, y1 - (y1 - y0) * (sample[1 + index] - shift - least) / (most - least))
            for column, sample in self._samples
        ]
        for piece in between(points, y0, y1):
            items.add("path", piece, line.color, radius=line.radius, a=line.dash, b=0.6 * line.dash)
        if points and y0 <= points[-1][1] <= y1:
            items.add("circle", points[-1:], line.color, radius=1.2 * self._unit + line.radius)

    def _add_legend(
        self, items: Items, lettering: Lettering, index: int, line: Line, value: str
    ) -> None:
        """A piece of the line, its name, and below it the energy of this moment."""
        k = self._unit
        place = (1, 2, 0).index(index)  # kinetic and potential, and then their sum
        x = self.box[0] + 8.0 * k + place * (WIDTH - 10.0) / 3.0 * k
        y = self.box[1] + 10.0 * k
        ends = [(x, y), (x + 15.0 * k, y)]
        items.add("path", ends, line.color, radius=line.radius, a=line.dash, b=0.6 * line.dash)
        ink = self._theme.ink
        lettering.add(items, line.name, (x + 19.0 * k, y - 6.0 * k), ink, 9.5 * k)
        lettering.add(items, value, (x + 19.0 * k, y + 5.5 * k), ink, 9.5 * k)


def _three(energies: Energies) -> tuple[float, float, float]:
    """Total, kinetic, potential: in the order in which they are drawn."""
    return (energies[0] + energies[1], energies[0], energies[1])


def _joule(scene: Scene) -> float:
    """The scene's unit of energy in joules."""
    metre = {"m": 1.0, "cm": 100.0, "px": scene.world.length_unit}[scene.units.length]
    unit = scene.units.time_per_second / metre
    return unit * unit


def _weight_per_height(scene: Scene, body: Body) -> float:
    """The growth of a body's potential energy per unit of y."""
    if body.kind != "dynamic":
        return 0.0
    return -mass_of(body) * body.gravity_scale * scene.world.gravity[1]


def _prefix(largest: float) -> tuple[float, str]:
    """The unit in which the largest number has one to three digits before its point."""
    return next((each for each in PREFIXES if largest >= each[0]), PREFIXES[-1])


def _decimal(value: float, most: float, least: float) -> str:
    """A number with so many decimals that the largest has about three digits."""
    largest = max(abs(most), abs(least))
    text = f"{value:.{0 if largest >= 100.0 else 1 if largest >= 10.0 else 2}f}"
    return text.lstrip("-") if float(text) == 0.0 else text


def _place(
    corner: str,
    size: tuple[int, int],
    k: float,
    unit: float,
    taken: list[Box],
    view: View,
    survey: Survey,
) -> Box:
    """Return the place of the panel: the given corner, or the one that covers least."""
    boxes = [in_corner(name, size, WIDTH * k, HEIGHT * k, EDGE * unit, taken) for name in CORNERS]
    if corner != "auto":
        return boxes[CORNERS.index(corner)]
    return least_hiding(boxes, survey, view)
