# SPDX-License-Identifier: MIT
"""Rows that a joint holds, solved as one (document 000, part 5.5)."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.solvers import Joint
from rigid2d.core.solvers.blocks import blocks_of, eliminated
from rigid2d.core.solvers.rows import build_rows
from rigid2d.core.solvers.settings import Settings

from tests.solvers.hand_made import bodies, take_step

KINDS = ["pgs_matrix", "pgs_jrow", "textbook_impulse", "constraint_correction"]
JOINTS = {
    "weld": ({"anchor_a": (1.0, 0.5), "anchor_b": (-1.0, -0.5)}, 3),
    "prismatic": ({"anchor_a": (1.0, 0.5), "anchor_b": (-1.0, -0.5), "axis": (0.8, 0.6)}, 2),
    "revolute": ({"anchor_a": (1.0, 0.5), "anchor_b": (-1.0, -0.5)}, 2),
}


def pair():
    return bodies(
        [[0.3, -0.2, 0.5], [-1, 0.4, -0.7]],
        [1, 3],
        inertias=[0.4, 2],
        places=[[0, 0, 0], [2, 1, 0]],
    )


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("solver", KINDS)
def test_one_iteration_of_a_block_is_right_and_row_by_row_is_not(solver, kind):
    """Document 000, part 5.5: the matrix finds at once what the loop comes nearer to."""
    given, count = JOINTS[kind]
    joint = Joint("j", kind, 0, 1, **given)
    left = {}
    for blocks in (True, False):
        moving = pair()
        take_step(solver, moving, [], joints=[joint], iterations=1, blocks=blocks)
        rows = build_rows(moving, [], [joint._replace()], Settings(dt=1.0))
        first = build_rows(pair(), [], [joint], Settings(dt=1.0))
        speed = (first.J[:, :3] * moving.V[0]).sum(axis=1)
        speed += (first.J[:, 3:] * moving.V[1]).sum(axis=1)
        assert len(rows) == count
        left[blocks] = np.abs(speed).max()
    assert left[True] < 1e-12
    assert left[False] > 0.01


def test_blocks_are_the_rows_that_a_joint_holds_and_no_bounded_ones():
    joints = [
        Joint("a", "weld", 0, 1, (0, 0), (0, 0), number=0),
        Joint("b", "distance", 0, 1, (0, 0), (1, 0), least=1, most=1, number=1),
        Joint("c", "prismatic", 0, 1, (0, 0), (0, 0), least=-1, most=1, number=2),
        Joint("d", "mouse", 0, 1, (0, 0), (0, 0), number=3),
    ]
    rows = build_rows(pair(), [], joints, Settings(dt=1.0))
    assert blocks_of(rows.keys, rows.low, rows.high, wanted=True) == {0: 3, 4: 2, 8: 2}
    assert blocks_of(rows.keys, rows.low, rows.high, wanted=False) == {8: 2}


def test_a_row_that_nothing_moves_leaves_the_others_right():
    """Both bodies turn by nothing: the document's K4 is 0 then, and gets a 1."""
    assert eliminated([[2.0, 0.0], [0.0, 0.0]], [4.0, 1.0]) == [2.0, 0.0]
    assert eliminated([[2.0, 2.0], [2.0, 2.0]], [4.0, 4.0]) == [2.0, 0.0]
    K = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]
    assert K @ np.array(eliminated(K, [1.0, 2.0, 3.0])) == pytest.approx([1, 2, 3])
