# SPDX-License-Identifier: MIT
"""Sessions of the Python API: calls in any order, on two worlds that must stay alike.

A case is the scene's text, a line ``---``, then a call a line as JSON: ``[owner, what, ...]``.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import rigid2d.core
from rigid2d.core import Recorder, Scene, SceneError, World
from rigid2d.core._native import lanes_supported
from rigid2d.core.errors import RigidError
from rigid2d.core.record import frames_of_trace, resolve_channels
from rigid2d.core.scene.model import Spring
from rigid2d.core.world import check_snapshot, take_snapshot

from .scene_check import BORN, born, said
from .scene_grammar import BODIES, a_scene
from .values import anything, number

SEPARATOR = b"---\n"
STEPS = 8
EVERYTHING = b"""\
rigid: 1
world: {steps: 30, bounds: [[-30, -30], [30, 30]]}
bodies:
  b0: {shape: {circle: 0.5}, position: [0, 2], points: {p: [0, 0.5]}}
  b1: {shape: {box: [2, 0.3]}, position: [-3, 3]}
  b2: {shape: {box: [1, 1]}, position: [0.1, 0.5], restitution: 0.5}
  b3: {type: kinematic, shape: {box: [1, 0.2]}, position: [4, 1], angular_velocity: 90}
  b4: {shapes: [{circle: 0.2}, {box: [1, 0.1], sensor: true}], position: [2, 4], bullet: true}
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
joints:
  j0: {type: revolute, bodies: [world, b1], limits: [-90, 90], motor: {speed: 9, max_torque: 50}}
  j1: {type: distance, bodies: [b1, b4], spring: {frequency: 2}, break: {force: 100}}
  j2: {type: mouse, body: b0, max_force: 50}
  j3: {type: prismatic, bodies: [world, b2], limits: [-1, 1], motor: {position: 0.5}}
actuators:
  a0: {type: thruster, body: b0, force: [0, 5]}
  a1: {type: rotary_motor, body: b4, speed: 90, max_torque: 1}
