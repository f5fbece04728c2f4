# SPDX-License-Identifier: MIT
"""Continuous collision: what is fast does not pass what is thin."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from rigid2d.core import _native

from tests.rows import every_row


def wall(b, x=5.0, thickness=0.01, height=40.0, **values):
    """A static wall whose near face lies at x."""
    body = b.body(x + thickness / 2, 0, **({"kind": 0} | values))
    b.box(body, thickness, height)
    return body


@every_row("start", [0, 0.37, 1.1, 2.9, 4.2])
@every_row("speed", [20, 100, 500])
def test_a_thin_wall_stops_a_fast_ball(bench, solver, speed, start):
    """A wall of 0.01, a ball of radius 0.1, steps of 1/60 s: 8.3 m in one step at 500 m/s."""
    b = bench(solver=solver)
    wall(b)
    ball = b.body(start, 0.3, vx=speed, mass=math.nan, inertia=math.nan)
    b.ball(ball, 0.1)
    x = b.watch(1, lambda: b.world.x[ball])
    assert x.max() < 4.95
    assert b.world.vx[ball] < 1


@every_row("degrees", [10, 45, 80])
def test_a_thin_wall_stops_what_comes_at_an_angle(bench, solver, degrees):
    b = bench(solver=solver)
    wall(b, height=4000)
    turn = math.radians(degrees)
    ball = b.body(0, 0, vx=500 * math.cos(turn), vy=500 * math.sin(turn), mass=1)
    b.ball(ball, 0.1, friction=0)
    x = b.watch(1, lambda: b.world.x[ball])
    assert x.max() < 4.95
    assert b.world.vy[ball] == pytest.approx(500 * math.sin(turn), rel=0.3)


@every_row("spin", [0, 30, -200])
def test_a_thin_wall_stops_a_fast_box_that_turns(bench, solver, spin):
    b = bench(solver=solver)
    wall(b)
    box = b.body(0, 0, vx=300, omega=spin, mass=math.nan, inertia=math.nan)
    b.box(box, 0.3, 0.2)
    x = b.watch(1, lambda: b.world.x[box])
    assert x.max() < 5


@every_row("spin", [5, 20, 60])
def test_a_spinning_rod_does_not_pass_a_thin_wall(bench, spin):
    """A rod of 2 m pinned 0.9 m before the wall: its tip can only get to the wall."""
    b = bench(gravity=(0, 0))
    wall(b, x=0.9)
    rod = b.body(0, 0, angle=math.pi / 2, omega=-spin, mass=math.nan, inertia=math.nan)
    b.shape(rod, 1, [(-1, 0), (1, 0)], radius=0.02)
    b.joint("revolute", 0, rod, (0, 0))
    upper = math.pi / 2
    least = math.acos(0.9) - 0.1
    angle = b.watch(2, lambda: b.world.angle[rod])
    assert angle.min() > least
    assert angle.max() < upper + math.pi - least


@every_row("spin", [10])
def test_a_thrown_spinning_rod_does_not_pass_a_thin_wall(bench, solver, spin):
    b = bench(solver=solver)
    wall(b)
    rod = b.body(0, 0, vx=80, omega=spin, mass=math.nan, inertia=math.nan)
    b.shape(rod, 1, [(-1, 0), (1, 0)], radius=0.02)
    x = b.watch(1, lambda: b.world.x[rod])
    assert x.max() < 5


@every_row("speed", [0.0, -3.0])
def test_a_fast_ball_is_stopped_by_a_kinematic_wall(bench, solver, speed):
    b = bench(solver=solver)
    plate = wall(b, kind=1, vx=speed)
    ball = b.body(0, 0, vx=400, mass=math.nan, inertia=math.nan)
    b.ball(ball, 0.1)
    gap = b.watch(1, lambda: b.world.x[plate] - b.world.x[ball])
    assert gap.min() > 0.05


def test_a_bullet_is_stopped_by_a_thin_plate_that_moves(bench, solver):
    b = bench(solver=solver)
    plate = wall(b, kind=2, mass=20, inertia=50, height=4)
    ball = b.body(0, 0, vx=500, bullet=1, mass=0.1, inertia=0.0005)
    b.ball(ball, 0.1)
    gap = b.watch(0.5, lambda: b.world.x[plate] - b.world.x[ball])
    assert gap.min() > 0.05
    assert b.world.vx[plate] == pytest.approx(0.1 * 500 / 20.1, rel=0.02)


def test_two_bullets_meet(bench, solver):
    b = bench(solver=solver)
    left, right = b.body(-5, 0, vx=300, bullet=1), b.body(5.3, 0, vx=-300, bullet=1)
    for ball in (left, right):
        b.ball(ball, 0.1)
    gap = b.watch(0.5, lambda: b.world.x[right] - b.world.x[left])
    assert gap.min() > 0.15


@every_row("restitution", [0.5, 1.0])
def test_a_fast_ball_bounces_off_a_thin_wall(bench, restitution):
    b = bench()
    body = b.body(5, 0, kind=0)
    b.box(body, 0.01, 40, restitution=restitution)
    ball = b.body(0, 0, vx=300, mass=math.nan, inertia=math.nan)
    b.ball(ball, 0.1, restitution=restitution)
    x = b.watch(0.5, lambda: b.world.x[ball])
    assert x.max() < 5
    assert b.world.vx[ball] == pytest.approx(-300 * restitution, rel=0.05)


def test_a_fast_body_passes_a_sensor_and_what_it_may_not_touch(bench, solver):
    b = bench(solver=solver)
    b.box(b.body(5, 0, kind=0), 0.01, 40, sensor=1)
    b.box(b.body(9, 0, kind=0), 0.01, 40, category=1)
    b.world.set_collision_matrix(np.array([[True, False], [False, True]]))
    ball = b.body(0, 0, vx=300, mass=math.nan, inertia=math.nan)
    b.ball(ball, 0.1)
    b.run(1)
    assert b.world.x[ball] == pytest.approx(300, rel=1e-4)


def test_a_ball_in_a_thin_box_stays_inside(bench):
    """Hundreds of bounces at 200 m/s and more, with all four walls 0.01 thick."""
    b = bench()
    frame = b.body(kind=0)
    for x, y, w, h in ((2, 0, 0.01, 4), (-2, 0, 0.01, 4), (0, 2, 4, 0.01), (0, -2, 4, 0.01)):
        corners = [(x - w / 2, y - h / 2), (x + w / 2, y - h / 2)]
        corners += [(x + w / 2, y + h / 2), (x - w / 2, y + h / 2)]
        b.shape(frame, 3, corners, restitution=1, friction=0)
    balls = [b.body(0.5 * i - 1, 0.1 * i, vx=200 + 31 * i, vy=150 - 67 * i) for i in range(5)]
    for ball in balls:
        b.ball(ball, 0.1, restitution=1, friction=0)
    for _ in range(300):
        b.world.step()
        assert np.abs(b.world.x[balls]).max() < 2.0
        assert np.abs(b.world.y[balls]).max() < 2.0


def test_nothing_slows_down_where_nothing_is_fast(bench):
    """A ball that rolls on slowly along thin walls keeps its way and its speed."""
    b = bench()
    body = b.body(0, -0.105, kind=0)
    b.box(body, 400, 0.01, friction=0)
    ball = b.body(0, 0, vx=2)
    b.ball(ball, 0.1, friction=0)
    b.run(5)
    assert b.world.vx[ball] == pytest.approx(2, rel=1e-5)
    assert b.world.x[ball] == pytest.approx(10, rel=1e-4)


def test_fast_bodies_are_the_same_bits_on_any_lanes_and_threads(bench, solver):
    def final(lanes: int, threads: int) -> int:
        b = bench(solver=solver, lanes=lanes, threads=threads)
        wall(b)
        wall(b, x=-20)
        for i in range(30):
            ball = b.body(0, i - 15, vx=300 + i, vy=3 * i, omega=i, bullet=i % 2)
            b.box(ball, 0.3, 0.2, restitution=0.9)
        b.run(1)
        return b.world.state_hash()

    assert len({final(n, t) for n in _native.lanes_supported() for t in (1, 3)}) == 1


THROWN = ("ball", "box", "rod", "capsule", "triangle", "compound")


def throw(b, kind: str, chance: random.Random, **values) -> tuple[int, tuple[float, float]]:
    """A body thrown along x at up to 500 m/s, turning by up to 100 rad/s; and its middle."""
    speed = chance.choice((20, 80, 200, 500))
    tilt = math.radians(chance.uniform(-60, 60))
    given = {"mass": math.nan, "inertia": math.nan, "center_x": math.nan, "center_y": math.nan}
    given |= {"vx": speed * math.cos(tilt), "vy": speed * math.sin(tilt)}
    given |= {"omega": chance.choice((0, 10, 40, -90, 100)), "angle": chance.uniform(0, 6)}
    given["x"] = chance.uniform(0, 3)
    body = b.body(**(given | values))
    surface = {"restitution": chance.choice((0, 0, 0.5, 1)), "friction": chance.choice((0, 0.5))}
    if kind == "ball":
        b.ball(body, 0.1, **surface)
    elif kind == "box":
        b.box(body, 0.3, 0.2, **surface)
    elif kind == "rod":
        b.box(body, 1, 0.05, **surface)
    elif kind == "capsule":
        b.shape(body, 1, [(-0.6, 0), (0.6, 0)], radius=0.02, **surface)
    elif kind == "triangle":
        b.shape(body, 3, [(-0.2, -0.1), (0.2, -0.1), (0, 0.2)], **surface)
    else:
        b.ball(body, 0.1, **surface)
        b.shape(body, 3, [(0, -0.03), (0.6, -0.03), (0.6, 0.03), (0, 0.03)], **surface)
        return body, (0.17, 0.0)
    return body, (0.0, 0.0)


def stand(b, kind: str) -> tuple[int, float]:
    """A wall of 200 m, thin or without thickness, whose face is at x = 5; and its speed."""
    if kind == "moving":
        return wall(b, kind=1, vx=-50.0, height=200), -50.0
    body = b.body(kind=0)
    if kind == "segment":
        b.shape(body, 2, [(5, -100), (5, 100)])
    elif kind == "chain":
        ends = [(5.0, y) for y in range(-100, 101, 4)]
        ends = [ends[0], *ends, ends[-1]]
        for i in range(len(ends) - 3):
            b.shape(body, 4, ends[i : i + 4])
    else:
        b.box(b.body(5.005, 0, kind=0), 0.01, 200)
    return body, 0.0


@every_row("substeps", [1, 4])
@every_row("against", ["box", "segment", "chain", "moving"])
@every_row("kind", THROWN)
def test_nothing_thrown_passes_a_thin_wall(bench, solver, kind, against, substeps):
    """Throws of all sorts: the body's middle stays on its side of the wall."""
    chance = random.Random(f"{kind} {against}")
    for i in range(12):
        b = bench(solver=solver, substeps=substeps, gravity=(0, -9.81 * (i % 2)))
        _, speed = stand(b, against)
        body, middle = throw(b, kind, chance)
        for step in range(1, 31):
            assert b.world.step() == 1
            face = 5 + speed * step * b.dt
            assert b.point(body, middle)[0] < face + 0.012, f"throw {i}, step {step}"


