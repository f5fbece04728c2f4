# SPDX-License-Identifier: MIT
"""Worlds with a textbook solver."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid2d.core import World, build, loads

from tests.stored import stored

__all__ = ["stored"]

HEAD = """
rigid: 1
name: test
units: screen
world: {{dt: {dt}, steps: {steps}, gravity: [0, {gravity}], solver: {{{solver}}}{more}}}
materials: {{m: {{restitution: {restitution}, friction: {friction}}}}}
defaults: {{material: m}}
collision: {{restitution_mixing: min, friction_mixing: min}}
bodies:
  table: {{type: static, shape: {{box: [800, 40]}}, position: [0, 20]}}
"""


def world_on_a_table(*bodies: str, **given: object) -> World:
    """A world in pixels and milliseconds with bodies (YAML, one a line) on a table."""
    values = {
        "dt": 20,
        "steps": 500,
        "gravity": 0.001,
        "restitution": 0,
        "friction": 0.5,
        "solver": "type: pgs_matrix",
        "more": "",
    } | given
    return build(loads(HEAD.format(**values) + "".join(f"  {line}\n" for line in bodies)))


@pytest.fixture
def on_a_table() -> Callable[..., World]:
    """``world_on_a_table``."""
    return world_on_a_table
