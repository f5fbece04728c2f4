# SPDX-License-Identifier: MIT
"""Bodies that slide or roll along a smooth chain keep their speed."""

from __future__ import annotations

import math
import random
import re
from itertools import pairwise, product

import numpy as np
import pytest

from tests.rows import every_row
from tests.search import tries

from .conftest import GRAVITY


def ring_points(radius: float, count: int) -> list[list[float]]:
    turns = [2 * math.pi * i / count for i in range(count)]
    return [[round(radius * math.cos(a), 7), round(radius * math.sin(a), 7)] for a in turns]


def in_a_ring(
    ring: float = 1,
    points: int = 1440,
    radius: float = 0.1,
    speed: float = 10,
    dt: float = 1 / 60,
    laps: float = 1,
    **more: object,
) -> str:
    """A ball on the middle of the ring's lowest line; `more` are settings of solver and bodies."""
    settings = {"solver": "soft_step", "gravity": 0, "friction": 0, "restitution": 0, "spin": 0}
    settings.update({"type": "static", "frame": "", "moving": [0, 0], **more})
    lowest = ring * math.cos(math.pi / points) - radius
    at = -math.pi / 2 + math.pi / points
    x, y = lowest * math.cos(at), lowest * math.sin(at)
    vx = settings["moving"][0] - speed * math.sin(at)
    vy = settings["moving"][1] + speed * math.cos(at)
    return f"""
world: {{duration: {laps * 2 * math.pi * lowest / speed!r}, dt: {dt!r}, sleep: false,
         gravity: [0, {-settings["gravity"]}], solver: {{type: {settings["solver"]}}}}}
defaults: {{material: {{friction: {settings["friction"]}, restitution: {settings["restitution"]}}}}}
bodies:
  ring: {{type: {settings["type"]}, {settings["frame"]}
          shape: {{chain: {ring_points(ring, points)}, loop: true}}}}
  ball: {{shape: {{circle: {radius}}}, mass: 1, position: [{x}, {y}], velocity: [{vx}, {vy}],
          angular_velocity: {math.degrees(settings["spin"])}}}
"""


def kinetic(ball, radius: float = 0) -> np.ndarray:
    return 0.5 * (ball.vx**2 + ball.vy**2) + 0.25 * radius**2 * ball.omega**2


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"dt": 1 / 240},
        {"dt": 1 / 30},
        {"dt": 1 / 960},
        {"points": 36},
        {"points": 36, "dt": 1 / 30},
        {"points": 100, "radius": 0.01},
        {"points": 36, "radius": 0.01},
        {"points": 36, "radius": 0.9},
        {"points": 5000},
        {"speed": 1},
        {"speed": 1, "points": 36},
        {"speed": 100},
        {"speed": 100, "points": 36},
        {"ring": 20, "speed": 100, "points": 36},
        {"ring": 20, "speed": 3, "points": 360},
        {"restitution": 0.8, "points": 100},
    ],
    ids=str,
)
def test_a_bead_in_a_ring_keeps_its_speed(run, case):
    ball = run(in_a_ring(laps=2, **case))["ball"]
    energy = kinetic(ball) / kinetic(ball)[0]
    assert energy.max() < 1.002
    assert energy[-1] > 0.99


@pytest.mark.parametrize(
    "case",
    [{}, {"dt": 1 / 240}, {"points": 36}, {"speed": 1}, {"speed": 30}, {"speed": 30, "points": 36}],
    ids=str,
)
def test_a_bead_in_a_ring_keeps_its_speed_in_sequential_impulse_too(run, case):
    """At 30 m/s it goes round by more than half a radian in a step."""
    ball = run(in_a_ring(laps=3, solver="sequential_impulse", **case))["ball"]
    energy = kinetic(ball) / kinetic(ball)[0]
    assert energy.max() < 1.001
    assert energy[-1] > 0.99


