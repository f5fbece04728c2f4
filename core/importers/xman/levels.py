# SPDX-License-Identifier: MIT
"""Levels of document 000's editor (part 7): prototypes and their items.

The pivot of an item is at `Position`, its angle is `AngleInDegree` and its scale `SizeFactor`;
`LocalPivot` is (0, 0) in the upper left corner of the box around the prototype, and (1, 1) in
the lower right one. The scale applies to sizes, lever arms and lengths, and to masses by density.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...scene.model import Point
from ..drafts import geometry
from ..drafts.draft import Draft, Entry
from ..drafts.places import Value
from .bodies import add_body
from .looks import add_background_item, add_textures, put_picture
from .motion import add_animations, add_keys
from .scenes import add_scene, scene_of
from .values import XmanBodies, vector

_RADIAN = math.pi / 180
_LOWEST = -100
"""Level polygons are drawn from here on upwards, so that they hide nothing."""
_DEEPEST = 8
_MOST_ITEMS = 10_000
"""So many objects may be in all groups, as often as these are there."""


@dataclass(frozen=True, slots=True)
class LevelPose:
    """p becomes at + scale (p turned by the angle, in degrees)."""

    at: Point = (0.0, 0.0)
    angle: float = 0.0
    scale: float = 1.0

    def of(self, point: Point) -> Point:
        x, y = geometry.turned(point, self.angle * _RADIAN)
        return self.at[0] + self.scale * x, self.at[1] + self.scale * y

    def after(self, inner: LevelPose) -> LevelPose:
        return LevelPose(self.of(inner.at), self.angle + inner.angle, self.scale * inner.scale)


Box = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class _Copy:
    """A prototype in the draft: its name, and its objects for keys."""

    name: str
    bodies: XmanBodies
    animations: list[tuple[str, str]]


@dataclass
class Level:
    """A level on its way.

    Attributes:
        items: the bodies that move of each item, by its `LevelItemId`.
    """

    draft: Draft
    value: Value
    step: float
    prototypes: dict[int, Value] = field(default_factory=dict)
    copies: dict[tuple[int, float, float], _Copy] = field(default_factory=dict)
    boxes: dict[int, Box] = field(default_factory=dict)
    left: int = _MOST_ITEMS
    items: dict[int, list[str]] = field(default_factory=dict)

    def prototype(self, item: Value) -> Value:
        number = item.whole("PrototypId", default=-1)
        if number not in self.prototypes:
            known = ", ".join(str(each) for each in self.prototypes)
            held = item.get("PrototypId") or item
            raise held.fail("unknown-name", f"there is no prototype {number}; known are {known}")
        return self.prototypes[number]


def add_level(level: Level) -> dict[int, list[str]]:
    """All items of a level; the bodies that move of each, by its number."""
    value, draft = level.value, level.draft
    for each in value.need("Prototyps").items("PrototypItems"):
        level.prototypes[each.whole("Id")] = _read_texts(each)
    polygons = []
    for item in value.items("LevelItems"):
        if item.has("Points"):
            polygons.append(item)
        elif item.has("PolygonLevelItemId"):
            draft.lose(item, "lawn on the edge of a polygon is not read")
        else:
            _add_item(level, item, LevelPose(), f"item_{item.whole('LevelItemId')}", item)
    _add_polygons(level, polygons)
    return level.items


def _read_texts(prototype: Value) -> Value:
    """A prototype with its scenes, also those that are texts of JSON."""
    members = dict(prototype.members())
    for name in ("PhysicSceneData", "PhysicSceneForAnimationNull"):
        scene = scene_of(prototype, name)
        if scene is not None:
            members[name] = scene.data
    return Value(members, prototype.source, prototype.steps)


# ---------------------------------------------------------------- items


def _add_item(
    level: Level, item: Value, outer: LevelPose, name: str, owner: Value, deep: int = 0
) -> None:
    prototype = level.prototype(item)
    level.left -= deep > 0
    if level.left < 0:
        raise item.fail("limit", f"more than {_MOST_ITEMS:,} objects in groups; the limit")
    if prototype.has("LevelItemsExport"):
        pose = outer.after(_pose(level, item, _box(level, prototype)))
        for number, inner in enumerate(prototype.items("LevelItemsExport")):
            _add_item(level, inner, pose, f"{name}_{number}", owner, deep + 1)
    elif prototype.has("PhysicSceneData"):
        pose = outer.after(_pose(level, item, _box(level, prototype)))
        _add_instance(level, item, prototype, pose, name, owner)
    else:
        _add_picture(level, item, prototype, outer)


def _pose(level: Level, item: Value, box: Box) -> LevelPose:
    (left, top), (right, bottom) = box
    pivot = vector(item, "LocalPivot")
    scale = item.number("SizeFactor") or 1.0
    turned = LevelPose((0.0, 0.0), item.number("AngleInDegree"), scale)
    x, y = turned.of((left + pivot[0] * (right - left), top + pivot[1] * (bottom - top)))
    at = vector(item, "Position")
    return LevelPose((at[0] - x, at[1] - y), turned.angle, scale)


def _add_instance(
    level: Level, item: Value, prototype: Value, pose: LevelPose, name: str, owner: Value
) -> None:
    draft = level.draft
    made = _copy_of(level, prototype, pose)
    entry: Entry = {"use": made.name, "at": geometry.rounded(list(pose.at))}
    if pose.angle:
        entry["angle"] = pose.angle
    name = draft.add(draft.instances, name, entry, item)
    number = owner.whole("LevelItemId", default=-1)
    moving = [f"{name}.{body.name}" for body in made.bodies.given if body.moves]
    level.items.setdefault(number, []).extend(moving)
    for table in level.value.items("KeyboardMappingTables"):
        if table.whole("LevelItemId", default=-2) == number:
            keys = table.items("Entries")
            add_keys(draft, made.bodies, made.animations, keys, f"{name}.")


def _copy_of(level: Level, prototype: Value, pose: LevelPose) -> _Copy:
    """A prototype in one size. An instance turns velocities, which there stay as they are."""
    number = prototype.whole("Id")
    scene = _scene(prototype)
    fast = any(vector(body, "Velocity") != (0.0, 0.0) for body in scene.items("Bodies"))
    key = number, pose.scale, pose.angle % 360 if fast else 0.0
    if key not in level.copies:
        name, part = level.draft.part(f"prototype_{number}", prototype)
        bodies = XmanBodies(part)
        add_scene(bodies, _resized(scene, pose.scale, key[2]), level.step, "")
        textures = prototype.get("TextureData")
        if textures is not None:
            given = [_resized_picture(each, pose.scale) for each in textures.items("Textures")]
            add_textures(bodies, given)
        animations = add_animations(bodies, prototype.items("AnimationData"), "")
        level.copies[key] = _Copy(name, bodies, animations)
    return level.copies[key]


def _scene(prototype: Value) -> Value:
    """The scene at the start of its animations, if that is given."""
    scene = prototype.need("PhysicSceneData")
    begun = prototype.get("PhysicSceneForAnimationNull")
    if begun is None:
        return scene
    data = copy.deepcopy(begun.data)
    begun = Value(data, begun.source, begun.steps)
    for body, drawn in zip(begun.items("Bodies"), scene.items("Bodies"), strict=False):
        body.members()["CollisionCategory"] = drawn.whole("CollisionCategory")
    return begun


_LENGTHS = {
    "Bodies": ("Center", "Size", "Radius", "Points"),
    "Joints": ("R1", "R2", "MinLength", "MaxLength", "LengthPosition"),
    "Thrusters": ("R1",),
    "AxialFrictions": ("R1",),
}


def _resized(scene: Value, scale: float, angle: float) -> Value:
    """The scene in another size, with velocities that are turned back by the angle."""
    if scale == 1.0 and not angle:
        return scene
    made = Value(copy.deepcopy(scene.data), scene.source, scene.steps)
    for section, names in _LENGTHS.items():
        for each in made.items(section):
            for name in names:
                if each.has(name):
                    each.data[name] = _times(each.need(name), scale)
    for body in made.items("Bodies"):
        x, y = geometry.turned(vector(body, "Velocity"), -angle * _RADIAN)
        body.members()["Velocity"] = [x, y]
    return made


def _times(value: Value, scale: float) -> Any:
    if isinstance(value.data, (int, float)):
        return value.as_limit() * scale
    if isinstance(value.data, str) and ";" not in value.data:
        return value.data  # no number, such as a length that is the one at the start
    is_list = isinstance(value.data, dict) and "$values" in value.data
    listed = isinstance(value.data, list) and value.data != []
    if is_list or (listed and not isinstance(value.data[0], (int, float))):
        return [_times(each, scale) for each in value.items()]
    x, y = vector(value)
    return [scale * x, scale * y]


def _resized_picture(texture: Value, scale: float) -> Value:
    names = ("DeltaX", "DeltaY", "Width", "Height")
    data = {**texture.members(), **{name: scale * texture.number(name) for name in names}}
    return Value(data, texture.source, texture.steps)


# ---------------------------------------------------------------- boxes


def _box(level: Level, prototype: Value, deep: int = 0) -> Box:
    """Return the box around a prototype, in its own coordinates."""
    if deep > _DEEPEST:
        raise prototype.fail("limit", f"groups of groups more than {_DEEPEST} deep; the limit")
    number = prototype.whole("Id")
    if number not in level.boxes:
        level.boxes[number] = _measured(level, prototype, deep)
    return level.boxes[number]


def _measured(level: Level, prototype: Value, deep: int) -> Box:
    if prototype.has("LevelItemsExport"):
        points = []
        for item in prototype.items("LevelItemsExport"):
            inner = _box(level, level.prototype(item), deep + 1)
            (left, top), (right, bottom) = inner
            pose = _pose(level, item, inner)
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            points += [pose.of(corner) for corner in corners]
        return _around(points)
    if prototype.has("PhysicSceneData"):
        bodies = _scene(prototype).items("Bodies")
        return _around([point for body in bodies for point in _outline(body)])
    try:
        name = level.draft.pictures.find(prototype.text("TextureFile"))
    except ValueError:
        return (0.0, 0.0), (0.0, 0.0)
    width, height = level.draft.pictures.size(name)
    return (0.0, 0.0), (float(width), float(height))


def _around(points: Sequence[Point]) -> Box:
    if not points:
        return (0.0, 0.0), (0.0, 0.0)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _outline(body: Value) -> Iterator[Point]:
    """The corners of a body, or of the square round a circle."""
    pose = LevelPose(vector(body, "Center"), body.number("AngleInDegree"))
    if body.has("Radius"):
        radius = body.number("Radius")
        yield pose.at[0] - radius, pose.at[1] - radius
        yield pose.at[0] + radius, pose.at[1] + radius
        return
    width, height = vector(body, "Size")
    corners = [vector(point) for point in body.items("Points")]
    half = width / 2, height / 2
    for x, y in corners or [(half[0] * i, half[1] * j) for i in (-1, 1) for j in (-1, 1)]:
        yield pose.of((x, y))


# ---------------------------------------------------------------- backgrounds, polygons


def _add_picture(level: Level, item: Value, prototype: Value, outer: LevelPose) -> None:
    box = _box(level, prototype)
    pose = outer.after(_pose(level, item, box))
    width, height = box[1]
    middle = pose.of((width / 2, height / 2))
    add_background_item(level.draft, prototype, middle, width * pose.scale, pose.angle)


def _add_polygons(level: Level, items: list[Value]) -> None:
    """The ground: a polygon within another one is a hole in it, one within that an island.

    The innermost islands are solid, of all others the edges.
    """
    outlines = [[vector(point) for point in item.items("Points")] for item in items]
    depths = [
        1 + sum(geometry.contains(other, outline[0]) for other in outlines if other is not outline)
        for outline in outlines
        if outline
    ]
    deepest = max(depths, default=0)
    box = _around([point for outline in outlines for point in outline])
    for item, outline, depth in zip(items, outlines, depths, strict=False):
        outside = depth % 2 == 1
        kind = (
            "Rigid" if outside and depth == deepest else f"EdgeWithNormalsPointing{_SIDES[outside]}"
        )
        _add_polygon(level, item, outline, kind)
        (name,) = list(level.draft.bodies)[-1:]
        entry = level.draft.bodies[name]
        entry["z"] = _LOWEST + depth
        image = level.value.text("ForegroundImage" if outside else "BackgroundImage")
        if image:
            (left, top), (right, bottom) = box
            x, y = entry["position"]
            data = {
                "TextureFile": image,
                "DeltaX": (left + right) / 2 - x,
                "DeltaY": (top + bottom) / 2 - y,
                "Width": right - left,
                "Height": bottom - top,
            }
            put_picture(level.draft, entry, Value(data, item.source, item.steps), name)


_SIDES = {True: "Outside", False: "Inside"}


def _add_polygon(level: Level, item: Value, outline: list[Point], kind: str) -> None:
    x, y = geometry.centroid(outline)
    body = {
        "$type": "PolygonExportData",
        "PolygonType": kind,
        "Center": [x, y],
        "Points": [[px - x, py - y] for px, py in outline],
        "MassData": {"Type": 2},
        "Friction": item.number("Friction", default=0.2),
        "Restituion": item.number("Restiution", "Restituion", default=0.5),
        "CollisionCategory": item.whole("CollisionCategory"),
    }
    made = Value(body, item.source, item.steps)
    add_body(XmanBodies(level.draft), made, f"item_{item.whole('LevelItemId')}_")
