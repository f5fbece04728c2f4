# SPDX-License-Identifier: MIT
"""Poses that are taken from a run: bodies, and the joints between them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import build

from tests.edit.edited import document

SCENE = """\
rigid: 1
world: {duration: 3}
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  cart: {shape: {box: [2, 0.4]}, position: [0, 2]}
  arm: {shape: {box: [0.2, 1]}, position: [0.9, 2.7], angle: 5}
  lift: {shape: {box: [0.4, 0.4]}, position: [-0.8, 2.6]}
joints:
  hinge: {type: revolute, bodies: [cart, arm], anchor: [0.9, 2.2]}   # it stays
  slide: {type: prismatic, bodies: [cart, lift], axis: [0, 1], limits: [-0.1, 0.3]}
  pin: {type: revolute, bodies: [world, cart], anchor: [-0.5, 2]}
"""


def test_a_pose_of_a_run_keeps_its_joints(tmp_path: Path) -> None:
    edited = document(tmp_path, SCENE)
    before = edited.scene()
    world = build(before)
    world.step(90)
    poses = {
        name: [*body.position, body.angle * 57.29577951308232]
        for name, body in world.bodies.items()
        if name not in ("ground", "world")
    }
    answer = edited.do({"edit": "take_pose", "poses": poses, "step": 1e-4})
    assert answer["notes"] == ["limits and positions of joints count from the new pose now"]
    scene = edited.scene()
    assert "   # it stays" in edited.texts["scene.yaml"]
    assert scene.bodies["arm"].position == pytest.approx(tuple(poses["arm"][:2]), abs=1e-3)
    for name in ("hinge", "pin"):
        old, new = before.joints[name], scene.joints[name]
        assert new.anchor_b == pytest.approx(old.anchor_b, abs=2e-3)
    old, new = before.joints["slide"], scene.joints["slide"]
    assert new.axis == pytest.approx(old.axis, abs=2e-3)  # in the cart, which has turned
