# SPDX-License-Identifier: MIT
"""Air, pools and the pull of bodies on each other, against closed forms."""

from __future__ import annotations

from math import acos, cosh, degrees, hypot, log, pi, sqrt, tanh

import numpy as np
import pytest
from rigid2d.core import _native
from rigid2d.core._native import lanes_supported

from tests.rows import every_row

G = 9.81

AIR = """
world: {{duration: 6, dt: =1/240, solver: {{type: {solver}}}, air: {{density: 1.2, drag: 0.5}}}}
bodies: {{p: {{shape: {{{shape}}}, mass: 1}}}}
"""


@pytest.mark.parametrize(("shape", "width"), [("circle: 0.5", 1), ("box: [2, 0.1]", 2)])
def test_what_falls_through_air_comes_to_its_terminal_velocity(make, solver, shape, width):
    """v = v_t tanh(g t / v_t), y = -v_t^2 / g ln cosh(g t / v_t)."""
    world = make(AIR.format(solver=solver, shape=shape))
    terminal = sqrt(G / (0.5 * 0.5 * 1.2 * width))
    for step in range(1, 240 * 6 + 1):
        world.step(1)
        t = step / 240
        expected = -terminal * tanh(G * t / terminal)
        assert world["p"].velocity[1] == pytest.approx(expected, abs=2e-3 * terminal)
    drop = terminal**2 / G * log(cosh(G * 6 / terminal))
    assert world["p"].y == pytest.approx(-drop, rel=2e-3)


def test_drag_is_stable_at_any_speed(make, solver):
    text = AIR.format(solver=solver, shape="circle: 0.5").replace("density: 1.2", "density: 1e6")
    world = make(text.replace("mass: 1", "mass: 0.01"))
    world["p"].velocity = (3e3, 0)
    last = 3e3
    for _ in range(20):
        world.step(1)
        assert 0 <= world["p"].velocity[0] <= last
        last = world["p"].velocity[0]


@every_row("rate", [30, 240])
@every_row("speed", [3.0, 300.0])
def test_air_alone_takes_speed_as_its_law_says_however_long_the_step(make, rate, speed):
    """v = v0 / (1 + k v0 t) with k = C rho w / (2 m), where a step is one substep."""
    text = AIR.format(solver="sequential_impulse", shape="circle: 0.5").replace(
        "1/240", f"1/{rate}"
    )
    world = make(text.replace("duration", "gravity: [0, 0], duration"))
    world["p"].velocity = (speed, 0)
    for step in range(1, 20):
        world.step(1)
        expected = speed / (1 + 0.3 * speed * step / rate)
        assert world["p"].velocity[0] == pytest.approx(expected, rel=1e-5)


@every_row("medium", ["air", "pool"])
def test_drag_is_followed_with_the_square_of_the_step(make, solver, medium):
    """What is thrown along: v' = -k v^2, and half a step makes a quarter of the error."""
    air = "air: {density: 1.2, drag: 0.5}"
    pool = "pools: {sea: {region: [[-99, -99], [99, 99]], density: 0.6, drag: 1}}"
    errors = []
    for rate in (20, 40, 80):
        text = AIR.format(solver=solver, shape="circle: 0.5").replace("1/240", f"1/{rate}")
        text = text.replace(air, air if medium == "air" else pool)
        world = make(text.replace("duration", "gravity: [0, 0], duration"))
        world.set("world.gravity", (3, 0))
        lift = 3 * 0.6 * pi / 4 if medium == "pool" else 0.0
        world.step(rate * 2)
        terminal = sqrt((3 - lift) / 0.3)
        errors.append(abs(world["p"].velocity[0] - terminal * tanh((3 - lift) * 2 / terminal)))
    assert errors[1] < 0.3 * errors[0] + 3e-5
    assert errors[2] < 0.3 * errors[1] + 3e-5


KEPLER = """
world:
  gravity: [0, 0]
  dt: =1/{rate}
  solver: {{type: {solver}}}
  attraction: {{strength: 1, softening: {softening}}}
defaults: {{body: {{collide: false}}}}
bodies:
  sun: {{shape: {{circle: 0.1}}, mass: 100, velocity: [0, -0.06]}}
  planet: {{shape: {{circle: 0.05}}, mass: 1, position: [1, 0], velocity: [0, {speed}]}}
"""


def energy(world, softening=0.0):
    bodies = [world[name] for name in world]
    total = 0.0
    for i, a in enumerate(bodies):
        total += 0.5 * a.mass * (a.velocity[0] ** 2 + a.velocity[1] ** 2)
        for b in bodies[:i]:
            r = hypot(a.x - b.x, a.y - b.y, softening)
            total -= a.mass * b.mass / r
    return total


