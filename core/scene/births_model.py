# SPDX-License-Identifier: MIT
"""The spawns that a scene can cause."""

from __future__ import annotations

from collections.abc import Iterable

from .event_model import Action, Prototype, Spawn
from .model import Scene


def births_of(scene: Scene) -> list[Spawn]:
    """All spawns of a scene: its own, then those of its spawned prototypes."""
    inputs = [action for each in scene.inputs for action in getattr(each, "actions", ())]
    own = births_in(scene, inputs)
    return own + [birth for each in scene.prototypes.values() for birth in births_in(each)]


def births_in(owner: Scene | Prototype, inputs: Iterable[Action] = ()) -> list[Spawn]:
    """The spawns that a scene, or the copies of a prototype, can cause."""
    actions = [
        *(action for each in owner.controls.values() for action in each.all_actions),
        *inputs,
        *(action for each in owner.events for action in each.actions),
    ]
    births = [each.spawn for each in actions] + [each.spawn for each in owner.spawners.values()]
    return [each for each in births if each is not None]
