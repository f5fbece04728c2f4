# SPDX-License-Identifier: MIT
"""The extents of bodies over a whole run, for ``fit``.

A survey reads the frames of a run before they are drawn. It stores the box around each body in
each frame, merged in pairs when there are many, so that nothing is lost and
memory does not grow with the run. Its results are

- the part of the world for ``fit``. Bodies that fall below everything that could stop them are no
  longer included, and bodies that fly away only as far as the others stay large enough;
- the range of the energies, and of the expressions in plots, for the axes of their graphs;
- the covered share of a part of the picture, for the placement of other items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, iterable, one_of, text
from ..record.frame import Frame, check_frame
from ..scene.model import Body, Point, Scene
from ..scene.readings import ENERGIES
from .boxes import NOWHERE, BodyBoxes, Box, box_of, extent, is_somewhere, merged, union
from .camera import MARGIN, View, fitting_scale
from .fit import fit_around, still_box
from .plot_values import NO_BOUNDS, Bounds, PlotBounds, widened
from .support import holds, supported

Float64 = NDArray[np.float64]
Bool = NDArray[np.bool_]

MOST_BOXES = 1 << 18
"""So many boxes are kept (8 MiB); what has more is kept in coarser pieces of time."""
WIDE = 3.0
"""A static body this many times as long as the motion is shown only where objects move,"""
BESIDE = 0.25
"""and so many times the motion's size beside it;"""
SLOPE = 0.2
WHOLE = 40.0
"""but one that is no floor and no wall, so that its shorter side is more than such a share of its
longer one, is shown whole if it is at most so many times as long as a body of middling size."""
SPREAD = 3.0
"""A body that needs so many times the picture that half of the others do is a stray."""
STRAY = 1.5
"""A few strays get so many times the picture that the others need."""
SMALLEST = 250.0
"""A picture shows at most so many times the size of a body of middling size, or it would be a dot,
unless it takes no more than ``SPREAD`` times what there is at the start."""

ARROW = 1.0 / 8.0
"""The length of the mean weight without a scale, as a share of the picture's smaller side."""
LONGEST = 0.4
"""The largest part of a view for an arrow without a scale, as a share of width and height,"""
LONGEST_GIVEN = 0.8
"""and for one with a given scale, as a share of the view without arrows."""
ROD, ROD_PIECES, MOST_RODS = 12.0, 16, 200
"""A rod counts as so wide, in pixels, in so many pieces; more rods than that do not count."""
ROUNDS = 3
"""The view and the arrows that depend on it are found by so many rounds."""


