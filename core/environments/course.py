# SPDX-License-Identifier: MIT
"""Episodes in many worlds of one scene, by its task."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import shown
from ..errors import SimulationError, UsageError
from ..render import Renderer
from ..scene import load
from ..scene.hashing import physics_hash
from ..scene.model import Scene
from ..scene.task_model import Task
from ..scene.values.expression import compile_expression
from ..scene.values.row_program import RowProgram
from ..scene.values.seeded_arrays import hashes
from ..world import Batch
from ..world.batches.initial_states import MOST_SEED
from ..world.saved import UnfitError, anything, listed, need, parsed, record, text, whole

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
AHEAD = 8
"""Episodes of each world whose beginnings are drawn at once; of few worlds ever more of them."""
MOST_AHEAD = 512
"""Episodes of all worlds up to which these become more."""
MAGIC = b"rigid episodes 1\n"
_DIGEST = 32
_NUMBERS = listed(whole(-1))
_HEADER = record(
    scene=text,
    sizes=listed(whole()),
    seeds=_NUMBERS,
    episodes=_NUMBERS,
    drawn=_NUMBERS,
    elapsed=_NUMBERS,
    more=anything,
)
"""The schema of the header of saved episodes."""


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


def checked_seed(seed: Any) -> int:
    """A seed of episodes. Raises UsageError for anything else."""
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool) and 0 <= seed < MOST_SEED:
        return int(seed)
    raise UsageError(f"a seed is a whole number from 0 to 2**48 - 1, got {shown(seed)}")


def episode_seeds(seeds: NDArray[np.int64], episodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the seeds of episodes, counted from 0, of seeded environments."""
    hashed = hashes(seeds, episodes) % np.uint64(MOST_SEED)
    return np.where(episodes == 0, seeds, hashed.astype(np.int64))


@dataclass(frozen=True, slots=True)
class TaskValues:
    """Values of a task's expressions for each world.

    Attributes:
        observations: [worlds, observed]
        rewards: [worlds] without the increase of the progress.
        progresses: [worlds] the values of ``progress``; 0 without one.
        ends: [worlds] whether an episode ends, by ``done``, an outcome of the run or an error.
        errors: the errors of failed worlds, by their numbers.
    """

    observations: NDArray[np.float32]
    rewards: Float64
    progresses: Float64
    ends: Bools
    errors: Mapping[int, SimulationError]


