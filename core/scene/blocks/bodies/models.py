# SPDX-License-Identifier: MIT
"""The input models of bodies, their shapes and what they are made of."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from ... import limits
from ...values import units
from ...values.context import Context, Wrong
from ...values.curves import OutlineOf
from ...values.fields import (
    POINT,
    Angle,
    AngularSpeed,
    CategoryName,
    Colour,
    Distance,
    Duration,
    Inertia,
    Input,
    Mass,
    MaterialName,
    Number,
    Pair,
    PointField,
    Rate,
    RepeatedInput,
    Size,
    TruthField,
    Value,
    VelocityField,
    Words,
    about,
)
from ...values.kinds import Custom, ListOf, OneOf, Tuple, show
from ...values.quantity import Quantity
from .materials import SurfaceFields
from .texture_models import TextureInput, as_texture

ONE_WAY = ("up", "down", "left", "right")
_DIRECTION = Tuple(Quantity((units.NUMBER, units.LENGTH)), 2, "a direction [x, y]")


def _one_way(value: Any, context: Context) -> Any:
    if isinstance(value, list):
        return _DIRECTION.check(value, context)
    if isinstance(value, str):
        return OneOf(ONE_WAY, {"top": "up", "above": "up", "true": "up"}).check(value, context)
    words = ", ".join(ONE_WAY)
    raise Wrong("wrong-type", f"must be one of {words} or a direction [x, y], not {show(value)}")


class RegularPolygonInput(Input):
    needed: ClassVar[tuple[str, ...]] = ("sides", "radius")
    sides: Annotated[Value, Quantity(low=3, high=limits.SIDES, whole=True)] = about(
        "How many sides, 3 to 64."
    )
    radius: Size = about("From the centre to the corners; the first corner is on +x.")


class ShapeInput(SurfaceFields):
    form: ClassVar[str] = "`{circle: 0.5}` or `{box: [2, 1]}`"
    hints: ClassVar[dict[str, str]] = {
        "svg": "an outline of a drawing stands in place of the points: "
        "`polygon: {svg: {file: leaf.svg}}`, or the same of a `chain`",
    }
    circle: Size = about("A circle: its radius.")
    box: Annotated[
        Pair,
        Tuple(
            Quantity((units.LENGTH,), above=0.0), 2, "a size [width, height]", alone="[{0}, {0}]"
        ),
    ] = about("A box around the origin: [width, height].")
    polygon: Annotated[
        Any,
        OutlineOf(ListOf(POINT, "a list of points [[x, y], ...]", 3, limits.POLYGON_POINTS)),
    ] = about("A polygon, convex or concave: its corners in order, either way round; or a curve.")
    regular_polygon: RegularPolygonInput | None = about(
        "A polygon with equal sides around the origin."
    )
    capsule: Annotated[Any, Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")] = about(
        "A thick line with round ends: two points, and `radius`."
    )
    segment: Annotated[Any, Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")] = about(
        "A line without thickness: two points."
    )
    chain: Annotated[
        Any, OutlineOf(ListOf(POINT, "a list of points [[x, y], ...]", 2, limits.CHAIN_POINTS))
    ] = about("A smooth one-sided line: its points in order; or a curve.")
    radius: Distance = about(
        "Radius of a capsule, or of the rounded corners of a box or convex polygon."
    )
    loop: TruthField = about("Whether a chain is closed (default false).")
    side: Annotated[str | None, OneOf(("left", "right", "both"))] = about(
        "The side of a chain that is solid, seen walking along it (default left)."
    )
    offset: PointField = about("Where the shape is in the body (default [0, 0]).")
    angle: Angle = about("How the shape is turned in the body (default 0).")
    material: MaterialName = about("The shape's material (default: the body's).")
    sensor: TruthField = about("Whether the shape only notices others (default false).")
    category: CategoryName = about("The shape's category (default: the body's).")
    one_way: Annotated[
        Any, Custom(_one_way, {"anyOf": [OneOf(ONE_WAY).schema(), _DIRECTION.schema()]})
    ] = about(
        "Solid only for what comes from there: up, down, left, right or a direction [x, y] in the "
        "body's axes (default: from all sides)."
    )


class TrailInput(Input):
    needed: ClassVar[tuple[str, ...]] = ("length",)
    length: Duration = about("How long the line lasts, a time.")
    color: Colour = about("Its colour (default: the body's).")


class BodyFields(SurfaceFields):
    hints: ClassVar[dict[str, str]] = {
        "break": "bodies do not break, joints do: `break: {push_pull: ...}` in each joint that "
        "holds a bar lets go of the bar when it is pushed together or pulled apart harder",
    }
    type: Annotated[str | None, OneOf(("static", "kinematic", "dynamic"))] = about(
        "static, kinematic or dynamic (default)."
    )
    shape: ShapeInput | None = about("The body's shape.")
    shapes: list[ShapeInput] | None = about("Several shapes: a compound.")
    position: PointField = about("Where the body's origin is at the start (default [0, 0]).")
    angle: Angle = about("How the body is turned at the start (default 0).")
    velocity: VelocityField = about("Velocity of the centre of mass at the start (default [0, 0]).")
    angular_velocity: AngularSpeed = about("Angular velocity at the start (default 0).")
    material: MaterialName = about("The name of the body's material.")
    mass: Mass = about("Mass, instead of density.")
    inertia: Inertia = about(
        "Moment of inertia about the centre of mass (default: from the shapes)."
    )
    center_of_mass: PointField = about("In body coordinates (default: from the shapes).")
    fixed_rotation: TruthField = about("Never turns (default false).")
    linear_damping: Rate = about("Decay of the velocity (default: world.air).")
    angular_damping: Rate = about("Decay of the angular velocity (default: world.air).")
    gravity_scale: Number = about("Factor on gravity (default 1).")
    bullet: TruthField = about(
        "Also tested against dynamic bodies for passing through (default false)."
    )
    sleep: TruthField = about("May fall asleep (default true).")
    awake: TruthField = about("Awake at the start (default true).")
    category: CategoryName = about("The category of its shapes (default `default`).")
    tags: Words = about("Words to refer to groups of bodies.")
    collide: TruthField = about("Touches others at all (default true).")
    points: dict[str, PointField] | None = about("Named points in body coordinates.")
    z: Number = about("Drawing order; higher is in front (default 0).")
    visible: TruthField = about("Drawn (default true).")
    trail: TrailInput | None = about("A fading line behind the body.")
    texture: Annotated[TextureInput, BeforeValidator(as_texture)] | None = about(
        "A picture on the body in place of its colours: a file, or the long form."
    )


class BodyInput(BodyFields, RepeatedInput):
    pass
