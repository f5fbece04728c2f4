# SPDX-License-Identifier: MIT
"""A running world as its parts see it.

``World`` is on top of them all: it owns them and hands itself to them. Its interface for them is
here, so that each part can be read and tested without the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ... import _native
from ...record.frame import Sight
from ...record.recorder import Event
from ...scene import model
from .actuators import Actuators
from .registry import Registry

Vector = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MotorState:
    """The last settings of a motor: its target, its strength, and whether it runs."""

    target: float
    strength: float
    enabled: bool


def first_motor(motor: model.Motor) -> MotorState:
    """The settings of a motor at the start."""
    target = (motor.position if motor.speed is None else motor.speed) or 0.0
    return MotorState(target, motor.max_force, motor.enabled)


class Scripted(Protocol):
    """A scene's script besides its physics (``script/script.py``), as the rest of a world uses it.

    Attributes:
        reactions: reactions after steps; None if none are possible.
        player: inputs from outside.
        animations, copies: the scene's animations, and spawned copies.
    """

    player: Any

    @property
    def reactions(self) -> Any: ...
    @property
    def animations(self) -> Any: ...
    @property
    def copies(self) -> Any: ...
    @property
    def steps(self) -> int:
        """The number of steps that were made."""

    def run(self, end: int, rows: Any = None) -> None:
        """Step up to ``end`` at most; ``rows`` take channels of these steps."""

    @property
    def state(self) -> Mapping[str, float]:
        """The state variables."""

    @property
    def ending(self) -> tuple[str, int] | None:
        """The outcome of the run, and its last step."""

    @property
    def listens(self) -> bool:
        """Whether it needs to know when bodies start and stop touching."""

    def prepare(self, end: int) -> int:
        """Execute due inputs before the next step; return the step up to which to step."""

    def finish(self) -> None:
        """Execute due reactions after these steps."""

    def hear(self, told: list[Event]) -> None:
        """Take in events of the engine."""

    def note_death(self, body: model.Body, number: int) -> None:
        """Note a removed body."""

    def note_end(self, joint: str) -> None:
        """Note a removed joint."""

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""

    def restored(self, saved: Any) -> Scripted:
        """The script with the data of ``save``."""

    def fork(self, world: Any) -> Scripted:
        """Copy for a world forked from this one's."""


class Probing(Protocol):
    """The probes of a scene (``probes.py``), as the rest of a world uses them."""

    def value(self, name: str, quantity: str) -> float:
        """One present reading of a probe."""

    def sights(self) -> tuple[Sight, ...]:
        """The present findings of all probes."""

    def fork(self, world: Any) -> Probing:
        """The same for a world that was made from this one's."""


class Viewing(Protocol):
    """The view of the scene's camera (``viewing.py``), as the rest of a world uses it.

    Attributes:
        is_followed: whether it is moved at each step.
    """

    is_followed: bool

    def value(self, quantity: str) -> float:
        """A present number of the view."""

    def move(self) -> None:
        """Move it at the end of a step."""

    def look(self, number: int, step: int, bodies: Sequence[float]) -> float:
        """A number of the view in the middle of a native run, or -1 to move it."""

    def save(self) -> list[float]:
        """The state of the camera."""

    def restore(self, saved: Sequence[float]) -> None:
        """Be as ``save`` said."""

    def fork(self, world: Any) -> Viewing:
        """The same for another world of the scene."""


class WorldParts(Protocol):
    """The attributes that the parts of a world share; ``World`` describes them."""

    native: _native.World
    roster: Registry
    actuators: Actuators
    motors: dict[str, MotorState]
    targets: dict[str, Vector]
    springs: dict[str, model.Spring]
    lengths: dict[str, Vector]
    handles: dict[str, Any]
    added_handles: dict[str, Any]
    tells_births: bool
    tells_contacts: bool
    told: list[Event]
    warned: list[str]
    came: list[str]
    gone: dict[str, int]
    removals: int
    acts: bool
    script: Scripted | None
    probes: Probing
    view: Viewing

    @property
    def scene(self) -> model.Scene:
        """The scene, including existing additions."""

    @property
    def step_count(self) -> int:
        """Number of steps done."""

    @property
    def time(self) -> float:
        """Scene time."""

    @property
    def state(self) -> dict[str, float]:
        """The scene's state variables."""

    @property
    def physics_hash(self) -> str:
        """The hash of all in the scene, as it began, that decides its motion."""

    def remove(self, name: str) -> list[str]:
        """Take a body, a joint or an actuator out of the world."""
