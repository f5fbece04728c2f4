# SPDX-License-Identifier: MIT
"""Springs, soft limits and sprung motors beside pins and rods: solved with them, not after them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81


def swing(t, amplitude, rate, ratio):
    """The closed form of x'' + 2 z w x' + w^2 x = 0 from rest at ``amplitude``."""
    damped = rate * math.sqrt(1 - ratio**2)
    grow = ratio * rate / damped
    return amplitude * np.exp(-ratio * rate * t) * (np.cos(damped * t) + grow * np.sin(damped * t))


def arm(b, **values):
    """A rod of 1 m and 3 kg along x, pinned at its left end: 1 kg m^2 about the pin."""
    body = b.body(0.5, 0, mass=3, inertia=3 / 12)
    return body, b.joint("revolute", 0, body, (0, 0), **values)


@pytest.mark.parametrize(("ratio", "dt"), [(0, 1 / 480), (0.1, 1 / 240), (0.5, 1 / 240)])
def test_an_arm_swings_at_the_frequency_given(bench, solver, ratio, dt):
    """A frequency is that of the arm about its pin, which is what the spring turns."""
    small = dt / 8 if solver == "sequential_impulse" else dt  # whose implicit step damps
    b = bench(solver=solver, dt=small, **({"iterations": 30} if small != dt else {}))
    body, _ = arm(b, spring_kind=1, spring_1=2, spring_2=ratio)
    start = 0.2
    b.world.set_pose(body, 0.5 * math.cos(start), 0.5 * math.sin(start), start)
    seen = b.watch(2, lambda: b.world.angle[body])
    t = np.arange(len(seen)) * small
    tolerance = 0.03 if small == dt else 0.06
    np.testing.assert_allclose(seen, swing(t, start, 4 * math.pi, ratio), atol=tolerance * start)


@pytest.mark.parametrize("kind", ["prismatic", "wheel"])
def test_a_slider_held_off_its_centre_swings_at_the_frequency_given(bench, kind):
    """The rail keeps a prismatic's body from turning: all its mass moves, wherever the anchor is.
    On a wheel joint the body may turn about the anchor, and less than its mass does."""
    b = bench(dt=1 / 240)
    body = b.body(0, 0, mass=2, inertia=0.5)
    b.joint(kind, 0, body, (0, 0.7), spring_kind=1, spring_1=1.5)
    b.world.set_velocity(body, 0.05, 0, 0 if kind == "prismatic" else -0.05 * 2 * 0.7 / 0.5)
    look = {"prismatic": lambda: b.world.x[body], "wheel": lambda: b.point(body, (0, 0.7))[0]}[kind]
    seen = b.watch(4, look)
    up = np.flatnonzero((seen[:-1] < 0) & (seen[1:] >= 0))
    crossing = up - seen[up] / (seen[up + 1] - seen[up])
    assert np.diff(crossing).mean() / 240 == pytest.approx(1 / 1.5, rel=0.005)


@pytest.mark.parametrize("damping", [0.0, 1.0, 4.0, 9.0])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
def test_a_damper_at_an_arms_end_acts_on_the_whole_arm(bench, damping, dt):
    """A spring k, c at 1 m from the pin: I x'' = -c x' - k x with I = 1 kg m^2 about the pin, while
    the two bodies alone would weigh 0.75 kg there."""
    b = bench(dt=dt)
    body, _ = arm(b)
    b.joint("distance", 0, body, anchor_ax=1, anchor_ay=-3, anchor_bx=0.5, length=3,
            spring_kind=2, spring_1=100, spring_2=damping)  # fmt: skip
    start = 0.02
    b.world.set_pose(body, 0.5 * math.cos(start), 0.5 * math.sin(start), start)
    seen = b.watch(2, lambda: b.world.angle[body])
    t = np.arange(len(seen)) * dt
    np.testing.assert_allclose(seen, swing(t, start, 10, damping / 20), atol=0.03 * start)


