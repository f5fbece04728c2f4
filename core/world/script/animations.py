# SPDX-License-Identifier: MIT
"""Animations in a running world: their phases, and the values they set."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from ...scene.script import Animation, AnimationKind, Easing, Track, Value
from ..naming.named_parts import NamedParts
from ..naming.setters import Setter, find_setter
from ..saved import fixed, flag, listed, need, number, optional, same_names, table, whole
from .copy import Copy


@dataclass(slots=True)
class Playing:
    """One animation of a world.

    Attributes:
        plan: its definition in the scene.
        begun: the step at which it began to play by time; None waits.
        phase: its phase, 0 to 1.
        settled: whether its values are set and constant.
    """

    plan: Animation
    setters: tuple[Setter, ...]
    begun: int | None
    phase: float
    settled: bool = False

    def place(self) -> None:
        """Place the animated bodies at the present values of their tracks."""
        if self.plan.kind == "manual" or self.begun is not None:
            for setter, track in zip(self.setters, self.plan.tracks, strict=True):
                if setter.moves_body:
                    setter.set(value_at(track, self.phase, self.plan.kind))

    def play(self, step: int) -> None:
        """Restart."""
        self.begun, self.phase, self.settled = step, first_phase(self.plan), False

    def passed(self, step: int, dt: float) -> float:
        """The start with which it would be where it is after a step, on the same way."""
        if self.plan.kind != "ping_pong" or self.begun is None:
            return self.phase
        passed = self.plan.start + (step - self.begun) * dt / self.plan.duration
        return passed - 2.0 * floor(0.5 * passed)

    def stop(self) -> None:
        """Pause; one that waits keeps waiting."""
        if self.begun is not None:
            self.begun, self.settled = None, False

    def advance(self, step: int, dt: float, way: int) -> None:
        """Go to where it is at the end of the step; ``way`` is 1, 0 or -1 of a manual one."""
        plan, before = self.plan, self.phase
        if plan.kind == "manual":
            self._move(way, dt / plan.duration)
        elif self.begun is not None:
            passed = plan.start + (step + 1 - self.begun) * dt / plan.duration
            self.phase = _phase(plan.kind, passed)
        if self.phase != before:
            self.settled = False

    def _move(self, way: int, by: float) -> None:
        goal = self.plan.return_to
        if way:
            self.phase = min(1.0, max(0.0, self.phase + way * by))
        elif goal is not None and self.phase != goal:
            left = goal - self.phase
            self.phase = goal if abs(left) <= by else self.phase + (by if left > 0.0 else -by)

    def apply(self, dt: float) -> None:
        """Set the values of its tracks, unless they are set already."""
        if self.settled:
            return
        for setter, track in zip(self.setters, self.plan.tracks, strict=True):
            setter.approach(value_at(track, self.phase, self.plan.kind), dt)
        # A body that was moved has yet to be stopped where it came to.
        self.settled = all(setter.is_done() for setter in self.setters)

    def rests(self, way: int) -> bool:
        """Whether nothing changes until a key is pressed or it is played."""
        if not self.settled:
            return False
        plan = self.plan
        if plan.kind == "manual":
            goal = plan.return_to
            if way:
                return self.phase == (1.0 if way > 0 else 0.0)
            return goal is None or self.phase == goal
        return self.begun is None or (plan.kind == "once" and self.phase == 1.0)


def _phase(kind: AnimationKind, passed: float) -> float:
    """Return the phase of an animation after a number of its durations."""
    if kind == "loop":
        return passed - floor(passed)
    if kind == "ping_pong":
        turn = passed - 2.0 * floor(0.5 * passed)
        return turn if turn <= 1.0 else 2.0 - turn
    return min(passed, 1.0)


def first_phase(plan: Animation) -> float:
    """The phase with which an animation begins."""
    return _phase(plan.kind, plan.start) if plan.kind == "ping_pong" else plan.start


def _begun(plan: Animation, setters: Sequence[Setter], step: int) -> Playing:
    plays = plan.enabled and plan.kind != "manual"
    waits = plan.kind != "manual" and not plan.enabled
    return Playing(plan, tuple(setters), step if plays else None, first_phase(plan), waits)


class Animations:
    """All animations of a world."""

    def __init__(self, world: NamedParts, plans: Sequence[Animation]) -> None:
        self._world, self._dt = world, world.roster.scene.world.dt
        self.playing = {
            plan.name: _begun(plan, [find_setter(world, track.path) for track in plan.tracks], 0)
            for plan in plans
        }

    def place(self) -> None:
        """Place the animated bodies at the start of their tracks."""
        for playing in self.playing.values():
            playing.place()

    def add(self, copy: Copy, animation: Animation) -> Playing:
        """Add an animation of a spawned copy, which plays from its spawn on."""
        plan = copy.placer().animation(animation, copy.plan.objects)
        setters = [copy.setter(self._world, track.path) for track in plan.tracks]
        playing = self.playing[copy.full(animation.name)] = _begun(plan, setters, copy.born)
        return playing

    def remove(self, name: str) -> None:
        """Remove an animation."""
        del self.playing[name]

    def prepare(self, step: int, ways: dict[str, int]) -> bool:
        """Set the values of the next step; return whether the following one needs new values."""
        busy = False
        for name, playing in self.playing.items():
            way = ways.get(name, 0)
            playing.advance(step, self._dt, way)
            playing.apply(self._dt)
            busy |= not playing.rests(way)
        return busy

    SAVED = table(fixed(optional(whole()), number, flag, listed(flag)))

    def save(self) -> dict[str, Any]:
        """Return the state of each, for JSON."""
        return {
            name: [each.begun, each.phase, each.settled, [setter.moved for setter in each.setters]]
            for name, each in self.playing.items()
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Restore the data of ``save``, checked by ``SAVED``. Raises UnfitError for others."""
        same_names(saved, self.playing, "animations")
        for name, (begun, phase, settled, moved) in saved.items():
            playing = self.playing[name]
            need(0.0 <= phase <= 1.0, f"animations.{name}", "the phase must be 0 to 1")
            right = len(moved) == len(playing.setters)
            need(right, f"animations.{name}", "has other tracks")
            playing.begun, playing.phase, playing.settled = begun, phase, settled
            for setter, was in zip(playing.setters, moved, strict=True):
                setter.moved = was


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
