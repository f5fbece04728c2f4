# SPDX-License-Identifier: MIT
"""Builds the actuators: targets, forces, times."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.generators import Turns
from ...building.scope import Scope, deferred
from ...building.templates import Builder
from ...building.writing import differences
from ...model import Actuator, Body, Joint, Point, Scene
from ...values.broken import BROKEN, Stop, Unclear, is_read
from ...values.fields import of_types
from ...values.kinds import nearest
from ...values.names import missing_body, wholes
from ..places import unit_vector
from ..script.spawns import born_tags
from .force_fields import build_field, build_potential
from .models import KINDS, ActuatorInput

# The fields that only some types of actuators have.
_ONLY = of_types(ActuatorInput)
# The keys of each type; an actuator has at least one of them.
_NEEDS: dict[str, tuple[str, ...]] = {
    "thruster": ("force", "torque"),
    "rotary_motor": ("speed", "torque"),
    "axial_friction": ("friction", "max_force"),
    "force": ("force",),
    "torque": ("torque",),
    "impulse": ("impulse", "angular_impulse"),
    "field": ("field",),
}


# The fields of all types, with their default values.
_VALUES: dict[str, Any] = {
    "at": None,
    "force": (0.0, 0.0),
    "torque": 0.0,
    "impulse": (0.0, 0.0),
    "angular_impulse": 0.0,
    "speed": None,
    "max_torque": math.inf,
    "brake": True,
    "friction": None,
    "max_force": math.inf,
    "enabled": True,
    "visible": True,
}


class ActuatorBuilder(Builder[ActuatorInput, Actuator]):
    """Makes actuators from templates; one for a whole scene, since its limits are common."""

    what, many, most = "actuator", "actuators", limits.ACTUATORS

    def __init__(
        self,
        bodies: Mapping[str, Body],
        joints: Mapping[str, Joint],
        turns: Turns,
        own: Mapping[str, ActuatorInput],
        groups: Mapping[str, Sequence[str]],
        born_tags: Callable[[], Mapping[str, None]] = dict,
    ) -> None:
        super().__init__(turns, own)
        self.born_tags = born_tags
        self.bodies = bodies
        self.joints = joints
        self.pushed = 0  # pairs of an actuator and a body
        self.groups: dict[str, Sequence[str]] = {**wholes(bodies), **groups}
        self.tagged: dict[str, list[str]] = {}  # the bodies that have a tag
        self.all_tags = True  # are known
        for name, body in bodies.items():
            if body.tags is BROKEN:
                self.all_tags = False
                continue
            for tag in body.tags:
                self.tagged.setdefault(tag, []).append(name)
        for name, members in groups.items():
            self.tagged[name] = list(dict.fromkeys([*self.tagged.get(name, ()), *members]))

    def plan(self, template: ActuatorInput, scope: Scope) -> ActuatorPlan:
        return ActuatorPlan(self, template, scope)

    def unknown(self, name: str) -> Actuator:
        return BROKEN  # type: ignore[no-any-return]

    def other(self, name: str) -> str:
        return "body" if name in self.bodies else "joint" if name in self.joints else ""


class ActuatorPlan:
    """One template of actuators; its values that do not vary are looked up once."""

    def __init__(self, builder: ActuatorBuilder, template: ActuatorInput, scope: Scope) -> None:
        self.builder = builder
        self.template = template
        self.scope = scope  # of the turn
        self.plain: dict[str, Any] = {}
        for field in (*_VALUES, "start", "until", "direction"):
            value = getattr(template, field)
            if value is not BROKEN and not deferred(value):
                self.plain[field] = value
        self.kind: Any = None  # once it is known that the template's fields fit it

    def build(self, name: str, scope: Scope) -> Actuator:
        """The actuator of one turn, BROKEN after a problem."""
        self.scope = scope
        try:
            return self._build(name)
        except Stop:
            scope.failed = True
            return BROKEN  # type: ignore[no-any-return]

    def get(self, field: str, default: Any) -> Any:
        """A field's value; BROKEN after a problem, which is reported."""
        if field in self.plain:
            value = self.plain[field]
        else:
            value = self.scope.known(getattr(self.template, field), field)
        return default if value is None else value

    def _build(self, name: str) -> Actuator:
        """The actuator; Stop after all its problems are reported."""
        scope, kind = self.scope, self.kind
        if kind is None:
            kind = scope.attempt(self._kind, BROKEN)
            scope.attempt(self._check_fields, None, kind)
            self.kind = None if scope.failed else kind
        bodies = scope.attempt(self._bodies, BROKEN)
        direction = scope.attempt(self._direction, BROKEN)
        start, until = self.get("start", 0.0), self.get("until", math.inf)
        scope.attempt(self._check_times, None, start, until)
        values = {field: self.get(field, default) for field, default in _VALUES.items()}
        field = self.template.field
        if is_read(field):
            field = scope.attempt(build_field, BROKEN, scope, field)
        potential = self.template.potential
        if is_read(potential):
            potential = scope.attempt(build_potential, BROKEN, scope, potential)
        scope.stop_if_failed()
        impulse = kind == "impulse"
        at = values["at"]
        return Actuator(
            name=name,
            kind=kind,
            bodies=bodies,
            at=(0.0, 0.0) if at is None and kind == "axial_friction" else at,
            force=values["impulse" if impulse else "force"],
            torque=values["angular_impulse" if impulse else "torque"],
            speed=values["speed"],
            max_torque=values["max_torque"],
            brake=values["brake"],
            direction=direction,
            friction=values["friction"],
            max_force=values["max_force"],
            enabled=values["enabled"],
            start=start,
            until=until,
            visible=values["visible"],
            expressions=field,
            potential=potential,
            tags=tuple(self.template.tags or ()),
        )

    def _direction(self) -> Point:
        direction = unit_vector(self.get("direction", (1.0, 0.0)))
        if direction is None:
            raise self.scope.fail("out-of-range", "needs a direction, not [0, 0]", "direction")
        return direction

    def _check_times(self, start: float, until: float) -> None:
        if until <= start:
            raise self.scope.fail("out-of-range", "`until` must be after `start`", "until")

    def _kind(self) -> Any:
        kind = self.template.type
        if kind is None and self.scope.report.may_mean(self.scope.path, str):
            raise Stop
        if kind is None:
            raise self.scope.fail(
                "missing-key", f"`type` is missing; an actuator is one of {', '.join(KINDS)}"
            )
        return kind

    def _check_fields(self, kind: str) -> None:
        """Report the fields that this type does not have, and those that it lacks."""
        scope = self.scope
        for field, kinds in _ONLY.items():
            if is_read(getattr(self.template, field)) and kind not in kinds:
                scope.fail(
                    "conflicting-keys",
                    f"`{field}` does not belong to the actuator {kind}, but to {', '.join(kinds)}",
                    field,
                )
        needs = _NEEDS[kind]
        given = [field for field in needs if getattr(self.template, field) is not None]
        if not given and not scope.report.may_mean(scope.path, object):
            scope.fail(
                "missing-key",
                f"the actuator {kind} needs {' or '.join(f'`{field}`' for field in needs)}",
            )
        alone = kind in ("rotary_motor", "axial_friction")
        if alone and all(is_read(getattr(self.template, field)) for field in needs):
            scope.fail(
                "conflicting-keys",
                f"`{given[0]}` and `{given[1]}` are both given; keep one",
                given[1],
            )
        if "torque" in given and is_read(self.template.max_torque):
            scope.fail("conflicting-keys", "`max_torque` goes with `speed`", "max_torque")
        if "torque" in given and is_read(self.template.brake):
            scope.fail("conflicting-keys", "`brake` goes with `speed`", "brake")

    # ------------------------------------------------------------ whom it acts on

    def _bodies(self) -> tuple[str, ...]:
        template, scope = self.template, self.scope
        fields = [f for f in ("body", "bodies", "tags") if getattr(template, f) is not None]
        if not fields and scope.report.may_mean(scope.path, str, list):
            raise Stop
        if not fields:
            raise scope.fail("missing-key", "whom does it push? Give `body`, `bodies` or `tags`")
        read = [field for field in fields if is_read(getattr(template, field))]
        if len(read) > 1:
            raise scope.fail(
                "conflicting-keys",
                f"`{fields[0]}` and `{fields[1]}` are both given; keep one",
                fields[1],
            )
        found: dict[str, None] = {}
        none: Sequence[str] = ()
        if template.tags is not None:
            for i, tag in enumerate(template.tags):
                group = scope.attempt(self._with_tag, none, tag, i)
                found.update(dict.fromkeys(group))
        elif template.body is not None:
            found.update(dict.fromkeys(self._named(scope.resolve(template.body, "body"), "body")))
        else:
            for i, name in enumerate(scope.parts(template.bodies, "bodies")):
                group = scope.attempt(self._named, none, name, "bodies", i)
                found.update(dict.fromkeys(group))
        self.builder.pushed += len(found)
        if self.builder.pushed > limits.ACTUATORS:
            raise scope.fail(
                "limit",
                f"the actuators of this scene act on more than {limits.ACTUATORS} bodies in all; "
                "that is the limit",
            )
        return tuple(found)

    def _named(self, name: str, *at: int | str) -> Sequence[str]:
        """The body of a name, or all that a generator of that name made."""
        bodies, scope = self.builder.bodies, self.scope
        group = [name] if name in bodies else self.builder.groups.get(name)
        if group is None and scope.report.may_have("bodies", name):
            raise Stop
        if name == "world":
            raise scope.fail(
                "impossible-motion", "`world` is the frame; forces move dynamic bodies only", *at
            )
        if group is None:
            message = missing_body(name, bodies, scope.report.tree)
            raise scope.fail("unknown-name", message, *at, missing=name)
        return group

    def _with_tag(self, tag: str, i: int) -> list[str]:
        bodies, tagged, scope = self.builder.bodies, self.builder.tagged, self.scope
        group = [name for name in tagged.get(tag, ()) if bodies[name].kind == "dynamic"]
        if group:
            return group
        if not (self.builder.all_tags and scope.report.is_whole("bodies")):
            raise Stop
        born = self.builder.born_tags()
        if tag in born:
            return []
        if isinstance(born, Unclear):
            raise Stop
        if tag in tagged:
            raise scope.fail(
                "impossible-motion", f"no body with the tag `{tag}` is dynamic", "tags", i
            )
        raise scope.fail(
            "unknown-name",
            f"no body has the tag `{tag}`; {nearest(tag, [*tagged, *born], what='tags')}",
            "tags",
            i,
            missing=f"tag {tag}",
        )