@every_row("restitution", [0.0, 1.0])
def test_nothing_thrown_leaves_a_ring_of_lines(bench, solver, restitution):
    """24 segments round a middle; a chord's middle is 5 cos 7.5 deg from it, its ends 5 m."""
    corners = [(5 * math.cos(i * math.pi / 12), 5 * math.sin(i * math.pi / 12)) for i in range(25)]
    chance = random.Random(1)
    for i in range(12):
        b = bench(solver=solver)
        ring = b.body(kind=0)
        for ends in itertools.pairwise(corners):
            b.shape(ring, 2, ends, restitution=restitution)
        body, _ = throw(b, "ball" if i % 2 else "capsule", chance, x=0)
        far = b.watch(0.75, lambda b=b, body=body: math.hypot(b.world.x[body], b.world.y[body]))
        assert far.max() < 5


def floor(b, kind: str) -> None:
    """A level floor at y = 0, from x = -10 on, of one piece or of pieces of 1 m."""
    body = b.body(kind=0)
    if kind == "box":
        b.shape(body, 3, [(-10, -0.01), (600, -0.01), (600, 0), (-10, 0)])
    for x in range(-10, 600):
        if kind == "segments":
            b.shape(body, 2, [(x, 0), (x + 1, 0)])
        elif kind == "boxes":
            b.shape(body, 3, [(x, -1), (x + 1, -1), (x + 1, 0), (x, 0)])
        elif kind == "chain":
            b.shape(body, 4, [(x - 1, 0), (x, 0), (x + 1, 0), (x + 2, 0)])