class Survey:
    """The extent of a run's frames. Add them in the order of time, then ask.

    Args:
        scene: the scene that runs.
        frames: the first frames, if they are at hand; ``add`` takes more.
    """

    @checked(scene=one_of(Scene), frames=iterable)
    def __init__(self, scene: Scene, frames: Iterable[Frame] = ()) -> None:
        self._scene = scene
        self._find = BodyBoxes(scene, hidden=True)
        self._static = _rows(scene, lambda body: body.kind == "static")
        self._visible = _rows(scene, lambda body: body.visible)
        self._rods = _rods(scene)
        self._names = {name: row for row, name in enumerate(scene.bodies)}
        self._pieces: list[Float64] = []  # [bodies, 4] each
        self._frames_each = 1
        self._frames_in_last = 0
        self._last: Frame | None = None
        self._energies: list[tuple[float, float]] = []
        self._there: Scene = scene
        self._births = self._marks = NOWHERE
        # Of arrows the starts, the ways, and whether these depend on the picture.
        self._arrows: list[tuple[float, float, float, float, bool]] = []
        self._plots = PlotBounds(scene)
        for frame in frames:
            self.add(frame)

    @checked(frame=one_of(Frame))
    def add(self, frame: Frame) -> None:
        """Take note of a frame."""
        check_frame(frame, self._scene)
        boxes = self._find.of(frame)
        self._note_births(frame)
        for name, shown in frame.visible.items():
            if shown and name in self._names:
                self._visible[self._names[name]] = True
        self._last = frame
        self._note_energy(frame)
        self._plots.add(frame)
        if self._pieces and self._frames_in_last < self._frames_each:
            self._pieces[-1] = _both(self._pieces[-1], boxes)
            self._frames_in_last += 1
        else:
            self._pieces.append(boxes)
            self._frames_in_last = 1
        if len(self._pieces) > 2 and len(self._pieces) * len(boxes) > MOST_BOXES:
            self._coarsen()

    def _note_births(self, frame: Frame) -> None:
        """Include an added body at its first place."""
        if frame.scene is None or frame.scene is self._there:
            return
        before, self._there = self._there.bodies, frame.scene
        new = [row for row, name in enumerate(frame.scene.bodies) if name not in before]
        if new:
            boxes = merged(BodyBoxes(frame.scene).of(frame)[new])
            self._births = union(self._births, boxes)

    def _note_energy(self, frame: Frame) -> None:
        """Store the least and greatest values of the energies, those between frames included."""
        passed = [] if frame.passed is None else frame.passed.of(ENERGIES)[:, 1:].tolist()
        found = np.array([*self._energies, *passed, frame.energy], np.float64)
        rows = found[np.isfinite(found.sum(axis=1))]
        if len(rows):
            keys = (rows[:, 0], rows[:, 1], rows.sum(axis=1))
            kept = {int(pick(key)) for key in keys for pick in (np.argmin, np.argmax)}
            self._energies = [(float(rows[i, 0]), float(rows[i, 1])) for i in sorted(kept)]

    def _coarsen(self) -> None:
        """Merge pieces two by two. The first is not merged: it is the start."""
        rest = self._pieces[1:]
        pairs = [_both(a, b) for a, b in zip(rest[::2], rest[1::2], strict=False)]
        if len(rest) % 2:
            pairs.append(rest[-1])
        else:
            self._frames_in_last += self._frames_each
        self._pieces = [self._pieces[0], *pairs]
        self._frames_each *= 2

    @property
    def energies(self) -> tuple[tuple[float, float], ...]:
        """(kinetic, potential) at the moments when one of them or their sum was an extreme."""
        return tuple(self._energies)

    @checked(source=text)
    def plotted(self, source: str) -> Bounds:
        """The least and the greatest value of an expression in plots."""
        return self._plots.found.get(source, NO_BOUNDS)

    @checked(source=text)
    def typical(self, source: str) -> Bounds:
        """The same without short peaks, where these take more than half of the range."""
        return self._plots.typical(source)

    @property
    def end(self) -> float:
        """The time of the last frame."""
        return 0.0 if self._last is None else self._last.time

    # ------------------------------------------------------------ what fit shows

    @checked()
    def box(self) -> Box:
        """The view of ``fit``: all moving bodies, and fixed ones beside them, without margin."""
        if not self._pieces:
            return fit_around(self._scene, NOWHERE, (), WIDE, BESIDE)
        tracks = np.stack(self._pieces)
        fixed = [box_of(row) for row in tracks[0][self._static & self._visible]]
        fixed = [box for box in fixed if is_somewhere(box)]
        movers = tracks[:, self._counted_rows()]
        movers = np.where(self._lost(tracks)[..., None], np.array(NOWHERE), movers)
        is_still = not movers.shape[1] and not is_somewhere(self._births)
        if is_still:
            start = still_box(self._scene, fixed, [box_of(row) for row in tracks[0]])
        else:
            start = fit_around(self._scene, merged(movers[0]), fixed, WIDE, BESIDE)
        sizes = (movers[0, :, 2:] - movers[0, :, :2]).max(axis=1, initial=0.0)
        sizes = sizes[sizes > 0.0]
        middling = _median(sizes) if len(sizes) else 0.0
        largest = max(SPREAD * extent(start), SMALLEST * middling)
        whole = [box for box in fixed if _is_slope(box) and extent(box) <= WHOLE * middling]
        moving = start if is_still else _within(movers, merged(movers[0]), start, largest)
        for more in (self._births, self._marks):
            if is_somewhere(more):
                moving = _grown(moving, np.array([more]), start, largest)
        moving = union(moving, merged(np.array(whole))) if whole else moving
        plain = box = fit_around(self._scene, moving, fixed, WIDE, BESIDE)
        for _ in range(ROUNDS if self._arrows else 0):
            tips = _grown(moving, self._tips(plain, box), start, largest)
            box = fit_around(self._scene, tips, fixed, WIDE, BESIDE)
        return box

    def _tips(self, plain: Box, box: Box) -> Float64:
        """[n, 4] the tips of arrows where the picture shows a box, and a plain one without them."""
        arrows = np.array(self._arrows)
        loose = arrows[:, 4] > 0.0
        before, view = self._view_size(plain), self._view_size(box)
        unit = ARROW * view.min() / self._scene.world.length_unit
        ways = arrows[:, 2:4] * np.where(loose, unit, 1.0)[:, None]
        most = np.where(loose[:, None], LONGEST * view, LONGEST_GIVEN * before)
        ways /= np.maximum(np.abs(ways) / most, 1.0).max(axis=1, keepdims=True)
        tips = arrows[:, :2] + ways
        return np.concatenate([tips, tips], axis=1)

    def _view_size(self, box: Box) -> Float64:
        """Width and height of a view that shows a box."""
        size = np.array(self._scene.render.size, np.float64)
        scale = (1.0 - 2.0 * MARGIN) * fitting_scale(box, (float(size[0]), float(size[1])))
        return size / scale

    def _counted_rows(self) -> NDArray[np.intp]:
        return np.flatnonzero(~self._static & self._visible)

    def _lost(self, tracks: Float64) -> Bool:
        """[pieces, counted rows] whether a body is below everything that could still stop it."""
        rows = self._counted_rows()
        assert self._last is not None
        gravity = np.array(self._scene.world.gravity)
        safe = supported(self._scene, self._last)
        pools = self._scene.world.pools
        if not gravity.any() or not (safe.any() or pools):
            return np.zeros((len(tracks), len(rows)), np.bool_)
        lowest = -np.inf
        if safe.any():
            lowest = _deepest(merged(tracks[:, safe].reshape(-1, 4)), gravity)
        held = [point for joint in self._scene.joints.values() for point in holds(joint)]
        for x, y in (*held, *(corner for pool in pools for corner in pool.region)):
            lowest = max(lowest, float(gravity[0]) * x + float(gravity[1]) * y)
        low = np.where(gravity > 0.0, tracks[:, rows, :2], tracks[:, rows, 2:])
        with np.errstate(invalid="ignore"):
            top = np.where(gravity == 0.0, 0.0, low * gravity).sum(axis=-1)
        lost: Bool = (top > lowest) & ~safe[rows]
        return lost

    # ------------------------------------------------------------ free places

    def covered(self, view: View, part: Box) -> float:
        """Return the covered share of a part of the picture, in pixels: 0 to 1 on average.

        Moving bodies, rods, ropes and springs count for each frame, fixed bodies only half, since
        they may be covered.
        """
        area = (part[2] - part[0]) * (part[3] - part[1])
        total = 0.0
        for boxes in self._pieces:
            xs = boxes[:, [0, 2]] * view.scale_x + view.shift_x
            ys = boxes[:, [1, 3]] * view.scale_y + view.shift_y
            with np.errstate(invalid="ignore"):
                wide = np.minimum(xs.max(axis=1), part[2]) - np.maximum(xs.min(axis=1), part[0])
                high = np.minimum(ys.max(axis=1), part[3]) - np.maximum(ys.min(axis=1), part[1])
            over = np.clip(wide, 0.0, None) * np.clip(high, 0.0, None)
            over = np.where(self._visible & np.isfinite(boxes).all(axis=1), over, 0.0)
            total += float((over * np.where(self._static, 0.5, 1.0)).sum())
            total += self._rods_in(xs.mean(axis=1), ys.mean(axis=1), view, part)
        return total / (area * max(len(self._pieces), 1))

    def _rods_in(self, xs: Float64, ys: Float64, view: View, part: Box) -> float:
        """The area of rods in a part of the picture; bodies have their middles there, in pixels."""
        if not self._rods:
            return 0.0
        ends = np.array(
            [
                [view.pixel(*end) if isinstance(end, tuple) else (xs[end], ys[end]) for end in rod]
                for rod in self._rods
            ]
        )
        shares = (np.arange(ROD_PIECES) + 0.5)[:, None] / ROD_PIECES
        points = ends[:, None, 0] + shares * (ends[:, None, 1] - ends[:, None, 0])
        inside = ((points > part[:2]) & (points < part[2:])).all(axis=2).mean(axis=1)
        across, up = (ends[:, 1] - ends[:, 0]).T
        long = np.sqrt(across * across + up * up)
        return float(np.where(inside > 0.0, inside * long, 0.0).sum()) * ROD


