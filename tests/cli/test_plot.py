# SPDX-License-Identifier: MIT
"""rigid plot: what is drawn, in which units, and the same bytes each time."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from PIL import Image
from rigid2d.core import loads
from rigid2d.core.errors import UsageError
from rigid2d.core.jobs import curve_plots
from rigid2d.core.jobs.curves import CurveRun, check_names, curves_of, read_variations

from tests.rows import every_row
from tests.search import tries

pytest.importorskip("matplotlib", reason="plots need rigid2d[plot]")

SCENE = """\
rigid: 1
name: Swing
vars: {g: 9.81}
world: {duration: 1, gravity: [0, =-g]}
bodies:
  ball: {shape: {circle: 0.2}, position: [5, 9]}
  bob: {shape: {circle: 0.2}, position: [1, 0]}
joints:
  pin: {type: revolute, bodies: [world, bob], anchor: [0, 0]}
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "swing.yaml"
    file.write_text(SCENE, encoding="utf-8")
    return file


def run_of(text=SCENE, *overrides):
    return CurveRun(loads(text, overrides=list(overrides)), "one")


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"][: tries(1, 3)])
def test_the_same_scene_gives_the_same_bytes(rigid, path, tmp_path, suffix):
    files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for file in files:
        result = rigid("plot", path, "ball.y", "pin.force", "-o", file)
        assert result.code == 0, result.err
    assert files[0].read_bytes() == files[1].read_bytes() != b""


def test_curves_hold_what_a_run_records():
    curves = curves_of(run_of(), ["time", "ball.y"])
    times, heights = curves.columns["time"], curves.columns["ball.y"]
    assert len(times) == 61
    assert heights[-1] == pytest.approx(9 - 9.81 / 2, abs=0.1)
    assert np.all(np.diff(heights) < 0)


def test_quantities_of_one_unit_share_a_panel_and_units_are_on_the_axes():
    curves = curves_of(run_of(), ["time", "ball.y", "bob.y", "pin.force", "bob.angle"])
    figure = curve_plots.over([curves], "time", (600, 500), "")
    assert [axes.get_ylabel() for axes in figure.axes] == [
        "m",
        "pin.force (N)",
        "bob.angle (rad)",
    ]
    assert figure.axes[-1].get_xlabel() == "time (s)"
    assert [line.get_label() for line in figure.axes[0].get_lines()] == ["ball.y", "bob.y"]


def test_expressions_of_quantities_are_plotted_with_their_units(rigid, path, tmp_path):
    names = ["=ball.y - bob.y", "lift (cm)=100*(ball.y - g)", "twice=2*ball.y", "=1/(bob.x - 1)"]
    curves = curves_of(run_of(), ["time", "ball.y", *names])
    assert [each.label for each in curves.quantities] == [
        "time (s)",
        "ball.y (m)",
        "ball.y - bob.y (m)",
        "lift (cm)",
        "twice",
        "1/(bob.x - 1)",
    ]
    heights = curves.columns["ball.y"]
    assert np.allclose(curves.columns["lift"], 100.0 * (heights - 9.81))
    assert math.isnan(curves.columns["1/(bob.x - 1)"][0])
    result = rigid(
        "plot", path, *names[:2], "--x", "=bob.x + 1", "-o", tmp_path / "a.svg", "--json"
    )
    assert [*result.json["runs"][0]["quantities"]] == ["bob.x + 1", "ball.y - bob.y", "lift"]


def test_names_of_lines_are_above_them_and_titles_fit():
    curves = [curves_of(run_of(), ["time", "ball.y", "bob.y"])] * 5
    figure = curve_plots.over(curves, "time", (500, 400), "A long title " * 12)
    figure.canvas.draw()
    (axes,) = figure.axes
    legend = axes.get_legend().get_window_extent()
    assert legend.y0 >= axes.bbox.y1
    assert legend.x1 <= 500.0
    assert figure._suptitle.get_window_extent().x0 >= 0.0
    assert not any(line.get_clip_on() for line in axes.get_lines())
    styles = {(line.get_color(), line.get_linestyle()) for line in axes.get_lines()}
    assert len(styles) == 10


def test_units_are_those_of_the_scene():
    text = "rigid: 1\nunits: screen\nbodies: {ball: {shape: {circle: 20}}}\n"
    names = ["time", "ball.vx", "ball.force", "world.energy", "ball.contacts"]
    units = [each.unit for each in check_names(loads(text), names)]
    assert units == ["ms", "px/ms", "kg px/ms²", "kg px²/ms²", ""]


def test_a_phase_plot_is_one_over_the_other_and_marks_the_beginning():
    curves = curves_of(run_of(), ["bob.x", "bob.y"])
    (axes,) = curve_plots.phase([curves], "bob.x", "bob.y", (400, 300), "").axes
    line, start = axes.get_lines()
    radii = np.hypot(line.get_xdata(), line.get_ydata())
    assert radii == pytest.approx(1.0, abs=1e-3)
    assert (start.get_xdata()[0], start.get_ydata()[0]) == (1.0, 0.0)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("bob.x (m)", "bob.y (m)")