@every_row("speed", [30, 100, 500])
@every_row("on", ["box", "boxes", "segments", "chain"])
@every_row("kind", ["ball", "box"])
def test_what_slides_fast_over_a_floor_keeps_its_speed(bench, solver, kind, on, speed):
    """Without friction nothing may stop it, neither at the joins nor by a look at its way."""
    b = bench(solver=solver, gravity=(0, -9.81))
    floor(b, on)
    body = b.body(0, 0.1, vx=speed, mass=math.nan, inertia=math.nan)
    if kind == "ball":
        b.ball(body, 0.1, friction=0)
    else:
        b.box(body, 0.3, 0.2, friction=0)
    y = b.watch(1, lambda: b.world.y[body])
    assert b.world.vx[body] == pytest.approx(speed, rel=1e-3)
    assert b.world.x[body] == pytest.approx(speed, rel=1e-2)
    assert abs(y - 0.1).max() < 0.03


@every_row("spin", [20, -60, 100])
def test_a_driven_pinned_rod_does_not_pass_a_pin(bench, solver, spin):
    """The rod turns by up to 1.7 rad in a step; as it sees it, the pin stays on one side."""
    b = bench(solver=solver)
    b.ball(b.body(0.8, 0, kind=0), 0.01)
    rod = b.body(0, 0, angle=math.pi / 2, omega=spin, mass=math.nan, inertia=math.nan)
    b.box(rod, 2, 0.05)
    b.joint("revolute", 0, rod, (0, 0), motor_kind=1, motor_target=spin, motor_max=200)
    side = b.watch(2, lambda: b.local(rod, (0.8, 0))[1])
    assert side.max() < 0
    assert math.hypot(b.world.x[rod], b.world.y[rod]) < 0.05


