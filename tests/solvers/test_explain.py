# SPDX-License-Identifier: MIT
"""`explain` shows a step in the documents' tables."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from rigid2d.cli.main import main
from rigid2d.core import UsageError, build, load, loads
from rigid2d.core.jobs.explain import Table, as_json, as_markdown, cells, explain, headline
from rigid2d.core.jobs.explain.plots import body_speeds, heap_errors, history, plots
from rigid2d.core.jobs.explain.step import heaps, try_step
from rigid2d.core.jobs.explain.sweeps import swept

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


def test_soft_step_is_explained_as_the_engine_takes_it():
    found = explain(load(SCENES / "basics/hello.yaml"), 1)
    assert (found.solver, found.substeps, found.iterations) == ("soft_step", 4, 8)


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


SPRING = """
rigid: 1
world: {{dt: 0.02, gravity: [0, 0], solver: {{type: {kind}, iterations: 10}}}}
bodies:
  box: {{shape: {{box: [1, 1]}}, mass: 4, position: [3, 0]}}
joints:
  rod: {{type: distance, bodies: [world, box], anchors: [[0, 0], [0, 0]], length: 2.5}}
  spring: {{type: distance, bodies: [world, box], anchors: [[0, 0], [0, 0]], length: 2,
           spring: {{stiffness: 100, damping: 3}}}}
"""
SOFT = 0.02 * 100 + 3  # h k + c


@pytest.mark.parametrize("kind", ["pgs_matrix", "pgs_jrow", "sequential_impulse"])
def test_rows_have_their_effective_mass_and_how_soft_they_are(kind):
    """Document 000, part 4, 2.17: gamma = 1 / (c + h k) and beta = h k / (c + h k)."""
    found = tables(explain(loads(SPRING.format(kind=kind)), 1))["Constraints"]
    assert column(found, "row") == ["rod.length", "spring.spring"]
    assert column(found, "gamma") == pytest.approx([0, 1 / SOFT])
    assert column(found, "beta") == pytest.approx([0.2, 0.02 * 100 / SOFT])
    assert column(found, "mass") == pytest.approx([4, 1 / (1 / 4 + 1 / (0.02 * SOFT))])
    assert column(found, "bias") == pytest.approx([-0.2 / 0.02 * 0.5, -0.4 / 0.02])
    assert column(found, "initial") == [0, 0]


def test_constraint_correction_takes_errors_of_position_out_later():
    text = SPRING.format(kind="constraint_correction").partition("  spring: {type")[0]
    found = tables(explain(loads(text), 1))["Constraints"]
    assert column(found, "beta") == column(found, "bias") == [0]


@pytest.mark.parametrize(
    "kind",
    ["pgs_matrix", "pgs_jrow", "sequential_impulse", "constraint_correction", "iterative_impulse"],
)
def test_every_solver_of_velocities_shows_its_rows_and_their_transpose(kind):
    text = f"""
rigid: 1
world: {{solver: {{type: {kind}, iterations: 5}}}}
materials: {{m: {{friction: 0.5}}}}
defaults: {{material: m}}
bodies:
  floor: {{type: static, shape: {{box: [9, 1]}}, position: [0, -0.5]}}
  box: {{shape: {{box: [1, 1]}}, mass: 2, position: [0, 0.5], velocity: [1, -1]}}
"""
    found = tables(explain(loads(text), 1))
    rows, turned = found["Constraints"], found["J^T"]
    first = column(rows, "row")[0]
    ends = [column(rows, f"J{k} {axis}")[0] for k in (1, 2) for axis in ("x", "y", "turn")]
    assert column(turned, "body")[0] == "floor x"
    assert column(turned, first) == pytest.approx(ends)
    assert column(rows, "mass")[0] == pytest.approx(1 / (1 / 2 + 0.25 / (2 / 6)), rel=0.01)
    assert column(rows, "low")[0] == 0
    assert column(rows, "high")[0] == math.inf
    assert {"gamma", "beta", "bias", "initial"} <= {*rows["columns"]}
    assert found["Heaps"]["rows"][0][0] == "box"


def test_a_warm_step_begins_with_the_lambda_of_the_last_one():
    """Document 000, part 3: initial lambda."""
    scene = load(SCENES / "solvers/warm_start.yaml")
    before, now = (tables(explain(scene, step))["Constraints"] for step in (30, 31))
    last = dict(zip(column(before, "row"), column(before, "lambda"), strict=True))
    initial = dict(zip(column(now, "row"), column(now, "initial"), strict=True))
    assert initial["NormalA"] == pytest.approx(last["NormalA"])
    assert initial["NormalA"] > 0


def test_rods_of_particles_have_a_table_of_their_own():
    """Document 004, V6: k' = 1 - (1 - k)^(1/n)."""
    found = tables(explain(load(SCENES / "solvers/falling_box.yaml"), 3))["Rods"]
    assert column(found, "share")[0] == pytest.approx(1 - 0.5 ** (1 / 5))
    assert column(found, "mass")[0] == pytest.approx(1 / 8)
    assert column(found, "least")[1] == pytest.approx(math.sqrt(2))


