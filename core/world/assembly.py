"""Scene -> native world: every body, shape and joint as rows of a few arrays.

Index 0 is the native world's own static body ``world``; the i-th body of ``scene.bodies`` is
i + 1. Joints count from 0. What the engine does not know is settled here: concave polygons are cut
into convex ones, chains become segments with ghosts, screens whose y points down are taken care
of, and positions of motors relative to their limits become absolute.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..scene import limits
from ..scene.bars import find_bar
from ..scene.model import Body, Joint, Point, Scene, Shape, Spring
from .polygons import convex_parts, outline_neighbours

Row = tuple[float, ...]
Float64 = NDArray[np.float64]

STATIC, KINEMATIC, DYNAMIC = 0, 1, 2
BODY_KINDS = {"static": STATIC, "kinematic": KINEMATIC, "dynamic": DYNAMIC}
CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN_SEGMENT, POLYGON_PART = range(6)
ROUND_KINDS = {"circle": CIRCLE, "capsule": CAPSULE, "segment": SEGMENT}
JOINT_KINDS = {
    "revolute": 0,
    "distance": 1,
    "weld": 2,
    "prismatic": 3,
    "wheel": 4,
    "mouse": 5,
    "rotary_motor": 6,
    "axial_friction": 7,
}
RIGID, BY_FREQUENCY, BY_STIFFNESS = 0, 1, 2
NO_MOTOR, BY_SPEED, BY_POSITION = 0, 1, 2
WORLD_BODY = 0

NAN = math.nan
INFINITY = math.inf
SHORTEST = 1e-5
"""Lengths of joints below this many `length_unit` are 0: anchors are known no better."""


def build_native(scene: Scene, *, threads: int = 1, lanes: int = 0) -> _native.World:
    """The native world of a scene, before its actuators are added and it is finished."""
    world = scene.world
    solver = world.solver
    bounds = world.bounds
    native = _native.World(
        gravity=world.gravity,
        dt=world.dt,
        solver=solver.kind,
        substeps=solver.substeps,
        joint_solver=solver.joints,
        iterations=solver.iterations,
        warm_start=solver.warm_start,
        position_correction=solver.position_correction,
        correction_rate=solver.correction_rate,
        allowed_penetration=solver.allowed_penetration,
        gravity_friction=solver.friction_limit == "gravity",
        length_unit=world.length_unit,
        time_per_second=scene.units.time_per_second,
        sleep=world.sleep,
        friction_mixing=scene.collision.friction_mixing,
        restitution_mixing=scene.collision.restitution_mixing,
        bounds=(*bounds[0], *bounds[1]) if bounds else None,
        freeze_on_error=world.on_error == "warn",
        max_pairs=limits.TOUCHING_PAIRS,
        threads=threads,
        lanes=lanes,
    )
    index = body_indices(scene)
    native.set_collision_matrix(np.array(scene.collision.matrix, dtype=np.bool_))
    if scene.bodies:
        native.add_bodies(table([_body_row(body) for body in scene.bodies.values()]))
        rows, points = _shapes(scene)
        if rows:
            native.add_shapes(table(rows), np.array(points, dtype=np.float64).reshape(-1, 2))
    if scene.joints:
        rows = [_joint_row(joint, index, world.length_unit) for joint in scene.joints.values()]
        native.add_joints(table(rows))
    bars = bar_rows(scene, index)
    if bars:
        native.set_bars(table(bars))
    owners, points = named_points(scene, index)
    if owners:
        native.add_points(np.array(owners, dtype=np.int32), np.array(points, dtype=np.float64))
    pairs = [[index[a], index[b]] for a, b in scene.collision.pairs_ignore]
    if pairs:
        native.ignore_pairs(np.array(pairs, dtype=np.int32))
    return native


def table(rows: list[Row]) -> Float64:
    """Rows of numbers as one array [rows, columns]."""
    return np.array(rows, dtype=np.float64)


def body_indices(scene: Scene) -> dict[str, int]:
    """Each body's native index by name; the static body ``world`` is 0."""
    index = {name: i for i, name in enumerate(scene.bodies, start=1)}
    index.setdefault("world", WORLD_BODY)
    return index


