# SPDX-License-Identifier: MIT
"""`compare` runs a scene with several solvers; its numbers can be worked out by hand."""

from __future__ import annotations

import builtins
import json
import math
from pathlib import Path

import numpy as np
import pytest
from rigid2d.cli.main import main
from rigid2d.core import UsageError, build, load, loads
from rigid2d.core.jobs.compare import numbers, read_formula, read_sweep, run_variant, variants
from rigid2d.core.jobs.compare_plots import plots

from tests.rows import every_row

SCENES = Path(__file__).resolve().parents[2] / "scenes"
DROP = """
rigid: 1
name: drop
world: {steps: 60, solver: {type: pgs_matrix, iterations: 20}}
bodies:
  floor: {type: static, shape: {box: [4, 1]}, position: [0, -0.5]}
  box: {shape: {box: [1, 1]}, position: [0, 0.51]}
"""


def only(scene, solver, **given):
    (variant,) = variants(scene, [solver])
    return run_variant(scene, variant, **given)


def test_the_table_is_what_a_world_stepped_by_hand_gives():
    scene = loads(DROP)
    outcome = only(scene, "pgs_matrix")
    world = build(scene)
    energies, depths, deepest = [sum(world.energy())], [], 0.0
    for _ in range(60):
        world.step()
        energies.append(sum(world.energy()))
        found = [-contact.separation for contact in world.query.contacts()]
        depths += found
        deepest = max([deepest, *found])
    table = numbers(outcome)
    assert table["energy_at_end"] == pytest.approx(energies[-1] - energies[0])
    assert table["energy_gain"] == pytest.approx(max(energies) - energies[0])
    assert table["penetration_mean"] == pytest.approx(np.mean(depths))
    assert table["penetration_max"] == pytest.approx(deepest)
    assert table["joint_error"] is None


def test_the_rest_time_is_when_nothing_is_faster_than_two_hundredths():
    scene = loads(DROP)
    world, moving = build(scene), 0.0
    for _ in range(60):
        world.step()
        bodies = world.bodies
        if max(abs(bodies.vx).max(), abs(bodies.vy).max(), abs(bodies.omega).max()) > 0.02:
            moving = world.time
    assert numbers(only(scene, "pgs_matrix"))["rest_time"] == pytest.approx(moving + 1 / 60)


def test_what_never_rests_has_no_rest_time():
    scene = load(SCENES / "solvers/ball_row.yaml")
    outcome = only(scene, "pgs_matrix", steps=20)
    assert outcome.rest == math.inf
    assert numbers(outcome)["rest_time"] is None


def test_a_rod_that_is_stretched_shows_as_joint_error():
    text = DROP.replace("steps: 60", "steps: 1") + (
        "joints: {rod: {type: distance, bodies: [floor, box], anchors: [[0, 0.5], [0, 0]], "
        "length: 0.6}}\n"
    )
    outcome = only(loads(text), "pgs_matrix")
    assert outcome.joint_error == pytest.approx(0.09)


def test_options_of_the_scene_are_kept_where_a_solver_has_them():
    scene = loads(DROP)
    kinds = ["pgs_jrow", "iterative_impulse", "soft_step"]
    found = [variant.solver for variant in variants(scene, kinds)]
    assert [solver.iterations for solver in found[:2]] == [20, 20]
    assert found[1].correction_rate == 0.8
    assert found[2].substeps == 4


def test_a_sweep_takes_each_value_with_each_solver_that_has_the_option():
    found = variants(loads(DROP), ["pgs_jrow", "soft_step"], ["iterations=5,10"])
    labels = [variant.label for variant in found]
    assert labels == ["pgs_jrow iterations=5", "pgs_jrow iterations=10", "soft_step"]


@every_row("sweep", ["iterations", "iterations=", "rounds=5", "iterations=many"])
def test_a_sweep_that_cannot_be_is_told(sweep):
    with pytest.raises(UsageError, match=r"sweep|option of a solver"):
        read_sweep(sweep)


def test_a_solver_that_cannot_do_the_scene_is_refused_at_its_field():
    with pytest.raises(UsageError, match=r"bodies\.first\.shape: verlet"):
        variants(load(SCENES / "solvers/ball_row.yaml"), ["verlet"])


def test_the_error_of_the_solution_falls_with_the_iterations():
    """Document 000, part 2, `PGSConvergenceTest`."""
    scene = load(SCENES / "solvers/warm_start.yaml", ["world.solver.warm_start=false"])
    errors = only(scene, "pgs_matrix", steps=10).convergence
    assert errors[50] < errors[10] < errors[0]