_ACTUATOR_FIELDS = (
    "at",
    "force",
    "torque",
    "speed",
    "max_torque",
    "brake",
    "direction",
    "friction",
    "max_force",
    "enabled",
    "start",
    "until",
    "visible",
)


_NEEDED = {"thruster": "force", "force": "force", "torque": "torque", "impulse": "impulse"}


def _actuator(actuator: Actuator) -> dict[str, Any]:
    kind = actuator.kind
    fields = differences(actuator, Actuator("", kind, ()), _ACTUATOR_FIELDS)
    if kind == "impulse":
        names = {"force": "impulse", "torque": "angular_impulse"}
        fields = {names.get(name, name): value for name, value in fields.items()}
    if kind == "rotary_motor" and actuator.speed is None:
        fields["torque"] = actuator.torque
    if kind == "axial_friction" and actuator.friction is None:
        fields["max_force"] = actuator.max_force
    needed = _NEEDED.get(kind)
    if needed is not None and needed not in fields:
        fields[needed] = actuator.torque if needed == "torque" else actuator.force
    if actuator.expressions is not None:
        fields["field"] = [f"={text}" for text in actuator.expressions]
    if actuator.potential is not None:
        fields["potential"] = f"={actuator.potential}"
    if actuator.tags:
        return {"type": kind, "tags": actuator.tags, **fields}
    return {"type": kind, "bodies": actuator.bodies, **fields}


