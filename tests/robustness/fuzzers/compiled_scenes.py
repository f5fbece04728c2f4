# SPDX-License-Identifier: MIT
"""Compiled scenes that were changed, with a digest that is right again.

A case is lines of JSON: which scene, then one change each, of a section, of the file's head or of
a state that was saved. The engine refuses the file in words, or runs it for some steps, saves it
and restores it, or says that its script cannot go on, within limits of time and memory.
"""

from __future__ import annotations

import json
import random
import resource
import struct
import time
from functools import cache
from typing import Any

import rigid2d.core
from rigid2d.core import _native
from rigid2d.core.compiled.compiling import rows_of
from rigid2d.core.compiled.readings import readings_of
from rigid2d.core.scene.text.container import digest, pack

from . import scripted_scenes

SCENES = {
    **scripted_scenes.SCENES,
    "lively": """\
rigid: 1
world: {duration: 10, bounds: [[-20, -5], [20, 20]]}
bodies:
  floor: {type: static, shape: {box: [30, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.3}, position: [0, 2], points: {p: [0, 0.3]}}
  arm: {shape: {box: [1, 0.1]}, position: [-3, 2]}
  car: {shape: {polygon: [[0, 0], [1, 0], [1, 1], [0.5, 0.4]]}, position: [3, 0.3]}
joints:
  hinge: {type: revolute, bodies: [world, arm], anchor: [-3.5, 2],
          motor: {speed: 90, max_torque: 9}}
  link: {type: distance, bodies: [ball, car], spring: {frequency: 2}, break: {force: 40}}
actuators:
  spin: {type: rotary_motor, bodies: [car], speed: 30, max_torque: 4, start: 0.2, until: 0.9}
  jet: {type: thruster, bodies: [arm], force: [0, 3], start: 0.1}
""",
    "wet": """\
rigid: 1
world: {duration: 10, pools: {sea: {region: [[-5, -5], [5, 0]], density: 1}}}
collision: {categories: [a, b], ignore: [[a, b]]}
bodies:
  box: {shape: {box: [1, 1], category: a}}
  ring: {type: static, shape: {chain: [[-4, 0], [-4, -4], [4, -4], [4, 0]]}}
""",
}
STEPS = 5
SCRIPTED_STEPS = 16
SECONDS, MEBIBYTES = 20.0, 1000  # that a damaged scene may take
NUMBERS = (0.0, -1.0, 1.0, 1e15, -1e15, 1e300, float("inf"), float("-inf"), float("nan"), 2e9, 0.5)
WHOLES = (0, 1, -1, 2, 63, 64, 255, 2**31 - 1, -(2**31))
PROGRAMS = ("script", "readings")
_HEAD, _ENTRY, _NAME = 24, 40, 24


@cache
def sections_of(name: str) -> dict[str, bytes]:
    scene = rigid2d.core.loads(SCENES[name])
    sections = rows_of(scene)
    if name in scripted_scenes.SCENES:
        sections["readings"] = readings_of(scene, scripted_scenes.READINGS[name]).data
    return sections


def changed_scene(choose: random.Random) -> bytes:
    """Which scene, and what is changed in it."""
    lines: list[Any] = [{"scene": choose.choice([*SCENES])}]
    for _ in range(choose.choice([1, 1, 2, 4])):
        what = choose.choice(
            ["number", "number", "number", "whole", "byte", "cut", "double", "head", "state"]
            + ["place"] * 6
        )
        lines.append(
            {
                "do": what,
                "section": choose.random(),
                "at": choose.random(),
                "to": choose.randrange(1 << 16),
            }
        )
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


def changed(case: bytes) -> bytes | None:
    """The file of a case; None for a case that is none."""
    first, *changes = [json.loads(line) for line in case.splitlines()] or [{}]
    if first.get("scene") not in SCENES:
        return None
    sections = {**sections_of(first["scene"])}
    heads = []
    for change in changes:
        if change["do"] == "head":
            heads.append(change)
            continue
        if change["do"] == "state":
            continue
        full = [name for name in sections if sections[name] and name != "layout"]
        if change["do"] == "place":
            full = [name for name in full if name in PROGRAMS] or full
        name = full[int(change["section"] * len(full))]
        sections[name] = _edited(sections[name], change)
    file = bytearray(pack(sections))
    for change in heads:
        reach = _HEAD + _ENTRY * len(sections)
        file[16 + int(change["at"] * (reach - 16))] = change["to"] % 256
    body = bytes(file[:-8])
    return body + digest(body)


def _edited(content: bytes, change: dict[str, Any]) -> bytes:
    what, to = change["do"], change["to"]
    at = int(change["at"] * len(content))
    if what == "cut":
        return content[:at]
    if what == "double":
        return content + content
    if what == "byte":
        return content[:at] + bytes([to % 256]) + content[at + 1 :]
    if what == "place":  # of a program, whose numbers are behind each other
        return _with_another_place(content, at, to)
    packed = (
        struct.pack("<d", NUMBERS[to % len(NUMBERS)])
        if what == "number"
        else struct.pack("<i", WHOLES[to % len(WHOLES)])
    )
    at = at // len(packed) * len(packed)
    return content[:at] + packed + content[at + len(packed) :]


def _with_another_place(content: bytes, at: int, to: int) -> bytes:
    if len(content) < 4:
        return content
    at = min(at, len(content) - 4)
    (old,) = struct.unpack_from("<i", content, at)
    new = old + to % 7 - 3 if to % 2 else WHOLES[to % len(WHOLES)]
    return content[:at] + struct.pack("<q", new)[:4] + content[at + 4 :]


def check_changed_scene(case: bytes) -> None:
    """Have the engine read the changed file."""
    content = changed(case)
    if content is None:
        return
    first, *changes = map(json.loads, case.splitlines())
    steps = SCRIPTED_STEPS if first["scene"] in scripted_scenes.SCENES else STEPS
    begun, before = time.process_time(), _peak()
    _run(content, steps, [change for change in changes if change["do"] == "state"])
    seconds, taken = time.process_time() - begun, _peak() - before
    assert seconds < SECONDS, f"it took {seconds:.0f} s"
    assert taken < MEBIBYTES, f"it took {taken:.0f} MiB"


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _run(content: bytes, steps: int, changes: list[dict[str, Any]]) -> None:
    try:
        world = _native.CompiledWorld(content)
    except ValueError:  # which the engine says in words
        return
    _step(world, steps)
    try:
        state = world.save()
    except ValueError:  # with copies that have scripts, of which there are none in pages
        return
    try:
        world.restore(state)
    except ValueError:
        raise AssertionError("a world refuses its own state") from None
    assert world.save() == state, "a state that was saved restores to another one"
    _step(world, steps)
    for change in changes:
        before = world.save()
        try:
            world.restore(_edited(state, {**change, "do": "place"}))
        except ValueError:
            assert world.save() == before, "a refused state has changed the world"
        else:
            _step(world, steps)


def _step(world: _native.CompiledWorld, steps: int) -> None:
    try:
        world.read()
        world.step(steps)
        world.read()
    except RuntimeError:  # the script cannot go on, which is said in words too
        return