def test_what_is_set_in_motion_between_two_steps_is_stopped(bench, solver):
    """A body at rest has looked for neighbours only where it was."""
    b = bench(solver=solver)
    wall(b)
    ball = b.body(0, 0, mass=1)
    b.ball(ball, 0.1)
    b.run(0.1)
    b.world.set_velocity(ball, 500, 0, 0)
    x = b.watch(0.5, lambda: b.world.x[ball])
    assert x.max() < 5


def passes_a_plate(bench, solver: str, kind: str, bullet: int) -> int:
    """Number of 20 throws that end behind a freely floating plate of 0.01 m and 500 kg."""
    chance = random.Random(kind)
    passed = 0
    for _ in range(20):
        b = bench(solver=solver)
        plate = b.body(5, 0, mass=500, inertia=1e5)
        b.box(plate, 0.01, 60)
        body, _ = throw(b, kind, chance, bullet=bullet)
        for _ in range(20):
            assert b.world.step() == 1
            along = b.local(plate, (b.world.x[body], b.world.y[body]))
            if along[0] > 0.012 and abs(along[1]) < 29:
                passed += 1
                break
    return passed


@every_row("kind", ["box", "rod", "capsule", "triangle"])
def test_only_a_bullet_passes_no_thin_plate_that_moves(bench, solver, kind):
    assert passes_a_plate(bench, solver, kind, 1) == 0
    assert passes_a_plate(bench, solver, kind, 0) > 0


@every_row("kind", ["ball", "box", "rod", "capsule"])
def test_bullets_stop_one_another(bench, solver, kind):
    """A bullet flies at a plate that is a bullet too, at up to 800 m/s."""
    chance = random.Random(kind)
    for _ in range(12):
        b = bench(solver=solver)
        body, _ = throw(b, kind, chance, bullet=1)
        speed = chance.choice((50, 300))
        plate = b.body(chance.uniform(5, 7), 0, vx=-speed, bullet=1, mass=100, inertia=3e4)
        b.box(plate, 0.05, 60)
        for _ in range(20):
            assert b.world.step() == 1
            along = b.local(plate, (b.world.x[body], b.world.y[body]))
            assert along[0] < 0.012 or abs(along[1]) > 29


def test_a_bullet_that_is_stopped_hands_on_its_momentum(bench, solver):
    """m v before and after; the plate is free, so nothing else can take it."""
    b = bench(solver=solver)
    plate = b.body(5, 0, mass=20, inertia=50)
    b.box(plate, 0.01, 4)
    rod = b.body(0, 0.3, vx=300, omega=100, angle=1, bullet=1, mass=1, inertia=1 / 12)
    b.box(rod, 1, 0.05)
    b.run(0.5)
    w = b.world
    assert w.vx[rod] + 20 * w.vx[plate] == pytest.approx(300, rel=1e-4)
    assert w.vy[rod] + 20 * w.vy[plate] == pytest.approx(0, abs=0.01)
    assert w.vx[plate] > 5


@every_row(
    ("size", "x", "angle", "speed", "spin"),
    [
        ((1.2, 0.04), 2.1244164081259442, 0.34979745877387425, 350, 10),
        ((1.2, 0.04), 1.6969029458876426, 1.457648472514248, 200, 10),
        ((1, 0.05), 1.9759270649719594, 4.257530528039775, 500, 100),
    ],
)
def test_what_turns_into_a_wall_is_not_held_there(bench, solver, size, x, angle, speed, spin):
    """With speed it moves on within a few steps, on whichever corner it came down."""
    b = bench(solver=solver)
    stand(b, "box")
    body = b.body(x, 0, angle=angle, vx=speed, omega=spin, mass=math.nan, inertia=math.nan)
    if size[1] == 0.04:
        b.shape(body, 1, [(-0.6, 0), (0.6, 0)], radius=0.02, friction=0)
    else:
        b.box(body, *size)
    w = b.world
    waited = 0
    for _ in range(40):
        before = w.x[body], w.y[body]
        assert w.step() == 1
        way = math.hypot(w.vx[body], w.vy[body]) * b.dt
        moved = math.dist(before, (w.x[body], w.y[body]))
        waited = waited + 1 if way > 0.1 and moved < 0.3 * way else 0
        assert waited < 8