def named_points(scene: Scene, index: Mapping[str, int]) -> tuple[list[int], list[Point]]:
    """The bodies' named points, in the order of the scene: native body index, and coordinates."""
    owners: list[int] = []
    points: list[Point] = []
    for name, body in scene.bodies.items():
        for point in body.points.values():
            owners.append(index[name])
            points.append(point)
    return owners, points


def bar_rows(scene: Scene, index: Mapping[str, int]) -> list[Row]:
    """The bodies along which forces push and pull: body, and both ends in its coordinates."""
    found = ((index[body.name], find_bar(body)) for body in scene.bodies.values())
    return [(i, *bar.start, *bar.end) for i, bar in found if bar is not None]


def _body_row(body: Body) -> Row:
    """One row of BODY_COLUMNS."""
    center = body.center_of_mass or (NAN, NAN)
    return (
        body.position[0],
        body.position[1],
        body.angle,
        body.velocity[0],
        body.velocity[1],
        body.angular_velocity,
        NAN if body.mass is None else body.mass,
        NAN if body.inertia is None else body.inertia,
        center[0],
        center[1],
        body.linear_damping,
        body.angular_damping,
        body.gravity_scale,
        BODY_KINDS[body.kind],
        body.fixed_rotation,
        body.bullet,
        body.sleep,
        body.awake,
        body.collide,
    )


# ---------------------------------------------------------------- shapes


def _shapes(scene: Scene) -> tuple[list[Row], list[Point]]:
    """All shapes of all bodies: rows of SHAPE_COLUMNS, and the points they count in."""
    category = {name: i for i, name in enumerate(scene.collision.categories)}
    y_down = scene.units.y_down
    # A moving surface's speed is along the surface, a quarter turn from its normal, from +y to
    # +x. Seen from above that is towards +x where y points up, and towards -x where it points down.
    conveyor = -1.0 if y_down else 1.0
    rows: list[Row] = []
    points: list[Point] = []
    for body, item in enumerate(scene.bodies.values(), start=1):
        for shape in item.shapes:
            material = shape.material
            for kind, part in _primitives(shape, y_down):
                rows.append(
                    (
                        body,
                        kind,
                        len(points),
                        len(part),
                        shape.radius,
                        material.density,
                        material.friction,
                        material.restitution,
                        material.rolling_resistance,
                        conveyor * material.tangent_speed,
                        shape.sensor,
                        category[shape.category],
                    )
                )
                points.extend(part)
    return rows, points


def _primitives(shape: Shape, y_down: bool) -> Iterator[tuple[int, tuple[Point, ...]]]:
    """What the engine knows: (kind, points) for each convex piece of a shape."""
    if shape.kind == "polygon":
        parts = convex_parts(shape.points)
        if len(parts) == 1:
            yield POLYGON, parts[0]
            return
        # The parts act as one: each knows how the outline goes on where it ends.
        for part in parts:
            yield POLYGON_PART, (*part, *outline_neighbours(shape.points, part))
    elif shape.kind == "chain":
        yield from _chain(shape, y_down)
    else:
        yield ROUND_KINDS[shape.kind], shape.points


def _chain(shape: Shape, y_down: bool) -> Iterator[tuple[int, tuple[Point, ...]]]:
    """A chain as segments that know their neighbours.

    The engine's segments are solid from their left, a quarter turn from +x towards +y. ``side`` is
    what someone sees on the screen, where that turn is a clockwise one when y points down.
    """
    points = list(shape.points)
    if shape.loop and points[0] == points[-1]:
        points.pop()
    if shape.side == "both" and len(points) == 2:
        yield SEGMENT, tuple(points)
        return
    forward = shape.side == "both" or (shape.side == "left") != y_down
    if forward:
        yield from _one_sided(points, shape.loop)
    if shape.side == "both" or not forward:
        yield from _one_sided(points[::-1], shape.loop)