@pytest.mark.parametrize("speed", [6, 9])
def test_an_orbit_has_keplers_period_and_keeps_its_energy(make, solver, speed):
    world = make(KEPLER.format(solver=solver, rate=1920, softening=0, speed=speed))
    start = energy(world)
    relative = speed + 0.06
    axis = 1 / (2 - relative**2 / 101)
    period = 2 * pi * sqrt(axis**3 / 101)
    crossings, before = [], 0.0
    for step in range(int(8.5 * period * 1920)):
        world.step(1)
        y = world["planet"].y - world["sun"].y
        if before < 0 <= y:
            crossings.append((step + 1 - y / (y - before)) / 1920)
        before = y
        assert energy(world) == pytest.approx(start, rel=2e-2)
    # At the same place of the orbit it has what it had.
    assert energy(world) == pytest.approx(start, rel=1e-2)
    assert len(crossings) == 8
    assert crossings[-1] / 8 == pytest.approx(period, rel=2e-3)


def test_a_circular_orbit_stays_one_for_a_hundred_turns(make, solver):
    world = make(KEPLER.format(solver=solver, rate=480, softening=0, speed=sqrt(101) - 0.06))
    for _ in range(100):
        world.step(300)
        r = hypot(world["planet"].x - world["sun"].x, world["planet"].y - world["sun"].y)
        assert r == pytest.approx(1, abs=1e-2)


