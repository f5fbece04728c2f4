# SPDX-License-Identifier: MIT
"""Document 000, parts 2 and 3: what rests, what converges, and what warm start and slop are for."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from rigid2d.core.jobs.compare import run_variant, variants
from rigid2d.core.solvers import entries

from tests.search import tries
from tests.solvers.conftest import world_on_a_table


def cubes(count, size=60.0, gap=2.0, shift=3.0):
    return [
        f"c{i}: {{shape: {{box: [{size}, {size}]}}, mass: 1, "
        f"position: [{shift * (i % 2)}, {-size / 2 - i * (size + gap)}]}}"
        for i in range(count)
    ]


def balls(count, radius=20.0, shift=0.0):
    return [
        f"b{i}: {{shape: {{circle: {radius}}}, mass: 1, "
        f"position: [{shift * (i % 2)}, {-radius - i * 2 * radius}]}}"
        for i in range(count)
    ]


def funnel():
    sides = [
        f"side{k + 1}: {{type: static, shape: {{box: [160, 10]}}, position: [{65 * k}, -90], "
        f"angle: {-45 * k}}}"
        for k in (-1, 1)
    ]
    grains = [
        f"g{i}: {{shape: {{circle: 20}}, mass: 1, position: [{3 * (i % 2)}, {-90 - 41 * i}]}}"
        for i in range(4)
    ]
    return sides + grains


def pyramid(rows=4):
    return [
        f"p{row}_{k}: {{shape: {{box: [50, 30]}}, mass: 1, "
        f"position: [{54 * k + 27 * row}, {-15 - 31 * row}]}}"
        for row in range(rows)
        for k in range(rows - row)
    ]


SOLVER = "type: pgs_matrix, allowed_penetration: 1, iterations: {}, warm_start: {}"


def test_a_stack_of_cubes_stands_on_ten_iterations_with_warm_start(on_a_table):
    """Document 000, part 3, warm start: the cube stack."""
    world = on_a_table(*cubes(10), solver=SOLVER.format(10, "true"))
    world.step(250)
    assert world["c9"].position == pytest.approx((0, -570), abs=12)
    assert np.abs(world.bodies.angle).max() < 0.05


def test_a_stack_of_cubes_falls_on_ten_iterations_without_warm_start(on_a_table):
    """Document 000, part 3, warm start: the cube stack."""
    world = on_a_table(*cubes(10), solver=SOLVER.format(10, "false"))
    world.step(250)
    assert world["c9"].position[1] > -500


@pytest.mark.parametrize(("warm", "stands"), [("true", True), ("false", False)])
def test_a_stack_of_balls_stands_on_ten_iterations_with_warm_start_alone(on_a_table, warm, stands):
    """Document 000, part 3, warm start: the ball stack, which sinks into itself without."""
    world = on_a_table(*balls(10), solver=SOLVER.format(10, warm))
    world.step(300)
    assert (abs(world["b9"].position[1] + 380) < 15) is stands


WOBBLE = (
    "type: pgs_matrix, allowed_penetration: {}, warm_start: false, friction_limit: gravity, "
    "iterations: 30, contacts: document"
)


@pytest.mark.parametrize(("allowed", "calms"), [(0.1, False), (2, True)])
def test_a_cube_with_a_little_spin_calms_when_it_may_sink_by_2_pixels(on_a_table, allowed, calms):
    """Document 000, part 2, `CubeOnTable_StartsWithMomentum_BecomesQuickResting`.

    With the document's own contacts: all points of a face have the depth of the deepest."""
    world = on_a_table(
        "cube: {shape: {box: [100, 100]}, mass: 1, position: [0, -50], "
        "angular_velocity: 0.0001 rad/ms}",
        dt=50,
        restitution=0.5,
        solver=WOBBLE.format(allowed),
    )
    world.step(300)
    angles = []
    for _ in range(200):
        world.step()
        angles.append(world["cube"].angle)
    assert (max(angles) - min(angles) < 1e-6) is calms
    assert abs(angles[-1]) < 0.1


PILES = {
    "funnel": funnel(),
    "circle stack": balls(4),
    "cube stack": cubes(5, shift=0.0),
    "pyramid": pyramid(),
}


@pytest.mark.parametrize("pile", [*PILES][: tries(3, 4)])
def test_a_pile_comes_to_rest(on_a_table, pile):
    """Document 000, part 2, `PositionCorrectionTests` and the table of time steps until rest."""
    world = on_a_table(*PILES[pile], solver=SOLVER.format(100, "true"))
    world.step(150)
    places = world.bodies.pose().copy()
    world.step(20)
    assert np.abs(world.bodies.pose() - places).max() < 0.05
    assert world.energy()[0] < 1e-5


