# SPDX-License-Identifier: MIT
"""`explain` shows a step of `soft_step` with the engine's own numbers."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from rigid2d.cli.main import main
from rigid2d.core import UsageError, build, load, loads
from rigid2d.core.jobs.explain import as_json, as_markdown, explain, headline
from rigid2d.core.jobs.explain.observed import observe_step
from rigid2d.core.jobs.explain.plots import plots
from rigid2d.core.jobs.explain.soft_step import soft_numbers
from rigid2d.core.jobs.explain.sweeps import swept
from rigid2d.core.world.observing import STAGES, observe

from tests.rows import every_row

ROOT = Path(__file__).resolve().parents[2]
H = 1 / 240

BOX = """
rigid: 1
name: box
world: {{dt: =1/60, gravity: [0, -10], sleep: {sleep}}}
materials: {{m: {{friction: {friction}, restitution: {restitution}}}}}
defaults: {{material: m}}
bodies:
  floor: {{type: static, shape: {{box: [20, 1]}}, position: [0, -0.5]}}
  box: {{shape: {{box: [1, 1]}}, mass: 2, position: [0, {y}], velocity: {velocity}}}
"""


def box(y=0.5, velocity=(0, 0), friction=0.5, restitution=0.0, sleep="false"):
    given = {"y": y, "velocity": list(velocity), "friction": friction, "sleep": sleep}
    return loads(BOX.format(restitution=restitution, **given))


JOINTS = """
rigid: 1
name: joints
world: {{dt: =1/60, sleep: false, solver: {{type: soft_step, joints: {joints}}}}}
bodies:
  floor: {{type: static, shape: {{box: [60, 1]}}, position: [0, -9]}}
  a: {{shape: {{box: [1, 0.2]}}, position: [0.5, 0], velocity: [0.3, 1]}}
  b: {{shape: {{box: [1, 0.2]}}, position: [1.5, 0.1], angle: 10}}
  c: {{shape: {{circle: 0.3}}, position: [2.5, -0.2], mass: 3}}
  d: {{shape: {{box: [0.4, 0.4]}}, position: [6, 0], velocity: [0, 2]}}
  e: {{shape: {{box: [0.4, 0.4]}}, position: [7, 0.5]}}
  f: {{shape: {{circle: 0.4}}, position: [8, 0], angular_velocity: 3}}
  g: {{shape: {{circle: 0.2}}, position: [8.6, 0]}}
joints:
  hinge: {{type: revolute, bodies: [world, a], anchor: [0, 0], limits: [-3, 20],
          motor: {{speed: 1, max_torque: 2}}}}
  pin: {{type: revolute, bodies: [a, b], anchor: [1, 0]}}
  weld: {{type: weld, bodies: [b, c], anchor: [2, 0]}}
  slide: {{type: prismatic, bodies: [world, d], anchor: [6, 0], axis: [0.6, 0.8],
          limits: [-1, 0.02], motor: {{speed: 1, max_force: 3}}}}
  rope: {{type: distance, bodies: [d, e], anchors: [[0, 0], [0, 0]], min_length: 0,
         max_length: 1.1}}
  spring: {{type: distance, bodies: [world, e], anchors: [[7, 2], [0, 0]], length: 1,
           spring: {{frequency: 3, damping_ratio: 0.2}}}}
  wheel: {{type: wheel, bodies: [world, f], anchor: [8, 0], axis: [0, 1],
          spring: {{frequency: 4, damping_ratio: 0.7}}, motor: {{speed: -2, max_torque: 1}}}}
  soft: {{type: weld, bodies: [f, g], anchor: [8.4, 0],
         spring: {{frequency: 6, damping_ratio: 0.5}}}}
