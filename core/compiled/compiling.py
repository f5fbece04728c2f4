# SPDX-License-Identifier: MIT
"""A scene as the file that pages run: rows of the engine, settings, switches and names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _native
from ..errors import UsageError
from ..record.channels import Channel, resolve_channels
from ..scene import expand
from ..scene.model import Joint, Scene
from ..scene.script import Value
from ..scene.text.compiled import TEXT
from ..scene.text.container import pack
from ..world.building.actuator_rows import force_rows
from ..world.building.assembly import body_indices, build_rows, engine_settings
from ..world.building.joint_rows import JOINTS, placed_joints
from ..world.building.rows import Rows, row_bytes
from ..world.script.program import ScriptProgram
from ..world.world import World
from .script import (
    births_of,
    inputs_of,
    is_scripted,
    parts_for_python,
    program_for_pages,
    script_names,
    without_script,
)

SCRIPT = "script"
"""The section of a scene's script."""
_SOLVERS = ("soft_step", "sequential_impulse")
_CATEGORIES = 64


def unfit(scene: Scene) -> list[str]:
    """Parts of a scene that a page cannot run, as words for a message; empty if it runs all."""
    if scene.world.solver.is_textbook:
        return [f"the textbook solver {scene.world.solver.kind}"]
    return parts_for_python(scene) if is_scripted(scene) else []


def compile_scene(
    scene: Scene,
    *,
    with_text: bool = False,
    readings: bytes = b"",
    choices: Sequence[Mapping[str, Value]] = (),
) -> bytes:
    """The compiled scene, as bytes; equal scenes give equal bytes. With the text of the scene,
    rigid runs and draws it as it does a scene file; a page draws texts and plots by ``readings``,
    and its sliders set ``choices``, the last of the timed settings.

    Raises:
        UsageError: for a scene with parts that need Python; names them.
    """
    lacking = unfit(scene)
    if lacking:
        raise UsageError(
            f"{scene.path}: a compiled scene cannot have these parts, which need Python: "
            + ", ".join(lacking)
        )
    sections = rows_of(scene, choices)
    if readings:
        sections["readings"] = readings
    if with_text:
        sections[TEXT] = expand(scene).encode()
    return pack(sections)


def rows_of(scene: Scene, choices: Sequence[Mapping[str, Value]] = ()) -> dict[str, bytes]:
    """The sections that the engine builds a world of, and runs it by."""
    program = program_for_pages(scene, choices) if is_scripted(scene) or choices else None
    world = World(without_script(scene))
    index = body_indices(scene)
    slots = {name: slot for slot, name in enumerate(scene.joints)}
    rows = build_rows(scene, scene.bodies.values(), scene.joints.values(), index, slots)
    joints, forces = force_rows(scene.actuators.values(), index)
    pairs = [[index[a], index[b]] for a, b in scene.collision.pairs_ignore]
    settings = engine_settings(scene) | {"threads": 1}
    rows_of_scene = {
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
        "switches": row_bytes(_switches(world, begins=program is not None)),
        "hand": row_bytes(_hand(scene)),
        "names": as_json(names(scene, program)),
        "channels": as_json(_channels(scene, world)),
    }
    if isinstance(program, ScriptProgram):
        rows_of_scene[SCRIPT] = program.data
        rows_of_scene["inputs"] = as_json(inputs_of(scene, program))
        rows_of_scene["births"] = as_json(births_of(scene, program))
    return rows_of_scene


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


def names(scene: Scene, program: ScriptProgram | str | None) -> dict[str, list[str]]:
    """The names of bodies, joints and forces by slots, and those of a script by its tables."""
    forces = [name for name, each in scene.actuators.items() for _ in each.bodies]
    return {
        "bodies": ["world", *scene.bodies],
        "joints": [*scene.joints],
        "actuators": forces,
        **(script_names(program, scene) if isinstance(program, ScriptProgram) else {}),
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


def _switches(world: World, *, begins: bool) -> Rows:
    """Settings of actuators by the step before which they apply; with ``begins`` those of the
    beginning alone, as a script does the others."""
    found = [
        each for each in world.actuators.settings_over_time() if not (begins and each.get("step"))
    ]
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


def _channels(scene: Scene, world: World) -> dict[str, Any]:
    """The recorded channels that the engine samples: their names, and codes with owners. A
    variable of the script has the code -1."""
    found = [each for each in resolve_channels(scene, scene.record.channels) if _is_sampled(each)]
    variables = [*scene.state]
    codes = []
    for each in found:
        if each.kind == "state":
            codes.append([-1, variables.index(each.quantity)])
        else:
            codes += world.roster.channel_codes([each]).tolist()
    return {
        "names": [each.name for each in found],
        "units": [each.unit for each in found],
        "codes": codes,
    }


def _is_sampled(channel: Channel) -> bool:
    return not channel.is_sum and channel.kind not in ("camera", "probe")
