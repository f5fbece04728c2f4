# SPDX-License-Identifier: MIT
"""Builds the joints that actions attach, which keep their written form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...building.block import BuildContext
from ...building.scope import Scope
from ...building.structure import validate
from ...event_model import Action
from ...model import Body, Shape
from ...text.marks import Map, Mark, Seq
from ...values.broken import BROKEN, Stop, is_read
from ...values.quantity import Written
from ..joints.anchors import is_point_name
from ..joints.joints import JointBuilder
from ..joints.types import JOINT_TYPES, JointInput
from .action_builder import ActionBuilder
from .spawns import given_actions

_ANY = Body(
    name="", shapes=(Shape("polygon", ((-9.0, -1.0), (9.0, -1.0), (9.0, 1.0), (-9.0, 1.0))),)
)
"""A body of an event, of which nothing is known: one that a joint of any kind may hold."""


def build_attach(builder: ActionBuilder, given: Any, at: tuple[Any, ...]) -> Action:
    """Build an attached joint; its bodies may be those of the event."""
    scope = builder.scope
    scope.need(given, *at)
    tree = given.joint.value if isinstance(given.joint, Written) else given.joint
    place = (*scope.path, *at, "joint")
    if not isinstance(tree, Map):
        raise scope.fail("wrong-type", "must be a joint, as under `joints`", *at, "joint")
    filled = _filled(_without_points(tree), tree.at)
    checked = validate(JointInput, filled, scope.context, scope.report, place)
    if checked is BROKEN:
        raise Stop
    if any(each is BROKEN for each in (checked.type, checked.bodies, checked.body)):
        raise Stop
    _check_attached(scope, checked, (*at, "joint"))
    joint: dict[str, Any] = _plain(tree)
    if "body" in joint:
        builder.body(str(joint["body"]), (*at, "joint", "body"))
        joint["bodies"] = ["world", str(joint.pop("body"))]
    else:
        for i, name in enumerate(joint["bodies"]):
            if name != "world":
                builder.body(str(name), (*at, "joint", "bodies", i))
    for place_of in _points_of_event(joint):
        builder.place("$point", (*at, "joint", *place_of))
    _try(builder, checked, joint["bodies"], place)
    if scope.report.of_part:
        _settle(builder, joint, checked, (*at, "joint"))
    return Action("attach", builder.path, given.name, joint=joint)


def _points_of_event(joint: Mapping[str, Any]) -> Iterator[tuple[str | int, ...]]:
    """The paths of the joint's values that are the point of the event."""
    for key in ("anchor", "anchors", "target"):
        value = joint.get(key)
        if value == "$point":
            yield (key,)
        elif isinstance(value, list):
            yield from ((key, i) for i, each in enumerate(value) if each == "$point")


def _check_attached(scope: Scope, given: JointInput, at: tuple[Any, ...]) -> None:
    """Stop unless the joint names its bodies."""
    spec = None if given.type is None else JOINT_TYPES[given.type]
    if spec is not None and spec.links is not None:
        message = (
            f"an action cannot attach a {given.type}, which holds joints and not bodies; write "
            "it under `joints`"
        )
        raise scope.fail("unsupported", message, *at, "type")
    is_mouse = spec is not None and spec.has("body")
    if given.body is not None and not is_mouse:
        message = "`body` is for a mouse; other joints have `bodies`"
        raise scope.fail("conflicting-keys", message, *at, "body")
    if given.body is not None and given.bodies is not None:
        message = "`body` and `bodies` are both given; keep `body`"
        raise scope.fail("conflicting-keys", message, *at, "bodies")
    if given.type is None or (given.bodies is None and given.body is None):
        message = "needs `type` and `bodies`"
        if is_mouse:
            message = "`body` is missing; a mouse pulls a body: `body: crate`"
        raise scope.fail("missing-key", message, *at)


def _try(
    builder: ActionBuilder, checked: JointInput, names: Sequence[str], path: tuple[Any, ...]
) -> None:
    """Stop after the problems of the joint between these bodies, as it would be at the start.

    They may be of other types by then, and those of an event are any bodies.
    """
    of_scene, context = builder.scene.bodies, builder.build_context
    bodies = {
        name: _ANY if name.startswith("$") else of_scene[name] for name in names if name != "world"
    }
    bodies = {
        name: body if body is BROKEN else replace(body, name=name, kind="dynamic")
        for name, body in bodies.items()
    }
    defaults = context.made.get("defaults")
    of_joints = defaults.joint if is_read(defaults) and defaults else None
    scope = builder.scope.at(*path)
    scope.label = builder.path + ".attach.joint"
    joints = JointBuilder(bodies, of_joints, context.turns, {})
    if joints.plan(checked, scope).build("", scope) is BROKEN:
        raise Stop


def _settle(
    builder: ActionBuilder, joint: dict[str, Any], checked: JointInput, at: tuple[Any, ...]
) -> None:
    """Replace the vars of a prototype, which are unknown later, by numbers."""
    scope = builder.scope
    for key in ("anchor", "anchors", "ground_anchors", "axis", "target"):
        if key in joint and not is_point_name(joint[key]):
            points = scope.resolve(getattr(checked, key), *at, key)
            joint[key] = [
                own if is_point_name(own) else [*each] if isinstance(each, tuple) else each
                for own, each in zip(joint[key], points, strict=True)
            ]
    joint |= {key: _literal(builder, value) for key, value in joint.items()}


def _literal(builder: ActionBuilder, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _literal(builder, each) for key, each in value.items()}
    if isinstance(value, list):
        return [_literal(builder, each) for each in value]
    if isinstance(value, str) and value.lstrip().startswith("="):
        return f"={builder.reader.source(builder.scope.context.compile(value.strip()))}"
    return value


def attached_names(build_context: BuildContext) -> set[str]:
    """The names of joints that actions attach."""
    joints = [action.attach for action in given_actions(build_context)]
    names = [joint.name for joint in joints if joint is not None and is_read(joint)]
    return {name for name in names if name is not None and is_read(name)}


def _without_points(tree: Map) -> Map:
    """A joint with placeholders for named points of bodies of an event."""
    names = tree.get("bodies")
    if not isinstance(names, Seq) or not any(str(name).startswith("$") for name in names):
        return tree
    filled = tree.copy()
    if is_point_name(tree.get("anchor")):
        filled["anchor"] = "$point"
    anchors = tree.get("anchors")
    if isinstance(anchors, Seq) and len(anchors) == len(names):
        filled["anchors"] = anchors.copy()
        filled["anchors"][:] = [
            "$point" if str(name).startswith("$") and is_point_name(anchor) else anchor
            for name, anchor in zip(names, anchors, strict=True)
        ]
    return filled


def _filled(tree: Any, at: Mark) -> Any:
    """Return a joint with placeholders for the values of an event, for checks."""
    if isinstance(tree, Map):
        filled = tree.copy()
        for key, value in tree.items():
            filled[key] = _filled(value, tree.at)
        return filled
    if isinstance(tree, Seq):
        items = tree.copy()
        items[:] = [_filled(each, tree.at) for each in tree]
        return items
    if tree == "$point":
        point = Seq(at)
        point += [0.0, 0.0]
        point.items_at = [at, at]
        return point
    return tree


def _plain(tree: Any) -> Any:
    """The values without their positions in the file."""
    if isinstance(tree, Map):
        return {key: _plain(value) for key, value in tree.items()}
    return [_plain(each) for each in tree] if isinstance(tree, Seq) else tree
