# SPDX-License-Identifier: MIT
"""Maps of data sets: motion of pixels, whole masks, order of depth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rigid2d.core.dataset as dataset
from rigid2d.core import UsageError

SCENE = """
rigid: 1
world: {gravity: [0, 0], dt: =1/60, duration: 0.5}
bodies:
  behind: {shape: {box: [2, 2]}, position: [-1, 0], velocity: [1, 0.5], collide: false, z: -1}
  wheel: {shape: {circle: 1}, position: [2, 0], angular_velocity: 90, collide: false}
  front: {shape: {box: [1, 1]}, position: [-1, 0], velocity: [2, 0], collide: false, z: 2}
camera: {mode: region, rect: [[-4, -3], [4, 3]]}
"""
WHAT = ("masks", "state", "amodal", "velocities", "flow")


@pytest.fixture(scope="module", params=["folder", "parquet"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dataset.Run:
    if request.param == "parquet":
        pytest.importorskip("pyarrow")
    made = dataset.make(
        "moving",
        tmp_path_factory.mktemp("maps") / "out",
        runs=1,
        source=SCENE,
        what=WHAT,
        size=(80, 60),
        fps=6,
        format=request.param,
    )
    return made[0]


def test_pixels_flow_with_their_bodies(run: dataset.Run) -> None:
    mask, flow = run.masks[0], run["flow"][0]
    seconds = run["time"][1] - run["time"][0]
    pixels = run["view"][0][0]
    assert pixels == pytest.approx(10.0)
    goes = np.broadcast_to([2 * seconds * pixels, 0], (100, 2))
    np.testing.assert_allclose(flow[mask == 3], goes, atol=1e-3)
    np.testing.assert_allclose(flow[mask == 1][0], np.array([1, -0.5]) * seconds * 10, atol=1e-3)
    np.testing.assert_array_equal(flow[mask == 0], 0)
    assert np.isnan(run["flow"][-1]).all()
    # A point of the wheel turns by a quarter of a turn a second.
    rows, columns = np.nonzero(mask == 2)
    x, y = columns + 0.5 - 60, 30 - (rows + 0.5)
    turn = 0.5 * np.pi * seconds
    there = np.stack([np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y])
    np.testing.assert_allclose(flow[mask == 2].T * [[1], [-1]], there - [x, y], atol=1e-3)


def test_a_pixel_has_the_velocity_of_its_point(run: dataset.Run) -> None:
    mask, velocity = run.masks[1], run["velocity_map"][1]
    np.testing.assert_allclose(velocity[mask == 3], np.broadcast_to([2, 0], (100, 2)), atol=1e-5)
    rows, columns = np.nonzero(mask == 2)
    x, y = (columns + 0.5 - 60) / 10, (30 - (rows + 0.5)) / 10
    spin = 0.5 * np.pi
    np.testing.assert_allclose(velocity[mask == 2], np.stack([-spin * y, spin * x], 1), atol=1e-4)
    np.testing.assert_array_equal(velocity[mask == 0], 0)


def test_whole_masks_have_what_others_hide(run: dataset.Run) -> None:
    mask, whole = run.masks[0], run["amodal"][0]
    assert whole.shape == (3, 60, 80)
    assert [int(each.sum()) for each in whole] == [400, int((mask == 2).sum()), 100]
    assert int((mask == 1).sum()) == 300
    assert not (whole[0] & ~np.isin(mask, (1, 3))).any()


def test_bodies_have_their_order_of_depth(run: dataset.Run) -> None:
    assert run["depth"].tolist() == [0, 1, 2]


def test_maps_are_made_only_where_they_are_asked_for(tmp_path: Path) -> None:
    made = dataset.make("m", tmp_path / "a", runs=1, source=SCENE, size=(32, 24), fps=2)
    assert not {"flow", "velocity_map", "amodal"} & {*made[0].arrays}
    with pytest.raises(UsageError, match="did you mean 'flow'"):
        dataset.make("m", tmp_path / "b", runs=1, source=SCENE, what=["flows"])