# Bodies, contacts where the table's J tells them of a pile built as simply, and time steps until
# rest, of which no more than 60 are waited for. Where bodies stood the document does not say.
SIZES = {
    "funnel": (funnel(), 7, None, 131),
    "circle stack": (balls(4), 5, 4, 27),
    "cube stack": (cubes(5, shift=0.0), 6, 10, 49),
    "pyramid": (pyramid(5), 16, None, 171),
}


@pytest.mark.parametrize("pile", SIZES)
def test_a_pile_of_the_documents_size_rests_no_later_than_there(on_a_table, pile):
    """Document 000, part 2: the table of sizes of J and time steps until rest, of 50 ms, with 100
    iterations; here with the warm start of part 3, without which the cubes keep trembling."""
    bodies, count, contacts, steps = SIZES[pile]
    solver = SOLVER.format(100, "true").replace("pgs_matrix", "pgs_jrow")
    world = on_a_table(*bodies, solver=solver, dt=50)
    assert len(world.scene.bodies) == count
    world.step(min(steps, 60))
    for _ in range(5):
        world.step()
        assert max(np.abs(world.bodies.vx).max(), np.abs(world.bodies.vy).max()) < 1e-3
        assert np.abs(world.bodies.omega).max() < 1e-5
    if contacts is not None:
        assert len(world.query.contacts()) == contacts


@cache
def convergence(pile):
    """The squared distance to the solution of 1000 iterations, relative to that of the first."""
    world = world_on_a_table(*PILES[pile], solver=SOLVER.format(20, "true"))
    (variant,) = variants(world.scene, ["pgs_matrix"])
    found = run_variant(world.scene, variant, steps=120).convergence
    return np.array(found) / found[0]


@pytest.mark.parametrize("pile", PILES)
def test_projected_gauss_seidel_converges_on_a_pile(pile):
    """Document 000, part 2, `PGSConvergenceTest`: error against 1000 iterations."""
    error = convergence(pile)
    assert error[99] < 0.02
    assert error[99] < error[49] < error[9]


def test_the_tower_converges_slowest():
    """Document 000, part 2: errors at its foot go up through all of it."""
    errors = {name: convergence(name)[49] for name in PILES}
    assert max(errors, key=lambda name: errors[name]) == "cube stack"


def test_a_correction_of_the_whole_overlap_throws_the_upper_ball_up(on_a_table):
    """Document 000, part 2: two balls that overlap at first, rate 1 and rate 0.2."""
    overlapping = [
        "low: {shape: {circle: 20}, mass: 1, position: [0, -20]}",
        "high: {shape: {circle: 20}, mass: 1, position: [0, -40]}",
    ]
    highest = {}
    for rate in (1, 0.2):
        solver = f"type: pgs_matrix, correction_rate: {rate}, allowed_penetration: 1"
        world = on_a_table(*overlapping, solver=solver)
        ys = []
        for _ in range(60):
            world.step()
            ys.append(world["high"].position[1])
        highest[rate] = -min(ys)
    assert highest[1] > 2 * 60
    assert highest[0.2] < 75


@pytest.mark.parametrize(("correct", "higher"), [("false", False), ("true", True)])
def test_an_elastic_ball_comes_back_to_its_height_without_position_correction(
    on_a_table, correct, higher
):
    """Document 000, part 2, `JumpgingBall`; correction adds energy. The text says to set it to true
    for e = 1, and means false."""
    solver = f"type: pgs_matrix, position_correction: {correct}, allowed_penetration: 0"
    ball = "ball: {shape: {circle: 15}, mass: 1, position: [0, -115]}"
    world = on_a_table(ball, solver=solver, restitution=1, friction=0, dt=10)
    heights = []
    for _ in range(400):
        world.step()
        heights.append(-15 - world["ball"].position[1])
    assert (max(heights[100:]) > 101) is higher
    assert math.isfinite(max(heights))


def test_sums_of_few_entries_have_the_bits_of_whole_sums(on_a_table, monkeypatch):
    worlds = [on_a_table(*pyramid(), solver=SOLVER.format(10, "true")) for _ in range(2)]
    worlds[0].step(15)
    monkeypatch.setattr(entries, "FEW", 0)
    worlds[1].step(15)
    assert worlds[0].state_hash() == worlds[1].state_hash()
