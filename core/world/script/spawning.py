# SPDX-License-Identifier: MIT
"""The names of what is born, and originals that are made when it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...errors import SceneError, UsageError
from ...scene import limits
from ...scene.basis import Fragment
from ...scene.blocks.placement import Placement
from ...scene.blocks.placing.pivots import box_point
from ...scene.blocks.placing.placer import Copiers, Placer
from ...scene.event_model import Prototype, Spawn
from ...scene.model import Point, Shape
from ..building.copies import placed_copies, prefixed
from ..naming.named_parts import NamedParts
from ..spawning import Mounts, name_copies, put_in, too_many_particles
from .copies import Copies, prototype_of
from .ends import Lifetimes
from .failure_messages import FEWER_SPAWNS, failure, too_many
from .sets import Shift, copied


@dataclass(frozen=True, slots=True)
class SpawnSource:
    """A prototype with evaluated vars, ready to be spawned.

    Attributes:
        values: the evaluated vars.
        is_kept: whether it is one of the scene's prototypes, or of a native program's, which last.
    """

    prototype: Prototype
    values: Mapping[str, Any]
    is_kept: bool


class Spawning:
    """What was born in a world, and what is born next.

    Attributes:
        counts: the number of births of each name.
        births: the number of all bodies born.
        ends: the copies that are removed at the end of their lifetime.
    """

    def __init__(self, world: NamedParts, copies: Copies) -> None:
        self.world, self.copies = world, copies
        self.counts: dict[str, int] = {}
        self.births = 0
        self.ends = Lifetimes()
        self._births_now = 0  # at the end of this step
        self._copiers: Copiers = {}  # of the prototypes' objects, which all stay
        self._shapes: dict[tuple[int, float, str | None], tuple[Shape, ...]] = {}
        self._pivots: dict[tuple[int, str], Point] = {}

    def begin(self, births: int) -> None:
        """Set the number of births that the present step has had so far."""
        self._births_now = births

    def pivot(self, spawn: Spawn, what: SpawnSource) -> Point:
        """The point of the prototype that is put at the place."""
        if not isinstance(spawn.pivot, str):
            return spawn.pivot
        key = id(what.prototype), spawn.pivot
        pivot = self._pivots.get(key)
        if pivot is None:
            y_down = self.world.roster.scene.units.y_down
            pivot = box_point(spawn.pivot, what.prototype.bodies, y_down)
            if what.is_kept:
                self._pivots[key] = pivot
        return pivot

    def _caches(self, what: SpawnSource) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """The cache of placers by the identity of objects, which only lasting objects keep."""
        return (self._copiers, self._shapes) if what.is_kept else ({}, {})

    def note_birth(
        self,
        spawn: Spawn,
        what: SpawnSource,
        count: int,
        pose: Sequence[float],
        taken: Mapping[str, list[int]],
        step: int,
        mounts: Mounts,
    ) -> list[str]:
        """Take notice of a copy that the native runner has put into the world; return the names of
        its actuators."""
        prototype = what.prototype
        x, y, angle, vx, vy = pose
        placement = Placement(
            at=(x, y),
            pivot=self.pivot(spawn, what),
            angle=angle,
            velocity=(vx, vy),
            scale=spawn.scale,
            mirror=spawn.mirror,
        )
        self.births += len(prototype.bodies)
        self.counts[spawn.name] = count
        fragment = self._objects(spawn, what, [placement])
        name_copies(self.world, fragment, taken, step, mounts)
        return [*fragment.actuators]

    def put_copies(
        self, what: str, names: Sequence[str], name: str, shift: Shift, path: str
    ) -> list[str]:
        """Add copies of bodies in their present state; return their names."""
        self._births_now += 1
        if self._births_now > limits.BIRTHS_AT_ONCE:
            raise failure(self.world, path, too_many("births_at_once", "", FEWER_SPAWNS))
        self._count_births(len(names), path)
        count = self.counts.get(name, 0)
        fragment = copied(self.world, what, names, f"{name}[{count}]", shift)
        try:
            put_in(self.world, fragment, path)
        except UsageError as error:
            raise failure(self.world, path, str(error).removeprefix(f"{path}: ")) from None
        self.counts[name] = count + 1
        return [*fragment.bodies]

    def consent(self, what: SpawnSource, births: int, path: str) -> None:
        """Stop at the limits of particles before so many births."""
        new = [*what.prototype.particles.values()] * births
        if problem := too_many_particles(self.world, new):
            raise failure(self.world, path, problem)

    def make(self, spawn: Spawn, values: Mapping[str, Any], path: str) -> SpawnSource:
        """The prototype of the next birth, with these vars."""
        name = f"{spawn.name}[{self.counts.get(spawn.name, 0)}]"
        try:
            prototype = prototype_of(self.world, spawn.use, values, name)
        except SceneError as error:
            told = "; ".join(f"{each.path}: {each.message}" for each in error.problems)
            raise failure(self.world, path, told) from None
        except UsageError as error:
            raise failure(self.world, path, str(error)) from None
        is_kept = prototype is self.world.roster.scene.prototypes.get(spawn.use)
        return SpawnSource(prototype, values, is_kept)

    def _count_births(self, coming: int, path: str) -> None:
        """Stop at the limits of the bodies in a run, and of those that are there."""
        self.births += coming
        if self.births > limits.BIRTHS:
            raise failure(self.world, path, too_many("births"))
        native = self.world.native
        if (  # most slots are taken
            native.body_count + coming > limits.BODIES
            and int(native.alive.sum()) - 1 + coming > limits.BODIES
        ):
            raise failure(self.world, path, too_many("bodies"))

    def _objects(
        self, spawn: Spawn, what: SpawnSource, placements: Sequence[Placement]
    ) -> Fragment:
        """The objects of copies, which are called by their numbers."""
        prototype, first = what.prototype, self.counts.get(spawn.name, 0)
        self.counts[spawn.name] = first + len(placements)
        caches = self._caches(what)
        placers = (
            Placer(placement, partial(prefixed, f"{spawn.name}[{count}]."), *caches)
            for count, placement in enumerate(placements, start=first)
        )
        return placed_copies(prototype, placers)
