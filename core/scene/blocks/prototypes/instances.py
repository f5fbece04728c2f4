# SPDX-License-Identifier: MIT
"""The block ``instances``: places of prototypes in the world, and their own settings."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...building.templates import Builder
from ...text.problems import locate
from ...values.broken import BROKEN, Stop, is_read
from ...values.fields import (
    Angle,
    ColourField,
    MaterialName,
    PointField,
    Positive,
    RepeatedInput,
    VelocityField,
    Words,
    about,
)
from ...values.kinds import OneOf, Text, nearest, show
from ...values.names import Name, group_of
from ..bodies.bodies import unknown_body
from ..bodies.materials import find_material
from ..bodies.shapes import Totals, count_shapes
from ..placement import Placement
from ..placing.pivots import PIVOT, box_point
from ..placing.placer import Placer
from ..script.controls import Joined, key_problem
from ..script.event_placer import EventPlacer
from ..variables import GIVEN_VAR


class InstanceInput(RepeatedInput):
    form: ClassVar[str] = "`{use: car, at: [2, 0]}`"

    needed: ClassVar[tuple[str, ...]] = ("use",)
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("prototype", "type", "of"), "it is `use`"),
        **dict.fromkeys(("position", "offset"), "it is `at`"),
        "rotation": "it is `angle`",
        "flip": "it is `mirror`",
        "size": "it is `scale`, or one of the prototype's `vars`",
    }
    use: Annotated[Any, Name("the name of a prototype")] = about("The prototype.")
    at: PointField = about("Where its pivot comes to be (default [0, 0]).")
    pivot: Annotated[Any, PIVOT] = about(
        "The point of the prototype that `at` places and that it turns about (default [0, 0])."
    )
    angle: Angle = about("How it is turned about the pivot (default 0).")
    scale: Positive = about("By how much it is larger (default 1).")
    mirror: Annotated[str | None, OneOf(("x", "y"))] = about(
        "x or y: the coordinate that is taken to its opposite, before it is turned."
    )
    vars: dict[str, Annotated[Any, GIVEN_VAR]] | None = about("Values for the prototype's vars.")
    color: ColourField = about("The colour of its bodies that say none themselves.")
    velocity: VelocityField = about("A velocity that all its moving bodies have beside their own.")
    tags: Words = about("Words that all its bodies have beside their own.")
    material: MaterialName = about("The material of its bodies that name none themselves.")
    controls: dict[str, Annotated[str, Text("the name of a key")]] | None = about(
        "Other keys for those of its prototype's controls: `{up: w, down: s}`."
    )


@dataclass(frozen=True)
class Instance:
    """An instance: its prototype and its pose."""

    use: str
    placement: Placement
    pivot: Any  # a point, or one of PIVOTS
    vars: Mapping[str, Any]
    color: str | None
    material: str | None
    keys: Mapping[str, str]
    scope: Scope


class InstanceBuilder(Builder[InstanceInput, Instance]):
    """Makes instances from templates."""

    what, many, unique, most = "instance", "instances", "objects", limits.INSTANCE_BODIES

    def __init__(self, build_context: BuildContext, own: Mapping[str, InstanceInput]) -> None:
        super().__init__(build_context.turns, own)
        self.build_context = build_context

    def plan(self, template: InstanceInput, scope: Scope) -> InstancePlan:
        return InstancePlan(self.build_context, template)

    def unknown(self, name: str) -> Instance:
        return BROKEN  # type: ignore[no-any-return]

    def other(self, name: str) -> str:
        if name in self.build_context.made["bodies"]:
            return "body"
        return "joint" if name in (self.build_context.given.joints or ()) else ""


class InstancePlan:
    """One template of instances."""

    def __init__(self, build_context: BuildContext, template: InstanceInput) -> None:
        self.build_context = build_context
        self.template = template

    def build(self, name: str, scope: Scope) -> Instance:
        """The instance of one turn, BROKEN after a problem."""
        try:
            return self._build(scope)
        except Stop:
            scope.failed = True
            return BROKEN  # type: ignore[no-any-return]

    def _build(self, scope: Scope) -> Instance:
        template, trees = self.template, self.build_context.prototype_builder.trees
        get = {
            field: scope.known(getattr(template, field), field)
            for field in ("at", "pivot", "angle", "scale", "velocity")
        }
        given: Any = template.vars
        if given is BROKEN or template.use is BROKEN:
            raise Stop
        values = {key: scope.known(value, "vars", key) for key, value in (given or {}).items()}
        use = template.use
        if use is None:
            if scope.report.may_mean(scope.path, str):
                raise Stop
            raise scope.fail("missing-key", "`use` is missing; an instance is one of a prototype")
        if use not in trees:
            if scope.report.may_have("prototypes", use):
                raise Stop
            message = f"there is no prototype `{use}`; {nearest(use, trees, what='prototypes')}"
            raise scope.fail("unknown-name", message, "use", missing=f"prototype {use}")
        material = scope.known(template.material, "material")
        color = scope.known(template.color, "color")
        if material is not None:
            scope.attempt(
                lambda: find_material(self.build_context.materials, scope, material, ("material",)),
                None,
            )
        known = self.build_context.prototype_builder.vars_of(use)
        for key in values if known is not None else ():
            if key not in known:
                scope.failed = True
                message = f"the prototype `{use}` has no var {show(key)}; {nearest(key, known)}"
                scope.report.add_key((*scope.path, "vars", key), "unknown-name", message)
        scope.stop_if_failed()
        placement = Placement(
            at=_or(get["at"], (0.0, 0.0)),
            angle=_or(get["angle"], 0.0),
            scale=_or(get["scale"], 1.0),
            mirror=template.mirror,  # type: ignore[arg-type]
            velocity=_or(get["velocity"], (0.0, 0.0)),
            tags=() if template.tags is None else template.tags,
        )
        if any(each is BROKEN for each in (template.mirror, template.tags, color)):
            raise Stop
        pivot = _or(get["pivot"], (0.0, 0.0))
        keys = template.controls or {}
        if any(each is BROKEN for each in (keys, *keys.values())):
            raise Stop
        return Instance(use, placement, pivot, values, color, material, keys, scope)


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value


def _build(
    given: Mapping[str, InstanceInput] | None, build_context: BuildContext
) -> dict[str, Instance]:
    own = build_context.own_entries("instances", InstanceInput)
    builder = InstanceBuilder(build_context, own)
    for name, entry in (given or {}).items():
        builder.add(name, entry, build_context.scope("instances", name))
    made = dict(builder.made)
    found: dict[str, BuildContext] = {}
    for name, instance in made.items():
        if instance is not BROKEN:
            with suppress(Stop):  # where it has no parts that are known
                found[name] = _parts(name, instance, build_context)
    try:
        _check_room(made, found, build_context)
    except Stop:
        found = {}
    totals = build_context.totals or Totals()
    tags: dict[tuple[int, int], tuple[str, ...]] = {}
    for name, instance in made.items():
        if name not in found or not _put(name, instance, found[name], build_context, totals, tags):
            build_context.report.add_unread(("instances", group_of(name)))
            build_context.report.add_unread(("controls",))  # which may be its prototype's
            for key in _keys_of((given or {}).get(group_of(name))):
                build_context.report.add_unread(("controls", key))
    return made


def _keys_of(entry: Any) -> list[str]:
    """The keys that an instance may have for controls of its prototype."""
    keys = None if entry is None or entry is BROKEN else entry.controls
    if keys is None or keys is BROKEN:
        return []
    return [key for key in keys.values() if is_read(key)]


def _parts(name: str, instance: Instance, build_context: BuildContext) -> BuildContext:
    """The parts of an instance, in the coordinates of its prototype."""
    line = locate(build_context.report.tree, instance.scope.path)[0].line
    parts: BuildContext = build_context.prototype_builder.build(instance, build_context, name, line)
    return parts


def _check_room(
    made: Mapping[str, Instance], found: Mapping[str, BuildContext], build_context: BuildContext
) -> None:
    """Stop at a limit: of bodies, joints, actuators, and of all that instances make on the way."""
    most = {
        "bodies": limits.INSTANCE_BODIES,
        "joints": limits.JOINTS,
        "actuators": limits.ACTUATORS,
        "shapes": limits.SHAPES,
        "points of shapes": limits.POINTS,
        "pairs": limits.PAIRS,
        "keys of tracks": limits.TRACK_KEYS,
        "events": limits.RULES,
        "spawners": limits.SPAWNERS,
        "bodies that events name": limits.MEMBERS,
        "objects of instances": limits.INSTANCE_OBJECTS,
    }
    sizes = {**dict.fromkeys(most, 0), "bodies": len(build_context.made["bodies"])}
    counted: dict[int, list[tuple[str, int]]] = {}  # what many instances share is counted once
    for name, parts in found.items():
        scope = made[name].scope
        if id(parts) not in counted:
            counted[id(parts)] = [each for each in parts.sizes().items() if each[1]]
        for what, size in counted[id(parts)]:
            sizes[what] += size
            if sizes[what] > most[what]:
                message = f"the scene has more than {most[what]} {what}; that is the limit"
                raise scope.fail("limit", message)
        build_context.turns.count += len(parts.made["bodies"])
        if build_context.turns.count > limits.REPEATS:
            raise scope.fail(
                "limit",
                f"the instances of this scene make more than {limits.REPEATS} bodies, with those "
                "that prototypes have inside; that is the limit",
            )


def _put(
    name: str,
    instance: Instance,
    parts: BuildContext,
    build_context: BuildContext,
    totals: Totals,
    tags: dict[tuple[int, int], tuple[str, ...]],
) -> bool:
    """Put the objects of one instance into the scene; return whether all are known."""
    full, bodies, whole = f"{name}.", build_context.made["bodies"], True
    pivot = instance.pivot
    try:
        if isinstance(pivot, str):
            pivot = box_point(pivot, parts.made["bodies"], build_context.context.units.y_down)
    except Stop:
        return False
    placement = instance.placement
    placer = Placer(
        placement if pivot == placement.pivot else replace(placement, pivot=pivot),
        lambda part: part if part == "world" else full + part,
        parts.copiers,
        parts.shapes,
        tags,
        parts.made,
    )
    for part in parts.made["bodies"].values():
        try:
            body = placer.body(part)
            count_shapes(totals, instance.scope, part.shapes)
        except Stop:
            body, whole = unknown_body(full + part.name), False
        bodies[body.name] = body
    for group, place in (
        ("joints", lambda part: placer.joint(part, bodies)),
        ("actuators", placer.actuator),
    ):
        for part_name, part in parts.made[group].items():
            try:
                build_context.placed[group][full + part_name] = place(part)
            except Stop:
                build_context.placed[group][full + part_name] = BROKEN
    for part_name, animation in parts.made["animations"].items():
        try:
            its = placer.animation(animation, parts.made)
        except Stop:
            its = BROKEN
        build_context.placed["animations"][full + part_name] = its
    for part_name, emitter in parts.made["particles"].items():
        known = emitter is not BROKEN
        build_context.placed["particles"][full + part_name] = (
            placer.emitter(emitter) if known else BROKEN
        )
    build_context.pairs += [(full + a, full + b) for a, b in parts.pairs]
    if instance.keys or any(parts.made[each] for each in ("events", "spawners", "controls")):
        _put_deeds(full, instance, parts, build_context, placer)
    return whole and not parts.report.is_partial


def _put_deeds(
    full: str, instance: Instance, parts: BuildContext, build_context: BuildContext, placer: Placer
) -> None:
    """Put the events, spawners and controls of one instance into the scene."""
    events = EventPlacer(
        placer,
        parts.made,
        parts.prefix,
        f"{build_context.prefix}{full}",
        refuse=partial(instance.scope.fail, "unsupported"),
        called=placer.name,
    )
    for rule in parts.made["events"]:
        made = instance.scope.attempt(events.rule, None, rule)
        if made is not None:
            build_context.placed["events"][str(len(build_context.placed["events"]))] = made
    for part_name, spawner in parts.made["spawners"].items():
        again = instance.scope.attempt(events.spawner, None, spawner)
        if again is not None:
            build_context.placed["spawners"][full + part_name] = again
    _put_controls(instance, parts, build_context, placer, events)


def _put_controls(
    instance: Instance,
    parts: BuildContext,
    build_context: BuildContext,
    placer: Placer,
    events: EventPlacer,
) -> None:
    """Add the controls of an instance to those of others."""
    own, placed, scope = parts.made["controls"], build_context.placed["controls"], instance.scope
    for key, other in instance.keys.items():
        problem = key_problem(other)
        if problem:
            build_context.report.add((*scope.path, "controls", key), "invalid-name", problem)
        if key not in own and not parts.report.is_partial and not parts.objects_only:
            message = f"the prototype `{instance.use}` has no key {show(key)}; {nearest(key, own)}"
            path = (*instance.scope.path, "controls", key)
            build_context.report.add_key(path, "unknown-name", message)
            build_context.report.add_unread(("controls", other))
    for key, control in own.items():
        try:
            its = placer.control(instance.keys.get(key, key), control, parts.made)
            actions = tuple([events.action(action) for action in control.actions])
            released = tuple([events.action(action) for action in control.released])
            its = replace(its, actions=actions, released=released)
        except Stop:
            its = BROKEN
        now = instance.keys.get(key, key)
        placed.setdefault(now, Joined()).add(its, scope)


INSTANCES = BlockSpec(
    dict[str, InstanceInput] | None,
    _build,
)
