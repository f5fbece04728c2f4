# SPDX-License-Identifier: MIT
"""World: a running scene, stepped by hand, with the names of the scene file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

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
    word_of,
)
from ..errors import UnknownNameError, UsageError
from ..record.channels import Channel
from ..record.frame import Frame
from ..record.recorder import Event
from ..scene import limits
from ..scene.hashing import physics_hash
from ..scene.model import Scene
from ..scene.script import Destruction, Kick
from .births import add_fragment, remove, settle, take_in_events
from .building.assembly import body_indices, build_native
from .destroying import destroy_body
from .failures import named, simulation_error, warnings_of
from .frames import push_pulls, take_frame
from .naming.actuator_handle import ActuatorHandle
from .naming.actuators import Actuators
from .naming.handles import BodyHandle, JointHandle
from .naming.parts import MotorState, Scripted, Vector
from .naming.roster import Lineup, Roster
from .naming.settings import add_to_setting, apply_setting
from .queries import Contact, RayHit, at_point, cast_ray, in_box, in_circle, touching
from .saving import pack, twin, unpack
from .script import Script, script_of
from .textbook import engine_of

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]

_STEPS = whole(0, limits.STEPS)


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
            self.native = build_native(scene, engine_of(scene), threads=threads, lanes=lanes)
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
        self.tells_contacts = False
        self.told: list[Event] = []  # events that are in words already, not taken yet
        self.warned: list[str] = []
        # For recorders: who came since they looked, and who left, with the first step without them.
        self.came: list[str] = []
        self.gone: dict[str, int] = {}
        self.removals = 0  # that were taken notice of
        self.acts = False  # while the actions of a step are executed
        self.script: Scripted | None = None
        if scene.is_scripted:
            self.script = Script(self)

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
            self.end_stretch()

    def end_stretch(self) -> None:
        """Do what is due after the steps up to where ``next_stop`` said."""
        if self.script is not None and self.native.error is None:
            self.acts = True
            try:
                self.script.finish()
            finally:
                self.acts = False

    def next_stop(self, end: int) -> int:
        """Do what is due before the next step; up to where, and at most ``end``, to step now."""
        if self.script is not None:
            end = self.script.prepare(self.step_count, end)
        self.actuators.switch(self.step_count)
        return self.actuators.next_switch(self.step_count, end)

    def raise_error(self) -> None:
        """Raise SimulationError when the engine has stopped on an error."""
        error = self.native.error
        if error is not None:
            raise simulation_error(error, self.roster)

    @checked()
    def take_warnings(self) -> list[str]:
        """Warnings of bodies that were removed for their states, and of things that broke badly,
        since the last call."""
        settle(self)
        warned, self.warned = self.warned, []
        return warned + warnings_of(self.native, self.roster)

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
        """Bring this world into a saved state; it continues as the one that was saved.

        Raises UsageError for bytes that are no state, are damaged, or are of another scene; the
        world is then as it was.
        """
        unpack(self, state)

    @checked()
    def fork(self) -> World:
        """A second world in the same state, which goes its own way from here."""
        settle(self)
        return twin(self, self.native.fork())

    # ------------------------------------------------------------ bodies and joints

    def __getitem__(self, name: str) -> BodyHandle:
        """The handle of a body. Raises UnknownNameError, also a KeyError."""
        roster = self._settled
        if text(name, "name") not in roster.bodies:
            if name in roster.joints:
                raise UnknownNameError(f"{name!r} is a joint; use world.joint({name!r})")
            raise self.roster.unknown("body", name, roster.bodies)
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

    @property
    def born(self) -> list[str]:
        """The bodies that were added or spawned and are there, in the order of their births."""
        roster = self._settled
        return [name for name in roster.bodies if name not in roster.scene.bodies]

    @checked(name=text)
    def joint(self, name: str) -> JointHandle:
        """The handle of a joint. Raises UnknownNameError, also a KeyError."""
        roster = self._settled
        if name not in roster.joints:
            if name in roster.bodies:
                raise UnknownNameError(f"{name!r} is a body; use world[{name!r}]")
            raise self.roster.unknown("joint", name, roster.joints)
        return JointHandle(self, name, roster.joint_ids[name])

    @checked(name=text)
    def actuator(self, name: str) -> ActuatorHandle:
        """The handle of an actuator. Raises UnknownNameError, also a KeyError."""
        settle(self)
        if name not in self.actuators.definitions:
            raise self.roster.unknown("actuator", name, self.actuators.definitions)
        return ActuatorHandle(self, name)

    @property
    def _settled(self) -> Roster:
        settle(self)
        return self.roster

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

    @checked(path=text)
    def add_to(self, path: str, value: object) -> None:
        """Add to what a path such as ``ball.velocity`` or ``ball.velocity.y`` stands for.

        Raises UsageError for what can only be set.
        """
        add_to_setting(self, path, value)

    @checked(gravity=vector)
    def set_gravity(self, gravity: Vector) -> None:
        """Another gravity from the next step on; it wakes all."""
        self.native.set_gravity(*gravity)

    @checked(key=text)
    def press(self, key: str) -> None:
        """Hold a key of the scene's ``controls``. Raises UnknownNameError where there is none."""
        script_of(self).press(key)

    @checked(key=text)
    def release(self, key: str) -> None:
        """Let a key of the scene's ``controls`` go."""
        script_of(self).release(key)

    @property
    def state(self) -> dict[str, float]:
        """The scene's state variables, as they are now."""
        return {} if self.script is None else dict(self.script.state)

    @property
    def outcome(self) -> str:
        """The outcome of the run: win, lose, pass or fail; empty while it runs."""
        ending = None if self.script is None else self.script.ending
        return "" if ending is None else ending[0]

    @checked(name=text)
    def remove(self, name: str) -> list[str]:
        """Take a body, a joint or an actuator out of the world; the names of all that went.

        With a body go its shapes, its joints, and the actuators that act on nothing else.
        """
        return remove(self, name)

    @checked(
        name=text,
        method=word_of(*limits.PIECES),
        seed=optional(whole()),
        kick=optional(one_of(Mapping)),
        tags=optional(texts),
    )
    def destroy(
        self,
        name: str,
        *,
        method: Literal["boxes", "voronoi"] = "boxes",
        count: int = 3,
        seed: int | None = None,
        kick: Mapping[str, float] | None = None,
        tags: Iterable[str] | None = None,
    ) -> list[str]:
        """Break a body into pieces that keep its motion, between two steps; returns their names.

        ``boxes`` are ``count`` in a row and in a column, ``voronoi`` cells ``count`` in all, round
        places that follow from ``seed``, by default the scene's. ``kick`` is added to the motion:
        ``{"radial": speed, "random": speed, "spin": angular_velocity}``. ``tags`` are those of the
        pieces, by default the body's.

        Raises UsageError for a body that has no area.
        """
        whole(1, limits.PIECES[method])(count, "count")
        pushes = Kick(**{} if kick is None else kick)
        how = Destruction(method, count, seed, pushes, None if tags is None else tuple(tags))
        return destroy_body(self, name, how)

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
        return cast_ray(self, start, end, categories)

    @checked(lower=vector, upper=vector, categories=optional(texts))
    def overlap_box(
        self, lower: Vector, upper: Vector, categories: Iterable[str] | None = None
    ) -> list[str]:
        """The bodies with a shape that overlaps the box, in the order of the scene."""
        return in_box(self, lower, upper, categories)

    @checked(center=vector, radius=not_negative, categories=optional(texts))
    def overlap_circle(
        self, center: Vector, radius: float, categories: Iterable[str] | None = None
    ) -> list[str]:
        """The bodies with a shape that overlaps the circle, in the order of the scene."""
        return in_circle(self, center, radius, categories)

    @checked(point=vector, categories=optional(texts))
    def overlap_point(self, point: Vector, categories: Iterable[str] | None = None) -> list[str]:
        """The bodies with a shape that holds the point, in the order of the scene."""
        return at_point(self, point, categories)

    @checked()
    def contacts(self) -> list[Contact]:
        """The touching points after the last step, in a fixed order."""
        return touching(self)

    @checked()
    def events(self) -> list[Event]:
        """Events since the last call, in order."""
        settle(self)
        take_in_events(self)
        told, self.told = self.told, []
        return told

    @checked(enabled=flag)
    def enable_birth_events(self, enabled: bool = True) -> None:
        """Whether ``events`` reports bodies that are added and removed; at first it does not."""
        self.tells_births = enabled

    @checked(enabled=flag)
    def enable_contact_events(self, enabled: bool = True) -> None:
        """Whether ``events`` reports when bodies start and stop touching; at first it does not."""
        self.tells_contacts = enabled
        listens = self.script is not None and self.script.listens
        self.native.enable_contact_events(enabled or listens)

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
        """Counts of the last step and milliseconds of its stages, as the Python reference lists."""
        return self.native.statistics()

    @checked(enabled=flag)
    def measure_stages(self, enabled: bool = True) -> None:
        """Whether ``statistics`` has the time of each stage of the solver too."""
        self.native.measure_stages(enabled)

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
