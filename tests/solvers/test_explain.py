# SPDX-License-Identifier: MIT
"""`explain` shows a step in the documents' tables."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from rigid.cli.main import main
from rigid.core import UsageError, build, load, loads
from rigid.core.jobs.explain import Table, as_json, as_markdown, cells, explain, headline

SCENES = Path(__file__).resolve().parents[2] / "scenes"
WALL = SCENES / "solvers/cube_against_wall.yaml"


def tables(found):
    return {each["title"]: each for each in as_json(found)["tables"]}


def column(table, name):
    return [row[table["columns"].index(name)] for row in table["rows"]]


def test_the_matrix_of_the_cube_against_the_wall_is_shown_as_printed():
    """Document 000, part 2, `CubeAgainstWall`."""
    found = tables(explain(load(WALL), 1))
    rows = found["Constraints"]
    assert column(rows, "row")[:2] == ["NormalA", "NormalB"]
    assert column(rows, "J1 turn")[:2] == pytest.approx([-70, 70])
    assert column(rows, "J2 turn")[:2] == pytest.approx([87, -53])
    assert column(rows, "B")[:2] == pytest.approx([0.004, 0.004])
    assert column(rows, "lambda")[:2] == pytest.approx([0.002, 0.002])
    matrix = found["A = J M^-1 J^T"]["rows"]
    assert matrix[0][1:3] == pytest.approx([2.5, -0.5])
    assert matrix[1][1:3] == pytest.approx([-0.5, 2.5])
    assert column(found["Bodies"], "new v x")[0] == pytest.approx(-0.1)


def test_what_is_shown_is_what_the_step_does():
    scene = load(SCENES / "solvers/warm_start.yaml")
    world = build(scene)
    world.step(30)
    shown = tables(explain(scene, 30))["Bodies"]
    velocities = column(shown, "new v y")[1:]
    assert velocities == pytest.approx(world.bodies.vy[1:].tolist(), abs=1e-7)


def test_one_body_alone_is_shown_with_what_touches_it():
    found = tables(explain(load(SCENES / "solvers/warm_start.yaml"), 5, body="cube[0]"))
    assert column(found["Bodies"], "body") == ["cube[0]"]
    pairs = zip(column(found["Contacts"], "1"), column(found["Contacts"], "2"), strict=True)
    assert all("cube[0]" in pair for pair in pairs)
    assert len(found["A = J M^-1 J^T"]["rows"]) == len(found["Constraints"]["rows"])


def test_impulses_of_sequential_impulse_are_those_of_the_documents_loop():
    """Document 000, part 3: NormalA and NormalB of the first iteration."""
    text = WALL.read_text(encoding="utf-8").replace("pgs_matrix", "sequential_impulse")
    text = text.replace(", contacts: document", "").partition("record:")[0]
    found = tables(explain(loads(text), 1))
    assert column(found["Impulses"], "impulse")[:2] == pytest.approx([0.08, 0.096], abs=1e-6)


def test_groups_are_shown_with_the_bias_that_each_had_in_its_turn():
    """Document 000, part 2: the second pair of a row of balls sees what the first one left."""
    text = """
rigid: 1
name: row
world: {gravity: [0, 0], solver: {type: pgs_matrix, grouping: pair, position_correction: false}}
materials: {m: {restitution: 1, friction: 0}}
defaults: {material: m}
bodies:
  a: {shape: {circle: 1}, mass: 1, position: [0, 0], velocity: [1, 0]}
  b: {shape: {circle: 1}, mass: 1, position: [1.9999, 0]}
  c: {shape: {circle: 1}, mass: 1, position: [3.9998, 0]}
"""
    found = tables(explain(loads(text), 1))
    assert column(found["Constraints"], "bias")[:2] == pytest.approx([1, 1], abs=1e-6)
    assert column(found["Constraints"], "lambda")[:2] == pytest.approx([60, 60], rel=1e-6)


@pytest.mark.parametrize("name", ["heavy_and_light", "falling_box", "newtons_cradle", "springs"])
def test_every_textbook_solver_can_be_shown(name):
    found = explain(load(SCENES / f"solvers/{name}.yaml"), 40)
    assert found.tables
    assert as_markdown(found).startswith("# ")


def test_soft_step_is_refused_with_what_would_be_right():
    with pytest.raises(UsageError, match=r"world\.solver\.type"):
        explain(load(SCENES / "basics/hello.yaml"), 1)


def test_a_body_that_does_not_exist_is_told_with_the_nearest():
    with pytest.raises(UsageError, match="cube"):
        explain(load(WALL), 1, body="cubs")


def test_the_command_prints_text_json_and_markdown(capsys):
    assert main(["explain", str(WALL)]) == 0
    assert "A = J M^-1 J^T" in capsys.readouterr().out
    assert main(["explain", str(WALL), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["iterations"] == 100
    assert main(["explain", str(WALL), "--markdown", "--body", "cube"]) == 0
    assert "| NormalA |" in capsys.readouterr().out


@pytest.mark.parametrize(
    "solver",
    [
        "world.solver.type=textbook_impulse",
        "world.solver={type: sequential_impulse, position_correction: false}",
    ],
)
@pytest.mark.parametrize("record", ["record.every=2", "record.channels=[cube]"])
def test_the_command_shows_another_solver_than_the_one_that_is_recorded(solver, record, capsys):
    """The scene records and expects numbers of its solver, which the engine's own has not."""
    assert main(["explain", str(WALL), "--set", solver, "--set", record, "--json"]) == 0
    found = {each["title"]: each for each in json.loads(capsys.readouterr().out)["tables"]}
    assert column(found["Impulses"], "impulse")[:2] == pytest.approx([0.08, 0.096], abs=1e-6)


def test_the_command_still_reports_problems_of_what_it_needs(capsys):
    assert main(["explain", str(WALL), "--set", "world.solver.type=sequential_impulse"]) == 2
    assert "world.solver.contacts" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "title", "words"),
    [
        ("pgs_jrow", "Constraints", "dt times it is the impulse"),
        ("constraint_correction", "Constraints", "sum is the impulse after the last iteration"),
        ("iterative_impulse", "Impulses", "friction follows each, its sum is with the contact"),
    ],
)
def test_notes_say_what_the_numbers_are(kind, title, words):
    text = f"""
rigid: 1
world: {{solver: {{type: {kind}, iterations: 1}}}}
bodies:
  floor: {{type: static, shape: {{box: [9, 1]}}, position: [0, -0.5]}}
  box: {{shape: {{box: [1, 1]}}, position: [0, 0.5], velocity: [1, -1]}}
"""
    found = explain(loads(text), 1)
    assert words in tables(found)[title]["note"]
    assert ", 1 iteration, " in headline(found)


def test_rounding_is_shown_as_nothing_in_texts():
    table = Table("t", ["a", "b"], [[1e-17, 2.0], [1e-9, math.inf]])
    assert cells(table) == [["0", "2"], ["1e-09", "inf"]]
