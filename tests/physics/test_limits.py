# SPDX-License-Identifier: MIT
"""Inputs that a careless engine crashes on: each has a defined outcome."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core.errors import SimulationError, UsageError

ONE = """
world: {{{world}}}
bodies:
  ball: {{shape: {{circle: 0.5}}, {ball}}}
  other: {{shape: {{box: [1, 1]}}, {other}}}
"""


def one(ball: str = "position: [0, 0]", other: str = "position: [10, 0]", world: str = "") -> str:
    return ONE.format(ball=ball, other=other, world=world)


def test_bodies_that_leave_the_bounds_are_removed_and_the_rest_goes_on(watch):
    recorder = watch(
        one(other="position: [10, 0], gravity_scale: 0", world="bounds: [[-5, -5], [20, 5]]")
    )
    assert [(event.kind, event.a) for event in recorder.events] == [("left_bounds", "ball")]
    step = recorder.events[0].step
    assert step == pytest.approx(60 * math.sqrt(2 * 5 / 9.81), abs=6)
    assert recorder.trace.removed == {"ball": step}
    assert recorder.trace["other"].y[-1] == 0


def test_a_removed_body_is_no_longer_counted(run):
    text = one(other="position: [10, 0], gravity_scale: 0", world="bounds: [[-5, -5], [20, 5]]")
    trace = run(text, "world.bodies")
    assert trace.world.bodies[0] == 2
    assert trace.world.bodies[-1] == 1


def test_two_bodies_at_one_place_are_pushed_apart(run, solver):
    more = f"gravity: [0, 0], duration: 5, solver: {{type: {solver}}}"
    trace = run(one(other="position: [0, 0]", world=more))
    apart = math.hypot(
        trace["ball"].x[-1] - trace["other"].x[-1], trace["ball"].y[-1] - trace["other"].y[-1]
    )
    assert apart > 0.8
    assert np.isfinite(trace.values).all()


def test_many_bodies_at_one_place_stay_finite(run, solver):
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 3, solver: {{type: {solver}}}}}
bodies:
  ball: {{repeat: {{i: 20}}, shape: {{circle: 0.5}}}}
  box: {{repeat: {{i: 20}}, shape: {{box: [1, 1]}}}}
"""
    )
    assert np.isfinite(trace.values).all()
    x, y = (np.ptp([trace[name][axis][-1] for name in trace]) for axis in "xy")
    assert 2 < np.hypot(x, y) < 1000


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_velocity_that_is_not_finite_is_refused_or_stops_the_run(make, bad):
    world = make(one())

    def set_and_step() -> None:
        world["ball"].velocity = (bad, 0)
        world.step()

    with pytest.raises((UsageError, SimulationError)):
        set_and_step()


@pytest.mark.parametrize("push", ["apply_force", "apply_impulse"])
def test_a_push_that_is_not_finite_is_refused_or_stops_the_run(make, push):
    world = make(one())

    def push_and_step() -> None:
        getattr(world["ball"], push)((math.nan, 0))
        world.step()

    with pytest.raises((UsageError, SimulationError)):
        push_and_step()


def test_a_runaway_body_stops_the_run_by_name(make):
    world = make(one("velocity: [1e8, 0]", "position: [10, 50]"))
    with pytest.raises(SimulationError) as caught:
        world.step(100000)
    assert caught.value.body == "ball"
    assert caught.value.step > 0
    assert "body 'ball' ran away: it moves at 1e+08 m/s; the limit is 1e+07 m/s" in str(
        caught.value
    )
    with pytest.raises(SimulationError):
        world.step()


@pytest.mark.parametrize(
    ("ball", "words"),
    [
        ("position: [0, -2e7]", "it is 2e+07 m away; the limit is 1e+07 m"),
        ("angular_velocity: 6e9", "it turns at 1.05e+08 rad/s; the limit is 1e+07 rad/s"),
    ],
)
def test_a_runaway_body_is_told_of_in_numbers(make, ball, words):
    with pytest.raises(SimulationError, match=words.replace("+", r"\+")):
        make(one(ball)).step(2)


def test_the_limits_of_a_runaway_are_in_the_scenes_units(make):
    world = make("units: screen\n" + one("velocity: [1e7, 0]", "position: [0, 99]"))
    with pytest.raises(SimulationError, match=r"moves at 1e\+07 px/ms; the limit is 1e\+06 px/ms"):
        world.step(2)


def test_with_warn_the_run_goes_on_and_says_so(watch):
    recorder = watch(
        one("velocity: [1e12, 0]", "position: [10, 50], gravity_scale: 0", "on_error: warn")
    )
    assert len(recorder.trace) == 481
    assert recorder.warnings
    assert all("ball" in warning for warning in recorder.warnings)
    assert recorder.trace["other"].x[-1] == 10


def test_a_fast_but_finite_body_is_simulated(run):
    trace = run(one("velocity: [1000, 0]", world="gravity: [0, 0], duration: 1"))
    assert np.isfinite(trace.values).all()


def test_a_distance_joint_of_no_length_is_defined(run, solver):
    trace = run(
        f"""
world: {{duration: 2, solver: {{type: {solver}}}}}
bodies:
  ball: {{shape: {{circle: 0.5}}}}
joints:
  rod: {{type: distance, bodies: [world, ball], anchors: [[0, 0], [0, 0]], length: 0.1,
         min_length: 0, max_length: 0.1}}
"""
    )
    assert np.isfinite(trace.values).all()
    assert trace["ball"].y[-1] == pytest.approx(-0.1, abs=0.03)


def test_a_huge_and_a_tiny_body_meet(run):
    trace = run(
        """
world: {duration: 2}
bodies:
  planet: {type: static, shape: {circle: 10000}, position: [0, -10000]}
  grain: {shape: {circle: 0.01}, position: [0, 0.5]}
"""
    )
    assert np.isfinite(trace.values).all()
    assert abs(trace["grain"].y[-1]) < 0.05


def test_far_from_the_origin_a_box_still_stands(run):
    trace = run(
        """
world: {duration: 5}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [10000, 9999.5]}
  box: {shape: {box: [1, 1]}, position: [10000, 10000.5]}
"""
    )
    assert trace["box"].y[-1] == pytest.approx(10000.5, abs=0.05)


def test_a_tiny_and_a_huge_mass_fall_alike(run):
    trace = run(one("mass: 1e-6", "position: [10, 0], mass: 1e9, inertia: 1e9"))
    assert trace["ball"].y[60] == pytest.approx(trace["other"].y[60], abs=1e-4)
