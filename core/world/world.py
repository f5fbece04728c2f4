# SPDX-License-Identifier: MIT
"""World: a running scene, stepped by hand, with the names of the scene file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, NoReturn, SupportsIndex

from .. import _native
from ..arguments import (
    checked,
    flag,
    named_object,
    one_of,
    optional,
    real,
    shown,
    steps_up_to,
    text,
    texts,
    whole,
    word_of,
)
from ..errors import UnknownNameError, UsageError
from ..record.frame import Frame
from ..record.recorder import Event
from ..scene import limits
from ..scene.hashing import physics_hash
from ..scene.model import Scene, Spring
from ..scene.script import Destruction, Kick
from .bodies import Bodies, body_handle
from .building.assembly import body_indices, build_native
from .destroying import destroy_body
from .event_queue import EventQueue
from .failures import named
from .frames import take_frame
from .keys import Keys
from .naming.actuator_handle import ActuatorHandle
from .naming.actuators import Actuators
from .naming.attributes import WorldAttributes
from .naming.handles import BodyHandle, JointHandle
from .naming.parts import MotorState, Probing, Scripted, Vector, Viewing
from .naming.registry import Registry
from .naming.settings import add_to_setting, apply_setting
from .old_names import OldNames
from .prepared import Prepared, prepare
from .probes import Probes
from .queries import Query
from .removals import lineup, settle, settled
from .saving import pack, twin, unpack
from .script import Script
from .spawning import add_fragment, remove
from .state_variables import StateVariables
from .stepping import advance
from .textbook import engine_of
from .viewing import WorldView

_OBJECT = named_object("a body, a joint or an actuator")


class World(WorldAttributes, OldNames):
    """A running scene. Quantities are in the scene's units, angles in radians.

    ``world["ball"]`` is a body's handle, ``world.joint("hinge")`` a joint's. ``bodies`` has the
    state of all bodies as arrays, ``query`` has ray casts and overlaps, ``events`` the events
    since they were last taken, and ``controls`` the scene's keys.

    Attributes:
        native: the engine.
        roster: the registry of its members.
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
        self.roster = Registry(scene)
        self.motors: dict[str, MotorState] = {}
        self.targets: dict[str, Vector] = {}  # of mice whose target was moved
        self.springs: dict[str, Spring] = {}  # of joints whose spring was set
        self.lengths: dict[str, Vector] = {}  # the shortest and the longest, where one was set
        # The handles that were asked for: of bodies of the scene, which stay, and of others.
        self.handles: dict[str, BodyHandle] = {}
        self.added_handles: dict[str, BodyHandle] = {}
        self.tells_births = False
        self.tells_contacts = False
        self.told: list[Event] = []  # events that are in words already, not taken yet
        self.warned: list[str] = []
        # For recorders: additions and removals since the last call, with the first step of each.
        self.came: list[str] = []
        self.gone: dict[str, int] = {}
        self.removals = 0  # that were taken notice of
        self.acts = False  # while the actions of a step are executed
        self.probes: Probing = Probes(self)
        self.view: Viewing = WorldView(self)
        self.script: Scripted | None = None
        if scene.is_scripted or self.view.is_followed:
            self.script = Script(self)

    @property
    def scene(self) -> Scene:
        """The scene, including existing additions."""
        return lineup(self).scene

    @property
    def bodies(self) -> Bodies:
        """The bodies: a mapping of their names to handles, and arrays of the state of all."""
        return Bodies(self)

    @property
    def query(self) -> Query:
        """Queries of the present state: ray casts, overlaps, contacts."""
        return Query(self)

    @property
    def events(self) -> EventQueue:
        """The queue of events and warnings that were not taken yet."""
        return EventQueue(self)

    @property
    def controls(self) -> Keys:
        """The keys of the scene's ``controls``, to be pressed and released."""
        return Keys(self)

    # ------------------------------------------------------------ stepping

    @checked(steps=steps_up_to(limits.STEPS))
    def step(self, steps: int = 1) -> None:
        """Advance by ``steps`` steps of ``scene.world.dt``.

        Raises SimulationError when a body's state stops being finite or runs away and the scene
        says ``on_error: stop``; every later call raises it again.
        """
        done: int | None = 0
        if self.script is None and not self.actuators.running and steps:
            done = self.native.advance(steps, self.removals)
        if done is not None:
            advance(self, steps, done)

    @property
    def step_count(self) -> int:
        """Number of steps done."""
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
        """The state that determines all later steps, to be restored in any world of the same scene.

        Equal states give equal bytes, independent of threads, lanes and machine. Events that
        only the engine has, since they were not taken yet, are part of the state.
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
        """An independent second world in the same state, with its own copy of untaken events."""
        settle(self)
        return twin(self, self.native.fork())

    # ------------------------------------------------------------ bodies and joints

    def __repr__(self) -> str:
        return f"World({self.scene.name!r}: step {self.step_count}, {len(self)} bodies)"

    def __getitem__(self, name: str) -> BodyHandle:
        """The handle of a body. Raises UnknownNameError, also a KeyError."""
        try:
            return self.handles[name]
        except (KeyError, TypeError):
            return body_handle(self, name)

    def __contains__(self, name: object) -> bool:
        """Whether there is a body of that name, or the scene had one at the start."""
        return isinstance(name, str) and name in settled(self).bodies

    def __iter__(self) -> Iterator[str]:
        """The bodies' names, as a mapping does."""
        return iter(settled(self).bodies)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise UsageError(
            "a World is neither copied nor pickled: fork() is a second world in the same state, "
            "save() gives the state as bytes, which restore() takes"
        )

    def _repr_html_(self) -> str:
        from ..viewers import view

        html: str = view("notebook of a world", self)
        return html

    def __len__(self) -> int:
        """Number of bodies, including removed bodies of the scene."""
        return len(settled(self).bodies)

    @checked(name=text)
    def joint(self, name: str) -> JointHandle:
        """The handle of a joint. Raises UnknownNameError, also a KeyError."""
        roster = settled(self)
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

    @checked(path=text)
    def add(
        self, fragment: Mapping[str, Any] | str | bytes, *, path: str = "<fragment>"
    ) -> dict[str, BodyHandle | JointHandle | ActuatorHandle]:
        """Add bodies, joints and actuators, between two steps; their handles by name.

        ``fragment`` is a mapping or a YAML text with ``bodies``, ``joints`` and ``actuators``, each
        as in a scene file; ``path`` is what errors call it. The scene's vars, materials and
        defaults hold. Names must be new: neither those of the scene's objects nor of any that were
        added before. Joints and actuators may name bodies that are there, which then count as
        where they are now.

        Raises SceneError with every problem found; nothing is added then.
        """
        if not isinstance(fragment, (Mapping, str, bytes)):
            raise UsageError(f"a fragment is a mapping or a YAML text, got {shown(fragment)}")
        return {name: self._handle(name) for name in add_fragment(self, fragment, path)}

    @checked(path=text)
    def prepare(
        self, fragment: Mapping[str, Any] | str | bytes, *, path: str = "<fragment>"
    ) -> Prepared:
        """Read a fragment once, as ``add`` does, of which many copies are to be added.

        Its joints and actuators name its own bodies and ``world`` alone. Raises SceneError with
        every problem found.
        """
        return prepare(self, fragment, path)

    def _handle(self, name: str) -> BodyHandle | JointHandle | ActuatorHandle:
        if name in self.roster.bodies:
            return self[name]
        return self.joint(name) if name in self.roster.joints else self.actuator(name)

    @checked(path=text)
    def set(self, path: str, value: object) -> None:
        """Set one value by its path, such as ``jet.enabled`` or ``hinge.motor.speed``.

        Values are in scene units, angles in radians. Raises UsageError for other values.
        """
        apply_setting(self, path, value)

    @checked(path=text)
    def add_to(self, path: str, value: object) -> None:
        """Add to the value at a path such as ``ball.velocity`` or ``ball.velocity.y``.

        Raises UsageError for values without sums.
        """
        add_to_setting(self, path, value)

    @property
    def state(self) -> StateVariables:
        """A read-only copy of the scene's state variables, as they are now.

        ``set("state.hits", 5)`` sets one.
        """
        return StateVariables({} if self.script is None else self.script.state)

    @property
    def outcome(self) -> str:
        """The outcome of the run: win, lose, pass or fail; empty while it runs."""
        ending = None if self.script is None else self.script.ending
        return "" if ending is None else ending[0]

    @checked(name=_OBJECT)
    def remove(self, name: str) -> list[str]:
        """Remove a body, a joint or an actuator; return the names of all removed objects.

        With a body go its shapes, its joints, and the actuators that act on nothing else.
        """
        return remove(self, name)

    @checked(
        name=_OBJECT,
        method=word_of(*limits.PIECES),
        seed=optional(whole()),
        kick=optional(one_of(Mapping)),
        tags=optional(texts),
        collide=flag,
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
        collide: bool = True,
    ) -> list[str]:
        """Break a body into pieces that keep its motion, between two steps; returns their names.

        ``boxes`` are ``count`` x ``count``, ``voronoi`` cells ``count`` in all, round
        places that follow from ``seed``, by default the scene's. ``kick`` is added to the motion:
        ``{"radial": speed, "random": speed, "spin": angular_velocity}``. ``tags`` are those of the
        pieces, by default the body's. Without ``collide`` they touch nothing and are only
        drawn.

        Raises UsageError for a body that has no area.
        """
        whole(1, limits.PIECES[method])(count, "count")
        pushes = Kick(**{} if kick is None else kick)
        named = None if tags is None else tuple(tags)
        how = Destruction(method, count, seed, pushes, named, collide)
        return destroy_body(self, name, how)

    # ------------------------------------------------------------ readings

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
        steps = 0 if self.script is None else self.script.steps
        return self.native.statistics() | {"script_steps": float(steps)}

    @checked(enabled=flag)
    def measure_stages(self, enabled: bool = True) -> None:
        """Whether ``statistics`` has the time of each stage of the solver too."""
        self.native.measure_stages(enabled)

    # ------------------------------------------------------------ pictures

    @checked(want_contacts=flag, time=optional(real))
    def frame(self, want_contacts: bool = False, *, time: float | None = None) -> Frame:
        """The present frame for a Renderer; ``time`` is the time of its clock."""
        return take_frame(self, want_contacts, time)


@checked()
def build(scene: Scene, *, threads: int = 1, lanes: int = 0) -> World:
    """Build the world of a scene, before its first step.

    ``threads`` and ``lanes`` (worlds or contacts per vector; 0: the widest) affect the speed only,
    never the result. Raises UsageError for unsupported ``lanes`` and for scenes that the engine
    refuses.
    """
    return World(scene, threads=threads, lanes=lanes)