"""


def tables(found):
    return {each["title"]: each for each in as_json(found)["tables"]}


def column(table, name):
    return [row[table["columns"].index(name)] for row in table["rows"]]


@pytest.fixture(scope="module")
def resting():
    return explain(box(), 60)


def test_soft_numbers_are_those_of_a_spring_with_that_frequency_and_ratio():
    """Catto, "Soft Constraints", 2011: w / a1, a2 / (1 + a2), 1 / (1 + a2)."""
    turn = 2 * math.pi * 30 * H
    a1 = 2 * 0.7 + turn
    a2 = turn * a1
    numbers = turn / H / a1, a2 / (1 + a2), 1 / (1 + a2)
    assert soft_numbers(H, *numbers) == pytest.approx((30, 0.7))


def test_a_resting_box_has_the_numbers_of_the_page_on_soft_contacts(resting):
    soft = tables(resting)["Soft numbers"]
    assert column(soft, "rows") == ["contact with a body that cannot move"]
    assert column(soft, "beta") == pytest.approx([0.24])
    assert column(soft, "mass scale") == pytest.approx([0.92])
    assert column(soft, "impulse scale") == pytest.approx([0.08])
    assert column(soft, "bias rate") == pytest.approx([0.24 / H])
    a2 = 0.92 / 0.08
    turn = math.sqrt(0.24 * a2)
    assert column(soft, "frequency") == pytest.approx([turn / (2 * math.pi * H)], rel=1e-5)
    assert column(soft, "damping ratio") == pytest.approx([(a2 / turn - turn) / 2], rel=1e-5)


def test_a_resting_box_is_borne_by_its_two_corners(resting):
    found = tables(resting)
    rows, contacts = found["Constraints"], found["Contacts"]
    assert column(rows, "row") == ["NormalA", "NormalB", "FrictionA", "FrictionB"]
    inertia = 2 / 6
    mass = 1 / (1 / 2 + 0.5**2 / inertia)
    assert column(rows, "mass") == pytest.approx(4 * [mass], rel=1e-3)
    gamma = H / mass * 0.08 / 0.92
    assert column(rows, "gamma") == pytest.approx([gamma, gamma, 0, 0], rel=1e-3)
    assert column(rows, "beta") == pytest.approx([0.24, 0.24, 0, 0])
    weight = 2 * 10 / 60
    assert column(contacts, "normal impulse") == pytest.approx(2 * [weight / 2], rel=1e-3)
    assert column(contacts, "bound") == pytest.approx(2 * [weight / 4], rel=1e-3)
    assert column(contacts, "friction") == ["holds", "holds"]
    assert column(rows, "initial")[:2] == pytest.approx(2 * [weight / 8], rel=1e-3)
    assert found["Bodies"]["rows"][0][4:9] == pytest.approx([0, -20, 0, 0.5, 1 / inertia], abs=1e-3)
    assert resting.residual < 1e-4
    assert "4 substeps of h = 0.004166667 s with 2 passes each" in headline(resting)


def test_the_first_pass_is_what_the_note_below_the_soft_numbers_says():
    """A sunken box: p' = -m mu (v + b s) - (1 - mu) p, with b = 0.24 / h and mu = 0.92."""
    step = observe_step(box(y=0.499), 3)
    one, two = step.rows[:2]
    assert (one.name, two.name) == ("NormalA", "NormalB")
    rate, scale, rest = step.soft["static_contact"]
    error = one.error[0, 0] + 1e-4
    assert one.wanted[0] == pytest.approx(-rate * error, rel=1e-4)
    change = -one.mass * scale * (one.speeds[0, 0] - one.wanted[0]) - rest * one.warm[0]
    assert one.solved[0] == pytest.approx(one.warm[0] + change, rel=1e-4)
    assert one.changes[0] == pytest.approx(change, rel=1e-4)


def test_a_sliding_box_has_its_friction_at_the_bound():
    found = explain(box(velocity=(2, 0)), 10)
    contacts = tables(found)["Contacts"]
    assert column(contacts, "friction") == 2 * ["slides in 4 of 4"]
    sizes = [abs(each) for each in column(contacts, "friction impulse")]
    assert sizes == pytest.approx(column(contacts, "bound"), rel=1e-4)
    states = column(tables(found)["Substeps"], "state")
    assert states == 4 * ["", "", "at bound", "at bound"]


