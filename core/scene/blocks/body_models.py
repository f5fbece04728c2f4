"""The input models of bodies, their shapes and what they are made of."""

from typing import Annotated, Any, ClassVar

from .. import limits
from ..values import units
from ..values.fields import (
    POINT,
    Angle,
    AngularSpeed,
    CategoryName,
    Colour,
    Density,
    Distance,
    Duration,
    Fraction,
    Inertia,
    Input,
    Mass,
    MaterialName,
    NotNegative,
    Number,
    Pair,
    Pairs,
    PointField,
    Rate,
    RepeatedInput,
    Size,
    TruthField,
    Value,
    VelocityField,
    Words,
)
from ..values.kinds import ListOf, OneOf, Tuple
from ..values.quantity import Quantity


class SurfaceFields(Input):
    """What a material says; bodies and shapes may say it too."""

    density: Density = None
    friction: NotNegative = None
    restitution: Fraction = None
    rolling_resistance: NotNegative = None
    tangent_speed: Annotated[Value, Quantity((units.SPEED,))] = None
    color: Colour = None
    outline: Colour = None


class MaterialInput(SurfaceFields):
    pass


class RegularPolygonInput(Input):
    needed: ClassVar[tuple[str, ...]] = ("sides", "radius")
    sides: Annotated[Value, Quantity(low=3, high=limits.SIDES, whole=True)] = None
    radius: Size = None


class ShapeInput(SurfaceFields):
    later: ClassVar[tuple[str, ...]] = ("svg", "id")
    circle: Size = None
    box: Annotated[
        Pair, Tuple(Quantity((units.LENGTH,), above=0.0), 2, "a size [width, height]")
    ] = None
    polygon: Annotated[
        Pairs,
        ListOf(POINT, "a list of points [[x, y], ...]", 3, limits.POLYGON_POINTS),
    ] = None
    regular_polygon: RegularPolygonInput | None = None
    capsule: Annotated[Any, Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")] = None
    segment: Annotated[Any, Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")] = None
    chain: Annotated[
        Pairs, ListOf(POINT, "a list of points [[x, y], ...]", 2, limits.CHAIN_POINTS)
    ] = None
    radius: Distance = None
    loop: TruthField = None
    side: Annotated[str | None, OneOf(("left", "right", "both"))] = None
    offset: PointField = None
    angle: Angle = None
    material: MaterialName = None
    sensor: TruthField = None
    category: CategoryName = None


class TrailInput(Input):
    needed: ClassVar[tuple[str, ...]] = ("length",)
    length: Duration = None
    color: Colour = None


class BodyFields(SurfaceFields):
    later: ClassVar[tuple[str, ...]] = ("texture",)
    hints: ClassVar[dict[str, str]] = {
        "break": "bodies do not break, joints do: `break: {push_pull: ...}` in each joint that "
        "holds a bar lets go of the bar when it is pushed together or pulled apart harder",
    }
    type: Annotated[str | None, OneOf(("static", "kinematic", "dynamic"))] = None
    shape: ShapeInput | None = None
    shapes: list[ShapeInput] | None = None
    position: PointField = None
    angle: Angle = None
    velocity: VelocityField = None
    angular_velocity: AngularSpeed = None
    material: MaterialName = None
    mass: Mass = None
    inertia: Inertia = None
    center_of_mass: PointField = None
    fixed_rotation: TruthField = None
    linear_damping: Rate = None
    angular_damping: Rate = None
    gravity_scale: Number = None
    bullet: TruthField = None
    sleep: TruthField = None
    awake: TruthField = None
    category: CategoryName = None
    tags: Words = None
    collide: TruthField = None
    points: dict[str, PointField] | None = None
    z: Number = None
    visible: TruthField = None
    trail: TrailInput | None = None


class BodyInput(BodyFields, RepeatedInput):
    pass
