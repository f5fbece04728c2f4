# SPDX-License-Identifier: MIT
"""Recorded players of other files: ``--inputs`` with what was played, written anew or damaged."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from rigid2d.core import load
from rigid2d.core.errors import SceneError

from .mutation import changed_text
from .playing import RECORD
from .scene_check import check_problems, outcome
from .schema_values import a_value, schema
from .values import anything, number

FILE = "recordings.yaml"
SCENE = """\
rigid: 1
vars: {n: 2}
world: {steps: 30}
state: {score: 0}
prototypes: {crate: {bodies: {box: {shape: {box: [0.4, 0.4]}}}}}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  b0: {shape: {box: [1, 1]}, position: [0, 0.5]}
  b1: {shape: {circle: 0.5}, position: [4, 0.5]}
joints: {j0: {type: revolute, bodies: [floor, b0], motor: {speed: 90, max_torque: 50}}}
actuators: {jet: {type: thruster, body: b1, force: [0, 12]}}
animations: {way: {type: manual, duration: 0.2, tracks: {j0.motor.speed: [[0, 0], [1, 90]]}}}
controls:
  up: jet
  down: {set: {b1.gravity_scale: 2}, on_release: {b1.gravity_scale: 1}}
  left: way.backward
  space: {do: [{spawn: {use: crate, at: [2, 3]}}], every: 0.1}
"""
KEYS = ["up", "down", "left", "space"]
STEPS = 30


def recording(choose: random.Random) -> bytes:
    """A list of what is done, now and then with letters changed."""
    entries = [_entry(choose) for _ in range(choose.choice([0, 1, 3, 8]))]
    given: Any = entries if choose.random() < 0.7 else {"rigid": 1, "inputs": entries}
    if choose.random() < 0.05:
        given = anything(choose)
    text = yaml.safe_dump(given, allow_unicode=True, default_flow_style=None, sort_keys=False)
    data = text.encode("utf-8", "surrogatepass")
    return changed_text(choose, data) if choose.random() < 0.4 else data


@cache
def _form() -> dict[str, Any]:
    found: dict[str, Any] = schema()["$defs"]["InputModel"]
    return found


def _entry(choose: random.Random) -> dict[str, Any]:
    start = choose.choice([0, 0.05, 0.1, 0.3])
    entry: dict[str, Any] = choose.choice(
        [
            {"key": choose.choice(KEYS), "from": start, "to": start + 0.1},
            {"key": choose.choice(KEYS), "from": start},
            {"drag": choose.choice(["b0", "b1"]), "from": start, "path": _path(choose, start)},
            {"at": start, "set": {"b1.gravity_scale": number(choose)}},
            {"at": start, "set": {"world.gravity": [number(choose), 0], "j0.motor.speed": 9}},
            {"at": start, "do": [{"spawn": {"use": "crate", "at": [choose.uniform(-5, 5), 3]}}]},
        ]
    )
    if choose.random() < 0.15:
        return {key: a_value(choose, form, key) for key, form in _some(choose)}
    if choose.random() < 0.2:
        key, form = _some(choose)[0]
        entry[key] = a_value(choose, form, key)
    return entry


def _some(choose: random.Random) -> list[tuple[str, dict[str, Any]]]:
    fields = [*_form()["properties"].items()]
    return choose.sample(fields, choose.choice([1, 2, 4]))


def _path(choose: random.Random, start: float) -> list[list[float]]:
    return [[start + i * 0.1, choose.uniform(-9, 9), number(choose)] for i in range(3)]


def check_recording(case: bytes) -> None:
    """Errors with the recording's own name and line; or a run of the same bits twice."""
    Path(FILE).write_text(SCENE)
    Path(RECORD).write_bytes(case)
    try:
        scene = load(FILE, inputs=RECORD)
    except SceneError as error:
        check_problems(error, RECORD)
        return
    runs = [outcome(scene, STEPS, threads=threads, lanes=1) for threads in (1, 1, 2)]
    assert all(run == runs[0] for run in runs), "runs differ"
