# SPDX-License-Identifier: MIT
"""Reference sizes for drawing forces."""

from __future__ import annotations

from math import fsum, pi

from ...scene.model import Body, Scene, Shape
from ...scene.values.portable_math import hypot
from ..objects.outlines import girth, turning


def mean_weight(scene: Scene) -> float:
    """The mean weight of the moving bodies (a force in scene units; 1 where nothing weighs)."""
    gravity = hypot(*scene.world.gravity)
    masses = [mass_of(body) for body in scene.bodies.values() if body.kind == "dynamic"]
    weight = gravity * fsum(masses) / len(masses) if masses else 0.0
    return weight if 0.0 < weight < 1e300 else 1.0


def mass_of(body: Body) -> float:
    """The mass of a dynamic body, given or that of its shapes."""
    if body.mass is not None:
        return body.mass
    return fsum(shape.material.density * _area(shape) for shape in body.shapes if not shape.sensor)


def _area(shape: Shape) -> float:
    """The area of a shape; a swollen polygon's rim is its girth times its radius (Steiner)."""
    round_part = pi * shape.radius * shape.radius
    if shape.kind == "circle":
        return round_part
    if shape.kind not in ("polygon", "capsule"):
        return 0.0
    hollow = 0.5 * fsum(abs(turning(hole)) for hole in shape.holes)
    core = 0.5 * abs(turning(shape.points)) - hollow
    return core + girth(shape.points) * shape.radius + round_part
