# SPDX-License-Identifier: MIT
"""Phases of animations, and the values of their tracks, as functions of time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import floor
from typing import Any

from ...scene.script import Animation, AnimationKind, Easing, Track, Value


def phase_of(kind: AnimationKind, passed: float) -> float:
    """The phase of an animation after a number of its durations."""
    if kind == "loop":
        return passed - floor(passed)
    if kind == "ping_pong":
        turn = passed - 2.0 * floor(0.5 * passed)
        return turn if turn <= 1.0 else 2.0 - turn
    return min(passed, 1.0)


def first_phase(plan: Animation) -> float:
    """The phase with which an animation begins."""
    return phase_of(plan.kind, plan.start) if plan.kind == "ping_pong" else plan.start


def value_at(track: Track, phase: float, kind: AnimationKind = "once") -> Value:
    """The value of a track at a phase of its animation."""
    after = bisect_right(track.times, phase)
    if after == 0:
        return track.values[0]
    if after == len(track.times):
        return track.values[-1]
    first, second = track.values[after - 1], track.values[after]
    since = phase - track.times[after - 1]
    length = track.times[after] - track.times[after - 1]
    if track.easing == "cubic" and type(first) in (tuple, float):
        return _cubic(track, after - 1, since / length, kind)
    part = _eased(since / length, track.easing)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return tuple(_between(a, b, part) for a, b in zip(first, second, strict=True))
    if type(first) is float and type(second) is float:
        return _between(first, second, part)
    return first


def _cubic(track: Track, i: int, part: float, kind: AnimationKind) -> Value:
    """Between the keys i and i + 1: a cubic with the slopes that its keys have."""
    times = track.times
    length = times[i + 1] - times[i]
    ends = length * part * (1.0 - part) * (1.0 - part), length * part * part * (part - 1.0)
    share = part * part * (3.0 - 2.0 * part)

    values: Any = track.values

    def along(at: Callable[[int], float]) -> float:
        slopes = _slope(times, at, i, kind), _slope(times, at, i + 1, kind)
        value = _between(at(i), at(i + 1), share)
        value += slopes[0] * ends[0] + slopes[1] * ends[1]
        low, high = sorted((at(i), at(i + 1)))
        return min(max(value, low), high)  # of which rounding alone leads out

    def coordinate(k: int) -> float:
        return along(lambda n: values[n][k])

    if isinstance(values[i], tuple):
        return tuple(map(coordinate, range(len(values[i]))))
    return along(lambda n: values[n])


def _slope(
    times: Sequence[float], at: Callable[[int], float], i: int, kind: AnimationKind
) -> float:
    """Return the slope of a monotone cubic spline at a key (Fritsch and Butland, SIAM J. Sci. Stat.
    Comput. 5, 1984). At the first and the last key of a repeated loop it follows from both ends;
    otherwise it is 0."""
    last = len(times) - 1
    before, after = i - 1, i
    if i in (0, last):
        if kind != "loop" or times[0] > 0.0 or times[last] < 1.0:
            return 0.0
        before, after = last - 1, 0
    spans = [times[k + 1] - times[k] for k in (before, after)]
    rises = [(at(k + 1) - at(k)) / span for k, span in zip((before, after), spans, strict=True)]
    if rises[0] * rises[1] <= 0.0:
        return 0.0
    first, second = 2.0 * spans[1] + spans[0], spans[1] + 2.0 * spans[0]
    return (first + second) / (first / rises[0] + second / rises[1])


def _eased(part: float, easing: Easing) -> float:
    if easing == "hold":
        return 0.0
    return part * part * (3.0 - 2.0 * part) if easing == "smooth" else part


def _between(first: float, second: float, part: float) -> float:
    return first + (second - first) * part
