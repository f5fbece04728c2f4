# SPDX-License-Identifier: MIT
"""Spawned copies of prototypes with scripts of their own, for their whole life.

Their script is stored once for all of them (``plans.py``); a copy has its name and its pose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import SceneError, UsageError
from ...scene import limits
from ...scene.basis import basis_of
from ...scene.blocks.placement import Placement
from ...scene.event_model import EventRule, Prototype
from ..naming.named_parts import NamedParts
from ..saved import (
    different,
    known,
    listed,
    need,
    record,
    whole,
)
from .animations import Animations
from .copy import Copy
from .event_conditions import LISTENS, Occurrence
from .plans import CopyPlan

NUMBERS = 1 << 24  # of the rules of a copy, which come after those of the copies before it
ASKED = -1  # instead of the number of a rule: actions of a copy's key


class Copies:
    """The copies of one world with a script.

    Attributes:
        all: all copies by their serial numbers, in the order of their births.
        gone: copies without bodies that have pending actions.
        of_bodies: the names of their bodies.
        births: the number of all spawns.
        listens: whether any copy needs begin and end events of contacts.
    """

    def __init__(self, world: NamedParts, animations: Animations) -> None:
        scene = world.roster.scene
        self.world, self._animations = world, animations
        self.first = len(scene.events)
        self.all: dict[int, Copy] = {}
        self.gone: dict[int, Copy] = {}
        self.of_bodies: set[str] = set()
        self.births = 0
        self._plans: dict[tuple[Any, ...], CopyPlan] = {}
        self.listens = any(
            rule.kind in LISTENS for each in scene.prototypes.values() for rule in each.events
        )

    # ------------------------------------------------------------ births and ends

    def _take(self, copy: Copy) -> None:
        self.all[copy.serial] = copy
        self.of_bodies |= {copy.full(body) for body in copy.there}
        self.listen(copy.plan.prototype)

    def listen(self, prototype: Prototype) -> None:
        """Have the engine tell of contacts if copies of a prototype need it."""
        if not self.listens and any(rule.kind in LISTENS for rule in prototype.events):
            self.listens = True
            self.world.native.enable_contact_events(True)

    def plan(self, use: str, values: Mapping[str, Any], prototype: Prototype) -> CopyPlan:
        """The script of the copies of a prototype with these vars."""
        key = (use, *sorted(values.items()))
        plan = self._plans.get(key)
        if plan is None or plan.prototype is not prototype:
            if len(self._plans) > limits.PROTOTYPES_KEPT:
                self._plans = {}
            plan = self._plans[key] = CopyPlan(prototype)
        return plan

    # ------------------------------------------------------------ what was found

    def _serial(self, found: Occurrence) -> int:
        """Return the copy of a rule or key; -1 for those of the scene."""
        number = found.order[0]
        if number == ASKED:
            return found.order[1]
        return (number - self.first) // NUMBERS if number >= self.first else -1

    def copy_of(self, found: Occurrence) -> Copy | None:
        """Return the copy of an event; None for events of the scene."""
        serial = self._serial(found)
        return None if serial < 0 else self.all.get(serial) or self.gone[serial]

    def place_of(self, found: Occurrence) -> int:
        """The index of a found event among its copy's rules."""
        return (found.order[0] - self.first) % NUMBERS

    def rule_of(self, found: Occurrence) -> EventRule:
        """The event of a copy that was found."""
        copy = self.copy_of(found)
        assert copy is not None
        return copy.plan.rules[self.place_of(found)]

    # ------------------------------------------------------------ saving

    SAVED = record(births=whole(), all=listed(Copy.SAVED), gone=listed(Copy.SAVED))

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        return {
            "births": self.births,
            "all": [copy.save() for copy in self.all.values()],
            "gone": [copy.save() for copy in self.gone.values()],
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the data of ``save``, checked by ``SAVED``, in a world with restored bodies.

        Raises UnfitError for impossible copies.
        """
        self.births = saved["births"]
        different((each[0][3] for each in (*saved["all"], *saved["gone"])), "copies")
        different((each[0][0] for each in saved["all"]), "copies.all")
        there = [self._restored(each) for each in saved["all"]]
        for copy in there:
            need(copy.there, f"copies.{copy.name}", "has no body")
        self.replace(there, map(self._restored, saved["gone"]))

    def replace(self, there: Iterable[Copy], gone: Iterable[Copy]) -> None:
        """Have these copies, whose animations have begun, in place of all others."""
        for copy in self.all.values():
            for animation in copy.plan.prototype.animations:
                self._animations.remove(copy.full(animation))
        self.all, self.gone, self.of_bodies = {}, {}, set()
        for copy in there:
            self._take(copy)
            for plan in copy.plan.prototype.animations.values():
                self._animations.add(copy, plan)
        self.gone = {copy.serial: copy for copy in gone}

    def _restored(self, saved: list[Any]) -> Copy:
        (name, use, values, serial, born), place, there, was, fired, inside, *rest = saved
        spawned, living = rest
        where = f"copies.{name}"
        need(serial < self.births, where, "was born after the last one")
        need(born <= self.world.step_count, where, "is not born yet")
        at, angle, scale, mirror, velocity, pivot = place
        need(scale > 0.0, where, "its scale must be above 0")
        placement = Placement(
            at=(at[0], at[1]),
            pivot=(pivot[0], pivot[1]),
            angle=angle,
            scale=scale,
            mirror=mirror,
            velocity=(velocity[0], velocity[1]),
        )
        try:
            prototype = prototype_of(self.world, use, values, name)
        except (SceneError, UsageError) as error:
            raise UsageError(f"the state has `{name}`, which {error}") from None
        plan = self.plan(use, values, prototype)
        known(there, prototype.bodies, where, "body")
        need(len(was) in (0, len(plan.conditions)), where, "has other conditions")
        known((str(i) for i, _ in inside), {*map(str, plan.leaving)}, where, "region")
        known((*spawned, *living), plan.spawners, where, "spawner")
        return Copy(
            name,
            use,
            values,
            placement,
            plan,
            serial,
            born,
            dict.fromkeys(there),
            list(was),
            set(fired),
            {i: set(names) for i, names in inside},
            dict(spawned),
            {name: [tuple(bodies) for bodies in births] for name, births in living.items()},
        )


def prototype_of(world: NamedParts, use: str, values: Mapping[str, Any], name: str) -> Prototype:
    """The original of a copy of this name. SceneError, UsageError if it cannot be built."""
    scene = world.roster.scene
    if not values and use in scene.prototypes:
        return scene.prototypes[use]
    basis = basis_of(scene)
    if basis is None or basis.prototype_builder is None:
        raise UsageError(
            "has vars that are worked out while it runs, which needs the scene as it was read "
            "from a text in this process; load it with `load` or `loads`"
        )
    born: Prototype = basis.prototype_builder.born(use, values, name)
    return born
