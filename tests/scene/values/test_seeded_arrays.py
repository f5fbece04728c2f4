# SPDX-License-Identifier: MIT
"""Random numbers of many seeds at once are those of each seed alone."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
import pytest
from rigid2d.core import _native
from rigid2d.core.scene.values import seeded
from rigid2d.core.scene.values.seeded_arrays import OF_MANY, hashes

from tests.rows import every_row

SEEDS = np.array([0, 1, 7, 41, 2**31, 2**48 - 1, *range(100, 160)], np.int64)
TEXTS = ["", "|", "task.start.cart.x", "ö", "x" * 107, "x" * 126, "x" * 127, "x" * 128, "x" * 400]


@every_row("tail", TEXTS, ids=[str(len(text)) for text in TEXTS])
def test_a_hash_is_that_of_the_text(tail: str) -> None:
    numbers = np.array([[0, 1], [-5, 10], [2**63 - 1, -(2**63)]], np.int64)
    texts = [f"{first}|{second}{tail}" for first, second in numbers.tolist()]
    expected = [blake2b(text.encode(), digest_size=8).digest() for text in texts]
    found = _native.hash_rows(numbers, tail)
    assert found.tolist() == [int.from_bytes(each, "little") for each in expected]


def test_no_rows_have_no_hashes() -> None:
    assert hashes(np.empty(0, np.int64)).shape == (0,)


DRAWS: list[tuple[Any, tuple[Any, ...]]] = [
    (seeded.uniform, (-0.05, 0.05)),
    (seeded.uniform, (0.1, np.linspace(0.2, 9.0, len(SEEDS)))),
    (seeded.normal, (1.0, 0.3)),
    (seeded.normal, (np.linspace(-1.0, 1.0, len(SEEDS)), 2.5)),
    (seeded.randint, (-3.5, 12.0)),
    (seeded.randint, (0.0, np.arange(len(SEEDS), dtype=np.float64))),
    (seeded.choice, (1.0, 2.5, -4.0)),
    (seeded.choice, (7.0, np.linspace(0.0, 1.0, len(SEEDS)))),
]


@every_row(("function", "values"), DRAWS)
def test_a_number_of_many_has_the_bits_that_it_has_alone(
    function: Any, values: tuple[Any, ...]
) -> None:
    found = OF_MANY[function](SEEDS, "bodies.ball.x", 2, *values)
    columns = [np.broadcast_to(value, len(SEEDS)).tolist() for value in values]
    rows = zip(SEEDS.tolist(), *columns, strict=True)
    expected = [function(seed, "bodies.ball.x", 2, *row) for seed, *row in rows]
    assert found.dtype == np.float64
    assert found.tolist() == expected


@every_row(("function", "values"), DRAWS)
def test_a_number_of_many_paths_has_the_bits_that_it_has_alone(
    function: Any, values: tuple[Any, ...]
) -> None:
    paths = [f"bodies.ä[{i}].x" for i in range(len(SEEDS))]
    columns = [np.broadcast_to(value, len(SEEDS)).tolist() for value in values]
    rows = zip(paths, *columns, strict=True)
    expected = [function(-(2**80), path, 2, *row) for path, *row in rows]
    assert OF_MANY[function](-(2**80), paths, 2, *values).tolist() == expected


def test_an_empty_range_of_whole_numbers_is_an_error_as_it_is_alone() -> None:
    with pytest.raises(ValueError, match="needs a whole number between"):
        OF_MANY[seeded.randint](SEEDS, "x", 0, 2.0, 1.0)
