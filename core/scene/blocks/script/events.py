# SPDX-License-Identifier: MIT
"""The block ``events``: conditions, and actions on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...event_model import EventKind, EventRule, Selector
from ...model import Point
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context
from ...values.fields import Duration, Input, Rectangle, Time, TruthField, Value, Words, about
from ...values.kinds import EXPRESSION_SCHEMA, Custom, OneOf, nearest
from ...values.names import Name, born_of, missing_body, wholes
from ...values.quantity import Quantity
from ...values.state_words import BODY_STATES, BOX_STATES
from ..settings.settable import scene_so_far
from .action_types import ActionInput
from .actions import Actions
from .attached import attached_names
from .event_writing import written_event
from .expect import check_condition
from .live import LiveReader
from .paths import with_paths
from .spawns import known_tags, tags_of

PAIRS = ("collision", "touch_end", "sensor_enter", "sensor_leave")
SWITCHES = ("actuator_start", "actuator_stop")
WORDS = (*PAIRS, "joint_broken", *SWITCHES, "time", "leave", "deleted")
_BODIES = (*PAIRS, "leave", "deleted")


def _of(*names: str) -> tuple[str, ...]:
    states = (*BODY_STATES, *BOX_STATES)
    return tuple(f"{name}.{quantity}" for name in names for quantity in states)


_POINT = ("$point.x", "$point.y")
GIVES: dict[str, tuple[str, ...]] = {
    "collision": (*_of("$a", "$b"), *_POINT, "$normal.x", "$normal.y", "$impulse"),
    **dict.fromkeys(("touch_end", "sensor_enter", "sensor_leave"), _of("$a", "$b")),
    "leave": _of("$a"),
    "deleted": _POINT,
}
"""The names that expressions of an event and of its actions may have."""


_KEYS = "what keys do is said in `controls`"
_SLEEP = "whether a body sleeps is an expression: `when: =ball.asleep`"
_STEP = "what is looked at in every step is an expression: `when: =ball.y < 0`"
_SOLVED = "events do not change contacts; who touches whom is said by `collision` and `one_way`"
_WHEN = OneOf(
    WORDS,
    instead={
        **dict.fromkeys(("key", "keydown", "keyup", "keypress", "button", "input"), _KEYS),
        **dict.fromkeys(("sleep", "sleepstart", "sleepend", "wake", "asleep"), _SLEEP),
        **dict.fromkeys(("beforeupdate", "afterupdate", "fixedupdate", "step"), _STEP),
        **dict.fromkeys(("presolve", "postsolve", "collisionactive"), _SOLVED),
        **dict.fromkeys(("start", "init"), "the start is `{when: time, at: 0}`"),
        **dict.fromkeys(("click", "mousedown"), "`rigid play` pulls bodies with the mouse"),
    },
)


def _check_when(value: Any, context: Context) -> Any:
    if isinstance(value, str) and value.lstrip().startswith("="):
        return check_condition(value, context)
    return _WHEN.check(value, context)


_WHEN_SCHEMA = {"anyOf": [{"enum": list(WORDS)}, EXPRESSION_SCHEMA]}


class EventInput(Input):
    form: ClassVar[str] = "`{when: collision, tags: [bullet, rock], do: [{delete: $a}]}`"
    hints: ClassVar[dict[str, str]] = {
        "actions": "they are `do`",
        "then": "it is `do`",
        "tag": "it is `tags: [...]`",
        **dict.fromkeys(("delay", "wait"), "it is `after`: how much later it is done"),
        **dict.fromkeys(
            ("debounce", "throttle", "min_interval"),
            "it is `cooldown`: how long after it happened it does not happen again",
        ),
    }
    needed: ClassVar[tuple[str, ...]] = ("when", "do")
    when: Annotated[Any, Custom(_check_when, _WHEN_SCHEMA)] = about(
        "The kind of event: one of the words, or an expression of the run that becomes true."
    )
    tags: Words = about("Of the two bodies, or of the one.", of=_BODIES)
    bodies: Words = about("The two bodies by name, or one; groups and generators too.", of=_BODIES)
    body: Annotated[Any, Name("the name of a body")] = about(
        "The body that leaves or is deleted.", of=("leave", "deleted")
    )
    joint: Annotated[Any, Name("the name of a joint")] = about(
        "The joint that breaks, or that is removed.", of=("joint_broken", "deleted")
    )
    actuator: Annotated[Any, Name("the name of an actuator")] = about(
        "The actuator that begins to act, or ceases to.", of=SWITCHES
    )
    at: Time = about("When (0).", of=("time",))
    every: Duration = about("Again and again, so long after each other.", of=("time",))
    if_: Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)] = about(
        "An additional condition when it happens: an expression of the run and of the event.",
        alias="if",
    )
    after: Time = about("How much later it is done (0).")
    unless: Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)] = about(
        "With `after`: by what it is not done, an expression that is looked at when it is due."
    )
    once: TruthField = about("Whether it is done the first time only (false).")
    once_per: Annotated[str | None, OneOf(("pair",))] = about(
        "`pair`: for each two bodies the first time only.", of=PAIRS
    )
    cooldown: Duration = about("How long after it happened it does not happen again (0).")
    cooldown_per: Annotated[str | None, OneOf(("pair",))] = about(
        "`pair`: the cooldown is one of each two bodies by themselves.", of=PAIRS
    )
    min_impulse: Annotated[Value, Quantity((units.IMPULSE,), low=0.0)] = about(
        "How hard the collision must be: the impulse of the step in which it begins.",
        of=("collision",),
    )
    region: Rectangle = about("Any two opposite corners of the box that is left.", of=("leave",))
    do: list[ActionInput] | None = about("Actions, one after another.")


class Events:
    """Builds the entries of the list."""

    def __init__(self, build_context: BuildContext) -> None:
        self.build_context = build_context
        self.scene = scene_so_far(build_context)
        self.actions = Actions(build_context)
        self.is_part = build_context.is_part
        self.tags = tags_of(self.scene.bodies) if self.is_part else known_tags(build_context)
        bodies = self.scene.bodies
        self.names: dict[str, Sequence[str]] = {**wholes(bodies), **self.scene.groups}

    def build(self, given: EventInput, scope: Scope) -> list[EventRule]:
        """One entry; Stop after its problems were reported.

        An entry of a prototype becomes several if it names several of its bodies or joints.
        """
        scope.attempt(scope.need, None, given)
        if not is_read(given.when):
            raise Stop
        when, condition = given.when, ""
        if when.startswith("="):
            reader = LiveReader(self.scene, scope)
            condition = scope.attempt(reader.condition, "", when, "when")
            kind: EventKind = "condition"
        else:
            kind = when
        names = GIVES.get(kind, ()) if given.joint is None else ()
        guard, unless = (
            scope.attempt(LiveReader(self.scene, scope, names).condition, "", source, key)
            if source is not None and is_read(source)
            else ""
            for key, source in (("if", given.if_), ("unless", given.unless))
        )
        self._refuse_others(kind, given, scope)
        values = {
            key: scope.known(getattr(given, key), key)
            for key in (
                *("at", "every", "after", "once"),
                *("cooldown", "min_impulse", "region"),
            )
        }
        if given.unless is not None and values["after"] in (None, 0.0):
            message = "`unless` is looked at when what is done `after` a time is due; give it that"
            scope.fail("conflicting-keys", message, "unless")
        if given.cooldown_per is not None and given.cooldown is None:
            message = "`cooldown_per` says whose `cooldown` it is; give how long that lasts"
            scope.fail("conflicting-keys", message, "cooldown_per")
        if given.cooldown is not None and values["once"]:
            message = "what happens `once` has no `cooldown`, since it does not happen again"
            scope.fail("conflicting-keys", message, "cooldown")
        nobody: list[tuple[Selector, ...]] = [()]
        subjects = [""]
        of_joint = kind == "joint_broken" or (kind == "deleted" and given.joint is not None)
        whos = nobody
        if not of_joint or kind != "deleted" or self._has_bodies(given):
            whos = scope.attempt(self._whos, nobody, kind, given, scope)
        if of_joint and self._has_bodies(given):
            message = "a `joint` is removed, or bodies; keep one"
            scope.fail("conflicting-keys", message, "joint")
        if of_joint:
            subjects = scope.attempt(self._joints, subjects, given, scope)
        if kind in SWITCHES:
            subjects = scope.attempt(self._actuators, subjects, given, scope)
        if kind == "leave" and given.region is None:
            scope.fail("missing-key", "`region` is missing: the box that is left")
        region = values["region"]
        if region is not None and is_read(region):
            region = scope.attempt(_box, region, region, scope)
        if is_read(given.do) and not given.do:
            scope.fail("missing-key", "does nothing; give it an action", "do")
        actions = self.actions.build(given.do, scope, "do", names=names)
        scope.stop_if_failed()
        rule = EventRule(
            kind=kind,
            path=scope.label,
            actions=actions,
            at=values["at"] or 0.0,
            every=values["every"],
            after=values["after"] or 0.0,
            once="pair" if given.once_per else "run" if values["once"] else "",
            min_impulse=values["min_impulse"] or 0.0,
            region=region,
            condition=condition,
            guard=guard,
            unless=unless,
            cooldown=values["cooldown"] or 0.0,
            per_pair=given.cooldown_per is not None,
        )
        return [replace(rule, who=who, subject=each) for who in whos for each in subjects]

    def _refuse_others(self, kind: str, given: EventInput, scope: Scope) -> None:
        """Report the fields of other kinds of events."""
        for key, field in EventInput.model_fields.items():
            of = field.json_schema_extra.of  # type: ignore[union-attr]
            if of and kind not in of and getattr(given, key) is not None:
                named = "an expression" if kind == "condition" else f"`{kind}`"
                message = f"`{key}` belongs to {', '.join(of)}, not to {named}"
                scope.fail("conflicting-keys", message, key)

    def _whos(self, kind: str, given: EventInput, scope: Scope) -> list[tuple[Selector, ...]]:
        """The bodies of the event: of a prototype its own bodies first, one at a time for pairs."""
        who = self._who(kind, given, scope)
        if not self.is_part or kind not in _BODIES:
            return [who]
        if not who:
            own: Sequence[str] = tuple(self.scene.bodies)
        elif not who[0].tag:
            return [who]
        else:
            tag = who[0].tag
            own = [
                name
                for name, body in self.scene.bodies.items()
                if body is not BROKEN and is_read(body.tags) and tag in body.tags
            ]
        if kind not in PAIRS:
            return [(Selector(bodies=tuple(own)),)]
        return [(Selector("", name, (name,)), *who[1:]) for name in own]

    def _has_bodies(self, given: EventInput) -> bool:
        return any(each is not None for each in (given.body, given.bodies, given.tags))

    def _who(self, kind: str, given: EventInput, scope: Scope) -> tuple[Selector, ...]:
        most = 2 if kind in PAIRS else 1
        written = {key: getattr(given, key) for key in ("tags", "bodies", "body")}
        there = [key for key, value in written.items() if value is not None]
        broken = any(value is BROKEN for value in written.values())
        if kind in PAIRS and there == ["tags", "bodies"] and not broken:
            return self._body_and_tag(given, scope)
        if len(there) > 1:
            raise scope.fail(
                "conflicting-keys",
                f"`{there[0]}` and `{there[1]}` are both given; keep one",
                there[1],
            )
        if not there:
            if kind == "leave":
                raise scope.fail("missing-key", "who leaves? Give `body`, `bodies` or `tags`")
            return ()
        key = there[0]
        names = written[key]
        if names is BROKEN:
            raise Stop
        if key == "body":
            return (Selector(bodies=self._bodies(names, scope, "body")),)
        if not 1 <= len(names) <= most and (key == "tags" or kind in PAIRS or not names):
            many = "one or two" if most == 2 else "one"
            raise scope.fail("wrong-type", f"must name {many}, not {len(names)}", key)
        if key == "tags":
            return tuple(self._tag(name, scope, i, i) for i, name in enumerate(names))
        found = [self._bodies(name, scope, "bodies", i) for i, name in enumerate(names)]
        if kind not in PAIRS:
            return (Selector(bodies=tuple(name for each in found for name in each)),)
        return tuple(Selector("", *pair) for pair in zip(names, found, strict=True))

    def _body_and_tag(self, given: EventInput, scope: Scope) -> tuple[Selector, ...]:
        """A body by its name, and another one by a tag."""
        tags, bodies = given.tags or (), given.bodies or ()
        for key, names in (("tags", tags), ("bodies", bodies)):
            if len(names) != 1:
                message = f"must name one where there are `tags` and `bodies`, not {len(names)}"
                raise scope.fail("conflicting-keys", message, key)
        (tag,), (name,) = tags, bodies
        first = Selector("", name, self._bodies(name, scope, "bodies", 0))
        return first, self._tag(tag, scope, 0, 1)

    def _tag(self, tag: str, scope: Scope, i: int, place: int) -> Selector:
        """The bodies of a tag; the second of a prototype may be any body of the scene."""
        if self.is_part and place:
            self.build_context.foreign.append((tag, scope, ("tags", i)))
        elif tag not in self.tags and scope.report.is_whole("bodies"):
            owner = "no body of the prototype" if self.is_part else "no body"
            message = f"{owner} has the tag `{tag}`; {nearest(tag, self.tags, what='tags')}"
            raise scope.fail("unknown-name", message, "tags", i, missing=f"tag {tag}")
        return Selector(tag)

    def check_foreign(self) -> None:
        """Report the tags of prototypes' events that no body has."""
        for tag, scope, at in self.build_context.foreign:
            if tag not in self.tags and scope.report.is_whole("bodies"):
                message = f"no body has the tag `{tag}`; {nearest(tag, self.tags, what='tags')}"
                scope.fail("unknown-name", message, *at, missing=f"tag {tag}")

    def _bodies(self, name: str, scope: Scope, *at: int | str) -> tuple[str, ...]:
        if name in self.scene.bodies:
            return (name,)
        if name in self.names:
            its = tuple(self.names[name])
            self.build_context.turns.add_members(len(its), scope, *at)
            return its
        if scope.report.may_have("bodies", name) or scope.report.may_have("groups", name):
            raise Stop
        message = missing_body(name, self.scene.bodies, scope.report.tree)
        raise scope.fail("unknown-name", message, *at, missing=name)

    def _joints(self, given: EventInput, scope: Scope) -> list[str]:
        name = given.joint
        if name is None:
            return [*self.scene.joints] if self.is_part else [""]
        attached = name in attached_names(self.build_context) and given.when == "deleted"
        if is_read(name) and name not in self.scene.joints and not attached:
            if scope.report.may_have("joints", name):
                raise Stop
            message = (
                f"there is no joint `{name}`; {nearest(name, self.scene.joints, what='joints')}"
            )
            message = born_of(scope.report.tree, name) or message
            raise scope.fail("unknown-name", message, "joint", missing=name)
        return [name]

    def _actuators(self, given: EventInput, scope: Scope) -> list[str]:
        name, known = given.actuator, self.scene.actuators
        if name is None:
            return [*known] if self.is_part else [""]
        if is_read(name) and name not in known:
            if scope.report.may_have("actuators", name):
                raise Stop
            message = f"there is no actuator `{name}`; {nearest(name, known, what='actuators')}"
            message = born_of(scope.report.tree, name) or message
            raise scope.fail("unknown-name", message, "actuator", missing=name)
        return [name]


