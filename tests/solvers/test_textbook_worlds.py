# SPDX-License-Identifier: MIT
"""Textbook solvers in scenes: they run, save, fork, tell and refuse as any other solver does."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import (
    Batch,
    Recorder,
    SceneError,
    SimulationError,
    World,
    build,
    loads,
    simulate,
)
from rigid2d.core.scene import expand
from rigid2d.core.world import take_snapshot

from tests.rows import every_row
from tests.search import tries

TEXTBOOK = [
    "pgs_matrix",
    "verlet",
    "iterative_impulse",
    "constraint_correction",
    "pgs_jrow",
    "textbook_impulse",
][: tries(3, 6)]

SCENE = """
rigid: 1
name: two
world: {{steps: 90, solver: {{type: {kind}}}}}
materials: {{m: {{friction: 0.5}}}}
defaults: {{material: m}}
bodies:
  floor: {{type: static, shape: {{box: [20, 1]}}, position: [0, -0.5]}}
  one: {{shape: {{box: [1, 1]}}, position: [0, 0.6]}}
  two: {{shape: {{box: [1, 1]}}, position: [0.1, 1.8], angular_velocity: 10}}
record: {{channels: [one, world, solver, two.force]}}
"""


def scene_of(kind):
    return loads(SCENE.format(kind=kind))


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_run_has_the_same_bits_every_time(kind):
    one, two = build(scene_of(kind)), build(scene_of(kind))
    one.step(90)
    for _ in range(90):
        two.step()
    assert one.state_hash() == two.state_hash()
    assert one.save() == two.save()


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_saved_world_goes_on_as_the_one_that_was_saved(kind):
    world = build(scene_of(kind))
    world.step(40)
    state, fork = world.save(), world.fork()
    world.step(50)
    other = build(scene_of(kind))
    other.restore(state)
    other.step(50)
    fork.step(50)
    assert other.save() == world.save() == fork.save()
    assert other.step_count == 90


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_boxes_come_to_rest_on_each_other(kind):
    world = build(scene_of(kind))
    world.step(300)
    assert world["one"].position[1] == pytest.approx(0.5, abs=0.03)
    assert world["two"].position[1] == pytest.approx(1.5, abs=0.05)
    assert world.energy()[0] < 0.05


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_trace_tells_the_solvers_numbers(kind):
    # The error is that against a thousand iterations, so it is not measured after every step.
    trace = simulate(loads(SCENE.format(kind=kind), overrides=["record.every=10"]))
    iterations = trace.channel("solver.iterations")
    assert iterations[0] == 0
    assert iterations[-1] >= 1
    assert np.all(trace.channel("solver.residual") >= 0)
    assert trace.channel("world.contacts")[-1] == 2


def test_the_error_of_a_solution_falls_with_the_iterations():
    errors = []
    for iterations in (2, 10, 50):
        solver = f"pgs_matrix, warm_start: false, iterations: {iterations}"
        scene = loads(SCENE.format(kind=solver), overrides=["record.every=90"])
        errors.append(simulate(scene).channel("solver.error")[-1])
    assert errors[0] > errors[1] > errors[2]


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_snapshot_is_the_same_again(kind):
    one, two = take_snapshot(scene_of(kind)), take_snapshot(scene_of(kind))
    assert one.checkpoints == two.checkpoints


def test_expectations_know_the_solver():
    text = SCENE.format(kind="iterative_impulse")
    text += "expect: [{always: '=solver.iterations <= 15 and solver.residual < 1'}]\n"
    scene = loads(text)
    recorder = Recorder(scene, trace=True)
    simulate(scene, recorder=recorder)
    assert [result.passed for result in recorder.results] == [True]


def test_the_engines_own_solvers_do_not_tell_their_residual():
    with pytest.raises(SceneError, match=r"solver\.residual.*soft_step"):
        loads(SCENE.format(kind="soft_step").replace("solver,", "solver.residual,"))


@every_row("kind", TEXTBOOK)
def test_an_expanded_scene_is_the_same_scene(kind):
    scene = scene_of(kind)
    assert loads(expand(scene)).hash == scene.hash


@every_row(
    ("kind", "line", "place"),
    [
        ("iterative_impulse", "joints: {j: {type: revolute, bodies: [one, two]}}", "joints.j.type"),
        (
            "pgs_jrow",
            "joints: {j: {type: ratchet, bodies: [one, two], teeth: 12}}",
            "joints.j.type",
        ),
        (
            "verlet",
            "joints: {j: {type: distance, bodies: [one, two], max_length: 9, "
            "limit_spring: {frequency: 1}}}",
            "joints.j.limit_spring",
        ),
        ("verlet", "joints: {j: {type: revolute, bodies: [one, two]}}", "joints.j.type"),
        (
            "iterative_impulse",
            "actuators: {m: {type: rotary_motor, body: one, speed: 1}}",
            "actuators.m.type",
        ),
        ("verlet", "joints: {j: {type: distance, bodies: [one, two]}}", "joints.j.anchors"),
        ("verlet", "inputs: [{drag: one, path: [[0, 1, 1]]}]", "inputs[0].drag"),
        ("iterative_impulse", "inputs: [{drag: one, path: [[0, 1, 1]]}]", "inputs[0].drag"),
        ("verlet", "joints: {j: {type: mouse, body: one}}", "joints.j.type"),
        ("verlet, grouping: pair", "", "world.solver.grouping"),
        ("pgs_matrix, joints: direct", "", "world.solver.joints"),
        ("pgs_jrow, clamp: each", "", "world.solver.clamp"),
    ],
)
def test_what_a_solver_cannot_do_is_an_error_that_names_the_field(kind, line, place):
    with pytest.raises(SceneError) as caught:
        loads(SCENE.format(kind=kind) + line)
    assert place in str(caught.value)
    assert kind.split(",")[0] in str(caught.value)


@every_row(
    ("kind", "body", "place"),
    [
        ("verlet", "shape: {circle: 1}", "bodies.three.shape"),
        ("verlet", "shape: {box: [1, 1], restitution: 0.5}", "bodies.three.shape.restitution"),
        ("pgs_matrix", "shape: {circle: 1}, bullet: true", "bodies.three.bullet"),
        ("pgs_jrow", "shape: {circle: 1, sensor: true}", "sensor"),
        (
            "pgs_matrix, contacts: document",
            "shape: {capsule: [[0, 0], [1, 0]], radius: 0.2}",
            "bodies.three.shape",
        ),
    ],
)
def test_a_body_that_a_solver_cannot_move_is_an_error_that_names_the_field(kind, body, place):
    text = SCENE.format(kind=kind).replace(
        "record:", f"  three: {{{body}, position: [9, 9]}}\nrecord:"
    )
    with pytest.raises(SceneError) as caught:
        loads(text)
    assert place in str(caught.value)
    assert "<string>:11" in str(caught.value)


def test_a_world_in_a_batch_has_the_bits_of_the_same_world_alone():
    scene = scene_of("pgs_matrix")
    batch, alone = Batch(scene, 2), World(scene)
    batch.step(5)
    alone.step(5)
    assert batch.world(1).save() == alone.save()
    batch.reset([True, False])
    assert batch.world(0).save() == World(scene).save()


FREE = """
rigid: 1
name: free
world: {{steps: 60, solver: {{type: {kind}}}{more}}}
bodies:
  box: {{shape: {{box: [1, 1]}}, mass: 2, position: [0, 0]{body}}}
{rest}
"""


def free(kind="pgs_matrix", more="", body="", rest=""):
    return build(loads(FREE.format(kind=kind, more=more, body=body, rest=rest)))


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_body_falls_as_semi_implicit_euler_says(kind):
    world = free(kind)
    world.step(60)
    assert world["box"].velocity[1] == pytest.approx(-9.81, rel=1e-5)
    assert world["box"].position[1] == pytest.approx(-9.81 * 61 / 120, rel=1e-5)


@every_row("kind", TEXTBOOK)
def test_a_thruster_turns_and_pushes_a_body(kind):
    actuator = "actuators: {jet: {type: thruster, body: box, at: [0.5, 0], force: [0, 3]}}"
    world = free(kind, ", gravity: [0, 0]", rest=actuator)
    world.step(1)
    inertia = 2 * 2 / 12
    assert world["box"].velocity[1] == pytest.approx(1.5 / 60, rel=1e-5)
    assert world["box"].angular_velocity == pytest.approx(1.5 / inertia / 60, rel=1e-5)


def test_air_brakes_as_it_does_with_the_engines_own_solvers():
    ends = []
    for kind in ("pgs_matrix", "soft_step, substeps: 1"):
        world = free(kind, body=", linear_damping: 0.7, velocity: [3, 0]")
        world.step(60)
        ends.append(world["box"].velocity)
    assert ends[0] == pytest.approx(ends[1], rel=1e-5)


def test_a_body_that_leaves_the_bounds_is_taken_out():
    world = free(more=", bounds: [[-5, -1], [5, 5]]")
    world.step(60)
    assert not world.bodies.alive[0]
    assert [str(event) for event in world.events.take()] == ["left_bounds box"]


def test_contact_events_tell_when_bodies_begin_to_touch():
    world = build(scene_of("pgs_jrow"))
    world.events.enable_contacts()
    world.step(90)
    assert "contact_begin floor one" in [str(event) for event in world.events.take()]


def test_a_body_that_runs_away_stops_the_run():
    world = free(body=", velocity: [1e9, 0]")
    with pytest.raises(SimulationError, match=r"box.*ran away"):
        world.step(60)


def test_a_push_by_hand_counts_for_one_step():
    world = free(more=", gravity: [0, 0]")
    world["box"].apply_force((60, 0))
    world.step(2)
    assert world["box"].velocity[0] == pytest.approx(0.5, rel=1e-6)


JOINTED = """
rigid: 1
name: jointed
world: {{steps: 120, solver: {{type: {kind}}}}}
bodies:
  bob: {{shape: {{box: [2, 2]}}, mass: 1, position: [1, 0]}}
