# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81


def spring(solver: str, options: str, world: str, body: str = "") -> str:
    step = "=1/960" if solver == "soft_step" else "=1/3840"
    return f"""
world: {{{world}, dt: {step}, solver: {{type: {solver}}}, sleep: false}}
bodies:
  weight: {{shape: {{circle: 0.2}}, mass: 2, position: [3, 0], {body}}}
joints:
  spring: {{type: distance, bodies: [world, weight], anchors: [[0, 0], [0, 0]],
            spring: {{{options}}}}}
"""


FREE = "gravity: [0, 0], duration: 8"
HANGING = "gravity: [9.81, 0], duration: 8"


def offset(trace) -> tuple[np.ndarray, np.ndarray]:
    x = trace["weight"].x - 3
    return np.arange(len(x)) * (trace.t[-1] / (len(x) - 1)), x


@pytest.mark.parametrize("frequency", [0.5, 1.0, 2.0])
def test_a_spring_swings_at_its_frequency(run, period, solver, frequency):
    text = spring(solver, f"frequency: {frequency}, damping_ratio: 0", FREE, "velocity: [1, 0]")
    assert period(*offset(run(text))) == pytest.approx(1 / frequency, rel=0.01)


def test_stiffness_gives_the_frequency_of_k_over_m(run, period, solver):
    text = spring(solver, "stiffness: 50, damping: 0", FREE, "velocity: [1, 0]")
    assert period(*offset(run(text))) == pytest.approx(2 * math.pi / math.sqrt(50 / 2), rel=0.01)


@pytest.mark.parametrize("ratio", [0.1, 0.3])
def test_the_damping_ratio_sets_how_fast_it_dies_away(run, solver, ratio):
    text = spring(solver, f"frequency: 1, damping_ratio: {ratio}", FREE, "velocity: [1, 0]")
    t, x = offset(run(text))
    tops = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:])) + 1
    decrement = math.log(x[tops[0]] / x[tops[1]])
    # The implicit step damps a little of its own: h w / 2 more of the damping ratio.
    h = (t[1] - t[0]) / (4 if solver == "soft_step" else 1)
    effective = ratio + h * 2 * math.pi / 2
    expected = 2 * math.pi * effective / math.sqrt(1 - effective**2)
    assert decrement == pytest.approx(expected, rel=0.02)


def test_a_critically_damped_spring_does_not_overshoot(run, solver):
    text = spring(solver, "frequency: 1, damping_ratio: 1", FREE, "velocity: [2, 0]")
    _, x = offset(run(text))
    assert x.max() > 0.05
    assert x.min() > -1e-3


@every_row("k", [40.0, 400.0])
def test_a_hanging_weight_sags_by_m_g_over_k(run, solver, k):
    text = spring(solver, f"stiffness: {k}, damping: 20", HANGING)
    trace = run(text.replace("=1/960", "=1/60").replace("=1/3840", "=1/60"))
    assert trace["weight"].x[-1] - 3 == pytest.approx(2 * G / k, rel=0.01)


def test_a_spring_reports_its_pull(run):
    text = spring("soft_step", "stiffness: 40, damping: 20", HANGING)
    trace = run(text, "spring.force", "spring.length")
    assert trace["spring"].force[-1] == pytest.approx(2 * G, rel=0.01)
    assert trace["spring"].length[-1] == pytest.approx(3 + 2 * G / 40, rel=0.01)


ROPE = """
world: {{duration: 3, solver: {{type: {solver}}}}}
bodies:
  ball: {{shape: {{circle: 0.1}}, position: [0, -1]}}
joints:
  rope: {{type: distance, rope: true, max_length: 2, bodies: [world, ball],
          anchors: [[0, 0], [0, 0]]}}
"""


def test_a_slack_rope_lets_its_body_fall_and_then_holds_it(run, solver):
    y = run(ROPE.format(solver=solver))["ball"].y
    assert y[12] == pytest.approx(-1 - G * 0.2**2 / 2, abs=0.05)
    assert y.min() > -2.1
    assert y[-1] == pytest.approx(-2, abs=0.02)


def test_a_rope_never_pushes(run, solver):
    text = ROPE.format(solver=solver).replace("duration: 3", "duration: 0.8, gravity: [0, 0]")
    ball = run(text.replace("position: [0, -1]", "position: [0, -1], velocity: [0, 1]"))["ball"]
    assert ball.vy[-1] == pytest.approx(1, rel=1e-5)


def test_minimum_and_maximum_length_bound_a_free_distance(run, solver):
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 4, solver: {{type: {solver}}}}}
bodies:
  ball: {{shape: {{circle: 0.1}}, position: [2, 0], velocity: [1, 0]}}
