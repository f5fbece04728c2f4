"""Builds the joints: references, anchors in body coordinates, lengths, what breaks them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from . import limits
from .bars import SLENDER, find_bar
from .generators import Turns, bounded, name_problem, unroll
from .joint_models import JointFields, JointInput
from .joint_motion import TURNING, Range, build_limits, build_motor, build_spring
from .kinds import nearest
from .model import Body, Joint, Point
from .places import to_local, to_world, turned_back, unit_vector
from .portable_math import hypot
from .scope import Scope, Stop

WORLD = Body(name="world", kind="static")

# The fields that only some types of joints have.
_ONLY: dict[str, tuple[str, ...]] = {
    "axis": ("prismatic", "wheel"),
    "limits": ("revolute", "prismatic", "wheel"),
    "limit_spring": ("revolute", "distance", "prismatic", "wheel"),
    "motor": ("revolute", "distance", "prismatic", "wheel"),
    "length": ("distance",),
    "min_length": ("distance",),
    "max_length": ("distance",),
    "rope": ("distance",),
    "body": ("mouse",),
    "target": ("mouse",),
    "max_force": ("mouse",),
}
_TORQUELESS = ("distance", "mouse")
_AXES: dict[str, Point] = {"prismatic": (1.0, 0.0), "wheel": (0.0, 1.0)}


class JointBuilder:
    """Makes joints from templates; one for a whole scene, since its limits are common."""

    def __init__(
        self,
        bodies: dict[str, Body],
        defaults: JointFields | None,
        turns: Turns,
        own: Mapping[str, JointInput],
    ) -> None:
        self.bodies = bodies
        self.defaults = defaults
        self.turns = turns
        self.own = own  # joints that an override made different from their generator's others
        self.joints: dict[str, Joint] = {}

    def add(self, name: str, template: JointInput, scope: Scope) -> None:
        """The joints of one entry of ``joints``; problems go to the report."""
        problem = name_problem(name, "joint")
        if not problem and (name in self.bodies):
            problem = f"there is a body `{name}` too; a joint needs a name of its own"
        if problem:
            scope.report.add_key(scope.path, problem)
            scope.report.broken.add(scope.path)
            return
        try:
            entries = bounded(
                unroll(template, name, scope, self.turns),
                limits.JOINTS - len(self.joints),
                scope,
                f"the scene has more than {limits.JOINTS} joints; that is the limit",
            )
            for full, inner in entries:
                if full in self.joints or full in self.bodies:
                    raise scope.fail(f"there are two things with the name `{full}`")
                if full in self.own:
                    self.joints[full] = _One(self, self.own[full], inner.at("joints", full)).build(
                        full
                    )
                else:
                    self.joints[full] = _One(self, template, inner).build(full)
        except Stop:
            return


class _One:
    """One joint of a template."""

    def __init__(self, builder: JointBuilder, template: JointInput, scope: Scope) -> None:
        self.builder = builder
        self.template = template
        self.scope = scope
        self.kind = self._kind()

    def get(self, field: str) -> Any:
        """A field of the template, else of ``defaults.joint`` where this type has it."""
        value = getattr(self.template, field)
        if value is None and self.builder.defaults is not None:
            kinds = _ONLY.get(field)
            if kinds is None or self.kind in kinds:
                value = getattr(self.builder.defaults, field)
        return value

    def resolved(self, field: str) -> Any:
        return self.scope.resolve(self.get(field), field)

    def _kind(self) -> Any:
        kind = self.template.type
        if kind is None and self.builder.defaults is not None:
            kind = self.builder.defaults.type
        if kind is None and self.scope.report.has_unknown(self.scope.path):
            raise Stop
        if kind is None:
            raise self.scope.fail(
                "`type` is missing; a joint is one of revolute, distance, weld, prismatic, wheel, "
                "mouse"
            )
        return kind

    def _check_fields(self) -> None:
        """Report the fields that this type of joint does not have."""
        kind, scope = self.kind, self.scope
        for field, kinds in _ONLY.items():
            if getattr(self.template, field) is not None and kind not in kinds:
                hint = ""
                if field == "max_force" and kind in _ONLY["motor"]:
                    most = "max_torque" if kind in TURNING else "max_force"
                    hint = f"; the motor has its own, `motor: {{{most}: ...}}`"
                if field == "limits" and kind == "distance":
                    hint = "; its own are `min_length` and `max_length`"
                scope.fail(
                    f"`{field}` does not belong to a {kind} joint, but to {_listed(kinds)}{hint}",
                    field,
                )
                scope.failed = True

    def build(self, name: str) -> Joint:
        """The joint; Stop after all its problems are reported."""
        scope = self.scope
        self._check_fields()
        pair = scope.attempt(self._pair, None)
        anchors = None if pair is None else scope.attempt(lambda: self._anchors(*pair), None)
        axis = None if pair is None else scope.attempt(lambda: self._axis(pair[0]), None)
        range_ = scope.attempt(self._limits, Range())
        lengths: dict[str, Any] = {}
        if self.kind == "distance" and pair is not None and anchors is not None:
            lengths = scope.attempt(lambda: self._lengths(*pair, *anchors), {})
        breaks: dict[str, Any] = scope.attempt(lambda: self._break(pair), {})
        given = self.get("motor")
        motor = scope.attempt(lambda: build_motor(scope, self.kind, given, range_, lengths), None)
        spring = scope.attempt(
            lambda: build_spring(scope, self.kind, self.get("spring"), ("spring",)), None
        )
        most = scope.attempt(lambda: self.resolved("max_force"), None)
        collide = scope.attempt(lambda: bool(self.resolved("collide")), False)
        visible = scope.attempt(lambda: self.resolved("visible"), True)
        scope.stop_if_failed()
        if pair is None or anchors is None:
            raise Stop
        a, b = pair
        return Joint(
            name=name,
            kind=self.kind,
            body_a=a.name,
            body_b=b.name,
            anchor_a=anchors[0],
            anchor_b=anchors[1],
            reference_angle=b.angle - a.angle,
            axis=(1.0, 0.0) if axis is None else axis,
            limits=range_.values,
            limit_spring=range_.spring,
            max_force=math.inf if most is None else most,
            motor=motor,
            spring=spring,
            collide=collide,
            visible=True if visible is None else visible,
            **lengths,
            **breaks,
        )

    def _limits(self) -> Range:
        soft = self.get("limit_spring")
        if self.kind == "distance":
            lengths = self.get("min_length"), self.get("max_length")
            if soft is not None and lengths == (None, None) and not self.resolved("rope"):
                raise self.scope.fail(
                    "`limit_spring` goes with `rope`, `min_length` or `max_length`", "limit_spring"
                )
            return Range(None, build_spring(self.scope, self.kind, soft, ("limit_spring",)))
        given = self.get("limits")
        if self.template.limits is None:
            # A default spring of limits is for those joints that have limits.
            soft = soft if given is not None else self.template.limit_spring
        return build_limits(self.scope, self.kind, given, soft, "limit_spring")

    def _axis(self, a: Body) -> Point | None:
        """The axis in a's coordinates; it is given in the world's, or beside `anchors` in a's."""
        if self.kind not in _AXES:
            return None
        axis = self.resolved("axis")
        unit = unit_vector(_AXES[self.kind] if axis is None else axis)
        if unit is None:
            raise self.scope.fail("an axis needs a direction, not [0, 0]", "axis")
        return unit if self._given_anchors()[1] is not None else turned_back(a, unit)

    def _break(self, pair: tuple[Body, Body] | None) -> dict[str, Any]:
        given, scope = self.get("break_"), self.scope
        if given is None:
            return {}
        names = ("force", "torque", "push_pull")
        limits = {name: scope.resolve(getattr(given, name), "break", name) for name in names}
        if all(value is None for value in limits.values()):
            raise scope.fail("`break` needs a `force`, a `torque` or a `push_pull`", "break")
        own = self.kind in _TORQUELESS and self.template.break_ is not None
        if own and limits["torque"] not in (None, math.inf):
            raise scope.fail(
                f"a {self.kind} joint bears no torque; it breaks by `force`", "break", "torque"
            )
        bars = pair is None or any(find_bar(body) is not None for body in pair)
        if limits["push_pull"] is not None and not bars:
            raise scope.fail(
                "`push_pull` is the force along a bar, and neither body is one: a dynamic body of "
                f"a single shape, at least {SLENDER:g} times as long as wide",
                "break",
                "push_pull",
            )
        return {
            f"break_{name}": math.inf if value is None else value for name, value in limits.items()
        }

    def _pair(self) -> tuple[Body, Body]:
        names = self._names()
        if names is None and self.scope.report.has_unknown(self.scope.path):
            raise Stop
        if names is None:
            raise self.scope.fail("`bodies` is missing; a joint is between two: `bodies: [a, b]`")
        a, b = (self._body(name, i) for i, name in enumerate(names))
        if a.name == b.name:
            raise self.scope.fail(
                f"a joint needs two different bodies, not `{a.name}` twice", "bodies"
            )
        if a.kind != "dynamic" and b.kind != "dynamic":
            raise self.scope.fail(
                f"a joint between `{a.name}` ({a.kind}) and `{b.name}` ({b.kind}) can move "
                "nothing; at least one of the two bodies must be dynamic",
                "body" if self.kind == "mouse" and self.get("bodies") is None else "bodies",
            )
        return a, b

    def _names(self) -> Any:
        """The names of the two bodies; a mouse names one, `body`."""
        names = self.resolved("bodies")
        if self.kind != "mouse":
            return names
        body = self.resolved("body")
        if body is None and names is None:
            if self.scope.report.has_unknown(self.scope.path):
                raise Stop
            raise self.scope.fail("`body` is missing; a mouse pulls a body: `body: crate`")
        if body is not None and self.template.bodies is not None:
            raise self.scope.fail("`body` and `bodies` are both given; keep `body`", "bodies")
        if body is not None:
            return ("world", body)
        if names[0] != "world":
            raise self.scope.fail(
                "a mouse pulls from the world: `bodies: [world, crate]`", "bodies"
            )
        return names

    def _body(self, name: str, i: int) -> Body:
        if name == "world":
            return WORLD
        body = self.builder.bodies.get(name)
        if body is None and self.scope.report.is_broken("bodies", name):
            raise Stop
        if body is None:
            at = ("body",) if self.get("bodies") is None else ("bodies", i)
            raise self.scope.fail(missing_body(name, self.builder.bodies), *at)
        return body

    def _given_anchors(self) -> tuple[Any, Any]:
        """`anchor` and `anchors`, the joint's own or else the defaults'."""
        anchor, anchors = self.template.anchor, self.template.anchors
        if anchors is None and anchor is None and self.builder.defaults is not None:
            anchor, anchors = self.builder.defaults.anchor, self.builder.defaults.anchors
        return anchor, anchors

    def _anchors(self, a: Body, b: Body) -> tuple[Point, Point]:
        scope = self.scope
        if self.template.anchor is not None and self.template.anchors is not None:
            raise scope.fail("`anchor` and `anchors` are both given; keep one", "anchors")
        anchor, anchors = self._given_anchors()
        if self.kind == "mouse":
            return self._mouse(b, anchor, anchors)
        if anchors is not None:
            first, second = scope.resolve(anchors, "anchors")
            return first, second
        if anchor is None:
            # Without an anchor a distance joint is between the origins, others are at b's origin.
            if self.kind == "distance":
                return (0.0, 0.0), (0.0, 0.0)
            at = b.position if b is not WORLD else a.position
            return to_local(a, at), to_local(b, at)
        at = scope.resolve(anchor, "anchor")
        if self.kind != "distance":
            return to_local(a, at), to_local(b, at)
        if a is WORLD or b is WORLD:
            return (at, (0.0, 0.0)) if a is WORLD else ((0.0, 0.0), at)
        raise scope.fail(
            "a distance joint between two bodies has a point on each: write "
            "`anchors: [[x, y], [x, y]]`, each in its own body's coordinates",
            "anchor",
        )

    def _mouse(self, b: Body, anchor: Any, anchors: Any) -> tuple[Point, Point]:
        """The target in the world, at first where the body is held, and the point of the body."""
        scope = self.scope
        target = self.resolved("target")
        if anchors is not None:
            if self.template.target is not None:
                raise scope.fail(
                    "the first of a mouse's `anchors` is its target; leave out `target`", "target"
                )
            first, second = scope.resolve(anchors, "anchors")
            return first, second
        at = b.position if anchor is None else scope.resolve(anchor, "anchor")
        return (at if target is None else target), to_local(b, at)

    def _lengths(self, a: Body, b: Body, first: Point, second: Point) -> dict[str, Any]:
        scope = self.scope
        (ax, ay), (bx, by) = to_world(a, first), to_world(b, second)
        now = hypot(bx - ax, by - ay)
        length = self.resolved("length")
        shortest, longest = self.resolved("min_length"), self.resolved("max_length")
        rope = bool(self.resolved("rope"))
        if rope and (self.get("spring") is not None or shortest is not None):
            wrong = "spring" if self.get("spring") is not None else "min_length"
            right = "; an elastic one has a `limit_spring`" if wrong == "spring" else ""
            raise scope.fail(f"a rope only pulls; `{wrong}` does not go with it{right}", wrong)
        if rope and longest is None:
            longest = now if length is None or length == "auto" else length
        if shortest is not None and longest is not None and shortest > longest:
            raise scope.fail("`min_length` must not be above `max_length`", "min_length")
        if length is None or length == "auto":
            rest = now if longest is None or rope else min(now, longest)
            rest = rest if shortest is None else max(rest, shortest)
        else:
            rest = length
            if shortest is not None and rest < shortest:
                raise scope.fail("`length` must not be below `min_length`", "length")
            if longest is not None and rest > longest and not rope:
                raise scope.fail("`length` must not be above `max_length`", "length")
        return {"length": rest, "min_length": shortest, "max_length": longest, "rope": rope}


def _listed(words: tuple[str, ...]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def missing_body(name: str, bodies: dict[str, Body]) -> str:
    """The sentence for a reference to a body that is not there."""
    base = name.partition("[")[0]
    made = [each for each in bodies if each.startswith(f"{base}[")] if base else []
    if name == base and made:
        return (
            f"`{name}` stands for {len(made)} bodies, `{made[0]}` to `{made[-1]}`; write which one"
        )
    if made:
        return f"there is no body `{name}`; the generator makes `{made[0]}` to `{made[-1]}`"
    return f"there is no body `{name}`; {nearest(name, ['world', *bodies])}"
