# SPDX-License-Identifier: MIT
"""The types of joints: the definition of each, and its written fields."""

from operator import attrgetter
from typing import Annotated, Any, ClassVar

from ...values import units
from ...values.context import Context
from ...values.fields import (
    POINT,
    Distance,
    Force,
    Input,
    Number,
    Pair,
    PointField,
    RepeatedInput,
    Size,
    TruthField,
    Value,
    about,
)
from ...values.kinds import Custom, OneOf, Text, Tuple
from ...values.names import Name
from ...values.quantity import Quantity
from .anchors import ANCHOR, ANCHORS
from .lengths import build_lengths, rod_lengths, write_lengths
from .links import build_gear, build_rack, orbit, read_gear_ratio, read_pinion_radius
from .motion import need_motor
from .own import build_own, place_own, place_written_own, write_own
from .parts import (
    DIRECTION,
    IN_SPRING,
    MOTOR_ANGLE,
    ROD_LENGTH,
    BreakInput,
    LimitsField,
    MotorInput,
    SpringInput,
)
from .pulleys import (
    build_pulley,
    place_pulley,
    place_written_pulley,
    pulley_lengths,
    write_pulley,
)
from .ratchets import build_ratchet, place_written_ratchet, ratchet_limits, write_ratchet
from .spec import JointSpec, Linked

_POINT = ("bodies", "anchor", "anchors")
_SLIDING = (*_POINT, "axis", "limits", "limit_spring", "motor", "spring")

JOINT_TYPES: dict[str, JointSpec] = {
    each.name: each
    for each in (
        JointSpec(
            name="revolute",
            aliases=("hinge", "pin"),
            options=(*_POINT, "limits", "limit_spring", "motor", "spring"),
            motor="turns",
            position=MOTOR_ANGLE,
            angular=True,
            hinge=True,
            drawing="hinge",
        ),
        JointSpec(
            name="distance",
            aliases=("rod", "rope", "spring"),
            options=(
                *(*_POINT, "limit_spring", "motor", "spring"),
                *("length", "min_length", "max_length", "rope"),
            ),
            motor="slides",
            position=ROD_LENGTH,
            anchors="ends",
            along_line=True,
            bears_torque=False,
            build=build_lengths,
            write=write_lengths,
            lengths=rod_lengths,
            drawing="rod",
        ),
        JointSpec(
            name="weld",
            aliases=("fixed",),
            options=(*_POINT, "spring"),
            drawing="weld",
        ),
        JointSpec(
            name="prismatic",
            aliases=("slider", "groove"),
            options=_SLIDING,
            motor="slides",
            axis=(1.0, 0.0),
            axis_of="a",
            drawing="rail",
        ),
        JointSpec(
            name="wheel",
            options=(*_SLIDING, "max_force"),
            motor="turns",
            position=MOTOR_ANGLE,
            spins=True,
            axis=(0.0, 1.0),
            axis_of="a",
            force_of_spring=True,
            row={"spring_max": attrgetter("max_force")},
            drawing="suspension",
        ),
        JointSpec(
            name="axial_motor",
            aliases=("linear_motor", "line_motor"),
            options=(*_POINT, "axis", "motor"),
            motor="slides",
            axis=(1.0, 0.0),
            axis_of="a",
            build=need_motor,
            drawing="rail",
        ),
        JointSpec(
            name="gear",
            aliases=("gears", "belt"),
            options=("joints", "ratio", "radii", "teeth"),
            links=Linked(wants="two hinges", ratio=read_gear_ratio, build=build_gear),
            textbook=False,
            write=lambda joint: {"joints": joint.links, "ratio": joint.ratio},
            row={"orbit": orbit},
            drawing="mesh",
        ),
        JointSpec(
            name="rack",
            options=("joints", "radius"),
            axis_of="b",
            links=Linked(
                wants="a hinge and a slide",
                slides=True,
                ratio=read_pinion_radius,
                build=build_rack,
            ),
            bears_torque=False,
            textbook=False,
            write=lambda joint: {"joints": joint.links, "radius": abs(joint.ratio)},
            place=lambda joint, place: {"ratio": place.turn(joint.ratio * place.scale)},
            drawing="mesh",
        ),
        JointSpec(
            name="pulley",
            options=("bodies", "anchors", "ground_anchors", "ratio", "length", "rope"),
            anchors="ends",
            bears_torque=False,
            textbook=False,
            build=build_pulley,
            write=write_pulley,
            place=place_pulley,
            place_written=place_written_pulley,
            lengths=pulley_lengths,
            drawing="rope",
        ),
        JointSpec(
            name="ratchet",
            options=(*_POINT, "motor", "pitch", "teeth", "direction", "slip_torque"),
            motor="turns",
            position=MOTOR_ANGLE,
            hinge=True,
            textbook=False,
            build=build_ratchet,
            write=write_ratchet,
            place=lambda joint, place: {"pitch": place.turn(joint.pitch)},
            place_written=place_written_ratchet,
            engine="revolute",
            engine_limits=ratchet_limits,
            drawing="hinge",
        ),
        JointSpec(
            name="mouse",
            options=(*_POINT, "body", "target", "max_force", "spring", "stiff"),
            anchors="target",
            bears_torque=False,
            row={"motor_max": attrgetter("max_force")},
            drawing="pull",
        ),
        JointSpec(
            name="custom",
            options=(*_POINT, "constraint", "numbers"),
            anchors="ends",
            build=build_own,
            write=write_own,
            place=place_own,
            place_written=place_written_own,
            engine="distance",  # which it leaves alone: only textbook solvers step it
            drawing="rod",
        ),
    )
}
"""The types of joints by name, in the order of the reference."""
HINGES = tuple(each.name for each in JOINT_TYPES.values() if each.hinge)
*_FIRST, _LAST = JOINT_TYPES


