# SPDX-License-Identifier: MIT
"""Handles: one body, joint or actuator of a running world, by name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...arguments import (
    checked,
    flag,
    limit,
    not_negative,
    number,
    one_of,
    optional,
    shown,
    text,
    vector,
)
from ...errors import UsageError, unknown_name
from ...scene.blocks.joints.types import JOINT_TYPES
from ...scene.blocks.settings.settable import TYPES, refusal_of_type
from ...scene.model import Spring
from ..building.joint_rows import absolute_position, spring_fields
from .attributes import BY_NAME, BodyAttributes, JointAttributes
from .ids import ANGLE, INERTIA, MASS, NUMBERS, OMEGA, VX, VY, X, Y, slot_of
from .parts import MotorState, Vector, WorldParts, first_motor
from .ranges import OF_BODY, angle_within, position_within, within
from .registry import gone, without_velocity

if TYPE_CHECKING:
    from ...scene import model


@dataclass(slots=True)
class BodyHandle(BodyAttributes):
    """One body of a world. Lengths, times and masses are in scene units, angles in radians.

    Values read are those after the last step. Values set and pushes count from the next step and
    wake the body; pushes on a static body raise UsageError.
    """

    world: WorldParts
    name: str
    id: int

    @property
    def definition(self) -> model.Body:
        """The body in the scene, or in the fragment that added it."""
        _ = self.index
        return self.world.roster.bodies[self.name]

    @property
    def alive(self) -> bool:
        """False once the body was removed."""
        return self.world.native.has_body(self.id)

    @property
    def index(self) -> int:
        """The engine's slot.

        Raises UsageError for a body that was added and is removed; one of the scene keeps its own.
        """
        if self.id >= self.world.roster.kept and not self.alive:
            raise gone("body", self.name)
        return slot_of(self.id)

    def _read(self, number: int) -> float:
        """The present value; of a body of the scene that was removed, the last one."""
        native = self.world.native
        now = native.read_body(self.id, number)
        return float(getattr(native, NUMBERS[number])[self.index]) if now is None else now

    @property
    def row(self) -> int:
        """The body's row in ``world.bodies.x`` and the other arrays."""
        return self.index - 1

    @property
    def position(self) -> Vector:
        """The body's origin. May be set."""
        return self.x, self.y

    @position.setter
    def position(self, value: Vector) -> None:
        self.world.native.set_pose(self._living, *position_within(value), self.angle)

    @property
    def x(self) -> float:
        return self.world.native.read_body(self.id, X) or self._read(X)

    @property
    def y(self) -> float:
        return self.world.native.read_body(self.id, Y) or self._read(Y)

    @property
    def angle(self) -> float:
        """The angle in radians from +x towards +y, unwrapped. May be set."""
        return self.world.native.read_body(self.id, ANGLE) or self._read(ANGLE)

    @angle.setter
    def angle(self, value: float) -> None:
        self.world.native.set_pose(self._living, *self.position, angle_within(value))

    @property
    def velocity(self) -> Vector:
        """The velocity of the centre of mass. May be set."""
        return self._read(VX), self._read(VY)

    @velocity.setter
    def velocity(self, value: Vector) -> None:
        spin = self.angular_velocity
        self.world.native.set_velocity(self._moving, *vector(value, "velocity"), spin)

    @property
    def angular_velocity(self) -> float:
        """The angular velocity in radians per time unit. May be set."""
        return self.world.native.read_body(self.id, OMEGA) or self._read(OMEGA)

    @angular_velocity.setter
    def angular_velocity(self, value: float) -> None:
        spin = number(value, "angular_velocity")
        self.world.native.set_velocity(self._moving, *self.velocity, spin)

    @property
    def mass(self) -> float:
        """The mass; 0 for static and kinematic bodies."""
        return self._read(MASS)

    @property
    def inertia(self) -> float:
        """Moment of inertia about the centre of mass; 0 for bodies that do not turn."""
        return self._read(INERTIA)

    @property
    def center_of_mass(self) -> Vector:
        """The centre of mass in world coordinates."""
        return self.world_point(self.world.native.center_of_mass(self.index))

    @property
    def awake(self) -> bool:
        """Whether the body is simulated or asleep. May be set."""
        return bool(self.world.native.awake[self.index])

    @awake.setter
    def awake(self, value: bool) -> None:
        self.world.native.set_awake(self._living, flag(value, "awake"))

    @property
    def type(self) -> str:
        """Whether it is static, kinematic or dynamic now. May be set.

        Its velocity stays, but for that of a static body, which has none. Setting raises UsageError
        for ``dynamic`` where a body has no mass, and where the solver is a textbook's.
        """
        return TYPES[self.world.native.body_type(self.index)]

    @type.setter
    def type(self, value: str) -> None:
        if text(value, "type") not in TYPES:
            raise unknown_name("type of a body", value, TYPES)
        if why := refusal_of_type(self.definition, self.name, value):
            raise UsageError(why.replace("`", "'"))
        self._change("type", TYPES.index(value))
        self.world.roster.forget_centers()

    @property
    def collide(self) -> bool:
        """Whether it touches others at all. May be set."""
        return self.world.native.collides(self.index)

    @collide.setter
    def collide(self, value: bool) -> None:
        self._change("collide", flag(value, "collide"))

    @property
    def visible(self) -> bool:
        """Whether it is drawn. May be set."""
        return self.world.roster.visible.get(self.name, self.definition.visible)

    @visible.setter
    def visible(self, value: bool) -> None:
        _ = self._living
        self.world.roster.visible[self.name] = flag(value, "visible")

    def _change(self, what: str, value: float) -> None:
        solver = self.world.roster.scene.world.solver
        if solver.is_textbook:
            raise UsageError(f"with the solver {solver.kind} a body keeps its {what}")
        self.world.native.set_body(self._living, what, value)

    @checked(setting=text)
    def set(self, setting: str, value: object) -> None:
        """Change a number of the body, or of all its shapes, such as ``friction``.

        ``category`` is the name of one. Raises UsageError for unknown settings.
        """
        if setting not in BY_NAME:
            raise unknown_name(f"setting of the body {self.name}", setting, BY_NAME)
        if setting == "category":
            categories = self.world.roster.scene.collision.categories
            if text(value, "category") not in categories:
                raise unknown_name("category", str(value), categories)
            given: float = categories.index(str(value))
        elif setting in ("gravity_scale", "tangent_speed"):
            turned = setting == "tangent_speed" and self.world.roster.scene.units.y_down
            given = -number(value, setting) if turned else number(value, setting)  # as when built
        else:
            given = within(OF_BODY[setting], not_negative(value, setting), setting)
        self.world.native.set_body(self._living, setting, given)

    @checked(point=vector)
    def world_point(self, point: Vector) -> Vector:
        """A point given in the body's coordinates, in the world's."""
        from ...scene.values.portable_math import cos, sin

        x, y = point
        c, s = cos(self.angle), sin(self.angle)
        return self.x + (c * x - s * y), self.y + (s * x + c * y)

    @checked(point=vector)
    def local_point(self, point: Vector) -> Vector:
        """A point given in the world's coordinates, in the body's."""
        from ...scene.values.portable_math import cos, sin

        x, y = point[0] - self.x, point[1] - self.y
        c, s = cos(self.angle), sin(self.angle)
        return c * x + s * y, c * y - s * x

    @checked(name=text)
    def point(self, name: str) -> Vector:
        """A named point of the body, in world coordinates."""
        points = self.definition.points
        if name not in points:
            raise unknown_name(f"point of {self.name}", name, points)
        return self.world_point(points[name])

    @checked(force=vector, at=optional(vector))
    def apply_force(self, force: Vector, at: Vector | None = None) -> None:
        """Apply a force during the next step, at a world point or the centre of mass."""
        self.world.native.apply_force(self._moving, *force, *(at or ()))

    @checked(torque=number)
    def apply_torque(self, torque: float) -> None:
        """Apply a torque during the next step, positive from +x towards +y."""
        self.world.native.apply_torque(self._moving, torque)

    @checked(impulse=vector, at=optional(vector))
    def apply_impulse(self, impulse: Vector, at: Vector | None = None) -> None:
        """Apply an impulse, in world axes, at a world point or the centre of mass."""
        self.world.native.apply_impulse(self._moving, *impulse, *(at or ()))

    @checked(impulse=number)
    def apply_angular_impulse(self, impulse: float) -> None:
        """Apply an angular impulse, positive from +x towards +y."""
        self.world.native.apply_angular_impulse(self._moving, impulse)

    @checked()
    def remove(self) -> None:
        """Take the body, its shapes, joints and actuators out of the world."""
        _ = self._living
        self.world.remove(self.name)

    @property
    def _living(self) -> int:
        if not self.alive:
            raise gone("body", self.name)
        return self.id

    @property
    def _moving(self) -> int:
        if self.type == "static":
            raise without_velocity(self.name)
        return self._living