def lying_in_a_ring(
    shape: str, height: float, points: int = 1440, speed: float = 10, dt: float = 1 / 60,
    solver: str = "soft_step",
) -> str:  # fmt: skip
    """What lies across the lowest place of a ring of 1 m, its middle `height` over that, slides."""
    turn = math.pi / points - math.pi / 2
    way = 1 - height
    x, y, spin = way * math.cos(turn), way * math.sin(turn), speed / way
    return f"""
world: {{duration: {3 * 2 * math.pi * way / speed!r}, dt: {dt!r}, sleep: false, gravity: [0, 0],
         solver: {{type: {solver}}}}}
defaults: {{material: {{friction: 0}}}}
record: {{channels: [world.energy]}}
bodies:
  ring: {{type: static, shape: {{chain: {ring_points(1, points)}, loop: true}}}}
  body: {{{shape}, position: [{x}, {y}], angle: {math.degrees(turn) + 90},
          velocity: [{-spin * y}, {spin * x}], angular_velocity: {math.degrees(spin)}}}
"""


def height_on(arms: float, below: float, radius: float = 0) -> float:
    """Of what stands on two feet in a ring of 1 m: how far apart they are, how far below it."""
    return 1 - math.sqrt((1 - radius) ** 2 - arms**2 / 4) + below


LYING = {
    "small box": ("shape: {box: [0.1, 0.05]}", height_on(0.1, 0.025)),
    "box": ("shape: {box: [0.4, 0.2]}", height_on(0.4, 0.1)),
    "upright box": ("shape: {box: [0.2, 0.4]}", height_on(0.2, 0.2)),
    "rounded box": ("shape: {box: [0.4, 0.2], radius: 0.03}", height_on(0.34, 0.07, 0.03)),
    "capsule": ("shape: {capsule: [[-0.3, 0], [0.3, 0]], radius: 0.1}", height_on(0.6, 0, 0.1)),
    "hexagon": (
        "shapes: [{regular_polygon: {sides: 6, radius: 0.1}, angle: 30}]",
        height_on(0.1, 0.1 * math.cos(math.pi / 6)),
    ),
    "two circles": (
        "shapes: [{circle: 0.1, offset: [-0.4, 0]}, {circle: 0.1, offset: [0.4, 0]}]",
        height_on(0.8, 0, 0.1),
    ),
}


@pytest.mark.parametrize(("name", "points"), [*product(LYING, [36, 90, 1440])][:: tries(2, 1)])
def test_what_lies_in_a_ring_on_two_corners_keeps_its_energy(run, solver, name, points):
    """From when it lies on the line as it is led: between points that is a little inside."""
    shape, height = LYING[name]
    energy = run(lying_in_a_ring(shape, height, points, solver=solver))["world"].energy[20:]
    assert energy.max() < 1.002 * energy[0]
    assert energy[-1] > 0.99 * energy[0]


@pytest.mark.parametrize("dt", [1 / 30, 1 / 240])
@pytest.mark.parametrize("speed", [1, 5])
def test_a_box_in_a_ring_keeps_its_energy_at_other_steps_and_speeds(run, solver, speed, dt):
    text = lying_in_a_ring(*LYING["box"], points=90, speed=speed, dt=dt, solver=solver)
    energy = run(text)["world"].energy[20:]
    assert energy.max() < 1.002 * energy[0]
    assert energy[-1] > 0.99 * energy[0]


def test_a_cart_on_two_jointed_wheels_keeps_its_energy_in_a_ring(run, solver):
    way, spin = math.sqrt(0.95**2 - 0.2**2), 5 / 0.95
    wheel = "shape: {circle: 0.05}, category: cart"
    moving = f"angular_velocity: {math.degrees(spin)}"
    energy = run(
        f"""
world: {{duration: 4, sleep: false, gravity: [0, 0], solver: {{type: {solver}}}}}
defaults: {{material: {{friction: 0}}}}
collision: {{ignore: [[cart, cart]]}}
record: {{channels: [world.energy]}}
bodies:
  ring: {{type: static, shape: {{chain: {ring_points(1, 360)}, loop: true}}}}
  cart: {{shape: {{box: [0.3, 0.04]}}, category: cart, position: [0, {-way}],
          velocity: [{spin * way}, 0], {moving}}}
  left: {{{wheel}, position: [-0.2, {-way}], velocity: [{spin * way}, {-0.2 * spin}], {moving}}}
  right: {{{wheel}, position: [0.2, {-way}], velocity: [{spin * way}, {0.2 * spin}], {moving}}}
joints:
  back: {{type: revolute, bodies: [cart, left], anchor: [-0.2, {-way}]}}
  front: {{type: revolute, bodies: [cart, right], anchor: [0.2, {-way}]}}
"""
    )["world"].energy
    assert energy.max() < 1.01 * energy[0]
    assert energy[-1] > 0.97 * energy[0]


