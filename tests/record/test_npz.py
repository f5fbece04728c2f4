# SPDX-License-Identifier: MIT
from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.record import Trace, read_npz, write_npz


def test_a_trace_comes_back_as_it_was(tmp_path: Path, trace: Trace) -> None:
    path = str(tmp_path / "out.npz")
    trace.save(path)
    again = Trace.load(path)
    assert again.channels == trace.channels
    for name in ("t", "steps", "values"):
        assert getattr(again, name).tobytes() == getattr(trace, name).tobytes()
    assert again.meta() == trace.meta()


def test_numpy_reads_the_channels_by_name(tmp_path: Path, trace: Trace) -> None:
    write_npz(tmp_path / "out.npz", trace)
    with np.load(tmp_path / "out.npz") as arrays:
        assert arrays["ball.x"].tolist() == trace["ball"].x.tolist()
        assert arrays["t"].tolist() == [0.0, 0.5, 1.0]
        assert arrays["step"].tolist() == [0, 1, 2]


def test_the_same_trace_gives_the_same_bytes(tmp_path: Path, trace: Trace) -> None:
    write_npz(tmp_path / "a.npz", trace)
    write_npz(tmp_path / "b.npz", trace)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def write_other_arrays(path: Path) -> None:
    np.savez(path, a=np.zeros(3))


def write_half(path: Path, trace: Trace) -> None:
    write_npz(path, trace)
    path.write_bytes(path.read_bytes()[:200])


@pytest.mark.parametrize("content", [b"", b"t,ball.x\n0,1\n", b"PK\x03\x04 broken"])
def test_a_file_that_is_no_trace_is_a_usage_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "out.npz"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"out\.npz"):
        read_npz(path)


def test_other_or_damaged_archives_are_a_usage_error(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "out.npz"
    write_other_arrays(path)
    with pytest.raises(UsageError, match=r"out\.npz"):
        read_npz(path)
    write_half(path, trace)
    with pytest.raises(UsageError, match=r"out\.npz"):
        read_npz(path)
    with pytest.raises(UsageError, match=r"absent\.npz: cannot be read"):
        read_npz(tmp_path / "absent.npz")
