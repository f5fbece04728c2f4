# SPDX-License-Identifier: MIT
"""Moments of a page between its frames, where a straight line would leave the way of a body."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..record.frame import Frame
from ..scene.model import Body, Scene

Float64 = NDArray[np.float64]

MOST_READ = 500_000
"""Poses are read at every step of a run with at most so many of them."""
MOST_KEPT = 60_000
"""A page holds at most about so many poses between its frames; for fewer, lines may be farther
away."""
NEAR = 0.25
"""A pose is left out if that between its neighbours is so near to it, in pixels at picture size
``unit`` 1."""
AXES = ("x", "y", "angle")


def pose_readings(scene: Scene, steps: int) -> tuple[str, ...]:
    """The state names that moments between frames are made of; none if they are too many."""
    moving = [name for name, body in scene.bodies.items() if body.kind != "static"]
    if len(moving) * steps > MOST_READ:
        return ()
    return tuple(f"{name}.{axis}" for name in moving for axis in AXES)


def filled(
    scene: Scene, frames: Sequence[Frame], near: float
) -> tuple[list[Frame], NDArray[np.int64]]:
    """Frames, and the moments between them that a line would pass at a greater distance than
    ``near``, in scene units; and the rows of the frames among all of these.

    Such a moment has the poses of a step. Its velocities are between those of the frames beside it,
    and everything else is that of the frame before it.
    """
    intervals = [_steps(scene, a, b) for a, b in pairwise(frames)]
    reach = {
        id(s): np.array([_reach(b) for b in s.bodies.values()]) for s in _scenes(scene, frames)
    }
    kept: list[list[int]] = [[] for _ in intervals]
    for _ in range(6):
        for k, (before, steps) in enumerate(zip(frames, intervals, strict=False)):
            kept[k] = (
                [] if steps is None else _needed(*steps, reach[id(before.scene or scene)], near)
            )
        bodies = max((len(frame.pose) for frame in frames), default=0)
        if sum(map(len, kept)) * bodies <= MOST_KEPT:
            break
        near *= 4.0
    shown, rows = list[Frame](), list[int]()
    for k, frame in enumerate(frames):
        rows.append(len(shown))
        shown.append(frame)
        if k < len(intervals) and intervals[k] is not None:
            shown += _moments(frame, frames[k + 1], intervals[k], kept[k])
    return shown, np.array(rows, np.int64)


def _scenes(scene: Scene, frames: Sequence[Frame]) -> list[Scene]:
    found = {id(frame.scene or scene): frame.scene or scene for frame in frames}
    return list(found.values())


_Steps = tuple[Float64, Float64]
"""Times [moments], and the poses [moments, bodies, 3], those of two frames and of the steps between
them."""


def _steps(scene: Scene, before: Frame, after: Frame) -> _Steps | None:
    """The poses from a frame to the next one; None where those between are not known, or where
    bodies came or left."""
    passed = after.passed
    if passed is None or before.scene is not after.scene or not (before.alive == after.alive).all():
        return None
    columns = {name: k for k, name in enumerate(passed.names)}
    names = list((before.scene or scene).bodies)
    rows = [row for row, name in enumerate(names) if f"{name}.angle" in columns]
    small = 1e-6 * (after.time - before.time)
    inside = (passed.times > before.time + small) & (passed.times < after.time - small)
    if not rows or not inside.any():
        return None
    times = np.array([before.time, *passed.times[inside], after.time])
    part = ((times - times[0]) / (times[-1] - times[0]))[:, None, None]
    poses = before.pose + part * (after.pose - before.pose)
    read = [[columns[f"{names[row]}.{axis}"] for axis in AXES] for row in rows]
    found = passed.values[inside][:, np.array(read)]
    known = np.isfinite(found)
    poses[1:-1, rows] = np.where(known, found, poses[1:-1, rows])
    return times, poses


def _needed(times: Float64, poses: Float64, reach: Float64, near: float) -> list[int]:
    """The rows of the moments without which a body would be farther away than ``near``."""
    found, spans = list[int](), [(0, len(times) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        part = (times[first + 1 : last] - times[first]) / (times[last] - times[first])
        line = poses[first] + part[:, None, None] * (poses[last] - poses[first])
        off = poses[first + 1 : last] - line
        x, y, turn = off[:, :, 0], off[:, :, 1], off[:, :, 2]
        away = np.sqrt(x * x + y * y) + reach * np.abs(turn)
        farthest = np.nan_to_num(away, posinf=0.0).max(axis=1)
        row = int(farthest.argmax())
        if farthest[row] > near:
            found.append(first + 1 + row)
            spans += [(first, first + 1 + row), (first + 1 + row, last)]
    return sorted(found)


def _moments(before: Frame, after: Frame, steps: _Steps | None, rows: Sequence[int]) -> list[Frame]:
    if steps is None:
        return []
    times, poses = steps
    found = []
    for row in rows:
        part = (times[row] - times[0]) / (times[-1] - times[0])
        velocity = before.velocity + part * (after.velocity - before.velocity)
        time = float(times[row])
        found.append(replace(before, time=time, pose=poses[row], velocity=velocity, passed=None))
    return found


def _reach(body: Body) -> float:
    """How far a body reaches from its origin."""
    reaches = [0.0]
    for shape in body.shapes:
        reaches += [math.sqrt(x * x + y * y) + shape.radius for x, y in shape.points]
    return max(reaches)
