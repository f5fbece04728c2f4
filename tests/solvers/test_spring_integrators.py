# SPDX-License-Identifier: MIT
"""Document 000, part 4: six ways to step an undamped spring, and what becomes of the soft one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core.solvers import Joint, Memory, Settings, Soft, System
from rigid2d.core.solvers.pgs_matrix import step

from tests.rows import every_row
from tests.solvers.hand_made import bodies, take_step

STEP, START, SAMPLES = 50.0, 100.0, 61
# The document's ways by number; its "implicit Euler" (3) steps as the soft one whose positions
# move first (6), and the soft constraint (5) is the true implicit Euler.
EXPLICIT = ("force", "explicit_euler")
SEMI_IMPLICIT = ("force", "semi_implicit_euler")
SOFT = ("soft", "semi_implicit_euler")
SOFT_POSITION_FIRST = ("soft", "explicit_euler")


def omega(frequency):
    return 2 * math.pi * frequency / 1000


def deflections(way, frequency, *, iterations=1, warm_start=False, solver=step):
    """x after each of 61 steps of 50 ms of 1 kg on a spring without damping, from x = 100."""
    springs, integrator = way
    settings = Settings(
        STEP,
        iterations=iterations,
        warm_start=warm_start,
        springs=springs,
        integrator=integrator,
    )
    moving = bodies([[0, 0, 0]] * 2, [math.inf, 1], places=[[0] * 3, [START, 0, 0]])
    spring = Joint("s", "distance", 0, 1, (0, 0), (0, 0), soft=Soft(omega(frequency) ** 2, 0.0))
    memory, found = Memory(), []
    for _ in range(SAMPLES):
        moving.F[:] = 0
        solver(System(moving, lambda _: [], settings, [spring], memory=memory))
        found.append(float(moving.X[1, 0]))
    return np.array(found)


# Way, frequency: the first five samples, those at 20, 40 and 60, the least and the greatest.
TABLE = [
    (EXPLICIT, 1, [100, 90.1304, 70.3912, 41.7565, 6.17441], (267.069, 686.083, 1695.65)),
    (
        SOFT_POSITION_FIRST,
        1,
        [100, 91.017, 73.8579, 50.0641, 21.7731],
        (100.465, 93.8541, 80.6323),
    ),
    (SEMI_IMPLICIT, 1, [90.1304, 71.3653, 45.5567, 15.2518, -16.5583], (88.894, 87.5969, 86.2399)),
    (SOFT, 1, [91.017, 74.6648, 53.0745, 28.6559, 3.85663], (36.9994, 14.4676, 5.44259)),
    (
        EXPLICIT,
        2,
        [100, 60.5216, -18.4353, -121.285, -216.857],
        (2326.26, -48842.8, -2.41117e6),
    ),
    (
        SOFT_POSITION_FIRST,
        2,
        [100, 71.6957, 23.0984, -32.0368, -78.1041],
        (4.53153, -102.027, 41.1044),
    ),
    (SEMI_IMPLICIT, 2, [60.5216, -2.8498, -65.0961, -101.644, -98.0637], (40.5929, 18.7695, -3.93)),
    (SOFT, 2, [71.6957, 31.1097, -6.79404, -32.0464, -41.0807], (2.14788, -0.058, -0.0037)),
    (
        EXPLICIT,
        6.4,
        [100, -304.259, -1112.78, -691.301, 4228.68],
        (-6.307e8, 1.858e15, 3.251e22),
    ),
    (
        SOFT_POSITION_FIRST,
        6.4,
        [100, 19.8311, -76.2362, -111.186, -56.9989],
        (109.993, 111.264, 103.711),
    ),
    (
        SEMI_IMPLICIT,
        6.4,
        [-304.259, 521.476, -760.903, 1032.74, -1348.56],
        (-40631, -2.502e6, -1.5405e8),
    ),
    (SOFT, 6.4, [19.8311, -11.9656, -8.67855, -1.069, 1.297], (-1.1e-6, 2.9e-14, 4.5e-21)),
]


@pytest.mark.parametrize(("way", "frequency", "first", "later"), TABLE)
def test_undamped_stiff_spring(way, frequency, first, later):
    """Document 000, part 4, `UndampedStiffSpring_`: all samples of its six ways at 1, 2, 6.4 Hz."""
    x = deflections(way, frequency)
    assert x[:5] == pytest.approx(first, rel=1e-3, abs=1e-3)
    assert x[[20, 40, 60]] == pytest.approx(later, rel=0.03, abs=1e-5 if frequency > 6 else 1e-3)


def test_the_documents_implicit_euler_is_the_soft_spring_whose_position_moves_first():
    """Document 000, part 4: ways 3 and 6. Its name is wrong: x moves by the old v, so that the
    matrix of a step has the determinant 1, and nothing is damped."""
    h, k = STEP, omega(2) ** 2
    x, v, found = START, 0.0, []
    for _ in range(SAMPLES):
        x, v = x + h * v, (v - h * k * x) / (1 + h * h * k)
        found.append(x)
    assert deflections(SOFT_POSITION_FIRST, 2) == pytest.approx(np.array(found), rel=1e-9)


@pytest.mark.parametrize(("frequency", "decay"), [(1, 0.954028), (2, 0.846733), (6.4, 0.445321)])
def test_a_soft_spring_is_implicit_euler_and_decays_by_its_matrix(frequency, decay):
    """Document 000, part 4: why way 5 decays though its damping ratio is 0: 1 / sqrt(1 + s)."""
    h, w = STEP, omega(frequency)
    x = np.concatenate([[START], deflections(SOFT, frequency)])
    v = np.diff(x) / h
    energy = np.sqrt(v**2 + (w * x[1:]) ** 2)
    assert energy[1:20] / energy[:19] == pytest.approx(np.full(19, decay), rel=1e-5)


@pytest.mark.parametrize(("frequency", "stays"), [(6.36, True), (6.37, False)])
def test_semi_implicit_euler_is_stable_up_to_6_3662_hertz_in_steps_of_50_ms(frequency, stays):
    """Document 000, part 4: omega h < 2, so f < 1000 / (50 pi)."""
    widest = float(np.abs(deflections(SEMI_IMPLICIT, frequency)).max())
    assert (widest < 30 * START) is stays


@pytest.mark.parametrize("iterations", [1, 7, 30])
@pytest.mark.parametrize("warm_start", [False, True])
def test_a_soft_constraint_does_not_hang_on_iterations_nor_on_warm_start(iterations, warm_start):
    """Document 000, part 4, (2.17), other than (2.13), which gains energy with warm start."""
    usual = deflections(SOFT, 1)
    found = deflections(SOFT, 1, iterations=iterations, warm_start=warm_start)
    assert found == pytest.approx(usual, rel=1e-9, abs=1e-9)


@every_row("dt", [1.0, 20.0, 50.0])
@every_row("solver", ["pgs_matrix", "pgs_jrow", "constraint_correction"])
def test_a_soft_joint_bears_a_weight_at_mass_times_gravity_over_stiffness(solver, dt):
    """Document 000, part 4: in balance there is no impulse but that against the weight."""
    stiffness, weight = 2e-4, 0.001
    sag = weight / stiffness
    moving = bodies(
        [[0, 0, 0]] * 2,
        [math.inf, 1],
        places=[[0] * 3, [100 + sag, 0, 0]],
        forces=[[0] * 3, [weight, 0, 0]],
    )
    spring = Joint("s", "distance", 0, 1, (0, 0), (0, 0), rest=100, soft=Soft(stiffness, 0.0))
    take_step(solver, moving, [], joints=[spring], dt=dt, springs="soft")
    assert moving.X[1, 0] == pytest.approx(100 + sag, abs=1e-9)
    assert moving.V[1, 0] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("integrator", "comes_back", "holds"),
    [("semi_implicit_euler", True, True), ("explicit_euler", False, False)],
)
def test_positions_that_move_first_spoil_bounces_and_let_balls_sink(
    on_a_table, integrator, comes_back, holds
):
    """Document 000, part 4: why its second variant was given up; `JumpingBall` at 50 ms."""
    solver = f"type: pgs_matrix, position_correction: false, integrator: {integrator}"
    ball = "ball: {shape: {circle: 15}, mass: 1, position: [0, -115]}"
    elastic = on_a_table(ball, solver=solver, restitution=1, friction=0, dt=50)
    heights = []
    for _ in range(240):
        elastic.step()
        heights.append(-15 - elastic["ball"].position[1])
    assert (max(heights[100:]) > 99) is comes_back
    dull = on_a_table(ball, solver=solver, friction=0, dt=50)
    dull.step(240)
    assert (dull["ball"].position[1] < 0) is holds


def test_springs_of_003_are_forces():
    """Document 003, M5: force joints act before the velocities are corrected."""
    moving = bodies([[0, 0, 0]] * 2, [math.inf, 2], places=[[0] * 3, [3, 0, 0]])
    spring = Joint("s", "distance", 0, 1, (0, 0), (0, 0), rest=1, soft=Soft(5.0, 0.0))
    report = take_step(
        "constraint_correction", moving, [], joints=[spring], dt=0.1, springs="force"
    )
    assert moving.V[1, 0] == pytest.approx(-5 * 2 * 0.1 / 2)
    assert report.joints[0, 0] == pytest.approx(-5 * 2 * 0.1)