def _hash_pieces(scene: Scene) -> Iterator[bytes]:
    for actuator in scene.actuators.values():
        seen = actuator if actuator.visible else replace(actuator, visible=True)
        yield repr(seen).encode()
        if not actuator.brake:
            yield b"never brakes"
        if actuator.expressions is not None:
            yield repr(actuator.expressions).encode()
        if actuator.potential is not None:
            yield repr(actuator.potential).encode()
        if actuator.tags and scene.reacts:
            yield repr(actuator.tags).encode()


def _build_actuators(
    given: Mapping[str, ActuatorInput] | None, build_context: BuildContext
) -> Mapping[str, Actuator]:
    own = build_context.own_entries("actuators", ActuatorInput)
    placed = build_context.placed["actuators"]
    if not given:
        return placed
    made, groups = build_context.made, build_context.made.get("groups", {})
    born: Callable[[], Mapping[str, None]] = (
        dict if build_context.is_part else partial(born_tags, build_context)
    )
    builder = ActuatorBuilder(
        made["bodies"], made["joints"], build_context.turns, own, groups, born
    )
    builder.made.update(placed)
    builder.pushed = sum(1 if each is BROKEN else len(each.bodies) for each in placed.values())
    for name, actuator in given.items():
        builder.add(name, actuator, build_context.scope("actuators", name))
    return builder.made


ACTUATORS = BlockSpec(
    dict[str, ActuatorInput] | None,
    _build_actuators,
    write=lambda scene: {name: _actuator(each) for name, each in scene.actuators.items()},
    hash_pieces=_hash_pieces,
)