@every_row("damping", [10, 300, 10000])
@every_row("kind", ["distance", "mouse", "weld"])
def test_what_hangs_on_a_spring_in_a_mechanism_rests_where_it_should(bench, kind, damping):
    """An arm of 3 kg, held up at its end: the spring bears half its weight, at m g / 2 k."""
    b = bench(gravity=(0, -G))
    body, _ = arm(b)
    given = {"spring_kind": 2, "spring_1": 2000, "spring_2": damping}
    if kind == "distance":
        given |= {"anchor_ax": 1, "anchor_ay": -2, "anchor_bx": 0.5, "length": 2}
        held = b.joint(kind, 0, body, **given)
    elif kind == "mouse":
        held = b.joint(kind, 0, body, anchor_bx=0.5, target_x=1, **given)
    else:  # turns the angle back too, with k
        held = b.joint(kind, 0, body, (1, 0), **given)
    b.run(60 if damping > 1000 else 20)
    share = 0.5 if kind == "weld" else 1.0
    assert b.world.angle[body] == pytest.approx(-share * 3 * G / 2 / 2000, rel=5e-3)
    force = math.hypot(b.state(held)["force_x"], b.state(held)["force_y"])
    assert force == pytest.approx(share * 3 * G / 2, rel=5e-3)


def test_a_mouse_pulls_an_arm_with_its_maximum_and_no_more(bench):
    """20 N at 1 m hold up 3 kg of arm (14.7 N there); 12 N do not."""
    for most, held in ((20, True), (12, False)):
        b = bench(gravity=(0, -G))
        body, _ = arm(b)
        mouse = b.joint("mouse", 0, body, anchor_bx=0.5, target_x=1, motor_max=most,
                        spring_kind=1, spring_1=5, spring_2=1)  # fmt: skip
        b.run(0.3)
        force = math.hypot(b.state(mouse)["force_x"], b.state(mouse)["force_y"])
        assert force == pytest.approx(3 * G / 2 if held else most, rel=0.03)
        b.run(2)
        assert (b.world.angle[body] > -0.05) == held


@pytest.mark.parametrize("damping", [200, 1500, 20000])
def test_a_buffer_is_pressed_by_the_load_over_its_stiffness(bench, damping):
    """A cabin of 800 kg, of which the motor bears 7000 N, sinks 848 / 4000 m into a soft limit."""
    b = bench(gravity=(0, -G), dt=1 / 120)
    body = b.body(0, 0, mass=800, inertia=100)
    lift = b.joint("prismatic", 0, body, (0, 0), axis_x=0, axis_y=1,
                   has_limits=1, lower=-0.5, upper=3, limit_spring_kind=2,
                   limit_spring_1=4000, limit_spring_2=damping,
                   motor_kind=1, motor_target=1, motor_max=7000)  # fmt: skip
    b.run(60)
    assert b.state(lift)["translation"] == pytest.approx(-0.5 - 848 / 4000, abs=1e-3)
    assert b.state(lift)["motor_force"] == pytest.approx(7000, rel=1e-4)


@every_row("kind", ["prismatic", "revolute"])
@every_row("way", [1, -1])
def test_a_motor_against_a_stop_gives_all_it_has(bench, solver, kind, way):
    """The joint as a whole bears the load; what the motor presses more, the stop takes."""
    b = bench(solver=solver, gravity=(0, -G))
    body = b.body(0, 0, mass=2, inertia=1)
    axis = {"axis_x": 0, "axis_y": 1} if kind == "prismatic" else {}
    joint = b.joint(kind, 0, body, (0, 0), **axis, has_limits=1, lower=-0.2, upper=0.3,
                    motor_kind=1, motor_target=2 * way, motor_max=50)  # fmt: skip
    b.run(3)
    state = b.state(joint)
    at = state["translation"] if kind == "prismatic" else state["angle"]
    assert at == pytest.approx(0.3 if way > 0 else -0.2, abs=2e-3)
    assert state["motor_force"] == pytest.approx(50 * way, rel=1e-3)
    if kind == "prismatic":
        assert state["force_y"] == pytest.approx(2 * G, rel=2e-3)


