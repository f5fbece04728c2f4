"""The JSON scenes of the engine of document 000: bodies, joints and actuators by their index.

Lengths are pixels, times milliseconds, y points down, angles of bodies are degrees: `screen` units.
The engine takes a step at once with 50 iterations, which is `sequential_impulse` here.
"""

from __future__ import annotations

import math

from ..scene.values.polygon import signed_area, size_of, without_repeats
from . import geometry
from .draft import Draft, Entry
from .json_places import parse
from .places import LARGEST, Source, Value, check_size
from .result import Import
from .xmanphysics_actuators import add_actuators
from .xmanphysics_joints import add_joints
from .xmanphysics_values import Bodies, Given, kind_of, vector

STEP = 50.0
"""Milliseconds of a step where the file says none, as in the tests of its engine."""
_DEGREE = 180 / math.pi


def read(value: Value) -> Import:
    """The scene of a file: a physics scene, or a level whose items each hold one."""
    draft = Draft(value.source, "xmanphysics", units="screen")
    step = value.number("TimerIntervalInMilliseconds", default=STEP)
    step = step if step > 0 else STEP
    _world(draft, value, step)
    scenes = _scenes(draft, value)
    bodies = Bodies(draft)
    for item, scene in scenes:
        first = len(bodies.given)
        for each in scene.items("Bodies"):
            _add_body(bodies, each, f"item_{item}_" if item else "")
        bodies.first = first
        add_joints(bodies, scene, step)
        add_actuators(bodies, scene)
    _collision(bodies, value if value.has("CollisionMatrix") else scenes[0][1])
    return draft.finish()


def _world(draft: Draft, value: Value, step: float) -> None:
    gravity = value.number("Gravity", default=0.001)
    draft.world = {
        "gravity": [0.0, gravity if value.truth("HasGravity", default=True) else 0.0],
        "dt": step,
        "solver": {
            "type": "sequential_impulse",
            "iterations": min(max(value.whole("IterationCount", default=50), 1), 1000),
            "correction_rate": 0.2,
            "allowed_penetration": 1.0,
        },
    }
    if not value.has("TimerIntervalInMilliseconds"):
        draft.head.append(f"the file says no time step; {step:g} ms is that of its engine's tests")
    if not value.has("Gravity"):
        draft.head.append("the file says no gravity; 0.001 px/ms² is that of its engine's tests")


def _scenes(draft: Draft, value: Value) -> list[tuple[int, Value]]:
    """The physics scenes of a file, each with the number of its item, 0 for a scene alone."""
    if value.has("Bodies"):
        return [(0, value)]
    scenes = []
    for number, item in enumerate(value.items("PhysicLevelItems", "Items"), start=1):
        scene = item.get("PhysicSceneData")
        if scene is None:
            draft.lose(item, "an item without a physics scene")
            continue
        if isinstance(scene.data, str):  # JSON inside JSON
            text = scene.data
            scene = Value(parse(text, value.source.file), Source(value.source.file), scene.steps)
            check_size(scene)
        scenes.append((number, scene))
        for lost in ("TextureData", "AnimationData", "KeyboardMappings", "TagdataEntries"):
            if item.has(lost) and item.data[lost] not in ([], {}):
                draft.lose(item.need(lost), f"the {lost} of an item is not read")
    if not scenes:
        raise value.fail("missing-key", "no `Bodies`, and no items with a `PhysicSceneData`")
    for lost in ("CameraTrackerData", "BackgroundImage", "ForegroundImage", "BackgroundItems"):
        if value.has(lost):
            draft.lose(value.need(lost), f"the level's {lost} is not read")
    return scenes


# ---------------------------------------------------------------- bodies


def _add_body(bodies: Bodies, each: Value, prefix: str) -> None:
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
        Given(name, mass.moves, mass.mass, entry.get("inertia", 0.0), position, angle)
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
    """How a body's mass is said: by itself, by density, or not at all."""

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
    names = {"Rigid": 0, "EdgeWithNormalsPointingOutside": 1, "EdgeWithNormalsPointingInside": 2}
    given = each.get("PolygonType")
    as_text = given is not None and isinstance(given.data, str)
    kind = names.get(each.text("PolygonType"), -1) if as_text else each.whole("PolygonType")
    if kind not in (0, 1, 2):
        raise each.need("PolygonType").fail(
            "out-of-range", "must be 0 (solid), 1 or 2 (its edges solid from outside or inside)"
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
    outside = (area > 0) == (kind == 1)
    entry["shape"] = {"chain": corners, "loop": True, "side": "left" if outside else "right"}
    whole = mass.put(entry, abs(area))
    if whole:
        entry.pop("density", None)
        entry["mass"], entry["inertia"] = whole, whole * inertia


# ---------------------------------------------------------------- collision


def _collision(bodies: Bodies, owner: Value) -> None:
    """The matrix of categories, as the pairs that do not touch."""
    draft = bodies.draft
    draft.collision = {"friction_mixing": "max", "restitution_mixing": "min"}
    used = sorted({entry["category"] for entry in draft.bodies.values()}, key=_number)
    matrix = _matrix(owner)
    ignore = []
    for i, a in enumerate(used):
        for b in used[i:]:
            row, column = _number(a), _number(b)
            if matrix is not None and not _touches(matrix, row, column):
                ignore.append([a, b])
    if not ignore:
        for entry in draft.bodies.values():
            entry.pop("category")
    else:
        draft.collision = {"categories": used, "ignore": ignore, **draft.collision}


def _number(category: str) -> int:
    return int(category.rpartition("_")[2])


def _touches(matrix: list[list[bool]], row: int, column: int) -> bool:
    size = len(matrix)
    return 0 <= row < size and 0 <= column < size and (matrix[row][column] or matrix[column][row])


def _matrix(owner: Value) -> list[list[bool]] | None:
    """The square of booleans; a flat list stands for the rows one after the other."""
    held = owner.get("CollisionMatrix")
    if held is None:
        return None
    if held.has("CollisionMatrix") or held.has("Matrix"):
        held = held.need("CollisionMatrix", "Matrix")
    rows = held.items()
    if rows and isinstance(rows[0].data, bool):
        side = math.isqrt(len(rows))
        flat = [bool(each.data) for each in rows]
        matrix = [flat[i * side : (i + 1) * side] for i in range(side)]
        square = side * side == len(rows)
    else:
        matrix = [[bool(each.data) for each in row.items()] for row in rows]
        square = all(len(row) == len(matrix) for row in matrix)
    if not square:
        raise held.fail("out-of-range", "must be a square of true and false")
    return matrix or None