def test_the_command_prints_a_table_and_json(capsys):
    path = str(SCENES / "solvers/cube_against_wall.yaml")
    given = ["compare", path, "--solvers", "pgs_matrix,soft_step", "--steps", "5", "-q"]
    assert main(given) == 0
    assert "soft_step" in capsys.readouterr().out
    assert main([*given, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [each["variant"] for each in printed["variants"]] == ["pgs_matrix", "soft_step"]


def test_without_matplotlib_the_error_names_the_extra(capsys, monkeypatch, tmp_path):
    real = builtins.__import__

    def missing(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    path = str(SCENES / "solvers/cube_against_wall.yaml")
    assert main(["compare", path, "--plot", str(tmp_path / "a.svg")]) == 2
    assert "rigid2d[compare]" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_numbers_of_logarithmic_axes_are_written_as_numbers():
    pytest.importorskip("matplotlib")
    found = only(loads(DROP.replace("iterations: 20", "iterations: 2")), "pgs_matrix")
    figure = plots([found])
    figure.canvas.draw()
    axes = next(each for each in figure.axes if each.get_yscale() == "log")
    texts = axes.get_yticklabels(which="both")
    labels = [text.get_text().replace("\N{MINUS SIGN}", "-") for text in texts]
    assert any(labels)
    assert all(float(label) > 0.0 for label in labels if label)


def test_plots_pictures_and_the_report_are_written(tmp_path):
    pytest.importorskip("matplotlib")
    path = str(SCENES / "solvers/cube_against_wall.yaml")
    files = [tmp_path / name for name in ("a.svg", "b.png", "c.html")]
    options = [
        text for option, file in zip(("--plot", "--picture", "--report"), files, strict=True)
        for text in (option, str(file))
    ]  # fmt: skip
    given = ["compare", path, "--solvers", "pgs_matrix,iterative_impulse", "--steps", "4", "-q"]
    assert main([*given, *options]) == 0
    assert files[0].read_text(encoding="utf-8").startswith("<?xml")
    assert files[1].read_bytes().startswith(b"\x89PNG")
    page = files[2].read_text(encoding="utf-8")
    assert "iterative_impulse" in page
    assert "data:image/png" in page
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in page
    assert "script-src" not in page, "nothing may run"


def test_channels_are_those_of_the_world_at_every_step():
    scene = loads(DROP)
    found = only(scene, "pgs_matrix", steps=5, channels=["box.y", "world.time"]).channels
    world, heights = build(scene), [0.51]
    for _ in range(5):
        world.step()
        heights.append(world["box"].position[1])
    assert found["box.y"].tolist() == heights
    assert found["world.time"] == pytest.approx(np.arange(6) / 60)


def test_a_channel_is_plotted_and_asks_for_a_plot(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "drop.yaml"
    path.write_text(DROP)
    assert main(["compare", str(path), "--channel", "box.y", "--steps", "3", "--quiet"]) == 2
    assert "--plot" in capsys.readouterr().err
    plot = tmp_path / "drop.svg"
    given = ["--steps", "3", "--quiet", "--plot", str(plot)]
    assert main(["compare", str(path), "--channel", "box.y", *given]) == 0
    assert plot.stat().st_size > 1000


def test_a_file_of_another_kind_is_refused_before_anything_runs(capsys, tmp_path):
    path = str(SCENES / "solvers/cube_against_wall.yaml")
    assert main(["compare", path, "--report", str(tmp_path / "report.pdf")]) == 2
    assert ".html" in capsys.readouterr().err


def test_no_curve_leaves_its_plot():
    """Where some run away, the axis is logarithmic beyond what half of the variants reach."""
    pytest.importorskip("matplotlib")
    scene = load(SCENES / "solvers/spring_integrators.yaml")
    found = [
        run_variant(scene, variant, steps=20, channels=["one.x", "wild.x"])
        for variant in variants(scene, ["soft_step", "pgs_matrix"], ["springs=force,soft"])
    ]
    formulas = dict([read_formula(scene, "one.x = 100*cos(2*pi*t/1000)")])
    figure = plots(found, formulas)
    figure.canvas.draw()
    panels = {axes.get_title(): axes for axes in figure.axes}
    assert panels["one.x"].get_yscale() == "linear"
    assert panels["wild.x"].get_yscale() == "symlog"
    for axes in figure.axes:
        low, high = axes.get_ylim()
        for line in axes.get_lines():
            values = np.asarray(line.get_ydata(), float)
            assert ((low <= values) & (values <= high)).all(), axes.get_title()
    exact = panels["one.x"].get_lines()[-1]
    assert exact.get_ydata()[[0, -1]] == pytest.approx([100, 100], abs=1e-9)
    assert exact.get_xdata()[-1] == 1000


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        ("box.y", "a channel and a formula"),
        ("box.z=t", "box"),
        ("box.y=t +", "box.y"),
        ("box.y=2*time", "has t and the vars"),
        ("box.y=1/t", "t = 0"),
    ],
)
def test_a_formula_that_cannot_be_drawn_is_told(curve, words):
    with pytest.raises(UsageError, match=words):
        read_formula(loads(DROP), curve)


def test_the_energy_includes_that_of_springs():
    scene = loads(
        "rigid: 1\nworld: {steps: 240, dt: 0.005}\n"
        "bodies: {b: {shape: {circle: 0.4}, position: [0, -3]}}\n"
        "joints: {s: {type: distance, bodies: [world, b], anchors: [[0, 2], [0, 0]], length: 3,"
        " spring: {frequency: 1, damping_ratio: 0}}}\n"
    )
    outcome = only(scene, "soft_step", channels=["b.vy"])
    assert np.abs(outcome.channels["b.vy"]).max() > 3.0  # more than 2 J of about 25
    assert np.ptp(outcome.energy) < 0.01 * outcome.energy[0]
