# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from tests.rows import every_row

WALL = """
world: {{gravity: [0, 0], duration: 1, sleep: false}}
bodies:
  wall: {{{wall}, position: [5, 0]}}
  bullet: {{{bullet}, velocity: [{speed}, 0], bullet: true}}
"""


@every_row("speed", [50, 200, 390])
@every_row(
    "wall",
    [
        "type: static, shape: {box: [0.05, 10]}",
        "type: static, shape: {segment: [[0, -5], [0, 5]]}",
        "type: static, shape: {chain: [[0, -5], [0, 0], [0, 5]], side: left}",
    ],
)
@every_row("bullet", ["shape: {circle: 0.05}", "shape: {box: [0.1, 0.1]}"])
def test_a_bullet_does_not_pass_a_thin_wall(run, wall, bullet, speed):
    x = run(WALL.format(wall=wall, bullet=bullet, speed=speed))["bullet"].x
    assert x.max() < 5


@pytest.mark.parametrize("speed", [50, 300])
def test_a_fast_body_does_not_pass_a_thin_wall_that_stands_still(run, speed):
    """Static walls hold every fast body, bullet or not."""
    text = WALL.format(
        wall="type: static, shape: {box: [0.05, 10]}",
        bullet="shape: {circle: 0.05}",
        speed=speed,
    )
    x = run(text.replace("bullet: true", "bullet: false"))["bullet"].x
    assert x.max() < 5


@pytest.mark.parametrize("speed", [50, 200])
def test_a_bullet_hits_a_thin_plank_that_can_move(run, speed):
    wall = "shape: {box: [0.05, 4]}, mass: 10"
    trace = run(WALL.format(wall=wall, bullet="shape: {circle: 0.05}, mass: 0.1", speed=speed))
    assert (trace["bullet"].x <= trace["wall"].x + 0.01).all()
    assert trace["wall"].vx[-1] == pytest.approx(0.1 * speed / 10.1, rel=0.1)


def test_a_falling_small_box_does_not_pass_a_thin_floor(run):
    y = run(
        """
world: {duration: 4}
bodies:
  floor: {type: static, shape: {segment: [[-5, 0], [5, 0]]}}
  box: {shape: {box: [0.1, 0.1]}, position: [0, 100], angle: 20}
"""
    )["box"].y
    assert y.min() > -0.05
    assert y[-1] < 90
