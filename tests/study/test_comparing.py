# SPDX-License-Identifier: MIT
"""Finished studies: compared, picked from, and shown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import rigid2d.core
from rigid2d.core import Results, UsageError, run_study
from rigid2d.core.study.comparing import compare_studies
from rigid2d.core.study.picking import picked, read_pick

from tests.study.studies import COLLECT, Write

VARY = "vary: {vars.height: [1, 2, 4]}"


@pytest.fixture
def results(write: Write, tmp_path: Path) -> Results:
    return run_study(write(VARY, COLLECT), tmp_path / "one")


def test_studies_are_compared_by_the_values_of_their_runs(
    results: Results, write: Write, tmp_path: Path
) -> None:
    more = write("vary: {vars.height: [2, 4, 5]}", COLLECT)
    other = run_study(more, tmp_path / "other", overrides=["world.gravity=[0, -5]"])
    found = compare_studies(results.path, other.path)
    assert (found.shared, found.only_old, found.only_new) == (2, 1, 1)
    changed = {each.name: each for each in found.columns}
    assert changed["hash"].runs == 2
    assert "world.gravity: (not given) -> [0, -5]" in "\n".join(found.plan)
    assert not found.same
    assert compare_studies(results.path, results.path).same


def test_the_best_runs_are_picked_by_a_column(results: Results) -> None:
    assert [row["vars.height"] for row in results.pick("top 2 by height")] == [4, 2]
    assert [row["run"] for row in results.pick("bottom 1 by vars.height")] == [0]
    with pytest.raises(UsageError, match="did you mean 'top'"):
        results.pick("top 2 by topp")
    for wrong in ("best", "top 0 by x", "top by x", "top 3"):
        with pytest.raises(UsageError, match="`top N by COLUMN`"):
            read_pick(wrong)
    assert picked([None, 2.0, float("nan"), 2.0, 5.0], True, 9) == [4, 1, 3]


def test_results_and_worlds_show_themselves(results: Results) -> None:
    html = results._repr_html_()
    assert "3 runs, varied: vars.height" in html
    assert html.count("<tr>") == 4
    scene = rigid2d.core.loads("{rigid: 1, name: '<b>', bodies: {ball: {shape: {circle: 1}}}}")
    world = rigid2d.core.World(scene)
    world.step(3)
    shown = world._repr_html_()
    assert "step 3 of" in shown
    assert "&lt;b&gt;" in shown
    assert "data:image/png" in shown


def test_without_pandas_the_error_names_the_extra(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"rigid2d\[tables\]"):
        results.to_pandas()


def test_results_are_a_data_frame(results: Results) -> None:
    pytest.importorskip("pandas")
    frame = results.to_pandas()
    assert frame["vars.height"].tolist() == [1, 2, 4]
    assert frame.index.name == "run"
