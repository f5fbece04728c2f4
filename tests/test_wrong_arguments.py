# SPDX-License-Identifier: MIT
"""Wrong arguments of the Python API end in an error of rigid's own, that says what is right."""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core import Recorder, Scene, Trace, World
from rigid2d.core.errors import RigidError, UsageError
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Target
from rigid2d.core.record import (
    CsvWriter,
    compare_snapshots,
    frames_of_trace,
    read_npz,
    read_snapshot,
    resolve_channels,
    write_csv,
    write_npz,
    write_snapshot,
)
from rigid2d.core.record.peaks import PeakRecorder, unbreakable
from rigid2d.core.render import Renderer, open_encoder, render
from rigid2d.core.scene import expand
from rigid2d.core.scene.model import Spring
from rigid2d.core.world import check_snapshot, frame_times, take_snapshot

from tests.rows import every_row

TEXT = """
rigid: 1
world: {duration: 0.1}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 0.4], points: {top: [0, 0.5]}}
  sign: {shape: {box: [1, 0.2]}, position: [-3, 3]}
joints:
  hinge: {type: revolute, bodies: [world, sign], anchor: [-3.5, 3], limits: [-90, 90],
          motor: {speed: 0, max_torque: 50}}
  glue: {type: distance, bodies: [world, ball], anchor: [0, 5], spring: {frequency: 1}}
  hand: {type: mouse, body: ball, max_force: 5}
actuators:
  jet: {type: thruster, body: ball, force: [0, 5]}
"""


class Hostile:
    """Something that no function can do anything with."""

    def __repr__(self) -> str:
        raise ValueError("no text for this")


WRONG: list[Any] = [
    *(None, True, False, 0, 1, -1, 2**70, 1.5, -0.5, math.nan, math.inf, -math.inf, 1j),
    *(
        "",
        "ball",
        "nothing",
        "\x00",
        "a" * 200,
        "ball.x",
        "1",
        b"",
        b"ball",
        b"\xff",
        bytearray(b"x"),
    ),
    *((), [], {}, set(), (1,), (1, 2), (1, 2, 3), [[1, 2], [3, 4]], ["ball"], [None], ("a", "b")),
    *({"a": 1}, {1: 2, 3: 4}, object(), object, len, range(3), Decimal("1.5"), Hostile()),
    *(
        np.float32(2),
        np.int64(3),
        np.array([1.0, 2.0]),
        np.array([[1]]),
        np.array(["a"]),
        np.bool_(1),
    ),
    *(Path("nowhere/at/all"), 10**400, Spring(stiffness=1.0), iter([1, 2])),
]


@pytest.fixture(scope="module")
def scene() -> Scene:
    return rigid2d.core.loads(TEXT)


