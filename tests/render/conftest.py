# SPDX-License-Identifier: MIT
"""Scenes and frames made by hand, so that pictures are tested without loader and engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core.record.frame import Frame
from rigid2d.core.scene import model


def box(width: float, height: float, **fields: Any) -> model.Shape:
    x, y = 0.5 * width, 0.5 * height
    return model.Shape("polygon", ((-x, -y), (x, -y), (x, y), (-x, y)), source="box", **fields)


def disc(radius: float, **fields: Any) -> model.Shape:
    return model.Shape("circle", ((0.0, 0.0),), radius=radius, **fields)


def make_scene(
    bodies: Mapping[str, model.Body] | None = None,
    joints: Mapping[str, model.Joint] | None = None,
    **changes: Any,
) -> model.Scene:
    if bodies is None:
        bodies = {
            "ground": model.Body("ground", "static", (box(8.0, 0.5),), (0.0, -0.25)),
            "ball": model.Body("ball", "dynamic", (disc(0.5),), (-1.0, 2.0)),
            "crate": model.Body("crate", "dynamic", (box(1.0, 1.0),), (1.0, 1.5), 0.3),
        }
    fields: dict[str, Any] = {
        "path": "test.yaml",
        "name": "Test",
        "description": "",
        "tags": (),
        "text": "",
        "units": model.Units(),
        "vars": {},
        "world": model.World(),
        "materials": {},
        "collision": model.Collision(),
        "bodies": bodies,
        "joints": joints or {},
        "camera": model.Camera(),
        "render": model.Render(size=(160, 120)),
        "record": model.Record(),
        "expect": (),
    }
    return model.Scene(**{**fields, **changes})


def make_frame(scene: model.Scene, time: float = 0.0, **changes: Any) -> Frame:
    bodies, count = list(scene.bodies.values()), len(scene.bodies)
    fields: dict[str, Any] = {
        "time": time,
        "step": 0,
        "pose": np.array([[*b.position, b.angle] for b in bodies], float).reshape(-1, 3),
        "velocity": np.array([[*b.velocity, 0.0] for b in bodies], float).reshape(-1, 3),
        "center": np.zeros((count, 2)),
        "alive": np.ones(count, bool),
        "awake": np.ones(count, bool),
        "joint_broken": np.zeros(len(scene.joints), bool),
        "joint_force": np.zeros((len(scene.joints), 3)),
    }
    return Frame(**{**fields, **changes})


def moving_frames(scene: model.Scene, count: int, fps: float = 30.0) -> Iterator[Frame]:
    """Every body but the first goes to the right and turns."""
    for i in range(count):
        frame = make_frame(scene, i / fps)
        frame.pose[1:, 0] += 0.05 * i
        frame.pose[1:, 2] += 0.1 * i
        yield frame


@pytest.fixture
def scene() -> model.Scene:
    return make_scene()


@pytest.fixture
def scene_of() -> Callable[..., model.Scene]:
    return make_scene


@pytest.fixture
def frame_of() -> Callable[..., Frame]:
    return make_frame


@pytest.fixture
def frames_of() -> Callable[..., Iterator[Frame]]:
    return moving_frames


@pytest.fixture
def shapes() -> dict[str, Callable[..., model.Shape]]:
    return {"box": box, "disc": disc}


@pytest.fixture
def leftovers() -> Callable[[Path], list[str]]:
    """Names of half-written files in a folder."""
    return lambda folder: [path.name for path in folder.rglob("*") if path.name.endswith(".part")]
