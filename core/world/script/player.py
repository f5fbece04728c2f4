# SPDX-License-Identifier: MIT
"""The player of a scene: held keys, drags and settings, by steps.

A recorded player comes from the scene's ``inputs``. One that plays now continues the same
record: its replay has the same bits.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace

from ...scene.script import Drag, InputEntry, KeyPress, TimedSetting, Value

SAME_STEP = 1e-9  # a time this close to a step, as a part of dt, is that step
NEVER = 1 << 62
_DIGITS = range(4, 16)

Act = tuple[str, str, Mapping[str, Value]]


@dataclass(slots=True)
class HeldKey:
    """A key that is held from before one step to before another; ``number`` is its place."""

    number: int
    key: str
    start: int
    until: int = NEVER


@dataclass(slots=True)
class Grab:
    """A body that is dragged; ``path`` has the steps before which the target is moved."""

    number: int
    body: str
    point: tuple[float, float]
    max_force: float
    start: int
    until: int = NEVER
    steps: list[int] = field(default_factory=list)
    targets: list[tuple[float, float]] = field(default_factory=list)

    @property
    def joint(self) -> str:
        """The name of the joint that pulls."""
        return f"inputs[{self.number}]"

    def acts(self, step: int) -> bool:
        return self.start <= step < self.until

    def target(self, step: int) -> tuple[float, float]:
        """Return the target of the pull in a step."""
        return self.targets[max(0, bisect_right(self.steps, step) - 1)]

    def moves(self, step: int) -> bool:
        """Whether the target is moved before a step."""
        at = bisect_right(self.steps, step)
        return at > 0 and self.steps[at - 1] == step

    def move(self, step: int, target: tuple[float, float]) -> None:
        """Move the target from a step on."""
        if self.steps and self.steps[-1] == step:
            self.targets[-1] = target
        elif not self.targets or self.targets[-1] != target:
            self.steps.append(step)
            self.targets.append(target)

    def cut(self, step: int) -> None:
        """Release before a step."""
        self.until = min(self.until, step)
        kept = max(1, bisect_right(self.steps, step - 1))
        del self.steps[kept:], self.targets[kept:]


class Player:
    """Inputs by steps, including recorded ones that are still to come."""

    def __init__(self, entries: Iterable[InputEntry], dt: float) -> None:
        self._dt = dt
        self._next = 0
        self.keys: list[HeldKey] = []
        self.grabs: list[Grab] = []
        self.settings: list[tuple[int, TimedSetting]] = []
        self._timeline: dict[int, list[Act]] | None = None
        for entry in entries:
            self._take(entry)

    def _take(self, entry: InputEntry) -> None:
        number = self._number()
        if isinstance(entry, TimedSetting):
            self.settings.append((number, entry))
            return
        start, until = self._step(entry.start), self._step(entry.until)
        if isinstance(entry, KeyPress):
            self.keys.append(HeldKey(number, entry.key, start, until))
            return
        grab = Grab(number, entry.body, entry.point, entry.max_force, start, until)
        for time, x, y in entry.path:
            grab.move(self._step(time), (x, y))
        self.grabs.append(grab)

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def fork(self) -> Player:
        """Return a copy for another world."""
        twin = copy(self)
        twin.keys = [copy(each) for each in self.keys]
        twin.grabs = [
            replace(each, steps=[*each.steps], targets=[*each.targets]) for each in self.grabs
        ]
        twin.settings = [*self.settings]
        twin._timeline = None
        return twin

    # ------------------------------------------------------------ what is due

    def due(self, step: int) -> list[Act]:
        """The inputs before the step that comes after ``step`` steps, but for drags: keys that
        are released, then those that are pressed, then settings."""
        return self._acts.get(step, [])

    def next_stop(self, step: int, end: int) -> int:
        """The first step after ``step``, and at most ``end``, before which something is due."""
        for grab in self.grabs:
            if grab.acts(step):
                return min(end, step + 1)
            if step < grab.start < end:
                end = grab.start
        return next((at for at in self._acts if step < at < end), end)

    def timeline(self) -> Mapping[int, list[Act]]:
        """Results of ``due``, by steps in order."""
        return self._acts

    @property
    def _acts(self) -> dict[int, list[Act]]:
        if self._timeline is None:
            self._timeline = self._find_timeline()
        return self._timeline

    def _find_timeline(self) -> dict[int, list[Act]]:
        held: dict[str, list[tuple[int, int]]] = {}
        acts: list[tuple[int, int, str, str, Mapping[str, Value]]] = []
        for each in self.keys:
            held.setdefault(each.key, []).append((each.start, each.until))
        for number, entry in self.settings:
            acts.append((self._step(entry.at), 2, "set", "", entry.sets))
            if entry.actions:
                acts.append((self._step(entry.at), 3, "do", str(number), {}))
        for key, spans in held.items():
            for start, until in _joined(spans):
                acts.append((start, 1, "press", key, {}))
                acts.append((until, 0, "release", key, {}))
        timeline: dict[int, list[Act]] = {}
        for step, _, what, key, sets in sorted(acts, key=lambda act: act[:2]):
            timeline.setdefault(step, []).append((what, key, sets))
        return timeline

    def _step(self, time: float) -> int:
        """The first step that begins at a time or after it."""
        if not math.isfinite(time):
            return NEVER
        return math.ceil(min(time / self._dt, 1e15) - SAME_STEP)

    # ------------------------------------------------------------ playing now

    def has_more(self, step: int) -> bool:
        """Whether any input is recorded for after the beginning of a step."""
        spans = [(each.start, each.until) for each in self.keys]
        spans += [(each.start, each.until) for each in self.grabs]
        later = any(start >= step or step < until < NEVER for start, until in spans)
        return later or any(self._step(each.at) >= step for _, each in self.settings)

    def cut(self, step: int) -> None:
        """Drop later recorded input; held keys and bodies are released before the step."""
        self.keys = [each for each in self.keys if each.start < step]
        self.grabs = [each for each in self.grabs if each.start < step]
        for held in self.keys:
            held.until = min(held.until, step)
        for grab in self.grabs:
            grab.cut(step)
        self.settings = [each for each in self.settings if self._step(each[1].at) < step]
        self._timeline = None

    def press(self, key: str, step: int) -> None:
        """Hold a key from before a step on."""
        for held in reversed(self.keys):
            if held.key == key and held.start <= step <= held.until:
                held.until = NEVER
                break
        else:
            self.keys.append(HeldKey(self._number(), key, step))
        self._timeline = None

    def release(self, key: str, step: int) -> None:
        """Release a key before a step; it is held for at least one step."""
        for held in self.keys:
            if held.key == key and held.until == NEVER:
                held.until = max(step, held.start + 1)
        self._timeline = None

    def set(
        self, sets: Mapping[str, Value], step: int, instead: TimedSetting | None
    ) -> TimedSetting:
        """Set values before a step; ``instead`` replaces earlier settings of the same step."""
        entry = TimedSetting(self.time_of(step), dict(sets))
        for place, (number, each) in enumerate(self.settings):
            if each is instead and self._step(each.at) == step:
                self.settings[place] = (number, entry)
                break
        else:
            self.settings.append((self._number(), entry))
        self._timeline = None
        return entry

    def take_back(self, entries: Iterable[TimedSetting]) -> None:
        """Remove these settings."""
        those = {id(each) for each in entries}
        self.settings = [each for each in self.settings if id(each[1]) not in those]
        self._timeline = None

    def grab(
        self,
        body: str,
        point: tuple[float, float],
        target: tuple[float, float],
        max_force: float,
        step: int,
    ) -> Grab:
        """Drag a body by a point of it, from before a step on."""
        grab = Grab(self._number(), body, point, max_force, step)
        grab.move(step, target)
        self.grabs.append(grab)
        return grab

    def let_go(self, grab: Grab, step: int) -> None:
        """Release a dragged body before a step."""
        grab.until = min(grab.until, max(step, grab.start + 1))

    # ------------------------------------------------------------ as a scene has it

    def entries(self) -> tuple[InputEntry, ...]:
        """All inputs, in the form of a scene's ``inputs``."""
        found: list[tuple[int, InputEntry]] = [*self.settings]
        for key in self.keys:
            span = self._times_of(key.start, key.until)
            found.append((key.number, KeyPress(key.key, *span)))
        for grab in self.grabs:
            steps = zip(grab.steps, grab.targets, strict=True)
            path = tuple((self.time_of(step), x, y) for step, (x, y) in steps)
            span = self._times_of(grab.start, grab.until)
            found.append((grab.number, Drag(grab.body, grab.point, *span, path, grab.max_force)))
        return tuple(entry for _, entry in sorted(found, key=lambda each: each[0]))

    def _times_of(self, start: int, until: int) -> tuple[float, float]:
        """Start and end time of a held input. One that is held for no step keeps
        its place, since later inputs are numbered by theirs."""
        if start < until:
            return self.time_of(start), self.time_of(until)
        if start > 0:
            return (start - 0.5) * self._dt, self.time_of(start)
        return 0.0, 0.5 * SAME_STEP * self._dt

    def time_of(self, step: int) -> float:
        """A short time that is before this step and after the one before it."""
        if step >= NEVER:
            return math.inf
        exact = step * self._dt
        for digits in _DIGITS:
            scale = 10.0**digits
            time = math.floor(exact * scale) / scale
            if self._step(time) == step:
                return time
        return exact


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort and merge overlapping or adjacent spans; drop those without a step."""
    joined: list[tuple[int, int]] = []
    for start, until in sorted(spans):
        if start >= until:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], until)
        else:
            joined.append((start, until))
    return joined