@pytest.mark.parametrize("points", [36, 360, 1440])
def test_a_ball_that_rolls_round_a_ring_keeps_its_energy(run, points):
    speed, radius = 10, 0.2
    text = in_a_ring(2, points, radius, speed, laps=3, friction=0.5, spin=-speed / radius)
    ball = run(text)["ball"]
    energy = kinetic(ball, radius)
    assert energy[-1] == pytest.approx(energy[0], rel=0.01)
    assert np.hypot(ball.vx, ball.vy)[-1] == pytest.approx(-radius * ball.omega[-1], rel=0.001)


def test_a_ball_that_starts_to_roll_in_a_ring_keeps_two_thirds_of_its_speed(run):
    """Angular momentum about the contact: v = 2/3 v0 for a disc, in a ring as on a table."""
    ball = run(in_a_ring(2, 360, 0.2, 9, laps=3, friction=0.5))["ball"]
    assert np.hypot(ball.vx, ball.vy)[-1] == pytest.approx(6, rel=0.01)


def test_a_ring_presses_on_a_bead_as_the_turn_needs(make):
    """N = m v^2 / r + m g at the bottom, and - m g at the top."""
    ring, radius, speed = 2, 0.1, 10
    world = make(in_a_ring(ring, 360, radius, speed, dt=1 / 240, gravity=GRAVITY))
    forces = []
    for _ in range(int(4.5 / speed * 2 * math.pi * 240)):
        world.step()
        (contact,) = world.query.contacts()
        x, y = world["ball"].position
        forces.append((math.atan2(x, -y), contact.normal_force))
    bottom = min(forces, key=lambda entry: abs(entry[0]))[1]
    top = max(forces, key=lambda entry: abs(entry[0]))[1]
    way = ring - radius
    at_top = speed**2 - 4 * GRAVITY * way
    assert bottom == pytest.approx(speed**2 / way + GRAVITY, rel=0.03)
    assert top == pytest.approx(at_top / way - GRAVITY, rel=0.06)


def test_a_ring_that_moves_keeps_a_bead_at_its_speed_against_it(run):
    text = in_a_ring(1, 360, speed=5, laps=3, type="kinematic", frame="velocity: [3, 2],",
                     moving=[3, 2])  # fmt: skip
    ball = run(text)["ball"]
    assert np.hypot(ball.vx - 3, ball.vy - 2)[-1] == pytest.approx(5, rel=0.002)


def test_a_ring_that_turns_does_not_take_a_bead_along_without_friction(run):
    text = in_a_ring(1, 360, speed=5, laps=3, type="kinematic", frame="angular_velocity: 300,")
    ball = run(text)["ball"]
    assert np.hypot(ball.vx, ball.vy)[-1] == pytest.approx(5, rel=0.002)


@pytest.mark.parametrize("mass", [0.01, 1, 100])
def test_a_free_ring_and_its_bead_keep_energy_and_momentum(run, mass):
    free = f"mass: {mass}, inertia: {mass},"
    trace = run(in_a_ring(1, 360, speed=5, laps=3, type="dynamic", frame=free))
    ball, ring = trace["ball"], trace["ring"]
    energy = kinetic(ball) + mass * kinetic(ring) + 0.5 * mass * ring.omega**2
    assert energy[-1] == pytest.approx(12.5, rel=0.002)
    assert ball.vx[-1] + mass * ring.vx[-1] == pytest.approx(ball.vx[0], rel=1e-3)
    assert np.hypot(ball.x - ring.x, ball.y - ring.y) == pytest.approx(0.9, abs=0.001)


