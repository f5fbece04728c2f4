# SPDX-License-Identifier: MIT
"""Equations of textbook solvers are bounded, and the error names the crowd."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import SimulationError, build, loads
from rigid2d.core.jobs.explain import explain
from rigid2d.core.solvers import pgs_matrix

CROWD = """
rigid: 1
world: {{solver: {{type: {kind}}}}}
bodies:
  far: {{shape: {{circle: 0.1}}, position: [9, 0]}}
  disc: {{repeat: {{i: {count}}}, shape: {{circle: 0.1}}, position: [=0.0001*i, 1]}}
"""


def world_of(kind: str, count: int):
    return build(loads(CROWD.format(kind=kind, count=count)))


@pytest.mark.parametrize("kind", ["pgs_matrix", "pgs_jrow"])
def test_a_crowd_that_is_too_large_is_named_before_its_matrix_is_made(kind: str) -> None:
    world = world_of(kind, 120)  # 7140 contacts: a matrix of 1.6 GB
    with pytest.raises(SimulationError, match=kind) as caught:
        world.step()
    assert caught.value.body == "disc[0]"
    assert caught.value.step == 1
    assert "at (0, 1)" in str(caught.value)
    assert "is in a crowd" in str(caught.value)
    with pytest.raises(SimulationError):
        world.step()


def test_a_world_before_a_crowd_can_be_restored() -> None:
    world = world_of("pgs_matrix", 120)
    saved = world.save()
    for _ in range(2):
        with pytest.raises(SimulationError):
            world.step()
        world.restore(saved)
        assert world.step_count == 0


def test_pairs_by_themselves_are_not_too_many() -> None:
    text = CROWD.format(kind="pgs_matrix", count=70).replace(
        "pgs_matrix", "pgs_matrix, grouping: pair"
    )
    build(loads(text)).step()


def test_a_step_with_a_crowd_cannot_be_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgs_matrix, "EQUATION_ROWS", 10)
    with pytest.raises(SimulationError, match=r"body 'disc\[0\]' has more constraints in step 1"):
        explain(loads(CROWD.format(kind="pgs_matrix", count=8)), 1)


def test_a_matrix_is_the_same_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    states = []
    for block in (1, 7, 256):
        monkeypatch.setattr(pgs_matrix, "BLOCK", block)
        world = world_of("pgs_matrix", 9)
        world.step(3)
        states.append(np.frombuffer(world.save(), np.uint8))
    assert all(np.array_equal(states[0], other) for other in states[1:])
