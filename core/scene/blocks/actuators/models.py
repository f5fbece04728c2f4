# SPDX-License-Identifier: MIT
"""The input models of actuators: forces on bodies."""

from typing import Annotated, Any, ClassVar

from ... import limits
from ...values import units
from ...values.fields import (
    AngularSpeed,
    Force,
    NotNegative,
    Pair,
    PointField,
    RepeatedInput,
    Time,
    Torque,
    TruthField,
    Value,
    Words,
    about,
)
from ...values.kinds import ListOf, OneOf, Tuple
from ...values.names import Name
from ...values.quantity import Quantity
from ..joints.parts import DIRECTION
from .force_fields import FieldKind, PotentialKind

_UNTIL = "the time at which it stops acting is `until`"
KINDS = ("thruster", "rotary_motor", "axial_friction", "force", "torque", "impulse", "field")


_STEERED = "a motor that is steered belongs to a joint: `motor: {position: ..., spring: {...}}`"
_SPRING = "a spring is a joint: `{type: distance, spring: {...}}`"


class ActuatorInput(RepeatedInput):
    form: ClassVar[str] = "`{type: force, body: ship, force: [0, 20]}`"

    hints: ClassVar[dict[str, str]] = {
        "axis": "the direction of axial_friction is `direction`",
        "joint": "a joint has its own `motor: {...}`",
        "point": "the point it acts on is `at`",
        "anchor": "the point it acts on is `at`",
        "position": "the point it acts on is `at`",
        "offset": "the point it acts on is `at`",
        "tag": "the bodies of a tag are `tags: [...]`",
        **dict.fromkeys(("duration", "end", "stop"), _UNTIL),
    }
    type: Annotated[
        str | None,
        OneOf(
            KINDS,
            others={
                "jet": "thruster",
                "rocket": "thruster",
                "motor": "rotary_motor",
                "tyre": "axial_friction",
                "tire": "axial_friction",
                "friction": "axial_friction",
                "wind": "field",
                "magnet": "field",
                "kick": "impulse",
            },
            instead={
                **dict.fromkeys(("velocity", "position", "servo", "general"), _STEERED),
                **dict.fromkeys(("spring", "damper"), _SPRING),
                "gravity": "gravity is `world: {gravity: [x, y]}`, that of one body its "
                "`gravity_scale`",
                "surfaceeffector2d": "a surface that moves is the `tangent_speed` of a shape",
                "buoyancyeffector2d": "a liquid is one of `world: {pools: ...}`",
                "platformeffector2d": "what is passed from one side is a shape with `one_way`",
            },
        ),
    ] = about("thruster, rotary_motor, axial_friction, force, torque, impulse or field.")
    body: Annotated[Any, Name("the name of a body", computed=True)] = about(
        "The body it acts on; a generator's name stands for all that it made."
    )
    bodies: Annotated[
        Any, ListOf(Name("the name of a body", computed=True), "a list of bodies", 1, limits.BODIES)
    ] = about("The bodies it acts on.")
    tags: Words = about(
        "Acts on all dynamic bodies with one of these tags, also on those born later."
    )
    at: PointField = about(
        "Where, in body coordinates (default: the centre of mass; a tyre's: the origin).",
        of=("thruster", "axial_friction", "force", "impulse"),
    )
    force: Annotated[Pair, Tuple(Quantity((units.FORCE,)), 2, "a force [x, y]")] = about(
        "thruster: in body axes; force: in world axes.", of=("thruster", "force")
    )
    field: Annotated[Any, FieldKind()] = about(
        "field: the force [=x, =y] as expressions of x, y, t, vx, vy and mass.", of=("field",)
    )
    potential: Annotated[Any, PotentialKind()] = about(
        "field: the potential energy of a body in it, an expression of x, y and mass, for "
        "world.field_energy (default: none is known).",
        of=("field",),
    )
    torque: Annotated[Value, Quantity((units.TORQUE,))] = about(
        "thruster, torque, rotary_motor: a torque.", of=("thruster", "rotary_motor", "torque")
    )
    impulse: Annotated[Pair, Tuple(Quantity((units.IMPULSE,)), 2, "an impulse [x, y]")] = about(
        "impulse: a change of momentum, in world axes.", of=("impulse",)
    )
    angular_impulse: Annotated[Value, Quantity((units.ANGULAR_IMPULSE,))] = about(
        "impulse: a change of angular momentum.", of=("impulse",)
    )
    speed: AngularSpeed = about("rotary_motor: the angular speed to reach.", of=("rotary_motor",))
    max_torque: Torque = about(
        "rotary_motor: the largest torque (default: no limit).", of=("rotary_motor",)
    )
    brake: TruthField = about(
        "rotary_motor: whether it also slows what is faster than speed (default true).",
        of=("rotary_motor",),
    )
    direction: Annotated[Pair, DIRECTION] = about(
        "axial_friction: the direction that is braked, in body axes (default [1, 0]).",
        of=("axial_friction",),
    )
    friction: NotNegative = about(
        "axial_friction: the largest force over the body's weight.", of=("axial_friction",)
    )
    max_force: Force = about(
        "axial_friction: the largest force, instead of friction.", of=("axial_friction",)
    )
    enabled: TruthField = about("Whether it acts (default true).")
    start: Time = about("Acts from this time on (default 0); an impulse acts once, then.")
    until: Annotated[Value, Quantity((units.TIME,), low=0.0, infinite=True)] = about(
        "Acts until this time (default: the end).",
        of=("thruster", "rotary_motor", "axial_friction", "force", "torque", "field"),
    )
    visible: TruthField = about("Drawn (default true).")
