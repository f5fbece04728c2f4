from __future__ import annotations

import numpy as np

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
