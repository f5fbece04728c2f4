# SPDX-License-Identifier: MIT
"""Whether a world begins as the laws suppose: without overlaps."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from rigid2d.core import Scene
from rigid2d.core._native import SHAPE_KINDS, collide
from rigid2d.core.world.building.primitives import Primitive, primitives

DEEPEST = 1e-3  # the overlap (m) of what is told to lie on each other


def is_well_posed(scene: Scene) -> bool:
    """Whether nothing that may touch overlaps."""
    apart = {
        frozenset((joint.body_a, joint.body_b))
        for joint in scene.joints.values()
        if not joint.collide
    }
    bodies = [*scene.bodies.values()]
    pieces = [*primitives(scene)]
    for a, b in combinations(pieces, 2):
        one, two = bodies[a.body - 1], bodies[b.body - 1]
        still = one.kind == two.kind == "static"
        if one is two or still or frozenset((one.name, two.name)) in apart:
            continue
        if _depth(scene, a, b) > DEEPEST:
            return False
    return True


def _depth(scene: Scene, a: Primitive, b: Primitive) -> float:
    bodies = [*scene.bodies.values()]
    one, two = bodies[a.body - 1], bodies[b.body - 1]
    dx, dy = (two.position[i] - one.position[i] for i in (0, 1))
    cosine, sine = math.cos(one.angle), math.sin(one.angle)
    pose = (cosine * dx + sine * dy, cosine * dy - sine * dx, two.angle - one.angle)
    _, touched = collide(
        SHAPE_KINDS[a.kind],
        np.array(a.points, float),
        a.shape.radius,
        SHAPE_KINDS[b.kind],
        np.array(b.points, float),
        b.shape.radius,
        pose,
        0.0,
    )
    return max((-separation for _, _, separation, _ in touched), default=0.0)