joints:
  held: {joint}
"""


@pytest.mark.parametrize("kind", ["pgs_matrix", "pgs_jrow", "constraint_correction"])
def test_a_rod_keeps_its_length(kind):
    rod = "{type: distance, bodies: [world, bob], anchors: [[0, 0], [0, 0]]}"
    world = build(loads(JOINTED.format(kind=kind, joint=rod)))
    for _ in range(120):
        world.step()
        x, y = world["bob"].position
        assert (x * x + y * y) == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("kind", ["pgs_matrix", "pgs_jrow", "constraint_correction"])
def test_a_revolute_joint_holds_a_body_at_its_anchor(kind):
    pin = "{type: revolute, bodies: [world, bob], anchor: [0, 0]}"
    world = build(loads(JOINTED.format(kind=kind, joint=pin)))
    world.step(120)
    x, y = world["bob"].position
    assert (x * x + y * y) == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("kind", ["pgs_matrix", "pgs_jrow", "constraint_correction"])
def test_a_weld_bears_a_body_at_rest(kind):
    weld = "{type: weld, bodies: [world, bob], anchor: [0, 0]}"
    world = build(loads(JOINTED.format(kind=kind, joint=weld)))
    world.step(120)
    assert world["bob"].position == pytest.approx((1, 0), abs=0.02)
    assert world.joint("held").force == pytest.approx((0, 9.81), abs=0.01)


@pytest.mark.parametrize("kind", ["pgs_matrix", "pgs_jrow", "constraint_correction"])
def test_a_spring_sinks_by_weight_over_stiffness(kind):
    spring = (
        "{type: distance, bodies: [world, bob], anchors: [[1, 1], [0, 0]], length: 1, "
        "spring: {stiffness: 100, damping: 20}}"
    )
    world = build(loads(JOINTED.format(kind=kind, joint=spring)))
    world.step(240)
    assert world["bob"].position[1] == pytest.approx(-0.0981, abs=2e-3)
