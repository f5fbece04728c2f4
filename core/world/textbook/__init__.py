# SPDX-License-Identifier: MIT
"""Worlds of the textbook solvers, with the interface of the engine.

The modules are imported with the first such world: most runs have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _native

if TYPE_CHECKING:
    from .engine import TextbookEngine

SOLVER_CHANNELS = {"iterations": -1, "residual": -2, "error": -3}


def as_textbook(native: _native.World) -> TextbookEngine | None:
    """The engine of a textbook solver, or None where it is the native one."""
    if type(native) is _native.World:
        return None
    from .engine import TextbookEngine

    return native if isinstance(native, TextbookEngine) else None
