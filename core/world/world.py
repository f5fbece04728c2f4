"""World: a scene in motion, to be stepped by hand, by the names of the scene file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

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
    text,
    texts,
    vector,
    whole,
)
from ..errors import UnknownNameError, UsageError, unknown_name
from ..record.channels import Channel
from ..record.frame import ContactPoints, Frame
from ..record.recorder import Event
from ..scene import limits
from ..scene.hashing import physics_hash
from ..scene.model import Scene
from .actuator_handle import ActuatorHandle
from .actuators import Actuators
from .assembly import body_indices, build_native, found_bars
from .failures import named, simulation_error
from .handles import BodyHandle, JointHandle, MotorState, Vector
from .rows import columns
from .saving import pack, unpack
from .settings import apply_setting
from .textbook import SOLVER_CHANNELS

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]

_STEPS = whole(0, limits.STEPS)
ALL_CATEGORIES = (1 << 64) - 1
EVENT_KINDS = tuple(_native.EVENT_KINDS)
JOINT_EVENTS = ("joint_broken",)
PAIR_EVENTS = ("contact_begin", "contact_end", "sensor_begin", "sensor_end")


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
    a copy, one row per body in the order of ``scene.bodies``.

    Attributes:
        scene: the scene it was built from.
        native: the engine.
    """

    @checked(scene=one_of(Scene), threads=whole(1, 256), lanes=whole())
    def __init__(self, scene: Scene, *, threads: int = 1, lanes: int = 0) -> None:
        if lanes and lanes not in _native.lanes_supported():
            known = ", ".join(map(str, _native.lanes_supported()))
            raise UsageError(f"this processor has no lanes of {lanes}; 0 picks one of {known}")
        self.scene = scene
        try:
            self.native = build_native(scene, threads=threads, lanes=lanes)
            self.actuators = Actuators(scene, self.native, body_indices(scene))
            self.native.finish()
            self.actuators.begin()
        except ValueError as error:
            raise UsageError(f"{scene.path}: {named(str(error), scene)}") from error
        self._index = body_indices(scene)
        self._names = ["world", *scene.bodies]
        self.motors: dict[str, MotorState] = {}
        self.targets: dict[int, Vector] = {}  # of mice whose target was moved, by their joint's row
        self._joints = {name: i for i, name in enumerate(scene.joints)}

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
            self.raise_error()

    def next_stop(self, end: int) -> int:
        """Switch the actuators whose time it is; up to where, and at most ``end``, to step now."""
        self.actuators.switch(self.step_count)
        return self.actuators.next_switch(self.step_count, end)

    def raise_error(self) -> None:
        """Raise SimulationError when the engine has stopped on an error."""
        error = self.native.error
        if error is not None:
            raise simulation_error(error, self.scene)

    @checked()
    def take_warnings(self) -> list[str]:
        """What to say of bodies that were taken out for their states since the last call."""
        return [
            f"{simulation_error(error, self.scene)}; it is taken out of the world"
            for error in self.native.take_errors()
        ]

    @property
    def step_count(self) -> int:
        """How many steps were done."""
        return self.native.step_count

    @property
    def time(self) -> float:
        """Scene time: ``step_count`` times dt."""
        return self.native.step_count * self.scene.world.dt

    # ------------------------------------------------------------ saving

    @cached_property
    def physics_hash(self) -> str:
        """The hash of all in the scene that decides its motion."""
        return physics_hash(self.scene)

    @checked()
    def save(self) -> bytes:
        """All that decides the future, to be restored in any world of the same scene.

        The same state is the same bytes, whatever the threads, the lanes and the machine.
        """
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
        return self.with_engine(self.native.fork())

    def with_engine(self, native: _native.World) -> World:
        """A world like this one around an engine that was made from its engine."""
        twin = copy(self)
        twin.native = native
        twin.actuators = self.actuators.fork(twin.native)
        twin.motors, twin.targets = dict(self.motors), dict(self.targets)
        return twin

    # ------------------------------------------------------------ bodies and joints

    def __getitem__(self, name: str) -> BodyHandle:
        """The handle of a body. Raises UnknownNameError, also a KeyError."""
        if text(name, "name") not in self.scene.bodies:
            if name in self._joints:
                raise UnknownNameError(f"{name!r} is a joint; use world.joint({name!r})")
            raise unknown_name("body", name, self.scene.bodies)
        return BodyHandle(self, name, self._index[name])

    def __contains__(self, name: object) -> bool:
        """Whether the scene has a body of that name."""
        return isinstance(name, str) and name in self.scene.bodies

    def __iter__(self) -> Iterator[str]:
        """The bodies' names, as a mapping does."""
        return iter(self.scene.bodies)

    def __len__(self) -> int:
        """How many bodies the scene has."""
        return len(self.scene.bodies)

    @checked(name=text)
    def joint(self, name: str) -> JointHandle:
        """The handle of a joint. Raises UnknownNameError, also a KeyError."""
        if name not in self._joints:
            if name in self.scene.bodies:
                raise UnknownNameError(f"{name!r} is a body; use world[{name!r}]")
            raise unknown_name("joint", name, self._joints)
        return JointHandle(self, name, self._joints[name])

    @checked(name=text)
    def actuator(self, name: str) -> ActuatorHandle:
        """The handle of an actuator. Raises UnknownNameError, also a KeyError."""
        if name not in self.scene.actuators:
            raise unknown_name("actuator", name, self.scene.actuators)
        return ActuatorHandle(self, name)

    @checked(path=text)
    def set(self, path: str, value: object) -> None:
        """Change one thing by its path, such as ``jet.enabled`` or ``hinge.motor.speed``.

        Values are in scene units, angles in radians. Raises UsageError for what cannot be set.
        """
        apply_setting(self, path, value)

    @checked(name=text)
    def remove(self, name: str) -> None:
        """Take a body (with its shapes and joints) or a joint out of the world."""
        if name in self._joints and name not in self.scene.bodies:
            self.joint(name).remove()
        else:
            self[name].remove()

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

    @cached_property
    def centers(self) -> Float64:
        """[bodies, 2] the centres of mass, each in its body's coordinates."""
        count = len(self.scene.bodies)
        centers = [self.native.center_of_mass(i) for i in range(1, count + 1)]
        return np.array(centers, dtype=np.float64).reshape(count, 2)

    @checked()
    def push_pull(self) -> Float64:
        """[bodies] how hard bars are pushed together (above 0) or pulled apart; 0 for others."""
        forces = np.zeros(len(self.scene.bodies))
        if len(self._bars):
            forces[self._bars[:, 1] - 1] = self.native.sample(self._bars)
        return forces

    @cached_property
    def _bars(self) -> Int32:
        """[bars, 2] the engine's code and index of each bar's push and pull."""
        code, _ = _native.CHANNELS["body.push_pull"]
        rows = [(code, body) for body, _ in found_bars(self.scene, self._index)]
        return np.array(rows, dtype=np.int32).reshape(-1, 2)

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
        return RayHit(self._names[body], fraction, (x, y), (nx, ny))

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
        return [self._names[body] for body in np.unique(shapes.reshape(-1, 2)[:, 0]).tolist()]

    def _mask(self, categories: Iterable[str] | None) -> int:
        if categories is None:
            return ALL_CATEGORIES
        known = self.scene.collision.categories
        mask = 0
        for name in categories:
            if name not in known:
                raise unknown_name("category", name, known)
            mask |= 1 << known.index(name)
        return mask

    @checked()
    def contacts(self) -> list[Contact]:
        """The touching points after the last step, in a fixed order."""
        return [self._contact(row) for row in self.native.contacts()]

    def _contact(self, row: np.void) -> Contact:
        return Contact(
            a=self._names[row["body_a"]],
            b=self._names[row["body_b"]],
            point=(float(row["x"]), float(row["y"])),
            normal=(float(row["normal_x"]), float(row["normal_y"])),
            separation=float(row["separation"]),
            normal_force=float(row["normal_force"]),
            tangent_force=float(row["tangent_force"]),
        )

    @checked()
    def events(self) -> list[Event]:
        """What happened since the last call, in order."""
        return [self._event(row) for row in self.native.take_events()]

    def _event(self, row: np.void) -> Event:
        step, kind = int(row["step"]), EVENT_KINDS[row["kind"]]
        if kind in JOINT_EVENTS:
            return Event(step, kind, list(self._joints)[row["a"]])
        second = self._names[row["b"]] if kind in PAIR_EVENTS else ""
        return Event(step, kind, self._names[row["a"]], second)

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
        """The engine's counts, and milliseconds of the last step's stages."""
        return self.native.statistics()

    # ------------------------------------------------------------ pictures

    @checked()
    def pose(self) -> Float64:
        """[bodies, 3] x, y and angle of every body's origin."""
        return np.stack([self.x, self.y, self.angle], axis=1)

    @checked(want_contacts=flag, time=optional(real))
    def frame(self, want_contacts: bool = False, *, time: float | None = None) -> Frame:
        """This moment, as a Renderer draws it; ``time`` is what its clock shows."""
        joints = self.native.joint_state()[: len(self.scene.joints)]
        velocity = np.stack([self.vx, self.vy, self.omega], axis=1).astype(np.float64)
        return Frame(
            time=self.time if time is None else time,
            step=self.step_count,
            pose=self.pose(),
            velocity=velocity,
            center=self.centers,
            alive=self.alive.astype(np.bool_),
            awake=self.awake.astype(np.bool_),
            joint_broken=joints["broken"],
            joint_force=columns(joints, "force_x", "force_y", "torque"),
            contacts=self._contact_points() if want_contacts else None,
            energy=self.native.energy(),
            push_pull=self.push_pull(),
            acting=np.array(self.actuators.acting(self.step_count), dtype=np.bool_),
            targets=dict(self.targets),
        )

    def _contact_points(self) -> ContactPoints:
        rows = self.native.contacts()
        return ContactPoints(
            bodies=columns(rows, "body_a", "body_b") - 1,
            point=columns(rows, "x", "y"),
            normal=columns(rows, "normal_x", "normal_y"),
            normal_force=rows["normal_force"],
            tangent_force=rows["tangent_force"],
        )

    # ------------------------------------------------------------ channels

    def channel_codes(self, channels: Sequence[Channel]) -> Int32:
        """[channels, 2] the engine's code and index of each channel."""
        rows = []
        for channel in channels:
            if channel.kind == "solver":
                code = SOLVER_CHANNELS[channel.quantity]
            else:
                code, _ = _native.CHANNELS[f"{channel.kind}.{channel.quantity}"]
            rows.append((code, self._owner_index(channel)))
        return np.array(rows, dtype=np.int32).reshape(-1, 2)

    def _owner_index(self, channel: Channel) -> int:
        if channel.kind == "body":
            return self._index[channel.owner]
        if channel.kind == "point":
            return self._points[channel.owner, channel.point]
        return self._joints[channel.owner] if channel.kind == "joint" else 0

    @cached_property
    def _points(self) -> Mapping[tuple[str, str], int]:
        names = [(body.name, p) for body in self.scene.bodies.values() for p in body.points]
        return {name: i for i, name in enumerate(names)}


@checked()
def build(scene: Scene, *, threads: int = 1, lanes: int = 0) -> World:
    """The world of a scene, before its first step.

    ``threads`` and ``lanes`` (0: the widest) change the speed, never the result.
    """
    return World(scene, threads=threads, lanes=lanes)
