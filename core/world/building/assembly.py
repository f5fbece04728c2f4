# SPDX-License-Identifier: MIT
"""Builds the native world of a Scene: bodies, shapes and joints as rows of a few arrays.

Index 0 is the native world's own static body ``world``; the i-th body of ``scene.bodies`` is
i + 1. Joints count from 0. Later additions take free slots. Features that the engine lacks are
converted here: of shapes in ``primitives``, of joints in ``joint_rows``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from ... import _native
from ...scene import limits
from ...scene.blocks.joints.bars import Bar, find_bar
from ...scene.model import Body, Joint, Point, Scene
from .engines import Engine
from .joint_rows import JOINTS, placed_joints
from .primitives import SHAPES, primitives
from .rows import RowWriter

WORLD_BODY = 0

NAN = math.nan


def build_native(
    scene: Scene, engine: Engine, *, threads: int = 1, lanes: int = 0
) -> _native.World:
    """The native world of a scene, before its actuators are added and it is finished."""
    native = engine(**engine_settings(scene), threads=threads, lanes=lanes)
    index = body_indices(scene)
    native.set_collision_matrix(np.array(scene.collision.matrix, dtype=np.bool_))
    slots = {name: slot for slot, name in enumerate(scene.joints)}
    rows = build_rows(scene, scene.bodies.values(), scene.joints.values(), index, slots)
    native.add_bodies(rows["bodies"])
    native.add_shapes(rows["shapes"], rows["corners"])
    native.add_joints(rows["joints"])
    native.set_bars(rows["bars"])
    native.add_points(rows["points"])
    pairs = [[index[a], index[b]] for a, b in scene.collision.pairs_ignore]
    if pairs:
        native.ignore_pairs(np.array(pairs, dtype=np.int32))
    return native


def engine_settings(scene: Scene) -> dict[str, Any]:
    """The settings of the engine, by the names of ``_native.WORLD_SETTINGS``.

    Those that the scene has under the same name need no mention here.
    """
    world, solver = scene.world, scene.world.solver
    sources = (solver, world, scene.collision, scene.units)
    settings = {
        name: getattr(source, name)
        for name in _native.WORLD_SETTINGS
        for source in sources
        if hasattr(source, name)
    }
    bounds = world.bounds
    return settings | {
        "gravity": world.gravity,
        "solver": "sequential_impulse" if solver.is_textbook else solver.kind,
        "joint_solver": solver.joints,
        "bounds": (*bounds[0], *bounds[1]) if bounds else None,
        "freeze_on_error": world.on_error == "warn",
        "pools": [
            (*pool.region[0], *pool.region[1], pool.density, pool.damping, pool.drag)
            for pool in world.pools
        ],
        "max_pairs": limits.TOUCHING_PAIRS,
    }


def build_rows(
    scene: Scene,
    bodies: Iterable[Body],
    joints: Iterable[Joint],
    index: Mapping[str, int],
    slots: Mapping[str, int],
) -> dict[str, Any]:
    """Rows of bodies and joints for the engine, by its names.

    ``index`` has the slots of all bodies that they speak of, ``slots`` those of joints.
    """
    bodies = list(bodies)
    pieces = list(primitives(scene, bodies, index))
    corners = [point for each in pieces for point in each.points]
    return {
        "bodies": BODIES.rows(bodies),
        "shapes": SHAPES.rows(pieces),
        "corners": np.array(corners, dtype=np.float64).reshape(-1, 2),
        "joints": JOINTS.rows(placed_joints(scene, joints, index, slots)),
        "bars": BARS.rows(found_bars(bodies, index)),
        "points": POINTS.rows(named_points(bodies, index)),
    }


def body_indices(scene: Scene) -> dict[str, int]:
    """Each body's native index by name; the static body ``world`` is 0."""
    index = {name: i for i, name in enumerate(scene.bodies, start=1)}
    index.setdefault("world", WORLD_BODY)
    return index


def named_points(bodies: Iterable[Body], index: Mapping[str, int]) -> list[tuple[int, Point]]:
    """The bodies' named points, in their order: native body index, and coordinates."""
    return [(index[body.name], point) for body in bodies for point in body.points.values()]


POINTS: RowWriter[tuple[int, Point]] = RowWriter(
    "POINT",
    {
        "body": lambda named: named[0],
        "x": lambda named: named[1][0],
        "y": lambda named: named[1][1],
    },
)


def found_bars(bodies: Iterable[Body], index: Mapping[str, int]) -> list[tuple[int, Bar]]:
    """The bodies along which forces push and pull: native index, and both ends."""
    found: list[tuple[int, Bar]] = []
    last: Body | None = None
    bar: Bar | None = None
    for body in bodies:
        if last is None or body.shapes is not last.shapes or body.kind != last.kind:
            last, bar = body, find_bar(body)
        if bar is not None:
            found.append((index[body.name], bar))
    return found


BARS: RowWriter[tuple[int, Bar]] = RowWriter(
    "BAR",
    {
        "body": lambda found: found[0],
        "left_x": lambda found: found[1].start[0],
        "left_y": lambda found: found[1].start[1],
        "right_x": lambda found: found[1].end[0],
        "right_y": lambda found: found[1].end[1],
    },
)


def _or_nan(value: float | None) -> float:
    return NAN if value is None else value


def _center(body: Body) -> Point:
    return body.center_of_mass or (NAN, NAN)


BODIES: RowWriter[Body] = RowWriter(
    "BODY",
    {
        "x": lambda body: body.position[0],
        "y": lambda body: body.position[1],
        "angle": attrgetter("angle"),
        "vx": lambda body: body.velocity[0],
        "vy": lambda body: body.velocity[1],
        "omega": attrgetter("angular_velocity"),
        "mass": lambda body: _or_nan(body.mass),
        "inertia": lambda body: _or_nan(body.inertia),
        "center_x": lambda body: _center(body)[0],
        "center_y": lambda body: _center(body)[1],
        "linear_damping": attrgetter("linear_damping"),
        "angular_damping": attrgetter("angular_damping"),
        "gravity_scale": attrgetter("gravity_scale"),
        "kind": lambda body: _native.BODY_KINDS[body.kind],
        "fixed_rotation": attrgetter("fixed_rotation"),
        "bullet": attrgetter("bullet"),
        "sleep": attrgetter("sleep"),
        "awake": attrgetter("awake"),
        "collide": attrgetter("collide"),
    },
)
