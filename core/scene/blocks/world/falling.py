# SPDX-License-Identifier: MIT
"""Scenes in which nothing holds the bodies: a warning, since a ground is easily forgotten."""

from __future__ import annotations

from ...model import Scene
from ...text.problems import Report


def check_falling(scene: Scene, report: Report) -> None:
    """Warn of several bodies that all fall, with nothing that could stop or move any of them.

    A scene with expectations says itself what should happen.
    """
    bodies, joints, world = scene.bodies.values(), scene.joints.values(), scene.world
    acting = (scene.expect, scene.events, scene.actuators, scene.spawners, scene.animations)
    if len(bodies) < 2 or any(body.kind != "dynamic" for body in bodies):
        return
    if any(acting) or world.attraction or not any(world.gravity):
        return
    if any(body.gravity_scale <= 0.0 for body in bodies):
        return
    held = (each.ground_anchors or "world" in (each.body_a, each.body_b) for each in joints)
    if any(held):
        return
    report.warn(
        ("bodies",),
        "impossible-motion",
        f"nothing holds these {len(bodies)} bodies: all are dynamic, and fall for ever; make the "
        "ground `type: static`, or set `world: {gravity: [0, 0]}`",
    )
