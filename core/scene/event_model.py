# SPDX-License-Identifier: MIT
"""Events, actions and spawns of a scene, as plain data.

Times are scene time, angles in radians, and every name is checked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from ..frozen import frozen

if TYPE_CHECKING:
    from .model import Actuator, Body, Emitter, Joint, Scene
    from .script import Animation, Control, Destruction

EventKind = Literal[
    "collision",
    "touch_end",
    "sensor_enter",
    "sensor_leave",
    "joint_broken",
    "time",
    "leave",
    "deleted",
    "condition",
]
ActionKind = Literal[
    "set",
    "add",
    "delete",
    "destroy",
    "spawn",
    "attach",
    "detach",
    "impulse",
    "explode",
    "play",
    "stop",
    "log",
    "sound",
    "end",
]


@frozen
class Formula:
    """A number that is worked out when it is needed.

    Attributes:
        source: the expression, without its ``=``.
        path: of the value in the file, which distinguishes random numbers.
        low, high: what the result must lie between.
    """

    source: str
    path: str
    low: float = -math.inf
    high: float = math.inf

    # What becomes of a number where an instance puts it: others are added to it, or it is turned.
    # What it must lie between is as large either way.

    def __neg__(self) -> Formula:
        return replace(self, source=f"-({self.source})")

    def __add__(self, other: float | Formula) -> Formula:
        if isinstance(other, Formula):
            return replace(self, source=f"({self.source})+({other.source})")
        return self if other == 0.0 else replace(self, source=f"({self.source})+({other!r})")

    __radd__ = __add__

    def __sub__(self, other: float | Formula) -> Formula:
        return self + -other

    def __rsub__(self, other: float) -> Formula:
        return -self + other

    def __mul__(self, factor: float) -> Formula:
        if factor == 1.0:
            return self
        return replace(self, source=f"({self.source})*({factor!r})")

    __rmul__ = __mul__


Live = float | bool | str | Formula | tuple[Any, ...]
"""A value, or a point or a range of such, with formulas in it."""


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
class Spawn:
    """A prototype that is put into the running world.

    Attributes:
        use: the prototype.
        name: the copies are ``name[0]``, ``name[1]`` and so on.
        at: a point, or the name of a place: ``ship``, ``ship.points.nose``, ``$point``.
        frame: the body in whose coordinates a point, the angle and the velocity are.
        if_free: whether nothing may be where it is put.
        max_tries: how often another place is drawn where it is not free.
        scale, mirror: as of an instance.
        vars: those of the prototype that are worked out when it is born.
        lifetime: how long after its birth it is taken out again; None stays.
    """

    use: str
    name: str
    at: Live = (0.0, 0.0)
    angle: Live = 0.0
    velocity: Live = (0.0, 0.0)
    frame: str = ""
    if_free: bool = False
    max_tries: int = 1
    scale: float = 1.0
    mirror: Literal["x", "y"] | None = None
    vars: Mapping[str, Live] = field(default_factory=dict)
    lifetime: Live | None = None

    def __repr__(self) -> str:
        """Scenes are distinguished by it: newer fields are in it only if given."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, default in _UNSAID:
            if said[name] == default:
                del said[name]
        return f"Spawn({', '.join(f'{name}={value!r}' for name, value in said.items())})"


_UNSAID: tuple[tuple[str, object], ...] = (
    ("scale", 1.0),
    ("mirror", None),
    ("vars", {}),
    ("lifetime", None),
)


@frozen
class Action:
    """One thing that is done.

    Attributes:
        path: of the action in the file.
        name: of the body, joint or animation concerned, ``$a`` and ``$b`` for those of the event;
            of an attached joint; the text of a log, or how the run ends.
        values: what is set, by paths, or added, by variables.
        at: where, a point or the name of a place; empty is the centre of mass.
        amount: an impulse.
        radius: of an explosion.
        spawn: what is born.
        joint: what is attached, as the file has it.
        destruction: how a body is broken.
    """

    kind: ActionKind
    path: str
    name: str = ""
    values: Mapping[str, Live] = field(default_factory=dict)
    at: Live = ""
    amount: Live = 0.0
    radius: float = 0.0
    spawn: Spawn | None = None
    joint: Mapping[str, Any] = field(default_factory=dict)
    destruction: Destruction | None = None


@frozen
class Who:
    """Bodies that an event is about: those with a tag, some by name, or any.

    Attributes:
        name: of the body, generator or group that stands for ``bodies``.
    """

    tag: str = ""
    name: str = ""
    bodies: tuple[str, ...] = ()


@frozen
class EventRule:
    """When something is done.

    Attributes:
        who: the bodies that it is about; two for what happens between two.
        joint: the one that breaks.
        at, every: of ``time``: when, and how often from then on; None is once.
        after: delay of the actions.
        once: whether it happens only the first time, ``pair``: the first time of each two bodies.
        cooldown: how long after it happened it does not happen again; 0 is not at all.
        per_pair: whether that is so for each two bodies by themselves.
        min_impulse: how hard a collision must be.
        region: two corners of the box that is left.
        condition: the expression that becomes true, without its ``=``.
        guard: the expression that has to be true when it happens, likewise; empty for always.
        unless: the expression by which the actions are dropped when their time has come, likewise.
        origin: of an event of an instance, its path by the name of that.
    """

    kind: EventKind
    path: str
    actions: tuple[Action, ...]
    who: tuple[Who, ...] = ()
    joint: str = ""
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


@frozen
class Spawner:
    """A prototype that is put into the world again and again.

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
    """When a run is won or lost: expressions without their ``=``, empty for never."""

    win: str = ""
    lose: str = ""


def births_of(scene: Scene) -> list[Spawn]:
    """All that is said of births, by the scene and then by the prototypes that are spawned."""
    inputs = [action for each in scene.inputs for action in getattr(each, "actions", ())]
    own = births_in(scene, inputs)
    return own + [birth for each in scene.prototypes.values() for birth in births_in(each)]


def births_in(owner: Scene | Prototype, inputs: Iterable[Action] = ()) -> list[Spawn]:
    """All that is said of births by the scene, or by the copies of a prototype."""
    actions = [
        *(action for each in owner.controls.values() for action in each.actions),
        *inputs,
        *(action for each in owner.events for action in each.actions),
    ]
    births = [each.spawn for each in actions] + [each.spawn for each in owner.spawners.values()]
    return [each for each in births if each is not None]