def test_a_blow_is_shown_before_the_passes():
    step = observe_step(box(y=0.53, velocity=(0, -4), restitution=0.5), 1)
    normals = [row for row in step.rows if row.part == "normal"]
    blows = sum(row.blow.sum() for row in normals)
    assert blows == pytest.approx(2 * (4 + 0.5 * 4), rel=0.05)
    for row in normals:
        assert row.total == pytest.approx(row.blow.sum() + row.relaxed.sum(), rel=1e-5)


ROLLING = """
rigid: 1
world: {dt: =1/60, sleep: false}
materials: {m: {friction: 0.8, rolling_resistance: 0.05}}
defaults: {material: m}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  belt: {type: static, shape: {box: [2, 0.2]}, position: [5, 0.1], tangent_speed: 1}
  ball: {shape: {circle: 0.5}, position: [0, 0.5], velocity: [2, 0], angular_velocity: -4}
  low: {shape: {box: [1, 1]}, position: [-3, 0.5]}
  high: {shape: {box: [1, 1]}, position: [-3.2, 1.5]}
  parcel: {shape: {box: [0.4, 0.4]}, position: [5, 0.4]}
"""
SCENES = {
    "resting": lambda: box(),
    "sliding": lambda: box(velocity=(2, 0)),
    "bouncing": lambda: box(y=0.6, velocity=(0, -3), restitution=0.5),
    "rolling": lambda: loads(ROLLING),
    "direct": lambda: loads(JOINTS.format(joints="direct")),
    "iterative": lambda: loads(JOINTS.format(joints="iterative")),
    "bridge": lambda: load(ROOT / "scenes/tutorial/02_slope.yaml", ["record=null"]),
}


@every_row("name", sorted(SCENES))
def test_sums_are_those_that_the_engine_reports(name):
    """And the observed step has the bits of any other."""
    scene, number = SCENES[name](), 25
    step, world = observe_step(scene, number), build(scene)
    world.step(number)
    after = np.stack([world.native.vx, world.native.vy, world.native.omega], axis=1)
    moving = [*step.moving]
    assert np.array_equal(step.after[moving], after[moving])
    told = world.native.contacts()
    for impulse, part in (("normal_impulse", "normal"), ("tangent_impulse", "friction")):
        shown = [row.total for row in step.rows if row.part == part and (row.total or row.direct)]
        there = [value for value in told[impulse].tolist() if value]
        assert sorted(shown) == pytest.approx(sorted(there), rel=1e-9)
    forces = world.native.joint_state()
    slots = {each: i for i, each in enumerate(scene.joints)}
    assert [joint.name for joint in step.joints] == [*scene.joints]
    for joint in step.joints:
        state = forces[slots[joint.name]]
        reported = [state[field] * scene.world.dt for field in ("force_x", "force_y", "torque")]
        assert joint.impulse == pytest.approx(reported, rel=1e-5, abs=1e-9)
        assert joint.motor == pytest.approx(
            state["motor_force"] * scene.world.dt, rel=1e-6, abs=1e-9
        )
    for row in step.rows:
        if row.part in ("normal", "friction"):
            assert row.total == pytest.approx(row.blow.sum() + row.relaxed.sum(), abs=1e-6)


