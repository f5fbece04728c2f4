# SPDX-License-Identifier: MIT
"""Episodes in many worlds of one scene, by its task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import SimulationError, UsageError
from ..render import Renderer
from ..scene import load
from ..scene.model import Scene
from ..scene.task_model import Task
from ..scene.values.array_expression import over_arrays
from ..scene.values.expression import Expression, ExpressionError, compile_expression
from ..scene.values.seeded_arrays import hashes
from ..world import Batch
from ..world.batches.initial_states import MOST_SEED

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
AHEAD = 8
"""Episodes of each world whose beginnings are drawn at once."""
_LARGEST = int(np.iinfo(np.int64).max)


def task_scene(given: Scene | str | Path, overrides: Sequence[str]) -> Scene:
    """A scene that has a task, from a file or as it is."""
    if isinstance(given, Scene):
        if overrides:
            raise UsageError("overrides are for the file of a scene; this one is loaded already")
        scene = given
    else:
        scene = load(given, overrides)
    if scene.task is None:
        raise UsageError(f"{scene.path}: it has no `task`, which says what is seen and done")
    return scene


def episode_seed(seed: int, episode: int) -> int:
    """Return the seed of an episode, counted from 0, of a seeded environment."""
    if episode == 0:
        return seed % MOST_SEED
    digest = blake2b(f"{seed}|{episode}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") % MOST_SEED


def episode_seeds(seeds: NDArray[np.int64], episodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """``episode_seed`` of many."""
    hashed = hashes(seeds, episodes) % np.uint64(MOST_SEED)
    return np.where(episodes == 0, seeds % MOST_SEED, hashed.astype(np.int64))


class Course:
    """Episodes in ``count`` worlds.

    Attributes:
        read: the channels that are read after each step; ``settings`` are set before it.
        has_outcome: whether a run may end on its own, which ends an episode.
        elapsed: [worlds] steps of the task since each began.
    """

    def __init__(
        self, scene: Scene, settings: Sequence[str], count: int, *, threads: int = 1
    ) -> None:
        assert scene.task is not None
        self.scene = replace(scene, inputs=())  # the learning agent is the player
        self.task: Task = scene.task
        self.batch = Batch(self.scene, count, threads=threads)
        self._set = self.batch.writer(settings)
        self.elapsed = np.zeros(count, np.int64)
        self.seen = [compile_expression(source) for source in self.task.observe]
        self.reward = compile_expression(self.task.reward)
        self.progress = _compiled(self.task.progress)
        self.done = _compiled(self.task.done)
        used = [*self.seen, self.reward, self.progress, self.done]
        names = dict.fromkeys(name for each in used if each for name in sorted(each.names))
        self.constants = {name: scene.vars[name] for name in names if name in scene.vars}
        self.read = [name for name in names if name not in self.constants and name[0] != "$"]
        self._read = self.batch.reader(self.read)
        self._look()
        self.has_outcome = self.scene.reacts
        self.dones = [f"${action.path}" for action in self.task.act]
        self._seeds = np.zeros(count, np.int64)
        self._large: dict[int, int] = {}  # the seeds of worlds that are no numbers of 64 bits
        self._episodes = np.zeros(count, np.int64)
        # The seeds of the next episodes of each world, and the first that is not among them.
        self._coming = np.zeros((count, AHEAD), np.int64)
        self._foreseen = np.zeros(count, np.int64)
        self._values = self._read()

    def _look(self) -> None:
        """Build the evaluation of observations, rewards and ends of all worlds."""
        columns = {name: i for i, name in enumerate(self.read)}
        plain = [source for source in self.task.observe if source in columns]
        self.plain = None
        if len(plain) == len(self.task.observe):
            self.plain = np.array([columns[source] for source in plain], np.intp)
        self._see = [over_arrays(each) for each in self.seen]
        self._reward = over_arrays(self.reward)
        self._progress = None if self.progress is None else over_arrays(self.progress)
        self._done = None if self.done is None else over_arrays(self.done)

    # ------------------------------------------------------------ episodes

    def seed(self, chosen: NDArray[np.intp], seeds: Sequence[int]) -> None:
        """Start the next episodes of some worlds from the first episodes of their seeds."""
        for index, seed in zip(chosen.tolist(), seeds, strict=True):
            if seed < 0:
                raise UsageError(f"a seed is a whole number of 0 or more, got {seed}")
            self._large.pop(index, None)
            if seed > _LARGEST:
                self._large[index] = seed
            self._seeds[index] = min(seed, _LARGEST)
        self._episodes[chosen] = 0
        self._foreseen[chosen] = 0

    def begin(self, chosen: NDArray[np.intp]) -> None:
        """Begin the next episodes of some worlds."""
        episodes = self._episodes[chosen]
        if (episodes >= self._foreseen[chosen]).any():
            self._look_ahead()
        places = episodes - self._foreseen[chosen] + AHEAD
        self.batch.begin(chosen, self._coming[chosen, places])
        self._episodes[chosen] += 1
        self.elapsed[chosen] = 0

    def _look_ahead(self) -> None:
        """Draw the seeds of the next episodes of all worlds, and their start values."""
        count = len(self._episodes)
        episodes = self._episodes[:, None] + np.arange(AHEAD)
        seeds = np.repeat(self._seeds, AHEAD)
        self._coming = episode_seeds(seeds, episodes.reshape(-1)).reshape(count, AHEAD)
        for index, seed in self._large.items():
            self._coming[index] = [episode_seed(seed, each) for each in episodes[index].tolist()]
        self._foreseen = self._episodes + AHEAD
        self.batch.draw_ahead(self._coming.reshape(-1))

    def step(self, values: Float64) -> None:
        """Apply the actions, and step all worlds."""
        self._set(values)
        self.batch.step(self.task.repeat)
        self.elapsed += 1

    def raise_errors(self) -> None:
        """Raise SimulationError where a world has stopped on an error."""
        if self.batch.stopped:
            world, error = next(iter(self.batch.errors().items()))
            raise SimulationError(f"world {world}: {error}", error.step)

    # ------------------------------------------------------------ what comes of it

    def channels(self) -> dict[str, Any]:
        """The channels' values now, [worlds] each."""
        self._values = self._read()
        return {**self.constants, **dict(zip(self.read, self._values.T, strict=True))}

    def observations(self, channels: dict[str, Any]) -> NDArray[np.float32]:
        """[worlds, observed], of channels that were read last."""
        if self.plain is not None:
            return self._values.astype(np.float32)[:, self.plain]
        out = np.empty((len(self.batch), len(self._see)), np.float32)
        with np.errstate(all="ignore"):
            for column, see in zip(out.T, self._see, strict=True):
                column[:] = see(channels)
        self._check(out, "an observation")
        return out

    def progresses(self, channels: dict[str, Any]) -> Float64:
        """[worlds] the values of ``progress``, whose increase is a reward; 0 without one."""
        return self._worked_out(self._progress, channels, "the progress")

    def rewards(self, channels: dict[str, Any], decided: Float64 | None) -> Float64:
        """[worlds] the rewards of a step in which ``decided`` [worlds, actions] was done."""
        if decided is not None:
            channels = {**channels, **dict(zip(self.dones, decided.T, strict=True))}
        return self._worked_out(self._reward, channels, "the reward")

    def ends(self, channels: dict[str, Any]) -> Bools:
        """[worlds] whether an episode ends by an outcome."""
        ends: Bools = self._worked_out(self._done, channels, "`done`") != 0.0
        if self.has_outcome:
            ends |= np.array([word != "" for word in self.batch.outcomes()])
        return ends

    # ------------------------------------------------------------ the same of one world alone

    def one(self) -> dict[str, Any]:
        """The channels' values of the first world."""
        values = self._read()[0].tolist()
        return {**self.constants, **dict(zip(self.read, values, strict=True))}

    def one_observation(self, channels: dict[str, Any]) -> NDArray[np.float32]:
        """[observed]"""
        seen = [self._one(each, channels, "an observation") for each in self.seen]
        return np.array(seen, np.float32)

    def one_progress(self, channels: dict[str, Any]) -> float:
        """As ``progresses``."""
        return self._one(self.progress, channels, "the progress")

    def one_reward(self, channels: dict[str, Any], decided: Sequence[float]) -> float:
        """As ``rewards``."""
        if self.dones:
            channels = {**channels, **dict(zip(self.dones, decided, strict=True))}
        return self._one(self.reward, channels, "the reward")

    def one_end(self, channels: dict[str, Any]) -> bool:
        """As ``ends``."""
        return bool(self._one(self.done, channels, "`done`")) or self.one_outcome() != ""

    def one_outcome(self) -> str:
        """Outcome of the first world's run."""
        return self.batch.outcomes()[0] if self.has_outcome else ""

    def _one(self, expression: Expression | None, channels: dict[str, Any], what: str) -> float:
        if expression is None:
            return 0.0
        try:
            return float(expression.evaluate(channels))
        except ExpressionError:
            raise self._without_value(what, 0) from None

    def _worked_out(self, function: Any, channels: dict[str, Any], what: str) -> Float64:
        out = np.zeros(len(self.batch))
        if function is not None:
            with np.errstate(all="ignore"):
                out[:] = function(channels)
            self._check(out, what)
        return out

    def _check(self, values: NDArray[Any], what: str) -> None:
        if not np.isfinite(values).all():
            world = int(np.argwhere(~np.isfinite(values))[0][0])
            raise self._without_value(what, world)

    def _without_value(self, what: str, world: int) -> SimulationError:
        return SimulationError(
            f"{self.scene.path}: {what} of the task has no value in world {world}",
            int(self.elapsed[world]) * self.task.repeat,
        )


def _compiled(source: str) -> Expression | None:
    return compile_expression(source) if source else None


class WorldPictures:
    """Draws worlds of a batch, each with the layout that it has."""

    def __init__(self, size: tuple[int, int] | None) -> None:
        self._size = size
        self._renderer: Renderer | None = None

    def draw(self, batch: Batch, index: int) -> NDArray[np.uint8]:
        """[height, width, 3] one world, now."""
        world = batch.world(index)
        scene = world.roster.scene  # the frame lists spawned bodies
        if self._renderer is None or self._renderer.scene is not scene:
            self._renderer = Renderer(scene, size=self._size or scene.render.size)
        return self._renderer.draw(world.frame())
