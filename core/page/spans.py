# SPDX-License-Identifier: MIT
"""Least and greatest values of quantities between the frames of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..record.frame import Frame, Passed
from ..record.trace import Trace
from ..scene.model import Scene
from ..scene.readings import plotted
from .codes import Blob

Float64 = NDArray[np.float64]

MOST_JOINTS = 100
"""Of so many joints, the first ones, a page has the loads between frames."""
LOADS = ("force", "torque")


def watched(scene: Scene) -> tuple[str, ...]:
    """The state names that a page reads at every step, if they are known."""
    return tuple(f"{name}.{load}" for name in list(scene.joints)[:MOST_JOINTS] for load in LOADS)


def take_loads(frame: Frame, scene: Scene) -> tuple[Frame, Float64]:
    """A frame without what passed of joints, and the least and the greatest of that [2, names]."""
    names, passed = watched(scene), frame.passed
    if passed is None or not names:
        return frame, np.full((2, len(names)), np.nan)
    columns = [passed.names.index(name) for name in names]
    plots = [i for i, name in enumerate(passed.names) if name in plotted(scene)]
    left = Passed(tuple(passed.names[i] for i in plots), passed.times, passed.values[:, plots])
    return replace(frame, passed=left), spans(passed.values[:, columns])


def add_loads(blob: Blob, loads: Sequence[Float64]) -> int:
    """Pack the least and the greatest loads of joints between frames; of how many joints."""
    if not loads or not loads[0].size:
        return 0
    add_spans(blob, "joint", np.stack(loads))
    return int(loads[0].shape[1]) // len(LOADS)


def add_channels(blob: Blob, trace: Trace, columns: Sequence[int], rows: NDArray[np.intp]) -> None:
    """Pack the least and the greatest of recorded channels between the rows of frames."""
    values = trace.values[:, columns]
    before = np.concatenate([rows[:1], rows[:-1]])
    pairs = zip(before.tolist(), rows.tolist(), strict=True)
    add_spans(blob, "channel", np.stack([spans(values[first + 1 : last]) for first, last in pairs]))


def spans(rows: Float64) -> Float64:
    """The least and the greatest of each column [2, columns]; not a number of no rows."""
    return np.stack(
        [np.fmin.reduce(rows, axis=0, initial=np.nan), np.fmax.reduce(rows, axis=0, initial=np.nan)]
    )


def add_spans(blob: Blob, name: str, values: Float64) -> None:
    """Pack spans [frames, 2, columns]."""
    blob.add_floats(f"{name}.least", values[:, 0], digits=4)
    blob.add_floats(f"{name}.most", values[:, 1], digits=4)