def _having(option: str, *last: str) -> tuple[str, ...]:
    """The types that have a field, as messages list them: those named here come last."""
    having = [each.name for each in JOINT_TYPES.values() if each.has(option)]
    return tuple(sorted(having, key=lambda name: last.index(name) + 1 if name in last else 0))


def _check_length(value: Any, context: Context) -> Any:
    return value if value == "auto" else Quantity((units.LENGTH,), low=0.0).check(value, context)


_LENGTH_SCHEMA = {"anyOf": [{"const": "auto"}, Quantity((units.LENGTH,), low=0.0).schema()]}


_TEETH = Quantity(low=1.0, whole=True)
_TWO_TEETH = Tuple(Quantity(whole=True), 2, "two numbers of teeth [a, b]")
_TEETH_SCHEMA = {"anyOf": [_TEETH.schema(), _TWO_TEETH.schema()]}


def _check_teeth(value: Any, context: Context) -> Any:
    return (_TWO_TEETH if isinstance(value, list) else _TEETH).check(value, context)


_IN_MOTOR = "it belongs in `motor: {...}`"
_TWO_BODIES = "the two bodies are `bodies: [a, b]`"
_TWO_ANCHORS = "a point of each body, in its own coordinates, is `anchors: [[x, y], [x, y]]`"


_TWO_JOINTS = "the two joints are `joints: [a, b]`"