@every_row("name", ["resting", "sliding", "rolling", "direct", "iterative"])
def test_the_impulses_of_a_pass_are_what_changes_the_velocities(name):
    """V' = V + M^-1 J^T p, with the rows and impulses that are shown."""
    world = build(SCENES[name]())
    world.step(12)
    found = observe(world).numbers
    size = world.native.body_count
    stage = {each: i for i, each in enumerate(STAGES)}

    def velocities(name, k):
        rows = found["bodies"]
        rows = rows[(rows["stage"] == stage[name]) & (rows["substep"] == k)]
        out = np.zeros((size, 3))
        out[rows["body"]] = np.stack([rows["vx"], rows["vy"], rows["omega"]], axis=1)
        return out

    inverse = np.zeros((size, 3))
    first = found["bodies"][found["bodies"]["substep"] == -1]
    inverse[first["body"], 0] = inverse[first["body"], 1] = first["inverse_mass"]
    inverse[first["body"], 2] = first["inverse_inertia"]

    def pick(kind, name, k):
        rows = found[kind]
        return rows[(rows["stage"] == stage[name]) & (rows["substep"] == k)]

    for k in range(found["substeps"]):
        pushed = np.zeros((size, 3))
        both = zip(pick("rows", "warm_start", k), pick("rows", "solve", k), strict=True)
        for before, row in both:
            impulse = row["impulse"] - (0.0 if row["direct"] else before["impulse"])
            pushed[row["body_a"]] += [row[f"j{i}"] * impulse for i in (0, 1, 2)]
            pushed[row["body_b"]] += [row[f"j{i}"] * impulse for i in (3, 4, 5)]
        both = zip(pick("contacts", "warm_start", k), pick("contacts", "solve", k), strict=True)
        for before, row in both:
            n = np.array([row["normal_x"], row["normal_y"]])
            p = (row["normal_impulse"] - before["normal_impulse"]) * n
            p += (row["tangent_impulse"] - before["tangent_impulse"]) * np.array([n[1], -n[0]])
            for side, sign in (("a", -1), ("b", 1)):
                arm = row[f"anchor_{side}x"], row[f"anchor_{side}y"]
                turn = arm[0] * p[1] - arm[1] * p[0]
                pushed[row[f"body_{side}"]] += sign * np.array([*p, turn])
            if row["point"] == 0:
                rolled = row["rolling_impulse"] - before["rolling_impulse"]
                pushed[row["body_a"], 2] -= rolled
                pushed[row["body_b"], 2] += rolled
        change = velocities("solve", k) - velocities("warm_start", k)
        assert change == pytest.approx(inverse * pushed, abs=2e-5)


def test_rows_of_a_mechanism_are_solved_together_and_others_one_by_one():
    together, one_by_one = (
        tables(explain(loads(JOINTS.format(joints=each)), 5)) for each in ("direct", "iterative")
    )
    assert set(column(together["Joints"], "solved")) >= {"together, mechanism 1"}
    assert set(column(one_by_one["Joints"], "solved")) == {"one by one"}
    assert "are solved together" in together["A = J M^-1 J^T"]["note"]
    assert "joint solved one by one" in column(one_by_one["Soft numbers"], "rows")
    for found in (together, one_by_one):
        names = column(found["Constraints"], "row")
        assert {"pin.x", "pin.y", "weld.angle", "slide.across", "slide.angle"} <= {*names}
        assert {"hinge.motor", "spring.spring", "wheel.motor", "soft.angle"} <= {*names}


def test_a_step_begins_with_the_impulses_of_the_last_substep():
    before, now = (observe_step(box(), number) for number in (30, 31))
    for one, two in zip(before.rows, now.rows, strict=True):
        assert two.warm[0] == pytest.approx(one.relaxed[-1])
        assert two.warm[1:] == pytest.approx(two.relaxed[:-1])


LEFT_OUT = """
rigid: 1
world: {dt: =1/60}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  zone: {type: static, shape: {box: [2, 2], sensor: true}, position: [5, 1]}
  felt: {shape: {circle: 0.3}, position: [5, 1.2]}
  still: {shape: {box: [1, 1]}, position: [0, 0.5]}
  plate: {type: static, shape: {box: [3, 0.2], one_way: [0, 1]}, position: [10, 3]}
  jumper: {shape: {circle: 0.3}, position: [10, 2.2], velocity: [0, 6]}
"""


def test_who_has_no_rows_is_said_with_the_reason():
    scene = loads(LEFT_OUT)
    early, late = tables(explain(scene, 8))["Without rows"], explain(scene, 90)
    assert ["zone", "felt", "a sensor feels and does not touch"] in early["rows"]
    assert any("one-way" in row[2] and "jumper" in row[:2] for row in early["rows"])
    assert late.note == "asleep: felt, still"
    assert any(row[:2] == ["floor", "still"] for row in tables(late)["Without rows"]["rows"])


