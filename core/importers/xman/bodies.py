# SPDX-License-Identifier: MIT
"""The bodies of document 000's engine: rectangles, circles and polygons."""

from __future__ import annotations

import math

from ...scene.values.polygon import signed_area, size_of, without_repeats
from ..drafts import geometry
from ..drafts.draft import Entry
from ..drafts.places import LARGEST, Value
from .values import BodyData, XmanBodies, kind_of, vector

_DEGREE = 180 / math.pi


def add_body(bodies: XmanBodies, each: Value, prefix: str) -> None:
    kind = kind_of(each) or _kind_by_fields(each)
    makers = {
        "RectangleExportData": ("rectangle", _rectangle),
        "CircleExportData": ("circle", _circle),
        "PolygonExportData": ("polygon", _polygon),
    }
    if kind not in makers:
        raise each.fail(
            "unsupported", f"a body of the type {kind!r}; known are {', '.join(makers)}"
        )
    word, make = makers[kind]
    mass = _mass(each)
    entry: Entry = {} if mass.moves else {"type": "static"}
    position = vector(each, "Center")
    angle = each.number("AngleInDegree") + each.number("AngleInRad") * _DEGREE
    notes: list[str] = []
    make(each, entry, mass, notes)
    entry["position"] = list(position)
    if angle:
        entry["angle"] = angle
    velocity, spin = vector(each, "Velocity"), each.number("AngularVelocity")
    if mass.moves and velocity != (0.0, 0.0):
        entry["velocity"] = list(velocity)
    if mass.moves and spin:
        entry["angular_velocity"] = spin * _DEGREE  # from radians
    entry["friction"] = max(each.number("Friction", default=1.0), 0.0)
    bounce = each.number("Restituion", "Restitution", default=1.0)
    entry["restitution"] = min(max(bounce, 0.0), 1.0)
    entry["category"] = f"category_{each.whole('CollisionCategory')}"
    index = len(bodies.given)
    name = bodies.draft.add(bodies.draft.bodies, f"{prefix}{word}_{index}", entry, each)
    bodies.given.append(
        BodyData(name, mass.moves, mass.mass, entry.get("inertia", 0.0), position, angle)
    )
    for note in notes:
        bodies.draft.note(name, note)
    if entry["restitution"] != bounce:
        bodies.draft.lose(each, f"restitution {bounce:g} became {entry['restitution']:g}", name)
    if not mass.moves and (velocity != (0.0, 0.0) or spin):
        bodies.draft.lose(each, "a velocity of a body that does not move", name)
    if each.truth("BreakWhenMaxPushPullForceIsReached"):
        bodies.fragile[name] = each


def _kind_by_fields(each: Value) -> str:
    fields = {"Radius": "Circle", "Points": "Polygon", "Size": "Rectangle"}
    word = next((word for field, word in fields.items() if each.has(field)), "")
    return f"{word}ExportData" if word else ""


class _Mass:
    """The form of a body's mass: given, by density, or none."""

    def __init__(self, kind: str, mass: float, density: float) -> None:
        self.kind, self.mass, self.density = kind, mass, density
        self.moves = kind != "Infinity" and (kind != "Mass" or mass <= LARGEST)

    def put(self, entry: Entry, area: float) -> float:
        """Say it in an entry; the mass is returned."""
        if not self.moves:
            return 0.0
        if self.kind == "Density":
            entry["density"] = self.density
            self.mass = self.density * area
        else:
            entry["mass"] = self.mass
        return self.mass


def _mass(each: Value) -> _Mass:
    data = each.get("MassData")
    if data is None:
        return _Mass("Mass", 1.0, 1.0)
    names = ("Mass", "Density", "Infinity")
    given = data.get("Type")
    if given is not None and isinstance(given.data, str):
        kind = {"mass": "Mass", "density": "Density"}.get(given.data.lower(), "Infinity")
    else:
        number = data.whole("Type")
        if not 0 <= number < len(names):
            raise data.need("Type").fail("out-of-range", "must be 0 (mass), 1 (density) or 2")
        kind = names[number]
    return _Mass(kind, data.limit("Mass", default=1.0), data.number("Density", default=1.0))


def _rectangle(each: Value, entry: Entry, mass: _Mass, notes: list[str]) -> None:
    width, height = vector(each, "Size")
    entry["shape"] = {"box": [width, height]}
    mass.put(entry, width * height)


def _circle(each: Value, entry: Entry, mass: _Mass, notes: list[str]) -> None:
    radius = each.need("Radius").as_number()
    entry["shape"] = {"circle": radius}
    if mass.put(entry, math.pi * radius * radius):
        entry["inertia"] = mass.mass * radius * radius / 12
        notes.append("its moment of inertia is m r²/12, as there; that of a disc is m r²/2")


def _polygon(each: Value, entry: Entry, mass: _Mass, notes: list[str]) -> None:
    held = each.need("Points")
    points = without_repeats([vector(point) for point in held.items()])
    if len(points) < 3:
        raise held.fail("impossible-shape", "a polygon needs 3 corners")
    area = signed_area(points)
    names = {"Rigid": 0, "EdgeWithNormalsPointingInside": 1, "EdgeWithNormalsPointingOutside": 2}
    given = each.get("PolygonType")
    as_text = given is not None and isinstance(given.data, str)
    kind = names.get(each.text("PolygonType"), -1) if as_text else each.whole("PolygonType")
    if kind not in (0, 1, 2):
        raise each.need("PolygonType").fail(
            "out-of-range", "must be 0 (solid), 1 or 2 (its edges solid from inside or outside)"
        )
    corners = [list(point) for point in points]
    inertia = abs(geometry.second_moment(points))
    if kind == 0:
        entry["shape"] = {"polygon": corners}
        whole = mass.put(entry, abs(area))
        x, y = geometry.centroid(points)
        if whole and math.sqrt(x * x + y * y) > 1e-4 * size_of(points):
            entry["center_of_mass"] = [0.0, 0.0]
            entry["inertia"] = whole * inertia
            notes.append("its centre of mass is where it says, not the centroid")
        return
    # Walking so that the area is positive, the inside is on the right of the screen, as y is down.
    outside = (area > 0) == (kind == 2)
    entry["shape"] = {"chain": corners, "loop": True, "side": "left" if outside else "right"}
    whole = mass.put(entry, abs(area))
    if whole:
        entry.pop("density", None)
        entry["mass"], entry["inertia"] = whole, whole * inertia