def test_the_centre_of_mass_goes_straight_on(make, solver):
    world = make(KEPLER.format(solver=solver, rate=60, softening=0.2, speed=4))
    world.step(600)
    sun, planet = world["sun"], world["planet"]
    momentum = [100 * sun.velocity[k] + planet.velocity[k] for k in range(2)]
    assert momentum == pytest.approx([0, -2], abs=1e-3)
    assert (100 * sun.x + planet.x) / 101 == pytest.approx(1 / 101, abs=1e-4)
    assert (100 * sun.y + planet.y) / 101 == pytest.approx(-10 * 2 / 101, abs=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_a_swarm_keeps_momentum_and_gains_no_energy(make, seed):
    random = np.random.default_rng(seed)
    kind = ("soft_step", "sequential_impulse")[seed % 2]
    bodies = "".join(
        f"  b{i}: {{shape: {{circle: 0.1}}, mass: {10 ** random.uniform(-2, 2):.9g}, "
        f"position: [{random.uniform(-3, 3):.9g}, {random.uniform(-3, 3):.9g}]}}\n"
        for i in range(12)
    )
    world = make(
        f"world: {{gravity: [0, 0], dt: =1/240, solver: {{type: {kind}}}, "
        f"attraction: {{strength: 0.5, softening: 0.5}}}}\n"
        f"defaults: {{body: {{collide: false}}}}\nbodies:\n{bodies}"
    )
    size = sum(world[name].mass for name in world)
    for _ in range(20):
        world.step(24)
        for k in range(2):
            total = sum(world[name].mass * world[name].velocity[k] for name in world)
            assert abs(total) < 1e-4 * size


@pytest.mark.parametrize(("substeps", "late"), [(1, 0.24), (4, 0.016), (16, 0.0011)])
def test_an_orbit_is_late_by_the_square_of_its_substeps(make, substeps, late):
    """Leapfrog keeps the radius of a circle, and is late by the square of the time step."""
    world = make(
        f"world: {{gravity: [0, 0], dt: =2*pi/18, attraction: {{strength: 1e-4}}, "
        f"solver: {{type: soft_step, substeps: {substeps}}}}}\n"
        "bodies: {sun: {shape: {circle: 0.01}, mass: 1e4}, planet: {shape: {circle: 0.01}, "
        "mass: 1e-4, position: [1, 0], velocity: [0, 1]}}"
    )
    world.step(18)
    planet = world["planet"]
    assert hypot(planet.x, planet.y) == pytest.approx(1, abs=2e-3)
    assert hypot(planet.x - 1, planet.y) < late


@every_row("softening", [0, 0.5])
def test_the_energy_of_a_world_counts_attraction(make, solver, softening):
    world = make(KEPLER.format(solver=solver, rate=1920, softening=softening, speed=6))
    for _ in range(3):
        assert sum(world.native.energy()) == pytest.approx(energy(world, softening), rel=1e-6)
        read = world.native.sample(np.array([[_native.CHANNELS["world.energy"][0], 0]], np.int32))
        assert float(read[0]) == sum(world.native.energy())
        world.step(500)


@pytest.mark.parametrize("shape", ["box: [1, 1]", "circle: 0.5"])
def test_what_lies_on_each_other_under_its_own_pull_keeps_its_spin(make, shape):
    """Two bodies that turn as one, where a step is taken as a whole."""
    world = make(f"""
world: {{gravity: [0, 0], attraction: {{strength: 1}}, solver: {{type: sequential_impulse}}}}
defaults: {{material: {{friction: 1, restitution: 0}},
           body: {{mass: 4, shape: {{{shape}}}, angular_velocity: 1 rad/s}}}}
bodies:
  a: {{position: [-0.5, 0], velocity: [0, -0.5]}}
  b: {{position: [0.5, 0], velocity: [0, 0.5]}}
""")
    world.step(60 * 20)
    assert world["a"].angular_velocity == pytest.approx(1, abs=2e-3)
    assert hypot(*world["a"].velocity) == pytest.approx(0.5, abs=2e-3)


POOL = """
world:
  dt: =1/240
  sleep: false
  solver: {{type: {solver}}}
  pools: {{sea: {{region: [[-50, -50], [50, 0]], density: 2, damping: {damping}}}}}
bodies: {{p: {{shape: {{{shape}}}, position: [0, {y}], angle: {angle}}}}}
"""


@pytest.mark.parametrize("density", [0.5, 1, 1.6])
def test_a_box_floats_as_deep_as_its_density_says(make, solver, density):
    text = POOL.format(solver=solver, damping=3, shape="box: [3, 1]", y=0.3, angle=0)
    world = make(text.replace("angle: 0", f"angle: 0, density: {density}"))
    world.step(240 * 20)
    assert world["p"].y == pytest.approx(0.5 - density / 2, abs=1e-4)


def test_a_circle_floats_with_the_segment_under_that_weighs_as_much(make, solver):
    text = POOL.format(solver=solver, damping=3, shape="circle: 0.5", y=0.3, angle=0)
    world = make(text.replace("angle: 0", "angle: 0, density: 0.5"))
    world.step(240 * 30)
    # r^2 (acos(h / r) - h / r sqrt(1 - (h / r)^2)) of it is under, h above the surface.
    h = world["p"].y / 0.5
    under = 0.25 * (acos(h) - h * sqrt(1 - h * h))
    assert 2 * under == pytest.approx(0.5 * pi * 0.25, rel=1e-5)


@pytest.mark.parametrize("start", [0.02, 0.2])
def test_a_box_heaves_as_its_waterline_says(make, solver, start):
    """T = 2 pi sqrt(m / (rho g w)), and no more than at the start is left or gained."""
    world = make(POOL.format(solver=solver, damping=0, shape="box: [3, 1]", y=start, angle=0))
    heights = []
    for _ in range(240 * 20):
        world.step(1)
        heights.append(world["p"].y)
    ups = [i for i in range(1, len(heights)) if heights[i - 1] < 0 <= heights[i]]
    period = (ups[-1] - ups[0]) / (len(ups) - 1) / 240
    assert period == pytest.approx(2 * pi * sqrt(3 / (2 * G * 3)), rel=2e-3)
    assert max(heights[-480:]) == pytest.approx(start, rel=2e-2)
    assert min(heights) == pytest.approx(-start, rel=2e-2)


@pytest.mark.parametrize(("shape", "stands"), [("box: [3, 1]", True), ("box: [0.5, 2]", False)])
def test_a_broad_box_rights_itself_and_a_tall_one_falls_over(make, solver, shape, stands):
    """It stands where w^2 / (12 d) > (h - d) / 2, d being how deep it is."""
    world = make(POOL.format(solver=solver, damping=1, shape=shape, y=0, angle=5))
    world.step(240 * 30)
    tilt = degrees(world["p"].angle)
    assert (abs(tilt) < 0.1) if stands else abs(abs(tilt) - 90) < 0.1


@every_row("shape", ["circle: 0.5", "capsule: [[-1, 0], [1, 0]], radius: 0.3"])
def test_what_is_all_under_is_borne_by_all_its_water(make, solver, shape):
    world = make(POOL.format(solver=solver, damping=0, shape=shape, y=-20, angle=30))
    world.step(60)
    assert world["p"].velocity[1] == pytest.approx(G / 4, rel=1e-3)
    assert world["p"].angular_velocity == pytest.approx(0, abs=1e-5)


def test_a_stone_sinks_with_its_terminal_velocity(make, solver):
    text = POOL.format(solver=solver, damping=0, shape="box: [1, 1]", y=-3, angle=0)
    text = text.replace("damping: 0", "damping: 0, drag: 1")
    world = make(text.replace("angle: 0", "density: 6"))
    world.step(240 * 4)
    assert world["p"].velocity[1] == pytest.approx(-sqrt(2 * 4 * G / 2), rel=1e-3)


@pytest.mark.parametrize("text", [AIR, KEPLER, POOL], ids=["air", "attraction", "pool"])
def test_lanes_threads_and_saved_worlds_give_the_same_bits(make, solver, text):
    filled = text.format(
        solver=solver, shape="box: [1, 1]", rate=60, softening=0, speed=6, damping=1, y=0, angle=9
    )
    hashes = set()
    for lanes, threads in zip(lanes_supported(), (1, 2, 1, 2), strict=False):
        world = make(filled, lanes=lanes, threads=threads)
        world.step(40)
        state, fork = world.save(), world.fork()
        world.step(20)
        fork.step(20)
        other = make(filled)
        other.restore(state)
        other.step(20)
        hashes |= {world.state_hash(), fork.state_hash(), other.state_hash()}
    assert len(hashes) == 1
