"""The script of a running world: keys, animations and what is set by time.

Before each step: what the recorded player does, what held keys do, then animations. Each is a
function of the step and of what was done before, so a run is one of the scene's text and inputs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import UsageError, unknown_name
from ...scene.script import Control, KeyPress, Value
from ..births import settle
from .animations import Animations
from .setting import Setter, find_setter

if TYPE_CHECKING:
    from ..world import World

SAME_STEP = 1e-9  # a time this close to a step, as a part of dt, is that step


class Script:
    """What one world does besides its physics.

    Attributes:
        held: the keys that are held now, in the order in which they were pressed.
    """

    def __init__(self, world: World) -> None:
        scene = world.roster.scene
        self.world = world
        self.plan = scene
        self._dt = scene.world.dt
        self.animations = Animations(world, tuple(self.plan.animations.values()))
        self.held: dict[str, None] = {}
        self._setters: dict[str, Setter] = {}
        self._timeline = self._find_timeline()
        self._prepared = -1
        self._busy = True
        self._hold_all()
        self.animations.place()

    # ------------------------------------------------------------ keys

    def press(self, key: str) -> None:
        """Hold a key from the next step on. Raises UnknownNameError for one without a control."""
        control = self._control(key)
        if key in self.held:
            return
        self.held[key] = None
        self._set_all(control.sets)
        self._hold(control)

    def release(self, key: str) -> None:
        """Let a key go."""
        control = self._control(key)
        if key not in self.held:
            return
        del self.held[key]
        self._set_all(control.on_release)
        self._hold(control)

    def _control(self, key: str) -> Control:
        control = self.plan.controls.get(key)
        if control is None:
            raise unknown_name("key of the controls", key, self.plan.controls)
        return control

    def _hold_all(self) -> None:
        for control in self.plan.controls.values():
            self._hold(control)

    def _hold(self, control: Control) -> None:
        """Let a control's actuators act while a key is held that holds them."""
        for name in control.holds:
            acts = any(name in self.plan.controls[key].holds for key in self.held)
            self._set(f"{name}.enabled", acts)

    def _ways(self) -> dict[str, int]:
        """Which way the held keys move animations; both ways are none."""
        ways: dict[str, int] = {}
        for key in self.held:
            control = self.plan.controls[key]
            for names, way in ((control.forward, 1), (control.backward, -1)):
                for name in names:
                    ways[name] = max(-1, min(1, ways.get(name, 0) + way))
        return ways

    # ------------------------------------------------------------ time

    def prepare(self, step: int, end: int) -> int:
        """Do what is due before the step that comes after ``step`` steps; up to where, and at most
        ``end``, may be stepped before it is asked again."""
        if step != self._prepared:
            self._prepared = step
            for action in self._timeline.get(step, ()):
                self._act(*action)
            self._busy = self.animations.prepare(step, self._ways())
        if self._busy:
            return min(end, step + 1)
        return next((at for at in self._timeline if step < at < end), end)

    def _act(self, what: str, key: str, sets: Mapping[str, Value]) -> None:
        if what == "press":
            self.press(key)
        elif what == "release":
            self.release(key)
        else:
            self._set_all(sets)

    def _find_timeline(self) -> dict[int, list[tuple[str, str, Mapping[str, Value]]]]:
        """What the recorded player does, by the steps before which it does it: keys that are let
        go, then those that are pressed, then what is set."""
        held: dict[str, list[tuple[int, int]]] = {}
        acts: list[tuple[int, int, str, str, Mapping[str, Value]]] = []
        for entry in self.plan.inputs:
            if isinstance(entry, KeyPress):
                span = self._step(entry.start), self._step(entry.until)
                held.setdefault(entry.key, []).append(span)
            else:
                acts.append((self._step(entry.at), 2, "set", "", entry.sets))
        for key, spans in held.items():
            for start, until in _joined(spans):
                acts.append((start, 1, "press", key, {}))
                acts.append((until, 0, "release", key, {}))
        timeline: dict[int, list[tuple[str, str, Mapping[str, Value]]]] = {}
        for step, _, what, key, sets in sorted(acts, key=lambda act: act[:2]):
            timeline.setdefault(step, []).append((what, key, sets))
        return timeline

    def _step(self, time: float) -> int:
        """The first step that begins at a time or after it."""
        if not math.isfinite(time):
            return 1 << 62
        return math.ceil(min(time / self._dt, 1e15) - SAME_STEP)

    # ------------------------------------------------------------ settings

    def _set_all(self, values: Mapping[str, Value]) -> None:
        for path, value in values.items():
            self._set(path, value)

    def _set(self, path: str, value: Value) -> None:
        setter = self._setters.get(path)
        if setter is None:
            setter = self._setters[path] = find_setter(self.world, path)
        setter.set(value)

    # ------------------------------------------------------------ saving

    def save(self) -> dict[str, Any]:
        """What decides the future, as JSON has it."""
        return {
            "held": list(self.held),
            "prepared": self._prepared == self.world.step_count,
            "animations": self.animations.save(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Be as ``save`` said, in a world that is so already."""
        self.held = dict.fromkeys(saved["held"])
        self.animations.restore(saved["animations"])
        self._prepared = self.world.step_count if saved["prepared"] else -1
        self._busy = True

    def fork(self, world: World) -> Script:
        """The same for a world that was made from this one's."""
        twin = object.__new__(Script)
        twin.world, twin.plan, twin._dt = world, self.plan, self._dt
        twin.held, twin._setters = {}, {}
        twin._timeline = self._timeline
        twin.animations = Animations(world, tuple(self.plan.animations.values()))
        twin.restore(self.save())
        return twin


def script_of(world: World) -> Script:
    """The script of a world; UsageError where it has none."""
    if world.script is None:
        raise UsageError(f"{world.roster.scene.path} has no controls")
    settle(world)
    return world.script


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order; those that overlap or touch as one, and none without a step."""
    joined: list[tuple[int, int]] = []
    for start, until in sorted(spans):
        if start >= until:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], until)
        else:
            joined.append((start, until))
    return joined
