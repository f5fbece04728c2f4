# SPDX-License-Identifier: MIT
"""Arrows of a free-body diagram that would lie on each other."""

from __future__ import annotations

import pytest
from rigid2d.core.render.marks.annotation_mark import MarkPart
from rigid2d.core.render.marks.side_by_side import side_by_side


def arrow(*ends, thin=False):
    return MarkPart(tuple(ends), thin=thin)


def xs(parts):
    return [part.points[0][0] for part in parts]


def test_arrows_that_lie_on_each_other_are_moved_apart_with_their_components():
    weight = arrow((0.0, 1.0), (0.0, -1.0))
    push = arrow((0.02, 0.0), (0.02, 3.0))
    component = arrow((0.02, 0.0), (1.0, 1.0), thin=True)
    moved = side_by_side([weight, push, component], 0.3)
    assert xs(moved) == pytest.approx([0.0, -0.3, -0.3], abs=0.01) or xs(moved) == pytest.approx(
        [0.0, 0.3, 0.3], abs=0.01
    )
    assert moved[2].points[1][0] - moved[2].points[0][0] == pytest.approx(0.98)


def test_rounding_does_not_decide_on_the_side():
    weight = arrow((0.0, 1.0), (0.0, -1.0))
    left, right = (
        side_by_side([weight, arrow((x, 0.0), (x, 3.0))], 0.3)[1].points[0][0]
        for x in (-1e-9, 1e-9)
    )
    assert left == pytest.approx(right)


def test_a_third_arrow_finds_a_place_of_its_own():
    three = [arrow((0.0, 0.0), (0.0, 2.0)) for _ in range(3)]
    places = sorted(xs(side_by_side(three, 0.3)))
    assert places[1] - places[0] > 0.29
    assert places[2] - places[1] > 0.29


@pytest.mark.parametrize(
    "other",
    [
        arrow((0.0, 0.0), (0.0, 2.0)),  # only touches
        arrow((0.5, 1.0), (0.5, -1.0)),  # far enough
        arrow((-1.0, 0.0), (1.0, -0.5)),  # crosses
    ],
)
def test_other_arrows_stay(other):
    weight = arrow((0.0, 0.0), (0.0, -2.0))
    assert side_by_side([weight, other], 0.3) == [weight, other]
