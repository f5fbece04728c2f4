# SPDX-License-Identifier: MIT
"""The script of a scene, all it does while it runs besides its physics, as plain data.

Times are scene time, angles in radians, and every name is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from ..frozen import frozen
from .action_model import Action
from .action_model import Destruction as Destruction
from .action_model import Kick as Kick

Value = float | bool | str | tuple[float, ...]
"""Values of settings: a number, a switch, a word, or a point or a range."""

AnimationKind = Literal["once", "loop", "ping_pong", "manual"]
Easing = Literal["linear", "smooth", "hold", "cubic"]


@frozen
class Track:
    """The values of one setting along an animation.

    Attributes:
        path: the setting, such as ``knee.motor.position``.
        times: parts of the duration, 0 to 1, ascending.
        values: one at each time.
        easing: the interpolation between values.
    """

    path: str
    times: tuple[float, ...]
    values: tuple[Value, ...]
    easing: Easing


@frozen
class Animation:
    """Set-points over time.

    Attributes:
        kind: ``once`` plays by time and stays at its end, ``loop`` repeats, ``ping_pong`` goes
            forth and back, ``manual`` moves while a key is held.
        duration: the time from 0 to 1.
        start: its phase at the start, 0 to 1; of ``ping_pong`` up to 2, above 1 on the way back.
        return_to: the phase to which a manual one returns without a key; None stays.
        enabled: whether it plays at the start of the run.
    """

    name: str
    kind: AnimationKind
    duration: float
    tracks: tuple[Track, ...]
    start: float = 0.0
    return_to: float | None = None
    enabled: bool = True


@frozen
class Control:
    """The actions of a key.

    Attributes:
        forward: the manual animations that move forward while it is held.
        backward: those that move backward.
        holds: the actuators that act while it is held.
        sets: the settings when it is pressed, by paths.
        on_release: the settings when it is released.
        actions: the actions when it is pressed.
        released: the actions when it is released.
        every: the period of their repetition while it is held; None is never.
    """

    key: str
    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    sets: Mapping[str, Value] = field(default_factory=dict)
    on_release: Mapping[str, Value] = field(default_factory=dict)
    # Not in the text that distinguishes scenes if there are none.
    actions: tuple[Action, ...] = field(default=(), repr=False)
    every: float | None = field(default=None, repr=False)
    released: tuple[Action, ...] = field(default=(), repr=False)

    @property
    def all_actions(self) -> tuple[Action, ...]:
        """The actions of pressing and releasing the key."""
        return (*self.actions, *self.released)

    @property
    def size(self) -> int:
        """Its size for limits; an action counts twice."""
        held = len(self.forward) + len(self.backward) + len(self.holds)
        return held + len(self.sets) + len(self.on_release) + 2 * len(self.all_actions)

    @property
    def only_holds(self) -> bool:
        """Whether it only holds actuators active."""
        moves = self.forward or self.backward
        return not (moves or self.sets or self.on_release or self.all_actions)


@frozen
class KeyPress:
    """A key that is held from one time to another."""

    key: str
    start: float
    until: float


@frozen
class TimedSetting:
    """Values that are set, and actions, at one time."""

    at: float
    sets: Mapping[str, Value]
    actions: tuple[Action, ...] = field(default=(), repr=False)


Step = tuple[float, float, float]
"""When, and to which point of the world."""


@frozen
class Drag:
    """A body that is pulled by a point of it from one time to another, as with a mouse.

    Attributes:
        point: in the body's coordinates.
        path: where it is pulled to; from the beginning to the first, and from each time on to the
            next.
        max_force: the largest force.
    """

    body: str
    point: tuple[float, float]
    start: float
    until: float
    path: tuple[Step, ...]
    max_force: float


InputEntry = KeyPress | TimedSetting | Drag
"""One entry of the recorded player's input."""
