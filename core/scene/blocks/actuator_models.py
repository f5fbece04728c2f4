"""The input models of actuators: forces on bodies."""

from typing import Annotated, Any, ClassVar

from .. import limits
from ..values import units
from ..values.fields import (
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
)
from ..values.kinds import ListOf, OneOf, Tuple
from ..values.names import Name
from ..values.quantity import Quantity
from .joint_models import DIRECTION

_UNTIL = "the time at which it stops acting is `until`"
KINDS = ("thruster", "rotary_motor", "axial_friction", "force", "torque", "impulse")


class ActuatorInput(RepeatedInput):
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
                "wind": "force",
                "field": "force",
                "kick": "impulse",
            },
        ),
    ] = None
    body: Annotated[Any, Name("the name of a body", computed=True)] = None
    bodies: Annotated[
        Any, ListOf(Name("the name of a body", computed=True), "a list of bodies", 1, limits.BODIES)
    ] = None
    tags: Words = None
    at: PointField = None
    force: Annotated[Pair, Tuple(Quantity((units.FORCE,)), 2, "a force [x, y]")] = None
    torque: Annotated[Value, Quantity((units.TORQUE,))] = None
    impulse: Annotated[Pair, Tuple(Quantity((units.IMPULSE,)), 2, "an impulse [x, y]")] = None
    angular_impulse: Annotated[Value, Quantity((units.ANGULAR_IMPULSE,))] = None
    speed: AngularSpeed = None
    max_torque: Torque = None
    brake: TruthField = None
    direction: Annotated[Pair, DIRECTION] = None
    friction: NotNegative = None
    max_force: Force = None
    enabled: TruthField = None
    start: Time = None
    until: Annotated[Value, Quantity((units.TIME,), low=0.0, infinite=True)] = None
    visible: TruthField = None
