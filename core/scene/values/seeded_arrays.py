# SPDX-License-Identifier: MIT
"""The random numbers of ``seeded`` for many seeds or paths at once, with the same bits as alone.

``seeds`` are those of all rows, which have one path, or one seed and a list of their paths.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from . import seeded
from .functions import FUNCTIONS
from .row_program import over_rows

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]
Seeds = Int64 | int
Paths = str | list[str]


def hashes(*numbers: Int64, tail: str = "") -> NDArray[np.uint64]:
    """[rows] the hash of each row's numbers with ``|`` between them, and ``tail`` behind them."""
    table = numbers[0][:, None] if len(numbers) == 1 else np.stack(numbers, axis=1)
    return _native.hash_rows(table, tail)


def _bits(seeds: Seeds, path: Paths, call: int, draw: int = 0) -> NDArray[np.uint64]:
    if isinstance(seeds, int):
        return _native.hash_texts(list(path), f"{seeds}|", f"|{call}|{draw}")
    return hashes(seeds, tail=f"|{path}|{call}|{draw}")


def _units(seeds: Seeds, path: Paths, call: int, draw: int = 0) -> Float64:
    upper = (_bits(seeds, path, call, draw) >> np.uint64(12)).astype(np.float64)
    return (upper + 0.5) * 2.0**-52


def _uniform(seeds: Seeds, path: Paths, call: int, low: Any, high: Any) -> Float64:
    found: Float64 = low + (high - low) * _units(seeds, path, call)
    return found


def _normal(seeds: Seeds, path: Paths, call: int, mean: Any, deviation: Any) -> Float64:
    first, second = _units(seeds, path, call, 0), _units(seeds, path, call, 1)
    radius = np.sqrt(-2.0 * over_rows(FUNCTIONS["log"].call, first))
    turn = over_rows(FUNCTIONS["cos"].call, 2.0 * math.pi * second)
    found: Float64 = mean + deviation * radius * turn
    return found


def _drawn(bits: NDArray[np.uint64], count: int) -> list[int]:
    """For each row, a random index from 0 to ``count`` - 1."""
    return [each * count >> 64 for each in bits.tolist()]


def _randint(seeds: Seeds, path: Paths, call: int, low: Any, high: Any) -> Float64:
    if isinstance(low, np.ndarray) or isinstance(high, np.ndarray):
        return _row_by_row(seeded.randint, seeds, path, call, low, high)
    first, last = math.ceil(low), math.floor(high)
    if last < first:
        return _row_by_row(seeded.randint, seeds, path, call, low, high)  # which says why
    drawn = _drawn(_bits(seeds, path, call), last - first + 1)
    return np.array([float(first + each) for each in drawn])


def _choice(seeds: Seeds, path: Paths, call: int, *values: Any) -> Float64:
    drawn = _drawn(_bits(seeds, path, call), len(values))
    table = np.stack([np.broadcast_to(value, len(drawn)) for value in values], axis=1)
    found: Float64 = table[np.arange(len(drawn)), drawn].astype(np.float64)
    return found


def _row_by_row(
    function: Callable[..., float], seeds: Seeds, path: Paths, call: int, *values: Any
) -> Float64:
    if isinstance(seeds, int):
        keys = [(seeds, each) for each in path]
    else:
        keys = [(each, str(path)) for each in seeds.tolist()]
    columns = [np.broadcast_to(value, len(keys)).tolist() for value in values]
    rows = zip(keys, *columns, strict=True)
    return np.array([function(*key, call, *row) for key, *row in rows], np.float64)


OF_MANY: Mapping[Callable[..., float], Callable[..., Float64]] = {
    seeded.uniform: _uniform,
    seeded.normal: _normal,
    seeded.randint: _randint,
    seeded.choice: _choice,
}
"""For each function what gives its numbers for an array of seeds; arguments are numbers, or arrays
with one for each of them."""
