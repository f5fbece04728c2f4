# SPDX-License-Identifier: MIT
"""Whatever a run may hold comes back from its files bit for bit."""

from __future__ import annotations

import csv
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rigid2d.core.record import (
    Checkpoint,
    Snapshot,
    Trace,
    read_npz,
    read_snapshot,
    write_csv,
    write_npz,
    write_snapshot,
)

numbers = st.floats(width=64)
names = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="."),
    min_size=1,
    max_size=8,
)
states = st.tuples(numbers, numbers, numbers, numbers, numbers, numbers)


def bits(value: float) -> bytes:
    return b"nan" if value != value else struct.pack("<d", value)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round-trips")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(bodies=st.dictionaries(names, states, max_size=4), hash_=st.integers(0, 2**64 - 1))
def test_snapshots(folder: Path, bodies: dict[str, tuple[float, ...]], hash_: int) -> None:
    points = (Checkpoint(3, hash_, bodies),)  # type: ignore[arg-type]
    for inputs in (None, {"world.dt": "0.5"}):
        write_snapshot(folder / "s", Snapshot("1", "abc", "n", 0.5, 3, points, inputs))
        (again,) = read_snapshot(folder / "s").checkpoints
        assert again.hash == hash_
        assert list(again.bodies) == list(bodies)
        for name, state in bodies.items():
            assert [bits(v) for v in again.bodies[name]] == [bits(v) for v in state]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(columns=st.dictionaries(names, st.tuples(numbers, numbers, numbers), min_size=1, max_size=4))
def test_traces(folder: Path, columns: dict[str, tuple[float, ...]]) -> None:
    channels = tuple(f"{name}.x" for name in columns)
    values = np.array(list(columns.values())).T
    trace = Trace(channels, np.arange(3) * 0.1, np.arange(3), values)
    write_npz(folder / "t.npz", trace)
    again = read_npz(folder / "t.npz")
    assert again.channels == channels
    assert again.values.tobytes() == np.ascontiguousarray(values).tobytes()
    write_csv(folder / "t.csv", trace)
    with (folder / "t.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["t", *channels]
    table = np.array(rows, dtype=np.float64)[:, 1:]
    assert [bits(v) for v in table.ravel()] == [bits(v) for v in values.ravel()]
