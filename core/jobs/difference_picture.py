# SPDX-License-Identifier: MIT
"""Two states of a scene in one picture: the old one pale, the new one over it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..record import Difference, Frame
from ..render import Renderer, Survey, open_encoder
from ..scene.model import Scene

UInt8 = NDArray[np.uint8]

OLD_SHARE = 0.3
"""How much of the old state shows through, where only it has drawn something."""


def write_difference_picture(scene: Scene, difference: Difference, path: str | Path) -> None:
    """Draw both checkpoints of a difference over each other, as PNG.

    Raises:
        UsageError: when one of them is missing, or the file cannot be written.
    """
    if difference.old is None or difference.new is None:
        raise UsageError(
            f"no picture: only one snapshot has a checkpoint at step {difference.step}"
        )
    start = {
        name: (*body.position, body.angle, 0.0, 0.0, 0.0) for name, body in scene.bodies.items()
    }
    first, before, after = (
        _frame(scene, bodies, difference)
        for bodies in (start, difference.old.bodies, difference.new.bodies)
    )
    renderer = Renderer(scene, overlays=(), survey=Survey(scene, (first, before, after)))
    renderer.draw(first)  # it frames all later ones
    empty = renderer.draw(_frame(scene, {}, difference))
    old, new = renderer.draw(before), renderer.draw(after)
    encoder = open_encoder(path, "png", renderer.fps, renderer.size)
    try:
        encoder.add(_over(empty, old, new))
        encoder.close()
    except BaseException:
        encoder.abort()
        raise


def _over(empty: UInt8, old: UInt8, new: UInt8) -> UInt8:
    """``new``, and where it shows nothing but the background, ``old`` without colour and pale."""
    gray = np.round(old.astype(np.float64).mean(axis=2, keepdims=True))
    ghost = OLD_SHARE * gray + (1.0 - OLD_SHARE) * empty
    only_old = (new == empty).all(axis=2) & (old != empty).any(axis=2)
    result: UInt8 = np.where(only_old[..., None], np.round(ghost), new).astype(np.uint8)
    return result


def _frame(scene: Scene, bodies: Mapping[str, tuple[float, ...]], difference: Difference) -> Frame:
    """The frame of a checkpoint; bodies that are not in it were removed."""
    count, joints = len(scene.bodies), len(scene.joints)
    states = np.zeros((count, 6))
    alive = np.zeros(count, np.bool_)
    for row, (name, body) in enumerate(scene.bodies.items()):
        if name in bodies:
            states[row], alive[row] = bodies[name], True
        else:
            states[row, :3] = (*body.position, body.angle)
    return Frame(
        time=difference.time,
        step=difference.step,
        pose=states[:, :3].copy(),
        velocity=states[:, 3:].copy(),
        center=np.zeros((count, 2)),
        alive=alive,
        awake=np.ones(count, np.bool_),
        joint_broken=np.zeros(joints, np.bool_),
        joint_force=np.zeros((joints, 3)),
    )
