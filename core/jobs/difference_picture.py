# SPDX-License-Identifier: MIT
"""Two states of a scene in one picture: the old one pale, the new one over it, and an arrow from
where a body was to where it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..record import Difference, Frame
from ..record.differences import StepDifference
from ..render import Renderer, Survey, open_encoder
from ..render.canvas.colors import parse_color
from ..render.canvas.display import Items
from ..render.canvas.text import draw_onto
from ..render.renderer import line_unit
from ..scene.model import Scene
from ..scene.values.portable_math import hypot
from ..view.camera import View

UInt8 = NDArray[np.uint8]

FEW = 12
"""Steps that an error lists."""
LEAST_ARROW = 3.0
"""The shortest arrow, at picture size ``unit`` 1."""
ARROW = parse_color("#d6216b")
EDGE = parse_color("#ffffff")
OLD_SHARE = 0.3
"""How much of the old state shows through, where only it has drawn something."""


def write_difference_picture(
    scene: Scene, difference: Difference, path: str | Path, at: int | None = None
) -> int:
    """Draw both states of a difference over each other, as PNG; return their step.

    ``at`` is a step at which they differ, by default the one at which they are farthest apart.

    Raises:
        UsageError: when the states do not differ there, or the file cannot be written.
    """
    found = _states(difference, at)
    assert found.old is not None
    assert found.new is not None
    start = {
        name: (*body.position, body.angle, 0.0, 0.0, 0.0) for name, body in scene.bodies.items()
    }
    first, before, after = (
        _frame(scene, bodies, found) for bodies in (start, found.old.bodies, found.new.bodies)
    )
    factor = scene.render.supersample
    renderer = Renderer(
        scene, overlays=(), survey=Survey(scene, (first, before, after)), supersample=factor
    )
    renderer.draw(first)  # it frames all later ones
    empty = renderer.draw(_frame(scene, {}, found))
    old = renderer.draw(before)
    looked = renderer.look(after)
    image = _over(empty, old, renderer.draw(after, looked))
    _add_arrows(image, before, after, View(*(part / factor for part in looked.numbers())))
    encoder = open_encoder(path, "png", renderer.fps, renderer.size)
    try:
        encoder.add(image)
        encoder.close()
    except BaseException:
        encoder.abort()
        raise
    return found.step


def _states(difference: Difference, at: int | None) -> StepDifference:
    """The two states at a step."""
    step = difference.farthest if at is None else at
    for each in difference.steps:
        if each.step == step:
            return each
    if at is None:
        raise UsageError(f"no picture: only one snapshot has a checkpoint at step {step}")
    known = [str(each.step) for each in difference.steps]
    more = ", ..." if len(known) > FEW else ""
    raise UsageError(
        f"no picture: the states do not differ at step {at}; they do at the checkpoints "
        f"{', '.join(known[:FEW])}{more}"
        if known
        else f"no picture: no step is in both snapshots where they differ, such as {at}"
    )


def _add_arrows(image: UInt8, before: Frame, after: Frame, view: View) -> None:
    """Draw the way of each body that has moved by some pixels."""
    unit = line_unit((image.shape[1], image.shape[0]))
    items = Items()
    for row in np.flatnonzero(before.alive & after.alive).tolist():
        start, tip = (view.pixel(*frame.pose[row, :2].tolist()) for frame in (before, after))
        if hypot(tip[0] - start[0], tip[1] - start[1]) >= LEAST_ARROW * unit:
            items.add("arrow", [start, tip], EDGE, radius=2.0 * unit, a=9.0 * unit, b=5.2 * unit)
            items.add("arrow", [start, tip], ARROW, radius=1.0 * unit, a=8.0 * unit, b=4.2 * unit)
    if len(items):
        draw_onto(image, items)


def _over(empty: UInt8, old: UInt8, new: UInt8) -> UInt8:
    """``new``, and where it shows nothing but the background, ``old`` without colour and pale."""
    gray = np.round(old.astype(np.float64).mean(axis=2, keepdims=True))
    ghost = OLD_SHARE * gray + (1.0 - OLD_SHARE) * empty
    only_old = (new == empty).all(axis=2) & (old != empty).any(axis=2)
    result: UInt8 = np.where(only_old[..., None], np.round(ghost), new).astype(np.uint8)
    return result


def _frame(scene: Scene, bodies: Mapping[str, tuple[float, ...]], at: StepDifference) -> Frame:
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
        time=at.time,
        step=at.step,
        pose=states[:, :3].copy(),
        velocity=states[:, 3:].copy(),
        center=np.zeros((count, 2)),
        alive=alive,
        awake=np.ones(count, np.bool_),
        joint_broken=np.zeros(joints, np.bool_),
        joint_force=np.zeros((joints, 3)),
    )
