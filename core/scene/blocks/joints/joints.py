# SPDX-License-Identifier: MIT
"""Builds the joints: references, anchors in body coordinates, lengths, breaking limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.generators import Turns
from ...building.scope import Scope
from ...building.templates import Builder, Shared, number_of_values
from ...model import WORLD, Body, Joint, Point, Spring
from ...text.problems import find
from ...values.broken import BROKEN, Stop, is_read
from ...values.fields import of_types
from ...values.foreign_words import meanings_of
from ...values.kinds import listed
from ...values.names import missing_body
from ..bodies.bodies import unknown_body
from ..places import to_local, turned_back, unit_vector
from .anchors import common_point, each_point, is_named, world_point
from .breaks import build_break
from .links import build_link
from .motion import Range, build_limits, build_motor, build_spring
from .types import HINGES, JOINT_TYPES, JointFields, JointInput
from .writing import hashed_joint, write_joint

# The fields that only some types of joints have.
_ONLY = of_types(JointFields)
_NOBODY = (unknown_body(BROKEN), unknown_body(BROKEN))
_RANGE = ("limits", "limit_spring", "min_length", "max_length", "rope")
_PLAIN = ("max_force", "stiff", "collide", "visible")
_SETTINGS = ("limits", "motor", "spring", *_PLAIN)


class JointBuilder(Builder[JointInput, Joint]):
    """Makes joints from templates; one for a whole scene, since its limits are common."""

    what, many, most = "joint", "joints", limits.JOINTS

    def __init__(
        self,
        bodies: Mapping[str, Body],
        defaults: JointFields | None,
        turns: Turns,
        own: Mapping[str, JointInput],
    ) -> None:
        super().__init__(turns, own)
        self.bodies = bodies
        self.defaults = defaults
        self.inherited = number_of_values(defaults)

    def plan(self, template: JointInput, scope: Scope) -> JointPlan:
        return JointPlan(self, template, scope)

    def unknown(self, name: str) -> Joint:
        return BROKEN  # type: ignore[no-any-return]

    def other(self, name: str) -> str:
        return "body" if name in self.bodies else ""


class JointPlan(Shared):
    """One template of joints; its parts that do not vary are made by the first turn."""

    def __init__(self, builder: JointBuilder, template: JointInput, scope: Scope) -> None:
        self.builder = builder
        self.template = template
        super().__init__(scope)
        self.kind: Any = BROKEN
        self.spec: Any = BROKEN  # a JointSpec
        self.settled: dict[str, Any] | None = None  # what is the same in all turns

    def build(self, name: str, scope: Scope) -> Joint:
        """The joint of one turn, BROKEN after a problem."""
        self.scope = scope
        self.kind = self.once("type", (), self._kind, BROKEN)
        self.spec = BROKEN if self.kind is BROKEN else JOINT_TYPES[self.kind]
        try:
            return self._build(name)
        except Stop:
            scope.failed = True
            return BROKEN  # type: ignore[no-any-return]

    def get(self, field: str) -> Any:
        """A field of the template, else of ``defaults.joint`` where this type has it."""
        value = getattr(self.template, field)
        if value is None and self.builder.defaults is not None:
            kinds = _ONLY.get(field)
            if kinds is None or self.kind is BROKEN or self.kind in kinds:
                value = getattr(self.builder.defaults, field)
        return value

    def resolved(self, field: str) -> Any:
        return self.scope.resolve(self.get(field), field)

    def _kind(self) -> Any:
        kind = self.template.type
        if kind is None and self.builder.defaults is not None:
            kind = self.builder.defaults.type
        if kind is None and self.scope.report.may_mean(self.scope.path, str):
            raise Stop
        if kind is None:
            raise self.scope.fail(
                "missing-key",
                f"`type` is missing; a joint is one of {', '.join(JOINT_TYPES)}",
            )
        return kind

    def _check_fields(self) -> None:
        """Report the fields that this type of joint does not have."""
        kind, spec, scope = self.kind, self.spec, self.scope
        alone = is_read(self.template.body) and not is_read(self.get("bodies"))
        if kind is BROKEN:
            meant = meanings_of(str(find(scope.report.tree, (*scope.path, "type"))))
            if alone and any(each in JOINT_TYPES and each != "mouse" for each in meant):
                scope.fail("conflicting-keys", self._needs_bodies(meant[0]), "body")
            return
        for field, kinds in _ONLY.items():
            if is_read(getattr(self.template, field)) and kind not in kinds:
                hint = ""
                if field == "max_force" and spec.motor:
                    most = "max_torque" if spec.turns else "max_force"
                    hint = f"; the motor has its own, `motor: {{{most}: ...}}`"
                if field == "limits" and spec.has("min_length"):
                    hint = "; its own are `min_length` and `max_length`"
                if spec.links and field in ("bodies", "anchor", "anchors"):
                    hint = "; it connects the bodies of its two `joints`, at their anchors"
                message = (
                    f"`{field}` does not belong to a {kind} joint, but to {listed(kinds)}{hint}"
                )
                if field == "body" and alone and not spec.links:
                    message = self._needs_bodies(kind)
                scope.fail("conflicting-keys", message, field)

    def _needs_bodies(self, kind: str) -> str:
        """The sentence for a joint with one `body`, of a type that is between two."""
        article = "an" if kind[0] in "aeiou" else "a"
        body = find(self.scope.report.tree, (*self.scope.path, "body"))
        right = f"bodies: [world, {body}]" if isinstance(body, str) else "bodies: [world, b]"
        return (
            f"{article} {kind} joint is between two bodies, of which one may be the world; write "
            f"`{right}`"
        )

    def _build(self, name: str) -> Joint:
        """The joint; Stop after all its problems are reported."""
        scope = self.scope
        if self.kind is BROKEN:
            # Fields that do not depend on it are checked all the same.
            scope.check_values(self.template)
        self.once("fields", (), self._check_fields, None)
        if self.kind is not BROKEN and self.spec.links:
            return self._build_link(name)
        pair = scope.attempt(self._pair, _NOBODY)
        anchors = scope.attempt(self._anchors, (BROKEN, BROKEN), *pair)
        axis = scope.attempt(lambda: self._axis(pair[0]), None)
        range_ = self.once("limits", _RANGE, self._limits, BROKEN)
        lengths: dict[str, Any] = {}
        if self.kind is not BROKEN and self.spec.build:
            lengths = scope.attempt(self.spec.build, BROKEN, scope, self.get, pair, anchors)
        settings = self.settled or self._settings(pair, range_, lengths)
        scope.stop_if_failed()
        if self.settled is None and self._are_settled():
            self.settled = settings
        a, b = pair
        return Joint(
            name=name,
            body_a=a.name,
            body_b=b.name,
            anchor_a=anchors[0],
            anchor_b=anchors[1],
            reference_angle=b.angle - a.angle,
            axis=(1.0, 0.0) if axis is None else axis,
            **lengths,
            **settings,
        )

    def _build_link(self, name: str) -> Joint:
        """Build a joint that couples two others."""
        scope, builder = self.scope, self.builder
        made = scope.attempt(
            build_link,
            BROKEN,
            *(scope, self.spec, HINGES, self.get, builder.made, builder.bodies),
        )
        if made is BROKEN:
            raise Stop
        a, b = (builder.bodies.get(made[end], WORLD) for end in ("body_a", "body_b"))
        settings = self._settings((a, b), Range(), {})
        return Joint(name=name, reference_angle=b.angle - a.angle, **made, **settings)

    def _settings(
        self, pair: tuple[Body, Body], range_: Range, lengths: dict[str, Any]
    ) -> dict[str, Any]:
        """Fields other than the bodies and anchors of the joint."""
        scope = self.scope
        breaks: dict[str, Any] = self._break_of(pair)
        motor = self.once(
            "motor",
            ("motor", *_RANGE),
            lambda: build_motor(scope, self.spec, self.get("motor"), range_, lengths),
            None,
        )
        make = partial(build_spring, scope, self.spec, self.get("spring"), ("spring",))
        spring = self.once("spring", ("spring",), make, None)
        most, stiff, collide, visible = (
            self.once(field, (field,), partial(self.resolved, field), None) for field in _PLAIN
        )
        own: dict[str, float] = {}
        if self.spec.columns:
            own = self.once("own", tuple(self.spec.columns), self._own, own)
        self._check_spring(spring)
        scope.stop_if_failed()
        if self.spec.force_of_spring and spring is None:
            most = None  # a default one is for those that have springs
        return {
            "kind": self.kind,
            "limits": range_.values,
            "limit_spring": range_.spring,
            "max_force": math.inf if most is None else most,
            "motor": motor,
            "spring": spring,
            "stiff": bool(stiff),
            "collide": bool(collide),
            "visible": True if visible is None else visible,
            "own": own,
            **breaks,
        }

    def _own(self) -> dict[str, float]:
        """The numbers that only joints of this type have."""
        given = {name: self.resolved(name) for name in self.spec.columns}
        return {name: value for name, value in given.items() if value is not None}

    def _check_spring(self, spring: Spring | None) -> None:
        """Report fields of a spring without one, and softness of a stiff mouse."""
        template, scope = self.template, self.scope
        if self.spec.force_of_spring and is_read(template.max_force) and self.get("spring") is None:
            scope.fail(
                "conflicting-keys",
                f"`max_force` of a {self.kind} is the largest of its `spring`, and there is none",
                "max_force",
            )
        if is_read(template.stiff) and template.stiff and is_read(template.spring):
            scope.fail("conflicting-keys", "a `stiff` mouse has no `spring`; keep one", "spring")

    def _are_settled(self) -> bool:
        """Whether the settings of this turn hold for all turns."""
        return self.keeps(*_SETTINGS, *self.spec.columns) and (
            self.get("break_") is None or self.keeps("break")
        )

    def _limits(self) -> Range:
        soft = self.get("limit_spring")
        if self.spec.has("min_length"):
            lengths = self.get("min_length"), self.get("max_length")
            if soft is not None and lengths == (None, None) and not self.resolved("rope"):
                raise self.scope.fail(
                    "conflicting-keys",
                    "`limit_spring` goes with `rope`, `min_length` or `max_length`",
                    "limit_spring",
                )
            return Range(None, build_spring(self.scope, self.spec, soft, ("limit_spring",)))
        given = self.get("limits")
        if self.template.limits is None:
            # A default spring of limits is for those joints that have limits.
            soft = soft if given is not None else self.template.limit_spring
        return build_limits(self.scope, self.spec, given, soft, "limit_spring")

    def _axis(self, a: Body) -> Point | None:
        """The axis in a's coordinates; it is given in the world's, or beside `anchors` in a's."""
        if self.spec.axis is None:
            return None
        axis = self.resolved("axis")
        unit = unit_vector(self.spec.axis if axis is None else axis)
        if unit is None:
            raise self.scope.fail("out-of-range", "an axis needs a direction, not [0, 0]", "axis")
        return unit if self._given_anchors()[1] is not None else turned_back(a, unit)

    def _break_of(self, pair: tuple[Body, Body]) -> dict[str, Any]:
        """The breaking limits of the joint; `push_pull` depends on the bodies."""
        given = self.get("break_")
        own = self.template.break_ is not None
        make = partial(build_break, self.scope, self.spec, given, own, pair)
        if given is None or given is BROKEN or given.push_pull is not None:
            return self.scope.attempt(make, {})
        return self.once("break", ("break_",), make, {})

    def _pair(self) -> tuple[Body, Body]:
        names = self._names()
        if names is None and self.scope.report.may_mean(self.scope.path, list):
            raise Stop
        if names is None and self.kind is BROKEN and is_read(self.template.joints):
            raise Stop
        if names is None and is_read(self.template.body) and not self.spec.has("body"):
            raise Stop  # which `body` is the problem of
        if names is None:
            raise self.scope.fail(
                "missing-key", "`bodies` is missing; a joint is between two: `bodies: [a, b]`"
            )
        first, second = names
        bodies, attempt = self.builder.bodies, self.scope.attempt
        a = bodies.get(first) or attempt(self._body, BROKEN, first, 0)
        b = bodies.get(second) or attempt(self._body, BROKEN, second, 1)
        if a is BROKEN or b is BROKEN:
            raise Stop
        if a.name == b.name:
            raise self.scope.fail(
                "impossible-motion",
                f"a joint needs two different bodies, not `{a.name}` twice",
                "bodies",
            )
        if a.kind != "dynamic" and b.kind != "dynamic":
            raise self.scope.fail(
                "impossible-motion",
                f"a joint between `{a.name}` ({a.kind}) and `{b.name}` ({b.kind}) can move "
                "nothing; at least one of the two bodies must be dynamic",
                "body" if self.spec.has("body") and self.get("bodies") is None else "bodies",
            )
        return a, b

    def _names(self) -> Any:
        """The names of the two bodies; a mouse names one, `body`."""
        given = self.get("bodies")
        names = given if given is None else self.scope.parts(given, "bodies")
        body = self.template.body
        if self.kind is BROKEN and (names is not None or body is None):
            return names
        if self.kind is BROKEN:
            return "world", self.scope.known(body, "body")
        if not self.spec.has("body"):
            return names
        body = self.get("body")
        body = body if body is None else self.scope.known(body, "body")
        if body is None and names is None:
            if self.scope.report.may_mean(self.scope.path, str, list):
                raise Stop
            raise self.scope.fail(
                "missing-key", "`body` is missing; a mouse pulls a body: `body: crate`"
            )
        if is_read(body) and is_read(self.template.bodies):
            raise self.scope.fail(
                "conflicting-keys", "`body` and `bodies` are both given; keep `body`", "bodies"
            )
        if body is not None:
            return ("world", body)
        if names is not None and names[0] != "world":
            raise self.scope.fail(
                "impossible-motion",
                "a mouse pulls from the world: `bodies: [world, crate]`",
                "bodies",
            )
        return names

    def _missing(self, name: str) -> str:
        return missing_body(name, self.builder.bodies, self.scope.report.tree)

    def _body(self, name: str, i: int) -> Body:
        if name == "world":
            return WORLD
        body = self.builder.bodies.get(name)
        if body is None and self.scope.report.may_have("bodies", name):
            raise Stop
        if body is None:
            at = ("body",) if self.get("bodies") is None else ("bodies", i)
            raise self.scope.fail("unknown-name", self._missing(name), *at, missing=name)
        return body

    def _given_anchors(self) -> tuple[Any, Any]:
        """`anchor` and `anchors`, the joint's own or else the defaults'."""
        anchor, anchors = self.template.anchor, self.template.anchors
        if anchors is None and anchor is None and self.builder.defaults is not None:
            anchor, anchors = self.builder.defaults.anchor, self.builder.defaults.anchors
        return anchor, anchors

    def _anchors(self, a: Body, b: Body) -> tuple[Point, Point]:
        scope = self.scope
        if is_read(self.template.anchor) and is_read(self.template.anchors):
            raise scope.fail(
                "conflicting-keys", "`anchor` and `anchors` are both given; keep one", "anchors"
            )
        anchor, anchors = self._given_anchors()
        if self.spec.anchors == "target":
            return self._mouse(b, anchor, anchors)
        if anchors is not None:
            return each_point(scope, anchors, (a, b))
        if anchor is None:
            # Without an anchor a distance joint is between the origins, others are at b's origin.
            if self.spec.anchors == "ends":
                return (0.0, 0.0), (0.0, 0.0)
            at = b.position if b is not WORLD else a.position
            return to_local(a, at), to_local(b, at)
        if not (self.spec.anchors == "ends" and self.spec.has("anchor")):
            return common_point(scope, anchor, (a, b))
        if WORLD in (a, b) and not is_named(anchor):
            at = scope.resolve(anchor, "anchor")
            return (at, (0.0, 0.0)) if a is WORLD else ((0.0, 0.0), at)
        if WORLD in (a, b):
            message = (
                "`anchor` of a distance joint is its point of the world; a point of the body is "
                "one of its `anchors`"
            )
            raise scope.fail("conflicting-keys", message, "anchor")
        raise scope.fail(
            "missing-key",
            "a distance joint between two bodies has a point on each: write "
            "`anchors: [[x, y], [x, y]]`, each in its own body's coordinates or by its name",
            "anchor",
        )

    def _mouse(self, b: Body, anchor: Any, anchors: Any) -> tuple[Point, Point]:
        """The target in the world, at first where the body is held, and the point of the body."""
        scope = self.scope
        target = self.resolved("target")
        if anchors is not None:
            if is_read(self.template.target):
                raise scope.fail(
                    "conflicting-keys",
                    "the first of a mouse's `anchors` is its target; leave out `target`",
                    "target",
                )
            return each_point(scope, anchors, (WORLD, b))
        at = b.position if anchor is None else world_point(scope, anchor, (WORLD, b))
        return (at if target is None else target), to_local(b, at)


