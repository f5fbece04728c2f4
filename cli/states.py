# SPDX-License-Identifier: MIT
"""Saved states to continue a run from."""

from __future__ import annotations

from collections.abc import Sequence

from rigid2d.core.errors import UsageError
from rigid2d.core.reading import read_bytes
from rigid2d.core.scene.limits import STATE_BYTES
from rigid2d.core.scene.model import Scene


def read_state(path: str | None, scenes: Sequence[Scene]) -> bytes | None:
    """The bytes of the file that ``--from-state`` names, looked at before anything is run.

    Raises:
        UsageError: when there are several scenes, or the file is no state of the one scene.
    """
    if path is None:
        return None
    from rigid2d.core.world.saving import check_state

    if len(scenes) > 1:
        raise UsageError(
            f"--from-state {path}: one state for {len(scenes)} scenes; run them one by one"
        )
    try:
        state = read_bytes(path, STATE_BYTES)
    except OSError as error:
        raise UsageError(f"--from-state {path}: {error.strerror or error}") from None
    try:
        check_state(state, scenes[0])
    except UsageError as error:
        raise UsageError(f"--from-state {path}: {error}") from None
    return state
