# SPDX-License-Identifier: MIT
"""A spawned copy with a script, from its spawn to the removal of its last body.

It has its name and its placement. Its values are evaluated, and moved to that placement, when an
event needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...record.channels import Channel
from ...scene.action_model import in_motion
from ...scene.blocks.placement import Placement
from ...scene.blocks.placing.placer import Placer
from ...scene.blocks.script.event_placer import EventPlacer
from ...scene.blocks.settings.settable import find_owner
from ...scene.event_model import Action, Live, Spawn
from ...scene.script import Control, Value
from ..aggregates import tally
from ..naming.named_parts import NamedParts
from ..naming.setters import Setter
from ..saved import POINT, either, fixed, flag, listed, number, optional, table, text, whole, word
from .failure_messages import failure
from .formulas import OWN, ActionValues
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
        placed: its transformed controls, from their first use on.
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
    placed: dict[str, Control] | None = None

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
        if self.placed is None:
            placer, objects = self.placer(), self.plan.objects
            self.placed = {
                key: replace(
                    placer.control(key, each, objects),
                    actions=each.actions,
                    released=each.released,
                )
                for key, each in self.plan.keys.items()
            }
        return self.placed

    def set_all(self, world: NamedParts, values: Mapping[str, Value]) -> None:
        """Set values of the copy, by paths of the prototype."""
        for path, value in values.items():
            self.setter(world, path).set(value)

    def hold(self, world: NamedParts, control: Control, held: Iterable[str]) -> None:
        """Let a control's actuators act while a key is held that holds them."""
        own = [self.keys[key] for key in held if key in self.keys]
        for name in control.holds:
            acts = any(name in each.holds for each in own)
            self.setter(world, f"{name}.enabled").set(acts)

    def read(self, world: NamedParts, name: str) -> float:
        """The state of one of its objects; removed objects have none."""
        channel = self.plan.channel(name)
        owner = self.full(channel.owner)
        if not is_known(world, channel.kind, owner):
            return when_gone(channel)
        if channel.is_sum:
            return tally(world, replace(channel, owner=owner))
        codes = world.roster.channel_codes([replace(channel, owner=owner)])
        return float(world.native.sample(codes)[0])

    def action(
        self, world: NamedParts, action: Action, formulas: ActionValues, state: Any, event: Any
    ) -> Action:
        """An action of the prototype, placed for this copy."""

        def work_out(value: Live) -> Any:
            return formulas.work_out(value, state, event)

        amount = work_out(action.amount)
        if action.kind == "sound" and amount == 0.0 != action.amount:
            amount = -1.0  # silent; 0 is the volume of those without one
        settled = replace(
            action,
            values={key: work_out(value) for key, value in action.values.items()},
            at=work_out(action.at),
            amount=amount,
            spawn=None,
            motion=action.motion and in_motion(action.motion, work_out),
        )
        return self._events(world, action.path).action(settled)

    def spawn(
        self,
        world: NamedParts,
        spawn: Spawn,
        path: str,
        formulas: ActionValues,
        state: Any,
        event: Any,
    ) -> Spawn:
        """A spawn of the prototype, placed for this copy."""
        at = formulas.work_out(spawn.at, state, event)
        if not isinstance(at, str):
            event["$at.x"], event["$at.y"] = at
        settled = replace(
            spawn,
            at=at,
            angle=formulas.work_out(spawn.angle, state, event),
            velocity=formulas.work_out(spawn.velocity, state, event),
            vars={},
            lifetime=formulas.work_out(spawn.lifetime, state, event),
        )
        return self._events(world, path).spawn(settled, path)

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


def when_gone(channel: Channel) -> float:
    """Readings of a removed object: none, except that a joint is broken."""
    return 1.0 if channel.quantity == "broken" else 0.0


def is_known(world: NamedParts, kind: str, owner: str) -> bool:
    """Whether an object that was born is still known by its name."""
    if kind == "actuator":
        return owner in world.actuators.definitions
    return owner in (world.roster.joints if kind == "joint" else world.roster.ids)


def read(world: NamedParts, channel: Channel) -> float:
    """The present number of one channel."""
    if channel.is_sum:
        return tally(world, channel)
    return float(world.native.sample(world.roster.channel_codes([channel]))[0])


class EventValues(dict[str, float]):
    """The values of an event; the state of its bodies is read on demand.

    ``whose`` is the copy that has the event, with objects of its own.
    """

    def __init__(
        self,
        world: NamedParts,
        names: Mapping[str, str],
        values: Mapping[str, float],
        whose: Copy | None = None,
    ) -> None:
        super().__init__(values)
        self._world, self._names, self.whose = world, names, whose

    def __missing__(self, key: str) -> float:
        if self.whose is not None and key.startswith(OWN):
            value: float = self.whose.read(self._world, key.removeprefix(OWN))
        else:
            owner, _, quantity = key.partition(".")
            body = self._names[owner]
            value = read(self._world, Channel(key, "body", body, quantity))
        self[key] = value
        return value
