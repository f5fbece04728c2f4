# SPDX-License-Identifier: MIT
"""Episodes in many worlds of one scene, by its task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import SimulationError, UsageError
from ..render import Renderer
from ..scene import load
from ..scene.model import Scene
from ..scene.task_model import Task
from ..scene.values.expression import compile_expression
from ..scene.values.row_program import RowProgram
from ..scene.values.seeded_arrays import hashes
from ..world import Batch
from ..world.batches.initial_states import MOST_SEED

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
AHEAD = 8
"""Episodes of each world whose beginnings are drawn at once; of few worlds ever more of them."""
MOST_AHEAD = 512
"""Episodes of all worlds up to which these become more."""
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the expressions of a task give for each world.

    Attributes:
        observations: [worlds, observed]
        rewards: [worlds] without the increase of the progress.
        progresses: [worlds] the values of ``progress``; 0 without one.
        ends: [worlds] whether an episode ends, by ``done`` or an outcome of the run.
    """

    observations: NDArray[np.float32]
    rewards: Float64
    progresses: Float64
    ends: Bools


class Course:
    """Episodes in ``count`` worlds.

    Attributes:
        has_outcome: whether a run may end on its own, which ends an episode.
        has_progress: whether the increase of ``progress`` is a reward.
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
        self._step = self.batch.stepper(self.task.repeat)
        self.elapsed = np.zeros(count, np.int64)
        self.has_outcome = self.scene.reacts
        self.has_progress = bool(self.task.progress)
        self._prepare()
        self._decided = np.zeros((count, self._asked[1]))
        self._seeds = np.zeros(count, np.int64)
        self._large: dict[int, int] = {}  # the seeds of worlds that are no numbers of 64 bits
        self._episodes = np.zeros(count, np.int64)
        # The seeds of the next episodes of each world, and the first that is not among them.
        self._ahead = AHEAD
        self._coming = np.zeros((count, AHEAD), np.int64)
        self._foreseen = np.zeros(count, np.int64)

    def _prepare(self) -> None:
        """Compile the expressions of the task over the channels and the actions of all worlds."""
        task, scene = self.task, self.scene
        last = (task.reward, task.progress or "0", task.done or "0")
        compiled = [compile_expression(source) for source in (*task.observe, *last)]
        names = dict.fromkeys(name for each in compiled for name in sorted(each.names))
        constants = {name: scene.vars[name] for name in names if name in scene.vars}
        read = [name for name in names if name not in constants and name[0] != "$"]
        columns = {name: (0, column) for column, name in enumerate(read)}
        for column, action in enumerate(task.act):
            columns[f"${action.path}"] = 1, column
        self._read = self.batch.reader(read)
        self._program = RowProgram(compiled, columns, constants)
        asked = sum(name[0] == "$" for name in names)
        self._asked = asked > 0, len(task.act) if asked else 0
        self._results = np.empty((len(self.batch), len(compiled)))

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
        self._ahead = AHEAD

    def begin(self, chosen: NDArray[np.intp]) -> None:
        """Begin the next episodes of some worlds."""
        episodes = self._episodes[chosen]
        if (episodes >= self._foreseen[chosen]).any():
            self._look_ahead()
        places = episodes - self._foreseen[chosen] + self._coming.shape[1]
        self.batch.begin(chosen, self._coming[chosen, places])
        self._episodes[chosen] += 1
        self.elapsed[chosen] = 0

    def _look_ahead(self) -> None:
        """Draw the seeds of the next episodes of all worlds, and their start values."""
        count, ahead = len(self._episodes), self._ahead
        self._ahead = max(ahead, min(2 * ahead, MOST_AHEAD // count))
        episodes = self._episodes[:, None] + np.arange(ahead)
        seeds = np.repeat(self._seeds, ahead)
        self._coming = episode_seeds(seeds, episodes.reshape(-1)).reshape(count, ahead)
        for index, seed in self._large.items():
            self._coming[index] = [episode_seed(seed, each) for each in episodes[index].tolist()]
        self._foreseen = self._episodes + ahead
        self.batch.draw_ahead(self._coming.reshape(-1))

    def step(self, values: Float64) -> None:
        """Apply the actions, and step all worlds."""
        self._set(values)
        if self._asked[0]:
            self._decided = np.ascontiguousarray(values, np.float64)
        self._step()
        self.elapsed += 1

    def raise_errors(self) -> None:
        """Raise SimulationError where a world has stopped on an error."""
        if self.batch.stopped:
            world, error = next(iter(self.batch.errors().items()))
            raise SimulationError(f"world {world}: {error}", error.step)

    # ------------------------------------------------------------ what comes of it

    def outcome(self, *, begins: bool = False) -> Outcome:
        """What the task says of the worlds now; ``begins``: only what is asked of a beginning."""
        results, width = self._results, len(self.task.observe)
        seen = np.empty((len(results), width), np.float32)
        lost = self._program.run(self._read(), self._decided, results, seen)
        if lost >= 0:
            self._raise_without_value(begins)
        ends: Bools = results[:, -1] != 0.0
        if self.has_outcome and not begins:
            ends |= np.array([word != "" for word in self.batch.outcomes()])
        return Outcome(seen, results[:, width].copy(), results[:, -2].copy(), ends)

    def one(self, *, begins: bool = False) -> tuple[NDArray[np.float32], list[float]]:
        """As ``outcome``, of the first world: its observation; reward, progress and ``done``."""
        seen = np.empty((1, len(self.task.observe)), np.float32)
        lost = self._program.run(self._read(), self._decided, self._results, seen)
        if lost >= 0:
            self._raise_without_value(begins)
        found: list[float] = self._results[0].tolist()
        return seen[0], found[-3:]

    def one_word(self) -> str:
        """Outcome of the first world's run."""
        return self.batch.outcomes()[0] if self.has_outcome else ""

    def _raise_without_value(self, begins: bool) -> None:
        """Raise SimulationError for the first part of the task that a world lacks."""
        asked = [*range(len(self.task.observe)), -3, -2, -1]
        if begins:
            asked.remove(-3)
            asked.remove(-1)
        words = {-3: "the reward", -2: "the progress", -1: "`done`"}
        for column in asked:
            lacks = ~np.isfinite(self._results[:, column])
            if lacks.any():
                world = int(np.argmax(lacks))
                raise SimulationError(
                    f"{self.scene.path}: {words.get(column, 'an observation')} of the task has no "
                    f"value in world {world}",
                    int(self.elapsed[world]) * self.task.repeat,
                )


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
