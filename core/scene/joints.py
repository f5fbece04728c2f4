"""Builds the joints: references, anchors in body coordinates, limits, motors and springs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from . import limits
from .context import Wrong
from .generators import Turns, bounded, name_problem, unroll
from .joint_models import (
    FRACTION,
    MOTOR_ANGLE,
    MOTOR_LENGTH,
    MOTOR_SLIDE,
    MOTOR_TURN,
    JointFields,
    JointInput,
    MotorInput,
    SpringInput,
)
from .kinds import nearest
from .model import Body, Joint, Motor, Point, Spring
from .portable_math import cos, hypot, sin
from .problems import Path, show_suffix
from .quantity import Written
from .scope import Scope, Stop

WORLD = Body(name="world", kind="static")

# The fields that only some types of joints have.
_ONLY: dict[str, tuple[str, ...]] = {
    "limits": ("revolute",),
    "motor": ("revolute", "distance"),
    "spring": ("distance", "weld"),
    "length": ("distance",),
    "min_length": ("distance",),
    "max_length": ("distance",),
    "rope": ("distance",),
}


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
            raise self.scope.fail("`type` is missing; a joint is one of revolute, distance, weld")
        return kind

    def _check_fields(self) -> None:
        """Report the fields that this type of joint does not have."""
        kind, scope = self.kind, self.scope
        for field, kinds in _ONLY.items():
            if getattr(self.template, field) is not None and kind not in kinds:
                hint = ""
                if field == "spring":
                    hint = "; a spring that turns back is `motor: {position: 0, spring: {...}}`"
                scope.fail(
                    f"`{field}` does not belong to a {kind} joint, but to "
                    f"{' and '.join(kinds)}{hint}",
                    field,
                )
                scope.failed = True

    def build(self, name: str) -> Joint:
        """The joint; Stop after all its problems are reported."""
        scope = self.scope
        self._check_fields()
        pair = scope.attempt(self._pair, None)
        anchors = None if pair is None else scope.attempt(lambda: self._anchors(*pair), None)
        range_ = scope.attempt(self._limits, None)
        lengths: dict[str, Any] = {}
        if self.kind == "distance" and pair is not None and anchors is not None:
            lengths = scope.attempt(lambda: self._lengths(*pair, *anchors), {})
        breaks: dict[str, Any] = scope.attempt(self._break, {})
        motor = scope.attempt(lambda: self._motor(range_, lengths), None)
        spring = scope.attempt(lambda: self._spring(self.get("spring"), ("spring",)), None)
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
            limits=range_,
            motor=motor,
            spring=spring,
            collide=collide,
            visible=True if visible is None else visible,
            **lengths,
            **breaks,
        )

    def _limits(self) -> tuple[float, float] | None:
        range_: tuple[float, float] | None = self.resolved("limits")
        if range_ is not None and range_[0] > range_[1]:
            raise self.scope.fail("the first limit must not be above the second", "limits")
        return range_

    def _break(self) -> dict[str, Any]:
        given, scope = self.get("break_"), self.scope
        if given is None:
            return {}
        force = scope.resolve(given.force, "break", "force")
        torque = scope.resolve(given.torque, "break", "torque")
        if force is None and torque is None:
            raise scope.fail("`break` needs a `force`, a `torque` or both", "break")
        return {
            "break_force": math.inf if force is None else force,
            "break_torque": math.inf if torque is None else torque,
        }

    def _pair(self) -> tuple[Body, Body]:
        names = self.resolved("bodies")
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
                "bodies",
            )
        return a, b

    def _body(self, name: str, i: int) -> Body:
        if name == "world":
            return WORLD
        body = self.builder.bodies.get(name)
        if body is None and self.scope.report.is_broken("bodies", name):
            raise Stop
        if body is None:
            raise self.scope.fail(missing_body(name, self.builder.bodies), "bodies", i)
        return body

    def _anchors(self, a: Body, b: Body) -> tuple[Point, Point]:
        scope = self.scope
        anchor, anchors = self.template.anchor, self.template.anchors
        if anchor is not None and anchors is not None:
            raise scope.fail("`anchor` and `anchors` are both given; keep one", "anchors")
        if anchors is None and anchor is None and self.builder.defaults is not None:
            anchor, anchors = self.builder.defaults.anchor, self.builder.defaults.anchors
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

    def _lengths(self, a: Body, b: Body, first: Point, second: Point) -> dict[str, Any]:
        scope = self.scope
        (ax, ay), (bx, by) = to_world(a, first), to_world(b, second)
        now = hypot(bx - ax, by - ay)
        length = self.resolved("length")
        shortest, longest = self.resolved("min_length"), self.resolved("max_length")
        rope = bool(self.resolved("rope"))
        if rope and (self.get("spring") is not None or shortest is not None):
            wrong = "spring" if self.get("spring") is not None else "min_length"
            raise scope.fail(f"a rope only pulls; `{wrong}` does not go with it", wrong)
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

    def _spring(self, spring: SpringInput | None, at: Path) -> Spring | None:
        if spring is None:
            return None
        scope = self.scope
        values = {
            field: scope.resolve(getattr(spring, field), *at, field)
            for field in ("frequency", "damping_ratio", "stiffness", "damping")
        }
        by_frequency = values["frequency"] is not None or values["damping_ratio"] is not None
        by_stiffness = values["stiffness"] is not None or values["damping"] is not None
        if by_frequency and by_stiffness:
            raise scope.fail(
                "a spring is either {frequency, damping_ratio} or {stiffness, damping}; keep one "
                "pair",
                *at,
            )
        if values["frequency"] is None and values["stiffness"] is None:
            raise scope.fail(
                "a spring needs a `frequency` (Hz) with `damping_ratio`, or a `stiffness` with "
                "`damping`",
                *at,
            )
        second = "damping_ratio" if by_frequency else "damping"
        if values[second] is None:
            values[second] = 0.0
        return Spring(**values)

    def _motor(self, angles: Any, lengths: dict[str, Any]) -> Motor | None:
        motor: MotorInput | None = self.get("motor")
        if motor is None or self.kind == "weld":
            return None
        scope = self.scope
        turning = self.kind == "revolute"
        if (motor.speed is None) == (motor.position is None):
            raise scope.fail("a motor needs either a `speed` or a `position` to go to", "motor")
        right, wrong = ("max_torque", "max_force") if turning else ("max_force", "max_torque")
        if getattr(motor, wrong) is not None:
            raise scope.fail(
                f"the motor of a {self.kind} joint is limited by `{right}`, not `{wrong}`",
                "motor",
                wrong,
            )
        relative = bool(scope.resolve(motor.relative, "motor", "relative"))
        if relative:
            self._check_relative(motor, angles, lengths)
        speed = self._written(motor.speed, MOTOR_TURN if turning else MOTOR_SLIDE, "speed")
        kind = MOTOR_ANGLE if turning else MOTOR_LENGTH
        position = self._written(motor.position, FRACTION if relative else kind, "position")
        most = scope.resolve(getattr(motor, right), "motor", right)
        return Motor(
            speed=speed,
            position=position,
            relative=relative,
            max_force=math.inf if most is None else most,
            spring=self._spring(motor.spring, ("motor", "spring")),
        )

    def _check_relative(self, motor: MotorInput, angles: Any, lengths: dict[str, Any]) -> None:
        if motor.position is None:
            raise self.scope.fail("`relative` goes with `position`", "motor", "relative")
        if self.kind == "revolute":
            if angles is None:
                raise self.scope.fail(
                    "a relative position is 0 to 1 of the joint's `limits`, and there are none",
                    "motor",
                    "relative",
                )
        elif lengths.get("min_length") is None or lengths.get("max_length") is None:
            raise self.scope.fail(
                "a relative position is 0 to 1 from `min_length` to `max_length`; give both",
                "motor",
                "relative",
            )

    def _written(self, written: Written | None, quantity: Any, field: str) -> Any:
        """A motor's target, checked now that its dimension is known."""
        if written is None:
            return None
        scope, at = self.scope, ("motor", field)
        try:
            value = quantity.check(written.value, scope.context)
        except Wrong as wrong:
            scope.report.add_wrong(scope.path + at, wrong, scope.label + show_suffix(at))
            raise Stop from None
        return scope.resolve(value, *at)


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


def to_local(body: Body, point: Point) -> Point:
    """A point of the world at the start, in a body's own coordinates."""
    x, y = point[0] - body.position[0], point[1] - body.position[1]
    if body.angle == 0.0:
        return x, y
    c, s = cos(body.angle), sin(body.angle)
    return c * x + s * y, c * y - s * x


def to_world(body: Body, point: Point) -> Point:
    """A point of a body, in the world at the start."""
    x, y = point
    if body.angle != 0.0:
        c, s = cos(body.angle), sin(body.angle)
        x, y = c * x - s * y, s * x + c * y
    return body.position[0] + x, body.position[1] + y
