# SPDX-License-Identifier: MIT
"""Spawns copies of prototypes while a scene runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ... import _native
from ...errors import SceneError, UsageError
from ...scene import limits
from ...scene.basis import Fragment
from ...scene.blocks.placement import Placement
from ...scene.blocks.placing.pivots import box_point
from ...scene.blocks.placing.placer import Copiers, Placer
from ...scene.event_model import Prototype, Spawn
from ...scene.model import Point, Shape
from ...scene.values.portable_math import cos, sin
from ..building.copies import mould_of, placed_copies, prefixed
from ..building.primitives import convex_pieces
from ..naming.named_parts import NamedParts
from ..naming.setters import is_there
from ..spawning import Mounts, name_copies, put_in
from .copies import Copies, prototype_of
from .copy import Copy
from .ends import Lifetimes
from .failure_messages import FEWER_SPAWNS, OF_COPIES, OF_PIECES, failure, too_many
from .formulas import ActionValues
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


class SpawnPose(NamedTuple):
    """The pose of a birth, and the angular velocity of its frame."""

    placement: Placement
    spin: float


class Spawning:
    """Puts copies of prototypes into a world.

    Attributes:
        counts: the number of births of each name.
        births: the number of all bodies born.
        ends: the copies that are removed at the end of their lifetime.
    """

    def __init__(self, world: NamedParts, formulas: ActionValues, copies: Copies) -> None:
        self.world, self.formulas, self.copies = world, formulas, copies
        self.counts: dict[str, int] = {}
        self.births = 0
        self.ends = Lifetimes(world)
        self._births_now = self._tries_now = 0  # at the end of this step
        self._copiers: Copiers = {}  # of the prototypes' objects, which all stay
        self._shapes: dict[tuple[int, float, str | None], tuple[Shape, ...]] = {}
        self._pivots: dict[tuple[int, str], Point] = {}
        self._moulds: dict[tuple[str, float, str | None], _native.Mould] = {}

    def begin(self, births: int = 0, tries: int = 0) -> None:
        """Start the counts of births and tries at the end of a step; so many are done already."""
        self._births_now, self._tries_now = births, tries

    def spawn(
        self,
        spawn: Spawn,
        path: str,
        state: Mapping[str, float],
        event: Mapping[str, Any],
        names: Mapping[str, str],
        copy: Copy | None = None,
    ) -> tuple[str, ...] | None:
        """Execute a spawn; return its bodies, None if nothing was spawned.

        ``names`` are the bodies of an event by ``$a``.

        Places and directions given by a ``copy`` of a prototype are transformed with it.
        """
        self._count(1, path, copy is not None)
        return self._spawn(spawn, path, state, event, names, copy)

    def _spawn(
        self,
        spawn: Spawn,
        path: str,
        state: Mapping[str, float],
        event: Mapping[str, Any],
        names: Mapping[str, str],
        copy: Copy | None = None,
    ) -> tuple[str, ...] | None:
        """Execute a spawn that is already counted."""
        what = self._what(spawn, path, state, event)
        for _ in range(spawn.max_tries if spawn.if_free else 1):
            one = spawn
            if copy is not None:
                one = copy.spawn(self.world, spawn, path, self.formulas, state, event)
            placement = self._placement(one, what, state, event, names)
            if placement is None:
                return None
            if not one.if_free or self._is_free(what, placement.placement, path):
                lifetimes = [self.formulas.work_out(one.lifetime, state, event)]
                (born,) = self._put(one, what, [placement], lifetimes, path)
                return born
        return None

    def count_pieces(self, births: int, path: str) -> None:
        """Count the pieces of a body that is destroyed, before they are put into the world."""
        self._count_now(births, path, *OF_PIECES)
        self._count_all(births, path)

    def _count(self, births: int, path: str, by_copy: bool) -> None:
        """Raise an error at a limit of spawns, before executing any of ``births``.

        Prototypes that spawn themselves double long before the limit of bodies.
        """
        self._count_now(births, path, *(OF_COPIES if by_copy else ("", FEWER_SPAWNS)))

    def _count_now(self, births: int, path: str, by: str, way: str) -> None:
        """Count spawns at the end of this step; raise an error at the limit."""
        self._births_now += births
        if self._births_now > limits.BIRTHS_AT_ONCE:
            raise failure(self.world, path, too_many("births_at_once", by, way))

    def _count_all(self, births: int, path: str) -> None:
        """Count spawned bodies of the run; raise an error at the limit."""
        self.births += births
        if self.births > limits.BIRTHS:
            raise failure(self.world, path, too_many("births"))

    def _count_try(self, path: str) -> None:
        """Raise an error at the limit of searches for free places."""
        self._tries_now += 1
        if self._tries_now > limits.TRIES_AT_ONCE:
            raise failure(self.world, path, too_many("tries_at_once"))

    def spawn_many(self, spawn: Spawn, count: int, path: str, state: Mapping[str, float]) -> int:
        """Spawn several copies at the end of one step; return their number.

        They are put in together, unless one decides about the next.
        """
        self._count(count, path, False)
        together = (spawn.at, spawn.angle, spawn.velocity, spawn.lifetime)
        if count == 1 or spawn.if_free or spawn.vars or self.formulas.reads_run(together):
            births = [self._spawn(spawn, path, state, {}, {}) for _ in range(count)]
            return sum(each is not None for each in births)
        what = self._what(spawn, path, state, {})
        found = [self._placement(spawn, what, state, {}, {}) for _ in range(count)]
        placements = [each for each in found if each is not None]
        if placements:
            lifetimes = [self.formulas.work_out(spawn.lifetime, state, {}) for _ in placements]
            self._put(spawn, what, placements, lifetimes, path)
        return len(placements)

    def _what(
        self, spawn: Spawn, path: str, state: Mapping[str, float], event: Mapping[str, Any]
    ) -> SpawnSource:
        """The prototype, with the vars that are worked out now."""
        values = {
            key: self.formulas.work_out(each, state, event) for key, each in spawn.vars.items()
        }
        return self.make(spawn, values, path)

    def _placement(
        self,
        spawn: Spawn,
        what: SpawnSource,
        state: Mapping[str, float],
        event: Mapping[str, Any],
        names: Mapping[str, str],
    ) -> SpawnPose | None:
        """Return the pose; None if its body no longer exists."""
        world, work_out = self.world, self.formulas.work_out
        at: Point | None
        if isinstance(spawn.at, str):
            at = place_of(world, spawn.at, event, names)
        else:
            at = work_out(spawn.at, state, event)
            event = drawn_at(event, at)
        angle: float = work_out(spawn.angle, state, event)
        vx, vy = work_out(spawn.velocity, state, event)
        frame = names.get(spawn.frame, spawn.frame)
        if frame and not is_there(world, frame):
            return None
        body = world[frame] if frame else None
        if at is None:
            return None
        if body is not None and not isinstance(spawn.at, str):
            at = body.world_point(at)
        if body is not None:
            c, s = cos(body.angle), sin(body.angle)
            vx, vy = c * vx - s * vy, s * vx + c * vy
            # The velocity of the frame's body there: v + omega x r.
            (cx, cy), omega, (bx, by) = body.center_of_mass, body.angular_velocity, body.velocity
            vx += bx - omega * (at[1] - cy)
            vy += by + omega * (at[0] - cx)
            angle += body.angle
        placement = Placement(
            at=at,
            pivot=self.pivot(spawn, what),
            angle=angle,
            velocity=(vx, vy),
            scale=spawn.scale,
            mirror=spawn.mirror,
        )
        return SpawnPose(placement, body.angular_velocity if body is not None else 0.0)

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

    def _is_free(self, what: SpawnSource, placement: Placement, path: str) -> bool:
        """Whether none of the new shapes would be where another one is; sensors are in no way."""
        taken = self.world.native.is_taken
        placer = Placer(placement, str, *self._caches(what))
        for part in what.prototype.bodies.values():
            self._count_try(path)
            body = placer.body(part)
            turned = Placement(angle=body.angle)
            for shape in body.shapes:
                if shape.sensor:
                    continue
                for points in convex_pieces(shape):
                    corners = np.array([turned.direction(point) for point in points], np.float64)
                    if taken(corners, shape.radius, body.position):
                        return False
        return True

    def _caches(self, what: SpawnSource) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """The cache of placers by the identity of objects, which only lasting objects keep."""
        return (self._copiers, self._shapes) if what.is_kept else ({}, {})

    def _put(
        self,
        spawn: Spawn,
        what: SpawnSource,
        placed: Sequence[SpawnPose],
        lifetimes: Sequence[float | None],
        path: str,
    ) -> list[tuple[str, ...]]:
        """Put copies of a prototype into the world; the bodies of each."""
        world, prototype = self.world, what.prototype
        placements = [each.placement for each in placed]
        coming = len(prototype.bodies) * len(placements)
        self._count_births(coming, path)
        first = self.counts.get(spawn.name, 0)
        fragment = self._objects(spawn, what, placements)
        try:
            put_in(world, fragment, path, self._mould_of(spawn, what, fragment))
        except UsageError as error:
            raise failure(world, path, str(error).removeprefix(f"{path}: ")) from None
        born, each = [*fragment.bodies], len(prototype.bodies)
        births = [tuple(born[i : i + each]) for i in range(0, len(born), each or 1)]
        for bodies, one in zip(births, placed, strict=False):
            if one.spin != 0.0:
                self._turn(bodies, one)
        for bodies, lifetime in zip(births, lifetimes, strict=False):
            if lifetime is not None:
                self.ends.add(world.step_count, lifetime, bodies)
        if prototype.acts:
            for count, placement in enumerate(placements, start=first):
                name = f"{spawn.name}[{count}]"
                self.copies.add(name, spawn.use, what.values, prototype, placement)
        return births or [()] * len(placements)

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
        self._count(1, path, False)
        self._count_births(len(names), path)
        count = self.counts.get(name, 0)
        fragment = copied(self.world, what, names, f"{name}[{count}]", shift)
        try:
            put_in(self.world, fragment, path)
        except UsageError as error:
            raise failure(self.world, path, str(error).removeprefix(f"{path}: ")) from None
        self.counts[name] = count + 1
        return [*fragment.bodies]

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
        self._count_all(coming, path)
        native = self.world.native
        if (  # most slots are taken
            native.body_count + coming > limits.BODIES
            and int(native.alive.sum()) - 1 + coming > limits.BODIES
        ):
            raise failure(self.world, path, too_many("bodies"))

    def _turn(self, bodies: Sequence[str], placed: SpawnPose) -> None:
        """Give new bodies the rotation of the frame about its place."""
        spin, (x, y) = placed.spin, placed.placement.at
        for name in bodies:
            body = self.world[name]
            if body.definition.kind == "static":
                continue
            (cx, cy), (vx, vy) = body.center_of_mass, body.velocity
            own = 0.0 if body.definition.fixed_rotation else spin
            velocity = vx - spin * (cy - y), vy + spin * (cx - x)
            self.world.native.set_velocity(body.id, *velocity, body.angular_velocity + own)

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

    def _mould_of(
        self, spawn: Spawn, what: SpawnSource, fragment: Fragment
    ) -> Callable[[], _native.Mould] | None:
        """The source of such copies' original; none if each has vars of its own."""
        if not (what.is_kept and what.prototype.bodies):
            return None
        return partial(self._mould, (spawn.use, spawn.scale, spawn.mirror), what, fragment)

    def _mould(
        self, key: tuple[str, float, str | None], what: SpawnSource, fragment: Fragment
    ) -> _native.Mould:
        """The mould, registered once."""
        mould = self._moulds.get(key)
        if mould is None:
            first = [*islice(fragment.bodies.values(), len(what.prototype.bodies))]
            mould = self._moulds[key] = mould_of(self.world.roster.scene, first)
        return mould


