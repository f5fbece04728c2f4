# SPDX-License-Identifier: MIT
"""Which times of a run a movie shows, faster or more slowly."""

from __future__ import annotations

import pytest
from rigid2d.core.scene import loads
from rigid2d.core.world import frame_times


def times(render: str, duration: float = 4.0, fps: float = 10.0) -> list[float]:
    text = f"world: {{duration: {duration}}}\nrender: {{{render}}}\n"
    scene = loads(f"rigid: 1\n{text}bodies: {{ball: {{shape: {{circle: 1}}}}}}\n")
    return frame_times(scene, fps=fps)


def test_a_quarter_of_the_speed_shows_four_times_as_many_frames() -> None:
    shown = times("speed: 0.25")
    assert len(shown) == 160
    assert shown[:3] == pytest.approx([0.0, 0.025, 0.05])


def test_four_times_the_speed_leaves_frames_out() -> None:
    assert times("speed: 4") == pytest.approx([0.4 * k for k in range(10)])


def test_a_part_of_a_run_goes_by_more_slowly() -> None:
    shown = times("time: [[0, 1], [2, 0.1], [3, 1]]")
    assert len(shown) == 20 + 100 + 10
    assert shown[20:23] == pytest.approx([2.0, 2.01, 2.02])
    assert shown[-1] == pytest.approx(3.9)
    assert shown == sorted(shown)


def test_before_the_first_time_the_run_goes_by_as_it_is() -> None:
    assert len(times("time: [[2, 0.5]]")) == 20 + 40


def test_both_multiply() -> None:
    assert len(times("speed: 0.5, time: [[0, 2]]")) == 40


def test_times_after_the_end_of_the_run_do_not_count() -> None:
    assert times("time: [[0, 1], [4, 0.001]]") == times("speed: 1")
