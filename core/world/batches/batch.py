# SPDX-License-Identifier: MIT
"""Batch: many worlds of one scene, stepped side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...arguments import checked, one_of, optional, steps_up_to, text, texts, whole
from ...errors import SimulationError, UsageError
from ...record.channels import Channel, resolve_channels
from ...scene import limits
from ...scene.model import Scene
from ..naming.attributes import BatchAttributes
from ..world import World
from .initial_states import MOST_SEED, InitialStates
from .one_by_one import WorldsOneByOne, needs_python
from .worlds import EngineWorlds

Float64 = NDArray[np.float64]

MOST_WORLDS = 1 << 20
_FLOAT64 = np.dtype(np.float64)


class Batch(BatchAttributes):
    """``count`` worlds of one scene, all in its initial state, or each with its own seed.

    Each has the same bits as a ``World`` of its own, for any ``threads`` and ``lanes``. A world
    that stops on an error keeps its state while the others continue; see ``errors``. ``seeds`` are
    as those of ``reset``. The engine steps them all in one call; worlds of a scene with a script,
    fields, motors that begin or end, or a textbook solver are stepped separately, which is slower.

    Attributes:
        scene: the scene.
    """

    @checked(scene=one_of(Scene), count=whole(1, MOST_WORLDS), threads=whole(1, 256), lanes=whole())
    def __init__(
        self,
        scene: Scene,
        count: int,
        *,
        threads: int = 1,
        lanes: int = 0,
        seeds: ArrayLike | None = None,
    ) -> None:
        self.scene = scene
        self._first = World(scene, lanes=lanes)
        kind = WorldsOneByOne if needs_python(self._first) else EngineWorlds
        self._worlds: EngineWorlds | WorldsOneByOne = kind(self._first, count, threads)
        self._readers: dict[tuple[str, ...], Callable[[], Float64]] = {}
        self._writers: dict[tuple[str, ...], Any] = {}
        self._all = np.arange(count, dtype=np.int32)
        self._beginnings = InitialStates(self._first, lanes, self._writer)
        if seeds is not None:
            self.reset(seeds=seeds)

    def __repr__(self) -> str:
        return f"Batch({len(self)} worlds of {self.scene.name!r})"

    def __len__(self) -> int:
        return len(self._all)

    @checked(steps=steps_up_to(limits.STEPS))
    def step(self, steps: int = 1) -> None:
        """Step every world that has not stopped ``steps`` times."""
        self._worlds.step(steps)

    @checked(steps=steps_up_to(limits.STEPS))
    def stepper(self, steps: int = 1) -> Callable[[], None]:
        """A function equal to ``step(steps)``, for use in every step."""
        return partial(self._worlds.step, steps)

    @checked(channels=texts)
    def read(self, channels: Sequence[str]) -> Float64:
        """Return [worlds, channels] the present values of channels, by the names of ``record``.

        The same names give the same array with new values; copy it to keep it.
        """
        return self._reader(tuple(channels))()

    @checked(channels=texts)
    def reader(self, channels: Sequence[str]) -> Callable[[], Float64]:
        """A reader of these channels, equal to ``read``, for use in every step."""
        return self._reader(tuple(channels))

    def _reader(self, names: tuple[str, ...]) -> Callable[[], Float64]:
        reader = self._readers.get(names)
        if reader is None:
            found = resolve_channels(self.scene, names)
            reader = self._worlds.reader(found)
            self._readers[names] = reader
        return reader

    @checked(channels=texts)
    def channel_names(self, channels: Sequence[str]) -> tuple[str, ...]:
        """The columns that ``read`` gives for these names."""
        found: tuple[Channel, ...] = resolve_channels(self.scene, channels)
        return tuple(channel.name for channel in found)

    @checked(settings=texts)
    def write(self, settings: Sequence[str], values: ArrayLike) -> None:
        """Set ``values`` [worlds, numbers], or one row for all worlds, from the next step on.

        Settings are those of ``World.set`` for bodies (``cart.position``, ``.angle``,
        ``.velocity``, ``.angular_velocity``, ``.type`` as 0, 1 or 2 for static, kinematic and
        dynamic, ``.collide`` as 0 or 1), of motors (``hinge.motor.speed``), of actuators
        (``jet.force``, ``jet.enabled``), of the gravity (``world.gravity``) and of pools
        (``world.pools.lake.level``); a point is two numbers, and ``jet.force.x`` one of them.
        Short forms for bodies are ``cart.x``, ``.y``, ``.vx``, ``.vy`` and ``.omega``;
        ``cart.force_x``, ``.force_y`` and ``.torque`` act only in the next step. In worlds that
        are stepped separately ``controls.left`` is whether a key is held. Scene units and
        radians. Raises UsageError for other names, values of another shape, and NaN.
        """
        self._write(self._writer(tuple(settings)), values)

    @checked(settings=texts)
    def writer(self, settings: Sequence[str]) -> Callable[[ArrayLike], None]:
        """A writer of these settings, equal to ``write``, for use in every step."""
        return partial(self._write, self._writer(tuple(settings)))

    @checked(settings=texts, steps=steps_up_to(limits.STEPS), channels=texts)
    def controller(
        self, settings: Sequence[str], steps: int = 1, channels: Sequence[str] = ()
    ) -> Callable[[ArrayLike], Float64]:
        """A function for use in every step: it writes values of these settings, as ``write`` does,
        steps so many times, and reads these channels, as ``read`` does."""
        writer = self._writer(tuple(settings))
        found = resolve_channels(self.scene, tuple(channels))
        control: Any = self._worlds.controller(writer, steps, found)
        return partial(self._control, writer, control)

    def _write(self, writer: Any, values: ArrayLike) -> None:
        self._control(writer, partial(self._worlds.write, self._all, writer), values)

    def _control(self, writer: Any, take: Callable[[Float64], Any], values: ArrayLike) -> Any:
        """Pass a table [worlds, settings] to a function."""
        shape = len(self), writer.width
        try:
            given = _numbers(values)
            if given.shape != shape:
                given = self._spread(given, shape)
            return take(given)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"values for {_count(shape[0], 'world')} and {_count(shape[1], 'setting')}: {error}"
            ) from None

    def _spread(self, given: Float64, shape: tuple[int, int]) -> Float64:
        """A table of this shape from one value, or one row for all worlds."""
        try:
            return np.broadcast_to(given, shape)
        except ValueError:
            raise ValueError(f"need the shape {list(shape)}, not {list(given.shape)}") from None

    @checked(path=text)
    def set(self, path: str, values: ArrayLike) -> None:
        """Set one value, as ``write`` does, to a number for each world, or to one for all.

        Of a point, ``values`` are [worlds, 2], or two numbers for all.
        """
        given = np.asarray(values)
        alone = self._writer((path,)).width == 1 and given.ndim == 1
        self.write([path], given[:, None] if alone else given)

    def _writer(self, names: tuple[str, ...]) -> Any:
        writer = self._writers.get(names)
        if writer is None:
            writer = self._writers[names] = self._worlds.writer(names)
        return writer

    @checked()
    def reset(self, marked: Any = None, seeds: ArrayLike | None = None) -> None:
        """Reset the worlds of a mask [worlds], or all of them, to their start.

        With ``seeds`` [worlds], or one whole number for the first world, counted up for the
        others, each starts with the random numbers of its seed: those of the scene, and the
        start values of its ``task``.
        """
        mask = np.ones(len(self), np.bool_) if marked is None else np.asarray(marked)
        if mask.dtype != np.bool_ or mask.shape != (len(self),):
            raise UsageError(f"the mask must be {len(self)} truth values, one for each world")
        if seeds is None:
            self._worlds.reset(np.flatnonzero(mask))
            return
        chosen = np.flatnonzero(mask)
        self._begin(chosen, _seeds(seeds, len(self))[chosen])

    @checked()
    def begin(self, worlds: ArrayLike, seeds: ArrayLike) -> None:
        """Reset some worlds, by their numbers, each with its seed."""
        chosen = np.asarray(worlds)
        if chosen.ndim != 1 or (len(chosen) and chosen.dtype.kind not in "iu"):
            raise UsageError("the worlds are given by their numbers, as a list")
        if not _below(chosen, len(self)):
            raise UsageError(f"there are {len(self)} worlds; one of these numbers is none of them")
        self._begin(np.ascontiguousarray(chosen, np.intp), _seeds(seeds, len(chosen)))

    @checked()
    def draw_ahead(self, seeds: ArrayLike) -> None:
        """Draw the start values of the task for these seeds in advance.

        One call for many seeds costs little more than one for a few; the results are the same.
        """
        given = np.asarray(seeds)
        self._beginnings.draw_ahead(_seeds(given, given.size))

    def _begin(self, chosen: NDArray[np.intp], drawn: NDArray[np.int64]) -> None:
        beginnings = self._beginnings
        if beginnings.redrawn:
            for index, seed in zip(chosen.tolist(), drawn.tolist(), strict=True):
                self._worlds.put(index, beginnings.layout(seed))
        else:
            self._worlds.reset(chosen)
        writer = beginnings.writer
        if writer is not None and len(chosen):
            self._worlds.write(chosen.astype(np.int32), writer, beginnings.start(drawn))

    @checked(index=whole(0))
    def world(self, index: int) -> World:
        """A separate world in the state of a world of the batch, to inspect, draw or save."""
        if index >= len(self):
            raise UsageError(f"there are {len(self)} worlds; there is none with the number {index}")
        return self._worlds.world(index)

    @checked(index=whole(0), state=one_of(bytes), seed=optional(whole(0, MOST_SEED - 1)))
    def restore(self, index: int, state: bytes, seed: int | None = None) -> None:
        """Bring one world into a state that ``World.save`` gave.

        ``seed`` is that with which the saved world began; None for one that began without a seed.
        Raises UsageError for other bytes, and for a state of another scene.
        """
        if index >= len(self):
            raise UsageError(f"there are {len(self)} worlds; there is none with the number {index}")
        beginnings = self._beginnings
        is_layout = seed is not None and beginnings.redrawn
        first = beginnings.layout(seed or 0) if is_layout else self._first
        first.physics_hash  # noqa: B018 - once, and not in each fork
        world = first.fork()
        world.restore(state)
        self._worlds.put(index, world)

    @checked()
    def outcomes(self) -> list[str]:
        """The outcome of each world's run, as ``World.outcome``."""
        return self._worlds.outcomes()

    @property
    def stopped(self) -> bool:
        """Whether a world has stopped on an error."""
        return self._worlds.stopped

    @checked()
    def errors(self) -> dict[int, SimulationError]:
        """Errors of stopped worlds, by world index."""
        return self._worlds.errors()


