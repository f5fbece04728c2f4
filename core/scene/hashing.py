"""The hash of what physics depends on, and not pictures, records or expectations."""

from __future__ import annotations

from dataclasses import fields, replace
from hashlib import sha256

from .model import Body, Joint, Scene, Shape, Solver

FIRST_OPTIONS = (
    "kind",
    "joints",
    "substeps",
    "iterations",
    "warm_start",
    "position_correction",
    "correction_rate",
    "allowed_penetration",
    "friction_limit",
)


def physics_hash(scene: Scene) -> str:
    """64 hexadecimal digits; equal for scenes whose bodies move alike, step by step."""
    world, collision = scene.world, scene.collision
    digest = sha256()
    parts: list[object] = [
        scene.units.length,
        scene.units.time,
        scene.units.y,
        world.gravity,
        world.dt,
        world.sleep,
        world.length_unit,
        _solver(world.solver),
        world.bounds,
        collision.categories,
        collision.matrix,
        collision.pairs_ignore,
        collision.friction_mixing,
        collision.restitution_mixing,
    ]
    digest.update(repr(parts).encode())
    shapes: dict[int, str] = {}
    for body in scene.bodies.values():
        key = id(body.shapes)
        text = shapes.get(key)
        if text is None:
            text = shapes[key] = repr([_shape(shape) for shape in body.shapes])
        digest.update(_body(body).encode())
        digest.update(text.encode())
    for joint in scene.joints.values():
        digest.update(_joint(joint).encode())
    for actuator in scene.actuators.values():
        digest.update(repr(replace(actuator, visible=True)).encode())
        if not actuator.brake:
            digest.update(b"never brakes")
    return digest.hexdigest()


class _Written(str):
    """A text that stands in a list as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _solver(solver: Solver) -> _Written:
    """The options, of which those that are left as they are need not be there: a scene keeps its
    hash where solvers get more of them."""
    first = [(name, getattr(solver, name)) for name in FIRST_OPTIONS]
    later = [
        (each.name, getattr(solver, each.name))
        for each in fields(Solver)
        if each.name not in FIRST_OPTIONS and getattr(solver, each.name) != each.default
    ]
    return _Written(f"Solver({', '.join(f'{name}={value!r}' for name, value in first + later)})")


def _shape(shape: Shape) -> tuple[object, ...]:
    material = shape.material
    return (
        shape.kind,
        shape.points,
        shape.radius,
        material.density,
        material.friction,
        material.restitution,
        material.rolling_resistance,
        material.tangent_speed,
        shape.sensor,
        shape.category,
        shape.loop,
        shape.side,
    )


def _body(body: Body) -> str:
    return repr(
        (
            body.name,
            body.kind,
            body.position,
            body.angle,
            body.velocity,
            body.angular_velocity,
            body.mass,
            body.inertia,
            body.center_of_mass,
            body.fixed_rotation,
            body.linear_damping,
            body.angular_damping,
            body.gravity_scale,
            body.bullet,
            body.sleep,
            body.awake,
            body.collide,
        )
    )


_JOINT_DEFAULTS = [
    (name, getattr(Joint("", "weld", "", "", (0.0, 0.0), (0.0, 0.0)), name))
    for name in (
        *("axis", "limit_spring", "max_force"),
        *("break_push_pull", "break_push", "break_pull", "stiff"),
    )
]


def _joint(joint: Joint) -> str:
    text = repr(
        (
            joint.name,
            joint.kind,
            joint.body_a,
            joint.body_b,
            joint.anchor_a,
            joint.anchor_b,
            joint.reference_angle,
            joint.limits,
            joint.motor,
            joint.spring,
            joint.rope,
            joint.length,
            joint.min_length,
            joint.max_length,
            joint.collide,
            joint.break_force,
            joint.break_torque,
        )
    )
    more = [
        (name, getattr(joint, name))
        for name, plain in _JOINT_DEFAULTS
        if getattr(joint, name) != plain
    ]
    if joint.motor is not None and joint.motor.stop_at_limits:
        more.append(("stop_at_limits", True))
    return text + repr(more) if more else text
