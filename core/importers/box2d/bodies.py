# SPDX-License-Identifier: MIT
"""Box2D's bodies: type, motion, the shapes of their fixtures, mass."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ...scene.model import Point
from ...scene.values.polygon import signed_area
from ...scene.values.portable_math import total
from ..drafts import geometry
from ..drafts.draft import Entry
from ..drafts.filters import CollisionFilter
from ..drafts.places import Value
from .values import number, point, points
from .world import ALL, WORLD, Box2dWorld, PlacedBody

_TYPES = ("static", "kinematic", "dynamic")
_SAME = 1e-3
"""Masses that differ less from what shapes and densities give are not said."""


def read_world(world: Box2dWorld) -> None:
    """Gravity, step and sleep."""
    value, draft = world.value, world.draft
    draft.units = {"angle": "rad"}
    draft.world = {"gravity": list(point(value, "gravity", default=(0.0, -10.0)))}
    rate = number(value, "stepsPerSecond")
    if rate > 0:
        draft.world["dt"] = 1 / rate
    if not value.truth("allowSleep", default=True):
        draft.world["sleep"] = False
    _lose_custom(world, value)


def add_body(
    world: Box2dWorld, key: int, value: Value, outline: Callable[[Value], list[Entry]]
) -> None:
    """One body; ``outline`` gives the shapes of a fixture."""
    draft = world.draft
    given = value.get("type")
    as_word = given is not None and isinstance(given.data, str) and given.data in _TYPES
    index = _TYPES.index(value.text("type")) if as_word else value.whole("type")
    if not 0 <= index < len(_TYPES):
        raise value.need("type").fail("unknown-word", "must be 0 static, 1 kinematic, 2 dynamic")
    kind = _TYPES[index]
    entry: Entry = {} if kind == "dynamic" else {"type": kind}
    shapes, parts = _shapes(world, value, outline)
    losses: list[str] = []
    if not shapes and kind == "static":
        angle = number(value, "angle")
        world.bodies[key] = PlacedBody(WORLD, kind, point(value, "position"), angle)
        _lose_custom(world, value)
        return
    if not shapes:
        shapes = [{"circle": 0.05, "sensor": True}]
        losses.append("a body without fixtures; a small sensor stands for it")
    entry |= {"shape": shapes[0]} if len(shapes) == 1 else {"shapes": shapes}
    position, angle = point(value, "position"), number(value, "angle")
    entry["position"] = list(position)
    if angle:
        entry["angle"] = angle
    _motion(value, kind, entry)
    inertia = _mass(value, entry, shapes, parts) if kind == "dynamic" else 0.0
    if not value.truth("active", default=True):
        entry["collide"] = False
        losses.append("a body that is switched off; here it moves and touches nothing")
    name = draft.add(draft.bodies, value.text("name") or f"body_{key}", entry, value)
    world.bodies[key] = PlacedBody(name, kind, position, angle, inertia)
    for loss in losses:
        draft.lose(value, loss, name)
    _lose_custom(world, value, name)


def _motion(value: Value, kind: str, entry: Entry) -> None:
    if kind == "static":
        return
    velocity = point(value, "linearVelocity")
    if velocity != (0.0, 0.0):
        entry["velocity"] = list(velocity)
    fields = {
        "angular_velocity": number(value, "angularVelocity"),
        "linear_damping": number(value, "linearDamping"),
        "angular_damping": number(value, "angularDamping"),
    }
    entry |= {name: number for name, number in fields.items() if number}
    if kind != "dynamic":
        for name in ("linear_damping", "angular_damping"):
            entry.pop(name, None)
        return
    scale = number(value, "gravityScale", default=1.0)
    if scale != 1.0:
        entry["gravity_scale"] = scale
    if value.truth("fixedRotation"):
        entry["fixed_rotation"] = True
    if value.truth("bullet"):
        entry["bullet"] = True
    if not value.truth("allowSleep", "sleepingAllowed", default=True):
        entry["sleep"] = False
    if not value.truth("awake", default=True):
        entry["awake"] = False


# ---------------------------------------------------------------- fixtures and mass


@dataclass(frozen=True, slots=True)
class _Part:
    """The mass of one shape, its centre, and its moment of inertia about the body's origin."""

    mass: float
    center: Point
    inertia: float


