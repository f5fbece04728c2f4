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
_NO_CHOICE = "an action is not one of the choices; they count from 0"


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
                raise UsageError(_NO_CHOICE)
            chosen: Float64 = table[action : action + 1]
            return chosen
        return self.values(np.asarray(action)[None], 1)

    def values(self, actions: ArrayLike, count: int) -> Float64:
        """[worlds, settings] the values of actions [worlds, ...], clipped to their ranges."""
        given = np.asarray(actions)
        if self._table is not None:
            table = self._table
            chosen: Float64 = table[self._chosen(given, (count,), len(table))]
            return chosen
        if self._tables:
            shape = (count, len(self._tables))
            chosen = self._chosen(given, shape, np.array([len(each) for each in self._tables]))
            columns = zip(self._tables, chosen.T, strict=True)
            return np.stack([table[column] for table, column in columns], axis=1)
        shape = (count, len(self._low))
        if given.shape != shape or given.dtype.kind not in "fiu":
            raise UsageError(f"the actions must be numbers {list(shape)}, got {_what(given)}")
        if np.isnan(given).any():
            raise UsageError("an action is not a number")
        if self._normalized:
            given = self._middle + self._half * np.asarray(given, np.float64)
        kept: Float64 = np.minimum(np.maximum(given, self._low), self._high, dtype=np.float64)
        return kept

    def _chosen(self, given: NDArray[Any], shape: tuple[int, ...], counts: Any) -> NDArray[Any]:
        if given.shape != shape or given.dtype.kind not in "iu":
            raise UsageError(f"the actions must be whole numbers {list(shape)}, got {_what(given)}")
        if (given < 0).any() or (given >= counts).any():
            raise UsageError(_NO_CHOICE)
        return given


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


def _what(given: NDArray[Any]) -> str:
    return f"{given.dtype} {list(given.shape)}"