class SharedSurvey(Survey):
    """The joint extent of several runs, for pictures with one view."""

    def __init__(self, surveys: Sequence[Survey]) -> None:
        super().__init__(surveys[0]._scene)
        self._surveys = surveys

    @property
    def energies(self) -> tuple[tuple[float, float], ...]:
        return tuple(each for survey in self._surveys for each in survey.energies)

    def plotted(self, source: str) -> Bounds:
        bounds = NO_BOUNDS
        for survey in self._surveys:
            bounds = widened(bounds, survey.plotted(source))
        return bounds

    def typical(self, source: str) -> Bounds:
        bounds = NO_BOUNDS
        for survey in self._surveys:
            bounds = widened(bounds, survey.typical(source))
        return bounds

    @property
    def end(self) -> float:
        return max(survey.end for survey in self._surveys)

    def box(self) -> Box:
        box = NOWHERE
        for survey in self._surveys:
            box = union(box, survey.box())
        return box

    def covered(self, view: View, part: Box) -> float:
        return max(survey.covered(view, part) for survey in self._surveys)


def _rows(scene: Scene, which: Callable[[Body], bool]) -> Bool:
    return np.array([which(body) for body in scene.bodies.values()], np.bool_)


def _is_slope(box: Box) -> bool:
    wide, high = box[2] - box[0], box[3] - box[1]
    return min(wide, high) > SLOPE * max(wide, high)