def links_last(
    entries: Mapping[str, JointInput], defaults: JointFields | None
) -> list[tuple[str, JointInput]]:
    """The entries of a section, with joints that couple others last."""

    def links(entry: tuple[str, JointInput]) -> bool:
        template: Any = entry[1]
        kind = BROKEN if template is BROKEN else template.type
        if kind is None and is_read(defaults):
            kind = defaults.type  # type: ignore[union-attr]
        return is_read(kind) and JOINT_TYPES[kind].links is not None

    return sorted(entries.items(), key=links)


def _build_joints(
    given: Mapping[str, JointInput] | None, build_context: BuildContext
) -> Mapping[str, Joint]:
    defaults = build_context.made["defaults"]
    own = build_context.own_entries("joints", JointInput)
    of_joints = defaults.joint if defaults else None
    builder = JointBuilder(build_context.made["bodies"], of_joints, build_context.turns, own)
    builder.made.update(build_context.placed["joints"])
    for name, joint in links_last(given or {}, of_joints):
        builder.add(name, joint, build_context.scope("joints", name))
    return builder.made


JOINTS = BlockSpec(
    dict[str, JointInput] | None,
    _build_joints,
    write=lambda scene: {name: write_joint(joint, scene) for name, joint in scene.joints.items()},
    hash_pieces=lambda scene: (hashed_joint(joint).encode() for joint in scene.joints.values()),
)
