# SPDX-License-Identifier: MIT
from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.record import CsvWriter, Trace, write_csv


def read(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def test_wide_has_a_row_per_step_and_reads_back_exactly(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "out.csv"
    write_csv(path, trace)
    header, *rows = read(path)
    assert header == ["t", "ball.x", "box[0,1].y"]
    values = np.array(rows, dtype=np.float64)
    assert values[:, 0].tobytes() == trace.t.tobytes()
    assert values[:2, 1:].tobytes() == trace.values[:2].tobytes()
    assert values[2, 1] == -1e300
    assert math.isnan(values[2, 2])


def test_long_has_a_row_per_value(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "out.csv"
    write_csv(path, trace, layout="long")
    header, *rows = read(path)
    assert header == ["t", "name", "channel", "value"]
    assert [row[:3] for row in rows[:3]] == [
        ["0.0", "ball", "x"],
        ["0.0", "box[0,1]", "y"],
        ["0.5", "ball", "x"],
    ]
    assert [float(row[3]) for row in rows[:5]] == trace.values.ravel()[:5].tolist()


def test_the_same_bytes_whatever_the_blocks(tmp_path: Path, trace: Trace) -> None:
    write_csv(tmp_path / "whole.csv", trace)
    with CsvWriter(tmp_path / "parts.csv", trace.channels) as writer:
        for row in range(3):
            writer.add(trace.t[row : row + 1], trace.values[row : row + 1])
        writer.add(trace.t[:0], trace.values[:0])
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "parts.csv").read_bytes()


def test_a_broken_off_file_leaves_the_older_one(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")

    def broken_off() -> None:
        with CsvWriter(path, trace.channels) as writer:
            writer.add(trace.t, trace.values)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken_off()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_an_unknown_layout_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'wide' and 'long'"):
        CsvWriter(tmp_path / "out.csv", ["ball.x"], "tall")
    assert list(tmp_path.iterdir()) == []
