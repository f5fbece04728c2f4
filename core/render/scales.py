"""Sizes that pictures measure forces against."""

from __future__ import annotations

from math import pi, sqrt

from ..scene.model import Body, Scene, Shape
from .outlines import turning


def mean_weight(scene: Scene) -> float:
    """The mean weight of the moving bodies (a force in scene units; 1 where nothing weighs)."""
    gravity = sqrt(scene.world.gravity[0] ** 2 + scene.world.gravity[1] ** 2)
    masses = [mass_of(body) for body in scene.bodies.values() if body.kind == "dynamic"]
    weight = gravity * sum(masses) / len(masses) if masses else 0.0
    return weight if 0.0 < weight < 1e300 else 1.0


def mass_of(body: Body) -> float:
    """The mass of a dynamic body, given or that of its shapes."""
    if body.mass is not None:
        return body.mass
    return sum(shape.material.density * _area(shape) for shape in body.shapes if not shape.sensor)


def _area(shape: Shape) -> float:
    """The area of a shape; a swollen polygon's rim is its girth times its radius (Steiner)."""
    round_part = pi * shape.radius * shape.radius
    if shape.kind == "circle":
        return round_part
    if shape.kind not in ("polygon", "capsule"):
        return 0.0
    girth = sum(
        sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        for (ax, ay), (bx, by) in zip(
            shape.points, [*shape.points[1:], shape.points[0]], strict=True
        )
    )
    return 0.5 * abs(turning(shape.points)) + girth * shape.radius + round_part
