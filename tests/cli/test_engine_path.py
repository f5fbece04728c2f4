# SPDX-License-Identifier: MIT
"""``rigid explain --engine`` and ``rigid bench --stages``: the path and the time of a step."""

from __future__ import annotations

import json

import pytest
from rigid2d.core import UsageError, build, load, loads
from rigid2d.core.jobs.explain.engine_path import engine_path

CHAIN = """
rigid: 1
world: {{steps: 60, solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  a: {{position: [0, 0], shape: {{box: [0.4, 0.1]}}}}
  b: {{position: [0.5, 0], shape: {{box: [0.4, 0.1]}}}}
joints:
  top: {{type: revolute, bodies: [world, a], anchor: [-0.2, 0]}}
  next: {{type: revolute, bodies: [a, b], anchor: [0.25, 0]}}
"""
STACK = """
rigid: 1
world: {steps: 60}
bodies:
  floor: {type: static, shape: {box: [10, 1]}, position: [0, -0.5]}
  low: {position: [0, 0.5], shape: {box: [1, 1]}}
  high: {position: [0, 1.5], shape: {box: [1, 1]}}
  alone: {position: [3, 4], shape: {circle: 0.2}}
"""
SPRING = """
rigid: 1
world: {steps: 60}
bodies:
  a: {position: [0, 0], shape: {circle: 0.2}}
joints:
  s:
    type: distance
    bodies: [world, a]
    anchors: [[0, 1], [0, 0]]
    length: 1
    spring: {frequency: 0.5}
"""


def parts(text: str, step: int = 2) -> dict[str, tuple[int, str]]:
    path = engine_path(loads(text, path="s.yaml"), step)
    return {part: (count, why) for part, count, why in path.table.rows}


def test_joints_that_are_solved_at_once_are_counted_by_mechanism() -> None:
    found = parts(CHAIN.format(solver="soft_step", joints="direct"))
    assert found["direct joints"] == (2, "in 1 mechanism, each solved at once")
    assert found["iterative joints"] == (0, "")
    assert found["islands"][0] == 1
    assert found["side by side"] == (1, "worlds of a batch are solved together in lanes")


def test_counts_are_whole_numbers() -> None:
    path = engine_path(loads(STACK), 2)
    assert {type(count) for count in path.statistics.values()} == {int}


def test_joints_say_why_they_are_solved_one_by_one() -> None:
    found = parts(CHAIN.format(solver="soft_step", joints="iterative"))
    assert found["direct joints"] == (0, "")
    assert found["iterative joints"] == (2, "2: world.solver.joints is iterative")
    assert found["side by side"] == (0, "no: it has no joints that are solved directly")
    assert parts(SPRING)["iterative joints"] == (1, "1: their mechanism has slow springs alone")


def test_a_mechanism_that_costs_too_much_is_named_as_such() -> None:
    side = 40
    bodies = "\n".join(
        f"  b{x}_{y}: {{position: [{x}, {y}], shape: {{circle: 0.2}}}}"
        for x in range(side)
        for y in range(side)
    )
    joints = "\n".join(
        f"  j{x}_{y}_{dx}: {{type: revolute, bodies: [b{x}_{y}, b{x + dx}_{y + 1 - dx}],"
        f" anchor: [{x + dx / 2}, {y + (1 - dx) / 2}]}}"
        for x in range(side - 1)
        for y in range(side - 1)
        for dx in (0, 1)
    )
    found = parts(f"rigid: 1\nworld: {{steps: 9}}\nbodies:\n{bodies}\njoints:\n{joints}\n", 1)
    count = 2 * (side - 1) ** 2
    why = f"{count}: their mechanism costs too much to be solved at once"
    assert found["iterative joints"] == (count, why)


def test_islands_are_what_contacts_hold_together() -> None:
    found = parts(STACK, 30)
    assert found["awake bodies"][0] == 3
    assert found["islands"][0] == 2
    assert found["contacts"][0] == 2
    assert found["side by side"] == (0, "no: bodies touch")


def test_sequential_impulse_goes_alone() -> None:
    found = parts(CHAIN.format(solver="sequential_impulse", joints="direct"))
    assert found["side by side"] == (0, "no: its solver steps worlds one by one")


