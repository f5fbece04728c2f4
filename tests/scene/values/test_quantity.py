# SPDX-License-Identifier: MIT
"""Numbers at the bounds of what they may be."""

from __future__ import annotations

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import loads

SCENE = """
rigid: 1
vars: {n: 1}
bodies: {a: {shape: {circle: 1}}}
study: {vary: {vars.n: {from: 0, to: 1, step: %s}}, collect: {y: =a.y}}
"""


@pytest.mark.parametrize("number", ["0", "0.0", "-0.0"])
def test_a_bound_that_must_be_exceeded_is_refused_in_any_form(number: str) -> None:
    with pytest.raises(SceneError, match=r"vars\.n\.step: must be greater than 0, not"):
        loads(SCENE % number)
