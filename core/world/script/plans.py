# SPDX-License-Identifier: MIT
"""Scripts of the copies of one prototype, in its own names and coordinates."""

from __future__ import annotations

from ...scene.blocks.settings.settable import OWNERS
from ...scene.event_model import Prototype


class CopyPlan:
    """The script of a prototype's copies.

    Attributes:
        objects: the objects of the prototype, by section and name.
        rules: its events.
        keys: the controls, by their keys.
        spawners: the spawners.
        leaving, conditions: the rules of these types.
        attaches: names of the joints that its actions attach.
    """

    def __init__(self, prototype: Prototype) -> None:
        self.prototype = prototype
        self.objects = {section: getattr(prototype, section) for section in OWNERS}
        self.rules, self.keys = prototype.events, prototype.controls
        self.spawners = prototype.spawners
        self.leaving, self.conditions = (
            [i for i, rule in enumerate(self.rules) if rule.kind == kind]
            for kind in ("leave", "condition")
        )
        actions = [action for rule in self.rules for action in rule.actions]
        actions += [action for each in self.keys.values() for action in each.all_actions]
        self.attaches = {each.name for each in actions if each.kind == "attach"}
