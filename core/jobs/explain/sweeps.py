# SPDX-License-Identifier: MIT
"""The same step with several values of an option of its solver."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UsageError
from ...scene.blocks.world.solver import OF_OPTION
from ..compare import read_sweep, variants
from .observed import ObservedStep
from .step import TriedStep

AnyStep = TriedStep | ObservedStep


def swept(step: AnyStep, sweep: Sequence[str]) -> list[tuple[str, AnyStep]]:
    """The same step with every value of the swept options, each with its label.

    Raises UsageError for what is no option of the solver, or changes the contacts of a step.
    """
    kind, found = step.kind, []
    for variant in variants(step.scene, (kind,), sweep):
        given = {name: getattr(variant.solver, name) for name, _ in map(read_sweep, sweep)}
        for name in given:
            if kind not in OF_OPTION[name] or not _has(step, name):
                raise UsageError(f"--sweep: {name} is no option of the iterations of `{kind}`")
        found.append((variant.label.removeprefix(kind).strip(), step.again(**given)))
    return found


def _has(step: AnyStep, option: str) -> bool:
    """Whether a step can be tried again with another value of an option."""
    if isinstance(step, ObservedStep):
        return option == "substeps"
    return hasattr(step.settings, option)
