# SPDX-License-Identifier: MIT
"""Plots in the picture: what they remember of a run, and the ends of their axes."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import isfinite

from ...scene.model import Annotation
from ...view.plot_values import NO_BOUNDS, Bounds, widened
from .axes import apart

SECONDS = 5.0
"""Time span of a plot without ``seconds``."""
MOST_SAMPLES = 4000
"""So many moments are remembered at most; of more, every other one."""
HEADROOM = 0.06
"""Empty part of an axis beyond the lines, on either side,"""
ROOM_FOR_PEAKS = 0.3
"""and above typical values, where those of peaks are written."""

Span = tuple[float, float]
Sample = tuple[float, ...]
"""A time, and then a value of each line."""


def plot_window(given: Annotation, time_unit: float) -> float | None:
    """The span of scene time of a plot; None for the whole run."""
    if given.seconds == "run":
        return None
    return SECONDS * time_unit if given.seconds is None and not given.phase else given.seconds


def peaks(before: Sample | None, passed: Sequence[Sample], now: Sample) -> list[Sample]:
    """Those of the samples that passed between two others in which a line was lower or higher than
    in both of these, and lowest or highest of all."""
    if before is None or not passed:
        return []
    kept: set[int] = set()
    for i in range(1, len(now)):
        ends = [each[i] for each in (before, now) if isfinite(each[i])]
        between = [(each[i], k) for k, each in enumerate(passed) if isfinite(each[i])]
        if not between:
            continue
        (low, lowest), (high, highest) = min(between), max(between)
        kept |= {lowest} if low < min(ends, default=float("inf")) else set()
        kept |= {highest} if high > max(ends, default=float("-inf")) else set()
    return [passed[k] for k in sorted(kept)]


def thinned(samples: Sequence[Sample]) -> list[Sample]:
    """About half of the samples, among them the last, and the lowest and highest of each line."""
    apart = 4 * (len(samples[0]) - 1)
    kept: list[Sample] = []
    for first in range(0, len(samples) - 1, apart):
        group = samples[first : min(first + apart, len(samples) - 1)]
        chosen = {0}
        for i in range(1, len(group[0])):
            values = [(each[i], k) for k, each in enumerate(group) if isfinite(each[i])]
            chosen |= {min(values)[1], max(values)[1]} if values else set()
        kept += [group[k] for k in sorted(chosen)]
    return [*kept, samples[-1]]


class Plot:
    """Remembers what its expressions were, frame by frame in the order of time.

    Args:
        time_unit: how many units of scene time a second is.
        end: the time at which the run ends, as far as that is known.
        ahead: the least and the greatest of each expression in the run, as far as they are known
            ahead.
    """

    def __init__(
        self,
        given: Annotation,
        time_unit: float,
        end: float = 0.0,
        ahead: Sequence[Bounds] = (),
    ) -> None:
        self.given, self.time_unit, self._end = given, time_unit, end
        self._window = plot_window(given, time_unit)
        self.samples: deque[Sample] = deque()
        self._bounds = [*ahead] or [NO_BOUNDS] * len(given.expressions)
        self._fixed = given.range == "typical" and bool(ahead)

    @property
    def last(self) -> Sample | None:
        """The last moment that was noted."""
        return self.samples[-1] if self.samples else None

    def note(self, time: float, values: Sequence[float]) -> None:
        """The values of a moment, in the order of the lines."""
        if not self._fixed:
            pairs = zip(self._bounds, values, strict=True)
            self._bounds = [widened(bounds, (value,)) for bounds, value in pairs]
        self.samples.append((time, *values))
        while self._window is not None and self.samples[0][0] < time - self._window:
            self.samples.popleft()
        if len(self.samples) > MOST_SAMPLES:
            self.samples = deque(thinned(list(self.samples)))

    # ------------------------------------------------------------ axes

    @property
    def columns(self) -> list[tuple[int, int]]:
        """Of each line where in a sample its places across and up are."""
        if self.given.phase:
            return [(1, 2)]
        return [(0, i + 1) for i in range(len(self.given.expressions))]

    def across(self) -> Span:
        """The ends of the axis across: times, or values of a portrait."""
        if self.given.phase:
            return self.given.x_range or self._span((0,))
        now = self.samples[-1][0] if self.samples else 0.0
        if self.given.seconds == "run":
            return (0.0, max(now, self._end) or 1.0)
        window = self._window or 1.0
        return (max(now - window, 0.0), max(now, window))

    def up(self) -> Span:
        """The ends of the axis upwards."""
        given = self.given
        if isinstance(given.range, tuple):
            return given.range
        return self._span((1,) if given.phase else range(len(given.expressions)))

    def _span(self, which: Sequence[int]) -> Span:
        """The axis of some of the expressions."""
        bounds = [self._bounds[i] for i in which]
        if self.given.range == "shown":
            bounds = [widened(NO_BOUNDS, [each[i + 1] for each in self.samples]) for i in which]
        least, most = min(each[0] for each in bounds), max(each[1] for each in bounds)
        if not least <= most:
            return (0.0, 1.0)
        if least < most:
            least, most = apart(least, most)
        spare = HEADROOM * (most - least) or 0.5 * abs(most) or 1.0
        room = ROOM_FOR_PEAKS / HEADROOM if self._fixed else 1.0
        return (least - spare, most + room * spare)
