# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row


def ground(points, side: str = "left", loop: str = "false") -> str:
    return f"ground: {{type: static, shape: {{chain: {points}, side: {side}, loop: {loop}}}}}"


FLAT = [[x, 0] for x in range(-5, 60)]


def test_a_ball_rolls_over_the_joins_of_a_chain_with_no_bump(run, solver):
    ball = run(
        f"""
world: {{duration: 5, solver: {{type: {solver}}}}}
bodies:
  {ground(FLAT)}
  ball: {{shape: {{circle: 0.5}}, position: [0, 0.5], velocity: [6, 0],
          angular_velocity: =-12*180/pi}}
"""
    )["ball"]
    assert ball.x[-1] == pytest.approx(30, rel=0.01)
    assert np.ptp(ball.y[60:]) < 1e-3
    assert abs(ball.vy[60:]).max() < 5e-3


def test_a_box_slides_over_the_joins_without_tipping(run):
    box = run(
        f"""
world: {{duration: 4}}
defaults: {{material: {{friction: 0}}}}
bodies:
  {ground(FLAT)}
  box: {{shape: {{box: [1, 1]}}, position: [0, 0.5], velocity: [6.3, 0]}}
"""
    )["box"]
    assert box.vx[-1] == pytest.approx(6.3, rel=1e-3)
    assert abs(box.angle).max() < 1e-3


def test_a_slider_goes_as_far_on_a_chain_as_on_one_box(run):
    text = """
world: {{duration: 4}}
defaults: {{material: {{friction: 0}}}}
bodies:
  {ground}
  ball: {{shape: {{box: [0.6, 0.6]}}, position: [0, 0.3], velocity: [6.3, 0]}}
"""
    plain = "ground: {type: static, shape: {box: [200, 1]}, position: [0, -0.5]}"
    on_chain = run(text.format(ground=ground(FLAT)))["ball"].x[-1]
    on_box = run(text.format(ground=plain))["ball"].x[-1]
    assert on_chain == pytest.approx(on_box, abs=0.02)


DROP = """
{units}
world: {{duration: {duration}, gravity: [0, {gravity}]}}
bodies:
  {ground}
  ball: {{shape: {{circle: {radius}}}, position: [0, {y}]}}
"""


@every_row(
    ("side", "y", "gravity", "held"),
    [
        ("left", 2, -10, True),
        ("right", 2, -10, False),
        ("left", -2, 10, False),
        ("right", -2, 10, True),
        ("both", 2, -10, True),
        ("both", -2, 10, True),
    ],
)
def test_a_chain_holds_from_its_side_as_one_walks_along_it(run, side, y, gravity, held):
    points = [[x, 0] for x in range(-5, 6)]
    text = DROP.format(
        units="", duration=2, gravity=gravity, ground=ground(points, side), radius=0.5, y=y
    )
    last = run(text)["ball"].y[-1]
    assert (abs(last) < 1) == held


@every_row(
    ("side", "y", "gravity", "held"),
    [
        ("left", -200, 0.001, True),
        ("right", -200, 0.001, False),
        ("right", 200, -0.001, True),
        ("both", -200, 0.001, True),
        ("both", 200, -0.001, True),
    ],
)
def test_on_a_screen_left_is_what_is_seen_as_left(run, side, y, gravity, held):
    """Walking to the right on a screen, left is up, towards smaller y."""
    points = [[x, 0] for x in range(-500, 600, 100)]
    text = DROP.format(
        units="units: screen",
        duration=2000,
        gravity=gravity,
        ground=ground(points, side),
        radius=50,
        y=y,
    )
    last = run(text)["ball"].y[-1]
    assert (abs(last) < 100) == held


RING = [
    [round(5 * math.cos(i * math.pi / 12), 6), round(5 * math.sin(i * math.pi / 12), 6)]
    for i in range(24)
]


def test_a_loop_keeps_a_ball_inside(run, solver):
    """Counter-clockwise, the inside is on the left."""
    ball = run(
        f"""
world: {{duration: 6, solver: {{type: {solver}}}}}
bodies:
  {ground(RING, "left", "true")}
  ball: {{shape: {{circle: 0.5}}, position: [1, 0], velocity: [5, 3]}}
"""
    )["ball"]
    assert np.hypot(ball.x, ball.y).max() < 4.7


def test_a_loop_solid_from_outside_carries_a_ball_on_top(run):
    ball = run(
        f"""
world: {{duration: 1}}
bodies:
  {ground(RING, "right", "true")}
  ball: {{shape: {{circle: 0.5}}, position: [0, 6], fixed_rotation: true}}
"""
    )["ball"]
    assert ball.y[-1] > 5.3


def test_a_ball_rolls_off_the_end_of_a_chain(run):
    points = [[x, 0] for x in range(-5, 3)]
    ball = run(
        f"""
world: {{duration: 3}}
bodies:
  {ground(points)}
  ball: {{shape: {{circle: 0.5}}, position: [0, 0.5], velocity: [2, 0]}}
"""
    )["ball"]
    assert ball.y[-1] < -3
    passing = np.argmax(ball.x > 2.5)
    assert passing > 0
    assert ball.y[passing] > -0.6


def test_a_valley_lets_a_ball_swing_to_and_fro(run):
    points = [[x / 4, (x / 4) ** 2 / 8] for x in range(-24, 25)]
    ball = run(
        f"""
world: {{duration: 10}}
bodies:
  {ground(points)}
  ball: {{shape: {{circle: 0.3}}, position: [-4, 2.4]}}
"""
    )["ball"]
    assert ball.x.max() > 2.5
    assert (ball.y > -0.1).all()
    assert np.count_nonzero(np.diff(np.sign(ball.x))) >= 3


@pytest.mark.parametrize("rate", [60, 240, 960, 1920])
def test_a_ball_that_comes_up_through_a_chain_rises_as_high_as_it_would_without(make, solver, rate):
    world = make(
        f"""
world: {{dt: =1/{rate}, duration: 5, sleep: false, solver: {{type: {solver}}}}}
bodies:
  line: {{type: static, shape: {{chain: [[-3, 0], [3, 0]], side: left}}}}
  ball: {{shape: {{circle: 0.2}}, position: [0, -0.5], velocity: [0, 5]}}
"""
    )
    top = 0.0
    for _ in range(rate):
        world.step()
        top = max(top, world["ball"].position[1])
    assert top == pytest.approx(-0.5 + 25 / (2 * 9.81), abs=1e-3)
    # It falls back onto the chain, which holds it.
    world.step(rate)
    assert world["ball"].position[1] == pytest.approx(0.2, abs=0.02)
