# SPDX-License-Identifier: MIT
"""One step of a scene's solver, explained."""

from __future__ import annotations

from ...arguments import checked, one_of, optional, text, whole
from ...scene import limits
from ...scene.model import Scene
from . import soft_step, textbook
from .observed import ObservedStep, observe_step
from .step import TriedStep, try_step
from .tables import Explanation


@checked(scene=one_of(Scene), step=whole(1, limits.STEPS), body=optional(text))
def explain(scene: Scene, step: int, *, body: str | None = None) -> Explanation:
    """One step of the scene's solver in tables, with the numbers of one body alone or of all."""
    return explained(look_at(scene, step, body), body)


@checked(scene=one_of(Scene), step=whole(1, limits.STEPS), body=optional(text))
def look_at(scene: Scene, step: int, body: str | None = None) -> TriedStep | ObservedStep:
    """A step with all that its solver had in hand: of ``soft_step`` as the engine takes it, of
    others as the documents' loops do."""
    if scene.world.solver.kind == "soft_step":
        return observe_step(scene, step, body)
    return try_step(scene, step)


def explained(step: TriedStep | ObservedStep, body: str | None = None) -> Explanation:
    """A step in tables."""
    if isinstance(step, ObservedStep):
        return soft_step.explained(step, body)
    return textbook.explained(step, body)
