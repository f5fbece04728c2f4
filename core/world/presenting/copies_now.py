# SPDX-License-Identifier: MIT
"""Scripts of spawned copies as events, keys, spawners and animations of a scene that begins now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...scene.blocks.placing.placer import Placer
from ...scene.blocks.script.controls import Joined
from ...scene.blocks.script.event_placer import EventPlacer
from ...scene.blocks.settings.settable import find_owner
from ...scene.event_model import EventRule, Spawner
from ...scene.script import Animation, Control
from ..naming.named_parts import NamedParts
from ..script.copy import Copy
from .times import event_from_now, spawner_from_now


class PlacementError(Exception):
    """A part of a copy's script that its placement excludes from a scene's own."""


class CopyScripts:
    """The scripts of all copies of one world, in the names and axes of the new scene."""

    def __init__(self, world: NamedParts, name: Callable[[str], str], left_out: list[str]) -> None:
        """``name`` returns the name in the new scene of a name of the world.

        Parts that no scene can have are added to ``left_out``, each with its reason.
        """
        self._world, self._name, self.left_out = world, name, left_out
        copies = () if world.script is None else world.script.copies.all.values()
        self._copies = [(copy, self.placer(copy)) for copy in copies]

    def placer(self, copy: Copy) -> EventPlacer:
        """Places events and actions of a copy."""

        def refuse(message: str, _: str) -> PlacementError:
            return PlacementError(f"`{copy.name}`: {message}")

        def name(local: str) -> str:
            found = find_owner(local, copy.plan.objects)
            if found is None or not found[2]:
                return self._name(copy.full(local))
            return f"{self._name(copy.full(found[1]))}.{found[2]}"

        placer = Placer(copy.placement, name, {}, {}, objects=copy.plan.objects)
        return EventPlacer(placer, copy.plan.objects, "", "", refuse=refuse, called=str)

    def events(self) -> Iterator[EventRule]:
        """The events that may happen yet, by times from now on."""
        for copy, placer in self._copies:
            for i, rule in enumerate(copy.plan.prototype.events):
                if i in copy.fired:
                    continue
                now = event_from_now(rule, self._step - copy.born, self._world.roster.scene.world)
                if now is not None:
                    placed = self.attempt(placer.rule, now)
                    if placed is not None:
                        yield placed

    def spawners(self) -> Iterator[Spawner]:
        """The spawners with remaining spawns."""
        for copy, placer in self._copies:
            dt = self._world.roster.scene.world.dt
            since = (self._step - copy.born) * dt
            for name, each in copy.plan.prototype.spawners.items():
                now = spawner_from_now(each, copy.spawned.get(name, 0), since, dt)
                placed = None if now is None else self.attempt(placer.spawner, now)
                if placed is not None:
                    yield placed

    def animations(self) -> Iterator[tuple[str, Animation]]:
        """The animations, with the names in the world that their phases are kept by."""
        for copy, placer in self._copies:
            for name, each in copy.plan.prototype.animations.items():
                yield copy.full(name), placer.placer.animation(each, copy.plan.objects)

    def controls(self, own: Mapping[str, Control]) -> dict[str, Control]:
        """The keys of the scene with the effects that they have on copies."""
        joined: dict[str, Joined] = {}
        for key, control in own.items():
            joined.setdefault(key, Joined()).merge(control)
        for copy, placer in self._copies:
            for key, control in copy.plan.prototype.controls.items():
                its = self.attempt(_control, placer, key, control)
                if its is None:
                    continue
                keys = joined.setdefault(key, Joined())
                if keys.fits(its):
                    keys.merge(its)
                else:
                    self.left_out.append(
                        f"the key `{key}` of `{copy.name}`, whose `every` is another than elsewhere"
                    )
        return {key: each.control() for key, each in joined.items()}

    @property
    def _step(self) -> int:
        return self._world.step_count

    def attempt(self, place: Callable[..., Any], *given: Any) -> Any:
        """Place a part; None, and a reason in ``left_out``, where no scene can have it."""
        try:
            return place(*given)
        except PlacementError as refused:
            self.left_out.append(str(refused))
            return None


def _control(placer: EventPlacer, key: str, control: Control) -> Control:
    """A control of a prototype as a copy has it."""
    return replace(
        placer.placer.control(key, control, placer.objects),
        actions=tuple([placer.action(action) for action in control.actions]),
        released=tuple([placer.action(action) for action in control.released]),
    )