def _rods(scene: Scene) -> list[tuple[int | Point, int | Point]]:
    """The ends of rods, ropes and springs: rows of bodies, or points of the world."""
    rows = {name: row for row, name in enumerate(scene.bodies)}
    found = [
        (rows.get(joint.body_a, joint.anchor_a), rows.get(joint.body_b, joint.anchor_b))
        for joint in scene.joints.values()
        if joint.kind == "distance" and joint.visible
    ]
    return found if len(found) <= MOST_RODS else []


def _both(first: Float64, second: Float64) -> Float64:
    low = np.minimum(first[:, :2], second[:, :2])
    return np.concatenate([low, np.maximum(first[:, 2:], second[:, 2:])], axis=1)


def _deepest(box: Box, gravity: Float64) -> float:
    """How far down a box reaches along gravity."""
    x0, y0, x1, y1 = box
    gx, gy = (float(part) for part in gravity)
    return max(x0 * gx, x1 * gx) + max(y0 * gy, y1 * gy)


def _median(values: Float64) -> float:
    """As ``np.median``, which imports all of masked arrays."""
    ordered = np.sort(values)
    last = len(ordered) - 1
    return float((ordered[last // 2] + ordered[len(ordered) // 2]) / 2.0)


def _within(movers: Float64, moving: Box, start: Box, largest: float) -> Box:
    """The box round tracks [pieces, rows, 4], as far as a picture of sensible size holds them.

    First come those that it holds whole. Where only a few are left, they get little more room than
    these need.
    """
    reach = np.concatenate([movers[..., :2].min(axis=0), movers[..., 2:].max(axis=0)], axis=1)
    sizes = np.array([extent(union(start, box_of(row))) for row in reach])
    if not len(sizes):
        return moving
    order = np.argsort(sizes, kind="stable")
    limit = min(SPREAD * float(sizes[order[len(order) // 2]]), largest)
    stays = sizes <= limit
    stay, strays = order[stays[order]], np.flatnonzero(~stays)
    moving = _grown(moving, reach[stay], start, limit)
    if len(strays) <= len(stay):
        limit = min(limit, STRAY * extent(union(start, moving)))
    for boxes in movers[:, strays]:
        moving = _grown(moving, boxes, start, limit)
    return moving


def _grown(box: Box, parts: Float64, start: Box, limit: float) -> Box:
    """A box with those parts [n, 4], one after the other, with which it stays small enough."""
    out = (parts[:, :2] < box[:2]).any(axis=1) | (parts[:, 2:] > box[2:]).any(axis=1)
    for row in parts[out]:
        more = union(box, box_of(row))
        if extent(union(start, more)) <= limit:
            box = more
    return box
