# SPDX-License-Identifier: MIT
"""One scene as an environment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scene.model import Scene
from ..world import World
from ..world.batches.initial_states import MOST_SEED
from .copying import Copied
from .course import Course, WorldPictures, checked_seed, task_scene
from .decisions import Decisions
from .gymnasium_extra import gymnasium
from .rendering import frames_per_second, observation_space, render_mode_of
from .window import Window, has_display

Observation = NDArray[np.float32]
_FIRST = np.zeros(1, np.intp)


class SceneEnv(Copied, gymnasium.Env[Observation, Any]):
    """A scene with a ``task``: observations float32 [observed], actions as the task says.

    Args:
        scene: a file, or a scene that was loaded.
        overrides: as for ``rigid2d.core.load``.
        render_mode: None, ``rgb_array``, or ``human`` for a window.
        size: of pictures, by default the scene's.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["human", "rgb_array"],
        "render_fps": 30,
    }

    def __init__(
        self,
        scene: Scene | str | Path,
        *,
        overrides: Sequence[str] = (),
        render_mode: str | None = None,
        size: tuple[int, int] | None = None,
    ) -> None:
        self.scene = task_scene(scene, overrides)
        self.render_mode = render_mode_of(render_mode, "human", "rgb_array")
        modes = ["human", "rgb_array"] if has_display() else ["rgb_array"]
        self.metadata = {"render_modes": modes, "render_fps": frames_per_second(self.scene)}
        self._size = size
        self._seeded = False
        self._before = 0.0
        self._build()
        self.action_space = self._decisions.space
        self.observation_space = observation_space(self._course)

    def _build(self) -> None:
        self._decisions = Decisions(self.scene)
        self._course = Course(self.scene, self._decisions.settings, 1)
        self._pictures = WorldPictures(self._size)
        self._window: Window | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The next episode, or the first one of a seed."""
        if seed is not None:
            seed = checked_seed(seed)
        super().reset(seed=seed)
        course = self._course
        if seed is not None or not self._seeded:
            self._seeded = True
            course.seed(_FIRST, [int(self.np_random_seed) % MOST_SEED])
        course.begin(_FIRST)
        seen, (_, self._before, _) = course.one(begins=True)
        self._show()
        return seen, {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One step of the task."""
        course = self._course
        read = course.step(self._decisions.one(action))
        course.raise_errors()
        seen, (reward, progress, done) = course.one(read)
        if course.has_progress:
            reward += progress - self._before
            self._before = progress
        steps = course.task.steps
        truncated = steps > 0 and course.one_elapsed() >= steps
        word = course.one_word()
        ends = done != 0.0 or word != ""
        if self.render_mode is not None:
            self._show()
        return seen, reward, ends, truncated, {"outcome": word} if word else {}

    @property
    def world(self) -> World:
        """A separate world in the present state, to look ahead in, to inspect, draw or save."""
        return self._course.batch.world(0)

    def save_state(self) -> bytes:
        """The state of the episode and of the seed's next ones; it continues with the same bits."""
        return self._course.save({"before": self._before, "seeded": self._seeded})

    def restore_state(self, state: bytes) -> Observation | None:
        """Bring the episode into a saved state; the observation there, None before the first one.

        Raises UsageError for other bytes, and for a state of another scene.
        """
        more = self._course.restore(state)
        self._before, self._seeded = more["before"], more["seeded"]
        return self._course.one(begins=True)[0] if self._seeded else None

    def render(self) -> NDArray[np.uint8] | None:
        """[height, width, 3] a picture of now, where the mode is ``rgb_array``."""
        if self.render_mode == "rgb_array":
            return self._pictures.draw(self._course.batch, 0)
        self._show()
        return None

    def _show(self) -> None:
        """Show the present picture, where the mode is ``human``."""
        if self.render_mode != "human":
            return
        if self._window is None:
            self._window = Window(self.scene.name or self.scene.path, self.metadata["render_fps"])
        self._window.show(self._pictures.draw(self._course.batch, 0))

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()
            self._window = None
