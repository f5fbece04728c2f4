# SPDX-License-Identifier: MIT
"""A spawned copy with a script, from its spawn to the removal of its last body.

It has its name and its placement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...scene.blocks.placement import Placement
from ...scene.blocks.placing.placer import Placer
from ...scene.blocks.script.event_placer import EventPlacer
from ...scene.blocks.settings.settable import find_owner
from ...scene.event_model import Action
from ...scene.script import Control
from ..naming.named_parts import NamedParts
from ..naming.setters import Setter
from ..saved import POINT, either, fixed, flag, listed, number, optional, table, text, whole, word
from .event_conditions import RELEASED
from .failure_messages import failure
from .plans import CopyPlan


@dataclass(slots=True, eq=False)
class Copy:
    """One copy.

    Attributes:
        name: the prefix of the names of its objects: ``rock[3]``.
        use, values: the prototype, and its vars if they were evaluated at its birth.
        serial: the number of earlier copies.
        born: the step of its birth.
        there: its existing bodies, by the prototype's names.
        was: the conditions that were true.
        fired: the rules with ``once`` that happened.
        inside: the bodies inside the region of a rule.
        spawned: the number of births of its spawners.
        living: the bodies of spawners with `alive`, birth by birth.
    """

    name: str
    use: str
    values: Mapping[str, Any]
    placement: Placement
    plan: CopyPlan
    serial: int
    born: int
    there: dict[str, None]
    was: list[bool] = field(default_factory=list)
    fired: set[int] = field(default_factory=set)
    inside: dict[int, set[str]] = field(default_factory=dict)
    spawned: dict[str, int] = field(default_factory=dict)
    living: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)

    def full(self, name: str) -> str:
        """The name in the world of something of the prototype."""
        return name if name == "world" else f"{self.name}.{name}"

    def placer(self) -> Placer:
        """Places values, under the prototype's names."""
        return Placer(self.placement, str, {}, {})

    def setter(self, world: NamedParts, path: str) -> Setter:
        """The setter of a path of the prototype in this copy."""
        found = find_owner(path, self.plan.objects)
        assert found is not None
        _, owner, name = found
        return Setter(world, self.full(path), self.full(owner), name)

    @property
    def keys(self) -> Mapping[str, Control]:
        """The controls of this copy, with placed values."""
        placer, objects = self.placer(), self.plan.objects
        return {
            key: replace(
                placer.control(key, each, objects),
                actions=each.actions,
                released=each.released,
            )
            for key, each in self.plan.keys.items()
        }

    def asked(self, place: int) -> tuple[str, bool]:
        """The key that has asked for actions, by their place, and whether by its release."""
        released, at = divmod(place, len(self.plan.keys))
        return [*self.plan.keys][at], bool(released)

    def asked_path(self, place: int) -> str:
        """The path of what a key has asked for."""
        key, released = self.asked(place)
        return f"{self.name}.controls.{key}{RELEASED if released else ''}"

    def target(self, world: NamedParts, action: Action, path: str) -> str:
        """The path in the world that a setting of an action of the prototype has for this copy."""
        value = action.values[path]
        if isinstance(value, tuple):
            value = 0.0, 0.0
        elif not isinstance(value, (bool, str)):
            value = 0.0
        settled = replace(action, values={path: value})
        (found,) = self._events(world, action.path).action(settled).values
        return found

    def called(self, world: NamedParts, action: Action) -> str:
        """The name in the world that an action of the prototype speaks of."""
        return self.attaching(world, action).name

    def attaching(self, world: NamedParts, action: Action) -> Action:
        """An action of the prototype with its names and its joint, placed for this copy."""
        settled = replace(action, values={}, at="", amount=0.0, spawn=None, motion=None)
        return self._events(world, action.path).action(settled)

    def _events(self, world: NamedParts, path: str) -> EventPlacer:
        return EventPlacer(
            Placer(self.placement, self.full, {}, {}),
            self.plan.objects,
            "",
            "",
            refuse=lambda message, _: failure(world, path, f"`{self.name}`: {message}"),
            called=str,
        )

    SAVED = fixed(
        fixed(text, text, table(either(number, flag, text, listed(number))), whole(), whole()),
        fixed(POINT, number, number, optional(word("x", "y")), POINT, POINT),
        listed(text),
        listed(flag),
        listed(whole()),
        listed(fixed(whole(), listed(text))),
        table(whole()),
        table(listed(listed(text))),
    )

    def save(self) -> list[Any]:
        """The copy as JSON data."""
        place = self.placement
        return [
            [self.name, self.use, dict(self.values), self.serial, self.born],
            [place.at, place.angle, place.scale, place.mirror, place.velocity, place.pivot],
            [*self.there],
            self.was,
            sorted(self.fired),
            [[i, sorted(names)] for i, names in sorted(self.inside.items())],
            self.spawned,
            self.living,
        ]
