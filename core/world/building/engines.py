# SPDX-License-Identifier: MIT
"""The choice of a world's engine: the native one, or that of a textbook solver around it.

Both have one interface; this module tests which one it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...scene.basis import Fragment

Float64 = NDArray[np.float64]
Engine = Callable[..., _native.World]
SOLVER_CHANNELS = {"iterations": -1, "residual": -2, "error": -3}


CHANGES = (
    *("moved", "body", "gravity", "motor", "limits", "spring", "target"),
    *("force", "force_removed", "joint_removed"),
)
"""The changes by a script, as ``Change`` of ``native/script/host_engine.h``."""


class Textbook(Protocol):
    """The methods that only the engine of a textbook solver has."""

    def read(self, code: int, index: int) -> float:
        """The value of one of its own channels."""

    def touch(self, a: int, b: int) -> list[float]:
        """The mean point and normal, and the sum of the impulses, of two bodies that touch."""

    def removed(self, slot: int) -> list[_native.EventRow]:
        """Take notice of a removed body; return the events of that."""

    def add_force(self, row: bytes) -> int:
        """Take a row of FORCE by a script; return its slot."""

    def change(self, name: str, owner: int, which: str, numbers: Sequence[float]) -> bool:
        """Take notice of a change by a script; return whether it can be."""

    def own_channels(self) -> Sequence[int]:
        """The channels that ``read`` knows."""

    def take_in(
        self,
        fragment: Fragment,
        index: Mapping[str, int],
        driven: NDArray[np.void],
        taken: Mapping[str, Sequence[int]],
    ) -> None:
        """Take over the added bodies and joints, with the slots that they were given."""

    def corners(self, rows: NDArray[np.int32]) -> dict[int, tuple[Float64, Float64]]:
        """The present corners of bodies of particles."""


def as_textbook(native: _native.World) -> Textbook | None:
    """The engine of a textbook solver, or None where it is the native one."""
    return None if type(native) is _native.World else cast(Textbook, native)
