"""A scene's joints and options as the textbook solvers take them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..scene import model
from ..scene.values.portable_math import hypot
from ..solvers import Joint, Settings
from .joint_rows import length_range


def solver_joints(
    scene: model.Scene, centers: Sequence[tuple[float, float]], inverse_mass: NDArray[np.float64]
) -> list[Joint]:
    """The joints of a scene; ``centers`` and ``inverse_mass`` have the world in row 0."""
    index = {"world": 0} | {name: i for i, name in enumerate(scene.bodies, start=1)}
    joints = []
    for joint in scene.joints.values():
        a, b = index[joint.body_a], index[joint.body_b]
        (ax, ay), (bx, by) = joint.anchor_a, joint.anchor_b
        least, most = length_range(joint)
        made = Joint(
            joint.name,
            joint.kind,
            a,
            b,
            (ax - centers[a][0], ay - centers[a][1]),
            (bx - centers[b][0], by - centers[b][1]),
            least,
            most,
            reference_angle=joint.reference_angle,
        )
        if joint.spring is not None:
            inverse = float(inverse_mass[a, 0] + inverse_mass[b, 0])
            stiffness, damping = _spring(joint.spring, 1.0 / inverse if inverse else 0.0)
            made = made._replace(least=joint.length, stiffness=stiffness, damping=damping)
        joints.append(made)
    return joints


def _spring(spring: model.Spring, mass: float) -> tuple[float, float]:
    """Force per length and per speed; a frequency speaks of the mass that hangs on it."""
    if spring.frequency is None:
        return spring.stiffness or 0.0, spring.damping or 0.0
    omega = 2.0 * math.pi * spring.frequency
    return mass * omega * omega, 2.0 * mass * (spring.damping_ratio or 0.0) * omega


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
    )