class Course:
    """Episodes in ``count`` worlds.

    Attributes:
        has_outcome: whether a run may end on its own, which ends an episode.
        has_progress: whether the increase of ``progress`` is a reward.
        low, high: [observed] the bounds of the observations, possibly infinite.
        elapsed: [worlds] steps of the task since each began.
    """

    def __init__(
        self, scene: Scene, settings: Sequence[str], count: int, *, threads: int = 1
    ) -> None:
        assert scene.task is not None
        self.scene = replace(scene, inputs=())  # the learning agent is the player
        self.task: Task = scene.task
        self.batch = Batch(self.scene, count, threads=threads)
        self._settings = settings
        self.elapsed = np.zeros(count, np.int64)
        self._elapsed = self.elapsed.data  # ten times as fast for a single world
        self.has_outcome = self.scene.reacts
        self.has_progress = bool(self.task.progress)
        self._prepare()
        self._decided = np.zeros((count, self._asked[1]))
        self._seeds = np.zeros(count, np.int64)
        self._episodes = np.zeros(count, np.int64)
        self._drawn = np.full(count, -1, np.int64)  # the seeds of the present episodes
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
        # A single world is read in the call that steps it; of many some begin anew before.
        now = read if len(self.batch) == 1 else []
        self._control = self.batch.controller(self._settings, task.repeat, now)
        self._program = RowProgram(compiled, columns, constants)
        asked = sum(name[0] == "$" for name in names)
        self._asked = asked > 0, len(task.act) if asked else 0
        self._results = np.empty((len(self.batch), len(compiled)))
        self.low, self.high = np.array(task.bounds, np.float32).T
        bounded = np.isfinite([self.low, self.high]).any()
        low, high = map(np.ascontiguousarray, (self.low, self.high))
        self._clip = (low, high) if bounded else (None, None)

    # ------------------------------------------------------------ episodes

    def seed(self, chosen: NDArray[np.intp], seeds: Sequence[int]) -> None:
        """Start the next episodes of some worlds from the first episodes of their seeds."""
        for index, seed in zip(chosen.tolist(), seeds, strict=True):
            self._seeds[index] = seed
        self._episodes[chosen] = 0
        self._foreseen[chosen] = 0
        self._ahead = AHEAD

    def begin(self, chosen: NDArray[np.intp]) -> None:
        """Begin the next episodes of some worlds."""
        episodes = self._episodes[chosen]
        left = self._foreseen[chosen] - episodes
        if np.count_nonzero(left <= 0):
            self._look_ahead()
            left = self._foreseen[chosen] - episodes
        seeds = self._coming[chosen, -left]
        self.batch.begin(chosen, seeds)
        self._drawn[chosen] = seeds
        self._episodes[chosen] = episodes + 1
        self.elapsed[chosen] = 0

    def _look_ahead(self) -> None:
        """Draw the seeds of the next episodes of all worlds, and their start values."""
        count, ahead = len(self._episodes), self._ahead
        self._ahead = max(ahead, min(2 * ahead, MOST_AHEAD // count))
        episodes = self._episodes[:, None] + np.arange(ahead)
        seeds = np.repeat(self._seeds, ahead)
        self._coming = episode_seeds(seeds, episodes.reshape(-1)).reshape(count, ahead)
        self._foreseen = self._episodes + ahead
        self.batch.draw_ahead(self._coming.reshape(-1))

    def step(self, values: Float64) -> Float64:
        """Apply the actions, and step all worlds; the channels of a single one."""
        if self._asked[0]:
            self._decided = np.ascontiguousarray(values, np.float64)
        read = self._control(values)
        if len(self._elapsed) == 1:
            self._elapsed[0] += 1
        else:
            self.elapsed += 1
        return read

    def raise_errors(self) -> None:
        """Raise SimulationError where a world has stopped on an error."""
        if self.batch.stopped:
            self.raise_first(self.batch.errors())

    # ------------------------------------------------------------ what comes of it

    def outcome(self, fresh: Bools | None = None) -> TaskValues:
        """Evaluate the task for the worlds as they are now.

        Of the worlds of ``fresh`` [worlds], whose episodes begin, only what is asked of a
        beginning. Raises SimulationError where these lack it; others have failed then.
        """
        results, width = self._results, len(self.task.observe)
        seen = np.empty((len(results), width), np.float32)
        lost = self._evaluate(self._read(), seen)
        errors = self.batch.errors() if self.batch.stopped else {}
        if lost >= 0:
            if fresh is not None and fresh.any():
                self._raise_without_value(fresh, begins=True)
            errors = {**self._without_value(fresh), **errors}
        rewards, progresses = results[:, width].copy(), results[:, -2]
        if self.has_progress or errors:
            progresses = progresses.copy()
        ends: Bools = results[:, -1] != 0.0
        if self.has_outcome:
            ends |= np.array([word != "" for word in self.batch.outcomes()])
        for index in errors:
            # Numbers of a space, that a learner may use without a look at the error.
            row = np.nan_to_num(seen[index], nan=0.0, posinf=0.0, neginf=0.0)
            seen[index] = np.clip(row, self.low, self.high)
            rewards[index], progresses[index], ends[index] = 0.0, 0.0, True
        return TaskValues(seen, rewards, progresses, ends, errors)

    def _evaluate(self, read: Float64, seen: NDArray[np.float32]) -> int:
        """Work out all expressions, and observations; as ``RowProgram.run``."""
        return self._program.run(read, self._decided, self._results, seen, *self._clip)

    def one(
        self, read: Float64 | None = None, *, begins: bool = False
    ) -> tuple[NDArray[np.float32], list[float]]:
        """As ``outcome``, of the first world: its observation; reward, progress and ``done``.

        ``read`` has its channels, if they have been read.
        """
        seen = np.empty((1, len(self.task.observe)), np.float32)
        lost = self._evaluate(self._read() if read is None else read, seen)
        if lost >= 0:
            self._raise_without_value(begins=begins)
        found: list[float] = self._results[0].tolist()
        return seen[0], found[-3:]

    def one_elapsed(self) -> int:
        """Steps of the first world's episode."""
        return self._elapsed[0]

    def one_word(self) -> str:
        """Outcome of the first world's run."""
        return self.batch.outcomes()[0] if self.has_outcome else ""

    def raise_first(self, errors: Mapping[int, SimulationError]) -> None:
        """Raise the first of some errors of worlds, which names its world."""
        for world, error in errors.items():
            if world in self.batch.errors():
                raise SimulationError(f"world {world}: {error}", error.step)
            raise error

    def _raise_without_value(self, among: Bools | None = None, *, begins: bool) -> None:
        """Raise SimulationError for the first part of the task that a world lacks."""
        for column in self._asked_columns(begins):
            lacks = ~np.isfinite(self._results[:, column])
            if among is not None:
                lacks &= among
            if lacks.any():
                raise self._lacking(column, int(np.argmax(lacks)))

    def _without_value(self, fresh: Bools | None) -> dict[int, SimulationError]:
        """The worlds that lack a part of the task, and the first such part of each."""
        found: dict[int, SimulationError] = {}
        for column in self._asked_columns(False):
            lacks = ~np.isfinite(self._results[:, column])
            if fresh is not None:
                lacks &= ~fresh
            for world in np.flatnonzero(lacks).tolist():
                found.setdefault(world, self._lacking(column, world))
        return found

    def _asked_columns(self, begins: bool) -> list[int]:
        """The columns of the results, but for those that are not asked of a beginning."""
        return [*range(len(self.task.observe)), *((-2,) if begins else (-3, -2, -1))]

    def _lacking(self, column: int, world: int) -> SimulationError:
        task = self.task
        words = {-3: "the reward", -2: "the progress", -1: "`done`"}
        name = {-3: "reward", -2: "progress", -1: "done"}.get(column, f"observe[{column}]")
        source = task.observe[column] if column >= 0 else getattr(task, name)
        place = task.places.get(name, self.scene.path)
        return SimulationError(
            f"{place}: task.{name}: {words.get(column, 'an observation')} of the task has no value "
            f"in world {world}: `={source}` gives {self._results[world, column]:g}",
            int(self.elapsed[world]) * task.repeat,
        )

    # ------------------------------------------------------------ saving

    def save(self, more: Mapping[str, Any]) -> bytes:
        """The state of all worlds and episodes; ``more`` is plain data of the caller."""
        worlds = [self.batch.world(index).save() for index in range(len(self.batch))]
        header = {
            "scene": self._hash,
            "sizes": [len(each) for each in worlds],
            "seeds": self._seeds.tolist(),
            "episodes": self._episodes.tolist(),
            "drawn": self._drawn.tolist(),
            "elapsed": self.elapsed.tolist(),
            "more": more,
        }
        body = b"".join([MAGIC, json.dumps(header).encode(), b"\n", *worlds])
        return body + sha256(body).digest()

    def restore(self, state: bytes) -> dict[str, Any]:
        """Bring all worlds into a saved state; what the caller added to it.

        Raises UsageError for other bytes, and then changes nothing.
        """
        header, packed = self._opened(state)
        for index, (size, drawn) in enumerate(zip(header["sizes"], header["drawn"], strict=True)):
            self.batch.restore(index, packed[:size], drawn if drawn >= 0 else None)
            packed = packed[size:]
        self._seeds[:], self._episodes[:] = header["seeds"], header["episodes"]
        self._drawn[:], self.elapsed[:] = header["drawn"], header["elapsed"]
        self._foreseen[:] = 0
        more: dict[str, Any] = header["more"]
        return more

    @cached_property
    def _hash(self) -> str:
        return physics_hash(self.scene)

    def _opened(self, state: bytes) -> tuple[dict[str, Any], bytes]:
        """The header and the worlds' states of saved episodes. Raises UsageError for others."""
        if not isinstance(state, bytes) or not state.startswith(MAGIC):
            raise UsageError(f"these are no bytes that `save_state` gave: {shown(state)}")
        body, digest = state[:-_DIGEST], state[-_DIGEST:]
        if sha256(body).digest() != digest:
            raise UsageError("the state is damaged: it is not what `save_state` gave")
        line, _, packed = body[len(MAGIC) :].partition(b"\n")
        try:
            header: dict[str, Any] = parsed(line)
            _HEADER(header, "header")
            for name in ("seeds", "episodes", "drawn", "elapsed"):
                need(len(header[name]) == len(header["sizes"]), name, "is not one for each world")
            need(sum(header["sizes"]) == len(packed), "sizes", "are not those of the worlds")
        except UnfitError as error:
            raise UsageError(f"the state does not fit: {error}") from None
        if header["scene"] != self._hash:
            raise UsageError(
                f"the state is not of this scene, or of another version of it ({self.scene.path})"
            )
        there, here = len(header["sizes"]), len(self.batch)
        if there != here:
            raise UsageError(f"the state is of {there} worlds; here there are {here}")
        return header, packed


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
