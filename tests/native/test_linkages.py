# SPDX-License-Identifier: MIT
"""Many joints at once: chains, welded beams, the double pendulum, closed loops."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from rigid2d.core import _native

from tests.rows import every_row

G = 9.81


def link(b, p, q, density=1.0, **values):
    """A bar from p to q without a shape, as heavy as it is long, and its ends' coordinates."""
    length = math.dist(p, q)
    angle = math.atan2(q[1] - p[1], q[0] - p[0])
    mass = density * length
    return b.body(
        (p[0] + q[0]) / 2,
        (p[1] + q[1]) / 2,
        angle=angle,
        mass=mass,
        inertia=mass * length**2 / 12,
        **values,
    )


class Linkage:
    """A bench whose pins are remembered, to see how far they come apart."""

    def __init__(self, b):
        self.b = b
        self.pins = []

    def pin(self, first, second, at, **values):
        joint = self.b.joint("revolute", first, second, at, **values)
        self.pins.append((first, self.b.local(first, at), second, self.b.local(second, at)))
        return joint

    def gap(self):
        """The widest pin."""
        point = self.b.point
        return max(math.dist(point(f, p), point(s, q)) for f, p, s, q in self.pins)


def test_a_chain_of_100_links_under_a_load_of_100_stretches_less_than_1_percent(bench, solver):
    b = bench(gravity=(0, -G), solver=solver)
    chain = Linkage(b)
    above = 0
    for i in range(100):
        below = link(b, (0, -i), (0, -i - 1), density=0.01)
        chain.pin(above, below, (0, -i))
        above = below
    load = b.body(0, -100, mass=1, inertia=0.1)
    chain.pin(above, load, (0, -100))
    b.world.set_velocity(load, 3, 0, 0)
    lowest = b.watch(5, lambda: math.hypot(b.world.x[load], b.world.y[load]))
    assert lowest.max() < 101
    assert chain.gap() < 0.01


@every_row("degrees", [0, 40, 90])
def test_a_weld_of_ten_links_holds_still_within_200_steps(bench, solver, degrees):
    b = bench(gravity=(0, -G), solver=solver)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    above = 0
    for i in range(10):
        below = link(b, (i * c, i * s), ((i + 1) * c, (i + 1) * s))
        b.joint("weld", above, below, (i * c, i * s))
        above = below
    b.world.step(200)
    moving = np.hypot(b.world.vx, b.world.vy)
    assert moving.max() < 1e-3
    assert b.point(above, (0.5, 0)) == pytest.approx((10 * c, 10 * s), abs=0.01)  # 1 mm per m


def test_a_weld_of_ten_links_carries_its_weight_and_moment(bench, solver):
    b = bench(gravity=(0, -G), solver=solver)
    above, joints = 0, []
    for i in range(10):
        below = link(b, (i, 0), (i + 1, 0))
        joints.append(b.joint("weld", above, below, (i, 0)))
        above = below
    b.run(4)
    for i in (0, 4, 9):
        rest = 10 - i
        assert b.state(joints[i])["force_y"] == pytest.approx(rest * G, rel=0.005)
        assert b.state(joints[i])["torque"] == pytest.approx(rest * G * rest / 2, rel=0.01)


@pytest.mark.parametrize("degrees", [60, 120, 170])
def test_a_double_pendulum_keeps_its_energy_over_10_seconds(bench, degrees):
    b = bench(gravity=(0, -G), dt=1 / 240)
    arms = Linkage(b)
    turn = math.radians(degrees)
    elbow = (math.sin(turn), -math.cos(turn))
    tip = (2 * elbow[0], 2 * elbow[1])
    upper, lower = link(b, (0, 0), elbow), link(b, elbow, tip)
    arms.pin(0, upper, (0, 0))
    arms.pin(upper, lower, elbow)
    energy = b.watch(10, lambda: sum(b.world.energy()))
    # What it can change into motion: from where it is let go down to where it hangs.
    height = 2 * (1 - math.cos(turn)) * G
    assert np.ptp(energy) < 0.01 * height
    assert arms.gap() < 1e-3