joints:
  rod: {{type: distance, min_length: 1, max_length: 3, bodies: [world, ball],
         anchors: [[0, 0], [0, 0]]}}
"""
    )
    x = trace["ball"].x
    assert x[30] == pytest.approx(2.5, abs=0.01)
    assert x.max() < 3.05
    assert x[-1] == pytest.approx(3, abs=0.05)


def test_a_rod_keeps_its_length(run, solver):
    trace = run(
        f"""
world: {{duration: 10, solver: {{type: {solver}}}}}
bodies:
  ball: {{shape: {{circle: 0.1}}, position: [2, 0]}}
joints:
  rod: {{type: distance, bodies: [world, ball], anchors: [[0, 0], [0, 0]]}}
""",
        "rod.length",
    )
    np.testing.assert_allclose(trace["rod"].length, 2, atol=0.02)


BEAM = """
world: {{gravity: {gravity}, duration: {duration}, solver: {{type: {solver}}}}}
bodies:
  beam: {{shape: {{box: [2, 0.2]}}, mass: 3, position: [1, 0], points: {{end: [-1, 0]}}, {more}}}
joints:
  j: {{{joint}}}
"""
INERTIA = 3 * (2**2 + 0.2**2) / 12  # of the beam, about its centre


def test_a_sprung_weld_at_a_beams_end_sinks_and_bends(run, solver):
    """The root bears the weight W with a sag of W / k, and W cos(a) 1 m with a turn of that / k."""
    joint = (
        "type: weld, bodies: [world, beam], anchor: [0, 0], spring: {stiffness: 400, damping: 60}"
    )
    text = BEAM.format(gravity=[0, -G], duration=10, solver=solver, joint=joint, more="")
    trace = run(text, "beam.x", "beam.y", "beam.angle", "j.torque", "j.force")
    turn = 0.0
    for _ in range(50):
        turn = -3 * G * math.cos(turn) / 400
    assert trace["beam"].angle[-1] == pytest.approx(turn, rel=2e-3)
    assert trace["beam"].x[-1] == pytest.approx(math.cos(turn), abs=1e-4)
    assert trace["beam"].y[-1] == pytest.approx(math.sin(turn) - 3 * G / 400, rel=2e-3)
    assert trace["j"].force[-1] == pytest.approx(3 * G, rel=2e-3)
    assert trace["j"].torque[-1] == pytest.approx(3 * G * math.cos(turn), rel=2e-3)


def test_a_mouse_pulls_a_beams_end_with_its_stiffness(run, period, solver):
    """The end alone is as light as 1 / (1/m + r^2/I): it swings with w^2 = k (1/m + r^2/I)."""
    k, lightness = 20, 1 / 3 + 1 / INERTIA
    blow = 0.05  # N s, at the end: no point of the beam but its end is held
    more = f"velocity: [0, {blow / 3}], angular_velocity: '{-blow / INERTIA} rad/s'"
    joint = f"type: mouse, body: beam, anchor: [0, 0], spring: {{stiffness: {k}}}"
    text = BEAM.format(gravity=[0, 0], duration=5, solver=solver, joint=joint, more=more)
    step = "dt: =1/960" if solver == "sequential_impulse" else "dt: =1/240"
    trace = run(text.replace("duration", f"{step}, duration"), "beam.points.end.y")
    y = trace["beam.points.end"].y
    expected = 2 * math.pi / math.sqrt(k * lightness)
    assert period(trace.t, y) == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize("joint", ["distance", "prismatic", "revolute", "weld", "mouse"])
def test_a_damper_brakes_and_does_not_pull_back(run, solver, joint):
    """v = v0 e^(-c t / m) in the limit of small steps; so it goes v0 m / c far."""
    turns = joint == "revolute"
    body = "body: weight" if joint == "mouse" else "bodies: [world, weight]"
    if joint == "distance":
        body += ", anchors: [[0, 0], [0, 0]]"
    start = "angular_velocity: 1 rad/s" if turns else "velocity: [1, 0]"
    text = f"""
world: {{gravity: [0, 0], duration: 6, dt: =1/240, solver: {{type: {solver}}}}}
bodies: {{weight: {{shape: {{circle: 1}}, mass: 2, position: [3, 0], {start}}}}}
joints: {{j: {{type: {joint}, {body}, spring: {{damping: {2 if turns else 4}}}}}}}
"""
    trace = run(text)["weight"]
    way = trace.angle if turns else trace.x - 3
    inertia = 2 / 2 if turns else 2
    rate = (2 if turns else 4) / inertia
    assert way[240] == pytest.approx((1 - math.exp(-rate)) / rate, rel=0.01)
    assert way[-1] == pytest.approx(1 / rate, rel=0.01)
