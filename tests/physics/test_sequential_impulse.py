# SPDX-License-Identifier: MIT
"""Numbers known for the sequential impulse solver, in pixels and milliseconds.

A cube of 140 px hits a wall whose centre lies 17 px lower, so that its two corners carry unequal
loads until the iteration has converged. One step of 50 ms, no gravity on the cube, no position
correction, no warm start, friction limited to 0.0075.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.rows import every_row

CUBE_AGAINST_WALL = """
units: screen
world:
  dt: 50
  steps: 4
  gravity: [0, 0.00015]
  sleep: false
  solver: {{type: sequential_impulse, iterations: {iterations}, warm_start: false,
            position_correction: false, friction_limit: gravity}}
materials: {{m: {{restitution: 1, friction: 1}}}}
defaults: {{material: m}}
bodies:
  cube: {{shape: {{box: [140, 140]}}, mass: 1, gravity_scale: 0, velocity: [0.1, 0]}}
  wall: {{type: static, shape: {{box: [100, 400]}}, position: [119.999, 17]}}
"""

# The accumulated impulses after k iterations: normal at the upper and the lower corner, friction
# at both. The friction of the lower corner stays at -0.0021 from the first iteration on.
SUMS = {
    1: (0.08, 0.096, -0.0075),
    2: (0.09344, 0.104448, -0.0045048),
    3: (0.0969267, 0.1033482, -0.0017529),
    5: (0.0990915, 0.1011235, 0.0008808),
    10: (0.0999505, 0.1000617, 0.0020333),
    20: (0.0999999, 0.1000002, 0.0020998),
    100: (0.1, 0.1, 0.0021),
}


def impulses(world) -> list[tuple[float, float]]:
    """(normal, tangent) impulses of the two corners, the upper one (smaller y) first."""
    rows = sorted(world.native.contacts(), key=lambda row: float(row["y"]))
    return [(float(row["normal_impulse"]), float(row["tangent_impulse"])) for row in rows]


@every_row("iterations", list(SUMS))
def test_the_impulses_converge_as_printed(make, iterations):
    world = make(CUBE_AGAINST_WALL.format(iterations=iterations))
    world.step()
    (upper, friction_a), (lower, friction_b) = impulses(world)
    normal_a, normal_b, friction = SUMS[iterations]
    assert upper == pytest.approx(normal_a, abs=2e-6)
    assert lower == pytest.approx(normal_b, abs=2e-6)
    # Which way the tangent points is the engine's choice; that the two are opposite is not.
    sign = -1 if friction_b > 0 else 1
    assert sign * friction_a == pytest.approx(friction, abs=2e-6)
    assert sign * friction_b == pytest.approx(-0.0021, abs=2e-6)


def test_the_cube_leaves_as_it_came_without_turning(make):
    world = make(CUBE_AGAINST_WALL.format(iterations=100))
    world.step()
    cube = world["cube"]
    assert cube.velocity == pytest.approx((-0.1, 0), abs=1e-6)
    assert cube.angular_velocity == pytest.approx(0, abs=1e-8)
    assert cube.inertia == pytest.approx(140**2 / 6, rel=1e-6)


SPRING = """
units: screen
world: {{dt: 50, steps: 60, gravity: [0, 0], sleep: false,
         solver: {{type: sequential_impulse}}}}
bodies:
  ball: {{shape: {{circle: 10}}, mass: 1, position: [300, 0]}}
joints:
  spring: {{type: distance, bodies: [world, ball], anchors: [[0, 0], [0, 0]], length: 200,
            spring: {{frequency: {frequency}, damping_ratio: 0}}}}
"""

# A soft constraint stepped by semi-implicit Euler: the first five samples, then the 20th.
SAMPLES = {
    1: ([91.017, 74.6648, 53.0745, 28.6559, 3.85663], 36.9994),
    2: ([71.6957, 31.1097, -6.79404, -32.0464, -41.0807], 2.14788),
    6.4: ([19.8311, -11.9656, -8.67855, -1.069, 1.297], -1.1e-6),
}


@pytest.mark.parametrize("frequency", list(SAMPLES))
def test_a_spring_gives_the_samples_of_the_implicit_step(run, frequency):
    x = run(SPRING.format(frequency=frequency))["ball"].x - 200
    first, twentieth = SAMPLES[frequency]
    np.testing.assert_allclose(x[1:6], first, rtol=2e-3)
    assert x[21] == pytest.approx(twentieth, rel=2e-3, abs=2e-4)


def test_a_tower_of_cubes_falls_and_becomes_calm(run):
    trace = run(
        """
units: screen
world: {dt: 10, steps: 500, solver: {type: sequential_impulse, iterations: 10}}
bodies:
  floor: {type: static, shape: {box: [1000, 100]}, position: [0, 50]}
  cube: {repeat: {i: 8}, shape: {box: [100, 100]}, position: [0, =-55-i*110]}
"""
    )
    for i in range(8):
        cube = trace[f"cube[{i}]"]
        assert abs(cube.x[-1]) < 5
        assert cube.y[-1] == pytest.approx(-50 - i * 100, abs=12)
        assert abs(cube.angle[-1]) < 0.05


def test_without_warm_start_ten_iterations_are_too_few_for_a_stack(run):
    text = """
world: {{duration: 10, sleep: false,
         solver: {{type: sequential_impulse, iterations: 10, warm_start: {warm}}}}}
