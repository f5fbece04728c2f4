# SPDX-License-Identifier: MIT
"""Draws bodies, and changes their outlines: points, round corners, cuts, unions, differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .. import polygons
from ..scene.model import Body, Shape
from ..scene.values import portable_math
from ..scene.values.context import Wrong
from ..scene.values.polygon import checked_polygon, is_convex, signed_area
from .deleting import delete
from .entries import free_name, insert
from .local import kind_of, shapes_of
from .messages import Combine, Delete, Draw, Split, Vertices
from .moving import named
from .numbers import (
    Amount,
    angle_decimals,
    angle_of,
    change_point,
    known_value,
    length_decimals,
)
from .place import Place, Point
from .places import find, root_of
from .text.draft import Draft
from .text.nodes import Node, Path
from .text.style import in_flow, rounded
from .text.texts import Refused
from .values import body_of, evaluated, order_of, to_local, to_world, turned

ARC = portable_math.radians(15)
"""The angle between the points of a round corner."""


# ---------------------------------------------------------------- drawing


def draw(draft: Draft, message: Draw) -> str:
    """Make a body of points of the picture; the words for it."""
    decimals = length_decimals(draft, message.step)
    points = _simple([*message.points], message.simplify, closed=message.kind == "polygon")
    fields: dict[str, Any] = {} if message.type == "dynamic" else {"type": message.type}
    shape, at = _drawn(message, points, decimals)
    fields["shape"] = shape
    if at is not None and any(at):
        fields["position"] = rounded([*at], decimals)
    if message.kind == "bar" and (angle := _angle(draft, points)):
        fields["angle"] = angle
    fields |= message.fields
    root = root_of(draft, message.in_prototype)
    name = message.name or {"circle": "ball", "chain": "ground"}.get(message.kind, message.kind)
    return f"Draw {insert(draft, root, 'bodies', name, fields)}"


def _drawn(
    message: Draw, points: list[Point], decimals: int
) -> tuple[dict[str, Any], Point | None]:
    kind = message.kind
    if kind == "box":
        (x1, y1), (x2, y2) = _two(points, "a box has two corners")
        size = rounded([abs(x2 - x1), abs(y2 - y1)], decimals)
        if not all(size):
            raise Refused("a box has a width and a height")
        return {"box": size}, ((x1 + x2) / 2, (y1 + y2) / 2)
    if kind == "circle":
        radius = message.radius
        if radius is None:
            (x1, y1), (x2, y2) = _two(points, "a circle has its middle and a point of its border")
            radius = portable_math.hypot(x2 - x1, y2 - y1)
        found = rounded(float(radius), decimals)
        if not found:
            raise Refused("a circle has a radius")
        return {"circle": found}, points[0]
    if kind == "capsule":
        a, b = _two(points, "a capsule has two ends")
        middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        ends = rounded([[p[0] - middle[0], p[1] - middle[1]] for p in (a, b)], decimals)
        if ends[0] == ends[1]:
            raise Refused("a capsule has two ends at different places")
        radius = message.radius or portable_math.dist(a, b) / 8
        return {"capsule": ends, "radius": rounded(float(radius), decimals)}, middle
    if kind == "bar":
        a, b = _two(points, "a bar has two ends")
        long = portable_math.dist(a, b)
        size = [rounded(long, decimals + 2), rounded(2 * (message.radius or long / 20), decimals)]
        if not all(size):
            raise Refused("a bar has two ends at different places")
        return {"box": size}, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    if kind == "chain":
        if len(points) < 2:
            raise Refused("a chain has two points or more")
        return {"chain": rounded([[*p] for p in points], decimals)}, None
    _check(points)
    middle = _centroid(points)
    middle = tuple(rounded([*middle], decimals))
    local = rounded([[p[0] - middle[0], p[1] - middle[1]] for p in points], decimals)
    _check([tuple(p) for p in local])
    return {"polygon": local}, middle


def _angle(draft: Draft, points: Sequence[Point]) -> float:
    """The angle of the line between two points, as the file has angles; 0 for one along x."""
    (ax, ay), (bx, by) = sorted(points)
    degrees = portable_math.degrees(portable_math.atan2(by - ay, bx - ax))
    return float(rounded(angle_of(draft, degrees), angle_decimals(draft) + 2))


def _two(points: Sequence[Point], why: str) -> tuple[Point, Point]:
    if len(points) != 2:
        raise Refused(why)
    return points[0], points[1]


def _check(points: Sequence[Any]) -> None:
    """Raise Refused for an outline that crosses itself or has no area."""
    if len(points) < 3:
        raise Refused("a polygon has three corners or more")
    try:
        checked_polygon([(float(x), float(y)) for x, y in points])
    except Wrong as wrong:
        raise Refused(wrong.findings[0].message) from None


def _centroid(points: Sequence[Point]) -> Point:
    area = signed_area(points)
    x = y = 0.0
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        w = ax * by - bx * ay
        x, y = x + (ax + bx) * w, y + (ay + by) * w
    return x / (6 * area), y / (6 * area)


def _simple(points: list[Point], tolerance: float, *, closed: bool) -> list[Point]:
    """The points without those that are no further than ``tolerance`` from the line of others."""
    points = [p for i, p in enumerate(points) if not i or p != points[i - 1]]
    if closed and len(points) > 1 and points[0] == points[-1]:
        points.pop()
    if not tolerance or len(points) < 4:
        return points
    if not closed:
        return _thinned(points, tolerance)
    far = max(range(len(points)), key=lambda i: portable_math.dist(points[0], points[i]))
    first = _thinned(points[: far + 1], tolerance)
    second = _thinned([*points[far:], points[0]], tolerance)
    return [*first[:-1], *second[:-1]]


def _thinned(points: list[Point], tolerance: float) -> list[Point]:
    """Douglas and Peucker (1973): the furthest point stays, or all between the ends go."""
    keep = {0, len(points) - 1}
    waiting = [(0, len(points) - 1)]
    while waiting:
        low, high = waiting.pop()
        worst, at = tolerance, -1
        for i in range(low + 1, high):
            away = _distance(points[i], points[low], points[high])
            if away > worst:
                worst, at = away, i
        if at > 0:
            keep.add(at)
            waiting += [(low, at), (at, high)]
    return [points[i] for i in sorted(keep)]


def _distance(p: Point, a: Point, b: Point) -> float:
    length = portable_math.dist(a, b)
    if not length:
        return portable_math.dist(p, a)
    t = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / (length * length)
    t = min(1.0, max(0.0, t))
    return portable_math.dist(p, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))


# ---------------------------------------------------------------- vertices


def vertices(draft: Draft, message: Vertices) -> str:
    """Change the points of a polygon or a chain; the words for it."""
    place = find(draft, message.what[0], message.in_prototype)
    keys, shape = _shape_at(draft, place, message.shape)
    kind = kind_of(shape)
    said = f"Points of {named(message.what)}"
    if message.do == "round" and message.index is None:
        radius = rounded(float(message.radius or 0.0), length_decimals(draft, message.step))
        if radius:
            draft.put(place.file, (*place.path, *keys), "radius", radius)
        elif shape.get("radius") is not None:
            draft.remove(place.file, (*place.path, *keys, "radius"))
        return said
    value = shape.get(kind)
    if kind not in ("polygon", "chain", "capsule", "segment") or value is None:
        raise Refused(f"{place.address} has no points; it is a {kind}")
    if value.kind != "seq":
        raise Refused(f"the points of {place.address} are a curve; change it in the text")
    path: Path = (*place.path, *keys, kind)
    count = len(value.items)
    decimals = length_decimals(draft, message.step)
    if message.do == "simplify":
        points = [_plain(each) for each in value.items]
        thin = _simple(points, message.radius or 0.0, closed=kind == "polygon")
        kept = {id(p) for p in thin}
        for i in reversed([i for i, p in enumerate(points) if id(p) not in kept]):
            draft.remove(place.file, (*path, i))
        return said
    index = message.index
    if index is None or index > count or (index == count and message.do != "insert"):
        raise Refused(f"{place.address} has points 0 to {count - 1}")
    if message.do == "delete":
        least = 3 if kind == "polygon" else 2
        if count <= least:
            raise Refused(f"a {kind} has {least} points or more")
        draft.remove(place.file, (*path, index))
    elif message.do == "round":
        _round(draft, place, path, value, index, float(message.radius or 0.0), decimals)
    else:
        if message.to is None:
            raise Refused(f"`{message.do}` needs `to`")
        to = _to_shape(draft, place, shape, message.to)
        if message.do == "insert":
            draft.append(place.file, path, rounded([*to], decimals), index)
        else:
            amounts = [Amount(to[i], 0.0, decimals, now=known_value(to[i])) for i in (0, 1)]
            change_point(draft, place, (*keys, kind, index), amounts, None)
    draft.flush()
    _check_again(draft, path, place, kind)
    return said


def points_of(draft: Draft, address: str) -> dict[int, list[Point]]:
    """The points of the polygons and chains of a body as its entry says them, by the number of the
    shape; without those that are no numbers."""
    place = find(draft, address)
    found: dict[int, list[Point]] = {}
    for number, (_, shape) in enumerate(shapes_of(place, place.node(draft))):
        kind = kind_of(shape)
        value = shape.get(kind)
        if kind not in ("polygon", "chain") or value is None or value.kind != "seq":
            continue
        points = [tuple(evaluated(draft, part) for part in each.items) for each in value.items]
        if all(len(each) == 2 and None not in each for each in points):
            found[number] = [(float(x or 0.0), float(y or 0.0)) for x, y in points]
    return found


def _check_again(draft: Draft, path: Path, place: Place, kind: str) -> None:
    if kind != "polygon":
        return
    items = draft.need(place.file, path).items
    points = [each.plain() for each in items]
    if all(isinstance(n, (int, float)) for p in points if isinstance(p, list) for n in p):
        _check(points)


def _plain(node: Node) -> Point:
    value = node.plain()
    if not isinstance(value, list) or not all(isinstance(n, (int, float)) for n in value):
        raise Refused("points that are expressions are changed in the text")
    return float(value[0]), float(value[1])


def _shape_at(draft: Draft, place: Place, index: int) -> tuple[tuple[str | int, ...], Node]:
    if place.section != "bodies":
        raise Refused(f"{place.address} is no body")
    shapes = shapes_of(place, place.node(draft))
    if index >= len(shapes):
        raise Refused(f"{place.address} says {len(shapes)} shapes itself")
    return shapes[index]


def _to_shape(draft: Draft, place: Place, shape: Node, point: Point) -> Point:
    """A point of the world in the coordinates of a shape."""
    from .places import in_radians
    from .values import evaluated, point_at

    if place.path[0] == "prototypes" and not place.turned:
        body = Body("", position=point_at(draft, place.node(draft).get("position")) or (0.0, 0.0))
    else:
        body = body_of(draft, place)
    x, y = to_local(body, point)
    offset = point_at(draft, shape.get("offset"))
    if offset is not None:
        x, y = x - offset[0], y - offset[1]
    angle = evaluated(draft, shape.get("angle"))
    if angle:
        x, y = turned((x, y), -(angle if in_radians(draft) else portable_math.radians(angle)))
    return x, y


def _round(
    draft: Draft, place: Place, path: Path, value: Node, index: int, radius: float, decimals: int
) -> None:
    """Put an arc in the place of a corner."""
    points = [_plain(each) for each in value.items]
    ends = path[-1] != "polygon" and index in (0, len(points) - 1)
    if ends or radius <= 0:
        raise Refused("there is no corner to be round here")
    a, b, c = points[index - 1], points[index], points[(index + 1) % len(points)]
    arc = _arc(a, b, c, radius)
    draft.remove(place.file, (*path, index))
    for point in reversed(arc):
        draft.append(place.file, path, rounded([*point], decimals + 1), index)


def _arc(a: Point, b: Point, c: Point, radius: float) -> list[Point]:
    """Points of the arc that touches both sides of a corner."""
    u = _unit((a[0] - b[0], a[1] - b[1]))
    v = _unit((c[0] - b[0], c[1] - b[1]))
    half = portable_math.acos(max(-1.0, min(1.0, u[0] * v[0] + u[1] * v[1]))) / 2
    if not 1e-3 < half < math.pi / 2 - 1e-3:
        raise Refused("the sides of this corner are nearly one line")
    reach = radius / portable_math.tan(half)
    if reach > min(portable_math.dist(a, b), portable_math.dist(b, c)) + 1e-12:
        longest = min(portable_math.dist(a, b), portable_math.dist(b, c)) * portable_math.tan(half)
        raise Refused(f"this corner has room for a radius of {longest:.4g} at most")
    first = b[0] + u[0] * reach, b[1] + u[1] * reach
    last = b[0] + v[0] * reach, b[1] + v[1] * reach
    away = radius / portable_math.sin(half)
    middle = _unit((u[0] + v[0], u[1] + v[1]))
    center = b[0] + middle[0] * away, b[1] + middle[1] * away
    start = portable_math.atan2(first[1] - center[1], first[0] - center[0])
    end = portable_math.atan2(last[1] - center[1], last[0] - center[0])
    turn = (end - start + math.pi) % (2 * math.pi) - math.pi
    count = max(2, math.ceil(abs(turn) / ARC))
    angles = [start + turn * i / count for i in range(count + 1)]
    return [
        (center[0] + radius * portable_math.cos(t), center[1] + radius * portable_math.sin(t))
        for t in angles
    ]


def _unit(v: Point) -> Point:
    length = portable_math.hypot(*v)
    if not length:
        raise Refused("two corners are at the same place")
    return v[0] / length, v[1] / length


# ---------------------------------------------------------------- pieces


def _area_of(body: Body) -> tuple[Shape, polygons.Polygon]:
    if len(body.shapes) != 1:
        raise Refused(f"`{body.name}` has {len(body.shapes)} shapes; one outline is cut or joined")
    (shape,) = body.shapes
    if shape.kind == "circle":
        (x, y), r = shape.points[0], shape.radius
        points = [
            (
                x + r * portable_math.cos(i * math.pi / 16),
                y + r * portable_math.sin(i * math.pi / 16),
            )
            for i in range(32)
        ]
        return shape, polygons.Polygon(tuple(points))
    if shape.kind != "polygon":
        raise Refused(f"`{body.name}` is a {shape.kind}, which has no area to be cut")
    return shape, polygons.Polygon(shape.outer or shape.points, shape.holes)


def split(draft: Draft, message: Split) -> str:
    """Cut a body in two along a line; the words for it."""
    place = _own_body(draft, message.what[0], message.in_prototype)
    body = body_of(draft, place)
    _, area = _area_of(body)
    a, b = (to_local(body, point) for point in message.line)
    if a == b:
        raise Refused("a line has two points")
    size = 4 * max(portable_math.dist(p, a) for p in area.points) + portable_math.dist(a, b)
    u = _unit((b[0] - a[0], b[1] - a[1]))
    n = -u[1], u[0]
    start = a[0] - u[0] * size, a[1] - u[1] * size
    end = a[0] + u[0] * size, a[1] + u[1] * size
    side = [start, end, (end[0] + n[0] * size, end[1] + n[1] * size),
            (start[0] + n[0] * size, start[1] + n[1] * size)]  # fmt: skip
    pieces = [*polygons.intersection(area, side), *polygons.difference(area, side)]
    if len(pieces) < 2:
        raise Refused(f"the line does not cut `{body.name}`")
    decimals = length_decimals(draft, message.step) + 1
    fields = place.node(draft).plain()
    _put_outline(draft, place, pieces[0], decimals)
    home = root_of(draft, message.in_prototype)
    base = str(place.path[-1])
    draft.names.append(f"bodies.{base}")
    for piece in pieces[1:]:
        other = {k: v for k, v in fields.items() if k not in ("shape", "shapes", "points")}
        other = {"shape": _shape_fields(fields, piece, decimals), **other}
        name = free_name(draft, home, "bodies", base)
        insert(draft, home, "bodies", name, other, near=f"bodies.{base}")
    if "mass" in fields:
        draft.notes.append("each piece has the mass that the whole had; set it anew")
    return f"Split {base}"


def combine(draft: Draft, message: Combine) -> str:
    """Join the outlines of two bodies, or cut one by the other; the words for it."""
    first = _own_body(draft, message.what[0], message.in_prototype)
    second = find(draft, message.what[1], message.in_prototype)
    one, two = body_of(draft, first), body_of(draft, second)
    _, area = _area_of(one)
    _, other = _area_of(two)

    def placed(ring: Sequence[Point]) -> tuple[Point, ...]:
        return tuple(to_local(one, to_world(two, p)) for p in ring)

    tool = polygons.Polygon(placed(other.points), tuple(map(placed, other.holes)))
    how = {"union": polygons.union, "difference": polygons.difference,
           "intersection": polygons.intersection}[message.how]  # fmt: skip
    pieces = how(area, tool)
    if len(pieces) != 1:
        what = "nothing" if not pieces else f"{len(pieces)} pieces"
        raise Refused(f"the {message.how} of both is {what}; it must be one outline")
    decimals = length_decimals(draft, message.step) + 1
    _put_outline(draft, first, pieces[0], decimals)
    draft.flush()
    delete(
        draft,
        Delete(edit="delete", what=[message.what[1]], in_prototype=message.in_prototype),
    )
    return f"{message.how.capitalize()} of {named(message.what[:1])} and {named(message.what[1:])}"


def _own_body(draft: Draft, address: str, prototype: str | None) -> Place:
    place = find(draft, address, prototype)
    if place.section != "bodies" or place.many or place.turned or prototype is not None:
        raise Refused(f"{place.address} is no single body of the scene")
    return place


def _shape_fields(fields: Any, piece: polygons.Polygon, decimals: int) -> dict[str, Any]:
    old = fields.get("shape") or (fields.get("shapes") or [{}])[0]
    kept = {
        key: value
        for key, value in old.items()
        if key in ("material", "density", "friction", "restitution", "color", "outline",
                   "sensor", "category", "rolling_resistance", "tangent_speed")
    }  # fmt: skip
    shape = rounded(piece.shape, decimals)
    shape["polygon"] = _ring(shape["polygon"])
    if "holes" in shape:
        shape["holes"] = [_ring(hole) for hole in shape["holes"]]
    return {**shape, **kept}


def _ring(points: Sequence[Any]) -> list[Any]:
    """The points of an outline without those that rounding has made equal to the one before."""
    kept = [point for i, point in enumerate(points) if point != points[i - 1]]
    if len(kept) < 3:
        raise Refused("a piece would be too thin")
    return kept


def _put_outline(draft: Draft, place: Place, piece: polygons.Polygon, decimals: int) -> None:
    """Give a body another outline, in its own coordinates."""
    fields = place.node(draft).plain()
    shape = _shape_fields(fields, piece, decimals)
    points = shape["polygon"]
    _check(points)
    if not is_convex([tuple(p) for p in points]):
        shape.pop("radius", None)
    path: Path = (*place.path, "shape") if "shape" in fields else (*place.path, "shapes", 0)
    if draft.node(place.file, path) is None:
        draft.put(place.file, place.path, "shape", shape, order_of("bodies"))
        return
    old = draft.need(place.file, path)
    if old.kind == "map" and not old.flow:
        draft.replace(place.file, path, shape)
        return
    text = draft.text(place.file)
    column = old.content - text.text.rfind("\n", 0, old.content) - 1
    from .text.style import folded

    new = folded(in_flow(shape), column, draft.indent_at(text, old.content) + 4, text.newline)
    draft.splice(place.file, old.content, old.end, new)