class JointFields(Input):
    hints: ClassVar[dict[str, str]] = {
        "frequency": IN_SPRING,
        "damping_ratio": IN_SPRING,
        "stiffness": IN_SPRING,
        "damping": IN_SPRING,
        "speed": _IN_MOTOR,
        "position": _IN_MOTOR,
        "max_torque": _IN_MOTOR,
        "motor_speed": "it is `speed` in `motor: {...}`",
        "enable_motor": "a joint with `motor: {...}` has one",
        "break_force": "it is `force` in `break: {...}`",
        "break_torque": "it is `torque` in `break: {...}`",
        "suspension": "the suspension of a wheel is its `spring`",
        "soft": "what has a `spring` or `limit_spring` is soft",
        "lower": "it belongs in `limits`",
        "upper": "it belongs in `limits`",
        "min": "it belongs in `limits`",
        "max": "it belongs in `limits`",
        "rest_length": "it is `length`",
        "friction": "what brakes a joint is a motor that holds still with little strength: "
        "`motor: {speed: 0, max_torque: ...}`, or max_force where it slides",
        "enabled": "a joint holds from the start until it breaks",
        "gear_ratio": "it is `ratio`",
        **dict.fromkeys(("joint_a", "joint_b", "jointA", "jointB"), _TWO_JOINTS),
        **dict.fromkeys(("body_a", "body_b", "bodyA", "bodyB", "a", "b"), _TWO_BODIES),
        **dict.fromkeys(("anchor_a", "anchor_b", "anchorA", "anchorB"), _TWO_ANCHORS),
    }
    type: Annotated[
        str | None,
        OneOf(
            tuple(JOINT_TYPES),
            others={alias: each.name for each in JOINT_TYPES.values() for alias in each.aliases},
            instead={
                "motor": "a motor is a field of a joint: `{type: revolute, motor: {speed: 90}}`",
                "friction": "what brakes a joint is a motor that holds still with little strength: "
                "`motor: {speed: 0, max_torque: ...}`",
                "filter": "who touches whom is said in `collision`, of two bodies by "
                "`pairs_ignore`",
                "rope": "a rope is `type: distance` with `rope: true`, and its longest is "
                "`max_length`",
                "free": "a body without joints is free",
                "relative": "what holds two bodies softly is a `weld` with a `spring`",
                "limit": "limits are a field of a joint: `{type: revolute, limits: [-30, 30]}`",
            },
        ),
    ] = about(f"{', '.join(_FIRST)} or {_LAST}.")
    body: Annotated[Any, Name("the name of a body", computed=True)] = about(
        "mouse: the body that is pulled.", of=_having("body")
    )
    bodies: Annotated[
        Any,
        Tuple(
            Name("the name of a body", computed=True),
            2,
            "the names of two bodies [a, b]",
            few="; one that is held by the frame is `[world, a]`",
        ),
    ] = about(
        "The two bodies [a, b]; `world` is the frame.", of=_having("bodies", "ratchet", "pulley")
    )
    anchor: Annotated[Any, ANCHOR] = about(
        "The joint's point, in world coordinates at the start, or a point of a body by its name.",
        of=_having("anchor", "ratchet"),
    )
    anchors: Annotated[Any, ANCHORS] = about(
        "A point in each body's own coordinates, or by the name that it has in its `points`.",
        of=_having("anchors", "ratchet", "pulley"),
    )
    axis: Annotated[Pair, DIRECTION] = about(
        "prismatic, wheel, axial_motor: where b slides, in world axes at the start; with anchors, "
        "in a's.",
        of=_having("axis"),
    )
    target: PointField = about(
        "mouse: the world's point to pull to (default: where the body is held).",
        of=_having("target"),
    )
    limits: Annotated[Any, LimitsField()] = about(
        "revolute: angles of b against a, from the start; prismatic, wheel: lengths.",
        of=_having("limits"),
    )
    limit_spring: SpringInput | None = about(
        "Makes the limits or lengths soft.", of=_having("limit_spring")
    )
    max_force: Force = about(
        "mouse, wheel: the largest force of its spring (default: no limit).",
        of=_having("max_force", "wheel"),
    )
    motor: MotorInput | None = about(
        "revolute, ratchet, distance, prismatic, wheel, axial_motor: drives the joint.",
        of=_having("motor"),
    )
    spring: SpringInput | None = about(
        "Makes the joint soft: pulls it back to where it was at the start.", of=_having("spring")
    )
    length: Annotated[Any, Custom(_check_length, _LENGTH_SCHEMA)] = about(
        "distance: the rest length, or auto (default): that at the start; pulley: of the rope.",
        of=_having("length"),
    )
    min_length: Distance = about("distance: never shorter.", of=_having("min_length"))
    max_length: Annotated[Value, Quantity((units.LENGTH,), low=0.0, infinite=True)] = about(
        "distance: never longer.", of=_having("max_length")
    )
    rope: TruthField = about(
        "distance: only pulls, at max_length (default false); pulley: only pulls (default true).",
        of=_having("rope"),
    )
    joints: Annotated[
        Any, Tuple(Name("the name of a joint", computed=True), 2, "the names of two joints [a, b]")
    ] = about(
        "gear: the two hinges [a, b] of its wheels; rack: a hinge and a slide.",
        of=_having("joints"),
    )
    ratio: Number = about(
        "gear: turns of wheel a while b turns once the other way; pulley: a's way for b's.",
        of=_having("ratio"),
    )
    ground_anchors: Annotated[Any, Tuple(POINT, 2, "two points of the world [[x, y], [x, y]]")] = (
        about(
            "pulley: the world's points where its rope runs over wheels.",
            of=_having("ground_anchors"),
        )
    )
    radius: Size = about("rack: of the pinion.", of=_having("radius"))
    pitch: Annotated[Value, Quantity((units.ANGLE,), above=0.0)] = about(
        "ratchet: the angle from tooth to tooth.", of=_having("pitch")
    )
    direction: Annotated[str | None, OneOf(("positive", "negative"))] = about(
        "ratchet: which way it turns (default positive, from +x towards +y).",
        of=_having("direction"),
    )
    slip_torque: Annotated[Value, Quantity((units.TORQUE,), above=0.0, infinite=True)] = about(
        "ratchet: above which it slips by a tooth (default: never).", of=_having("slip_torque")
    )
    radii: Annotated[Pair, Tuple(Quantity((units.LENGTH,)), 2, "two radii [a, b]")] = about(
        "gear: of the two wheels [a, b], instead of their ratio.", of=_having("radii")
    )
    teeth: Annotated[Any, Custom(_check_teeth, _TEETH_SCHEMA)] = about(
        "gear: of the two wheels [a, b], instead of their ratio; ratchet: of its wheel.",
        of=_having("teeth"),
    )
    constraint: Annotated[str | None, Text("the name of a constraint")] = about(
        "custom: the name of a constraint in Python.", of=_having("constraint")
    )
    numbers: dict[str, Number] | None = about(
        "custom: the constraint's numbers, in units of the scene.", of=_having("numbers")
    )
    stiff: TruthField = about(
        "mouse: holds the point at its target (default false).", of=_having("stiff")
    )
    collide: TruthField = about("Whether the two bodies touch each other (default false).")
    break_: BreakInput | None = about(
        "The force, torque or push and pull at which the joint breaks.", alias="break"
    )
    visible: TruthField = about("Drawn (default true).")


class JointInput(JointFields, RepeatedInput):
    form: ClassVar[str] = "`{type: revolute, bodies: [a, b], anchor: [0, 1]}`"

    pass