bodies:
  floor: {{type: static, shape: {{box: [20, 1]}}, position: [0, -0.5]}}
  box: {{repeat: {{i: 10}}, shape: {{box: [1, 1]}}, position: [0, =i+0.5]}}
"""
    warm, cold = (run(text.format(warm=value))["box[9]"].y[-1] for value in ("true", "false"))
    assert warm == pytest.approx(9.5, abs=0.15)
    assert cold < warm - 0.1


TOWER = """
units: screen
world: {{dt: 50, steps: 500, sleep: false, solver: {{type: sequential_impulse, iterations: 20}}}}
bodies:
  floor: {{type: static, shape: {{box: [2000, 100]}}, position: [0, 50]}}
  cube:
    repeat: {{i: 10}}
    shape: {{box: [100, 100]}}
    position: ["=uniform(-{astray}, {astray})", =-50-{gap}-i*(100+{gap})]
"""


@pytest.mark.parametrize("astray", [0, 1])
@pytest.mark.parametrize("gap", [0, 1, 5, 20])
def test_a_tower_of_ten_stands_at_twenty_steps_a_second(run, gap, astray):
    trace = run(TOWER.format(gap=gap, astray=astray))
    for i in range(10):
        cube = trace[f"cube[{i}]"]
        assert np.abs(cube.angle).max() < np.radians(3)
        assert cube.y[-1] == pytest.approx(-50 - i * 100, abs=12)


def test_cubes_that_just_touch_do_not_tilt(run):
    """Within a rounding error of touching, a corner is no less a support than the other one."""
    trace = run(TOWER.format(gap=0, astray=0).replace("steps: 500", "steps: 20"))
    for i in range(10):
        assert np.abs(trace[f"cube[{i}]"].angle).max() < np.radians(0.01)


ARMS = """
world: {{dt: =1/{rate}, duration: 10, sleep: false, solver: {{type: sequential_impulse}}}}
bodies:
  a: {{shape: {{box: [1, 0.1]}}, position: [0.5, 0]}}
  b: {{shape: {{box: [1, 0.1]}}, position: [1.5, 0]}}
joints:
  p: {{type: revolute, bodies: [world, a], anchor: [0, 0]}}
  q: {{type: revolute, bodies: [a, b], anchor: [1, 0]}}
"""


@pytest.mark.parametrize(("rate", "share"), [(60, 0.15), (120, 0.015), (240, 0.006)])
def test_a_double_pendulum_keeps_its_energy_the_better_the_shorter_the_step(run, rate, share):
    energy = run(ARMS.format(rate=rate), "world.energy").world.energy
    depth = 0.1 * 9.81 * (0.5 + 1.5)  # from where it starts to the lowest it can hang
    assert abs(energy[-1] - energy[0]) <= share * depth


# The floor lies off the middle, so that its contact points are not as far from its own centre.
DROP = """
world:
  dt: {dt}
  duration: {duration}
  gravity: [0, {gravity}]
  sleep: false
  solver: {{type: sequential_impulse, iterations: {iterations}{more}}}
defaults: {{body: {{restitution: {restitution}, friction: {friction}}}}}
bodies:
  floor: {{type: static, shape: {{box: [{width}, {size}]}}, position: [{aside}, {below}]}}
  cube: {{shape: {{{shape}}}, position: [0, {height}]}}
"""


def drop(size: float, fall: float, shape: str = "box: [{0}, {0}]", **values: object) -> str:
    given = {"restitution": 0.9, "friction": 0.5, "more": "", "aside": 0.3 * size, **values}
    places = {"width": 60 * size, "below": -size / 2, "height": size / 2 + fall}
    return DROP.format(size=size, shape=shape.format(size), **places, **given)


@every_row("iterations", [1, 10, 100])
@every_row("dt", [0.01, 1 / 60, 0.02, 1 / 30, 0.05])
def test_a_cube_that_is_dropped_flat_stays_flat(run, dt, iterations):
    for size, fall, gravity in ((40, 200, -1000), (1, 2.5, -9.81)):
        text = drop(size, fall, dt=dt, iterations=iterations, gravity=gravity, duration=10)
        cube = run(text)["cube"]
        assert np.abs(cube.angle).max() < 1e-5
        assert np.abs(cube.x).max() < 1e-5 * size


SHAPES = ["box: [{0}, {0}]", "box: [{0}, 0.3]", "regular_polygon: {{sides: 6, radius: {0}}}"]


@pytest.mark.parametrize("seed", range(12))
def test_a_symmetric_drop_stays_symmetric(run, seed):
    """Without an offset of the floor the symmetry is that of the numbers: nothing turns at all."""
    random = np.random.default_rng(seed)
    size = float(10 ** random.uniform(-0.5, 1.5))
    dt = 1 / float(random.choice([20, 30, 50, 60, 120, 240]))
    text = drop(
        *(size, size * float(random.uniform(0, 8)), str(random.choice(SHAPES))),
        **{"dt": dt, "iterations": int(random.choice([1, 4, 10, 40])), "aside": 0},
        **{"gravity": -size * float(10 ** random.uniform(0, 2)), "duration": 240 * dt},
        restitution=float(random.choice([0, 0.5, 0.9, 1])),
        friction=float(random.choice([0, 0.5, 1])),
        more=str(random.choice(["", ", position_correction: false", ", warm_start: false"])),
    )
    cube = run(text)["cube"]
    assert np.abs(cube.angle).max() < 1e-9
    assert np.abs(cube.x).max() < 1e-9 * size