def public(
    scene: Scene, folder: Path
) -> dict[str, Callable[[], tuple[Any, list[Any], dict[str, Any]]]]:
    """Each public function with arguments that it takes: (function, by place, by name)."""
    world = rigid2d.core.build(scene)
    world.step()
    trace = rigid2d.core.simulate(scene)
    taken = take_snapshot(scene)
    snapshot, npz = folder / "good.snapshot", folder / "good.npz"
    write_snapshot(snapshot, taken)
    write_npz(npz, trace)
    ball, hinge = world["ball"], world.joint("hinge")
    glue, hand, jet = world.joint("glue"), world.joint("hand"), world.actuator("jet")
    frame, new = world.frame(), folder / "new"

    def put(owner: Any, name: str) -> Callable[[Any], None]:
        return lambda value: setattr(owner, name, value)

    def drain(frames: Any) -> None:
        for _ in frames:
            pass

    return {
        "load": (rigid2d.core.load, [folder / "s.yaml"], {"overrides": [], "assets": None}),
        "loads": (
            rigid2d.core.loads,
            [TEXT],
            {"path": "x", "overrides": [], "folder": None, "assets": None},
        ),
        "expand": (expand, [scene], {}),
        "build": (rigid2d.core.build, [scene], {"threads": 1, "lanes": 0}),
        "World": (World, [scene], {"threads": 1, "lanes": 0}),
        "step": (world.step, [1], {}),
        "world[]": (world.__getitem__, ["ball"], {}),
        "joint": (world.joint, ["hinge"], {}),
        "actuator": (world.actuator, ["jet"], {}),
        "set": (world.set, ["ball.position", (0, 1)], {}),
        "set limits": (lambda value: world.set("hinge.limits", value), [(-1, 1)], {}),
        "set target": (lambda value: world.set("hand.target", value), [(-1, 1)], {}),
        "remove": (world.remove, ["gone"], {}),
        "ray_cast": (world.query.ray_cast, [(0, 5), (0, -5)], {"categories": None}),
        "overlap_box": (world.query.overlap_box, [(0, 0), (1, 1)], {"categories": None}),
        "overlap_circle": (world.query.overlap_circle, [(0, 0), 1], {"categories": None}),
        "overlap_point": (world.query.overlap_point, [(0, 0)], {"categories": None}),
        "enable_contacts": (world.events.enable_contacts, [True], {}),
        "frame": (world.frame, [True], {"time": 0.0}),
        **{
            f"ball.{name}": (put(ball, name), [value], {})
            for name, value in [
                ("position", (0, 1)),
                ("angle", 1),
                ("velocity", (0, 1)),
                ("angular_velocity", 1),
                ("awake", True),
            ]
        },
        "world_point": (ball.world_point, [(0, 1)], {}),
        "point": (ball.point, ["top"], {}),
        "apply_force": (ball.apply_force, [(0, 1)], {"at": (0, 0)}),
        "apply_torque": (ball.apply_torque, [1], {}),
        "apply_impulse": (ball.apply_impulse, [(0, 1)], {"at": (0, 0)}),
        "apply_angular_impulse": (ball.apply_angular_impulse, [1], {}),
        "set_motor": (
            hinge.set_motor,
            [],
            {"speed": 1, "position": None, "max_force": None, "max_torque": 1, "enabled": True},
        ),
        "set_limits": (hinge.set_limits, [-1, 1], {}),
        "set_spring": (glue.set_spring, [Spring(stiffness=5.0)], {}),
        "set_target": (hand.set_target, [(0, 1)], {}),
        "jet.enabled": (put(jet, "enabled"), [True], {}),
        "jet.set": (jet.set, ["force", (0, 1)], {}),
        "frame_times": (frame_times, [scene], {"steps": 3, "fps": 30}),
        "run": (
            lambda *a, **k: drain(rigid2d.core.run(*a, **k)),
            [scene],
            {"steps": 2, "threads": 1, "lanes": 0, "fps": 30, "times": None, "on_progress": None}
            | {"want_contacts": False, "recorder": None},
        ),
        "simulate": (
            rigid2d.core.simulate,
            [scene],
            {"threads": 1, "lanes": 0, "steps": 2, "recorder": None, "on_progress": None},
        ),
        "take_snapshot": (take_snapshot, [scene], {"at": [1], "steps": 2, "threads": 1}),
        "check_snapshot": (check_snapshot, [scene, snapshot], {"tolerance": 0.0}),
        "Recorder": (
            Recorder,
            [scene],
            {"steps": 2, "trace": True, "csv": None, "csv_layout": "wide", "check": True}
            | {"checkpoints": [1]},
        ),
        "PeakRecorder": (PeakRecorder, [scene], {"joints": ["hinge"], "steps": 2}),
        "unbreakable": (unbreakable, [scene], {}),
        "trace[]": (trace.__getitem__, ["ball"], {}),
        "trace in": (trace.__contains__, ["ball"], {}),
        "trace.channel": (trace.channel, ["ball.x"], {}),
        "series[]": (trace["ball"].__getitem__, ["x"], {}),
        "trace.save": (trace.save, [new], {}),
        "Trace.load": (Trace.load, [npz], {}),
        "frames_of_trace": (
            lambda *a, **k: drain(frames_of_trace(*a, **k)),
            [scene, trace],
            {"times": [0.0]},
        ),
        "read_npz": (read_npz, [npz], {}),
        "write_npz": (write_npz, [new, trace], {}),
        "write_csv": (write_csv, [new, trace], {"layout": "wide"}),
        "CsvWriter": (lambda *a: CsvWriter(*a).abort(), [new, ["ball.x"], "wide"], {}),
        "read_snapshot": (read_snapshot, [snapshot], {}),
        "write_snapshot": (write_snapshot, [new, taken], {}),
        "compare_snapshots": (compare_snapshots, [taken, taken], {"tolerance": 0.0}),
        "resolve_channels": (resolve_channels, [scene, ["ball"]], {}),
        "Renderer": (
            Renderer,
            [scene],
            {"size": (32, 32), "overlays": [], "theme": "light", "fps": 30, "supersample": 1}
            | {"survey": None},
        ),
        "draw": (Renderer(scene, size=(32, 32)).draw, [frame], {}),
        "render": (render, [scene, [], []], {"size": (32, 32), "fps": 30, "survey": None}),
        "open_encoder": (
            lambda *a: open_encoder(*a).abort(),
            [folder / "a.gif", "gif", 30, (32, 32)],
            {},
        ),
        "produce": (produce, [scene, [Target("npz", new)]], {"steps": 2}),
    }


