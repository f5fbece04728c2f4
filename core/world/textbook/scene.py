# SPDX-License-Identifier: MIT
"""A scene's joints and options in the form of the textbook solvers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ...scene import model
from ...scene.values.portable_math import hypot
from ...solvers import Bodies, Drive, Joint, Settings, Soft
from ...solvers.joints import joint_rows
from ..building.joint_rows import MotorFields, placed_joints

Point = tuple[float, float]
ROUNDING = 1e-12  # what is left of a sum that is zero


def solver_joints(
    scene: model.Scene,
    joints: Iterable[model.Joint],
    index: Mapping[str, int],
    slots: Mapping[str, int],
    centers: Sequence[Point],
    bodies: Bodies,
) -> list[Joint]:
    """Joints of a scene. ``index`` has the slots of bodies and ``slots`` those of joints, by name;
    ``centers`` have the world in row 0, and so have the bodies, which are as they are at first."""
    made = []
    for placed in placed_joints(scene, joints, index, slots):
        joint, a, b = placed.joint, placed.body_a, placed.body_b
        (ax, ay), (bx, by) = joint.anchor_a, joint.anchor_b
        between_points = placed.kind == "distance"
        least, most = placed.lengths[1:] if between_points else _limits(joint)
        each = Joint(
            joint.name,
            placed.kind,
            a,
            b,
            (ax - centers[a][0], ay - centers[a][1]),
            (bx - centers[b][0], by - centers[b][1]),
            least,
            most,
            placed.lengths[0] if between_points else 0.0,
            drive=_drive(placed.motor, joint.motor, joint.rope),
            axis=joint.axis,
            reference_angle=joint.reference_angle,
            most_force=joint.max_force,
            number=slots[joint.name],
            constraint=joint.constraint,
            numbers=tuple(joint.numbers.items()),
        )
        if joint.constraint:
            each = each._replace(kind="custom", least=-math.inf, most=math.inf)
        each = _with_soft_parts(each, joint, bodies)
        spring = joint.spring
        if joint.kind == "mouse" and not joint.stiff and spring is None:
            spring = model.Spring(frequency=5.0 / scene.units.time_per_second, damping_ratio=0.7)
        if spring is not None:
            each = with_spring(each, spring, *gives(each, bodies))
        made.append(each)
    return made


def _with_soft_parts(made: Joint, joint: model.Joint, bodies: Bodies) -> Joint:
    """Adds the softness of its limits and its motor, along the joint's free direction."""
    if joint.limit_spring is not None:
        made = made._replace(giving=_soft(joint.limit_spring, _give(bodies, _probe(made))))
    motor = joint.motor
    if made.drive is not None and motor is not None and motor.spring is not None:
        soft = _soft(motor.spring, _give(bodies, _probe(made)))
        made = made._replace(drive=made.drive._replace(soft=soft))
    return made


def _limits(joint: model.Joint) -> tuple[float, float]:
    return joint.limits or (-math.inf, math.inf)


def _drive(motor: MotorFields, given: model.Motor | None, rope: bool) -> Drive | None:
    if motor.kind == "none":
        return None
    stops = given is not None and given.stop_at_limits
    return Drive(motor.kind == "speed", *motor[1:], stops=stops, only_pulls=rope)


def gives(joint: Joint, bodies: Bodies) -> tuple[float, float]:
    """Inverse effective mass along a joint's spring: 1 / m, and for a weld also 1 / I. Frequencies
    refer to its initial value."""
    if joint.constraint:
        return 0.0, 0.0
    if joint.kind in ("weld", "mouse"):
        both = (bodies.inverse_mass[joint.a] + bodies.inverse_mass[joint.b]).tolist()
        return both[0], both[2]
    return (_give(bodies, _probe(joint)), 0.0)


def with_spring(joint: Joint, spring: model.Spring, give: float, turning: float) -> Joint:
    """A joint on a spring; ``give`` and ``turning`` are its ``gives``."""
    soft = _soft(spring, give)
    if joint.kind == "weld":
        return joint._replace(soft=soft, turning=_soft(spring, turning))
    return joint._replace(turning=soft) if joint.kind == "revolute" else joint._replace(soft=soft)


def _probe(joint: Joint) -> Joint:
    """The joint with any spring along what it lets free."""
    bare = joint._replace(soft=None, turning=None, giving=None, drive=None)
    spring = Soft(1.0, 0.0)
    return bare._replace(turning=spring) if joint.kind == "revolute" else bare._replace(soft=spring)


def _give(bodies: Bodies, joint: Joint) -> float:
    """J M^-1 J^T of a joint's spring, when its bodies are held by the joint's own rigid rows: these
    are eliminated one after another."""
    rows = joint_rows(bodies, joint._replace(least=-math.inf, most=math.inf), Settings(dt=1.0))
    inverse = bodies.inverse_mass[joint.a].tolist() + bodies.inverse_mass[joint.b].tolist()
    k = [[_product(one.J, two.J, inverse) for two in rows] for one in rows]
    last = next(i for i, row in enumerate(rows) if row.softness > 0.0)
    whole = k[last][last]
    for pivot in range(last):
        if k[pivot][pivot] <= 0.0:
            continue
        for i in range(pivot + 1, last + 1):
            share = k[i][pivot] / k[pivot][pivot]
            for j in range(pivot + 1, last + 1):
                k[i][j] -= share * k[pivot][j]
    return k[last][last] if k[last][last] > ROUNDING * whole else 0.0


def _product(one: Sequence[float], two: Sequence[float], inverse: Sequence[float]) -> float:
    total = 0.0
    for a, m, b in zip(one, inverse, two, strict=True):
        total += a * m * b
    return total


def _soft(spring: model.Spring, inverse: float) -> Soft | None:
    """The soft form of a spring; None if nothing can swing on it."""
    if spring.frequency is None:
        return Soft(spring.stiffness or 0.0, spring.damping or 0.0)
    if inverse <= 0.0:
        return None
    omega = 2.0 * math.pi * spring.frequency
    return Soft(omega * omega / inverse, 2.0 * (spring.damping_ratio or 0.0) * omega / inverse)


def solver_settings(scene: model.Scene) -> Settings:
    """The options of a scene's solver."""
    world, solver = scene.world, scene.world.solver
    return Settings(
        dt=world.dt,
        gravity=hypot(*world.gravity),
        iterations=solver.iterations,
        warm_start=solver.warm_start,
        position_correction=solver.position_correction,
        correction_rate=solver.correction_rate,
        allowed_penetration=solver.allowed_penetration,
        friction_limit=solver.friction_limit,
        grouping=solver.grouping,
        clamp=solver.clamp,
        external_force=solver.external_force,
        tangent=solver.tangent,
        stiffness=solver.stiffness,
        springs=solver.springs,
        integrator=solver.integrator,
        stop_below=solver.stop_below,
        impulses=solver.impulses,
        blocks=solver.blocks,
    )