def _numbers(values: ArrayLike) -> Float64:
    """Values as numbers. Raises TypeError for texts, also those of numbers."""
    found = np.asarray(values)
    if found.dtype is _FLOAT64 or found.dtype == _FLOAT64:
        return found
    texts = found.dtype.kind in "US" or (
        found.dtype.kind == "O" and any(isinstance(each, (str, bytes)) for each in found.flat)
    )
    if texts:
        raise TypeError("a value must be a number, not a text")
    return found.astype(np.float64)


def _seeds(seeds: ArrayLike, count: int) -> NDArray[np.int64]:
    """One seed for each of so many worlds; of one alone and of those after it."""
    given = np.asarray(seeds)
    if given.ndim == 0 and given.dtype.kind in "iu":
        given = given + np.arange(count)
    if given.shape != (count,) or (count and given.dtype.kind not in "iu"):
        raise UsageError(f"the seeds must be {count} whole numbers, one for each world")
    if not _below(given, MOST_SEED):
        raise UsageError("a seed is a whole number from 0 to 2**48 - 1")
    return given.astype(np.int64, copy=False)


def _below(numbers: NDArray[Any], bound: int) -> bool:
    """Whether whole numbers lie from 0 to below a bound."""
    wrong = (numbers < 0) | (numbers >= bound)
    return not np.count_nonzero(wrong)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
