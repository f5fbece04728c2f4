# SPDX-License-Identifier: MIT
"""Push and pull along slender bodies: each force at a point p of a bar, from f = 0 at its left end
to f = 1 at its right, counts with its part along the bar times (1 - 2 f)."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import _native

from tests.rows import every_row

TURNS = [0, 30, 90, 200]


def bar(b, x, y, angle=0.0, length=2.0, mass=10.0, **values):
    """A bar whose left end lies at x, y and which goes from there at an angle."""
    c, s = math.cos(angle), math.sin(angle)
    inertia = mass * length * length / 12
    body = b.body(
        x + c * length / 2, y + s * length / 2, angle=angle, mass=mass, inertia=inertia, **values
    )
    b.bar(body, -length / 2, length / 2)
    return body


def push_pull(b, body):
    return b.channel("body.push_pull", body)


@every_row("up", [False, True])
@every_row("kind", ["weld", "revolute"])
def test_a_beam_of_10_hanging_from_its_top_is_pulled_by_10(bench, solver, kind, up):
    """Whichever of its ends is called the left one."""
    b = bench(solver=solver, gravity=(0, -1), dt=1 / 60)
    beam = bar(b, 0, -2 if up else 0, math.radians(90 if up else -90))
    b.joint(kind, 0, beam, (0, 0))
    b.run(3)
    assert push_pull(b, beam) == pytest.approx(-10, rel=1e-3)


def test_a_beam_of_10_standing_on_its_foot_is_pushed_by_10(bench, solver):
    b = bench(solver=solver, gravity=(0, -1))
    beam = bar(b, 0, 0, math.radians(90))
    b.joint("weld", 0, beam, (0, 0))
    b.run(3)
    assert push_pull(b, beam) == pytest.approx(10, rel=1e-3)


def test_a_beam_that_is_only_bent_is_neither_pushed_nor_pulled(bench, solver):
    b = bench(solver=solver, gravity=(0, -1))
    beam = bar(b, 0, 0)
    b.joint("weld", 0, beam, (0, 0))
    b.force(1, beam, at_x=0, at_y=0, y=-30)
    b.run(3)
    assert push_pull(b, beam) == pytest.approx(0, abs=0.05)


def test_a_beam_that_lies_on_two_posts_is_neither_pushed_nor_pulled(bench, solver):
    b = bench(solver=solver, gravity=(0, -1))
    ground = b.body(kind=0)
    for x in (-1, 1):
        b.shape(ground, 3, [(x - 0.1, -1), (x + 0.1, -1), (x + 0.1, 0), (x - 0.1, 0)], friction=0)
    beam = bar(b, -1.5, 0.1, length=3)
    b.box(beam, 3, 0.2, friction=0)
    load = b.body(0, 0.45, mass=5, inertia=0.2)
    b.box(load, 0.5, 0.5)
    b.run(4)
    assert b.world.y[load] == pytest.approx(0.45, abs=0.02)
    assert push_pull(b, beam) == pytest.approx(0, abs=0.1)


@every_row("degrees", TURNS)
@every_row("force", [7.0, -7.0])
def test_forces_on_both_ends_count_twice(bench, solver, force, degrees):
    """A bar of a truss: F inwards on either end is a push of 2 F."""
    b = bench(solver=solver)
    beam = bar(b, 1, 1, math.radians(degrees))
    b.force(0, beam, at_x=-1, at_y=0, x=force)
    b.force(0, beam, at_x=1, at_y=0, x=-force)
    b.run(0.5)
    assert push_pull(b, beam) == pytest.approx(2 * force, rel=1e-4)


@every_row(("at", "expected"), [(-1, 6), (-0.5, 3), (0, 0), (0.5, -3), (1, -6)])
def test_a_force_counts_by_where_it_acts(bench, solver, at, expected):
    b = bench(solver=solver)
    beam = bar(b, 0, 0)
    b.force(0, beam, at_x=at, at_y=0, x=6)
    b.run(0.5)
    assert push_pull(b, beam) == pytest.approx(expected, abs=1e-4)


def test_a_row_of_hanging_bars_is_pulled_by_what_hangs_below(bench, solver):
    """The pin above carries n weights, the one below n - 1; each end counts once."""
    b = bench(solver=solver, gravity=(0, -1))
    above, bars = 0, []
    for i in range(3):
        bars.append(bar(b, 0, -2 * i, math.radians(-90)))
        b.joint("revolute", above, bars[-1], (0, -2 * i))
        above = bars[-1]
    b.run(4)
    pulls = [push_pull(b, beam) for beam in bars]
    assert pulls == pytest.approx([-10 * (3 + 2), -10 * (2 + 1), -10], rel=2e-3)


def test_a_bracket_pulls_its_upper_bar_and_pushes_its_lower_one(bench, solver):
    """A weight on the tip of a right-angled bracket: W to the wall above, W sqrt 2 below."""
    b = bench(solver=solver, gravity=(0, -1), dt=1 / 240)
    upper = bar(b, 0, 1, length=1, mass=1, gravity_scale=0)
    lower = bar(b, 0, 0, math.radians(45), math.sqrt(2), mass=1, gravity_scale=0)
    tip = b.body(1, 1, mass=5, inertia=1)
    b.joint("revolute", 0, upper, (0, 1))
    b.joint("revolute", 0, lower, (0, 0))
    b.joint("revolute", upper, tip, (1, 1))
    b.joint("revolute", lower, tip, (1, 1))
    b.run(3)
    assert push_pull(b, upper) == pytest.approx(-2 * 5, rel=0.01)
    assert push_pull(b, lower) == pytest.approx(2 * 5 * math.sqrt(2), rel=0.01)


@every_row("at_most", [9.5, 10.5])
def test_a_joint_breaks_where_its_bar_is_pulled_too_hard(bench, solver, at_most):
    b = bench(solver=solver, gravity=(0, -1))
    beam = bar(b, 0, 0, math.radians(-90))
    joint = b.joint("weld", 0, beam, (0, 0), break_push_pull=at_most)
    b.run(2)
    assert b.state(joint)["broken"] == (at_most < 10)
    broken = _native.EVENT_KINDS["joint_broken"]
    assert [kind for _, kind, _, _ in b.world.take_events()] == ([broken] if at_most < 10 else [])


def test_what_is_no_bar_has_no_push(bench):
    b = bench(gravity=(0, -1))
    body = b.body()
    b.joint("weld", 0, body, (0, 1))
    b.run(1)
    assert push_pull(b, body) == 0


def test_a_bar_without_length_has_no_push(bench):
    b = bench(gravity=(0, -1))
    body = b.body()
    b.bar(body, 0.5, 0.5)
    b.joint("weld", 0, body, (0, 1))
    b.run(1)
    assert push_pull(b, body) == 0


@pytest.mark.parametrize(
    ("body", "left", "right"), [(99, 0, 1), (1, math.nan, 1), (1, 0, math.inf)]
)
def test_a_bar_that_makes_no_sense_is_refused(bench, body, left, right):
    b = bench()
    b.body()
    with pytest.raises(ValueError, match=r"body|bar"):
        b.bar(body, left, right)
