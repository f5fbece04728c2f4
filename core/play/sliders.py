# SPDX-License-Identifier: MIT
"""Vars, and numbers of joints, changed by sliders while a scene runs."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import SceneError, UsageError, unknown_name
from ..scene.model import Scene
from ..scene.script import InputEntry, TimedSetting, Value
from ..world import World
from ..world.script import player_of
from ..world.script.player import Player
from .changes import settings_between
from .source import DIGITS, SceneSource
from .trouble import Trouble


def allowed(name: str, value: float, scene: Scene, trouble: Trouble | None) -> float:
    """The value that a slider of a scene has where it is moved to another one.

    Raises UsageError while the files have mistakes, so that no value of a var can be tried.
    """
    if trouble is not None and trouble.kind != "simulation":
        raise UsageError("sliders move nothing while the file has mistakes; mend these first")
    if name not in scene.ranges:
        raise unknown_name("var with a range", name, scene.ranges)
    low, high = scene.ranges[name]
    return float(f"{min(max(value, low), high):.{DIGITS}g}")


@dataclass(frozen=True, slots=True)
class Moved:
    """A slider that has another value from before a step on, and what was set for that."""

    step: int
    value: float
    entry: TimedSetting


class Sliders:
    """Values moved at once, by vars and by paths of joints' numbers, which have a point in them."""

    def __init__(self) -> None:
        self._moved: dict[str, list[Moved]] = {}
        self._last: tuple[Scene, dict[str, float], Scene] | None = None

    def move(
        self, player: Player, name: str, value: float, sets: dict[str, Value], step: int
    ) -> None:
        """Give a slider another value from before a step on, by what that sets."""
        last = self.last(name, step)
        entry = player.set(sets, step, None if last is None else last.entry)
        there = {id(each) for each in player.entries()}  # others were on a way that is forgotten
        self._moved = {
            known: [each for each in those if id(each.entry) in there]
            for known, those in self._moved.items()
        }
        self._moved.setdefault(name, []).append(Moved(step, value, entry))

    def forget(self, name: str, world: World | None) -> None:
        """A slider is no more as it was moved: take back what had been set for that."""
        entries = [each.entry for each in self._moved.pop(name, [])]
        if entries and world is not None:
            player_of(world).take_back(entries)

    def clear(self) -> None:
        self._moved = {}

    def last(self, name: str, step: int) -> Moved | None:
        """The last movement of a slider up to a step."""
        return next((m for m in reversed(self._moved.get(name, [])) if m.step <= step), None)

    def values(self, step: int) -> dict[str, float]:
        """Values of moved vars at a step."""
        found = {name: self.last(name, step) for name in self._moved if "." not in name}
        return {name: each.value for name, each in found.items() if each is not None}

    def shown(self, scene: Scene, step: int) -> dict[str, float]:
        """Values of a scene's vars with a range at a step."""
        moved = self.values(step)
        return {name: moved.get(name, scene.vars[name]) for name in scene.ranges}

    def settings_for(
        self, source: SceneSource, scene: Scene, name: str, value: float, step: int
    ) -> dict[str, Value] | None:
        """Settings that give a var of a scene another value; None if that takes more."""
        moved = self.values(step)
        values = {**source.values, **moved, name: value}
        try:
            old = self._tried(source, scene, {**source.values, **moved}) if moved else scene
            new = source.variant(values)
        except SceneError:
            return None  # of which reading the files tells
        self._last = scene, values, new
        return settings_between(old, new)

    def _tried(self, source: SceneSource, scene: Scene, values: dict[str, float]) -> Scene:
        """The scene with other values, which was read already where it was tried last."""
        if self._last is not None and self._last[0] is scene and self._last[1] == values:
            return self._last[2]
        return source.variant(values)

    def holds(self, entry: InputEntry) -> bool:
        """Whether something was set by a slider."""
        return any(each.entry is entry for those in self._moved.values() for each in those)
