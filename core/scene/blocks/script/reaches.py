# SPDX-License-Identifier: MIT
"""Builds the action ``reach``: a chain of hinges whose motors bring a point to a place."""

from __future__ import annotations

from collections import deque
from typing import Annotated, Any, ClassVar

from ...action_model import MOUSE, Reach
from ...event_model import Action, Live
from ...model import Joint, Scene
from ...values.broken import BROKEN, Stop, is_read
from ...values.fields import Input, Words, about
from ...values.kinds import Custom, nearest
from ...values.quantity import Written
from ..joints.anchors import POINTS
from .action_builder import ActionBuilder
from .action_models import Place, check_name
from .writing import written_value

At = tuple[Any, ...]
Way = tuple[tuple[str, str], ...]
"""Joints from a body to the tip, each with that of its bodies which is nearer to the tip."""
Ways = dict[str, Way]
_FIRM = ("revolute", "weld", "prismatic")
"""Joints by which one body carries another."""


class ReachInput(Input):
    form: ClassVar[str] = "`{tip: hand.points.grip, target: ball}`"
    needed: ClassVar[tuple[str, ...]] = ("tip", "target")
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("at", "to", "goal", "place"), "it is `target`"),
        **dict.fromkeys(("point", "end", "effector", "body"), "it is `tip`"),
        **dict.fromkeys(("chain", "hinges"), "they are `joints`"),
    }
    tip: Annotated[Any, Custom(check_name, {"type": "string"})] = about(
        "What reaches: a body, or a point of one such as `hand.points.grip`."
    )
    target: Place = about("What it reaches for: a place, or `mouse`, where a drag pulls to.")
    joints: Words = about(
        "The hinges that take part (all with a motor by position from the tip to the base)."
    )


def build_reach(builder: ActionBuilder, given: ReachInput, at: At) -> Action:
    """The action, with the hinges in the order from the base to the tip."""
    scope, scene = builder.scope, builder.scene
    scope.need(given, *at)
    tip: Any = given.tip
    if not is_read(tip):
        raise Stop
    body, _, point = tip.partition(POINTS)
    builder.body(body, (*at, "tip"))
    if body.startswith("$"):
        raise scope.fail("unsupported", "the tip of a chain is a body by its name", *at, "tip")
    there = scene.bodies[body]
    if there is BROKEN:
        raise Stop
    if point and point not in there.points:
        points = [f"{body}{POINTS}{each}" for each in there.points]
        message = f"`{body}` has no point `{point}`; {nearest(tip, points)}"
        raise scope.fail("unknown-name", message, *at, "tip")
    if given.joints is BROKEN:
        raise Stop
    ways = _ways(scene, body)
    chain = (_given if given.joints else _found)(builder, given, ways, at)
    ends = tuple([scene.joints[name].body_b == moved for name, moved in chain])
    reach = Reach(tip, tuple([name for name, _ in chain]), ends)
    return Action("reach", builder.path, at=_target(builder, given.target, at), reach=reach)


def _target(builder: ActionBuilder, given: Any, at: At) -> Live:
    written = given.value if isinstance(given, Written) else given
    if written == "mouse" and "mouse" not in builder.scene.bodies:
        return MOUSE
    return builder.place(given, (*at, "target"))


def _given(builder: ActionBuilder, given: ReachInput, ways: Ways, at: At) -> Way:
    """The named hinges, which must be on one path to the tip."""
    names: Any = given.joints
    for i, name in enumerate(names):
        joint = builder.known("joints", "joint", name, (*at, "joints", i))
        if joint is BROKEN:
            raise Stop
        if not _is_driven(joint):
            message = f"`{name}` is no hinge with a motor by `position`: `motor: {{position: 0}}`"
            raise builder.scope.fail("unsupported", message, *at, "joints", i)
    longest: Way = ()
    for way in ways.values():
        if way and way[0][0] in names and len(way) > len(longest):
            longest = way
    chain = tuple([each for each in longest if each[0] in names])
    apart = next((name for name in names if name not in dict(chain)), "")
    if apart:
        message = f"`{apart}` is not on one way with the others to the tip `{given.tip}`"
        raise builder.scope.fail("conflicting-keys", message, *at, "joints")
    return chain


def _found(builder: ActionBuilder, given: ReachInput, ways: Ways, at: At) -> Way:
    """All hinges with a motor on the path from the base to the tip."""
    scene = builder.scene
    if any(each is BROKEN for each in (*scene.joints.values(), *scene.bodies.values())):
        raise Stop
    held = [
        way
        for body, way in ways.items()
        if way and (body == "world" or scene.bodies[body].kind != "dynamic")
    ]
    if not held:
        message = (
            f"no joints lead from `{given.tip}` to a base that is held; name the hinges that take "
            "part: `joints: [shoulder, elbow]`"
        )
        raise builder.scope.fail("missing-key", message, *at)
    chain = tuple([each for each in held[0] if _is_driven(scene.joints[each[0]])])
    if not chain:
        message = (
            f"no hinge with a motor by `position` moves `{given.tip}`; give it one, such as "
            "`{type: revolute, ..., motor: {position: 0}}`"
        )
        raise builder.scope.fail("missing-key", message, *at, "tip")
    return chain


def _ways(scene: Scene, tip: str) -> Ways:
    """The ways by joints from each body to that of the tip, the nearest bodies first."""
    ways: Ways = {tip: ()}
    waiting = deque([tip])
    while waiting:
        body = waiting.popleft()
        for name, joint in scene.joints.items():
            if (
                joint is BROKEN
                or joint.kind not in _FIRM
                or body not in (joint.body_a, joint.body_b)
            ):
                continue
            other = joint.body_a if joint.body_b == body else joint.body_b
            if other not in ways:
                ways[other] = ((name, body), *ways[body])
                if other != "world":
                    waiting.append(other)
    return ways


def _is_driven(joint: Joint) -> bool:
    motor = joint.motor
    return joint.kind == "revolute" and is_read(motor) and motor is not None and motor.speed is None


def write_reach(action: Action, in_units: Any) -> Any:
    """The action as a scene file has it."""
    reach = action.reach
    assert reach is not None
    target = "mouse" if action.at == MOUSE else written_value(action.at)
    return {"tip": reach.tip, "target": target, "joints": list(reach.joints)}
