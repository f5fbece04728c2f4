# SPDX-License-Identifier: MIT
"""Actuators in a running world: thrusters, fields and impulses as forces of the engine, motors and
tyres as joints with the world, switched on and off between steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any

from ... import _native
from ...errors import SimulationError, UsageError
from ...scene.blocks.actuators.force_fields import PLACE_NAMES, compile_field
from ...scene.model import Actuator, Body, Scene
from ...scene.plain import what_is_other
from ...scene.values.expression import Expression, ExpressionError
from ..building.actuator_rows import force_rows, gravity_for_tyres, is_joint
from ..saved import (
    UnfitError,
    anything,
    fixed,
    flag,
    limit,
    listed,
    need,
    optional,
    same_names,
    table,
    whole,
)
from ..saved import either as one_of_these
from .ids import slot_of

MOST_FORCE = 1e15
"""Larger ones have no place in a world of floats."""

SAME_STEP = 1e-9  # a time this close to a step, as a part of dt, is that step

# Fields of each kind that may change while the world runs.
SETTINGS = {
    "thruster": ("enabled", "force", "torque"),
    "force": ("enabled", "force"),
    "torque": ("enabled", "torque"),
    "field": ("enabled",),
    "impulse": ("enabled", "impulse", "angular_impulse"),
    "rotary_motor": ("enabled", "speed", "max_torque", "torque"),
    "axial_friction": ("enabled", "friction", "max_force"),
}
BLOWS = {"impulse": "force", "angular_impulse": "torque"}
"""The fields of an impulse that its settings are."""


@dataclass(slots=True)
class _Running:
    """An actuator as it is now, and where the engine has it: for each body the slot of a force or
    the id of a joint, and the body's slot."""

    now: Actuator
    parts: list[tuple[int, int]]
    applied: tuple[object, ...] = ()
    removed: bool = False


