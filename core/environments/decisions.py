# SPDX-License-Identifier: MIT
"""Action spaces of a task, and their actions as settings of the worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from ..scene.model import Scene
from .gymnasium_extra import gymnasium

spaces = gymnasium.spaces
Float64 = NDArray[np.float64]


class Decisions:
    """The actions of a task.

    Attributes:
        space: the action space of one world.
        settings: names of the set values for ``Batch.write``.
    """

    def __init__(self, scene: Scene) -> None:
        task = scene.task
        assert task is not None
        self.space: Any
        self.settings: list[str] = [action.path for action in task.act]
        self._table: Float64 | None = None  # [choices, settings], of one choice for all
        self._tables: list[Float64] = []  # [choices] of each setting
        if task.keys:
            self.settings, self._table = _of_keys(scene, task.keys)
            self.space = spaces.Discrete(len(self._table))
        elif not task.act[0].choices:
            self._low = np.array([action.low for action in task.act])
            self._high = np.array([action.high for action in task.act])
            low, high = self._low.astype(np.float32), self._high.astype(np.float32)
            if task.normalize:
                self._middle, self._half = (
                    (self._low + self._high) / 2,
                    (self._high - self._low) / 2,
                )
                low, high = -np.ones_like(low), np.ones_like(high)
            self._normalized = task.normalize
            self.space = spaces.Box(low, high, dtype=np.float32)
        else:
            self._tables = [np.array(action.choices, np.float64) for action in task.act]
            if len(self._tables) == 1:
                self._table = self._tables[0][:, None]
                self.space = spaces.Discrete(len(self._table))
            else:
                self.space = spaces.MultiDiscrete([len(table) for table in self._tables])

    def one(self, action: Any) -> Float64:
        """[1, settings] the values of one world's action."""
        table = self._table
        if table is not None and isinstance(action, (int, np.integer)):
            if not 0 <= action < len(table):
                raise UsageError(f"action {action}: {_choices(len(table))}")
            chosen: Float64 = table[action : action + 1]
            return chosen
        return self._values(_array(action)[None], 1, one=True)

    def values(self, actions: ArrayLike, count: int) -> Float64:
        """[worlds, settings] the values of actions [worlds, ...], clipped to their ranges."""
        return self._values(_array(actions), count, one=False)

    def _values(self, given: NDArray[Any], count: int, *, one: bool) -> Float64:
        """As ``values``; ``one``: an action of one world was given, not an array of actions."""
        if self._table is not None:
            table = self._table
            chosen: Float64 = table[self._chosen(given, (count,), [len(table)], one)]
            return chosen
        if self._tables:
            shape = (count, len(self._tables))
            chosen = self._chosen(given, shape, [len(each) for each in self._tables], one)
            columns = zip(self._tables, chosen.T, strict=True)
            return np.stack([table[column] for table, column in columns], axis=1)
        shape = (count, len(self._low))
        if given.shape != shape or given.dtype.kind not in "fiu":
            raise self._wrong_form(given, shape, "numbers", one)
        if np.isnan(given).any():
            raise UsageError("a value of an action is NaN; it must be a number")
        if self._normalized:
            given = self._middle + self._half * np.asarray(given, np.float64)
        kept: Float64 = np.minimum(np.maximum(given, self._low), self._high, dtype=np.float64)
        return kept

    def _chosen(
        self, given: NDArray[Any], shape: tuple[int, ...], counts: Sequence[int], one: bool
    ) -> NDArray[Any]:
        if given.shape != shape or given.dtype.kind not in "iu":
            raise self._wrong_form(given, shape, "whole numbers", one)
        most = np.array(counts) if len(shape) > 1 else counts[0]
        wrong = (given < 0) | (given >= most)
        if np.count_nonzero(wrong):
            first = int(np.argmax(wrong))
            most = np.broadcast_to(most, shape).flat[first]
            raise UsageError(f"action {given.flat[first]}: {_choices(int(most))}")
        return given

    def _wrong_form(
        self, given: NDArray[Any], shape: tuple[int, ...], numbers: str, one: bool
    ) -> UsageError:
        """The error for actions of another shape or kind; of one world without its axis."""
        settings = self.settings if len(shape) > 1 else []
        wanted = list(shape[1:]) if one else list(shape)
        kind = (
            f"numbers of the type {given.dtype}" if given.dtype.kind in "biuf" else "other values"
        )
        got_shape = list(given.shape[1:] if one else given.shape)
        got = f"{kind}, of the shape {got_shape}" if got_shape else f"one of {kind}"
        subject = "the action must be" if one else f"the actions of {shape[0]} worlds must be"
        form = f"{numbers} of the shape {wanted}" if wanted else "one whole number"
        named = f" ({', '.join(settings)})" if settings else ", the index of a choice"
        return UsageError(f"{subject} {form}{named}, not {got}")


def _of_keys(scene: Scene, choices: Sequence[Sequence[str]]) -> tuple[list[str], Float64]:
    """Settings of chosen keys, and their values [choices, settings]."""
    keys = list(dict.fromkeys(key for choice in choices for key in choice))
    if not all(scene.controls[key].only_holds for key in keys):
        return (
            [f"controls.{key}" for key in keys],
            np.array([[float(key in choice) for key in keys] for choice in choices]),
        )
    held = [{name for key in choice for name in scene.controls[key].holds} for choice in choices]
    actuators = [name for name in scene.actuators if any(name in each for each in held)]
    rows = [[float(name in each) for name in actuators] for each in held]
    return [f"{name}.enabled" for name in actuators], np.array(rows)


def _choices(count: int) -> str:
    return f"is none of the {count} choices, which are numbered from 0 to {count - 1}"


def _array(actions: ArrayLike) -> NDArray[Any]:
    """Actions as an array. Raises UsageError for lists of different lengths."""
    try:
        return np.asarray(actions)
    except ValueError:
        raise UsageError(
            "the actions must be an array; these lists have different lengths"
        ) from None
