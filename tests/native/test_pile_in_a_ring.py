# SPDX-License-Identifier: MIT
"""Bodies beaten against a thin wall by something far stronger than any contact."""

from __future__ import annotations

import numpy as np
from benchmark_scenes import spinner
from stage_native import NativeStage


def test_what_a_paddle_beats_against_a_ring_of_segments_stays_inside() -> None:
    """The paddle's tip moves at 100 m/s and passes the ring with hardly any room."""
    world = NativeStage(spinner(count=600)).world
    for _ in range(10):
        world.step(20)
        # The ring has a radius of 40 m about (0, 32).
        assert np.hypot(world.x[3:], world.y[3:] - 32.0).max() < 40.5
