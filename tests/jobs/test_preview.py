# SPDX-License-Identifier: MIT
"""A run ahead of the pictures: what they show is known before the first is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import SimulationError
from rigid2d.core.jobs.engine import Engine
from rigid2d.core.jobs.preview import preview
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.record.snapshot import read_snapshot
from rigid2d.core.scene import loads
from rigid2d.core.world import take_snapshot

PENDULUM = """
rigid: 1
world: {duration: 3}
bodies: {bob: {shape: {circle: 0.3}, position: [2, 0], color: red}}
joints: {rod: {type: distance, bodies: [world, bob]}}
render: {size: [96, 72], fps: 10}
"""
SMALL = Look(size=(96, 72), fps=10)


def reddish(image):
    """Number of red pixels, which are the bob's."""
    colors = np.asarray(image.convert("RGB")).astype(int)
    return int((colors[..., 0] - colors[..., 1] > 100).sum())


def test_the_bob_of_a_pendulum_is_whole_in_every_frame(tmp_path):
    produce(loads(PENDULUM), [Target("frames", tmp_path / "f")], look=SMALL)
    seen = [reddish(Image.open(path)) for path in sorted((tmp_path / "f").glob("*.png"))]
    assert len(seen) == 30
    assert min(seen) > 0.8 * max(seen)


def test_fit_start_shows_what_is_there_at_the_start(tmp_path):
    scene = loads(PENDULUM + "camera: {fit: start}\n")
    produce(scene, [Target("png", tmp_path / "low.png")], at=0.75, look=SMALL)
    assert reddish(Image.open(tmp_path / "low.png")) == 0


def test_a_single_picture_shows_the_same_part_of_the_world_as_the_movie(tmp_path):
    scene = loads(PENDULUM)
    produce(scene, [Target("frames", tmp_path / "f")], look=SMALL)
    produce(scene, [Target("png", tmp_path / "one.png")], at=0.5, look=SMALL)
    movie = np.asarray(Image.open(sorted((tmp_path / "f").glob("*.png"))[5]))
    assert (np.asarray(Image.open(tmp_path / "one.png")) == movie).all()


def test_a_shorter_run_shows_only_what_moves_in_it():
    scene = loads(PENDULUM)
    whole = preview(scene, steps=180, fps=10, engine=Engine()).box()
    short = preview(scene, steps=20, fps=10, engine=Engine()).box()
    assert whole[0] == pytest.approx(-2.3, abs=0.02)
    assert short[0] == 0.0


def test_looking_ahead_changes_no_bit_of_the_run(tmp_path):
    scene = loads(PENDULUM)
    targets = [Target("png", tmp_path / "a.png"), Target("snapshot", tmp_path / "a.snapshot")]
    produce(scene, targets, look=SMALL)
    stored = read_snapshot(tmp_path / "a.snapshot")
    assert stored.checkpoints == take_snapshot(scene).checkpoints


def test_a_run_that_stops_says_so_and_leaves_no_picture(tmp_path):
    scene = loads(
        """
        rigid: 1
        bodies:
          ground: {type: static, shape: {box: [1, 1]}, position: [0, -9]}
          ball: {shape: {circle: 0.1}, velocity: [9e6, 0]}
        """
    )
    assert preview(scene, steps=480, fps=10, engine=Engine()).box()[2] > 0
    with pytest.raises(SimulationError):
        produce(scene, [Target("gif", tmp_path / "a.gif")], look=SMALL)
    assert list(tmp_path.iterdir()) == []
