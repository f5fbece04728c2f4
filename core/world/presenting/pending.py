# SPDX-License-Identifier: MIT
"""Actions and removals that are due later, in a scene that begins now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...scene.action_model import in_action
from ...scene.blocks.script.action_types import ACTION_TYPES
from ...scene.event_model import Action, EventRule, Formula
from ...scene.script import Control, InputEntry, TimedSetting
from ...scene.values.expression import compile_expression
from ..naming.named_parts import NamedParts
from ..naming.setters import is_there
from ..script.copies import ASKED
from ..script.event_conditions import Occurrence
from ..script.reactions import Reactions, asked_of
from .copies_now import CopyScripts, PlacementError


def pending_events(
    world: NamedParts, called: Mapping[str, str], copies: CopyScripts
) -> Iterator[EventRule]:
    """Events of the type ``time`` for the actions that are due, and for the ends of lifetimes.

    ``called`` are the names in the new scene.
    """
    if world.script is None or world.script.reactions is None:
        return
    reactions, step, dt = world.script.reactions, world.step_count, world.roster.scene.world.dt
    for due, found in reactions.waiting:
        rule = copies.attempt(_bound, reactions, found, called, copies)
        if rule is not None:
            yield replace(rule, at=(due - step) * dt)
    for due, bodies in reactions.acting.spawning.ends.pending:
        left = [called[name] for name in bodies if is_there(world, name)]
        if left:
            actions = tuple([Action("delete", "", name) for name in left])
            yield EventRule("time", "", actions, at=(due - step) * dt)


def _bound(
    reactions: Reactions, found: Occurrence, called: Mapping[str, str], copies: CopyScripts
) -> EventRule:
    """An occurrence as an event, with the values and bodies it happened with."""
    actions, unless = _asked(reactions, found, copies)
    own = Bound(found, called)
    bound = tuple([own.action(action) for action in actions])
    return EventRule("time", "", bound, guard=unless and f"not ({own.source(unless)})")


def _asked(
    reactions: Reactions, found: Occurrence, copies: CopyScripts
) -> tuple[tuple[Action, ...], str]:
    """The actions of an occurrence, in the new names, and the condition that cancels them."""
    copy = reactions.copies.copy_of(found)
    if copy is None:
        if found.order[0] < 0:
            return reactions.asked[found.rule], ""
        rule = reactions.finder.rule_of(found)
        return rule.actions, rule.unless
    placer, prototype = copies.placer(copy), copy.plan.prototype
    if found.order[0] == ASKED:
        asked = asked_of(prototype.controls, found)
        return tuple([placer.action(action) for action in asked]), ""
    placed = placer.rule(prototype.events[reactions.copies.place_of(found)])
    return placed.actions, placed.unless


class Bound:
    """Actions of an event that happened, with the values and bodies it happened with."""

    def __init__(self, found: Occurrence, called: Mapping[str, str]) -> None:
        bodies = (("$a", found.a), ("$b", found.b))
        self._names = {key: called[name] for key, name in bodies if name}
        self._values = found.values or {}

    def action(self, action: Action) -> Action:
        """The action without names of the event. Raises PlacementError if it cannot be written."""
        if "$point" in action.joint.get("anchors", ()):
            raise PlacementError(
                f"the joint `{action.name}` that will be attached at a point of the event, by its "
                "`anchors`"
            )
        spawn = action.spawn
        if spawn is not None:
            spawn = replace(spawn, frame=self._name(spawn.frame))
        bound = replace(
            action,
            name=action.name if ACTION_TYPES[action.kind].is_text else self._name(action.name),
            values={self._name(path): value for path, value in action.values.items()},
            joint=self._filled(action.joint),
            spawn=spawn,
        )
        return in_action(bound, self._live)

    def source(self, source: str) -> str:
        """The expression without names of the event."""
        return compile_expression(source).renamed(self._value)

    def _value(self, name: str) -> str:
        return f"({float(self._values[name])!r})" if name in self._values else self._name(name)

    def _name(self, name: str) -> str:
        owner, dot, rest = name.partition(".")
        return f"{self._names.get(owner, owner)}{dot}{rest}"

    def _live(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple([self._live(each) for each in value])
        if isinstance(value, Formula):
            return replace(value, source=self.source(value.source))
        if value == "$point":
            return self._values["$point.x"], self._values["$point.y"]
        return self._name(value) if isinstance(value, str) else value

    def _filled(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._filled(each) for each in value]
        if value == "$point":
            return [self._values["$point.x"], self._values["$point.y"]]
        return self._name(value) if isinstance(value, str) else value


class Detaching:
    """Actions that detach, with the joints that were attached before now."""

    def __init__(self, world: NamedParts, called: Mapping[str, str]) -> None:
        reactions = None if world.script is None else world.script.reactions
        attached = {} if reactions is None else reactions.acting.attached
        self._joints = {
            called[name]: [called[joint] for joint in joints if is_there(world, joint)]
            for name, joints in attached.items()
        }

    def actions(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        """The actions; each that detaches is followed by those for earlier joints of its name."""
        followed: list[Action] = []
        for action in actions:
            followed.append(action)
            if action.kind == "detach":
                joints = self._joints.get(action.name, ())
                followed += [replace(action, name=joint) for joint in joints]
        return tuple(followed)

    def event(self, rule: EventRule) -> EventRule:
        """An event with such actions."""
        return replace(rule, actions=self.actions(rule.actions))

    def control(self, control: Control) -> Control:
        """A key with such actions."""
        actions, released = self.actions(control.actions), self.actions(control.released)
        return replace(control, actions=actions, released=released)

    def input(self, entry: InputEntry) -> InputEntry:
        """An input with such actions, if it has any."""
        if not isinstance(entry, TimedSetting):
            return entry
        return replace(entry, actions=self.actions(entry.actions))
