# SPDX-License-Identifier: MIT
"""Births and removals of a script, as its native program has them.

A birth is that of an original: a prototype of one size and handedness, as rows of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal

from ....errors import SceneError, UsageError
from ....scene import limits
from ....scene.action_model import MOUSE, TAGGED, Action, Formula, Live, Spawn
from ....scene.basis import basis_of
from ....scene.blocks.placing.pivots import box_point
from ....scene.event_model import Prototype, Spawner
from ....scene.model import Body, Scene
from ....scene.values.expression import split_state
from ....scene.values.portable_math import total
from ..event_conditions import EVENT_BODIES
from .driven import put_motor, put_spring
from .originals import Original, Tables, formulas_of, original_of, put_original
from .own import FIRST, Own, OwnNames
from .values import ProgramValues
from .writer import NONE, NoProgramError, Writer

_POINT, _EVENT, _BODY, _MOUSE, _NOWHERE = range(5)


@dataclass(frozen=True, slots=True)
class Members:
    """The bodies that a name selects: by their owners, with their pieces where these count, by a
    tag, or by the names that they are born of."""

    bodies: tuple[int, ...] = ()
    joints: tuple[int, ...] = ()
    actuators: tuple[int, ...] = ()
    tag: int = NONE
    names: tuple[int, ...] = ()
    attached: int = NONE
    pieces: bool = False

    def put(self, to: Writer) -> None:
        """Write it."""
        to.places(self.bodies)
        to.places(self.joints)
        to.places(self.actuators)
        to.whole(self.tag)
        to.places(self.names)
        to.whole(self.attached)
        to.byte(self.pieces)


NOBODY = Members()


Vars = tuple[tuple[str, Any], ...]
Birth = tuple[str, str, Vars, float, Literal["x", "y"] | None, tuple[float, float]]
"""The name of a birth, its prototype, the vars of that, its size and handedness, and its pivot."""
_MOST_BUILT = 32
"""Prototypes with vars of their own that a program has. Those that spawn themselves with ever
others have no end."""


def vars_of(spawn: Spawn) -> Vars:
    """The vars that a birth gives its prototype."""
    return tuple(sorted(spawn.vars.items()))


def birth_of(spawn: Spawn) -> Birth:
    """What tells a birth from others, where its pivot is a point."""
    assert not isinstance(spawn.pivot, str)
    return spawn.name, spawn.use, vars_of(spawn), spawn.scale, spawn.mirror, spawn.pivot


@dataclass(slots=True)
class ProgramBirths:
    """The births of a program and what they put into the world.

    Attributes:
        names: the names of what is born, and their places.
        attached: those of the joints that actions attach.
        spawns: the births, and their paths.
        mask: a function that finds the bits of a body's tags.
        breakable: a function that finds the place of a body that may break.
        own: the originals with scripts, in the order of these.
        births: the births, by what tells them apart.
        prototypes: what is born; None for what is made at each birth.
        makes: whether the host makes the original of any birth.
        scripted: the places of the births of copies with scripts.
        emits: whether particles come with any birth.
        hangs: whether joints with the world come with any birth.
    """

    scene: Scene
    values: ProgramValues
    mask: Callable[[Body], int]
    breakable: Callable[[Body], int]
    own: list[tuple[str, Own]] = field(default_factory=list)
    births: list[Birth] = field(default_factory=list)
    prototypes: list[Prototype | None] = field(default_factory=list)
    emits: bool = False
    hangs: bool = False
    makes: bool = False
    scripted: dict[Birth, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    attached: dict[str, int] = field(default_factory=dict)
    spawns: list[Spawn] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    _written: list[bytes] = field(default_factory=list)
    _of_births: list[int] = field(default_factory=list)  # the originals
    _originals: dict[tuple[Any, ...], tuple[int, Original]] = field(default_factory=dict)
    _built: dict[tuple[Any, ...], Prototype | None] = field(default_factory=dict)
    _bytes: list[bytes] = field(default_factory=list)  # of originals
    _names: list[OwnNames] = field(default_factory=list)  # of births
    _settled: tuple[object, ...] = ()

    def __post_init__(self) -> None:
        for action in _actions(self.scene):
            if action.spawn is not None:
                self.name_of(action.spawn.name)
            elif action.kind == "attach":
                self.attached[action.name] = self.name_of(action.name)
            elif action.kind == "copy" and action.motion is not None:
                self.name_of(action.motion.name)
        for spawner in _spawners(self.scene):
            self.name_of(spawner.spawn.name)
        self.values.probes.names_in = self.names_in

    def name_of(self, name: str) -> int:
        """The place of a name of what is born."""
        self.values.text(name)
        return self.names.setdefault(name, len(self.names))

    def names_in(self, what: str) -> tuple[int, ...]:
        """The places of the names of what is born that are inside a name, as those of what an
        instance spawns, and of what is added under this name from outside."""
        self.name_of(what)
        inside = (f"{what}.", f"{what}[")
        return tuple(
            [i for each, i in self.names.items() if each == what or each.startswith(inside)]
        )

    # ------------------------------------------------------------ births

    def spawn(self, spawn: Spawn, path: str) -> int:
        """The place of a birth at a path."""
        prototype = self._prototype(spawn)
        to, values, turns = Writer(), self.values, False
        if values.own is not None:
            own = values.own
            turns = bool(own.mirror and spawn.mirror and own.mirror != spawn.mirror)
            mirror = (None if spawn.mirror else own.mirror) if own.mirror else spawn.mirror
            spawn = replace(spawn, scale=spawn.scale * own.scale, mirror=mirror)
        original = NONE if prototype is None else self._original(spawn, prototype)
        prototype = None if original == NONE else prototype
        spot = self.spot(spawn.at)
        frame = self.owner(spawn.frame)
        if spawn.frame and frame is None:
            raise NoProgramError(f"{path}: there is no body {spawn.frame}")
        pivot = spawn.pivot
        if isinstance(pivot, str):
            bodies = {} if prototype is None else prototype.bodies
            pivot = box_point(pivot, bodies, self.scene.units.y_down) if bodies else (0.0, 0.0)
        made = [] if prototype is not None else list(map(values.number, formulas_of(spawn)))
        angle, velocity = values.value(spawn.angle), values.value(spawn.velocity, 2)
        lifetime = values.value(0.0 if spawn.lifetime is None else spawn.lifetime)
        self.makes |= prototype is None
        by = NONE if values.own is None else values.own.place
        to.whole(self.name_of(spawn.name), by, original)
        to.each(made, lambda each: to.numbers(each))
        to.raw(spot)
        to.byte(turns)
        to.byte(bool(spawn.frame))
        to.whole(-1 if frame is None else frame)
        to.real(*pivot)
        to.numbers(*angle)
        to.value(velocity)
        to.byte(spawn.lifetime is not None)
        to.numbers(*lifetime)
        to.byte(spawn.if_free)
        to.whole(spawn.max_tries if spawn.if_free else 1)
        birth = birth_of(replace(spawn, pivot=pivot))
        self.births.append(birth)
        self.prototypes.append(prototype)
        self.emits |= bool(prototype is None or prototype.particles)
        if prototype is not None and prototype.acts:
            self.scripted.setdefault(birth, len(self.spawns))
        self.spawns.append(spawn)
        self._of_births.append(original)
        self.paths.append(path)
        self._written.append(to.bytes())
        return len(self.spawns) - 1

    def add(self, spawn: Spawn, prototype: Prototype, path: str) -> int:
        """The place of a birth without a place, of a prototype with vars that are known. Raises
        UsageError where the engine does not take it."""
        self._built[spawn.use, vars_of(spawn)] = prototype
        place = self.spawn(replace(spawn, at=""), path)
        if self._of_births[place] == NONE:
            original_of(self.scene, prototype, spawn, NONE)  # which says why
        return place

    @property
    def own_names(self) -> tuple[OwnNames, ...]:
        """For each birth the joints of a copy by their names."""
        later = self._of_births[len(self._names) :]
        names = {own.place: own.names for _, own in self.own if own.place in later}
        self._names += [names.get(original, OwnNames()) for original in later]
        return tuple(self._names)

    def _prototype(self, spawn: Spawn) -> Prototype | None:
        """The prototype of a birth; None for one that the host builds when something is born."""
        scene = self.scene
        if not spawn.vars:
            return scene.prototypes.get(spawn.use)
        if any(isinstance(value, Formula) for value in spawn.vars.values()):
            return None
        key = spawn.use, vars_of(spawn)
        if key not in self._built:
            basis = basis_of(scene)
            is_full = sum(each is not None for each in self._built.values()) >= _MOST_BUILT
            builder = None if basis is None else basis.prototype_builder
            lacks = builder is None or is_full
            self._built[key] = None if lacks else self._build(spawn, builder)
        return self._built[key]

    def _build(self, spawn: Spawn, builder: Any) -> Prototype | None:
        """A prototype with vars that are known; None where it is another one at each birth."""
        try:
            made, again = (
                builder.born(spawn.use, spawn.vars, f"{spawn.name}[{i}]") for i in range(2)
            )
        except (SceneError, UsageError):
            return None
        tags = {tag for body in made.bodies.values() for tag in body.tags}
        return made if _same(made, again) and tags <= self.values.tags.keys() else None

    def owner(self, name: str) -> int | None:
        """The number of a body of the event or of the scene."""
        found = EVENT_BODIES.get(name)
        if found is not None:
            return found
        own = self.values.own
        return (self.values.roster.ids if own is None else own.bodies).get(name)

    def spot(self, at: Live) -> bytes:
        """A place as bytes."""
        numbers = [(NONE, 0.0)] * 2 if isinstance(at, str) else self.values.value(at, 2)
        where, owner, is_origin, (x, y) = self._place(at)
        to = Writer()
        to.byte(where)
        to.whole(owner)
        to.byte(is_origin)
        to.real(x, y)
        to.value(numbers)
        return to.bytes()

    def _place(self, at: Live) -> tuple[int, int, bool, tuple[float, float]]:
        """A kind of place, a body, whether its origin, a point of it."""
        if not isinstance(at, str):
            return _POINT, -1, True, (0.0, 0.0)
        kinds = {"": _NOWHERE, "$point": _EVENT, MOUSE: _MOUSE}
        if at in kinds:
            return kinds[at], -1, True, (0.0, 0.0)
        owner = self.owner(at)
        if owner is not None:
            return _BODY, owner, True, (0.0, 0.0)
        own = self.values.own
        name, point = split_state(at, self.scene if own is None else own.scene)
        body = (self.scene if own is None else own.copy).bodies[name]
        owner = self.owner(name)
        assert owner is not None
        return _BODY, owner, False, body.points[point.removeprefix("points.")]

    def _original(self, spawn: Spawn, prototype: Prototype) -> int:
        """The place of an original; NONE where the engine does not take it, which is said when one
        is born."""
        key = spawn.use, vars_of(spawn), spawn.scale, spawn.mirror
        if key not in self._originals:
            plan = len(self.own) if prototype.acts else NONE
            try:
                original = original_of(self.scene, prototype, spawn, plan)
            except UsageError:
                return NONE
            place = len(self._originals)
            self._originals[key] = place, original
            self.hangs |= bool(original.grounded)
            if prototype.acts:
                size = spawn.scale, spawn.mirror
                self.own.append(
                    (spawn.use, Own(self.scene, place, prototype, original.copy, *size))
                )
        return self._originals[key][0]

    def spawner(self, to: Writer, path: str, spawner: Spawner) -> None:
        """Write what a spawner at a path spawns."""
        values = self.values
        spawn = self.spawn(spawner.spawn, path)
        guard = values.expression(spawner.guard, f"{path}.if", draws=True)
        one = spawner.spawn
        live = (one.at, one.angle, one.velocity, one.lifetime)
        alone = spawner.guard or spawner.alive is not None or one.if_free or one.vars
        one_by_one = bool(alone) or values.own is not None
        to.long(-1 if spawner.alive is None else spawner.alive)
        to.whole(spawn, guard)
        to.byte(not one_by_one and not any(map(self._reads_run, live)))

    def _reads_run(self, value: Live | None) -> bool:
        """Whether a value depends on the state of the run, as ``Formulas.reads_run``."""
        if isinstance(value, tuple):
            return any(map(self._reads_run, value))
        return bool(value) if isinstance(value, str) else self._reads_world(value)

    def _reads_world(self, value: Live | None) -> bool:
        return isinstance(value, Formula) and self.values.reads_world(value.source)

    # ------------------------------------------------------------ removals

    def members(self, what: str, tag_of: Callable[[str], int]) -> Members:
        """The objects of a name."""
        scene, ids = self.scene, self.values.roster.ids
        if (owner := self.owner(what)) is not None:
            return Members(bodies=(owner,), pieces=owner <= FIRST)
        if self.values.own is not None:
            return self._own_members(self.values.own, what, tag_of)
        if what in scene.joints:
            return Members(joints=(self.values.roster.joint_ids[what],))
        if what in scene.actuators:
            return Members(actuators=([*scene.actuators].index(what),))
        if what.startswith(TAGGED):
            return Members(tag=tag_of(what.removeprefix(TAGGED)))
        if what in scene.groups:
            return Members(bodies=tuple(ids[name] for name in scene.groups[what] if name in ids))
        own = tuple(
            number for name, number in ids.items() if name.startswith((f"{what}.", f"{what}["))
        )
        return Members(bodies=own, names=self.names_in(what), pieces=True)

    def _own_members(self, own: Own, what: str, tag_of: Callable[[str], int]) -> Members:
        """The objects of a prototype with a name, and bodies with a tag."""
        if what.startswith(TAGGED):
            return Members(tag=tag_of(what.removeprefix(TAGGED)))
        inside = (f"{what}.", f"{what}[")
        some = tuple(owner for name, owner in own.bodies.items() if name.startswith(inside))
        if what in own.joints:
            return Members(joints=(self.values.joint(what),))
        if what in own.actuators:
            return Members(actuators=(own.actuators[what],))
        if not some:
            raise NoProgramError(f"there is nothing named {what}")
        return Members(bodies=some, pieces=True)

    def detached(self, joint: str) -> Members:
        """The joints that an action detaches."""
        mine = self.values.own
        if mine is not None:
            own = (self.values.joint(joint),) if joint in mine.joints else ()
            place = mine.attached.get(joint)
            return Members(joints=own, attached=NONE if place is None else FIRST - place)
        number = self.values.roster.joint_ids.get(joint)
        own = () if number is None else (number,)
        return Members(joints=own, attached=self.attached.get(joint, NONE))

    # ------------------------------------------------------------ writing

    def put_names(self, to: Writer) -> None:
        """Write the names."""
        to.places(self.values.text(name) for name in self.names)

    def put(self, to: Writer, settled: tuple[object, ...]) -> None:
        """Write the originals and the births. The bytes of an original are kept for as long as
        ``settled``, of what other tables they depend on, is the same."""
        if settled != self._settled:
            self._settled, self._bytes = settled, []
        originals = [each for _, each in self._originals.values()]
        to.raw(len(self.own).to_bytes(4, "little"))
        values = self.values
        tables = Tables(self.scene, values.text, self.breakable, values.forms.place, self.mask)
        for original in originals[len(self._bytes) :]:
            own = Writer()
            self._write_original(own, original, tables)
            self._bytes.append(own.bytes())
        to.each(self._bytes, to.raw)
        to.each(self._written, to.raw)

    def _write_original(self, to: Writer, original: Original, tables: Tables) -> None:
        put_original(to, original, tables)
        whose = None if original.plan == NONE else self.own[original.plan][1]
        motors, springs = ((), ()) if whose is None else (whose.motors, whose.springs)
        joints, numbers = original.copy.joints, [*original.copy.joints]
        to.each([*motors], lambda name: put_motor(to, joints[name], numbers.index(name)))
        to.each([*springs], lambda name: put_spring(to, joints[name], numbers.index(name)))
        to.whole(0 if whose is None else len(whose.attached))


def _same(one: Any, other: Any) -> bool:
    """Whether two objects of a prototype have equal values, wherever messages say they are."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if is_dataclass(one):
        names = [each.name for each in fields(one) if each.name != "origin"]
        return all(_same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, Mapping):
        return [*one] == [*other] and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _spawners(scene: Scene) -> list[Spawner]:
    """All spawners of a scene and of its prototypes."""
    found = [*scene.spawners.values()]
    for each in scene.prototypes.values():
        found += each.spawners.values()
    return found


def emitting(scene: Scene, prototypes: Sequence[Prototype | None]) -> int:
    """The number of bodies that were born beside which others of these prototypes with particles
    may be, whatever particles all of them have. Beyond it the host counts the particles."""
    born = [[*each.particles.values()] for each in prototypes if each and each.particles]
    if not born or None in prototypes:
        return 0
    alive = [total([each.alive for each in emitters]) for emitters in born]
    there = [each.alive for each in scene.particles.values()]
    emitters = (limits.EMITTERS - len(there)) // max(map(len, born))
    particles = (limits.ALL_PARTICLES - total(there)) / max(max(alive), 1.0)
    return max(0, min(emitters, int(particles)))


def _actions(scene: Scene) -> list[Action]:
    """All actions of a scene and of its prototypes, but those of inputs."""
    found: list[Action] = []
    everything: tuple[Scene | Prototype, ...] = scene, *scene.prototypes.values()
    for each in everything:
        for rule in each.events:
            found += rule.actions
        for control in each.controls.values():
            found += (*control.actions, *control.released)
    for entry in scene.inputs:
        found += getattr(entry, "actions", ())
    return found
