# SPDX-License-Identifier: MIT
"""The actions that keys and inputs ask for, by their paths."""

from __future__ import annotations

from ....scene.event_model import Action
from ....scene.model import Scene
from ....scene.script import TimedSetting
from ..event_conditions import RELEASED


def asked_actions(scene: Scene) -> dict[str, tuple[Action, ...]]:
    """The actions of the scene's own keys and inputs, by their paths."""
    controls = scene.controls.items()
    asked = {f"controls.{key}{RELEASED}": each.released for key, each in controls}
    asked = {path: actions for path, actions in asked.items() if actions}
    asked |= {f"controls.{key}": each.actions for key, each in controls}
    for i, entry in enumerate(scene.inputs):
        if isinstance(entry, TimedSetting):
            asked[f"inputs[{i}]"] = entry.actions
    return asked