def test_one_body_alone_is_shown_with_what_touches_it():
    found = tables(explain(loads(ROLLING), 20, body="low"))
    assert column(found["Bodies"], "body") == ["low"]
    pairs = zip(column(found["Contacts"], "1"), column(found["Contacts"], "2"), strict=True)
    assert all("low" in pair for pair in pairs)
    with pytest.raises(UsageError, match="low"):
        explain(loads(ROLLING), 1, body="lov")


def test_the_same_step_can_be_tried_in_other_substeps():
    step = observe_step(box(), 30)
    more = step.again(substeps=16)
    assert (more.substeps, more.h) == (16, pytest.approx(1 / 960))
    assert sum(row.total for row in more.rows if row.part == "normal") == pytest.approx(
        2 * 10 / 60, rel=1e-3
    )
    assert [label for label, _ in swept(step, ["substeps=1,2"])] == ["substeps=1", "substeps=2"]
    with pytest.raises(UsageError, match="joints"):
        swept(step, ["joints=direct"])


def test_charts_have_passes_targets_and_bounds():
    pytest.importorskip("matplotlib")
    figure = plots([("", observe_step(box(velocity=(2, 0)), 10))])
    titles = [axes.get_title() for axes in figure.axes]
    rows = ["NormalA", "NormalB", "FrictionA", "FrictionB"]
    assert titles == [*rows, "speed |v|", "squared error of the heaps' solutions"]
    friction = figure.axes[2]
    assert friction.get_xlabel() == "pass"
    assert len(friction.patches) == 8
    lines = {line.get_label(): line for line in friction.get_lines()}
    assert {"sum of the impulses", "mean with 64 substeps", "bounds"} <= {*lines}


def test_the_command_prints_text_json_markdown_and_charts(capsys, tmp_path):
    file = tmp_path / "box.yaml"
    given = {"y": 0.5, "velocity": [1, 0], "friction": 0.5, "sleep": "false", "restitution": 0}
    file.write_text(BOX.format(**given))
    assert main(["explain", str(file), "--step", "5"]) == 0
    assert "Soft numbers" in capsys.readouterr().out
    assert main(["explain", str(file), "--step", "5", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["substeps"], printed["h"]) == (4, pytest.approx(H))
    assert main(["explain", str(file), "--markdown"]) == 0
    assert "## Substeps" in capsys.readouterr().out
    pytest.importorskip("matplotlib")
    plot = tmp_path / "a.svg"
    options = ["--plot", str(plot), "--row", "FrictionA", "--sweep", "substeps=2,4"]
    assert main(["explain", str(file), "--step", "5", *options]) == 0
    assert plot.stat().st_size > 1000


def test_the_page_prints_what_the_command_prints(capsys):
    """docs/solvers.md: "One step of soft_step"."""
    page = (ROOT / "docs/solvers.md").read_text(encoding="utf-8")
    part = page.partition("## One step of soft_step")[2].partition("\n## ")[0]
    command = re.search(r"^    rigid (explain \S+ .*)$", part, re.MULTILINE)
    assert command is not None
    name, *options = command[1].split()
    assert main([name, str(ROOT / options[0]), *options[1:]]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    shown = re.findall(r"^```text\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
    assert len(shown) >= 4
    for block in shown:
        for line in block.splitlines():
            assert not line.strip() or " ".join(line.split()) in lines, line


def test_markdown_has_a_page_of_it(resting):
    assert as_markdown(resting).startswith("# box: step 60 of soft_step\n")


def test_actuators_that_the_engine_has_as_joints_are_named():
    found = tables(explain(load(ROOT / "scenes/machines/top_down_car.yaml", ["record=null"]), 30))
    names = column(found["Joints"], "joint")
    assert names
    assert not any(name.startswith("joint ") for name in names)