@pytest.mark.parametrize("points", [40, 400])
def test_a_bead_in_a_valley_comes_back_as_high_as_it_was(run, points):
    valley = [[round(x, 6), round(1 - math.cos(x), 6)] for x in np.linspace(-3, 3, points).tolist()]
    ball = run(
        f"""
world: {{duration: 30, sleep: false}}
defaults: {{material: {{friction: 0}}}}
bodies:
  valley: {{type: static, shape: {{chain: {valley}}}}}
  ball: {{shape: {{circle: 0.1}}, position: [2, 1.55]}}
"""
    )["ball"]
    assert ball.y[-200:].max() == pytest.approx(ball.y[60:260].max(), abs=0.01)


@pytest.mark.parametrize("radius", [0.05, 0.5])
@pytest.mark.parametrize("points", [180, 1440])
def test_a_bead_leaves_a_round_hill_where_it_is_too_fast(make, points, radius):
    """From v0 on the top, m v^2 / r = m g cos a where cos a = (2 + v0^2 / (g r)) / 3."""
    hill, start = 5, 1
    way = hill + radius
    world = make(
        f"""
world: {{dt: {1 / 240}}}
defaults: {{material: {{friction: 0}}}}
bodies:
  hill: {{type: static, shape: {{chain: {ring_points(hill, points)}, loop: true, side: right}}}}
  ball: {{shape: {{circle: {radius}}}, position: [0, {way}], velocity: [{start}, 0]}}
"""
    )
    last = 1.0
    for _ in range(600):
        world.step()
        if any(contact.normal_force > 0 for contact in world.query.contacts()):
            x, y = world["ball"].position
            last = y / math.hypot(x, y)
    assert last == pytest.approx((2 + start**2 / (GRAVITY * way)) / 3, abs=0.02)


LOOP, LET_GO = 1, 6  # radii of the loop and of the slope before it


def loop_the_loop(count: int) -> list[list[float]]:
    """Down a quarter of a circle, a metre along the ground, once round, and away: one chain."""
    slope = [math.pi + math.pi / 2 * i / 40 for i in range(41)]
    points = [[LET_GO * math.cos(a) - 1, LET_GO * math.sin(a) + LET_GO] for a in slope]
    points.append([0, 0])
    turn = [2 * math.pi * i / count for i in range(1, count + 1)]
    points += [[LOOP * math.sin(a), LOOP - LOOP * math.cos(a)] for a in turn]
    points += [[x, 0] for x in range(1, 10)]
    return [[round(x, 6), round(y, 6)] for x, y in points]


def ride(height: float, radius: float, points: int, solver: str, friction: float = 0) -> str:
    """A ball let go on the slope, `height` above its lowest place."""
    across = LET_GO - radius
    angle = math.acos(1 - height / across)
    return f"""
world: {{duration: 3.5, solver: {{type: {solver}}}}}
defaults: {{material: {{friction: {friction}}}}}
bodies:
  track: {{type: static, shape: {{chain: {loop_the_loop(points)}}}}}
  ball: {{shape: {{circle: {radius}}},
          position: [{-1 - across * math.sin(angle)}, {LET_GO - across * math.cos(angle)}]}}
"""


@pytest.mark.parametrize("radius", [0.1, 0.4])
@pytest.mark.parametrize("points", [36, 72, 360])
def test_a_bead_let_go_high_enough_loops_the_loop(run, solver, points, radius):
    """m v^2 / r = m g at the top needs a height of 5/2 r; a little more does it."""
    way, height = LOOP - radius, 2.6 * (LOOP - radius)
    ball = run(ride(height, radius, points, solver))["ball"]
    over = (ball.x > -LOOP) & (ball.x < LOOP)
    assert ball.y[over].max() == pytest.approx(LOOP + way, abs=0.01)
    assert ball.x[-1] > 5
    assert ball.vx[-1] == pytest.approx(math.sqrt(2 * GRAVITY * height), rel=0.01)
    assert abs(ball.y[ball.x > 2] - radius).max() < 0.005


