"""World: a scene in motion, to be stepped by hand, by the names of the scene file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..arguments import (
    checked,
    flag,
    not_negative,
    one_of,
    optional,
    real,
    shown,
    text,
    texts,
    vector,
    whole,
)
from ..errors import SimulationError, UnknownNameError, UsageError, unknown_name
from ..record.channels import Channel
from ..record.frame import Frame
from ..record.recorder import Event
from ..scene import limits
from ..scene.hashing import physics_hash
from ..scene.model import Scene
from .actuator_handle import ActuatorHandle
from .actuators import Actuators
from .assembly import body_indices, build_native
from .births import add_fragment, remove, settle
from .events import take_events
from .failures import named, simulation_error
from .frames import push_pulls, take_frame
from .handles import BodyHandle, JointHandle, MotorState, Vector
from .roster import Lineup, Roster
from .saving import pack, unpack
from .settings import apply_setting

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]

_STEPS = whole(0, limits.STEPS)
ALL_CATEGORIES = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class RayHit:
    """Where a ray first meets a shape.

    Attributes:
        body: the body's name.
        fraction: how far along the ray, 0 to 1.
        point: where, in world coordinates.
        normal: the surface's outward unit normal there.
    """

    body: str
    fraction: float
    point: Vector
    normal: Vector


@dataclass(frozen=True, slots=True)
class Contact:
    """One touching point of two bodies after the last step.

    ``normal`` points from body ``a`` to body ``b``; ``separation`` is negative where they overlap.
    Forces are those of the last step: impulse over its time.
    """

    a: str
    b: str
    point: Vector
    normal: Vector
    separation: float
    normal_force: float
    tangent_force: float


class World:
    """A scene in motion.

    ``world["ball"]`` is a body's handle, ``world.joint("hinge")`` a joint's. ``x``, ``y``,
    ``angle``, ``vx``, ``vy`` and ``omega`` are read-only views of the engine's own arrays, without
    a copy, one row per body in the order of ``scene.bodies``. What is added has rows behind these,
    ``world[name].row``; a row that is not ``alive`` is empty, and is taken again.

    Attributes:
        native: the engine.
        roster: who is in it.
    """

    @checked(scene=one_of(Scene), threads=whole(1, 256), lanes=whole())
    def __init__(self, scene: Scene, *, threads: int = 1, lanes: int = 0) -> None:
        if lanes and lanes not in _native.lanes_supported():
            known = ", ".join(map(str, _native.lanes_supported()))
            raise UsageError(f"this processor has no lanes of {lanes}; 0 picks one of {known}")
        try:
            self.native = build_native(scene, threads=threads, lanes=lanes)
            self.actuators = Actuators(scene, self.native, body_indices(scene))
            self.native.finish()
            self.native.keep_slots()
            self.actuators.begin()
        except ValueError as error:
            raise UsageError(f"{scene.path}: {named(str(error), scene)}") from error
        self.roster = Roster(scene)
        self.motors: dict[str, MotorState] = {}
        self.targets: dict[str, Vector] = {}  # of mice whose target was moved
        self.tells_births = False
        self.told: list[Event] = []  # events that are in words already, not taken yet
        self.warned: list[SimulationError] = []
        # For recorders: who came since they looked, and who left, with the first step without them.
        self.came: list[str] = []
        self.gone: dict[str, int] = {}
        self.removals = 0  # that were taken notice of

    @property
    def scene(self) -> Scene:
        """The scene, with what was added to it and is there."""
        return self.lineup().scene

    @checked()
    def lineup(self) -> Lineup:
        """All that are there, in the order of ``scene``."""
        settle(self)
        return self.roster.lineup(self.native, self.actuators.definitions)

    # ------------------------------------------------------------ stepping

    @checked(steps=_STEPS)
    def step(self, steps: int = 1) -> None:
        """Do ``steps`` steps of ``scene.world.dt``.

        Raises SimulationError when a body's state stops being finite or runs away and the scene
        says ``on_error: stop``; every later call raises it again.
        """
        self.raise_error()
        end = self.step_count + steps
        while self.step_count < end:
            self.native.step(self.next_stop(end) - self.step_count)
            settle(self)
            self.raise_error()

    def next_stop(self, end: int) -> int:
        """Switch the actuators whose time it is; up to where, and at most ``end``, to step now."""
        self.actuators.switch(self.step_count)
        return self.actuators.next_switch(self.step_count, end)

    def raise_error(self) -> None:
        """Raise SimulationError when the engine has stopped on an error."""
        error = self.native.error
        if error is not None:
            raise simulation_error(error, self.roster)

    @checked()
    def take_warnings(self) -> list[str]:
        """What to say of bodies that were taken out for their states since the last call."""
        settle(self)
        warned, self.warned = self.warned, []
        warned += [simulation_error(error, self.roster) for error in self.native.take_errors()]
        return [f"{error}; it is taken out of the world" for error in warned]

    @property
    def step_count(self) -> int:
        """How many steps were done."""
        return self.native.step_count

    @property
    def time(self) -> float:
        """Scene time: ``step_count`` times dt."""
        return self.native.step_count * self.roster.scene.world.dt

    # ------------------------------------------------------------ saving

    @cached_property
    def physics_hash(self) -> str:
        """The hash of all in the scene, as it began, that decides its motion."""
        return physics_hash(self.roster.scene)

    @checked()
    def save(self) -> bytes:
        """All that decides the future, to be restored in any world of the same scene.

        The same state is the same bytes, whatever the threads, the lanes and the machine.
        """
        settle(self)
        return pack(self)

    @checked(state=one_of(bytes))
    def restore(self, state: bytes) -> None:
        """Bring this world into a saved state; it goes on as the one that was saved.

        Raises UsageError for bytes that are no state, are damaged, or are of another scene; the
        world is then as it was.
        """
        unpack(self, state)

    @checked()
    def fork(self) -> World:
        """A second world in the same state, which goes its own way from here."""
        settle(self)
        return self.with_engine(self.native.fork())

    def with_engine(self, native: _native.World) -> World:
        """A world like this one around an engine that was made from its engine."""
        twin = copy(self)
        twin.native = native
        twin.actuators = self.actuators.fork(twin.native)
        twin.roster = self.roster.fork()
        twin.motors, twin.targets = dict(self.motors), dict(self.targets)
        twin.told, twin.warned = [*self.told], [*self.warned]
        twin.came, twin.gone = [*self.came], dict(self.gone)
        twin.removals = native.removals
        return twin

    @checked(roster=one_of(Roster))
    def take_over(self, roster: Roster) -> None:
        """Have another roster, which goes with the engine's new state."""
        self.roster = roster
        self.told, self.warned, self.came, self.gone = [], [], [], {}
        self.removals = self.native.removals

    # ------------------------------------------------------------ bodies and joints

    def __getitem__(self, name: str) -> BodyHandle:
        """The handle of a body. Raises UnknownNameError, also a KeyError."""
        roster = self._settled
        if text(name, "name") not in roster.bodies:
            if name in roster.joints:
                raise UnknownNameError(f"{name!r} is a joint; use world.joint({name!r})")
            raise self._unknown("body", name, roster.bodies)
        return BodyHandle(self, name, roster.ids[name])

    def __contains__(self, name: object) -> bool:
        """Whether there is a body of that name, or the scene had one at the start."""
        return isinstance(name, str) and name in self._settled.bodies

    def __iter__(self) -> Iterator[str]:
        """The bodies' names, as a mapping does."""
        return iter(self._settled.bodies)

    def __len__(self) -> int:
        """How many bodies there are, with those of the scene that were removed."""
        return len(self._settled.bodies)

    @checked(name=text)
    def joint(self, name: str) -> JointHandle:
        """The handle of a joint. Raises UnknownNameError, also a KeyError."""
        roster = self._settled
        if name not in roster.joints:
            if name in roster.bodies:
                raise UnknownNameError(f"{name!r} is a body; use world[{name!r}]")
            raise self._unknown("joint", name, roster.joints)
        return JointHandle(self, name, roster.joint_ids[name])

    @checked(name=text)
    def actuator(self, name: str) -> ActuatorHandle:
        """The handle of an actuator. Raises UnknownNameError, also a KeyError."""
        settle(self)
        if name not in self.actuators.definitions:
            raise self._unknown("actuator", name, self.actuators.definitions)
        return ActuatorHandle(self, name)

    @property
    def _settled(self) -> Roster:
        settle(self)
        return self.roster

    def _unknown(self, what: str, name: str, known: Iterable[str]) -> UnknownNameError:
        if name in self.roster.used:
            return UnknownNameError(f"there is no {what} {name!r} any more: it was removed")
        return unknown_name(what, name, known)

    @checked(path=text)
    def add(
        self, fragment: Mapping[str, Any] | str | bytes, *, path: str = "<fragment>"
    ) -> dict[str, BodyHandle | JointHandle | ActuatorHandle]:
        """Add bodies, joints and actuators, between two steps; their handles by name.

        ``fragment`` is a mapping or a YAML text with ``bodies``, ``joints`` and ``actuators``, each
        as in a scene file; ``path`` is what errors call it. The scene's vars, materials and
        defaults hold. Names must be new: neither those of the scene's things nor of any that were
        added before. Joints and actuators may name bodies that are there, which then count as
        where they are now.

        Raises SceneError with every problem found; nothing is added then.
        """
        if not isinstance(fragment, (Mapping, str, bytes)):
            raise UsageError(f"a fragment is a mapping or a YAML text, got {shown(fragment)}")
        return {name: self._handle(name) for name in add_fragment(self, fragment, path)}

    def _handle(self, name: str) -> BodyHandle | JointHandle | ActuatorHandle:
        if name in self.roster.bodies:
            return self[name]
        return self.joint(name) if name in self.roster.joints else self.actuator(name)

    @checked(path=text)
    def set(self, path: str, value: object) -> None:
        """Change one thing by its path, such as ``jet.enabled`` or ``hinge.motor.speed``.

        Values are in scene units, angles in radians. Raises UsageError for what cannot be set.
        """
        apply_setting(self, path, value)

    @checked(name=text)
    def remove(self, name: str) -> list[str]:
        """Take a body, a joint or an actuator out of the world; the names of all that went.

        With a body go its shapes, its joints, and the actuators that act on nothing else.
        """
        return remove(self, name)

    @property
    def x(self) -> Float64:
        return self.native.x[1:]

    @property
    def y(self) -> Float64:
        return self.native.y[1:]

    @property
    def angle(self) -> Float64:
        return self.native.angle[1:]

    @property
    def vx(self) -> Float32:
        return self.native.vx[1:]

    @property
    def vy(self) -> Float32:
        return self.native.vy[1:]

    @property
    def omega(self) -> Float32:
        return self.native.omega[1:]

    @property
    def alive(self) -> NDArray[np.uint8]:
        return self.native.alive[1:]

    @property
    def awake(self) -> NDArray[np.uint8]:
        return self.native.awake[1:]

    @property
    def centers(self) -> Float64:
        """[bodies, 2] the centres of mass, each in its body's coordinates."""
        return self.lineup().centers

    @checked()
    def push_pull(self) -> Float64:
        """[bodies] how hard bars are pushed together (above 0) or pulled apart; 0 for others."""
        return push_pulls(self, self.lineup())

    # ------------------------------------------------------------ questions

    @checked(start=vector, end=vector, categories=optional(texts))
    def ray_cast(
        self, start: Vector, end: Vector, categories: Iterable[str] | None = None
    ) -> RayHit | None:
        """The first shape that the ray from ``start`` to ``end`` meets, or None.

        ``categories`` limits it to shapes of these.
        """
        translation = vector((end[0] - start[0], end[1] - start[1]), "end - start")
        hit = self.native.ray_cast(start, translation, self._mask(categories))
        if hit is None:
            return None
        body, _, fraction, x, y, nx, ny = hit
        return RayHit(self.roster.body_name(body), fraction, (x, y), (nx, ny))

    @checked(lower=vector, upper=vector, categories=optional(texts))
    def overlap_box(
        self, lower: Vector, upper: Vector, categories: Iterable[str] | None = None
    ) -> list[str]:
        """The bodies with a shape that overlaps the box, in the order of the scene."""
        if not (lower[0] <= upper[0] and lower[1] <= upper[1]):
            raise UsageError(
                "lower is the corner with the smaller x and y, upper the one with the larger, "
                f"got {lower} and {upper}"
            )
        return self._owners(self.native.overlap_box(lower, upper, self._mask(categories)))

    @checked(center=vector, radius=not_negative, categories=optional(texts))
    def overlap_circle(
        self, center: Vector, radius: float, categories: Iterable[str] | None = None
    ) -> list[str]:
        """The bodies with a shape that overlaps the circle, in the order of the scene."""
        return self._owners(self.native.overlap_circle(center, radius, self._mask(categories)))

    @checked(point=vector, categories=optional(texts))
    def overlap_point(self, point: Vector, categories: Iterable[str] | None = None) -> list[str]:
        """The bodies with a shape that holds the point, in the order of the scene."""
        return self._owners(self.native.overlap_point(point, self._mask(categories)))

    def _owners(self, shapes: Int32) -> list[str]:
        names = self._settled.body_name
        return [names(body) for body in np.unique(shapes.reshape(-1, 2)[:, 0]).tolist()]

    def _mask(self, categories: Iterable[str] | None) -> int:
        if categories is None:
            return ALL_CATEGORIES
        known = self.roster.scene.collision.categories
        mask = 0
        for name in categories:
            if name not in known:
                raise unknown_name("category", name, known)
            mask |= 1 << known.index(name)
        return mask

    @checked()
    def contacts(self) -> list[Contact]:
        """The touching points after the last step, in a fixed order."""
        settle(self)
        return [self._contact(row) for row in self.native.contacts()]

    def _contact(self, row: np.void) -> Contact:
        return Contact(
            a=self.roster.body_name(int(row["body_a"])),
            b=self.roster.body_name(int(row["body_b"])),
            point=(float(row["x"]), float(row["y"])),
            normal=(float(row["normal_x"]), float(row["normal_y"])),
            separation=float(row["separation"]),
            normal_force=float(row["normal_force"]),
            tangent_force=float(row["tangent_force"]),
        )

    @checked()
    def events(self) -> list[Event]:
        """What happened since the last call, in order."""
        settle(self)
        told, self.told = self.told, []
        return told + take_events(self.native, self.roster)

    @checked(enabled=flag)
    def enable_birth_events(self, enabled: bool = True) -> None:
        """Whether ``events`` tells of bodies that are added and removed; at first it does not."""
        self.tells_births = enabled

    @checked(enabled=flag)
    def enable_contact_events(self, enabled: bool = True) -> None:
        """Whether ``events`` tells when bodies begin and cease to touch; at first it does not."""
        self.native.enable_contact_events(enabled)

    @checked()
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy of the dynamic bodies."""
        return self.native.energy()

    @checked()
    def state_hash(self) -> int:
        """64 bits that change with any bit of any body's position, angle or velocity."""
        return self.native.state_hash()

    @checked()
    def statistics(self) -> dict[str, float]:
        """The engine's counts, and milliseconds of the stages of the last step that was timed."""
        return self.native.statistics()

    # ------------------------------------------------------------ pictures

    @checked()
    def pose(self) -> Float64:
        """[bodies, 3] x, y and angle of every body's origin."""
        slots, native = self.lineup().slots, self.native
        return np.stack([native.x[slots], native.y[slots], native.angle[slots]], axis=1)

    @checked(want_contacts=flag, time=optional(real))
    def frame(self, want_contacts: bool = False, *, time: float | None = None) -> Frame:
        """This moment, as a Renderer draws it; ``time`` is what its clock shows."""
        return take_frame(self, want_contacts, time)

    def channel_codes(self, channels: Sequence[Channel]) -> Int32:
        """[channels, 2] the engine's code and index of each channel."""
        return self._settled.channel_codes(channels)


@checked()
def build(scene: Scene, *, threads: int = 1, lanes: int = 0) -> World:
    """The world of a scene, before its first step.

    ``threads`` and ``lanes`` (0: the widest) change the speed, never the result.
    """
    return World(scene, threads=threads, lanes=lanes)
