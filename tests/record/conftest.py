# SPDX-License-Identifier: MIT
"""Scenes made by hand, so that records are tested without the loader and without the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rigid2d.core.record import Trace
from rigid2d.core.scene import model


def plain_scene(**changes: Any) -> model.Scene:
    bodies = {
        "ball": model.Body("ball", points={"nose": (0.5, 0.0)}),
        "box[0,1]": model.Body("box[0,1]"),
    }
    joints = {"hinge": model.Joint("hinge", "revolute", "world", "ball", (0.0, 0.0), (0.0, 0.0))}
    fields: dict[str, Any] = {
        "path": "test.yaml",
        "name": "Test",
        "description": "",
        "tags": (),
        "text": "",
        "identity": "abc",
        "units": model.Units(),
        "vars": {},
        "world": model.World(dt=0.5, steps=4),
        "materials": {},
        "collision": model.Collision(),
        "bodies": bodies,
        "joints": joints,
        "camera": model.Camera(),
        "render": model.Render(),
        "record": model.Record(),
        "expect": (),
    }
    return model.Scene(**{**fields, **changes})


@pytest.fixture
def make_scene() -> Callable[..., model.Scene]:
    return plain_scene


@pytest.fixture
def scene() -> model.Scene:
    return plain_scene()


@pytest.fixture
def trace() -> Trace:
    """Three rows of numbers that are awkward to write: thirds, tiny, huge, negative zero."""
    values = np.array([[1 / 3, -0.0], [1e-300, 0.1 + 0.2], [-1e300, float("nan")]])
    return Trace(
        channels=("ball.x", "box[0,1].y"),
        t=np.array([0.0, 0.5, 1.0]),
        steps=np.array([0, 1, 2]),
        values=values,
        scene_name="Test",
        scene_hash="abc",
        dt=0.5,
        centers={"ball": (0.25, 0.0)},
        removed={"box[0,1]": 2},
        broken={},
        events=[(2, "left_bounds box[0,1]")],
    )