@pytest.mark.parametrize(
    "shape", ["box: [0.2, 0.1]", "capsule: [[-0.1, 0], [0.1, 0]], radius: 0.05"]
)
def test_a_box_or_a_capsule_loops_the_loop(run, solver, shape):
    """It enters from the ground, and comes out through the branch that it came in by."""
    ball = run(
        f"""
world: {{duration: 2, solver: {{type: {solver}}}}}
defaults: {{material: {{friction: 0}}}}
bodies:
  track: {{type: static, shape: {{chain: {loop_the_loop(72)}}}}}
  body: {{shape: {{{shape}}}, position: [-0.9, 0.05], velocity: [8, 0]}}
"""
    )["body"]
    over = (ball.x > -LOOP) & (ball.x < LOOP)
    assert ball.y[over].max() == pytest.approx(2 * LOOP - 0.055, abs=0.01)
    assert ball.x[-1] > 2
    assert ball.vx[-1] == pytest.approx(8, rel=0.01)


@pytest.mark.parametrize(
    "shape", ["box: [0.4, 0.2]", "capsule: [[-0.3, 0], [0.3, 0]], radius: 0.1"]
)
def test_what_slides_on_two_corners_in_a_bowl_rises_as_high_again(run, solver, shape):
    bowl = [[round(x, 6), round(0.15 * x * x, 6)] for x in np.linspace(-6, 6, 300).tolist()]
    energy = (
        run(
            f"""
world: {{duration: 20, sleep: false, solver: {{type: {solver}}}}}
defaults: {{material: {{friction: 0}}}}
record: {{channels: [world.energy]}}
bodies:
  bowl: {{type: static, shape: {{chain: {bowl}}}}}
  body: {{shape: {{{shape}}}, mass: 1, position: [3, 1.55], angle: 42}}
"""
        )["world"].energy
        / GRAVITY
    )
    assert energy[-1] == pytest.approx(energy[60], abs=0.01)
    assert energy[60:].max() < energy[60] + 0.001


@pytest.mark.parametrize(
    "shape", ["box: [0.1, 0.05]", "capsule: [[-0.05, 0], [0.05, 0]], radius: 0.025"]
)
@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
def test_what_slides_on_its_face_keeps_its_energy_over_smooth_hills(run, shape, dt):
    """Ten waves; at the start it comes down by 4 mm."""
    hills = [
        [round(x, 6), round(0.1 * math.sin(2 * x), 6)] for x in np.linspace(-5, 50, 2750).tolist()
    ]
    trace = run(
        f"""
world: {{duration: 10, dt: {dt!r}, sleep: false}}
defaults: {{material: {{friction: 0}}}}
record: {{channels: [world.energy]}}
bodies:
  hills: {{type: static, shape: {{chain: {hills}}}}}
  body: {{shape: {{{shape}}}, mass: 1, position: [0, 0.029], velocity: [3, 0.6], angle: 11.3}}
"""
    )
    energy = trace["world"].energy
    assert energy[-1] > 0.97 * energy[0]
    assert energy.max() < 1.01 * energy[0]


def over_waves(
    shape: str, height: float, speed: float, steep: float = 0.2, number: float = 2,
    points: int = 157, dt: float = 1 / 60, solver: str = "soft_step",
) -> str:  # fmt: skip
    """What lies on a slope with its middle `height` over it slides over six waves and more."""
    top, wave, angle = steep / number, 2 * math.pi / number, math.atan(steep)
    at = np.arange(-wave, 8 * wave, wave / points).tolist()
    waves = [[round(x, 6), round(top * math.sin(number * x), 6)] for x in at]
    c, s = math.cos(angle), math.sin(angle)
    return f"""
world: {{duration: {6 * wave / speed!r}, dt: {dt!r}, sleep: false, solver: {{type: {solver}}}}}
defaults: {{material: {{friction: 0}}}}
record: {{channels: [world.energy]}}
bodies:
  waves: {{type: static, shape: {{chain: {waves}}}}}
  body: {{shape: {{{shape}}}, mass: 1, position: [{-s * height}, {c * height}],
          velocity: [{c * speed}, {s * speed}], angle: {math.degrees(angle)}}}
"""