def _box(corners: tuple[Point, Point], scope: Scope) -> tuple[Point, Point]:
    """The lower left corner and the upper right one of a box, of which any two are given."""
    (x0, x1), (y0, y1) = (sorted(along) for along in zip(*corners, strict=True))
    if x0 == x1 or y0 == y1:
        message = "the two corners lie across from each other; this box has no area"
        raise scope.fail("out-of-range", message, "region")
    return (x0, y0), (x1, y1)


def _build(
    given: Sequence[EventInput] | None, build_context: BuildContext
) -> tuple[EventRule, ...]:
    """The events, then those of instances."""
    placed: list[EventRule] = [*build_context.placed["events"].values()]
    entries = () if given is BROKEN or given is None else given
    if not entries and not placed and (build_context.is_part or not build_context.foreign):
        return ()
    events = Events(build_context)
    if len(entries) + len(placed) > limits.RULES:
        message = f"more than {limits.RULES} events; that is the limit"
        build_context.report.add(("events",), "limit", message)
        raise Stop
    made: list[EventRule] = []
    for i, entry in enumerate(entries):
        if entry is BROKEN:
            continue
        scope = build_context.scope("events", i)
        none: list[EventRule] = []
        made += scope.attempt(events.build, none, entry, scope)
    if build_context.is_part:
        return (*made, *placed)
    events.check_foreign()
    # Their paths in the written scene.
    first = len(entries)
    for i, rule in enumerate(placed, start=first):
        made.append(replace(with_paths(rule, rule.path, f"events[{i}]"), origin=rule.path))
    return tuple(made)


def _hashed(rule: EventRule) -> str:
    """The part of an event in the hash of a scene, newer fields only if set."""
    pair = "pair" if rule.per_pair else ""
    words: list[tuple[str, object]] = [("if", rule.guard), ("unless", rule.unless)]
    words += [("cooldown", rule.cooldown), ("per", pair)]
    return repr(rule) + "".join(f" {word} {source}" for word, source in words if source)


EVENTS = BlockSpec(
    list[EventInput] | None,
    _build,
    write=lambda scene: [written_event(rule, scene.units) for rule in scene.events],
    hash_pieces=lambda scene: (_hashed(rule).encode() for rule in scene.events),
)
