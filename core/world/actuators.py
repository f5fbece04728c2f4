"""Actuators in a running world: thrusters, fields and impulses as forces of the engine, motors and
tyres as joints with the world, switched on and off between steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from .. import _native
from ..errors import UsageError
from ..scene.model import Actuator, Point, Scene
from ..scene.portable_math import hypot
from ..scene.settings import default_gravity
from .assembly import BY_SPEED, INFINITY, JOINT_KINDS, NAN, WORLD_BODY, Row, spring_row, table

THRUSTER, FORCE, IMPULSE = 0, 1, 2
FORCE_KINDS = {"thruster": THRUSTER, "impulse": IMPULSE}  # all others are forces in world axes
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


@dataclass(slots=True)
class _Running:
    """An actuator as it is now, and where the engine has it: (index, body) for each body."""

    now: Actuator
    parts: list[tuple[int, int]]
    applied: tuple[object, ...] = ()


class Actuators:
    """The actuators of one world. ``add`` before the engine's ``finish``, ``begin`` after it."""

    def __init__(self, scene: Scene, native: _native.World, index: Mapping[str, int]) -> None:
        self._native = native
        self._dt = scene.world.dt
        self._running: dict[str, _Running] = {}
        gravity = scene.world.gravity
        if gravity == (0.0, 0.0):
            gravity = default_gravity(scene.units, scene.world.length_unit)
        self._gravity = hypot(*gravity)
        forces: list[Row] = []
        joints: list[Row] = []
        first = len(scene.joints)
        for actuator in scene.actuators.values():
            parts = []
            for name in actuator.bodies:
                body = index[name]
                if is_joint(actuator):
                    parts.append((first + len(joints), body))
                    joints.append(_joint_row(actuator, body))
                else:
                    parts.append((len(forces), body))
                    forces.append(_force_row(actuator, body))
            self._running[actuator.name] = _Running(actuator, parts)
        if joints:
            native.add_joints(table(joints))
        if forces:
            native.add_forces(table(forces))
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
            actuator = replace(actuator, max_force=INFINITY)
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


def _force_row(actuator: Actuator, body: int) -> Row:
    """One row of FORCE_COLUMNS."""
    at: Point = (NAN, NAN) if actuator.at is None else actuator.at
    return (
        FORCE_KINDS.get(actuator.kind, FORCE),
        body,
        *at,
        *actuator.force,
        actuator.torque,
        actuator.start,
        actuator.until,
    )


def _joint_row(actuator: Actuator, body: int) -> Row:
    """One row of JOINT_COLUMNS, of a motor or a friction against the world."""
    return (
        JOINT_KINDS[actuator.kind],
        WORLD_BODY,
        body,
        0.0,
        0.0,
        *(actuator.at or (0.0, 0.0)),
        *actuator.direction,
        0.0,
        True,
        INFINITY,
        INFINITY,
        *spring_row(None),
        False,
        0.0,
        0.0,
        BY_SPEED,
        actuator.speed or 0.0,
        0.0,
        *spring_row(None),
        0.0,
        0.0,
        INFINITY,
        *spring_row(None),
        0.0,
        0.0,
        INFINITY,
    )
