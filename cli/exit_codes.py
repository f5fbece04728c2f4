# SPDX-License-Identifier: MIT
"""Exit codes of ``rigid``."""

from collections.abc import Iterable
from typing import Final

DONE: Final = 0
CHECK_FAILED: Final = 1
"""An expectation, a snapshot or a comparison did not hold."""
BAD_INPUT: Final = 2
"""A wrong option, a file that cannot be read or written, or a scene with errors."""
STOPPED: Final = 3
"""The simulation stopped: a state that is not finite, or a body that ran away."""
HUNG_UP: Final = 129
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
"""The reader of the output went away, as `head` does; the shell's number for it."""
TERMINATED: Final = 143


def worst(codes: Iterable[int]) -> int:
    """The code of a command over several files: what cannot be read or written comes first."""
    found = set(codes)
    return next((code for code in (BAD_INPUT, STOPPED, CHECK_FAILED) if code in found), DONE)
