# SPDX-License-Identifier: MIT
"""Places events and actions of a prototype for its instances.

Names are local and get the instance's name as prefix, in expressions too. Places, directions
and settings are transformed like the objects (``placer.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import pi
from typing import Any

from ...action_model import MOUSE, TAGGED, Motion, Reach
from ...event_model import Action, EventRule, Formula, Live, Selector, Spawn, Spawner
from ...model import Point
from ...values.expression import compile_expression
from ..placing.attached_joints import placed_joint
from ..placing.placer import Objects, Placer
from ..settings.coordinates import placed_axis, split_axis, without_offset
from ..settings.settable import find_owner
from .action_types import ACTION_TYPES
from .paths import with_paths

QUARTER = 1e-12  # the cosine or the sine of a quarter turn is this close to 0
_PLACES = ("$a", "$b", "$point", MOUSE)


class EventPlacer:
    """Places the events of one instance.

    Attributes:
        objects: the objects of the prototype.
        old, new: the prefixes of paths in the prototype and in the instance.
        refuse: returns the exception for an event that a field of the instance excludes.
        called: the names of spawned copies.
    """

    def __init__(
        self,
        placer: Placer,
        objects: Objects,
        old: str,
        new: str,
        refuse: Callable[[str, str], Exception],
        called: Callable[[str], str],
    ) -> None:
        self.placer, self.objects = placer, objects
        self.old, self.new = old, new
        self.refuse, self.called = refuse, called
        self.place = placer.placement

    def rule(self, rule: EventRule) -> EventRule:
        """Place an event of the prototype, without its actions."""
        name = self.placer.name
        who = tuple(
            Selector(
                each.tag, each.name and name(each.name), tuple([name(one) for one in each.bodies])
            )
            for each in rule.who
        )
        return replace(
            rule,
            path=self._path(rule.path),
            actions=tuple([self.action(action) for action in rule.actions]),
            who=who,
            subject=rule.subject and name(rule.subject),
            region=None if rule.region is None else self._region(rule.region, rule.path),
            condition=self._source(rule.condition),
            guard=self._source(rule.guard),
            unless=self._source(rule.unless),
        )

    def _path(self, path: str) -> str:
        return self.new + path.removeprefix(self.old)

    def _region(self, region: tuple[Point, Point], path: str) -> tuple[Point, Point]:
        """The box, whose sides stay along the axes of the world."""
        (x0, y0), (x1, y1) = region
        if not self._is_straight:
            message = (
                f"the `region` of `{path.removeprefix(self.old)}` has sides along the axes; an "
                "instance with it is turned by quarters of a turn only"
            )
            raise self.refuse(message, "angle")
        corners = [self.place.point(corner) for corner in ((x0, y0), (x1, y1))]
        (x0, x1), (y0, y1) = (sorted(along) for along in zip(*corners, strict=True))
        return (x0, y0), (x1, y1)

    @property
    def _is_straight(self) -> bool:
        c, s = self.place.direction((1.0, 0.0))
        return abs(c) < QUARTER or abs(s) < QUARTER

    # ------------------------------------------------------------ values

    def _source(self, source: str) -> str:
        """Return an expression with the full names of the prototype's objects."""
        if not source:
            return source
        return compile_expression(source).renamed(self._state)

    def _state(self, name: str) -> str:
        found = find_owner(name, self.objects)
        return name if found is None else self.placer.name(name)

    def _live(self, value: Live | None) -> Any:
        if isinstance(value, tuple):
            return tuple(self._live(each) for each in value)
        if isinstance(value, Formula):
            return replace(value, source=self._source(value.source), path=self._path(value.path))
        return value

    def _vector(self, value: Live, turn: Callable[[Any], Any], what: str) -> Any:
        """A point or a direction that may be evaluated later."""
        vector = self._live(value)
        placed = turn(vector)
        drawn = (
            compile_expression(each.source).seeded for each in vector if isinstance(each, Formula)
        )
        if not self._is_straight and any(drawn):
            message = (
                f"random numbers of `{what.removeprefix(self.old)}` go along the axes; an instance "
                "with them is turned by quarters of a turn only, or a `spawn` has a `frame`"
            )
            raise self.refuse(message, "angle")
        parts = zip(placed, ("[0]", "[1]"), strict=True)
        base = self._path(what)
        return tuple(
            replace(each, path=base + at) if isinstance(each, Formula) else each
            for each, at in parts
        )

    def _name(self, name: str) -> str:
        if not name or name.startswith(("$", TAGGED)):
            return name
        return self.placer.name(name)

    def _at(self, at: Live, turn: Callable[[Any], Any], what: str) -> Live:
        """A place: a name, or a point."""
        if isinstance(at, str):
            return at if at in _PLACES or not at else self.placer.name(at)
        placed: Live = self._vector(at, turn, what)
        return placed

    # ------------------------------------------------------------ actions

    def action(self, action: Action) -> Action:
        """An action of the prototype."""
        place, kind = self.place, action.kind
        spec = ACTION_TYPES[kind]
        name = action.name if spec.is_text else self._name(action.name)
        amount = self._live(action.amount)
        if spec.is_directed:
            amount = self._vector(action.amount, place.direction, f"{action.path}.{kind}.impulse")
        values: Mapping[str, Live] = action.values
        if spec.sets:
            values = dict(self._setting(path, value, action) for path, value in values.items())
        return replace(
            action,
            path=self._path(action.path),
            name=name,
            values=values,
            at=self._at(
                action.at, place.point, f"{action.path}.{kind}.{'to' if action.motion else 'at'}"
            ),
            amount=amount,
            radius=action.radius * place.scale,
            motion=action.motion and self._motion(action.motion, f"{action.path}.{kind}"),
            spawn=None if action.spawn is None else self.spawn(action.spawn, action.path),
            joint=self._joint(action),
            reach=action.reach and self._reach(action.reach),
        )

    def _setting(self, path: str, value: Live, action: Action) -> tuple[str, Live]:
        live = self._live(value)
        owner, _, rest = path.partition(".")
        found = None if owner.startswith("$") else find_owner(path, self.objects)
        if found is None and not owner.startswith("$"):
            return path, live  # a state variable
        axis = split_axis(rest if found is None else found[2])[1]
        whole = path if axis is None else path[: -len(".x")]
        if found is None:
            turn = self.placer.body_setting(whole.partition(".")[2])
        else:
            path, turn = self.placer.name(path), self.placer.setting(whole, self.objects)
        where = f"{action.path}.{action.kind}.{path}"
        if axis is not None and turn is not None:
            placed = placed_axis(turn, axis)
            if placed is None and action.kind == "add":
                along = (value, 0.0) if axis == 0 else (0.0, value)
                path = path[: -len(".x")]
                return path, self._vector(along, without_offset(turn), where)
            if placed is None:
                message = (
                    f"`{where.removeprefix(self.old)}` sets one coordinate; an instance with it is "
                    "turned by quarters of a turn only, or both are written, or it is added to"
                )
                raise self.refuse(message, "angle")
            offset = placed.offset if action.kind == "set" else 0.0
            return f"{path[:-1]}{placed.axis}", live * placed.factor + offset
        if turn is not None and action.kind == "add":
            turn = without_offset(turn)
        if turn is not None and isinstance(live, tuple):
            live = self._vector(value, turn, where)
        elif turn is not None:
            live = turn(live)
        return path, live

    def spawn(self, spawn: Spawn, path: str, field: str = ".spawn") -> Spawn:
        """Place the spawn of an action; ``path`` is that of the action."""
        place, where = self.place, f"{path}{field}"
        inside = bool(spawn.frame)
        moves = not inside and place.point((1.0, 2.0)) != (1.0, 2.0)
        if (moves or place.local((1.0, 2.0)) != (1.0, 2.0)) and _reads_place(spawn):
            message = (
                f"`$at` of `{where.removeprefix(self.old)}` is a place of the prototype; an "
                "instance with it is not moved, turned, scaled or mirrored, or has a `frame`"
            )
            raise self.refuse(message, "at")
        turned = place.turn(self._live(spawn.angle))
        mirrors = spawn.mirror
        if place.mirror is not None:
            # Two mirrors along one axis are none, along both half a turn.
            mirrors = None if spawn.mirror else place.mirror
            if spawn.mirror and spawn.mirror != place.mirror:
                turned = turned + pi
        return replace(
            spawn,
            name=self.called(spawn.name),
            at=self._at(spawn.at, place.local if inside else place.point, f"{where}.at"),
            angle=turned if inside else turned + place.angle,
            velocity=self._vector(
                spawn.velocity, place.mirrored if inside else place.direction, f"{where}.velocity"
            ),
            frame=self._name(spawn.frame),
            scale=spawn.scale * place.scale,
            mirror=mirrors,
            vars={key: self._live(value) for key, value in spawn.vars.items()},
            lifetime=self._live(spawn.lifetime),
        )

    def spawner(self, spawner: Spawner) -> Spawner:
        """A spawner of the prototype, placed."""
        path = f"{self.old}spawners.{spawner.name}"
        name = self.placer.name(spawner.name)
        born = self.spawn(spawner.spawn, path, "")
        placed = f"{self.new.removesuffix(self.placer.name(''))}spawners.{name}"
        return replace(
            spawner,
            name=name,
            spawn=with_paths(born, self._path(path), placed),
            guard=self._source(spawner.guard),
        )

    def _reach(self, reach: Reach) -> Reach:
        name = self.placer.name
        joints = tuple([name(joint) for joint in reach.joints])
        return replace(reach, tip=name(reach.tip), joints=joints)

    def _motion(self, motion: Motion, where: str) -> Motion:
        """Place the motion of the prototype's bodies; ``path`` is that of the action."""
        place = self.place

        def turn(vector: Any) -> Any:
            x, y = place.direction(vector)
            return x * place.scale, y * place.scale

        velocity = motion.velocity
        if velocity is not None:
            velocity = self._vector(velocity, place.direction, f"{where}.velocity")
        return replace(
            motion,
            by=self._vector(motion.by, turn, f"{where}.by"),
            angle=place.turn(self._live(motion.angle)),
            velocity=velocity,
            name=motion.name and self.called(motion.name),
        )

    def _joint(self, action: Action) -> Mapping[str, Any]:
        """Place an attached joint, as in the file; it refers to the bodies, not to the world."""
        joint = action.joint
        return placed_joint(joint, self.place, self._name) if joint else joint


def _reads_place(spawn: Spawn) -> bool:
    """Whether a spawn depends on its drawn point."""
    return "$at." in repr((spawn.angle, spawn.velocity))