def drawn_at(event: Mapping[str, Any], at: Point | None) -> Mapping[str, Any]:
    """The numbers of an event with the point of a birth, which was drawn."""
    if at is None:
        return event
    values = event if isinstance(event, dict) else dict(event)
    values["$at.x"], values["$at.y"] = at
    return values


def _split(world: NamedParts, name: str) -> tuple[str, str]:
    """The body, of the scene or one that was born, with which a place begins, and the rest."""
    owner = name
    while not world.roster.was(owner):
        owner, point, _ = owner.rpartition(".")
        if not point:
            return "", ""
    return owner, name.removeprefix(owner).removeprefix(".")


def place_of(
    world: NamedParts, name: str, event: Mapping[str, Any], names: Mapping[str, str]
) -> Point | None:
    """A point by its name; None where its body is not there any more.

    A body of an event that one of its actions took out is where it was last.
    """
    if name == "$point":
        return event["$point.x"], event["$point.y"]
    if name in names:
        owner, rest = names[name], ""
    else:
        owner, rest = _split(world, name)
    if not owner or not is_there(world, owner):
        x, y = event.get(f"{name}.x"), event.get(f"{name}.y")
        return None if x is None or y is None else (x, y)
    body = world[owner]
    return body.point(rest.removeprefix("points.")) if rest else body.position
