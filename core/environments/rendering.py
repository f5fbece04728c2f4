# SPDX-License-Identifier: MIT
"""Render modes and frame rates, shared by both kinds of environments."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import shown
from ..errors import UsageError
from ..scene.model import Scene
from .course import Course
from .gymnasium_extra import gymnasium


def render_mode_of(given: str | None, *known: str) -> str | None:
    """Checked: None or one of the known ones."""
    if given is not None and given not in known:
        words = " or ".join(["None", *map(repr, known)])
        raise UsageError(f"render_mode is {words}, not {shown(given)}")
    return given


def frames_per_second(scene: Scene) -> int:
    """Steps of the task per second, at least 1."""
    repeat = 1 if scene.task is None else scene.task.repeat
    return max(1, round(scene.units.time_per_second / (scene.world.dt * repeat)))


def observation_space(course: Course) -> Any:
    """Numbers in the bounds of each observation."""
    return gymnasium.spaces.Box(course.low, course.high, dtype=np.float32)
