"""Traces as NPZ: NumPy's own container, with the same bytes for the same trace.

The file holds ``t``, ``step``, one array per channel under the channel's name (``ball.x``), and
``meta``, a JSON text. ``numpy.load`` reads it; ``read_npz`` makes the Trace again. NumPy's
own ``savez`` would stamp the time of writing into the file, so the zip is written here.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, named, one_of
from ..errors import UsageError
from .atomic import atomic_file
from .trace import Trace

FORMAT = "rigid trace 1"
PIECE = 1 << 18  # bytes
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can hold


@checked(path=named, trace=one_of(Trace))
def write_npz(path: str | Path, trace: Trace) -> None:
    """Write a trace as NPZ, atomically and with deterministic bytes."""
    meta = json.dumps({"format": FORMAT, "channels": trace.channels, **trace.meta()})
    with atomic_file(path) as file:
        _write_arrays(
            file,
            {
                "meta": np.array(meta),
                "t": trace.t,
                "step": trace.steps,
                **{name: trace.values[:, i] for i, name in enumerate(trace.channels)},
            },
        )


def _write_arrays(file: BinaryIO, arrays: dict[str, NDArray[Any]]) -> None:
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


@checked(path=named)
def read_npz(path: str | Path) -> Trace:
    """Read a trace that ``write_npz`` wrote. Raises UsageError when it is not one."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            meta = json.loads(str(arrays["meta"]))
            if meta.pop("format", None) != FORMAT:
                raise UsageError(f"{path}: is not a trace of this version ({FORMAT})")
            channels = tuple(meta.pop("channels"))
            t = np.asarray(arrays["t"], np.float64)
            values = np.empty((len(t), len(channels)))
            for column, name in enumerate(channels):
                values[:, column] = arrays[name]
            return Trace(
                channels=channels,
                t=t,
                steps=np.asarray(arrays["step"], np.int64),
                values=values,
                scene_name=str(meta["scene_name"]),
                scene_hash=str(meta["scene_hash"]),
                dt=float(meta["dt"]),
                centers={name: (c[0], c[1]) for name, c in meta["centers"].items()},
                removed=dict(meta["removed"]),
                broken=dict(meta["broken"]),
                events=[(int(step), str(text)) for step, text in meta["events"]],
            )
    except OSError as error:
        reason = error.strerror or "not an NPZ file"
        raise UsageError(f"{path}: cannot be read: {reason}") from error
    except (KeyError, IndexError, TypeError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path}: is not a trace: {error}") from error
