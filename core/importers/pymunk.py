# SPDX-License-Identifier: MIT
"""Spaces of pymunk, read through their attributes: nothing of pymunk is needed here.

Chipmunk has no units; lengths and times stay as they are, angles are radians. Friction and
elasticity of two shapes are multiplied, as there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..arguments import checked
from ..errors import UsageError
from ..scene.model import Point
from ..scene.values.portable_math import log
from .drafts import geometry
from .drafts.draft import Entry
from .drafts.filters import CollisionFilter
from .drafts.finishing import finish
from .drafts.places import LARGEST
from .drafts.result import Import
from .space_import import SpaceImport, SpacePlace
from .space_joints import add_constraints

WORLD = "world"
_STANDARD = 9.81
_NEEDED = ("bodies", "shapes", "constraints", "static_body", "gravity")


@checked()
def from_pymunk(space: Any) -> Import:
    """Convert a pymunk Space to a scene; ``text`` of the result is a scene file.

    Raises:
        UsageError: for other objects.
        SceneError: if a scene cannot have a shape or a body of the space.
    """
    missing = [name for name in _NEEDED if not hasattr(space, name)]
    if missing:
        raise UsageError(
            f"from_pymunk takes a pymunk.Space, not {type(space).__name__}, which has no "
            f"{missing[0]!r}; pymunk itself comes with `pip install rigid2d[benchmark]`"
        )
    made = SpaceImport(space)
    _world(made)
    shapes: dict[int, list[Any]] = {}
    for shape in space.shapes:
        shapes.setdefault(id(shape.body), []).append(shape)
    bodies = list(space.bodies)
    if id(space.static_body) in shapes:
        bodies.insert(0, space.static_body)
    else:
        made.names[id(space.static_body)] = WORLD
    for index, body in enumerate(bodies):
        _add_body(made, index, body, shapes.get(id(body), []))
    add_constraints(made)
    made.draft.collision = {
        **made.filters.finish(made.draft, SpacePlace("space")),
        "friction_mixing": "product",
        "restitution_mixing": "product",
    }
    return finish(made.draft)


def _world(made: SpaceImport) -> None:
    gravity = vector(made.space.gravity)
    world: Entry = {"gravity": list(gravity)}
    strength = max(abs(gravity[0]), abs(gravity[1]))
    if strength > 10 * _STANDARD:
        unit = float(f"{strength / _STANDARD:.1g}")
        world["length_unit"] = unit
        made.draft.head.append(f"with this gravity a metre has about {unit:g} lengths")
    damping = float(getattr(made.space, "damping", 1.0))
    if 0 < damping < 1:
        rate = -log(damping)
        world["air"] = {"linear_damping": rate, "angular_damping": rate}
    made.draft.world = world


def _add_body(made: SpaceImport, index: int, body: Any, shapes: list[Any]) -> None:
    draft, kind = made.draft, made.kind(body)
    if kind == "static" and not shapes:  # it is static, and has nothing to collide with
        made.names[id(body)] = WORLD
        return
    origin = SpacePlace(
        "space.static_body" if body is made.space.static_body else f"bodies[{index}]"
    )
    entry: Entry = {} if kind == "dynamic" else {"type": kind}
    losses: list[str] = []
    outlines = [_shape(made, shape, losses) for shape in shapes]
    if not outlines:
        outlines = [{"circle": 0.05, "sensor": True}]
        losses.append("a body without shapes; a small sensor stands for it")
    entry |= {"shape": outlines[0]} if len(outlines) == 1 else {"shapes": outlines}
    entry["position"] = list(vector(body.position))
    if body.angle:
        entry["angle"] = float(body.angle)
    if kind != "static":
        if vector(body.velocity) != (0.0, 0.0):
            entry["velocity"] = list(vector(body.velocity))
        if body.angular_velocity:
            entry["angular_velocity"] = float(body.angular_velocity)
    if kind == "dynamic":
        entry["mass"] = float(body.mass)
        if math.isfinite(body.moment) and body.moment < LARGEST:
            entry["inertia"] = float(body.moment)
        else:
            entry["fixed_rotation"] = True
        if vector(body.center_of_gravity) != (0.0, 0.0) or len(shapes) != 1:
            entry["center_of_mass"] = list(vector(body.center_of_gravity))
        elif "offset" in outlines[0] or "polygon" in outlines[0] or "capsule" in outlines[0]:
            entry["center_of_mass"] = [0.0, 0.0]
    word = "static" if body is made.space.static_body else f"body_{index}"
    wanted = getattr(body, "name", None)
    name = draft.add(draft.bodies, wanted if isinstance(wanted, str) else word, entry, origin)
    made.names[id(body)] = name
    for loss in losses:
        draft.lose(origin, loss, name)


def _shape(made: SpaceImport, shape: Any, losses: list[str]) -> Entry:
    makers: dict[str, Callable[[Any], Entry]] = {
        "Circle": _circle,
        "Segment": _segment,
        "Poly": _polygon,
    }
    word = next((each.__name__ for each in type(shape).__mro__ if each.__name__ in makers), "")
    if not word:
        raise UsageError(
            f"a shape of the type {type(shape).__name__}; known are {', '.join(makers)}"
        )
    entry = makers[word](shape)
    entry["friction"] = max(float(shape.friction), 0.0)
    bounce = float(shape.elasticity)
    entry["restitution"] = min(max(bounce, 0.0), 1.0)
    if entry["restitution"] != bounce:
        losses.append(f"elasticity {bounce:g} became {entry['restitution']:g}")
    if getattr(shape, "sensor", False):
        entry["sensor"] = True
    speed = vector(getattr(shape, "surface_velocity", (0.0, 0.0)))
    if speed != (0.0, 0.0):
        entry["tangent_speed"] = _along(shape, entry, speed, losses)
    given = shape.filter
    entry["category"] = made.filters.name(
        CollisionFilter(int(given.categories), int(given.mask), int(given.group))
    )
    return entry


def _along(shape: Any, entry: Entry, speed: Point, losses: list[str]) -> float:
    """A surface velocity as the speed along a line, or along the upper side of all else."""
    if "segment" not in entry:
        losses.append("a surface velocity is its x as a speed along the surface here")
        return speed[0]
    (ax, ay), (bx, by) = (geometry.turned(end, shape.body.angle) for end in entry["segment"])
    x, y = geometry.unit((bx - ax, by - ay)) or (1.0, 0.0)
    if x < 0:
        x, y = -x, -y  # bodies on top of it are carried towards +x
    if abs(x * speed[1] - y * speed[0]) > 1e-9 * (abs(speed[0]) + abs(speed[1])):
        losses.append("of a surface velocity the part along the line is left")
    return x * speed[0] + y * speed[1]


def _circle(shape: Any) -> Entry:
    offset = vector(shape.offset)
    entry: Entry = {"circle": float(shape.radius)}
    return entry if offset == (0.0, 0.0) else {**entry, "offset": list(offset)}


def _segment(shape: Any) -> Entry:
    ends = [list(vector(shape.a)), list(vector(shape.b))]
    radius = float(shape.radius)
    return {"capsule": ends, "radius": radius} if radius > 0 else {"segment": ends}


def _polygon(shape: Any) -> Entry:
    """Convert the radius: pymunk adds it around the corners, a scene rounds the outer size."""
    points = [vector(each) for each in shape.get_vertices()]
    radius = float(shape.radius)
    if radius <= 0:
        return geometry.polygon_shape(points)
    return {**geometry.polygon_shape(geometry.grown(points, radius)), "radius": radius}


def vector(value: Any) -> Point:
    return float(value[0]), float(value[1])
