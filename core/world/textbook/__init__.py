# SPDX-License-Identifier: MIT
"""Worlds whose bodies textbook solvers move: to the rest of the house an engine as any other.

The modules are imported with the first such world: most runs have none.
"""

from __future__ import annotations

from functools import partial

from ... import _native
from ...scene.model import Scene
from ..engines import Engine


def engine_of(scene: Scene) -> Engine:
    """What makes the engine that a scene's solver needs."""
    if not scene.world.solver.is_textbook:
        return _native.World
    from .engine import TextbookEngine

    return partial(TextbookEngine, scene)
