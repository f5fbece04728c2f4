"""Actuators in a running world: thrusters, fields and impulses as forces of the engine, motors and
tyres as joints with the world, switched on and off between steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import Any

from .. import _native
from ..errors import UsageError
from ..scene.model import Actuator, Point, Scene
from ..scene.portable_math import hypot
from ..scene.settings import default_gravity
from .assembly import WORLD_BODY
from .rows import RowWriter, default_fields

SAME_STEP = 1e-9  # a time this close to a step, as a part of dt, is that step

# What of each kind may be changed while the world runs.
SETTINGS = {
    "thruster": ("enabled", "force", "torque"),
    "force": ("enabled", "force"),
    "torque": ("enabled", "torque"),
    "impulse": ("enabled", "impulse", "angular_impulse"),
    "rotary_motor": ("enabled", "speed", "max_torque", "torque"),
    "axial_friction": ("enabled", "friction", "max_force"),
}
_BLOW = {"impulse": "force", "angular_impulse": "torque"}  # the fields of an impulse


def is_joint(actuator: Actuator) -> bool:
    """Whether the engine has it as a joint with the world."""
    return actuator.kind == "axial_friction" or actuator.speed is not None


Placed = tuple[Actuator, int]
"""An actuator, and the native index of one of its bodies."""


def _force_kind(actuator: Actuator) -> int:
    """Thrusters and impulses are kinds of their own; all others are forces in world axes."""
    kind = actuator.kind if actuator.kind in ("thruster", "impulse") else "force"
    return _native.FORCE_KINDS[kind]


def _place(actuator: Actuator) -> Point:
    return (math.nan, math.nan) if actuator.at is None else actuator.at


_FORCES: RowWriter[Placed] = RowWriter(
    "FORCE",
    {
        "kind": lambda placed: _force_kind(placed[0]),
        "body": lambda placed: placed[1],
        "at_x": lambda placed: _place(placed[0])[0],
        "at_y": lambda placed: _place(placed[0])[1],
        "x": lambda placed: placed[0].force[0],
        "y": lambda placed: placed[0].force[1],
        "torque": lambda placed: placed[0].torque,
        "start": lambda placed: placed[0].start,
        "until": lambda placed: placed[0].until,
    },
)

# A motor or a friction against the world, at rest until it is switched on.
_JOINTS: RowWriter[Placed] = RowWriter(
    "JOINT",
    default_fields("JOINT")
    | {
        "kind": lambda placed: _native.JOINT_KINDS[placed[0].kind],
        "body_a": lambda _: WORLD_BODY,
        "body_b": lambda placed: placed[1],
        "anchor_bx": lambda placed: (placed[0].at or (0.0, 0.0))[0],
        "anchor_by": lambda placed: (placed[0].at or (0.0, 0.0))[1],
        "axis_x": lambda placed: placed[0].direction[0],
        "axis_y": lambda placed: placed[0].direction[1],
        "collide": lambda _: True,
        "motor_kind": lambda _: _native.MOTOR_KINDS["speed"],
        "motor_target": lambda placed: placed[0].speed or 0.0,
        "motor_max": lambda _: 0.0,
    },
)


@dataclass(slots=True)
class _Running:
    """An actuator as it is now, and where the engine has it: (index, body) for each body."""

    now: Actuator
    parts: list[tuple[int, int]]
    applied: tuple[object, ...] = ()


class Actuators:
    """The actuators of one world. ``add`` before the engine's ``finish``, ``begin`` after it."""

    def __init__(self, scene: Scene, native: _native.World, index: Mapping[str, int]) -> None:
        self._scene = scene
        self._native = native
        self._dt = scene.world.dt
        self._running: dict[str, _Running] = {}
        gravity = scene.world.gravity
        if gravity == (0.0, 0.0):
            gravity = default_gravity(scene.units, scene.world.length_unit)
        self._gravity = hypot(*gravity)
        forces: list[Placed] = []
        joints: list[Placed] = []
        first = len(scene.joints)
        for actuator in scene.actuators.values():
            parts = []
            for name in actuator.bodies:
                body = index[name]
                if is_joint(actuator):
                    parts.append((first + len(joints), body))
                    joints.append((actuator, body))
                else:
                    parts.append((len(forces), body))
                    forces.append((actuator, body))
            self._running[actuator.name] = _Running(actuator, parts)
        if joints:
            native.add_joints(_JOINTS.rows(joints))
        if forces:
            native.add_forces(_FORCES.rows(forces))
        self._switches = sorted(
            {
                self._step(time)
                for each in scene.actuators.values()
                if is_joint(each)
                for time in (each.start, each.until)
                if math.isfinite(time) and time > 0.0
            }
        )

    def _step(self, time: float) -> int:
        """The first step that begins at a time or after it."""
        return math.ceil(min(time / self._dt, 1e15) - SAME_STEP)

    def begin(self) -> None:
        """Bring all into the state they begin with."""
        for running in self._running.values():
            self._apply(running, 0)

    # ------------------------------------------------------------ time

    def next_switch(self, step: int, end: int) -> int:
        """The step, after ``step`` and up to ``end``, before which something has to be switched."""
        return next((at for at in self._switches if step < at < end), end)

    def switch(self, step: int) -> None:
        """Switch what begins or ends before this step."""
        if step in self._switches:
            for running in self._running.values():
                if is_joint(running.now):
                    self._apply(running, step)

    def acting(self, step: int) -> list[bool]:
        """Whether each acts during the step that begins at ``step`` steps."""
        return [self._acts(running.now, step) for running in self._running.values()]

    def _acts(self, actuator: Actuator, step: int) -> bool:
        ended = math.isfinite(actuator.until) and self._step(actuator.until) <= step
        return actuator.enabled and self._step(actuator.start) <= step and not ended

    # ------------------------------------------------------------ settings

    def save(self) -> dict[str, Any]:
        """What was set and switched since the start, as JSON has it."""
        return {
            name: [_changes(self._scene.actuators[name], running.now), running.applied]
            for name, running in sorted(self._running.items())
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Be as ``save`` said, in an engine that is so already."""
        for name, running in self._running.items():
            changes, applied = saved[name]
            running.now = _changed(self._scene.actuators[name], changes)
            running.applied = tuple(applied)

    def fork(self, native: _native.World) -> Actuators:
        """The same in an engine that was made from this one's."""
        twin = copy(self)
        twin._native = native
        twin._running = {name: copy(running) for name, running in self._running.items()}
        return twin

    def get(self, name: str) -> Actuator:
        """The actuator as it is now."""
        return self._running[name].now

    def set(self, name: str, setting: str, value: object, step: int) -> None:
        """Change one of SETTINGS, checked by the caller; counts from the next step on."""
        running = self._running[name]
        actuator = running.now
        if setting == "torque" and is_joint(actuator):
            raise UsageError(f"the motor {name!r} goes by speed, not by torque")
        if setting in ("speed", "max_torque") and not is_joint(actuator):
            raise UsageError(f"the motor {name!r} has a torque, not a speed")
        if setting == "friction":
            actuator = replace(actuator, max_force=math.inf)
        if setting == "max_force":
            actuator = replace(actuator, friction=None)
        field = _BLOW.get(setting, setting)
        running.now = replace(actuator, **{field: value})  # type: ignore[arg-type]
        self._apply(running, step)

    def _apply(self, running: _Running, step: int) -> None:
        actuator = running.now
        if not is_joint(actuator):
            for index, _ in running.parts:
                x, y = actuator.force
                self._native.set_force(index, x, y, actuator.torque, actuator.enabled)
            return
        acts = self._acts(actuator, step)
        state = (acts, actuator.speed, actuator.max_torque, actuator.friction, actuator.max_force)
        if state == running.applied:
            return
        running.applied = state
        for index, body in running.parts:
            if not self._native.alive[body]:
                continue
            most = self._strength(actuator, body) if acts else 0.0
            self._native.set_motor(index, actuator.speed or 0.0, most)

    def _strength(self, actuator: Actuator, body: int) -> float:
        if actuator.kind == "rotary_motor":
            return actuator.max_torque
        if actuator.friction is None:
            return actuator.max_force
        return actuator.friction * float(self._native.mass[body]) * self._gravity


def _changes(before: Actuator, now: Actuator) -> dict[str, Any]:
    """The fields that are not as the scene says, by name."""
    values = {field.name: getattr(now, field.name) for field in fields(Actuator)}
    return {name: value for name, value in values.items() if value != getattr(before, name)}


def _changed(before: Actuator, changes: Mapping[str, Any]) -> Actuator:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()
    }
    return replace(before, **values)