def test_a_bridge_of_planks_bears_a_load(bench, solver):
    """A rope bridge hung in an arc: the pins hold together and the middle stays low."""
    b = bench(solver=solver, gravity=(0, -G), iterations=60)
    bridge = Linkage(b)
    count, span, sag = 16, 14.0, 2.0
    points = [
        (span * i / count - span / 2, -sag * (1 - (2 * i / count - 1) ** 2))
        for i in range(count + 1)
    ]
    planks = [link(b, p, q, angular_damping=0.5) for p, q in itertools.pairwise(points)]
    for first, second, at in zip([0, *planks], [*planks, 0], points, strict=True):
        if second == 0:
            bridge.pin(0, first, at)
        else:
            bridge.pin(first, second, at)
    b.force(1, planks[count // 2], at_x=-0.5, at_y=0, y=-200)
    b.run(5)
    assert bridge.gap() < 0.01 * span
    assert -4 < b.world.y[planks[count // 2]] < -1


def crank(b, parts, length, speed):
    """A crank about the origin, driven at a speed."""
    body = link(b, (0, 0), (length, 0))
    motor = {"motor_kind": 1, "motor_target": speed, "motor_max": 1e4}
    parts.pin(0, body, (0, 0), **motor)
    return body


@pytest.mark.parametrize("speed", [3, 20])
def test_a_slider_crank_keeps_its_loop(bench, speed):
    """The piston is where x = r cos a + sqrt(l^2 - r^2 sin^2 a), within 1 mm per metre."""
    b = bench(gravity=(0, -G), dt=1 / 240)
    parts = Linkage(b)
    turning = crank(b, parts, 0.5, speed)
    rod = link(b, (0.5, 0), (2, 0))
    piston = b.body(2, 0, mass=2)
    parts.pin(turning, rod, (0.5, 0))
    parts.pin(rod, piston, (2, 0))
    slide = b.joint("prismatic", 0, piston, (2, 0))
    worst = 0.0
    for _ in range(5 * 240):
        b.world.step()
        a = b.world.angle[turning]
        x = 0.5 * math.cos(a) + math.sqrt(1.5**2 - (0.5 * math.sin(a)) ** 2)
        worst = max(worst, abs(b.world.x[piston] - x), abs(b.world.y[piston]), parts.gap())
    assert worst < 1.5e-3
    assert b.state(slide)["translation"] == pytest.approx(b.world.x[piston] - 2, abs=1e-6)
    assert b.world.angle[turning] == pytest.approx(speed * 5, rel=0.02)


def meet(p, r, q, s):
    """Where circles of radius r about p and s about q meet, on the left of p -> q."""
    d = math.dist(p, q)
    along = (r * r - s * s + d * d) / (2 * d)
    up = math.sqrt(r * r - along * along)
    ux, uy = (q[0] - p[0]) / d, (q[1] - p[1]) / d
    return p[0] + ux * along - uy * up, p[1] + uy * along + ux * up


@pytest.mark.parametrize("speed", [4, -15])
def test_a_four_bar_linkage_keeps_its_loop(bench, speed):
    """Crank 1, coupler 3, rocker 2.5, ground 3: the rocker's tip is where the circles meet."""
    b = bench(gravity=(0, -G), dt=1 / 240)
    parts = Linkage(b)
    ground = (3.0, 0.0)
    tip = meet((1, 0), 3, ground, 2.5)
    turning = crank(b, parts, 1, speed)
    coupler, rocker = link(b, (1, 0), tip), link(b, ground, tip)
    parts.pin(turning, coupler, (1, 0))
    parts.pin(coupler, rocker, tip)
    parts.pin(0, rocker, ground)
    worst = 0.0
    for _ in range(5 * 240):
        b.world.step()
        a = b.world.angle[turning]
        expected = meet((math.cos(a), math.sin(a)), 3, ground, 2.5)
        worst = max(worst, math.dist(b.point(rocker, (1.25, 0)), expected), parts.gap())
    assert worst < 3e-3
    assert b.world.angle[turning] == pytest.approx(speed * 5, rel=0.02)


def test_a_jansen_leg_keeps_its_loops(bench):
    """Jansen's numbers, a tenth of them in metres: crank 1.5, frame 3.8 by 0.78, two triangles."""
    b = bench(gravity=(0, -G), dt=1 / 240)
    parts = Linkage(b)
    pivot, hand = (-3.8, -0.78), (1.5, 0.0)
    top = meet(pivot, 4.15, hand, 5.0)
    low = meet(hand, 6.19, pivot, 3.93)
    back = meet(pivot, 4.01, top, 5.58)
    heel = meet(low, 3.67, back, 3.94)
    foot = meet(low, 4.9, heel, 6.57)
    turning = crank(b, parts, 1.5, 4)
    shin = link(b, low, heel)
    knee = link(b, pivot, top)
    rods = {(hand, top): turning, (hand, low): turning, (back, heel): shin}
    made = {ends: link(b, *ends) for ends in [*rods, (pivot, low)]}
    for ends in ((hand, top), (hand, low)):
        parts.pin(turning, made[ends], hand)
    parts.pin(made[hand, top], knee, top)
    parts.pin(0, knee, pivot)
    parts.pin(0, made[pivot, low], pivot)
    parts.pin(made[pivot, low], made[hand, low], low)
    parts.pin(made[hand, low], shin, low)
    parts.pin(knee, made[back, heel], back)
    parts.pin(made[back, heel], shin, heel)
    local = b.local(shin, foot)
    feet, worst = [], 0.0
    for _ in range(4 * 240):
        b.world.step()
        worst = max(worst, parts.gap())
        feet.append(b.point(shin, local))
    assert worst < 1.5e-3
    assert b.world.angle[turning] == pytest.approx(16, rel=0.02)
    # It walks: after one turn of the crank the foot is where it was.
    period = round(2 * math.pi / 4 * 240)
    assert math.dist(feet[200], feet[200 + period]) < 0.1
    assert np.ptp([x for x, _ in feet]) > 3


def test_linkages_are_the_same_bits_on_any_lanes_and_threads(bench, solver):
    def final(lanes, threads):
        b = bench(solver=solver, gravity=(0, -G), lanes=lanes, threads=threads)
        for n in range(12):
            above = 0
            for i in range(5):
                below = link(b, (i, 3 * n), (i + 1, 3 * n))
                kind = ("revolute", "weld", "prismatic", "wheel", "distance")[(i + n) % 5]
                values = {"spring_kind": 1, "spring_1": 2, "spring_2": 0.2} if i % 2 else {}
                b.joint(kind, above, below, (i, 3 * n), **values)
                above = below
        b.run(2)
        assert b.finite()
        return b.world.state_hash()

    assert len({final(n, t) for n in _native.lanes_supported() for t in (1, 3)}) == 1
