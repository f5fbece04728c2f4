# SPDX-License-Identifier: MIT
"""The JSON scenes of the engine of document 000: bodies, joints and actuators by their index.

Lengths are pixels, times milliseconds, y points down, angles of bodies are degrees: `screen` units.
The engine takes a step at once with 50 iterations, which is `sequential_impulse` here.
"""

from __future__ import annotations

import math

from ..drafts.draft import Draft
from ..drafts.finishing import finish
from ..drafts.places import Value
from ..drafts.result import Import
from .levels import Level, add_level
from .looks import add_background, add_background_items, add_camera, add_textures
from .motion import add_animations, add_keys, finish_controls
from .scenes import add_scene, scene_of
from .values import XmanBodies, vector

STEP = 50.0
"""Milliseconds of a step where the file says none, as in the tests of its engine."""
STEP_OF_LEVELS = 20.0
"""The same for levels, as in its games."""


def read(value: Value) -> Import:
    """The scene of a file: a physics scene, or a level whose items each hold one."""
    draft = Draft(value.source, "xmanphysics", units="screen")
    step = _world(draft, value)
    matrix = value
    if value.has("Bodies"):
        add_scene(XmanBodies(draft), value, step, "")
    elif value.has("Prototyps"):
        _add_looks(draft, value, add_level(Level(draft, value, step)))
    else:
        scenes = _scenes(draft, value)
        _add_looks(draft, value, _add_items(draft, scenes, step))
        matrix = value if value.has("CollisionMatrix") else scenes[0][1]
    finish_controls(draft)
    _collision(draft, matrix)
    return finish(draft)


def _world(draft: Draft, value: Value) -> float:
    """Gravity, step and solver; returns the step."""
    usual = STEP if value.has("Bodies") else STEP_OF_LEVELS
    step = value.number("TimerIntervalInMilliseconds", default=usual)
    step = step if step > 0 else usual
    gravity = value.number("Gravity", default=0.001)
    iterations = value.whole("IterationCount", "SimulatorIterationCount", default=50)
    draft.world = {
        "gravity": [0.0, gravity if value.truth("HasGravity", default=True) else 0.0],
        "dt": step,
        "solver": {
            "type": "sequential_impulse",
            "iterations": min(max(iterations, 1), 1000),
            "correction_rate": 0.2,
            "allowed_penetration": 1.0,
        },
    }
    if not value.has("TimerIntervalInMilliseconds"):
        draft.head.append(f"the file says no time step; {step:g} ms is that of its engine's tests")
    if not value.has("Gravity"):
        draft.head.append("the file says no gravity; 0.001 px/ms² is that of its engine's tests")
    return step


# ---------------------------------------------------------------- items of the simulator

_Scene = tuple[int, Value, Value]
"""The number of an item, its scene, and the item itself."""


def _scenes(draft: Draft, value: Value) -> list[_Scene]:
    """The items as the editor hands them to the simulator, each with a physics scene."""
    scenes: list[_Scene] = []
    for number, item in enumerate(value.items("PhysicLevelItems", "Items"), start=1):
        scene = scene_of(item)
        if scene is None:
            draft.lose(item, "an item without a physics scene")
            continue
        scenes.append((number, scene, item))
    if not scenes:
        raise value.fail("missing-key", "no `Bodies`, and no items with a `PhysicSceneData`")
    return scenes


def _add_items(draft: Draft, scenes: list[_Scene], step: float) -> dict[int, list[str]]:
    """The items of the simulator; the bodies that move of each, by its number."""
    bodies = XmanBodies(draft)
    moving: dict[int, list[str]] = {}
    for number, scene, item in scenes:
        prefix = f"item_{number}_"
        add_scene(bodies, scene, step, prefix)
        textures = item.get("TextureData")
        add_textures(bodies, [] if textures is None else textures.items("Textures"))
        animations = add_animations(bodies, item.items("AnimationData"), prefix)
        add_keys(draft, bodies, animations, item.items("KeyboardMappings"))
        _add_tags(bodies, item)
        names = [body.name for body in bodies.given[bodies.first :] if body.moves]
        moving.setdefault(item.whole("LevelItemId", default=-1), []).extend(names)
    return moving


def _add_tags(bodies: XmanBodies, item: Value) -> None:
    """Names and anchor points of bodies."""
    of_bodies = ("Body", 2)
    for tag in item.items("TagdataEntries"):
        kind = tag.get("TagType")
        index = tag.whole("TagId", default=-1)
        count = len(bodies.given) - bodies.first
        if kind is None or kind.data not in of_bodies or not 0 <= index < count:
            bodies.draft.lose(tag, "a tag of something that is no body")
            continue
        entry = bodies.draft.bodies[bodies.given[bodies.first + index].name]
        names = [each.data for each in tag.items("Names") if isinstance(each.data, str)]
        if color := tag.whole("Color"):
            names.append(f"color_{color}")
        if names:
            entry["tags"] = [*entry.get("tags", ()), *names]
        points = {f"anchor_{i}": list(vector(p)) for i, p in enumerate(tag.items("AnchorPoints"))}
        if points:
            entry["points"] = points


def _add_looks(draft: Draft, value: Value, moving: dict[int, list[str]]) -> None:
    add_background(draft, value)
    add_background_items(draft, value)
    add_camera(draft, value, moving)
    tags = value.get("TagData")
    if tags is not None and tags.items("Tags"):
        draft.lose(tags, "the tags of a level are not read")


# ---------------------------------------------------------------- collision


def _collision(draft: Draft, owner: Value) -> None:
    """The matrix of categories, as the pairs that do not touch."""
    bodies = draft.all_of("bodies")
    draft.collision = {"friction_mixing": "max", "restitution_mixing": "min"}
    used = sorted({entry["category"] for entry in bodies}, key=_number)
    matrix = _matrix(owner)
    ignore = []
    for i, a in enumerate(used):
        for b in used[i:]:
            row, column = _number(a), _number(b)
            if matrix is not None and not _touches(matrix, row, column):
                ignore.append([a, b])
    if not ignore:
        for entry in bodies:
            entry.pop("category")
    else:
        draft.collision = {"categories": used, "ignore": ignore, **draft.collision}


def _number(category: str) -> int:
    return int(category.rpartition("_")[2])


def _touches(matrix: list[list[bool]], row: int, column: int) -> bool:
    size = len(matrix)
    return 0 <= row < size and 0 <= column < size and (matrix[row][column] or matrix[column][row])


def _matrix(owner: Value) -> list[list[bool]] | None:
    """Return the square of booleans; a flat list contains its rows in order."""
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
