# SPDX-License-Identifier: MIT
"""What a study runs until: rows after the first that is true are not judged."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import loads
from rigid2d.core.study.reducers import CollectError, StudyFormula, ValueSeries


def series() -> ValueSeries:
    scene = loads("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}")
    made = ValueSeries(StudyFormula.of("1 / ball.x"), scene, "until")
    made.columns = [0]
    return made


def test_a_row_without_a_value_after_the_first_true_one_does_not_matter() -> None:
    assert series().first_true(np.array([[2.0], [1.0], [0.0]])) == 1


def test_a_row_without_a_value_before_it_is_told() -> None:
    with pytest.raises(CollectError, match="until"):
        series().first_true(np.array([[2.0], [0.0], [1.0]]))
