# SPDX-License-Identifier: MIT
"""Scripts of the copies of one prototype, prepared once for all of them.

It stays in the prototype's own names and coordinates. In expressions they begin with ``$own.``,
as the names of events do with ``$``: each copy reads its own objects by them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...record.channels import Channel, resolve_channels
from ...scene.action_model import in_action, in_spawn
from ...scene.blocks.settings.settable import OWNERS, find_owner
from ...scene.event_model import Action, EventRule, Formula, Live, Prototype
from ...scene.script import Control
from ...scene.values.expression import compile_expression
from ..naming.named_parts import NamedParts
from .event_conditions import LISTENS, asks
from .formulas import OWN, Sampled


class CopyPlan:
    """The script of a prototype's copies.

    Attributes:
        objects: the objects of the prototype, by section and name.
        rules: its events.
        keys: the controls, by their keys.
        spawners: the spawners.
        of_bodies: the rules about a body, by their kind and its name.
        of_subjects: the rules about a joint or an actuator, by its name.
        times, leaving, conditions: the other rules.
        touching: rules that need point or impulse of a contact.
        sampled: the expressions of the conditions.
        attaches: names of the joints that its actions attach.
        listens: whether begin and end events of contacts are needed.
    """

    def __init__(self, world: NamedParts, prototype: Prototype) -> None:
        self.prototype = prototype
        self.objects = {section: getattr(prototype, section) for section in OWNERS}
        self._scene = replace(
            world.roster.scene,
            bodies=prototype.bodies,
            joints=prototype.joints,
            state={},
            actuators=prototype.actuators,
        )
        self._channels: dict[str, Channel] = {}
        self.rules = tuple([self._rule(rule) for rule in prototype.events])
        self.keys = {key: self._control(each) for key, each in prototype.controls.items()}
        self.spawners = {
            name: replace(
                each, spawn=in_spawn(each.spawn, self._live), guard=self._source(each.guard)
            )
            for name, each in prototype.spawners.items()
        }
        self.of_bodies: dict[tuple[str, str], list[int]] = {}
        self.of_subjects: dict[str, list[int]] = {}
        for i, rule in enumerate(self.rules):
            if rule.subject:
                self.of_subjects.setdefault(rule.subject, []).append(i)
            for name in rule.who[0].bodies if rule.who else ():
                self.of_bodies.setdefault((rule.kind, name), []).append(i)
        self.times, self.leaving, self.conditions = (
            [i for i, rule in enumerate(self.rules) if rule.kind == kind]
            for kind in ("time", "leave", "condition")
        )
        self.touching = {
            i for i, rule in enumerate(self.rules) if rule.kind == "collision" and asks(rule)
        }
        actions = [action for rule in self.rules for action in rule.actions]
        actions += [action for each in self.keys.values() for action in each.all_actions]
        self.attaches = {each.name for each in actions if each.kind == "attach"}
        self.sampled = Sampled(world, [self.rules[i].condition for i in self.conditions])
        self.listens = any(rule.kind in LISTENS for rule in self.rules)

    def channel(self, name: str) -> Channel:
        """The meaning of the prototype's state name; its owner has the prototype's name."""
        channel = self._channels.get(name)
        if channel is None:
            (channel,) = resolve_channels(self._scene, [name])
            self._channels[name] = channel
        return channel

    # ------------------------------------------------------------ names

    def _rule(self, rule: EventRule) -> EventRule:
        return replace(
            rule,
            actions=self._actions(rule.actions),
            condition=self._source(rule.condition),
            guard=self._source(rule.guard),
            unless=self._source(rule.unless),
        )

    def _control(self, control: Control) -> Control:
        actions, released = self._actions(control.actions), self._actions(control.released)
        return replace(control, actions=actions, released=released)

    def _actions(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        return tuple([in_action(action, self._live) for action in actions])

    def _live(self, value: Live | None) -> Any:
        if isinstance(value, tuple):
            return tuple([self._live(each) for each in value])
        if isinstance(value, Formula):
            return replace(value, source=self._source(value.source))
        return value

    def _source(self, source: str) -> str:
        return compile_expression(source).renamed(self._own) if source else source

    def _own(self, name: str) -> str:
        return name if find_owner(name, self.objects) is None else f"{OWN}{name}"
