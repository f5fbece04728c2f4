# SPDX-License-Identifier: MIT
"""Many worlds of one scene as a vector environment: observations and rewards over arrays."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import shown
from ..errors import SimulationError, UsageError
from ..scene.model import Scene
from ..world import World
from .copying import Copied
from .course import Bools, Course, Float64, WorldPictures, checked_seed, task_scene
from .decisions import Decisions
from .gymnasium_extra import gymnasium
from .rendering import frames_per_second, observation_space, render_mode_of

AutoresetMode = gymnasium.vector.AutoresetMode
Observations = NDArray[np.float32]
Result = tuple[Observations, Float64, Bools, Bools, dict[str, Any]]


class SceneVectorEnv(Copied, gymnasium.vector.VectorEnv[Observations, Any, Any]):
    """``num_envs`` worlds of a scene with a ``task``, stepped by one native call.

    Each has the bits of a ``SceneEnv`` with its seed, for any ``threads``.

    Args:
        scene: a file, or a loaded scene.
        num_envs: the number of worlds.
        overrides: as for ``rigid2d.core.load``.
        threads: the number of stepping threads.
        autoreset_mode: Gymnasium's mode for ended episodes.
        max_episode_steps: instead of the task's ``steps``.
        render_mode: None or ``rgb_array``.
        size: the size of pictures, by default the scene's.
        on_error: ``end``: a world that fails ends its episode, with the error in
            ``info["error"]``, and the others continue; ``raise``: the first error is raised.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012

    def __init__(
        self,
        scene: Scene | str | Path,
        num_envs: int = 1,
        *,
        overrides: Sequence[str] = (),
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        size: tuple[int, int] | None = None,
        on_error: str = "end",
    ) -> None:
        self.scene = task_scene(scene, overrides)
        self.num_envs = num_envs
        self.render_mode = render_mode_of(render_mode, "rgb_array")
        if on_error not in ("end", "raise"):
            raise UsageError(f"on_error is 'end' or 'raise', not {shown(on_error)}")
        self._on_error = on_error
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(mode.value for mode in AutoresetMode)
            raise UsageError(
                f"there is no autoreset mode {autoreset_mode!r}; known: {known}"
            ) from None
        fps = frames_per_second(self.scene)
        self.metadata = {
            **SceneVectorEnv.metadata,
            "render_fps": fps,
            "autoreset_mode": self.autoreset_mode,
        }
        self._threads, self._size = threads, size
        self._ended = np.zeros(num_envs, np.bool_)
        self._before = np.zeros(num_envs)
        self._seeded = self._warned = False
        self._build()
        self._steps = max_episode_steps or self._course.task.steps
        self.single_action_space = self._decisions.space
        self.single_observation_space = observation_space(self._course)
        batched = gymnasium.vector.utils.batch_space
        self.action_space = batched(self.single_action_space, num_envs)
        self.observation_space = batched(self.single_observation_space, num_envs)

    def _build(self) -> None:
        self._decisions = Decisions(self.scene)
        settings = self._decisions.settings
        self._course = Course(self.scene, settings, self.num_envs, threads=self._threads)
        self._pictures = WorldPictures(self._size)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """The next episodes, or the first ones of seeds: one, and those after it for the others.

        ``options["reset_mask"]`` [worlds] says which worlds begin; without it all do.
        """
        mask = self._mask(options)
        if seed is None and not self._seeded:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        self._seeded = True
        if seed is not None:
            self._seed(seed, mask)
        return self._begin(mask), {}

    def _mask(self, options: dict[str, Any] | None) -> Bools:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or not mask.any():
            raise UsageError("options['reset_mask'] is an array of truth values, some of them true")
        if mask.shape != (self.num_envs,):
            raise UsageError(f"options['reset_mask'] must have {self.num_envs} values")
        return mask

    def _seed(self, seed: int | Sequence[int | None], mask: Bools) -> None:
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
            given = [None if each is None else checked_seed(each) for each in seed]
        else:
            first = checked_seed(seed)
            given = [checked_seed(each) for each in range(first, first + self.num_envs)]
            if mask.all():
                super().reset(seed=first)
        if len(given) != self.num_envs:
            raise UsageError(f"{len(given)} seeds are given for {self.num_envs} worlds")
        chosen = [i for i in np.flatnonzero(mask).tolist() if given[i] is not None]
        self._course.seed(np.array(chosen, np.intp), [given[i] or 0 for i in chosen])

    def _begin(self, mask: Bools) -> Observations:
        """Begin episodes; the observations after it."""
        course = self._course
        course.begin(np.flatnonzero(mask))
        self._ended &= ~mask
        now = course.outcome(fresh=np.ones(self.num_envs, np.bool_))
        if course.has_progress:
            self._before = np.where(mask, now.progresses, self._before)
        return now.observations

    def step(self, actions: ArrayLike) -> Result:
        """One step of the task in all worlds; those whose episode ended go by the mode."""
        over = self._ended
        any_over = np.count_nonzero(over) > 0
        if any_over and self.autoreset_mode is AutoresetMode.DISABLED:
            raise UsageError(
                "episodes have ended; with autoreset disabled, reset them by "
                "reset(options={'reset_mask': mask})"
            )
        course = self._course
        values = self._decisions.values(actions, self.num_envs)
        course.step(values)
        if any_over:
            course.begin(over.nonzero()[0])
        now = course.outcome(over if any_over else None)
        if now.errors:
            self._tell(now.errors)
        observations, rewards, ends = now.observations, now.rewards, now.ends
        if course.has_progress:
            rewards += now.progresses - self._before
            self._before = now.progresses
        cut = course.elapsed >= self._steps if self._steps else np.zeros(self.num_envs, np.bool_)
        if any_over:
            rewards[over] = 0.0
            ends &= ~over
            cut &= ~over
        self._ended = ends | cut
        info = self._outcomes() | self._errors(now.errors)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            observations, info = self._begin_again(observations, info)
        return observations, rewards, ends, cut, info

    def _outcomes(self) -> dict[str, Any]:
        """Outcomes of runs, in Gymnasium's form of values that only some worlds have."""
        words = self._course.batch.outcomes() if self._course.has_outcome else []
        if not any(words):
            return {}
        told = np.array([word or None for word in words], object)
        return {"outcome": told, "_outcome": np.array([word != "" for word in words])}

    def _tell(self, errors: Mapping[int, SimulationError]) -> None:
        """Raise the first error, or warn of it once."""
        if self._on_error == "raise":
            self._course.raise_first(errors)
        if not self._warned:
            self._warned = True
            world, error = next(iter(errors.items()))
            warnings.warn(
                f"the episode of world {world} ended by an error, and others may do so; they are "
                f"in info['error']: {error}",
                RuntimeWarning,
                stacklevel=3,
            )

    def _errors(self, errors: Mapping[int, SimulationError]) -> dict[str, Any]:
        """Messages of failed worlds, in the same form as outcomes."""
        if not errors:
            return {}
        told = np.full(self.num_envs, None, object)
        for index, error in errors.items():
            told[index] = str(error)
        return {"error": told, "_error": np.array([each is not None for each in told])}

    def _begin_again(
        self, last: Observations, told: dict[str, Any]
    ) -> tuple[Observations, dict[str, Any]]:
        """Return the first observations of the next episodes, and the last ones of ended episodes
        with their infos ``told``."""
        ended = self._ended.copy()
        final = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(ended).tolist():
            final[index] = last[index].copy()
        first = self._begin(ended)
        info = {
            "final_obs": final,
            "_final_obs": ended,
            "final_info": told,
            "_final_info": ended.copy(),
        }
        return first, info

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of each world, where the mode is ``rgb_array``."""
        if self.render_mode is None:
            return None
        batch = self._course.batch
        return tuple(self._pictures.draw(batch, i) for i in range(self.num_envs))

    def world(self, index: int) -> World:
        """A separate world in the present state of one of them, to look ahead in or to save."""
        return self._course.batch.world(index)

    def save_state(self) -> bytes:
        """The state of all episodes and of their seeds' next ones."""
        return self._course.save(
            {
                "before": self._before.tolist(),
                "ended": self._ended.tolist(),
                "seeded": self._seeded,
            }
        )

    def restore_state(self, state: bytes) -> Observations | None:
        """Bring all episodes into a saved state; the observations there, None before the first.

        Raises UsageError for other bytes, and for a state of another scene or number of worlds.
        """
        more = self._course.restore(state)
        self._before, self._ended = np.array(more["before"]), np.array(more["ended"], np.bool_)
        self._seeded = more["seeded"]
        return self._course.outcome(~self._ended).observations if self._seeded else None
