# SPDX-License-Identifier: MIT
"""State that a textbook solver keeps between steps: saved, and kept over additions and removals."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Any

import numpy as np

from ...solvers import Memory, Particles
from ...solvers.system import JOINT
from ..saved import POINT, fixed, listed, need, number, optional, record, whole
from .detection import Detector


def saved_memory(memory: Memory) -> dict[str, Any]:
    """A solver's memory, as JSON data."""
    particles = memory.particles
    return {
        "impulses": [[list(key), value] for key, value in sorted(memory.impulses.items())],
        "particles": None if particles is None else [p.tolist() for p in particles],
    }


SAVED_MEMORY = record(
    impulses=listed(fixed(listed(whole(-(1 << 62))), number)),
    particles=optional(fixed(listed(POINT), listed(POINT))),
)


def restored_memory(saved: dict[str, Any], corners: int) -> Memory:
    """Restores ``saved_memory``, of bodies with so many corners. Raises UnfitError for others."""
    for i, (key, _) in enumerate(saved["impulses"]):
        right = key and (key[0] == JOINT or len(key) >= 5)
        need(right, f"solver.memory.impulses[{i}]", "is of no row")
    impulses = {tuple(key): value for key, value in saved["impulses"]}
    if saved["particles"] is None:
        return Memory(impulses)
    for each in saved["particles"]:
        need(len(each) == corners, "solver.memory.particles", "are not those of the bodies")
    now, before = (np.array(each, np.float64).reshape(-1, 2) for each in saved["particles"])
    return Memory(impulses, Particles(now, before))


def carried_over(
    memory: Memory,
    old: Detector,
    new: Detector,
    *,
    begun: Callable[[], Particles],
    moved: Collection[int] = (),
    gone_joints: Collection[int] = (),
) -> Memory:
    """The memory for a changed set of bodies: impulses by the present names of their pieces, and
    the particles of bodies that were there. All others, and those of the ids ``moved``, are as they
    ``begun``. Nothing is left of ``gone_joints`` (slots)."""
    shift = {
        before: after
        for number, pieces in old.pieces.items()
        if number in new.pieces
        for before, after in zip(pieces, new.pieces[number], strict=True)
    }
    impulses = {}
    for key, impulse in memory.impulses.items():
        if key[0] == JOINT:
            if key[1] not in gone_joints:
                impulses[key] = impulse
        elif key[3] in shift and key[4] in shift:
            impulses[(*key[:3], shift[key[3]], shift[key[4]], *key[5:])] = impulse
    if memory.particles is None:
        return Memory(impulses)
    still = {k for number in moved for k in new.pieces.get(number, ())}
    now, before_now = begun()
    was, is_now = _parts(old), _parts(new)
    for before, after in shift.items():
        if after not in still:
            now[is_now[after]] = memory.particles.now[was[before]]
            before_now[is_now[after]] = memory.particles.before[was[before]]
    return Memory(impulses, Particles(now, before_now))


def _parts(detector: Detector) -> list[slice]:
    """The rows of each outline's particles."""
    ends = np.cumsum([0, *(len(outline.corners) for outline in detector.outlines())]).tolist()
    return [slice(first, last) for first, last in pairwise(ends)]