@pytest.fixture(scope="module")
def four_piles():
    return try_step(load(SCENES / "solvers/four_piles.yaml", ["world.solver.type=pgs_jrow"]), 40)


def test_the_tower_is_the_slowest_of_the_four_piles(four_piles):
    """Document 000, part 2, `PGSConvergenceTest`: errors at its foot go up through all of it."""
    cold = four_piles.again(warm_start=False, iterations=100)
    errors = heap_errors(cold, cold.again(iterations=400))
    assert [*errors] == ["grain[0]", "ball[0]", "cube[0]", "step[0,0]"]
    assert max(errors, key=lambda name: errors[name][-1] / errors[name][0]) == "cube[0]"
    sizes = {
        four_piles.names[each.bodies[0]]: (3 * len(each.bodies), len(each.rows))
        for each in heaps(four_piles)
    }
    assert sizes["ball[0]"] == (15, 8), "as printed"
    assert sizes["cube[0]"] == (18, 20), "as printed"


def test_sums_and_bounds_follow_the_iterations():
    """Document 000, part 3: the sums of NormalA and FrictionA, which its target bounds."""
    changes = {
        "pgs_matrix": "sequential_impulse, iterations: 100, warm_start: false",
        "contacts: document": "friction_limit: gravity",
        "friction: 0}": "friction: 0.15}",
        "gravity: [0, 0]": "gravity: [0, 0.001]",
        "mass: 1,": "mass: 1, gravity_scale: 0,",
    }
    text = WALL.read_text(encoding="utf-8").partition("record:")[0]
    for old, new in changes.items():
        text = text.replace(old, new)
    step = try_step(loads(text), 1)
    (_, each), (_, accumulated) = swept(step, ["clamp=each,accumulated"])
    for tried, last in ((each, -0.001236), (accumulated, 0.0021)):
        found = history(tried, tried.again(iterations=1000), tried.log.rows.index("FrictionA"))
        assert found.sums[:2] == pytest.approx([0, -0.0075], abs=1e-6)
        assert found.sums[-1] == pytest.approx(found.target, abs=1e-6)
        assert found.target == pytest.approx(last, abs=1e-6)
        assert found.high[-1] == pytest.approx(0.0075)
    speeds = body_speeds(accumulated)[:, 1]
    assert speeds[[0, -1]] == pytest.approx([0.1, 0.1], abs=1e-6)


def test_charts_have_a_panel_for_each_row_the_speeds_and_the_errors():
    pytest.importorskip("matplotlib")
    step = try_step(load(WALL), 1)
    figure = plots(swept(step, ["warm_start=true,false"]), rows=["NormalA", "FrictionB"])
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:2] == ["NormalA\nwarm_start=true", "FrictionB\nwarm_start=true"]
    assert len(titles) == 8
    assert [line.get_label() for line in figure.axes[3].get_lines()] == ["cube"]
    only = plots([("", step)], charts=["speeds"])
    assert [axes.get_title() for axes in only.axes] == ["speed |v|"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--row", "NormalZ"), "NormalB"),
        (("--chart", "speed"), "speeds"),
        (("--sweep", "contacts=document,native"), "no option of the iterations"),
        (("--sweep", "clamp=each"), "clamp"),
    ],
)
def test_a_chart_that_cannot_be_is_refused(capsys, tmp_path, options, words):
    pytest.importorskip("matplotlib")
    plot = tmp_path / "a.svg"
    assert main(["explain", str(WALL), "--plot", str(plot), *options]) == 2
    assert words in capsys.readouterr().err
    assert not plot.exists()
    assert main(["explain", str(WALL), *options]) == 2
    assert "--plot" in capsys.readouterr().err
