# SPDX-License-Identifier: MIT
"""Conditions of events: engine events under the names of rules, times and regions; what was found,
until its actions are executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from ...scene.event_model import Action, EventRule
from ...scene.model import Scene
from ..saved import fixed, optional, table, text, whole
from ..saved import number as finite

SAME_TIME = 1e-9  # a time this close to the end of a step, as a part of dt, is that end
TOLD = {
    "contact_begin": "collision",
    "contact_end": "touch_end",
    "sensor_begin": "sensor_enter",
    "sensor_end": "sensor_leave",
    "joint_broken": "joint_broken",
    "actuator_start": "actuator_start",
    "actuator_stop": "actuator_stop",
}
"""The kinds of engine events, and of switches of actuators, and their names in rules."""
OF_NAMED = ("joint_broken", "actuator_start", "actuator_stop")
"""Of these, those that are about one object that is no body."""
SWITCHES = OF_NAMED[1:]
LISTENS = ("collision", "touch_end")
RELEASED = ".on_release"
"""Follows the path of a control where what it does on release is meant."""
EVENT_BODIES = {"$a": -1, "$b": -2}
"""The bodies of an event, and their numbers in a native program."""
FOUND = fixed(text, fixed(whole(-(1 << 62)), whole(), whole()), text, text, optional(table(finite)))
"""The schema of ``Found.save``."""

Death = tuple[str, int, tuple[str, ...], float, float]
"""The name, the id, the tags and the last place of a removed body."""


@dataclass(slots=True)
class Occurrence:
    """An event that happened.

    Attributes:
        rule: the path of its actions.
        order: the place in the file, then that of rules of copies, then the ids of bodies.
        a, b: the bodies, empty without bodies.
        values: the numbers for the expressions of its actions.
    """

    rule: str
    order: tuple[int, int, int]
    a: str = ""
    b: str = ""
    values: Mapping[str, float] | None = None

    def save(self) -> list[Any]:
        """The occurrence as JSON data."""
        return [self.rule, list(self.order), self.a, self.b, self.values]


def found_of(saved: Sequence[Any]) -> Occurrence:
    """Restore the data of ``save``."""
    rule, order, a, b, values = saved
    return Occurrence(rule, tuple(order), a, b, values)


def needed_of(action: Action) -> tuple[str, str]:
    """An action's references to the event's bodies: in its changed and in its read parts."""
    frame = "" if action.spawn is None else action.spawn.frame
    changed = repr((action.name, [*action.values], action.joint, frame))
    read = repr(([*action.values.values()], action.at, action.amount, action.spawn, action.motion))
    return changed, read


def asks(rule: EventRule) -> bool:
    """Whether the place and strength of touching are needed."""
    text = repr(rule.actions) + rule.guard + rule.unless
    return rule.min_impulse > 0.0 or any(name in text for name in ("$point", "$normal", "$impulse"))


def due_after(step: int, at: float, every: float | None, dt: float) -> int:
    """The first step after ``step`` whose end is a time: ``at`` or a repetition by ``every``."""
    first = max(1, ceil_step(at, dt))
    if first > step:
        return first
    if every is None:
        return 1 << 62
    turn = max(0, floor(((step + SAME_TIME) * dt - at) / every))
    while (due := ceil_step(at + turn * every, dt)) <= step:
        turn += 1
    return due


def ceil_step(time: float, dt: float) -> int:
    """The first step that ends at a time or after it."""
    return -floor(-(time / dt - SAME_TIME))


def split_path(scene: Scene, path: str) -> tuple[str, str]:
    """The owner's name in the path of a setting, the longest one that fits, and the rest."""
    owner, _, rest = path.partition(".")
    if owner in EVENT_BODIES:
        return owner, rest
    at = path.rfind(".")
    while at >= 0:
        owner = path[:at]
        if owner in scene.bodies or owner in scene.joints or owner in scene.actuators:
            return owner, path[at + 1 :]
        at = path.rfind(".", 0, at)
    if path.startswith("world.gravity"):
        return "world", path.removeprefix("world.")
    owner, _, setting = path.rpartition(".")
    return owner, setting