def _strength(value: object, name: str) -> float:
    strength = limit(value, name)
    if not strength >= 0:
        raise UsageError(f"{name} must not be negative, got {shown(value)}")
    return strength


def motor_state(joint: JointHandle, motor: model.Motor) -> MotorState:
    """The last settings of a joint's motor."""
    return joint.world.motors.get(joint.name) or first_motor(motor)


def lengths_of(joint: JointHandle) -> Vector:
    """The shortest and the longest that a distance joint may be now; UsageError for others."""
    spec = JOINT_TYPES[joint.definition.kind]
    if not spec.has("min_length"):
        raise UsageError(f"joint {joint.name!r} is no distance joint; it has no lengths to set")
    return joint.world.lengths.get(joint.name) or spec.lengths(joint.definition)


def spring_of(joint: JointHandle) -> Spring:
    """The spring of a joint as it is now; UsageError for one without."""
    spring = joint.world.springs.get(joint.name) or joint.definition.spring
    if spring is None:
        raise UsageError(f"joint {joint.name!r} has no spring; give it one in the scene")
    return spring


@dataclass(slots=True)
class JointHandle(JointAttributes):
    """One joint of a world. Forces are those of the last step: its impulse over its time."""

    world: WorldParts
    name: str
    id: int

    @property
    def definition(self) -> model.Joint:
        """The joint in the scene, or in the fragment that added it."""
        _ = self.index
        return self.world.roster.joints[self.name]

    @property
    def index(self) -> int:
        """The engine's slot. Raises UsageError for a joint that was added and is removed."""
        if self.id >= self.world.roster.kept_joints and not self.world.native.has_joint(self.id):
            raise gone("joint", self.name)
        return slot_of(self.id)

    def _state(self, field: str) -> float:
        return float(self.world.native.joint_state()[field][self.index])

    @property
    def force(self) -> Vector:
        """The force on body b, in world coordinates."""
        return self._state("force_x"), self._state("force_y")

    @property
    def torque(self) -> float:
        """The torque on body b."""
        return self._state("torque")

    @property
    def angle(self) -> float:
        """The angle of body b against body a, 0 at the start."""
        return self._state("angle")

    @property
    def length(self) -> float:
        """The distance between the two anchors."""
        return self._state("length")

    @property
    def translation(self) -> float:
        """The displacement of body b along the joint's axis; 0 for joints without an axis."""
        return self._state("translation")

    @property
    def speed(self) -> float:
        """The rate of the angle, the length or the translation."""
        return self._state("speed")

    @property
    def motor_force(self) -> float:
        """The force of the motor, or its torque if it turns."""
        return self._state("motor_force")

    @property
    def broken(self) -> bool:
        """Whether the joint broke, or was removed with a body."""
        return bool(self._state("broken"))

    @checked(
        speed=optional(number),
        position=optional(number),
        max_force=optional(_strength),
        max_torque=optional(_strength),
        enabled=optional(flag),
    )
    def set_motor(
        self,
        *,
        speed: float | None = None,
        position: float | None = None,
        max_force: float | None = None,
        max_torque: float | None = None,
        enabled: bool | None = None,
    ) -> None:
        """Change the motor: its target, its strength, whether it runs, or several of these.

        A motor keeps its kind: one that goes by speed takes ``speed``, the other ``position`` (0
        to 1 where the scene says ``relative``). Its strength is ``max_torque`` for revolute and
        wheel joints, ``max_force`` for the others. Raises UsageError when the joint has no such
        motor.
        """
        joint, motor = self.definition, self.definition.motor
        if motor is None:
            raise UsageError(f"joint {self.name!r} has no motor; give it one in the scene")
        goes = "position" if motor.speed is None else "speed"
        limited = "max_torque" if JOINT_TYPES[joint.kind].turns else "max_force"
        given = {"speed": speed, "position": position}
        given |= {"max_torque": max_torque, "max_force": max_force}
        for name, value in given.items():
            if value is not None and name not in (goes, limited):
                right = f"is limited by {limited}" if name.startswith("max_") else f"goes by {goes}"
                raise UsageError(f"the motor of {self.name!r} {right}, not by {name}")
        target, strength = given[goes], given[limited]
        if target is None and strength is None and enabled is None:
            raise UsageError(
                f"set_motor was given nothing to set; give it {goes}, {limited} or enabled"
            )
        old = motor_state(self, motor)
        state = MotorState(
            old.target if target is None else target,
            old.strength if strength is None else strength,
            old.enabled if enabled is None else enabled,
        )
        goal = state.target
        if motor.relative and goes == "position":
            if not 0.0 <= goal <= 1.0:
                raise UsageError(
                    f"the position of the motor of {self.name!r} is 0 to 1 of its limits, "
                    f"got {position}"
                )
            goal = absolute_position(joint, goal)
        self.world.native.set_motor(self._whole, goal, state.strength if state.enabled else 0.0)
        self.world.motors[self.name] = state

    @checked(lower=limit, upper=limit)
    def set_limits(self, lower: float, upper: float) -> None:
        """Move the limits of a joint that has some: angles in radians, or lengths.

        An infinite limit is none on that side.
        """
        joint = self.definition
        spec = JOINT_TYPES[joint.kind]
        lengths = spec.has("min_length") and spec.lengths(joint) != (0.0, math.inf)
        if joint.limits is None and not lengths:
            raise UsageError(f"joint {self.name!r} has no limits; give it some in the scene")
        if lower == math.inf or upper == -math.inf:
            raise UsageError(f"limits of {lower} and {upper} leave nothing between")
        if lower > upper:
            raise UsageError(f"lower must not be above upper, got {lower} and {upper}")
        if joint.limits is None:
            self.set_lengths(lower, upper)
        else:
            self.world.native.set_limits(self._whole, lower, upper)

    @checked(shortest=optional(not_negative), longest=optional(_strength))
    def set_lengths(self, shortest: float | None = None, longest: float | None = None) -> None:
        """Change minimum and maximum length of a distance joint that has them.

        If the maximum is below the minimum, both are the maximum.
        """
        now = lengths_of(self)
        lower, upper = (
            now[0] if shortest is None else shortest,
            now[1] if longest is None else longest,
        )
        self.world.native.set_limits(self._whole, min(lower, upper), upper)
        self.world.lengths[self.name] = lower, upper

    @checked(spring=one_of(Spring))
    def set_spring(self, spring: model.Spring) -> None:
        """Change the spring of a joint that has one; frequencies are per scene time."""
        _ = spring_of(self)
        by_frequency = (spring.frequency, spring.damping_ratio) != (None, None)
        if by_frequency and (spring.stiffness, spring.damping) != (None, None):
            raise UsageError(
                "a spring has a frequency and a damping_ratio, or a stiffness and a damping"
            )
        kind, *given = spring_fields(spring)
        first, second = (number(value, "spring") for value in given)
        damper = spring.frequency is None and second > 0
        if not ((first > 0 or (damper and first == 0)) and second >= 0):
            raise UsageError("a spring needs a frequency, stiffness or damping above 0")
        self.world.native.set_spring(self._whole, kind, first, second)
        self.world.springs[self.name] = spring

    @checked(target=vector)
    def set_target(self, target: Vector) -> None:
        """Move the point of the world that a mouse pulls to."""
        if not JOINT_TYPES[self.definition.kind].has("target"):
            raise UsageError(f"joint {self.name!r} is no mouse; it has no target")
        x, y = target
        self.world.native.set_joint_target(self._whole, x, y)
        self.world.targets[self.name] = x, y

    @checked()
    def remove(self) -> None:
        """Take the joint out of the world."""
        _ = self._whole
        self.world.remove(self.name)

    @property
    def _whole(self) -> int:
        if self.broken:
            raise UsageError(f"joint {self.name!r} is gone: it broke, or was removed")
        return self.id
