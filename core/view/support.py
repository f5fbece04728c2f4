# SPDX-License-Identifier: MIT
"""Finds the bodies that are supported and cannot fall for ever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..record.frame import Frame
from ..scene.model import Joint, Point, Scene

FORCES = ("thruster", "force", "field")
"""The actuators that may hold a body up."""


def holds(joint: Joint) -> tuple[Point, ...]:
    """The points of the world that a joint hangs on."""
    ends = ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b))
    return (*(anchor for name, anchor in ends if name == "world"), *(joint.ground_anchors or ()))


def supported(scene: Scene, frame: Frame) -> NDArray[np.bool_]:
    """[bodies] those that are fixed, move themselves, or hang by lasting joints on such a body.

    Also those that gravity does not pull down, and those of actuators that act or may act. The
    others fall for ever once they are below all these.
    """
    rows = {name: row for row, name in enumerate(scene.bodies)}
    found = np.array(
        [body.kind != "dynamic" or body.gravity_scale <= 0.0 for body in scene.bodies.values()],
        np.bool_,
    )
    may_be_set = bool(scene.controls or scene.animations or scene.events or scene.inputs)
    for actuator in scene.actuators.values():
        if actuator.kind in FORCES and (actuator.enabled or may_be_set):
            found[[rows[name] for name in actuator.bodies]] = True
    neighbours: dict[int, list[int]] = {}
    for row, joint in enumerate(scene.joints.values()):
        if frame.joint_broken[row]:
            continue
        a, b = rows.get(joint.body_a, -1), rows.get(joint.body_b, -1)
        for one, other in ((a, b), (b, a), *(((-1, a), (-1, b)) if holds(joint) else ())):
            neighbours.setdefault(one, []).append(other)
    waiting = [-1, *np.flatnonzero(found).tolist()]
    while waiting:
        for row in neighbours.pop(waiting.pop(), ()):
            if row >= 0 and not found[row]:
                found[row] = True
                waiting.append(row)
    return found
