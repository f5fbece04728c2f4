# SPDX-License-Identifier: MIT
"""The state of animations, and where they place bodies at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from ...scene.script import Animation
from ..naming.named_parts import NamedParts
from ..naming.setters import Setter, find_setter
from ..saved import fixed, flag, listed, need, number, optional, same_names, table, whole
from .copy import Copy
from .tracks import first_phase, value_at


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

    def passed(self, step: int, dt: float) -> float:
        """The start with which it would be where it is after a step, on the same way."""
        if self.plan.kind != "ping_pong" or self.begun is None:
            return self.phase
        passed = self.plan.start + (step - self.begun) * dt / self.plan.duration
        return passed - 2.0 * floor(0.5 * passed)


def _begun(plan: Animation, setters: Sequence[Setter], step: int) -> Playing:
    plays = plan.enabled and plan.kind != "manual"
    waits = plan.kind != "manual" and not plan.enabled
    return Playing(plan, tuple(setters), step if plays else None, first_phase(plan), waits)


class Animations:
    """All animations of a world."""

    def __init__(self, world: NamedParts, plans: Sequence[Animation]) -> None:
        self._world = world
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
