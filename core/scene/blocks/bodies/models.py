# SPDX-License-Identifier: MIT
"""The input models of bodies."""

from typing import Annotated, ClassVar

from pydantic import BeforeValidator

from ...values.fields import (
    Angle,
    AngularSpeed,
    CategoryName,
    Colour,
    Duration,
    Inertia,
    Input,
    Mass,
    MaterialName,
    Number,
    PointField,
    Rate,
    RepeatedInput,
    TruthField,
    VelocityField,
    Words,
    about,
)
from ...values.kinds import OneOf
from .materials import SurfaceFields
from .shape_types import ShapeInput
from .texture_models import TextureInput, as_texture


class TrailInput(Input):
    form: ClassVar[str] = "`{length: 2}`"

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
    form: ClassVar[str] = "`{shape: {circle: 0.5}, position: [0, 2]}`"

    pass