def _one_sided(points: list[Point], loop: bool) -> Iterator[tuple[int, tuple[Point, ...]]]:
    if loop and len(points) > 2:
        ring = [points[-1], *points, points[0], points[1]]
    else:
        ring = [_end_ghost(points[1], points[0], -1.0), *points]
        ring.append(_end_ghost(points[-2], points[-1], 1.0))
    for i in range(len(ring) - 3):
        yield CHAIN_SEGMENT, (ring[i], ring[i + 1], ring[i + 2], ring[i + 3])


def _end_ghost(inner: Point, end: Point, turn: float) -> Point:
    """The ghost beyond an open end: a square corner down to the side that is not solid.

    So a ball that rolls off the end goes round a corner there, as off a table.
    """
    x, y = end[0] - inner[0], end[1] - inner[1]
    return end[0] + turn * y, end[1] - turn * x


# ---------------------------------------------------------------- joints


def _joint_row(joint: Joint, index: Mapping[str, int], unit: float) -> Row:
    """One row of JOINT_COLUMNS. A rod without length is a pin: it has no direction."""
    lower, upper = joint.limits or (0.0, 0.0)
    lengths = (joint.length, *length_range(joint))
    length, minimum, maximum = (_length(each, unit) for each in lengths)
    is_soft = joint.spring or joint.limit_spring or joint.motor
    is_pin = joint.kind == "distance" and maximum == 0.0 and not is_soft
    return (
        JOINT_KINDS["revolute" if is_pin else joint.kind],
        index[joint.body_a],
        index[joint.body_b],
        *joint.anchor_a,
        *joint.anchor_b,
        *joint.axis,
        joint.reference_angle,
        joint.collide,
        joint.break_force,
        joint.break_torque,
        *spring_row(joint.spring),
        joint.limits is not None,
        lower,
        upper,
        *_motor(joint),
        length,
        minimum,
        maximum,
        *spring_row(joint.limit_spring),
        *joint.anchor_a,  # of a mouse, its target; unused by others
        joint.break_push_pull,
    )


def _length(length: float, unit: float) -> float:
    """A length in the scene's unit; one that is shorter than SHORTEST is none."""
    return length if length >= SHORTEST * unit else 0.0


def spring_row(spring: Spring | None) -> Row:
    """spring_kind, spring_1, spring_2."""
    if spring is None:
        return RIGID, 0.0, 0.0
    if spring.frequency is not None:
        return BY_FREQUENCY, spring.frequency, spring.damping_ratio or 0.0
    return BY_STIFFNESS, spring.stiffness or 0.0, spring.damping or 0.0


def _motor(joint: Joint) -> Row:
    """motor_kind, target, maximum, then the motor's own spring."""
    motor = joint.motor
    if joint.kind == "mouse":
        return NO_MOTOR, 0.0, joint.max_force, *spring_row(None)
    if motor is None:
        return NO_MOTOR, 0.0, 0.0, *spring_row(None)
    kind, target = (
        (BY_SPEED, motor.speed) if motor.speed is not None else (BY_POSITION, motor.position or 0.0)
    )
    if kind == BY_POSITION and motor.relative:
        target = absolute_position(joint, motor.position or 0.0)
    return kind, target, motor.max_force, *spring_row(motor.spring)


def absolute_position(joint: Joint, position: float) -> float:
    """A motor's position of 0 to 1 of its limits, as an angle or a length."""
    lower, upper = joint.limits or (0.0, 0.0)
    if joint.kind == "distance":
        lower, upper = length_range(joint)
    return lower + position * (upper - lower)


def length_range(joint: Joint) -> tuple[float, float]:
    """The shortest and the longest a distance joint may be.

    Without anything else said it is a rod; a spring, a motor or one given end leaves the other
    end free; a rope may be as short as it likes and never longer than its end.
    """
    if joint.kind != "distance":
        return 0.0, INFINITY
    minimum, maximum = joint.min_length, joint.max_length
    if joint.rope:
        return 0.0, joint.length if maximum is None else maximum
    if minimum is None and maximum is None and joint.spring is None and joint.motor is None:
        return joint.length, joint.length
    return minimum or 0.0, INFINITY if maximum is None else maximum
