# SPDX-License-Identifier: MIT
"""Findings of probes for the page, as numbers that ``sights.js`` of its assets reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..record.frame import Frame, Sight
from .codes import Blob

RAY, SHAPE, VELOCITY = 0, 1, 2
KINDS = {"ray": RAY, "shape": SHAPE, "velocity": VELOCITY}
MOST_NUMBERS = 4_000_000
"""A page holds the findings of a run with at most so many numbers."""


def sight_numbers(sights: Sequence[Sight]) -> list[float]:
    """The findings of all probes, one after the other.

    Each begins with its kind and whether it found something. A ray has its start and end, and the
    point and the normal of its hit, 0 without one. A shape has the number of its pieces, and of
    each the number of corners, the radius, and the corners. A velocity has its point and itself.
    A probe of a removed body has no numbers.
    """
    numbers: list[float] = []
    for sight in sights:
        if not sight.ends:
            continue
        numbers += (KINDS[sight.kind], float(bool(sight.bodies)))
        if sight.kind == "ray":
            point, normal = sight.hit or ((0.0, 0.0), (0.0, 0.0))
            numbers += (*sight.ends[0], *sight.ends[1], *point, *normal)
        elif sight.kind == "shape":
            numbers.append(len(sight.pieces))
            for corners, radius in sight.pieces:
                numbers += (len(corners), radius)
                numbers += (part for corner in corners for part in corner)
        else:
            numbers += (*sight.ends[0], *sight.velocity)
    return numbers


def add_sights(blob: Blob, frames: Sequence[Frame]) -> bool:
    """Pack the findings of probes; returns False for too many of them."""
    rows, total = [], 0
    for frame in frames:
        rows.append(np.array(sight_numbers(frame.sights), np.float32))
        total += len(rows[-1])
        if total > MOST_NUMBERS:
            return False
    blob.add("sight.count", np.array([len(row) for row in rows]), "delta")
    blob.add_floats("sight.number", np.concatenate(rows))
    return True
