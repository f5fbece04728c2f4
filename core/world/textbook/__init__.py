# SPDX-License-Identifier: MIT
"""Worlds of the textbook solvers, with the interface of the engine.

The modules are imported with the first such world: most runs have none.
"""

from __future__ import annotations

from functools import partial

from ... import _native
from ...scene.model import Scene
from ..building.engines import Engine


def engine_of(scene: Scene) -> Engine:
    """The maker of the engine that a scene's solver needs."""
    if not scene.world.solver.is_textbook:
        return _native.World
    from .engine import TextbookEngine

    return partial(TextbookEngine, scene)
