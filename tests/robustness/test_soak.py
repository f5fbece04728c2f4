# SPDX-License-Identifier: MIT
"""A small soak; ``make soak`` runs the large one."""

from __future__ import annotations

import pytest
import rigid2d.core

from .soak import LEVEL, check_room, scene_text, soak


def test_nothing_escapes_from_a_room_and_memory_stays_level() -> None:
    soaked = soak(120, 3000, seed=5, generation=1000)
    assert soaked.steps == 3000
    assert soaked.disturbances == 450
    assert max(soaked.memory) < soaked.memory[0] + LEVEL


def test_what_is_outside_is_noticed() -> None:
    world = rigid2d.core.build(rigid2d.core.loads(scene_text(30, 1)))
    check_room(world)
    world["gem[0]"].position = (25, 0)
    with pytest.raises(AssertionError, match=r"gem\[0\]"):
        check_room(world)