def test_a_histogram_counts_the_steps():
    curves = curves_of(run_of(), ["ball.vy"])
    (axes,) = curve_plots.histogram([curves], (400, 300), "").axes
    (shape,) = axes.patches
    heights = shape.get_xy()[:, 1]
    assert axes.get_xlabel() == "ball.vy (m/s)"
    assert heights.max() <= math.ceil(61 / 40) + 1  # falling, all speeds come as often
    assert axes.get_ylabel() == "steps"


def test_variations_are_each_with_each():
    assert read_variations(["vars.a=1,2", "bodies.b.position=[1, 2],[3, 4]"]) == [
        ("vars.a=1", "bodies.b.position=[1, 2]"),
        ("vars.a=1", "bodies.b.position=[3, 4]"),
        ("vars.a=2", "bodies.b.position=[1, 2]"),
        ("vars.a=2", "bodies.b.position=[3, 4]"),
    ]
    assert read_variations([]) == [()]


@every_row("text", ["vars.a", "=1", "vars.a=", "vars.a=1,,2"])
def test_a_variation_is_a_path_and_values(text):
    with pytest.raises(UsageError, match="write a path and values"):
        read_variations([text])


def test_several_runs_are_told_apart(rigid, path, tmp_path):
    result = rigid(
        "plot", path, "ball.y", "--vary", "vars.g=2,4", "-o", tmp_path / "a.svg", "--json"
    )
    runs = result.json["runs"]
    assert [run["run"] for run in runs] == ["g=2", "g=4"]
    falls = [9 - run["quantities"]["ball.y"]["least"] for run in runs]
    assert falls[1] / falls[0] == pytest.approx(2.0, rel=1e-3)


def test_several_scenes_go_over_each_other(rigid, path, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(SCENE.replace("9.81", "1"), encoding="utf-8")
    result = rigid("plot", path, other, "ball.y", "-o", tmp_path / "a.png", "--json")
    assert [run["run"] for run in result.json["runs"]] == ["swing", "other"]


def test_the_size_is_that_of_the_picture(rigid, path, tmp_path):
    rigid("plot", path, "ball.y", "-o", tmp_path / "a.png", "--size", "320x200")
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (320, 200)


def test_what_a_scene_says_is_text_in_a_plot(rigid, path, tmp_path):
    path.write_text(SCENE.replace("Swing", '"<script>1</script> $x$"'), encoding="utf-8")
    result = rigid("plot", path, "ball.y", "-o", tmp_path / "a.svg")
    assert result.code == 0, result.err
    assert "<script" not in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ball.q", "-o", "a.svg"], "no quantity of ball named 'q'"),
        (["bal.y", "-o", "a.svg"], "did you mean 'ball'?"),
        (["=bal.y + 1", "-o", "a.svg"], "did you mean `ball`?"),
        (["=ball.y +", "-o", "a.svg"], "=ball.y +: "),
        (["ball.y + 1", "-o", "a.svg"], 'begins with =, as in "=ball.y + 1"'),
        (["ball.y"], "--output: where to?"),
        (["ball.y", "-o", "a.txt"], "end in .svg, .png or .pdf"),
        (["-o", "a.svg"], "what is to be plotted?"),
        (["ball.y", "--x", "ball", "-o", "a.svg"], "is 6 channels; name one"),
        (["ball.y", "--phase", "-o", "a.svg"], "--phase: two channels"),
        (["ball.y", "--hist", "--x", "ball.x", "-o", "a.svg"], "leave out --x"),
        (["ball.y", "-o", "no/a.svg"], "there is no folder"),
        (["ball.y", "--vary", "vars.g", "-o", "a.svg"], "write a path and values"),
        (
            ["ball.y", "--vary", "vars.q=1", "-o", "a.svg"],
            "--vary vars.q=1: error: vars: there is no `vars.q`",
        ),
        (["ball.y", "other.yaml", "-o", "a.svg"], "scene files come first"),
    ],
)
def test_what_cannot_be_plotted_is_told_and_writes_nothing(
    rigid, path, tmp_path, monkeypatch, arguments, words
):
    monkeypatch.chdir(tmp_path)
    result = rigid("plot", path, *arguments)
    assert result.code == 2
    assert words in result.err
    assert [file.name for file in tmp_path.iterdir()] == ["swing.yaml"]


def test_a_plot_does_not_replace_its_scene(rigid, path):
    odd = path.with_suffix(".svg")
    path.rename(odd)
    result = rigid("plot", odd, "ball.y", "-o", odd)
    assert (result.code, "is read too" in result.err) == (2, True)
    assert re.match("rigid: 1", odd.read_text(encoding="utf-8"))