def test_springs_between_arms_keep_their_energy(bench):
    """Two free arms, a pin and an undamped spring given by frequency: what swings goes on."""
    b = bench(dt=1 / 240)
    first = b.body(0.5, 0, mass=3, inertia=0.25)
    second = b.body(1.5, 0, mass=2, inertia=0.2)
    b.joint("revolute", 0, first, (0, 0))
    b.joint("revolute", first, second, (1, 0), spring_kind=1, spring_1=1)
    b.world.set_velocity(first, 0, 0.5, 1)
    b.world.set_velocity(second, 0, 0, -2)

    # 1 / m = J M^-1 J^T of the angle, less what the pin between them takes of it
    beside = (0.5 / 0.25 - 0.5 / 0.2) ** 2 / (1 / 3 + 1 / 2 + 0.25 / 0.25 + 0.25 / 0.2)
    stiffness = (2 * math.pi) ** 2 / (1 / 0.25 + 1 / 0.2 - beside)

    def energy():
        w = b.world
        turn = w.angle[second] - w.angle[first]
        return 0.5 * stiffness * turn**2 + sum(
            0.5 * m * (w.vx[i] ** 2 + w.vy[i] ** 2) + 0.5 * n * w.omega[i] ** 2
            for i, m, n in ((first, 3, 0.25), (second, 2, 0.2))
        )

    seen = b.watch(20, energy)
    np.testing.assert_allclose(seen, seen[0], rtol=0.03)


def test_a_star_of_stiff_springs_on_one_hub_does_not_explode(bench):
    """Each alone swings at a third of what a substep can follow; thirty together do not."""
    b = bench()
    hub, _ = arm(b)
    light = b.body(1, 0, mass=0.2, inertia=0.01)
    b.joint("revolute", hub, light, (1, 0))
    for i in range(30):
        turn = 2 * math.pi * i / 30
        b.joint("distance", 0, light, anchor_ax=1 + math.cos(turn), anchor_ay=math.sin(turn),
                length=1, spring_kind=2, spring_1=1000)  # fmt: skip
    b.world.set_velocity(hub, 0, 0.5, 1)
    seen = np.abs(b.watch(5, lambda: b.world.y[light]))
    assert b.finite()
    assert seen.max() < 0.2


@every_row("dt", [1 / 30, 1 / 60, 1 / 240])
def test_a_light_body_between_a_soft_weld_and_a_rod_gains_no_energy(bench, solver, dt):
    """A pull lends the 13 g of the middle an inertia, but not the weld a stiffness: it falls with
    50 kg at the rod's end and 1 kg on its hinge, and the weld only takes energy."""
    b = bench(solver=solver, dt=dt, gravity=(0, -G))
    light = b.body(0.5, 0, mass=0.0126, inertia=0.0126 * 1.01 / 12)
    hinged = b.body(1.5, 0, mass=1, inertia=1.0625 / 12)
    load = b.body(2.5, 0, mass=50, inertia=50 * 1.01 / 12)
    b.joint("weld", 0, light, (0, 0), spring_kind=1, spring_1=6.74, spring_2=0.1)
    b.joint("revolute", light, hinged, (1, 0))
    b.joint("distance", light, load, length=2, min_length=2, max_length=2)
    seen = b.watch(3, lambda: sum(b.world.energy()))
    assert seen.max() < 1e-3


@every_row("kind", ["weld", "mouse"])
def test_a_frequency_speaks_of_the_mass_that_a_body_has(bench, solver, kind):
    """Whatever its damping: it sinks by g / w^2 and rests."""
    b = bench(solver=solver, joint_solver="direct", gravity=(0, -G))
    body = b.body(mass=2, inertia=1, linear_damping=40)
    b.joint(kind, 0, body, (0, 0), spring_kind=1, spring_1=1, spring_2=1)
    b.run(20)
    assert b.world.y[body] == pytest.approx(-G / (2 * math.pi) ** 2, rel=2e-3)
