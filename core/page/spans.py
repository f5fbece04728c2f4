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
from ..scene.readings import ENERGIES, plotted
from .codes import Blob

Float64 = NDArray[np.float64]

MOST_JOINTS = 100
"""Of so many joints, the first ones, a page has the loads between frames."""
LOADS = ("force", "torque")


def watched(scene: Scene) -> tuple[str, ...]:
    """The state names that a page reads at every step, if they are known: energies, then loads."""
    joints = list(scene.joints)[:MOST_JOINTS]
    return (*ENERGIES, *(f"{name}.{load}" for name in joints for load in LOADS))


def take_spans(frame: Frame, scene: Scene) -> tuple[Frame, Float64]:
    """A frame without what passed of these, and the least and the greatest of that [2, lines]: of
    the kinetic, the potential and the total energy, and then of the loads of joints."""
    names, passed = watched(scene), frame.passed
    if passed is None:
        return frame, np.full((2, len(names) + 1), np.nan)
    values = passed.of(names)[:, 1:]
    dropped = set(names).difference(plotted(scene))
    left = tuple(name for name in passed.names if name not in dropped)
    rest = Passed(left, passed.times, passed.of(left)[:, 1:])
    energies = values[:, : len(ENERGIES)]
    lines = [energies, energies.sum(axis=1, keepdims=True), values[:, len(ENERGIES) :]]
    return replace(frame, passed=rest), spans(np.concatenate(lines, axis=1))


def add_frame_spans(blob: Blob, found: Sequence[Float64]) -> tuple[bool, int]:
    """Pack the least and the greatest energies and loads of joints between frames: whether there
    are any, and of how many joints."""
    if not found:
        return False, 0
    lines = np.stack(found)
    energies = len(ENERGIES) + 1
    add_spans(blob, "energy", lines[:, :, :energies])
    if lines.shape[2] > energies:
        add_spans(blob, "joint", lines[:, :, energies:])
    return True, (lines.shape[2] - energies) // len(LOADS)


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
