# SPDX-License-Identifier: MIT
"""Actions of a running scene as plain data, with births and the breaking of bodies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from ..arguments import checked_fields, not_negative, number
from ..frozen import frozen


@frozen
class Formula:
    """A number that is evaluated when it is needed.

    Attributes:
        source: the expression, without its ``=``.
        path: the path of the value in the file, which distinguishes random numbers.
        low, high: the bounds of the result.
    """

    source: str
    path: str
    low: float = -math.inf
    high: float = math.inf

    # An instance that places a number adds others to it, or turns it. Its bounds are of the same
    # size in either case.

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


@checked_fields(radial=number, random=not_negative, spin=not_negative)
@dataclass(frozen=True, slots=True)
class Kick:
    """Settings of the pieces of a broken body, besides its motion.

    Attributes:
        radial: a speed away from its centre of mass.
        random: the largest of a seeded speed in a seeded direction.
        spin: the largest of a seeded angular velocity, either way.
    """

    radial: float = 0.0
    random: float = 0.0
    spin: float = 0.0


@frozen
class Destruction:
    """The breaking of a body.

    Attributes:
        count: number of boxes per row and column, or of sites.
        seed: of the sites and kicks; None is the scene's.
        tags: of the pieces; None are those of the body.
        collide: whether the pieces touch anything, or only look.
        lifetime: how long after it they are taken out again; None stays.
    """

    method: Literal["boxes", "voronoi"] = "boxes"
    count: int = 3
    seed: int | None = None
    kick: Kick = Kick()
    tags: tuple[str, ...] | None = None
    collide: bool = True
    lifetime: float | None = None

    def __repr__(self) -> str:
        return _with_newer(self, (("collide", True), ("lifetime", None)))


@frozen
class Spawn:
    """The spawn of a prototype into the running world.

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
        pivot: the point of the prototype that is put there, or one of the box around it by name.
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
    pivot: tuple[float, float] | str = (0.0, 0.0)

    def __repr__(self) -> str:
        return _with_newer(self, _UNSAID)


def _with_newer(value: Any, newer: tuple[tuple[str, object], ...]) -> str:
    """The text that distinguishes scenes: newer fields are in it only if given."""
    said = {each.name: getattr(value, each.name) for each in fields(value)}
    for name, default in newer:
        if said[name] == default:
            del said[name]
    words = ", ".join(f"{name}={given!r}" for name, given in said.items())
    return f"{type(value).__name__}({words})"


_UNSAID: tuple[tuple[str, object], ...] = (
    ("scale", 1.0),
    ("mirror", None),
    ("vars", {}),
    ("lifetime", None),
    ("pivot", (0.0, 0.0)),
)


TAGGED = "tags."
"""The prefix of a tag where bodies are named by it: ``tags.rock``."""


@frozen
class Motion:
    """The motion or the copying of bodies.

    Attributes:
        by: the displacement, if no place is given.
        angle: the rotation about the origin of the first body.
        velocity: the velocity after the move; None keeps the present one.
        name: the name of copies, ``name[0]`` and so on; empty if nothing is copied.
    """

    by: Live = (0.0, 0.0)
    angle: Live = 0.0
    velocity: Live | None = None
    name: str = ""


MOUSE = "$mouse"
"""The place where a drag pulls to."""


@frozen
class Reach:
    """A chain of hinges that brings a point of its last body to a place.

    Attributes:
        tip: a body, or a point of one such as ``hand.points.grip``.
        joints: the hinges, from the base to the tip.
        ends: of each, whether its second body is the one nearer to the tip.
    """

    tip: str
    joints: tuple[str, ...]
    ends: tuple[bool, ...]


def in_motion(motion: Motion, live: Callable[[Any], Any]) -> Motion:
    """The same motion with its values replaced by ``live`` of them."""
    velocity = motion.velocity
    return replace(
        motion,
        by=live(motion.by),
        angle=live(motion.angle),
        velocity=velocity if velocity is None else live(velocity),
    )


@frozen
class Action:
    """An action; `core/scene/blocks/script/action_types.py` lists the types.

    Attributes:
        path: the path of the action in the file.
        name: the name of its body, joint or animation, ``$a`` and ``$b`` for those of the event;
            of an attached joint; the text of a log, the outcome of the run, or a sound: that of a
            file is its path from the scene's folder.
        values: the set values, by paths, or the added values, by variables.
        at: its place, a point or the name of a place; empty is the centre of mass.
        amount: an impulse, or how loud a sound is; 0 where the file does not say.
        radius: the radius of an explosion.
        spawn: the copy of a ``spawn``.
        joint: the attached joint, as in the file.
        destruction: the way in which a body is broken.
        motion: how bodies are moved or copied.
        reach: what reaches for the place.
    """

    kind: str
    path: str
    name: str = ""
    values: Mapping[str, Live] = field(default_factory=dict)
    at: Live = ""
    amount: Live = 0.0
    radius: float = 0.0
    spawn: Spawn | None = None
    joint: Mapping[str, Any] = field(default_factory=dict)
    destruction: Destruction | None = None
    motion: Motion | None = None
    reach: Reach | None = None

    def __repr__(self) -> str:
        """Text that distinguishes scenes; newer fields are in it only if given."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        for name in ("motion", "reach"):
            if said[name] is None:
                del said[name]
        return f"Action({', '.join(f'{name}={value!r}' for name, value in said.items())})"


def in_spawn(spawn: Spawn, live: Callable[[Any], Any]) -> Spawn:
    """The same spawn with its values replaced by ``live`` of them."""
    return replace(
        spawn,
        at=live(spawn.at),
        angle=live(spawn.angle),
        velocity=live(spawn.velocity),
        vars={key: live(value) for key, value in spawn.vars.items()},
        lifetime=live(spawn.lifetime),
    )


def in_action(action: Action, live: Callable[[Any], Any]) -> Action:
    """The same action with its values replaced by ``live`` of them."""
    return replace(
        action,
        values={key: live(value) for key, value in action.values.items()},
        at=live(action.at),
        amount=live(action.amount),
        spawn=action.spawn and in_spawn(action.spawn, live),
        motion=action.motion and in_motion(action.motion, live),
    )