class Actuators:
    """The actuators of one world. ``add`` before the engine's ``finish``, ``begin`` after it.

    Attributes:
        definitions: those that there are, as they were at first.
        running: the same, as they are now.
    """

    def __init__(self, scene: Scene, native: _native.World, index: Mapping[str, int]) -> None:
        self.definitions = dict(scene.actuators)
        self._native = native
        self._dt = scene.world.dt
        self.running: dict[str, _Running] = {}
        self._potentials: dict[str, Expression] = {}
        self._compiled: dict[tuple[str, str], tuple[Expression, Expression]] = {}
        self._gravity = gravity_for_tyres(scene)
        joints, forces = force_rows(scene.actuators.values(), index)
        first_joint = native.add_joints(joints)
        first_force = native.add_forces(forces)
        self._take(scene.actuators.values(), index, count(first_joint), count(first_force))
        self._switches = self._find_switches()

    def _take(
        self,
        actuators: Iterable[Actuator],
        index: Mapping[str, int],
        joints: Iterator[int],
        forces: Iterator[int],
    ) -> None:
        for actuator in actuators:
            places = joints if is_joint(actuator) else forces
            parts = [(next(places), index[name]) for name in actuator.bodies]
            self.running[actuator.name] = _Running(actuator, parts)

    def _find_switches(self) -> list[int]:
        motors = (each for each in self.running.values() if is_joint(each.now))
        return sorted({self._step(time) for each in motors for time in self._times(each)})

    def _times(self, running: _Running) -> list[float]:
        """The times at which one begins or ends."""
        both = running.now.start, running.now.until
        return [time for time in both if math.isfinite(time) and time > 0.0]

    def _step(self, time: float) -> int:
        """The first step that begins at a time or after it."""
        return math.ceil(min(time / self._dt, 1e15) - SAME_STEP)

    def begin(self) -> None:
        """Set all actuators to their initial state."""
        for running in self.running.values():
            self._apply(running, 0)

    # ------------------------------------------------------------ coming and going

    def add(
        self,
        actuators: Mapping[str, Actuator],
        index: Mapping[str, int],
        joints: Iterable[int],
        forces: Iterable[int],
        step: int,
        *,
        begin: bool = True,
    ) -> None:
        """Take over those that the engine has as ``joints`` (ids) and ``forces`` (slots), and which
        have begun to act without ``begin``."""
        self.definitions |= actuators
        self._take(actuators.values(), index, iter(joints), iter(forces))
        for name in actuators:
            running = self.running[name]
            if begin:
                self._apply(running, step)
            elif is_joint(running.now):
                running.applied = self._state(running.now, step)
        self._switches = self._find_switches()

    def joining(self, bodies: Iterable[Body], step: int) -> list[tuple[str, str]]:
        """Pairs of an actuator and a body, born after a step, with a tag by which the actuator
        acts. A past impulse no longer acts."""
        there = [
            running.now
            for running in self.running.values()
            if not running.removed
            and (running.now.kind != "impulse" or self._step(running.now.start) >= step)
        ]
        tagged = [(each.name, frozenset(each.tags)) for each in there if each.tags]
        if not tagged:
            return []
        return [
            (name, body.name)
            for body in bodies
            if body.kind == "dynamic"
            for name, tags in tagged
            if not tags.isdisjoint(body.tags)
        ]

    def alone(self, pairs: Iterable[tuple[str, str]]) -> list[Actuator]:
        """Actuators as they are now, each for one body."""
        return [replace(self.running[name].now, bodies=(body,)) for name, body in pairs]

    def join(
        self,
        pairs: Iterable[tuple[str, str]],
        index: Mapping[str, int],
        joints: Iterator[int],
        forces: Iterator[int],
        step: int,
        *,
        begin: bool = True,
    ) -> None:
        """Act on bodies that are born, for which the engine has ``joints`` and ``forces``, and on
        which they act already without ``begin``."""
        for name, body in pairs:
            running = self.running[name]
            place = next(joints if is_joint(running.now) else forces)
            running.parts = [*running.parts, (place, index[body])]
            if begin:
                self._apply_to(running.now, place, index[body], step)

    def remove(self, name: str, *, keep: bool, by_engine: bool = False) -> None:
        """Remove an actuator; with ``keep`` it is kept by name without effect. ``by_engine`` is
        whether the engine has removed it already."""
        running = self.running[name]
        running.removed = True
        for place, _ in () if by_engine else running.parts:
            if not is_joint(running.now):
                self._native.remove_force(place)
            elif self._native.has_joint(place):
                self._native.remove_joint(place)
        running.parts = []
        if not keep:
            del self.running[name], self.definitions[name]
            self._switches = self._find_switches()

    def leave(self, name: str, body: int) -> bool:
        """Stop acting on the body of a slot; return whether no body is left."""
        running = self.running[name]
        running.parts = [part for part in running.parts if part[1] != body]
        return not running.parts and not running.now.tags

    def is_gone(self, name: str) -> bool:
        """Whether one was removed; one of the scene whose bodies were removed rests."""
        return self.running[name].removed

    # ------------------------------------------------------------ time

    def next_switch(self, step: int, end: int) -> int:
        """The step, after ``step`` and up to ``end``, before which something has to be switched."""
        if any(running.now.expressions and running.parts for running in self.running.values()):
            return min(step + 1, end)
        return next((at for at in self._switches if step < at < end), end)

    def switch(self, step: int) -> None:
        """Switch the actuators that start or end before this step."""
        for running in self.running.values():
            if running.now.expressions is not None and self._acts(running.now, step):
                self._push(running, running.now.expressions, step)
        if step in self._switches:
            for running in self.running.values():
                if is_joint(running.now) and not running.removed:
                    self._apply(running, step)

    def field_energy(self, step: int) -> float:
        """The sum of the potential energies of bodies in fields that act and have a potential."""
        native, energies = self._native, list[float]()
        for running in self.running.values():
            potential = running.now.potential
            if potential is None or not self._acts(running.now, max(step, 1)):
                continue
            compiled = self._potentials.get(potential)
            if compiled is None:
                compiled = self._potentials[potential] = Expression(potential)
            bodies = [body for _, body in running.parts if native.alive[body]]
            x, y, mass = native.x, native.y, native.mass
            places = ((float(x[i]), float(y[i]), float(mass[i])) for i in bodies)
            rows = [dict(zip(PLACE_NAMES, place, strict=True)) for place in places]
            try:
                energies += [float(each) for each in compiled.evaluate_all(rows)]
            except ExpressionError:
                return math.nan
        return math.fsum(energies)

    def _push(self, running: _Running, expressions: tuple[str, str], step: int) -> None:
        """Give the bodies of a field the forces of the middle of the step that begins now."""
        native, name = self._native, running.now.name
        parts = [part for part in running.parts if native.alive[part[1]]]
        half = 0.5 * self._dt
        rows = [
            {
                "x": float(native.x[body]) + half * float(native.vx[body]),
                "y": float(native.y[body]) + half * float(native.vy[body]),
                "t": step * self._dt + half,
                "vx": float(native.vx[body]),
                "vy": float(native.vy[body]),
                "mass": float(native.mass[body]),
            }
            for _, body in parts
        ]
        compiled = self._compiled.get(expressions)
        if compiled is None:
            compiled = self._compiled[expressions] = compile_field(expressions)
        try:
            xs, ys = (each.evaluate_all(rows) for each in compiled)
        except ExpressionError as error:
            raise SimulationError(
                f"the field {name!r} has no value at t = {step * self._dt:.6g}: {error.message}",
                step,
            ) from None
        for (place, _), x, y in zip(parts, xs, ys, strict=True):
            if max(abs(x), abs(y)) > MOST_FORCE:
                raise SimulationError(
                    f"the field {name!r} has a force above {MOST_FORCE:g} at t = "
                    f"{step * self._dt:.6g}",
                    step,
                )
            native.set_force(place, float(x), float(y), 0.0, True)

    def acting(self, step: int) -> list[bool]:
        """Whether each acts during the step that begins at ``step`` steps."""
        return [
            bool(running.parts) and self._acts(running.now, step)
            for running in self.running.values()
        ]

    def names_acting(self, step: int) -> set[str]:
        """Those that act during the step that begins at ``step`` steps."""
        acting = zip(self.running, self.acting(step), strict=True)
        return {name for name, acts in acting if acts}

    def _acts(self, actuator: Actuator, step: int) -> bool:
        ended = math.isfinite(actuator.until) and self._step(actuator.until) <= step
        return actuator.enabled and self._step(actuator.start) <= step and not ended

    def settings_over_time(self) -> Iterator[dict[str, float]]:
        """Rows for the engine of those that act by time alone, from the beginning on: rows of
        ``_native.SWITCH``, in the order of steps."""
        for name, running in self.running.items():
            x, y = running.now.force
            for place, body in () if is_joint(running.now) else self.parts(name):
                yield {
                    "x": x,
                    "y": y,
                    "torque": running.now.torque,
                    "slot": place,
                    "body": body,
                    "enabled": running.now.enabled,
                }
        before: dict[str, object] = {}
        for step in (0, *self._switches):
            for name, running in self.running.items():
                state = self._state(running.now, step) if is_joint(running.now) else None
                if state is None or before.get(name) == state:
                    continue
                before[name] = state
                for place, body in self.parts(name):
                    most = self._strength(running.now, body) if state[0] else 0.0
                    speed = running.now.speed or 0.0
                    motor = {"x": speed, "y": most, "slot": place, "body": body, "kind": 1}
                    yield {"step": step, **motor}

    # ------------------------------------------------------------ settings

    SAVED = table(
        fixed(
            table(anything),
            one_of_these(fixed(), fixed(flag, optional(limit), limit, optional(limit), limit)),
            listed(fixed(whole(), whole())),
            flag,
        )
    )

    def save(self) -> dict[str, Any]:
        """Settings and switches since the start, as JSON data."""
        return {
            name: [
                _changes(self.definitions[name], running.now),
                running.applied,
                running.parts,
                running.removed,
            ]
            for name, running in sorted(self.running.items())
        }

    def restored(self, definitions: Mapping[str, Actuator], saved: Mapping[str, Any]) -> Actuators:
        """Restores ``save``'s data, in an engine that is restored already.

        Raises UnfitError for data that no world of the scene saves.
        """
        twin = copy(self)
        same_names(saved, definitions, "actuators")
        twin.definitions = dict(definitions)
        twin.running = {}
        for name, definition in definitions.items():
            changes, applied, parts, removed = saved[name]
            where = f"actuators.{name}"
            now = _changed(definition, changes, where)
            twin._check_parts(now, parts, where)
            need(not (removed and parts), where, "was removed, and is on a body")
            places = [(place, body) for place, body in parts]
            twin.running[name] = _Running(now, places, tuple(applied), removed)
        twin._switches = twin._find_switches()
        return twin

    def _check_parts(self, actuator: Actuator, parts: Iterable[list[int]], where: str) -> None:
        """Raise UnfitError if the engine's slots do not have the saved actuators."""
        native = self._native
        for place, body in parts:
            need(0 < body < native.body_count, where, "is on no body")
            if is_joint(actuator):
                there = native.has_joint(place) or not native.alive[body]
            else:
                try:
                    native.force_state(place)
                    there = True
                except (IndexError, OverflowError, TypeError, ValueError):
                    there = False
            need(there, where, f"the engine has nothing of it at {place}")
        if actuator.expressions is not None:
            try:
                compile_field(actuator.expressions)
            except ExpressionError as error:
                raise UnfitError(f"{where}: {error.message}") from None

    def fork(self, native: _native.World) -> Actuators:
        """Copy for an engine forked from this one's."""
        twin = copy(self)
        twin._native = native
        twin.definitions = dict(self.definitions)
        twin.running = {name: copy(running) for name, running in self.running.items()}
        return twin

    def get(self, name: str) -> Actuator:
        """The actuator as it is now."""
        return self.running[name].now

    def parts(self, name: str) -> list[tuple[int, int]]:
        """For each body of one, the slot of its force or joint, and the body's slot."""
        return [(slot_of(place), body) for place, body in self.running[name].parts]

    def masses(self, name: str) -> list[float]:
        """The masses of an actuator's bodies."""
        return [float(self._native.mass[body]) for _, body in self.running[name].parts]

    @property
    def gravity(self) -> float:
        """The gravity for the weight of tyres."""
        return self._gravity

    def may_act(self, name: str) -> bool:
        """Whether one acts at the start, if it is enabled."""
        return self._acts(replace(self.running[name].now, enabled=True), 0)

    def note(self, name: str, values: Mapping[str, Any], step: int) -> None:
        """Store values that were set in the engine itself before a step."""
        running = self.running[name]
        running.now = replace(running.now, **values)
        if is_joint(running.now):
            running.applied = self._state(running.now, step)

    def set(self, name: str, setting: str, value: object, step: int) -> None:
        """Change one of SETTINGS, checked by the caller; counts from the next step on."""
        running = self.running[name]
        actuator = running.now
        if setting == "torque" and is_joint(actuator):
            raise UsageError(f"the motor {name!r} goes by speed, not by torque")
        if setting in ("speed", "max_torque") and not is_joint(actuator):
            raise UsageError(f"the motor {name!r} has a torque, not a speed")
        if setting == "friction":
            actuator = replace(actuator, max_force=math.inf)
        if setting == "max_force":
            actuator = replace(actuator, friction=None)
        field = BLOWS.get(setting, setting)
        running.now = replace(actuator, **{field: value})  # type: ignore[arg-type]
        self._apply(running, step)

    def _apply(self, running: _Running, step: int) -> None:
        actuator = running.now
        if is_joint(actuator):
            state = self._state(actuator, step)
            if state == running.applied:
                return
            running.applied = state
        for place, body in running.parts:
            self._apply_to(actuator, place, body, step)

    def _apply_to(self, actuator: Actuator, place: int, body: int, step: int) -> None:
        """Update the engine's part of an actuator for the next step."""
        if not is_joint(actuator):
            x, y = actuator.force
            self._native.set_force(place, x, y, actuator.torque, actuator.enabled)
        elif self._native.alive[body]:
            most = self._strength(actuator, body) if self._acts(actuator, step) else 0.0
            self._native.set_motor(place, actuator.speed or 0.0, most)

    def _state(self, actuator: Actuator, step: int) -> tuple[object, ...]:
        """Values on which the engine's numbers of a joint depend."""
        acts = self._acts(actuator, step)
        return acts, actuator.speed, actuator.max_torque, actuator.friction, actuator.max_force

    def _strength(self, actuator: Actuator, body: int) -> float:
        if actuator.kind == "rotary_motor":
            return actuator.max_torque
        if actuator.friction is None:
            return actuator.max_force
        return actuator.friction * float(self._native.mass[body]) * self._gravity


def _changes(before: Actuator, now: Actuator) -> dict[str, Any]:
    """The fields that differ from the scene, by name."""
    values = {field.name: getattr(now, field.name) for field in fields(Actuator)}
    return {name: value for name, value in values.items() if value != getattr(before, name)}


def _changed(before: Actuator, changes: Mapping[str, Any], where: str) -> Actuator:
    """Return an actuator with its settings. Raises UnfitError for invalid ones."""
    may = {BLOWS.get(each, each) for each in SETTINGS[before.kind]}
    for name in changes:
        need(name in may, where, f"{name!r} cannot be set")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()
    }
    now = replace(before, **values)
    wrong = what_is_other(now, Actuator, before.name)
    need(not wrong, where, wrong)
    need(is_joint(now) == is_joint(before), where, "is another kind of motor")
    return now