def test_a_textbook_solver_has_no_path() -> None:
    scene = loads(
        "rigid: 1\nworld: {solver: {type: pgs_matrix}}\nbodies: {a: {shape: {circle: 1}}}\n",
        path="s.yaml",
    )
    with pytest.raises(UsageError, match="pgs_matrix is a textbook solver"):
        engine_path(scene)


def test_the_command_prints_the_path(rigid, tmp_path) -> None:
    file = tmp_path / "stack.yaml"
    file.write_text(STACK)
    done = rigid("explain", file, "--engine", "--step", "30")
    assert done.code == 0
    assert "islands" in done.out
    assert "no: bodies touch" in done.out
    done = rigid("explain", file, "--engine", "--json")
    assert json.loads(done.out)["counts"]["awake"] == 3
    done = rigid("explain", file, "--engine", "--body", "low")
    assert done.code == 2
    assert "leave out --body" in done.err


@pytest.mark.parametrize("options", [(), ("--engine",), ("--plot", "step.svg")])
def test_a_step_after_the_end_of_the_run_is_refused(rigid, tmp_path, options) -> None:
    file = tmp_path / "stack.yaml"
    file.write_text(STACK)
    last = load(file).world.steps
    assert rigid("explain", file, "--engine", "--step", last).code == 0
    done = rigid("explain", file, "--step", last + 1, *options)
    assert done.code == 2
    assert f"--step {last + 1}: the steps of the run of" in done.err
    assert f"are from 1 to {last} " in done.err
    assert not (tmp_path / "step.svg").exists()


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_stages_are_timed_where_they_are_asked_for(solver) -> None:
    world = build(loads(CHAIN.format(solver=solver, joints="direct"), path="s.yaml"))
    world.step(3)
    assert not any(key.endswith("_stage_ms") for key in world.statistics())
    world.measure_stages()
    world.step(3)
    found = world.statistics()
    stages = {key: value for key, value in found.items() if key.endswith("_stage_ms")}
    assert stages["solve_stage_ms"] > 0
    assert stages["positions_stage_ms"] > 0
    assert stages["relax_stage_ms"] > 0 if solver == "soft_step" else stages["bounce_stage_ms"] > 0
    world.measure_stages(False)
    assert not any(key.endswith("_stage_ms") for key in world.statistics())


def test_measuring_changes_no_bit() -> None:
    plain, timed = (
        build(loads(CHAIN.format(solver="soft_step", joints="direct"), path="s.yaml"))
        for _ in range(2)
    )
    timed.measure_stages()
    plain.step(100)
    timed.step(100)
    assert plain.save() == timed.save()


def test_bench_shows_every_stage(rigid, tmp_path) -> None:
    file = tmp_path / "stack.yaml"
    file.write_text(STACK)
    done = rigid("bench", file, "--steps", "20", "--stages")
    assert done.code == 0
    assert "warm start" in done.out
    assert "narrow phase" in done.out
    done = rigid("bench", file, "--steps", "20", "--stages", "--json")
    assert "solve_stage" in json.loads(done.out)["scenes"][0]["stages_ms"]


CROWD = """
rigid: 1
world: {{steps: 60, solver: {{joints: {joints}}}}}
bodies:
  bone: {{repeat: {{i: {chains}, k: 4}}, position: [=3*i, =-k], shape: {{box: [0.1, 0.8]}}}}
  crane: {{repeat: {{k: 9}}, position: [-9, =-k], shape: {{box: [0.1, 0.8]}}}}
joints:
  neck:
    repeat: {{i: {chains}, k: 3}}
    type: revolute
    bodies: ["bone[=i,=k]", "bone[=i,=k+1]"]
    anchor: [=3*i, =-k - 0.5]
  hook:
    repeat: {{k: 8}}
    type: revolute
    bodies: ["crane[=k]", "crane[=k+1]"]
    anchor: [-9, =-k - 0.5]
"""


@pytest.mark.parametrize(
    ("joints", "chains", "at_once"), [("auto", 100, 101), ("auto", 500, 1), ("direct", 500, 501)]
)
def test_mechanisms_of_one_size_are_solved_alike(joints: str, chains: int, at_once: int) -> None:
    world = build(loads(CROWD.format(joints=joints, chains=chains)))
    world.step(2)
    found = world.statistics()
    assert found["direct_mechanisms"] == at_once
    assert found["iterative_mechanisms"] == chains + 1 - at_once
