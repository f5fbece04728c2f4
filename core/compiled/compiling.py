# SPDX-License-Identifier: MIT
"""A scene as the file that pages run: rows of the engine, settings, switches and names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import _native
from ..errors import UsageError
from ..record.channels import resolve_channels
from ..scene.model import Joint, Scene
from ..world.building.actuator_rows import force_rows
from ..world.building.assembly import body_indices, build_rows, engine_settings
from ..world.building.joint_rows import JOINTS, placed_joints
from ..world.building.rows import Rows, row_bytes
from ..world.world import World
from .container import pack

SCRIPT = "script"
"""The names of sections of a scene's script begin so."""
_SOLVERS = ("soft_step", "sequential_impulse")
_CATEGORIES = 64


def unfit(scene: Scene, sections: Mapping[str, bytes] | None = None) -> list[str]:
    """Parts of a scene that a page cannot run, as words for a message; empty if it runs all.

    ``sections`` are those of its script, which then is none of it.
    """
    found = []
    if scene.world.solver.is_textbook:
        found.append(f"the textbook solver {scene.world.solver.kind}, which is Python")
    if any(name.startswith(SCRIPT) for name in sections or ()):
        return found
    blocks: dict[str, object] = {
        "events": scene.events,
        "spawners": scene.spawners,
        "controls": scene.controls,
        "animations": scene.animations,
        "inputs": scene.inputs,
        "state": scene.state,
        "outcome": scene.outcome,
        "force fields": [each for each in scene.actuators.values() if each.expressions],
    }
    names = [name for name, block in blocks.items() if block]
    if names:
        found.append(" and ".join(filter(None, (", ".join(names[:-1]), names[-1]))))
    return found


def compile_scene(scene: Scene, sections: Mapping[str, bytes] | None = None) -> bytes:
    """The compiled scene, as bytes; equal scenes give equal bytes.

    ``sections`` are further ones: of its script, and what a page draws.

    Raises:
        UsageError: for a scene that only Python can run, and says which part of it.
    """
    lacking = unfit(scene, sections)
    if lacking:
        what = " and ".join(lacking)
        raise UsageError(f"{scene.path}: has {what}; a compiled scene cannot have that yet")
    return pack({**rows_of(scene), **(sections or {})})


def rows_of(scene: Scene) -> dict[str, bytes]:
    """The sections that the engine builds a world of."""
    world = World(scene)
    index = body_indices(scene)
    slots = {name: slot for slot, name in enumerate(scene.joints)}
    rows = build_rows(scene, scene.bodies.values(), scene.joints.values(), index, slots)
    joints, forces = force_rows(scene.actuators.values(), index)
    pairs = [[index[a], index[b]] for a, b in scene.collision.pairs_ignore]
    settings = engine_settings(scene) | {"threads": 1}
    return {
        "layout": np.array([_native.COMPILED_LAYOUT], "<u8").tobytes(),
        "about": as_json(about(scene)),
        "settings": np.array(setting_numbers(settings), "<f8").tobytes(),
        "pools": np.array(settings["pools"], "<f8").tobytes(),
        "matrix": _matrix(scene.collision.matrix).tobytes(),
        "bodies": row_bytes(rows["bodies"]),
        "shapes": row_bytes(rows["shapes"]),
        "corners": rows["corners"].astype("<f8").tobytes(),
        "joints": row_bytes(rows["joints"]),
        "bars": row_bytes(rows["bars"]),
        "points": row_bytes(rows["points"]),
        "ignored": np.array(pairs, "<i4").tobytes(),
        "actuator_joints": row_bytes(joints),
        "forces": row_bytes(forces),
        "switches": row_bytes(_switches(world)),
        "hand": row_bytes(_hand(scene)),
        "names": as_json(names(scene)),
        "channels": as_json(_channels(world)),
    }


def as_json(data: Any) -> bytes:
    """JSON of a section."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()


def about(scene: Scene) -> dict[str, Any]:
    """Name, description and duration of a scene, for its page."""
    return {
        "name": scene.name,
        "description": scene.description,
        "hash": scene.hash,
        "dt": scene.world.dt,
        "steps": scene.world.steps,
        "length": scene.units.length,
        "time": scene.units.time,
        "second": scene.units.time_per_second,
        "lengthUnit": scene.world.length_unit,
        "gravity": list(scene.world.gravity),
        "yDown": scene.units.y_down,
        "springs": _native.CHANNELS["world.spring_energy"][0],
    }


def names(scene: Scene) -> dict[str, list[str]]:
    """The names of bodies, joints and forces, by their slots, and the places of bodies in z."""
    forces = [name for name, each in scene.actuators.items() for _ in each.bodies]
    return {
        "bodies": ["world", *scene.bodies],
        "joints": [*scene.joints],
        "actuators": forces,
    }


def setting_numbers(settings: Mapping[str, Any]) -> list[float]:
    """Settings of the engine as numbers, in the order in which it reads them."""
    numbers = [float(_SOLVERS.index(settings["solver"])), *map(float, settings["gravity"])]
    for name, (default, choices, _) in _native.WORLD_SETTINGS.items():
        value = settings.get(name, default)
        if name == "bounds":
            numbers += [float(value is not None), *map(float, value or (0.0,) * 4)]
        elif isinstance(default, str):
            numbers.append(float(choices.index(value)))
        else:
            numbers.append(float(value))
    return numbers


def _matrix(matrix: Any) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """[64] which categories each touches, as bits."""
    rows = [(1 << _CATEGORIES) - 1] * _CATEGORIES
    for i, row in enumerate(matrix):
        for j, touches in enumerate(row):
            if not touches:
                rows[i] &= ~(1 << j)
    return np.array(rows, "<u8")


def _switches(world: World) -> Rows:
    """Settings of actuators by the step before which they apply."""
    found = list(world.actuators.settings_over_time())
    rows = np.zeros(len(found), _native.SWITCH)
    for row, values in zip(rows, found, strict=True):
        for name, value in values.items():
            row[name] = value
    return rows


def _hand(scene: Scene) -> Rows:
    """The joint with which a player pulls a body, for the engine to fill in which and where."""
    if not scene.bodies:
        return np.zeros(0, _native.JOINT)
    name = next(iter(scene.bodies))
    joint = Joint("hand", "mouse", "world", name, (0.0, 0.0), (0.0, 0.0), max_force=0.0)
    index = {"world": 0, name: 1}
    return JOINTS.rows(placed_joints(scene, [joint], index, {}))


def _channels(world: World) -> dict[str, Any]:
    """The recorded channels that the engine samples: their names, and codes with owners."""
    scene = world.roster.scene
    found = [each for each in resolve_channels(scene, scene.record.channels) if not each.is_sum]
    codes = world.roster.channel_codes(found)
    return {
        "names": [each.name for each in found],
        "units": [each.unit for each in found],
        "codes": codes.tolist(),
    }
