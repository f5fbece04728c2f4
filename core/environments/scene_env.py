# SPDX-License-Identifier: MIT
"""One scene as an environment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scene.model import Scene
from .course import Course, WorldPictures, task_scene
from .decisions import Decisions
from .gymnasium_extra import gymnasium
from .rendering import frames_per_second, observation_space, render_mode_of

Observation = NDArray[np.float32]
_FIRST = np.zeros(1, np.intp)


class SceneEnv(gymnasium.Env[Observation, Any]):
    """A scene with a ``task``: observations float32 [observed], actions as the task says.

    Args:
        scene: a file, or a scene that was loaded.
        overrides: as for ``rigid.core.load``.
        render_mode: None or ``rgb_array``.
        size: of pictures, by default the scene's.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012

    def __init__(
        self,
        scene: Scene | str | Path,
        *,
        overrides: Sequence[str] = (),
        render_mode: str | None = None,
        size: tuple[int, int] | None = None,
    ) -> None:
        self.scene = task_scene(scene, overrides)
        self.render_mode = render_mode_of(render_mode)
        self.metadata = {**SceneEnv.metadata, "render_fps": frames_per_second(self.scene)}
        self._decisions = Decisions(self.scene)
        self._course = Course(self.scene, self._decisions.settings, 1)
        self.action_space = self._decisions.space
        self.observation_space = observation_space(self._course)
        self._pictures = WorldPictures(size)
        self._seeded = False
        self._before = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The next episode, or the first one of a seed."""
        super().reset(seed=seed)
        course = self._course
        if seed is not None or not self._seeded:
            self._seeded = True
            course.seed(_FIRST, [int(self.np_random_seed)])
        course.begin(_FIRST)
        seen, (_, self._before, _) = course.one(begins=True)
        return seen, {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One step of the task."""
        course = self._course
        course.step(self._decisions.one(action))
        course.raise_errors()
        seen, (reward, progress, done) = course.one()
        if course.has_progress:
            reward += progress - self._before
            self._before = progress
        steps = course.task.steps
        truncated = bool(steps and course.elapsed[0] >= steps)
        word = course.one_word()
        ends = done != 0.0 or word != ""
        return seen, reward, ends, truncated, {"outcome": word} if word else {}

    def render(self) -> NDArray[np.uint8] | None:
        """[height, width, 3] a picture of now, where the mode is ``rgb_array``."""
        return None if self.render_mode is None else self._pictures.draw(self._course.batch, 0)