def calls(scene: Scene, folder: Path) -> Iterator[tuple[str, int | str, Callable[[Any], None]]]:
    """For each parameter of each function: their names, and a call with another value for it."""

    def with_place(function: Any, args: list[Any], kwargs: dict[str, Any], i: int) -> Any:
        return lambda value: function(*args[:i], value, *args[i + 1 :], **kwargs)

    def with_name(function: Any, args: list[Any], kwargs: dict[str, Any], name: str) -> Any:
        return lambda value: function(*args, **{**kwargs, name: value})

    for name, (function, args, kwargs) in public(scene, folder).items():
        for i in range(len(args)):
            yield name, i, with_place(function, args, kwargs, i)
        for keyword in kwargs:
            yield name, keyword, with_name(function, args, kwargs, keyword)


def test_wrong_values_end_in_errors_of_rigid_only(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    choose = random.Random(20)
    foreign = []
    for name, parameter, call in calls(scene, tmp_path):
        for value in choose.sample(WRONG, 24):
            if callable(value) and parameter == "on_progress":
                continue
            try:
                with contextlib.suppress(RigidError):
                    call(value)
            except Exception as error:
                kind = type(value).__name__
                foreign.append(f"{name}, {parameter}, {kind}: {type(error).__name__}: {error}")
    assert foreign == []


def test_what_is_right_is_taken(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(TEXT)
    for name, (function, args, kwargs) in public(scene, tmp_path).items():
        if name not in ("remove", "render"):
            function(*args, **kwargs)


@every_row(
    ("call", "words"),
    [
        (lambda scene: rigid2d.core.loads(TEXT, overrides="a=1"), r"a list of texts: \['a=1'\]"),
        (
            lambda scene: rigid2d.core.loads({}),
            r"text should be the text of a scene, not a mapping.*json\.dumps",
        ),
        (lambda scene: rigid2d.core.load(5), r"path should be the name of a file, not 5 \(int\)"),
        (lambda scene: rigid2d.core.build(TEXT), "scene should be a Scene, not "),
        (
            lambda scene: rigid2d.core.build(scene).step(1.5),
            "steps should be a whole number of steps, each of the scene's .world.dt., not 1.5",
        ),
        (lambda scene: rigid2d.core.build(scene).step(-1), "steps must not be negative, got -1"),
        (lambda scene: rigid2d.core.build(scene).step(10**9), "steps must be at most 10000000"),
        (lambda scene: rigid2d.core.build(scene)[3], r"name should be a text, not 3 \(int\)"),
        (
            lambda scene: rigid2d.core.build(scene).query.overlap_point(
                (0, 0), categories="default"
            ),
            r"categories should be a list of texts: \['default'\]",
        ),
        (lambda scene: rigid2d.core.run(scene, times=3), "times should be a list, not 3"),
        (lambda scene: Renderer(scene, size=640), "size should be a list, not 640"),
        (lambda scene: Renderer(scene, fps=1000), "above 0 and at most 240"),
    ],
)
def test_the_error_says_what_would_be_right(
    scene: Scene, call: Callable[[Scene], Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        call(scene)


def test_bytes_in_utf_8_are_a_scene() -> None:
    assert (
        rigid2d.core.loads(b"rigid: 1\nname: \xc3\xa4\nbodies: {b: {shape: {circle: 1}}}").name
        == "ä"
    )
    with pytest.raises(rigid2d.core.SceneError, match="not UTF-8 text"):
        rigid2d.core.loads(b"rigid: 1\nname: \xff")
    with pytest.raises(rigid2d.core.SceneError, match="empty"):
        rigid2d.core.loads(b"")
