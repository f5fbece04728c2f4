# SPDX-License-Identifier: MIT
"""The values of the runs of a study: every sample, and every way to draw a number."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import load, loads
from rigid2d.core.scene.study_model import Axis, Study
from rigid2d.core.scene.variants import read_study
from rigid2d.core.study.sampling import inverse_normal, rows, value_at

from tests.rows import every_row

SIZED = ["random", "latin_hypercube", "sobol"]


def sampled(axis: Axis, sample: str, count: int, seed: int = 0) -> list[object]:
    if sample == "sobol":
        pytest.importorskip("scipy", reason="Sobol's points need the extra `study`")
    return [row[0] for row in rows(Study((axis,), sample, count), seed)]  # type: ignore[arg-type]


def axis_of(text: str) -> Axis:
    """The axis that a scene says."""
    scene = "rigid: 1\nvars: {x: 1}\nbodies: {ball: {shape: {circle: 1}}}\n"
    study = loads(f"{scene}study: {{vary: {{vars.x: {text}}}, sample: {{random: 4}}}}").study
    assert study is not None
    return study.axes[0]


def test_a_grid_has_every_combination_and_the_last_path_goes_fastest() -> None:
    study = Study((Axis("a", "values", (1, 2)), Axis("b", "values", (True, "x", 0.5))))
    assert rows(study, 0) == [(1, True), (1, "x"), (1, 0.5), (2, True), (2, "x"), (2, 0.5)]


def test_zip_takes_values_together() -> None:
    study = Study((Axis("a", "values", (1, 2)), Axis("b", "values", (3, 4))), "zip")
    assert rows(study, 0) == [(1, 3), (2, 4)]


def test_a_grid_draws_a_number_for_each_run() -> None:
    study = Study((Axis("a", "values", (1, 2, 3)), Axis("b", "uniform", (), (5.0, 6.0))))
    drawn = [row[1] for row in rows(study, 0)]
    assert len(set(drawn)) == 3
    assert all(5.0 < each < 6.0 for each in drawn)


@every_row(
    ("text", "values"),
    [
        ("{from: 10, to: 45, count: 8}", (10, 15, 20, 25, 30, 35, 40, 45)),
        ("{from: 0, to: 1, count: 3}", (0.0, 0.5, 1.0)),
        ("{from: 0, to: 1, step: 0.1}", (*(k * 0.1 for k in range(10)), 1.0)),
        ("{from: 3, to: 1, step: 1}", (3, 2, 1)),
        ("{from: 1, to: 2, step: 0.4}", (1.0, 1.4, 1.8)),
        ("{count: 3}", (0, 1, 2)),
        ("{from: 7, count: 2}", (7, 8)),
        ("{from: 2, to: 9, count: 1}", (2,)),
        ("[1, 0.5, true, wood]", (1, 0.5, True, "wood")),
    ],
)
def test_values_are_as_the_scene_says_them(text: str, values: tuple[object, ...]) -> None:
    found = axis_of(text).values
    assert found == pytest.approx(values, rel=1e-15) if "wood" not in text else found == values
    assert [type(each) for each in found] == [type(each) for each in values]


def test_logarithmic_values_have_the_same_ratio_and_meet_both_ends() -> None:
    values = axis_of("{from: 0.001, to: 1000, count: 7, log: true}").values
    np.testing.assert_allclose(values, np.geomspace(0.001, 1000, 7), rtol=1e-14)
    assert (values[0], values[-1]) == (0.001, 1000.0)


@pytest.mark.parametrize("sample", SIZED)
@pytest.mark.parametrize(
    ("axis", "mean", "deviation"),
    [
        (Axis("a", "uniform", (), (2.0, 6.0)), 4.0, 4 / math.sqrt(12)),
        (Axis("a", "range", (), (2.0, 6.0)), 4.0, 4 / math.sqrt(12)),
        (Axis("a", "normal", (), (3.0, 0.5)), 3.0, 0.5),
        (Axis("a", "randint", (), (1.0, 6.0)), 3.5, math.sqrt(35 / 12)),
        (Axis("a", "choice", (1.0, 2.0, 6.0)), 3.0, math.sqrt(14 / 3)),
    ],
)
def test_drawn_numbers_have_the_mean_and_the_deviation_they_should(
    sample: str, axis: Axis, mean: float, deviation: float
) -> None:
    count = 4096
    values = np.array(sampled(axis, sample, count), float)
    assert abs(values.mean() - mean) < 4 * deviation / math.sqrt(count)
    assert abs(values.std() - deviation) < 0.05 * deviation


def test_the_logarithms_of_lognormal_numbers_are_normal() -> None:
    values = np.log(np.array(sampled(Axis("a", "lognormal", (), (1.0, 0.25)), "random", 4096)))
    assert abs(values.mean() - 1.0) < 4 * 0.25 / 64
    assert abs(values.std() - 0.25) < 0.02


def test_a_logarithmic_range_is_as_dense_in_each_decade() -> None:
    values = np.array(sampled(Axis("a", "log_range", (), (0.01, 100.0)), "latin_hypercube", 400))
    assert np.histogram(np.log10(values), bins=[-2, -1, 0, 1, 2])[0].tolist() == [100] * 4


def test_a_latin_hypercube_has_one_run_in_each_part_of_every_path() -> None:
    axes = tuple(Axis(name, "uniform", (), (0.0, 1.0)) for name in "abc")
    points = np.array(rows(Study(axes, "latin_hypercube", 50), 3))
    for column in points.T:
        assert sorted((column * 50).astype(int)) == list(range(50))


def test_points_of_sobol_fill_the_cells_of_a_square_evenly() -> None:
    pytest.importorskip("scipy", reason="Sobol's points need the extra `study`")
    axes = tuple(Axis(name, "uniform", (), (0.0, 1.0)) for name in "ab")
    points = np.array(rows(Study(axes, "sobol", 256), 1))
    counts, _, _ = np.histogram2d(points[:, 0], points[:, 1], bins=16, range=[[0, 1], [0, 1]])
    assert (counts == 1).all()


@pytest.mark.parametrize("sample", SIZED)
def test_another_seed_draws_other_numbers_and_the_same_seed_the_same(sample: str) -> None:
    axis = Axis("a", "uniform", (), (0.0, 1.0))
    assert sampled(axis, sample, 8, 1) == sampled(axis, sample, 8, 1)
    assert sampled(axis, sample, 8, 1) != sampled(axis, sample, 8, 2)


def test_a_drawn_number_hangs_on_its_path_and_run_alone() -> None:
    axis, other = Axis("a", "uniform", (), (0.0, 1.0)), Axis("b", "uniform", (), (0.0, 1.0))
    alone = [row[0] for row in rows(Study((axis,), "random", 5), 0)]
    beside = [row[1] for row in rows(Study((other, axis), "random", 9), 0)]
    assert beside[:5] == alone


@every_row("u", [1e-300, 1e-20, 1e-9, 0.001, 0.075, 0.3, 0.5, 0.7, 0.925, 0.999, 1 - 1e-12])
def test_the_inverse_of_the_normal_distribution_is_that_of_the_library(u: float) -> None:
    assert inverse_normal(u) == pytest.approx(NormalDist().inv_cdf(u), rel=1e-14, abs=1e-15)


def test_no_point_of_the_interval_leaves_the_values_of_an_axis() -> None:
    dice = Axis("a", "randint", (), (1.0, 6.0))
    assert [value_at(dice, u) for u in (2.0**-53, 1 - 2.0**-53)] == [1, 6]
    assert value_at(Axis("a", "choice", ("x", "y")), 1 - 2.0**-53) == "y"


def test_a_number_of_runs_that_is_drawn_is_the_same_every_time() -> None:
    text = (
        "rigid: 1\nvars: {x: 1}\nbodies: {b: {shape: {circle: 1}}}\n"
        "study: {vary: {vars.x: {uniform: [0, 1]}}, sample: {random: '=randint(2, 900)'}}\n"
    )
    counts = [study.samples for study in (loads(text).study, loads(text).study) if study]
    assert counts[0] == counts[1] >= 2


@every_row("axis", ["{uniform: [1, 3]}", "{from: 1, to: 3}"])
def test_a_study_without_a_number_of_runs_leaves_the_scene_as_it_is(
    axis: str, tmp_path: Path
) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(
        "rigid: 1\nvars: {x: 2}\nworld: {steps: 3}\nbodies: {ball: {shape: {circle: =x}}}\n"
        f"study: {{vary: {{vars.x: {axis}}}, collect: {{y: =bal.y}}}}\n"
    )
    with pytest.raises(SceneError) as caught:  # with all other problems
        read_study(file)
    assert ["--samples" in each.message for each in caught.value.problems] == [True, False]
    file.write_text(file.read_text().replace("bal.", "ball."))
    assert load(file).vars["x"] == 2
    with pytest.raises(SceneError, match="--samples 1000"):
        read_study(file)
    study = read_study(file, samples=3)[1].study
    assert study is not None
    assert len(rows(study, 0)) == 3
