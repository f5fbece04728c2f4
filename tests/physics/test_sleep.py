# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

REST = """
world: {{duration: 6, sleep: {sleep}}}
bodies:
  floor: {{type: static, shape: {{box: [20, 1]}}, position: [0, -0.5]}}
  box: {{shape: {{box: [1, 1]}}, position: [0, 0.5], {box}}}
  {other}
"""


def text(box: str = "", sleep: str = "true", other: str = "") -> str:
    return REST.format(box=box, sleep=sleep, other=other)


def test_a_body_at_rest_falls_asleep_and_stays(run):
    trace = run(text(), "box.asleep", "box.y", "box.vy")
    asleep = trace["box"].asleep
    assert asleep[0] == 0
    assert asleep[-1] == 1
    since = int(np.argmax(asleep > 0))
    assert 10 < since < 180
    assert np.ptp(trace["box"].y[since:]) == 0
    assert trace["box"].vy[-1] == 0


def test_nothing_sleeps_where_the_world_or_the_body_says_so(run):
    assert run(text(sleep="false"), "box.asleep")["box"].asleep.max() == 0
    assert run(text("sleep: false"), "box.asleep")["box"].asleep.max() == 0


def test_a_hit_wakes_a_sleeper(run):
    other = "ball: {shape: {circle: 0.3}, position: [0, 60]}"
    trace = run(text(other=other), "box.asleep", "ball.y", "box.contacts")
    asleep = trace["box"].asleep
    landed = int(np.argmax(trace["ball"].y < 1.35))
    assert asleep[landed - 10] == 1
    assert asleep[landed + 2] == 0


def test_a_body_may_start_asleep_and_hangs_until_touched(run):
    trace = run(
        text(other="sleeper: {shape: {box: [1, 1]}, position: [8, 5], awake: false}"),
        "sleeper.y",
        "sleeper.asleep",
    )
    assert (trace["sleeper"].y == 5).all()
    assert (trace["sleeper"].asleep == 1).all()


def test_a_whole_island_sleeps_and_wakes_together(make):
    world = make(text(other="top: {shape: {box: [1, 1]}, position: [0, 1.5]}"))
    world.step(300)
    assert not world["box"].awake
    assert not world["top"].awake
    world["top"].apply_impulse((0.5, 0))
    world.step()
    assert world["top"].awake
    assert world["box"].awake


def test_taking_the_support_away_wakes_what_stood_on_it(make):
    world = make(text(other="top: {shape: {box: [1, 1]}, position: [0, 1.5]}"))
    world.step(300)
    assert not world["top"].awake
    world.remove("box")
    world.step(60)
    assert world["top"].y < 1.2


def test_setting_a_velocity_wakes(make):
    world = make(text())
    world.step(300)
    assert not world["box"].awake
    world["box"].velocity = (1, 0)
    world.step()
    assert world["box"].awake
    assert world["box"].x > 0


def test_a_body_on_a_moving_platform_does_not_fall_asleep(run):
    trace = run(
        """
world: {duration: 6}
bodies:
  lift: {type: kinematic, shape: {box: [4, 1]}, position: [0, -0.5], velocity: [0, 0.5]}
  box: {shape: {box: [1, 1]}, position: [0, 0.5]}
"""
    )
    assert abs(trace["box"].y[-1] - 3.5) < 0.1


def test_sleeping_changes_nothing_that_can_be_seen(run):
    awake, asleep = (run(text(sleep=value))["box"] for value in ("false", "true"))
    np.testing.assert_allclose(awake.y, asleep.y, atol=1e-3)
    np.testing.assert_allclose(awake.x, asleep.x, atol=1e-3)


SLIDE = """
world: {gravity: [0, -9.81], duration: 3}
bodies:
  slope: {type: static, shape: {box: [20, 1]}, angle: -14.5, friction: 0.25}
  box: {shape: {box: [0.5, 0.5]}, friction: 0.25, angle: -14.5,
        position: ["=0.75*sin(14.5*pi/180)", "=0.75*cos(14.5*pi/180)"]}
"""


def test_what_begins_to_slide_slowly_does_not_fall_asleep(run):
    """g (sin 14.5 - 0.25 cos 14.5) is 0.08 m/s^2: after half a second it has 4 cm/s."""
    trace = run(SLIDE, "box.speed", "box.asleep")["box"]
    pull = 9.81 * (np.sin(np.radians(14.5)) - 0.25 * np.cos(np.radians(14.5)))
    assert trace.asleep.max() == 0
    assert trace.speed[-1] == pytest.approx(3 * pull, rel=0.1)


HELD = """
world: {{gravity: [0, -9.81], duration: {duration}}}
bodies:
  ball: {{shape: {{circle: 0.2}}, mass: 2, position: [{x}, -1], {more}}}
joints:
  j: {{bodies: [world, ball], {joint}}}
"""


def held(joint: str, duration: float = 4, x: float = 0, more: str = "") -> str:
    return HELD.format(joint=joint, duration=duration, x=x, more=more)


def test_a_motor_that_slips_goes_on_slipping(run):
    """19.5 N against 19.62 N of weight leave 0.06 m/s^2."""
    motor = "type: prismatic, axis: [0, 1], motor: {speed: 0, max_force: 19.5}"
    assert run(held(motor), "j.speed")["j"].speed[-1] == pytest.approx(-0.24, rel=0.01)


def test_a_small_swing_does_not_stop(run):
    """Half a degree: at most 2.7 cm/s."""
    x = np.sin(np.radians(0.5))
    swing = run(held("type: distance, anchor: [0, 0]", 10, x), "ball.x")["ball"].x
    assert swing[-130:].max() == pytest.approx(x, rel=0.02)


def test_a_spring_sleeps_where_it_hangs_at_rest(run):
    """g / w^2 below; a tenth of critical damping."""
    spring = "type: distance, anchor: [0, 0], spring: {frequency: 1, damping_ratio: 0.1}"
    trace = run(held(spring, 15), "ball.y", "ball.asleep")["ball"]
    assert trace.asleep[-1] == 1
    assert trace.y[-1] == pytest.approx(-1 - 9.81 / (2 * np.pi) ** 2, abs=1e-3)


def test_a_joint_that_is_being_put_right_stays_awake_until_it_is(run):
    """The correction leaves no velocity behind; at 3 rad/s it takes more than half a second."""
    turned = "type: revolute, limits: [160, 200]"
    trace = run(held(turned, 4, more="gravity_scale: 0"), "j.angle")["j"]
    assert np.radians(159.8) < trace.angle[-1] < np.radians(200.2)
