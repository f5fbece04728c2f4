# SPDX-License-Identifier: MIT
"""Traces as NPZ: NumPy's own container, with the same bytes for the same trace.

The file holds ``t``, ``step``, one array per channel under the channel's name (``ball.x``), and
``meta``, a JSON text. ``numpy.load`` reads it; ``Trace.load`` makes the Trace again. NumPy's
own ``savez`` would stamp the time of writing into the file, so the zip is written here.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Mapping
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..reading import read_bytes
from ..scene import limits
from .atomic import atomic_file

FORMAT = "rigid trace 1"
PIECE = 1 << 18  # bytes
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can hold


def write_fields(
    path: str | Path,
    meta: Mapping[str, Any],
    t: NDArray[np.float64],
    steps: NDArray[np.int64],
    columns: Mapping[str, NDArray[np.float64]],
) -> None:
    """Write the fields of a trace as NPZ, atomically and with deterministic bytes."""
    told = json.dumps({"format": FORMAT, "channels": [*columns], **meta})
    with atomic_file(path) as file:
        write_arrays(file, {"meta": np.array(told), "t": t, "step": steps, **columns})


def write_arrays(file: BinaryIO, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays by name as NPZ; equal arrays give equal bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, array in arrays.items():
            info = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            member = BytesIO()
            np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)
            info.file_size = member.getbuffer().nbytes  # as if it was written at once
            with archive.open(info, "w") as part:  # in pieces, so that an interrupt is heard soon
                member.seek(0)
                shutil.copyfileobj(member, part, PIECE)


def read_fields(path: str | Path) -> dict[str, Any]:
    """Read the fields written by ``write_fields``. Raises UsageError for other files."""
    try:
        data = read_bytes(path, limits.TRACE_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path}: cannot be read: {reason}") from error
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return _fields(archive)
    except Exception as error:  # zipfile, zlib and numpy raise whatever comes to them
        raise UsageError(f"{path}: is not a trace of this version ({FORMAT}): {error}") from error


def _fields(archive: zipfile.ZipFile) -> dict[str, Any]:
    """The fields of the trace in an archive; any exception where there is none."""
    if sum(info.file_size for info in archive.infolist()) > limits.TRACE_BYTES:
        raise ValueError(f"it unpacks to more than {limits.TRACE_BYTES >> 20} MiB")
    meta = json.loads(str(_array(archive, "meta")))
    if meta.pop("format", None) != FORMAT:
        raise ValueError("its format is another one")
    channels = tuple(meta["channels"])
    if not all(isinstance(name, str) for name in channels) or len({*channels}) < len(channels):
        raise ValueError("its channels are not names, each once")
    t, steps = _array(archive, "t", "<f8"), _array(archive, "step", "<i8")
    values = np.empty((len(t), len(channels)))
    for column, name in enumerate(channels):
        values[:, column] = _array(archive, name, "<f8", len(t))
    return {
        "channels": channels,
        "t": t,
        "steps": steps.reshape(len(t)),
        "values": values,
        "scene_name": str(meta["scene_name"]),
        "scene_hash": str(meta["scene_hash"]),
        "dt": float(meta["dt"]),
        "centers": {name: (float(x), float(y)) for name, (x, y) in meta["centers"].items()},
        "removed": {name: int(step) for name, step in meta["removed"].items()},
        "broken": {name: int(step) for name, step in meta["broken"].items()},
        "events": [(int(step), str(text)) for step, text in meta["events"]],
        "born": {name: (int(step), data) for name, (step, data) in meta.get("born", {}).items()},
        "looks": [_look(*look) for look in meta.get("looks", ())],
    }


def _look(step: Any, path: Any, value: Any) -> tuple[int, str, bool | float | None]:
    switch = value if isinstance(value, bool) else None
    return int(step), str(path), switch if value is None or switch is not None else float(value)


def _array(
    archive: zipfile.ZipFile, name: str, kind: str = "", length: int | None = None
) -> NDArray[Any]:
    """A member of the archive: numbers of a ``kind`` in one row, or a text without one.

    NumPy takes the memory that an array's header asks for, so that is compared with the bytes
    that are there.
    """
    packed = BytesIO(archive.read(f"{name}.npy"))
    if np.lib.format.read_magic(packed) != (1, 0):
        raise ValueError(f"{name} is an array of another version")
    shape, _, dtype = np.lib.format.read_array_header_1_0(packed)
    if prod(shape) * dtype.itemsize != len(packed.getbuffer()) - packed.tell():
        raise ValueError(f"{name} does not have as many bytes as its header says")
    if kind and (len(shape) != 1 or dtype != np.dtype(kind) or length not in (None, shape[0])):
        raise ValueError(f"{name} is not a row of numbers, one for each time")
    packed.seek(0)
    array: NDArray[Any] = np.lib.format.read_array(packed, allow_pickle=False)
    return array