SLIDING = {  # and how high their middles are; lengths in shares of their size
    "box": ("box: [{1}, {0.5}]", 0.25),
    "capsule": ("capsule: [[{-0.5}, 0], [{0.5}, 0]], radius: {0.25}", 0.25),
    "hexagon": ("regular_polygon: {{sides: 6, radius: {0.5}}}", 0.25 * math.sqrt(3)),
    "triangle": ("polygon: [[{-0.5}, {-0.2}], [{0.5}, {-0.2}], [0, {0.4}]]", 0.2),
}


def sliding(name: str, size: float) -> tuple[str, float]:
    text, height = SLIDING[name]
    shape = re.sub(r"{(-?[0-9.]+)}", lambda found: repr(float(found[1]) * size), text)
    return shape.replace("{{", "{").replace("}}", "}"), height * size


@pytest.mark.parametrize("name", SLIDING)
def test_where_hill_and_valley_change_what_slides_keeps_its_energy(run, solver, name):
    """The start takes some, where it comes to lie."""
    energy = run(over_waves(*sliding(name, 0.1), 3, solver=solver))["world"].energy[20:]
    assert energy[-1] > 0.99 * energy[0]
    assert energy.max() < 1.01 * energy[0]


@pytest.mark.parametrize("seed", range(tries(10, 24)))
def test_over_smooth_waves_of_any_size_less_than_a_per_cent_of_a_wave_is_lost(run, seed):
    """The default solver and step, or shorter ones."""
    rng = random.Random(seed)
    number, steep = rng.choice([0.5, 1, 2, 4]), rng.choice([0.05, 0.1, 0.2, 0.4])
    curvature = steep * number
    size = min(rng.choice([0.05, 0.1, 0.2, 0.4]), 0.3 / curvature)
    # Over the tops, and not so fast that they throw it.
    slow, fast = math.sqrt(3.4 * GRAVITY * steep / number), math.sqrt(0.6 * GRAVITY / curvature)
    speed = max(slow, min(8, rng.uniform(0.4, 1) * fast))
    shape, height = sliding(rng.choice(list(SLIDING)), size)
    points, dt = rng.choice([60, 100, 400]), rng.choice([1 / 60, 1 / 120, 1 / 240])
    trace = run(over_waves(shape, height, speed, steep, number, points, dt))["world"]
    energy = trace.energy[len(trace.energy) // 20 :] + GRAVITY * steep / number  # over the lowest
    assert energy[-1] > 0.94 * energy[0]
    assert energy.max() < 1.01 * energy[0]


@every_row(
    "shape", ["circle: 0.18", "capsule: [[0, -0.3], [0, 0.3]], radius: 0.1", "box: [0.4, 0.2]"]
)
@every_row("speed", [11, 37])
@every_row("ring", [2, 3.2])
def test_nothing_gains_energy_in_a_ring_of_few_corners_at_long_steps(
    run, solver, ring, speed, shape
):
    energy = run(
        f"""
world: {{duration: 3, dt: {1 / 30}, sleep: false, gravity: [0, 0], solver: {{type: {solver}}}}}
defaults: {{material: {{friction: 0}}}}
record: {{channels: [world.energy]}}
bodies:
  ring: {{type: static, shape: {{chain: {ring_points(ring, 18)}, loop: true}}}}
  body: {{shape: {{{shape}}}, position: [0, {0.5 - ring}], velocity: [{speed}, 0]}}
"""
    )["world"].energy
    assert energy.max() < 1.001 * energy[0]


def test_a_bead_let_go_too_low_leaves_the_loop_where_it_is_too_slow(run):
    """m v^2 / r = m g cos a there, at z = 2/3 (h - r) over the middle; then it is thrown."""
    radius = 0.1
    way, height = LOOP - radius, 2.2 * (LOOP - radius)
    ball = run(ride(height, radius, 360, "soft_step"))["ball"]
    z = 2 / 3 * (height - way)
    peak = LOOP + z + 0.5 * z * (1 - (z / way) ** 2)
    over = (ball.x > -LOOP) & (ball.x < LOOP)
    assert ball.y[over].max() == pytest.approx(peak, abs=0.01)


def test_a_ball_that_rolls_needs_a_little_more_height_for_the_loop(run):
    """A rolling disc has 3/4 v^2: h = 2 r + 3/4 r."""
    radius = 0.1
    way = LOOP - radius
    tops = []
    for factor in (2.65, 2.85):
        ball = run(ride(factor * way, radius, 360, "soft_step", 1))["ball"]
        tops.append(ball.y[(ball.x > -LOOP) & (ball.x < LOOP)].max())
    assert tops[0] < LOOP + way - 0.002
    assert tops[1] == pytest.approx(LOOP + way, abs=0.002)


def test_two_limbs_of_a_chain_that_do_not_cross_both_hold_a_ball(run):
    limbs = [[x, 0] for x in range(-10, 11)]
    bend = [[10 + math.sin(a), 1 - math.cos(a)] for a in np.linspace(0, math.pi, 20)[1:-1].tolist()]
    limbs += bend + [[-x, 2] for x in range(-10, 11)]
    ball = run(
        f"""
world: {{duration: 1}}
defaults: {{material: {{friction: 0, restitution: 1}}}}
bodies:
  pipe: {{type: static, shape: {{chain: {limbs}}}}}
  ball: {{shape: {{circle: 0.3}}, position: [-5, 0.3], velocity: [6, 0]}}
  other: {{shape: {{circle: 0.3}}, position: [-8, 0.5], velocity: [4, 9]}}
"""
    )
    assert ball["other"].y.max() < 1.75
    assert ball["other"].y.min() > 0.25
    assert ball["other"].y[10:].max() > 1.5


def test_a_sharp_corner_of_a_chain_is_an_impact(run):
    """A concave corner of 45 degrees leaves v cos 45 of a plastic body's speed."""
    corner = [[-9, 0], [0, 0], [9, 9]]
    ball = run(
        f"""
world: {{duration: 2, gravity: [0, 0]}}
defaults: {{material: {{friction: 0}}}}
bodies:
  corner: {{type: static, shape: {{chain: {corner}}}}}
  ball: {{shape: {{circle: 0.2}}, position: [-4, 0.2], velocity: [4, 0]}}
"""
    )["ball"]
    assert np.hypot(ball.vx, ball.vy)[-1] == pytest.approx(4 / math.sqrt(2), rel=0.01)


def test_a_ball_that_lands_on_a_chain_at_a_flat_angle_does_not_keep_its_fall(run):
    floor = [[x, 0] for x in range(-5, 60)]
    ball = run(
        f"""
world: {{duration: 1, gravity: [0, 0]}}
defaults: {{material: {{friction: 0}}}}
bodies:
  floor: {{type: static, shape: {{chain: {floor}}}}}
  ball: {{shape: {{circle: 0.2}}, position: [0, 1], velocity: [10, -2]}}
"""
    )["ball"]
    assert ball.vx[-1] == pytest.approx(10, rel=1e-3)
    assert ball.vy[-1] == pytest.approx(0, abs=1e-3)


def test_the_touching_places_follow_the_bead(make):
    world = make(in_a_ring(points=360))
    for _ in range(20):
        world.step()
        (contact,) = world.query.contacts()
        ball = world["ball"].position
        away = np.subtract(contact.point, ball)
        assert np.hypot(*away) == pytest.approx(0.1, abs=0.002)
        assert away[0] * ball[1] - away[1] * ball[0] == pytest.approx(0, abs=0.002)


def test_a_bead_touches_its_ring_all_the_way_round(make):
    world = make(in_a_ring(points=100))
    world.events.enable_contacts()
    world.step(60)
    assert [event.kind for event in world.events.take()] == ["contact_begin"]


def test_bits_of_tracks_do_not_depend_on_threads_and_lanes(make):
    hashes = []
    for options in ({"lanes": 1}, {"lanes": 4}, {"threads": 2}):
        world = make(in_a_ring(points=100, gravity=GRAVITY, friction=0.3), **options)
        world.step(120)
        hashes.append(world.state_hash())
    assert all(first == second for first, second in pairwise(hashes))
