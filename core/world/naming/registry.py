# SPDX-License-Identifier: MIT
"""Registry: the registry of a running world, by names and by the engine's slots and ids.

The scene's own objects are in it for good, in the order of the scene, whether they are still there
or not. What was added comes after them in the order of its birth, and leaves when it is removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...errors import UnknownNameError, UsageError, unknown_name
from ...record.channels import Channel
from ...scene.blocks.settings.settable import TYPES
from ...scene.model import Actuator, Body, Emitter, Joint, Point, Scene
from ...scene.plain import part_from_plain, plain
from ..building.assembly import WORLD_BODY, found_bars
from ..building.engines import SOLVER_CHANNELS
from ..saved import (
    UnfitError,
    anything,
    different,
    fixed,
    flag,
    known,
    listed,
    need,
    record,
    table,
    text,
    whole,
)
from .ids import slot_of
from .used_names import UsedNames

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]

_FEWEST_POINTS = {
    "circle": 1,
    "capsule": 2,
    "segment": 2,
    "polygon": 3,
    "chain": 2,
    "half_space": 2,
}


@dataclass(frozen=True, slots=True)
class Lineup:
    """The members of a registry at a moment, in the order of pictures and tables.

    Attributes:
        scene: the scene with these bodies, joints and actuators.
        slots: [bodies] and [joints] the engine's slots.
        rows: the row of the body in each slot, -1 where there is none.
        bars: [bars, 3] the engine's channel and slot of the push and pull of bars, and their rows.
        centers: [bodies, 2] the centres of mass, each in its body's coordinates.
        dynamic: [bodies] whether each is dynamic in the scene.
    """

    scene: Scene
    slots: NDArray[np.intp]
    joint_slots: NDArray[np.intp]
    rows: Int32
    bars: Int32
    centers: Float64
    dynamic: NDArray[np.bool_]


class Registry:
    """The members of one world.

    Attributes:
        scene: the scene that the world began with.
        bodies: all by name, also joints and actuators.
        ids: of bodies.
        joint_ids: of joints.
        points: the engine's slots of named points, by body and point.
        born: the names of bodies that were added, by slot.
        visible: of bodies for which that was set, whether they are drawn.
        particles: the emitters that were added, as long as their bodies are there.
        tagged: the ids of bodies by their tags and names.
        kept: ids below this are those of the scene's own bodies, and likewise of joints.
        version: changes when anything is added or removed.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.bodies: dict[str, Body] = dict(scene.bodies)
        self.joints: dict[str, Joint] = dict(scene.joints)
        self.ids = {name: slot for slot, name in enumerate(scene.bodies, start=1)}
        self.joint_ids = {name: slot for slot, name in enumerate(scene.joints)}
        named = ((body.name, point) for body in scene.bodies.values() for point in body.points)
        self.points = {key: slot for slot, key in enumerate(named)}
        self.born: dict[int, str] = {}
        self.particles: dict[str, Emitter] = {}
        self._emitters: dict[str, list[str]] = {}  # by body
        self.tagged: dict[str, dict[str, int]] = {}
        self.visible: dict[str, bool] = {}
        self._tag(scene.bodies.values())
        self.kept, self.kept_joints = 1 + len(scene.bodies), len(scene.joints)
        self.version = 0
        self.used = UsedNames()
        self._names = ["world", *scene.bodies]
        self._joint_names = list(scene.joints)
        self._born_joints: dict[int, str] = {}
        self._held: dict[str, dict[str, None]] = {}  # joints and actuators by body, links by joint
        for joint in scene.joints.values():
            self._hold(joint.name, (joint.body_a, joint.body_b, *joint.links))
        for actuator in scene.actuators.values():
            self._hold(actuator.name, actuator.bodies)
        self._lineup: tuple[int, Lineup] | None = None

    # ------------------------------------------------------------ names

    def is_own(self, name: str) -> bool:
        """Whether the scene itself has an object of that name."""
        scene = self.scene
        return name in scene.bodies or name in scene.joints or name in scene.actuators

    def was(self, name: str) -> bool:
        """Whether something has, or had, the name."""
        return self.is_own(name) or name in self.used

    def unknown(self, what: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """The error for a name that does not exist, or no longer does."""
        if name in self.used:
            return UnknownNameError(f"there is no {what} {name!r} any more: it was removed")
        return unknown_name(what, name, known)

    def body_name(self, slot: int) -> str:
        slot = slot_of(slot)
        return self._names[slot] if slot < len(self._names) else self.born[slot]

    def joint_name(self, slot: int) -> str:
        slot = slot_of(slot)
        own = self._joint_names
        return own[slot] if slot < len(own) else self._born_joints[slot]

    def index(self, names: Iterable[str]) -> dict[str, int]:
        """The slots of bodies, and of ``world``."""
        slots = {name: slot_of(self.ids[name]) for name in names if name != "world"}
        return {**slots, "world": WORLD_BODY}

    def held(self, name: str) -> list[str]:
        """The joints and actuators of a body, or the joints that go with a joint."""
        return list(self._held.get(name, ()))

    def channel_codes(self, channels: Sequence[Channel]) -> Int32:
        """[channels, 2] the engine's code and index of each channel."""
        rows = []
        for channel in channels:
            if channel.kind == "solver":
                code = SOLVER_CHANNELS[channel.quantity]
            elif channel.is_sum or channel.kind == "state":  # only a place for it
                code, _ = _native.CHANNELS["world.time"]
            else:
                code, _ = _native.CHANNELS[f"{channel.kind}.{channel.quantity}"]
            rows.append((code, self._owner_slot(channel)))
        return np.array(rows, dtype=np.int32).reshape(-1, 2)

    def _owner_slot(self, channel: Channel) -> int:
        if channel.is_sum:
            return 0
        if channel.kind == "body":
            return slot_of(self.ids[channel.owner])
        if channel.kind == "point":
            return self.points[channel.owner, channel.point]
        return slot_of(self.joint_ids[channel.owner]) if channel.kind == "joint" else 0

    # ------------------------------------------------------------ coming and leaving

    def add(
        self,
        bodies: Mapping[str, Body],
        joints: Mapping[str, Joint],
        actuators: Mapping[str, Actuator],
        slots: Mapping[str, list[int]],
        particles: Mapping[str, Emitter],
    ) -> None:
        """Register additions of the engine under their ids and slots."""
        self.version += 1
        self.bodies |= bodies
        self.joints |= joints
        places = iter(slots["points"])
        for body, number in zip(bodies.values(), slots["bodies"], strict=True):
            name = body.name
            self.ids[name] = number
            self.born[slot_of(number)] = name
            self.used.add(name)
            for point in body.points:
                self.points[name, point] = next(places)
        self._tag(bodies.values())
        for (name, joint), number in zip(joints.items(), slots["joints"], strict=False):
            self.joint_ids[name] = number
            self._born_joints[slot_of(number)] = name
            self._hold(name, (joint.body_a, joint.body_b, *joint.links))
            self.used.add(name)
        for actuator in actuators.values():
            self._hold(actuator.name, actuator.bodies)
            self.used.add(actuator.name)
        self.particles |= particles
        for name, emitter in particles.items():
            for owner in emitter.owners:
                self._emitters.setdefault(owner, []).append(name)

    def _tag(self, bodies: Iterable[Body]) -> None:
        for body in bodies:
            for tag in body.tags:
                self.tagged.setdefault(tag, {})[body.name] = self.ids[body.name]

    def hold(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Register actuators that act on spawned bodies, by the names of both."""
        for name, body in pairs:
            self._hold(name, (body,))

    def _hold(self, name: str, bodies: Iterable[str]) -> None:
        for body in bodies:
            if body != "world":
                self._held.setdefault(body, {})[name] = None

    def as_it_is(self, name: str, native: _native.World) -> Body:
        """A body with its settings so far: type, collision and visibility."""
        body, slot = self.bodies[name], slot_of(self.ids[name])
        kind, collide = TYPES[native.body_type(slot)], native.collides(slot)
        visible = self.visible.get(name, body.visible)
        if (kind, collide, visible) == (body.kind, body.collide, body.visible):
            return body
        return replace(body, kind=kind, collide=collide, visible=visible)

    def drop_body(self, name: str) -> None:
        """Forget an added body; a body of the scene is kept without joints and actuators."""
        self.version += 1
        self._held.pop(name, None)
        self.visible.pop(name, None)
        for emitter in self._emitters.pop(name, ()):
            self.particles.pop(emitter, None)
        if name in self.scene.bodies:
            return
        body = self.bodies.pop(name)
        for point in body.points:
            del self.points[name, point]
        for tag in body.tags:
            self.tagged[tag].pop(name, None)
        del self.born[slot_of(self.ids.pop(name))]

    def drop_joint(self, name: str) -> None:
        self.version += 1
        joint = self.joints[name]
        self.release(name, (joint.body_a, joint.body_b, *joint.links))
        if name in self.scene.joints:
            return
        del self.joints[name]
        del self._born_joints[slot_of(self.joint_ids.pop(name))]

    def release(self, name: str, bodies: Iterable[str]) -> None:
        """Release these bodies from a joint or an actuator."""
        self.version += 1
        for body in bodies:
            self._held.get(body, {}).pop(name, None)

    # ------------------------------------------------------------ all together

    def lineup(self, native: _native.World, actuators: Mapping[str, Actuator]) -> Lineup:
        """All members; the same object as long as nothing is added or removed."""
        if self._lineup is None or self._lineup[0] != self.version:
            self._lineup = self.version, self._line_up(native, actuators)
        return self._lineup[1]

    def forget_centers(self) -> None:
        """Drop the cached centres of mass after a change of a body's type."""
        self._lineup = None

    def _line_up(self, native: _native.World, actuators: Mapping[str, Actuator]) -> Lineup:
        scene = self.scene
        if self.version:
            scene = replace(
                scene,
                bodies=dict(self.bodies),
                joints=dict(self.joints),
                actuators=dict(actuators),
                particles={**self.particles, **scene.particles},
            )
        slots = np.array([slot_of(self.ids[name]) for name in self.bodies], np.intp)
        joints = np.array([slot_of(self.joint_ids[name]) for name in self.joints], np.intp)
        rows = np.full(native.body_count, -1, np.int32)
        rows[slots] = np.arange(len(slots))
        code, _ = _native.CHANNELS["body.push_pull"]
        bars = found_bars(self.bodies.values(), self.index(self.bodies))
        table = [(code, slot, rows[slot]) for slot, _ in bars]
        centers = [native.center_of_mass(slot) for slot in slots.tolist()]
        return Lineup(
            scene=scene,
            slots=slots,
            joint_slots=joints,
            rows=rows,
            bars=np.array(table, np.int32).reshape(-1, 3),
            centers=np.array(centers, np.float64).reshape(-1, 2),
            dynamic=np.array([body.kind == "dynamic" for body in self.bodies.values()], np.bool_),
        )

    # ------------------------------------------------------------ saving

    SAVED = record(
        bodies=listed(fixed(anything, whole(), listed(whole()))),
        joints=listed(fixed(anything, whole())),
        actuators=listed(anything),
        particles=listed(anything),
        used=listed(fixed(text, text, listed(whole()))),
        visible=table(flag),
    )

    def reseed(self, scene: Scene) -> None:
        """Become the registry of the same scene with another seed."""
        self.scene, self._lineup = scene, None

    def fork(self) -> Registry:
        twin = copy(self)
        for name in (
            *("bodies", "joints", "ids", "joint_ids", "points", "born", "_born_joints"),
            "visible",
        ):
            setattr(twin, name, dict(getattr(self, name)))
        twin.particles = dict(self.particles)
        twin._emitters = {body: [*names] for body, names in self._emitters.items()}
        twin.tagged = {tag: dict(ids) for tag, ids in self.tagged.items()}
        twin._held = {body: dict(held) for body, held in self._held.items()}
        twin.used = self.used.copy()
        return twin

    def save(self, actuators: Mapping[str, Actuator]) -> dict[str, Any]:
        """The additions, as JSON data."""
        own = self.scene
        return {
            "bodies": [
                [plain(body), self.ids[name], [self.points[name, each] for each in body.points]]
                for name, body in self.bodies.items()
                if name not in own.bodies
            ],
            "joints": [
                [plain(joint), self.joint_ids[name]]
                for name, joint in self.joints.items()
                if name not in own.joints
            ],
            "actuators": [
                plain(each) for name, each in actuators.items() if name not in own.actuators
            ],
            "particles": [plain(each) for each in self.particles.values()],
            "used": self.used.save(),
            "visible": dict(sorted(self.visible.items())),
        }

    def actuators(self, saved: Mapping[str, Any]) -> dict[str, Actuator]:
        """All actuators of a saved roster of this scene."""
        added = _restored(Actuator, saved["actuators"], "actuators")
        return {**self.scene.actuators, **{each.name: each for each in added}}

    def restored(self, saved: Mapping[str, Any]) -> Registry:
        """Restore the saved registry of a world of the same scene.

        Raises UnfitError for invalid data; ``check`` compares it with the engine.
        """
        roster, scene = Registry(self.scene), self.scene
        bodies = _restored(Body, [each for each, *_ in saved["bodies"]], "bodies")
        joints = _restored(Joint, [each for each, _ in saved["joints"]], "joints")
        added = _restored(Actuator, saved["actuators"], "actuators")
        emitters = _restored(Emitter, saved["particles"], "particles")
        names = [each.name for each in bodies]
        names += [each.name for each in joints]
        names += [each.name for each in added]
        for name in names:
            need(not self.is_own(name), "added", f"{name!r} is the scene's own")
        different(names, "added")
        different((each.name for each in (*emitters, *scene.particles.values())), "added.particles")
        points = [places for _, _, places in saved["bodies"]]
        for body, places in zip(bodies, points, strict=True):
            need(len(places) == len(body.points), f"added.{body.name}", "has other points")
            for shape in body.shapes:
                enough = len(shape.points) >= _FEWEST_POINTS[shape.kind]
                enough = enough and all(len(hole) >= 3 for hole in shape.holes)
                need(enough, f"added.{body.name}", f"has a {shape.kind} of too few points")
        slots = {
            "bodies": [number for _, number, _ in saved["bodies"]],
            "joints": [number for _, number in saved["joints"]],
            "points": [place for places in points for place in places],
        }
        roster.add(
            {body.name: body for body in bodies},
            {joint.name: joint for joint in joints},
            {each.name: each for each in added},
            slots,
            {each.name: each for each in emitters},
        )
        roster.used = UsedNames(saved["used"])
        roster.check_names(joints, added, emitters)
        known(saved["visible"], roster.bodies, "added.visible", "body")
        roster.visible = dict(saved["visible"])
        roster.version = self.version + 1
        return roster

    def check_names(
        self, joints: Iterable[Joint], actuators: Iterable[Actuator], emitters: Iterable[Emitter]
    ) -> None:
        """Raise UnfitError if an addition refers to something that does not exist."""
        there = {**self.bodies, "world": None}
        for joint in joints:
            where = f"added.{joint.name}"
            known((joint.body_a, joint.body_b), there, where, "body")
            known(joint.links, self.joints, where, "joint")
        for actuator in actuators:
            unknown = [body for body in actuator.bodies if body not in self.used]
            known(unknown, self.bodies, f"added.{actuator.name}", "body")
        for emitter in emitters:
            known(emitter.owners, self.bodies, f"added.{emitter.name}", "body")
        categories = self.scene.collision.categories
        for body in self.bodies.values():
            named = (body.category, *(shape.category for shape in body.shapes))
            known(named, categories, f"added.{body.name}", "category")

    def check(self, native: _native.World, actuators: Mapping[str, Actuator]) -> None:
        """Raise UnfitError unless an engine has exactly those that were added."""
        count, alive = native.body_count, native.alive
        for name, number in self.ids.items():
            if name not in self.scene.bodies:
                where = f"added.{name}"
                need(number >= self.kept and native.has_body(number), where, "has no body")
        born = {slot for slot in range(self.kept, count) if alive[slot]}
        need(born == set(self.born), "added.bodies", "are not those of the engine")
        for name, number in self.joint_ids.items():
            if name not in self.scene.joints:
                where = f"added.{name}"
                need(number >= self.kept_joints and native.has_joint(number), where, "has no joint")
        need(len(self._born_joints) == len(self.joints) - self.kept_joints, "added", "joints")
        code, _ = _native.CHANNELS["point.x"]
        for (name, point), place in self.points.items():
            try:
                native.sample(np.array([[code, place]], np.int32))
            except (IndexError, ValueError, OverflowError):
                raise UnfitError(f"added.{name}: the point {point!r} has no place") from None


Item = TypeVar("Item", Body, Joint, Actuator, Emitter)


def _restored(kind: type[Item], saved: Iterable[Any], what: str) -> list[Item]:
    """Objects that ``plain`` was given. Raises UnfitError for other data."""
    found = []
    for i, each in enumerate(saved):
        try:
            found.append(part_from_plain(kind, each))
        except (ValueError, RecursionError) as error:
            raise UnfitError(f"added.{what}[{i}]: {error}") from None
    return found


class Living(Mapping[str, Body]):
    """The existing bodies at their present poses."""

    def __init__(self, roster: Registry, native: _native.World) -> None:
        self._roster, self._native = roster, native

    def __getitem__(self, name: str) -> Body:
        slot = slot_of(self._roster.ids[name])
        native = self._native
        if not native.alive[slot]:
            raise KeyError(name)
        place: Point = (float(native.x[slot]), float(native.y[slot]))
        now = self._roster.as_it_is(name, native)
        return replace(now, position=place, angle=float(native.angle[slot]))

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._roster.bodies if name in self)

    def __contains__(self, name: object) -> bool:
        number = self._roster.ids.get(name) if isinstance(name, str) else None
        return number is not None and bool(self._native.alive[slot_of(number)])

    def __len__(self) -> int:
        return int(np.count_nonzero(self._native.alive)) - 1  # without `world`


def gone(what: str, name: str) -> UsageError:
    """The error for a removed object."""
    return UsageError(f"{what} {name!r} was removed")


def without_velocity(name: str) -> UsageError:
    """The error of a velocity that is set for a static body."""
    return UsageError(
        f"body {name!r} is static and has no velocity; set its position and angle, or give it "
        "another type"
    )
