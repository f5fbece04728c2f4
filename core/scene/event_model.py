# SPDX-License-Identifier: MIT
"""Events, actions and spawns of a scene, as plain data.

Times are scene time, angles in radians, and every name is checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING, Literal

from ..frozen import frozen
from .action_model import Action as Action
from .action_model import Formula as Formula
from .action_model import Live as Live
from .action_model import Spawn as Spawn

if TYPE_CHECKING:
    from .object_model import Actuator, Body, Joint
    from .picture_model import Emitter
    from .script import Animation, Control

EventKind = Literal[
    "collision",
    "touch_end",
    "sensor_enter",
    "sensor_leave",
    "joint_broken",
    "actuator_start",
    "actuator_stop",
    "time",
    "leave",
    "deleted",
    "condition",
]


@frozen
class Prototype:
    """The original of a spawn, with names and coordinates of its own."""

    bodies: Mapping[str, Body]
    joints: Mapping[str, Joint]
    actuators: Mapping[str, Actuator]
    animations: Mapping[str, Animation] = field(default_factory=dict)
    controls: Mapping[str, Control] = field(default_factory=dict)
    events: tuple[EventRule, ...] = ()
    spawners: Mapping[str, Spawner] = field(default_factory=dict)
    particles: Mapping[str, Emitter] = field(default_factory=dict)

    @property
    def acts(self) -> bool:
        """Whether its copies do anything besides their physics."""
        return bool(self.animations or self.controls or self.events or self.spawners)


@frozen
class Selector:
    """The bodies of an event: those with a tag, some by name, or any.

    Attributes:
        name: the name of the body, generator or group of ``bodies``.
    """

    tag: str = ""
    name: str = ""
    bodies: tuple[str, ...] = ()


_HASHED_AS = {"subject": "joint"}
"""Names of fields in the text that scenes are hashed by, which stays as it is."""


@frozen
class EventRule:
    """An event and its conditions.

    Attributes:
        who: its bodies; two for events between two bodies.
        subject: the joint that breaks or is removed, or the actuator that starts or stops.
        at, every: of ``time``: the first time and the period; None is once.
        after: delay of the actions.
        once: whether it happens only the first time, ``pair``: the first time of each two bodies.
        cooldown: the time after it in which it does not happen again; 0 is none.
        per_pair: whether each pair of bodies has its own cooldown.
        min_impulse: the smallest impulse of a collision.
        region: two corners of the box of ``leave``.
        condition: the expression that becomes true, without its ``=``.
        guard: the expression that must be true at the event, likewise; empty for always.
        unless: the expression that cancels the actions when they are due, likewise.
        origin: the path of an instance's event, by the name of the instance.
    """

    kind: EventKind
    path: str
    actions: tuple[Action, ...]
    who: tuple[Selector, ...] = ()
    subject: str = ""
    at: float = 0.0
    every: float | None = None
    after: float = 0.0
    once: Literal["", "run", "pair"] = ""
    min_impulse: float = 0.0
    region: tuple[tuple[float, float], tuple[float, float]] | None = None
    condition: str = ""
    origin: str = field(default="", repr=False)
    guard: str = field(default="", repr=False)
    unless: str = field(default="", repr=False)
    cooldown: float = field(default=0.0, repr=False)
    per_pair: bool = field(default=False, repr=False)

    def __repr__(self) -> str:
        """The text that scenes are hashed by, with ``subject`` named ``joint``."""
        said = {each.name: getattr(self, each.name) for each in fields(self) if each.repr}
        words = (f"{_HASHED_AS.get(name, name)}={value!r}" for name, value in said.items())
        return f"EventRule({', '.join(words)})"


@frozen
class Spawner:
    """A spawner: repeated spawns of a prototype.

    Attributes:
        start, every, until: when the first is born, how long after it the next, and up to when.
        most: how many in all; None is no end.
        alive: how many are there at most at once, likewise.
        guard: the expression that has to be true when one is due, without its ``=``; empty for
            always.
    """

    name: str
    spawn: Spawn
    every: float
    start: float = 0.0
    until: float = math.inf
    most: int | None = None
    alive: int | None = field(default=None, repr=False)
    guard: str = field(default="", repr=False)


@frozen
class Outcome:
    """Conditions for winning or losing: expressions without their ``=``, empty for never."""

    win: str = ""
    lose: str = ""