def _shapes(
    world: Box2dWorld, value: Value, outline: Callable[[Value], list[Entry]]
) -> tuple[list[Entry], list[_Part]]:
    shapes, parts = [], []
    for fixture in value.items("fixture"):
        density = number(fixture, "density")
        filter = CollisionFilter(
            fixture.whole("filter-categoryBits", default=1),
            fixture.whole("filter-maskBits", default=ALL),
            fixture.whole("filter-groupIndex"),
        )
        for shape in outline(fixture):
            parts.append(_part(shape, max(density, 0.0)))
            if density > 0:
                shape["density"] = density
            shape["friction"] = max(number(fixture, "friction"), 0.0)
            bounce = number(fixture, "restitution")
            shape["restitution"] = min(max(bounce, 0.0), 1.0)
            if shape["restitution"] != bounce:
                message = f"restitution {bounce:g} became {shape['restitution']:g}"
                world.draft.lose(fixture, message)
            if fixture.truth("sensor"):
                shape["sensor"] = True
            shape["category"] = world.filters.name(filter)
            shapes.append(shape)
        _lose_custom(world, fixture)
    return shapes, parts


def fixture_outline(fixture: Value) -> list[Entry]:
    """The shape of a fixture."""
    if (circle := fixture.get("circle")) is not None:
        return [circle_at(number(circle, "radius"), point(circle, "center"))]
    if (polygon := fixture.get("polygon")) is not None:
        return [geometry.polygon_shape(points(polygon.need("vertices")))]
    if (loop := fixture.get("loop")) is not None:
        return [geometry.line_shape(points(loop.get("vertices") or loop), closed=True)]
    if (chain := fixture.get("chain")) is not None:
        return [geometry.line_shape(points(chain.need("vertices")))]
    if (edge := fixture.get("edge")) is not None:
        return [geometry.line_shape([point(edge, "vertex1"), point(edge, "vertex2")])]
    raise fixture.fail("missing-key", "a fixture is a circle, polygon, chain, loop or edge")


def circle_at(radius: float, center: Point) -> Entry:
    entry: Entry = {"circle": radius}
    return entry if center == (0.0, 0.0) else {**entry, "offset": list(center)}


def _part(shape: Entry, density: float) -> _Part:
    x, y = shape.get("offset", (0.0, 0.0))
    if "circle" in shape:
        radius = shape["circle"]
        mass = density * math.pi * radius * radius
        return _Part(mass, (x, y), mass * (radius * radius / 2 + x * x + y * y))
    corners = geometry.corners_of(shape)
    if not corners:
        return _Part(0.0, (0.0, 0.0), 0.0)
    mass = density * abs(signed_area(corners))
    return _Part(mass, geometry.centroid(corners), mass * geometry.second_moment(corners))


def _mass(value: Value, entry: Entry, shapes: list[Entry], parts: list[_Part]) -> float:
    """Write the mass if it is not that of the shapes, or if a shape has none.

    Returns the moment of inertia about the centre of mass, 0 for a fixed rotation.
    """
    mass = total(part.mass for part in parts)
    center = (
        total(part.mass * part.center[0] for part in parts) / (mass or 1.0),
        total(part.mass * part.center[1] for part in parts) / (mass or 1.0),
    )
    inertia = total(part.inertia for part in parts)
    given = number(value, "massData-mass")
    own = given > 0 and not (
        _near(given, mass) and _near(number(value, "massData-I", default=inertia), inertia)
    )
    if own:
        mass, center = given, point(value, "massData-center", default=center)
        inertia = number(value, "massData-I", default=inertia)
    # Box2D's is about the body's origin, and what has no mass has one of 1.
    inertia -= mass * (center[0] * center[0] + center[1] * center[1])
    turns = inertia > 1e-9 * mass and "fixed_rotation" not in entry
    if not own and mass > 0 and all(part.mass > 0 for part in parts):
        return inertia if turns else 0.0
    entry["mass"] = mass or 1.0
    for shape in shapes:
        shape.pop("density", None)
    if center != (0.0, 0.0):
        entry["center_of_mass"] = list(center)
    if inertia > 1e-9 * mass:
        entry["inertia"] = inertia
    else:
        entry["fixed_rotation"] = True
    return inertia if turns else 0.0


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def _lose_custom(world: Box2dWorld, value: Value, name: str = "") -> None:
    held = value.get("customProperties")
    if held is not None and held.data not in ([], {}):
        world.draft.lose(held, "custom properties are not read", name)
