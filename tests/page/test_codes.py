# SPDX-License-Identifier: MIT
"""Packed numbers come back as they were, to the step they were kept to."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rigid2d.core.page.codes import Blob

Unpacked = dict[str, NDArray[Any]]
TIMES = {"plain": 0, "delta": 1, "line": 2}


def unpacked(blob: Blob) -> Unpacked:
    return unpacked_from(blob.text(), blob.table)


def unpacked_from(text: str, table: list[dict[str, Any]]) -> Unpacked:
    """Undo what ``Blob`` did, as the page's ``data.js`` does."""
    data = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    found: Unpacked = {}
    at = 0
    for entry in table:
        rows, columns, planes = entry["rows"], entry["columns"], entry["planes"]
        size = rows * columns
        part = data[at : at + size * planes].reshape(planes, size).T
        at += size * planes
        if entry["coding"] in ("float", "exact"):
            kind = "<f4" if entry["coding"] == "float" else "<f8"
            values: NDArray[Any] = np.ascontiguousarray(part).view(kind).reshape(columns, rows).T
        else:
            folded = np.zeros((size, 8), np.uint8)
            folded[:, :planes] = part
            number = folded.view("<u8").reshape(-1)
            whole = np.where(number & 1, -(number // 2).astype(int) - 1, number // 2)
            whole = whole.astype(int).reshape(columns, rows).T
            for _ in range(TIMES[entry["coding"]]):
                whole = np.cumsum(whole, axis=0)
            values = whole * entry["step"]
        found[entry["name"]] = values
    assert at == len(data)
    return found


@given(
    values=st.lists(st.lists(st.floats(-1e4, 1e4), min_size=3, max_size=3), max_size=20),
    coding=st.sampled_from(["plain", "delta", "line"]),
    step=st.sampled_from([1.0, 0.25, 2.0**-13]),
)
def test_numbers_come_back_to_half_a_step(values: Any, coding: Any, step: float) -> None:
    given_values = np.array(values, np.float64).reshape(-1, 3)
    blob = Blob()
    blob.add("a", given_values, coding, step)
    assert np.abs(unpacked(blob)["a"] - given_values).max(initial=0.0) <= 0.5 * step * (1 + 1e-9)


def test_floats_keep_so_many_digits_and_what_is_no_number() -> None:
    values = np.array([[1.2345678, -9.87654e-20], [np.nan, 3.4e30]])
    blob = Blob()
    blob.add_floats("a", values, digits=3)
    blob.add_floats("b", values)
    blob.add_exact("c", values[:, 0])
    found = unpacked(blob)
    np.testing.assert_allclose(found["a"], values, rtol=1e-3)
    np.testing.assert_allclose(found["b"], values, rtol=1e-6)
    np.testing.assert_array_equal(found["c"][:, 0], values[:, 0])


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e300])
def test_what_is_no_number_to_keep_breaks_nothing(value: float) -> None:
    blob = Blob()
    blob.add("a", np.array([[value], [1.0]]), "line")
    assert unpacked(blob)["a"][1, 0] == 1.0


def test_a_table_of_nothing_is_packed_too() -> None:
    blob = Blob()
    blob.add("a", np.zeros((4, 0)))
    blob.add_floats("b", np.zeros((0, 2)))
    found = unpacked(blob)
    assert found["a"].shape == (4, 0)
    assert found["b"].shape == (0, 2)


def test_even_motion_takes_a_thousandth_of_its_numbers() -> None:
    times = np.arange(2000.0)[:, None]
    fall = times * np.arange(1.0, 51.0) - 0.5 * times**2
    blob = Blob()
    blob.add("a", fall, "line")
    assert len(blob.text()) < fall.size * 8 / 1000
