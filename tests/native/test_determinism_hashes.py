# SPDX-License-Identifier: MIT
"""The same scene gives the same bits: on every run, thread count, lane width and machine."""

from __future__ import annotations

import pytest
from benchmark_scenes import SCENES
from hashes import state_hash, stored
from rigid2d.core import _native

from tests.search import tries

LANES = list(_native.lanes_supported())


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_ends_in_the_stored_state(scene: str) -> None:
    assert state_hash(scene) == stored()[scene]


@pytest.mark.parametrize("threads", [2, 4][: tries(1, 2)])
@pytest.mark.parametrize("scene", SCENES)
def test_the_number_of_threads_does_not_change_a_bit(scene: str, threads: int) -> None:
    assert state_hash(scene, threads=threads) == stored()[scene]


@pytest.mark.parametrize(
    ("scene", "lanes"),
    [
        (scene, lanes)
        for number, scene in enumerate(SCENES)
        for lanes in LANES[number % tries(2, 1) :: tries(2, 1)]
    ],
)
def test_the_width_of_the_lanes_does_not_change_a_bit(scene: str, lanes: int) -> None:
    assert state_hash(scene, lanes=lanes) == stored()[scene]


def test_threads_and_lanes_together_do_not_change_a_bit() -> None:
    assert state_hash("spinner", threads=2, lanes=LANES[0]) == stored()["spinner"]