"""
"""A scene with one of everything that can be set."""

NEW = [f"n[{i}]" for i in range(12)]
NEW_JOINTS = [f"k{i}" for i in range(8)]
"""Names of what is added, each once."""

SETTINGS = [
    *("position", "angle", "velocity", "angular_velocity", "awake", "motor.speed", "limits"),
    *("motor.position", "motor.max_force", "motor.max_torque", "motor.enabled", "target"),
    *("enabled", "force", "torque", "speed", "max_torque", "friction", "max_force", "impulse", "x"),
]
ARRAYS = ["x", "y", "angle", "vx", "vy", "omega", "alive", "awake", "centers"]
READ = [*(f"bodies.{name}" for name in ARRAYS), "time", "step_count"]
ASKED = ["query.contacts", "events.take", "energy", "statistics", "bodies.push_pull", "bodies.pose"]
ASKED += ["frame", "state_hash"]
OF_BODY = ["position", "velocity", "mass", "inertia", "center_of_mass", "alive", "definition"]
OF_JOINT = ["force", "torque", "angle", "length", "translation", "speed", "motor_force", "broken"]


def session(choose: random.Random) -> bytes:
    """A scene and what to do with it."""
    scene = EVERYTHING if choose.random() < 0.6 else a_scene(choose)
    lines = [json.dumps(_call(choose)).encode() + b"\n" for _ in range(choose.choice([3, 10, 25]))]
    return scene + SEPARATOR + b"".join(lines)


def check_session(case: bytes) -> None:
    """Do it with one thread and with two, and compare after every call."""
    text, _, calls = case.partition(SEPARATOR)
    try:
        scene = rigid2d.core.loads(text, path="fuzz.yaml")
        worlds = [
            rigid2d.core.build(scene, lanes=1),
            rigid2d.core.build(scene, threads=2, lanes=max(lanes_supported())),
        ]
    except (SceneError, RigidError):
        return
    if born(scene, 60) > BORN:  # in every step that is asked for, and in states that are copied
        return
    for line in calls.decode().splitlines():
        call = json.loads(line)
        told = [_outcome(world, scene, call) for world in worlds]
        assert told[0] == told[1], f"{call} gives {told}"
    hashes = {world.state_hash() for world in worlds}
    assert len(hashes) == 1, "the worlds came apart"


def _outcome(world: World, scene: Scene, call: list[Any]) -> tuple[Any, ...]:
    """What a call gives, as far as it can be compared."""
    owner, what, *given = call
    try:
        value = DEEDS[owner](world, scene, what, [_argument(each) for each in given])
    except RigidError as error:
        return said(error)
    return "fine", value, world.native.state_hash()


def _argument(value: Any) -> Any:
    if isinstance(value, dict) and "spring" in value:
        return Spring(**value["spring"])
    return value


# ---------------------------------------------------------------- what can be done


def _on_world(world: World, scene: Scene, what: str, given: list[Any]) -> Any:
    attribute = attrgetter(what)(world)
    value = attribute(*given) if callable(attribute) else attribute
    return None if what == "statistics" else repr(value)


def _on_body(world: World, scene: Scene, what: str, given: list[Any]) -> Any:
    name, *rest = given
    return _on_handle(world[name], what, rest)


def _on_joint(world: World, scene: Scene, what: str, given: list[Any]) -> Any:
    name, *rest = given
    handle = world.joint(name)
    if what == "set_motor":
        return repr(handle.set_motor(**rest[0])) if isinstance(rest[0], dict) else None
    return _on_handle(handle, what, rest)


def _on_handle(handle: Any, what: str, given: list[Any]) -> Any:
    if what.startswith("="):
        setattr(handle, what[1:], given[0])
        return None
    attribute = getattr(handle, what)
    return repr(attribute(*given) if callable(attribute) else attribute)


def _whole_run(world: World, scene: Scene, what: str, given: list[Any]) -> Any:
    steps = given[0]
    if what == "simulate":
        trace = rigid2d.core.simulate(scene, steps=steps)
        Path("t.npz").unlink(missing_ok=True)
        trace.save("t.npz")
        assert rigid2d.core.Trace.load("t.npz").values.tobytes() == trace.values.tobytes()
        return trace.values.tobytes()
    if what == "run":
        recorder = Recorder(scene, steps=steps, trace=True, check=False, csv="t.csv")
        frames = rigid2d.core.run(scene, steps=steps, fps=20, recorder=recorder, want_contacts=True)
        poses = [frame.pose.tobytes() for frame in frames]
        list(frames_of_trace(scene, recorder.trace))
        return poses
    if what == "broken off":
        next(iter(rigid2d.core.run(scene, steps=steps)), None)
        return None
    rigid2d.core.record.write_snapshot("s.snapshot", take_snapshot(scene, steps=steps))
    assert check_snapshot(scene, "s.snapshot") is None, "a snapshot of another run"
    return resolve_channels(scene, ["world"])


def _state(world: World, scene: Scene, what: str, given: list[Any]) -> Any:
    """Saving, restoring and forking change nothing, wherever a world goes on."""
    steps = given[0]
    if what == "again":
        before = world.save()
        world.restore(before)
        assert world.save() == before, "another state than was restored"
        return before
    if what == "batch":
        batch = rigid2d.core.Batch(scene, 3)
        batch.step(steps)
        assert batch.world(0).save() == batch.world(2).save(), "worlds of a batch differ"
        return [str(error) for error in batch.errors().values()]
    other, fork = World(scene, lanes=1), world.fork()
    other.restore(world.save())
    ends = [_end(each, steps) for each in (other, fork)]
    assert ends[0] == ends[1], "a restored world and a fork came apart"
    return ends[0]


def _birth(world: World, scene: Scene, what: str, given: list[Any]) -> Any:
    """Add and remove; what is refused changes nothing."""
    if what == "remove":
        return world.remove(*given)
    before = world.save()
    try:
        return list(world.add(*given))
    except RigidError:
        assert world.save() == before, "a fragment that was refused has changed something"
        raise


def _end(world: World, steps: int) -> Any:
    try:
        world.step(steps)
    except RigidError as error:
        return said(error)
    return world.save()


DEEDS: dict[str, Callable[[World, Scene, str, list[Any]], Any]] = {
    "world": _on_world,
    "body": _on_body,
    "joint": _on_joint,
    "run": _whole_run,
    "state": _state,
    "birth": _birth,
}


# ---------------------------------------------------------------- making calls


def _call(choose: random.Random) -> list[Any]:
    call = choose.choice(
        [_step, _set, _set, _of_body, _of_body, _of_joint, _question, _run, _saving, _add, _remove]
    )(choose)
    if choose.random() < 0.08 and len(call) > 2:
        call[choose.randrange(2, len(call))] = anything(choose)
    return call


def _step(choose: random.Random) -> list[Any]:
    return ["world", "step", choose.choice([0, 1, 1, 3, STEPS])]


def _name(choose: random.Random) -> str:
    there = [*BODIES, *BODIES, "floor", "j0", "j1", "j2", "j3", "a0", "a1", "world"]
    return choose.choice([*there, *NEW, *NEW_JOINTS])


def _add(choose: random.Random) -> list[Any]:
    """Some bodies, and joints and actuators of these or of others; a part of it may be nonsense."""
    bodies = {
        name: choose.choice(
            [
                {"shape": {"circle": choose.uniform(0.1, 0.6)}, "bullet": choose.random() < 0.2},
                {"shape": {"box": [choose.uniform(0.2, 2), 0.3]}, "density": 2},
                {"shape": {"polygon": [[0, 0], [1, 0], [1, 1], [0.5, 0.2]]}, "awake": False},
                {"type": "static", "shape": {"chain": [[-2, 0], [-1, 0.1], [0, 0], [1, 0.1]]}},
                {"type": "kinematic", "shape": {"capsule": [[0, 0], [1, 0]], "radius": 0.2}},
            ]
        )
        | {"position": _pair(choose), "points": {"p": [0.1, 0]}}
        for name in choose.sample(NEW, choose.choice([0, 1, 1, 2]))
    }
    pair = [choose.choice([*BODIES, *NEW, "world"]) for _ in "ab"]
    kinds = ["revolute", "distance", "weld", "prismatic", "wheel"]
    joint = {"type": choose.choice(kinds), "bodies": pair}
    push = {"type": "force", "body": pair[1], "force": _pair(choose)}
    fragment: dict[str, Any] = {"bodies": bodies}
    if choose.random() < 0.6:
        fragment["joints"] = {choose.choice(NEW_JOINTS): joint}
    if choose.random() < 0.3:
        fragment["actuators"] = {choose.choice(NEW_JOINTS): push}
    if choose.random() < 0.1:
        fragment[choose.choice(["bodies", "joints", "vars"])] = anything(choose)
    return ["birth", "add", fragment]


def _remove(choose: random.Random) -> list[Any]:
    return ["birth", "remove", _name(choose)]


def _value(choose: random.Random) -> Any:
    return choose.choice([number(choose), _pair(choose), _pair(choose), True, False, 0.5])


def _pair(choose: random.Random) -> list[float]:
    if choose.random() < 0.1:
        return [number(choose), number(choose)]
    return [choose.uniform(-5, 5), choose.uniform(-5, 5)]


def _set(choose: random.Random) -> list[Any]:
    return ["world", "set", f"{_name(choose)}.{choose.choice(SETTINGS)}", _value(choose)]


def _of_body(choose: random.Random) -> list[Any]:
    name = choose.choice([*BODIES, "floor", *NEW])
    call = choose.choice(
        [
            ["=position", _pair(choose)],
            ["=angle", number(choose)],
            ["=velocity", _pair(choose)],
            ["=angular_velocity", number(choose)],
            ["=awake", choose.random() < 0.5],
            ["apply_force", _pair(choose), _pair(choose)],
            ["apply_torque", number(choose)],
            ["apply_impulse", _pair(choose)],
            ["apply_angular_impulse", choose.uniform(-5, 5)],
            ["world_point", _pair(choose)],
            ["point", "p"],
            [choose.choice(OF_BODY)],
            *([["remove"]] if choose.random() < 0.2 else []),
        ]
    )
    return ["body", call[0], name, *call[1:]]


def _of_joint(choose: random.Random) -> list[Any]:
    name = choose.choice(["j0", "j1", "j2", "j3"])
    low = choose.uniform(-2, 1)
    motor = {
        "speed": number(choose),
        "position": choose.random(),
        "max_force": choose.choice([0, 10, math.inf]),
        "max_torque": choose.choice([0, 10, math.inf, -1]),
        "enabled": choose.random() < 0.5,
    }
    call = choose.choice(
        [
            ["set_motor", dict(choose.sample([*motor.items()], choose.randint(1, 2)))],
            ["set_limits", low, choose.choice([low, low + 1, math.inf, number(choose)])],
            ["set_target", _pair(choose)],
            ["set_spring", {"spring": {"frequency": 10 ** choose.uniform(-3, 6)}}],
            ["set_spring", {"spring": {"stiffness": number(choose), "damping": 1.0}}],
            [choose.choice(OF_JOINT)],
            *([["remove"]] if choose.random() < 0.2 else []),
        ]
    )
    return ["joint", call[0], name, *call[1:]]


def _question(choose: random.Random) -> list[Any]:
    call = choose.choice(
        [
            ["query.ray_cast", _pair(choose), _pair(choose)],
            ["query.overlap_box", _pair(choose), _pair(choose)],
            ["query.overlap_circle", _pair(choose), number(choose)],
            ["query.overlap_point", _pair(choose), choose.choice([None, ["default"], ["none"]])],
            ["events.enable_contacts", choose.random() < 0.7],
            [choose.choice(READ)],
            [choose.choice(ASKED)],
        ]
    )
    return ["world", *call]


def _saving(choose: random.Random) -> list[Any]:
    return ["state", choose.choice(["again", "elsewhere", "batch"]), choose.choice([0, 1, 5, 20])]


def _run(choose: random.Random) -> list[Any]:
    if choose.random() < 0.7:
        return _step(choose)
    return [
        "run",
        choose.choice(["simulate", "run", "broken off", "snapshot"]),
        choose.randint(0, 20),
    ]
