# SPDX-License-Identifier: MIT
"""Builds joints that link two others, such as gears: their bodies and ratios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, pi
from typing import Any

from ...building.scope import Scope
from ...model import WORLD, Body, Joint, Point
from ...values.broken import BROKEN, Stop, is_read
from ...values.kinds import nearest
from ...values.portable_math import hypot
from ..places import to_world, turned_back
from .models import LINKS, JointFields, JointInput

_HINGES = ("revolute", "ratchet")
_WANTS = {"gear": "two hinges", "rack": "a hinge and a slide"}
_LEAST, _MOST = 1e-6, 1e6  # ratios
_TOGETHER = 1e-9  # hinges that are no further apart, beside where they are, are on one axis


def links_last(
    entries: Mapping[str, JointInput], defaults: JointFields | None
) -> list[tuple[str, JointInput]]:
    """The entries of a section, those last that go with others."""

    def links(entry: tuple[str, JointInput]) -> bool:
        template: Any = entry[1]
        kind = BROKEN if template is BROKEN else template.type
        if kind is None and is_read(defaults):
            kind = defaults.type  # type: ignore[union-attr]
        return is_read(kind) and kind in LINKS

    return sorted(entries.items(), key=links)


def build_link(
    scope: Scope,
    kind: str,
    get: Callable[[str], Any],
    joints: Mapping[str, Joint],
    bodies: Mapping[str, Body],
) -> dict[str, Any]:
    """Values that a joint takes from the two joints it links; ``get`` gives its fields."""
    ratio = scope.attempt(_pinion_radius if kind == "rack" else _gear_ratio, BROKEN, scope, get)
    first, second = _find_links(scope, kind, get, joints)
    if ratio is BROKEN:
        raise Stop
    if kind == "rack":
        return _rack(scope, ratio, first, second, bodies)
    (body_a, at_a, frame_a), (body_b, at_b, frame_b) = _wheels(scope, first, second, bodies)
    a = to_world(bodies.get(body_a, WORLD), at_a)
    b = to_world(bodies.get(body_b, WORLD), at_b)
    size = 1.0 + max(map(abs, (*a, *b)))
    coaxial = hypot(b[0] - a[0], b[1] - a[1]) <= _TOGETHER * size
    moving = next((each for each in (frame_a, frame_b) if _moves(bodies, each)), None)
    if coaxial and ratio != -1.0 and moving is not None:
        raise scope.fail(
            "impossible-motion",
            f"wheels on one axis are geared against what they hang on, which must stand still; "
            f"`{moving}` moves",
            "joints",
        )
    return {
        "body_a": body_a,
        "body_b": body_b,
        "anchor_a": at_a,
        "anchor_b": at_b,
        "links": (first.name, second.name),
        "ratio": ratio,
        "coaxial": coaxial,
    }


def _find_links(
    scope: Scope, kind: str, get: Callable[[str], Any], joints: Mapping[str, Joint]
) -> tuple[Joint, Joint]:
    given = get("joints")
    names = given if given is None else scope.parts(given, "joints")
    if names is None and scope.report.may_mean(scope.path, list):
        raise Stop
    if names is None:
        raise scope.fail(
            "missing-key",
            f"`joints` is missing; a {kind} goes with {_WANTS[kind]}: `joints: [first, second]`",
        )
    first, second = (
        scope.attempt(_find, BROKEN, scope, kind, name, place, joints)
        for place, name in enumerate(names)
    )
    if first is BROKEN or second is BROKEN:
        raise Stop
    if first is second:
        raise scope.fail(
            "impossible-motion",
            f"a {kind} needs two different joints, not `{first.name}` twice",
            "joints",
        )
    return first, second


def _find(scope: Scope, kind: str, name: str, place: int, joints: Mapping[str, Joint]) -> Joint:
    joint = joints.get(name)
    if joint is BROKEN or (joint is None and scope.report.may_have("joints", name)):
        raise Stop
    kinds = _HINGES if kind == "gear" else (*_HINGES, "prismatic")
    fit = {each: 0 for each, made in joints.items() if made is not BROKEN and made.kind in kinds}
    if joint is None:
        raise scope.fail(
            "unknown-name",
            f"there is no joint `{name}`; {nearest(name, fit)}",
            *("joints", place),
            missing=name,
        )
    if name not in fit:
        hint = "; what ties a hinge to a slide is a rack" if joint.kind == "prismatic" else ""
        raise scope.fail(
            "impossible-motion",
            f"a {kind} goes with {_WANTS[kind]}, and `{name}` is a {joint.kind} joint{hint}",
            *("joints", place),
        )
    return joint


def _wheels(
    scope: Scope, first: Joint, second: Joint, bodies: Mapping[str, Body]
) -> tuple[tuple[str, Point, str], tuple[str, Point, str]]:
    """Of each hinge its wheel, where that is held, and what it hangs on.

    What both hinges hold is what the wheels hang on; else the wheel is b, or a where b stands.
    """
    common = {first.body_a, first.body_b} & {second.body_a, second.body_b}
    if len(common) == 2:
        raise scope.fail(
            "impossible-motion",
            f"`{first.name}` and `{second.name}` hold the same two bodies; one of them each is "
            "what they tie together",
            "joints",
        )
    a, b = (_wheel(each, common, bodies) for each in (first, second))
    if not (_moves(bodies, a[0]) or _moves(bodies, b[0])):
        raise scope.fail(
            "impossible-motion",
            f"what ties `{a[0]}` to `{b[0]}` can move nothing; at least one of the two must be "
            "dynamic",
            "joints",
        )
    return a, b


def _wheel(joint: Joint, common: set[str], bodies: Mapping[str, Body]) -> tuple[str, Point, str]:
    first = (joint.body_a, joint.anchor_a, joint.body_b)
    second = (joint.body_b, joint.anchor_b, joint.body_a)
    if joint.body_a in common:
        return second
    if joint.body_b in common:
        return first
    return second if _moves(bodies, joint.body_b) else first


def _moves(bodies: Mapping[str, Body], name: str) -> bool:
    return name != "world" and bodies[name].kind == "dynamic"


def _gear_ratio(scope: Scope, get: Callable[[str], Any]) -> float:
    """How often wheel a turns while b turns once the other way."""
    given = [name for name in ("ratio", "radii", "teeth") if get(name) is not None]
    if len(given) != 1:
        if not given and scope.report.may_mean(scope.path, object):
            raise Stop
        raise scope.fail(
            "conflicting-keys" if given else "missing-key",
            "a gear needs one of `ratio: 3`, `radii: [0.2, 0.6]` and `teeth: [20, 60]`; below 0 "
            "is a belt, or a wheel with its teeth inside",
            *given[1:2],
        )
    value = scope.resolve(get(given[0]), given[0])
    if given[0] == "teeth" and not isinstance(value, tuple):
        raise scope.fail("wrong-type", "must be two numbers of teeth [a, b]", "teeth")
    if given[0] != "ratio":
        if value[0] == 0.0 or value[1] == 0.0:
            raise scope.fail("out-of-range", "must not be 0", given[0])
        value = value[1] / value[0]
    if not _LEAST <= abs(value) <= _MOST:
        raise scope.fail(
            "out-of-range", f"the ratio must be {_LEAST:g} to {_MOST:g}, or so far below 0", *given
        )
    return float(value)


def _pinion_radius(scope: Scope, get: Callable[[str], Any]) -> float:
    radius: float | None = scope.known(get("radius"), "radius")
    if radius is None:
        if scope.report.may_mean(scope.path, object):
            raise Stop
        raise scope.fail("missing-key", "`radius` is missing; it is that of the pinion")
    return radius


def _rack(
    scope: Scope, radius: float, first: Joint, second: Joint, bodies: Mapping[str, Body]
) -> dict[str, Any]:
    """A pinion on a hinge and the rack on a slide, in whichever order."""
    hinge, slide = (second, first) if first.kind == "prismatic" else (first, second)
    if slide.kind != "prismatic" or hinge.kind == "prismatic":
        raise scope.fail(
            "impossible-motion",
            f"a rack goes with a hinge and a slide; `{first.name}` and `{second.name}` are both "
            f"{first.kind} joints",
            "joints",
        )
    (body_a, at_a, _), (body_b, at_b, _) = _wheels(scope, hinge, slide, bodies)
    guide, rack = bodies.get(slide.body_a, WORLD), bodies.get(body_b, WORLD)
    origin = to_world(guide, (0.0, 0.0))
    tip = to_world(guide, slide.axis)
    axis = (tip[0] - origin[0], tip[1] - origin[1])
    # From the hinge to the line of the rack; the rim moves there with w x that.
    center, on_rack = to_world(bodies.get(body_a, WORLD), at_a), to_world(rack, at_b)
    across = (on_rack[0] - center[0]) * axis[1] - (on_rack[1] - center[1]) * axis[0]
    return {
        "body_a": body_a,
        "body_b": body_b,
        "anchor_a": at_a,
        "anchor_b": at_b,
        "axis": turned_back(rack, axis),
        "links": (hinge.name, slide.name),
        "ratio": -radius if across < -_TOGETHER * (1.0 + radius) else radius,
    }


def build_pulley(
    scope: Scope, get: Callable[[str], Any], pair: tuple[Body, Body], anchors: tuple[Point, Point]
) -> dict[str, Any]:
    """The wheels and the length of a pulley's rope."""
    given = get("ground_anchors")
    if given is None:
        if scope.report.may_mean(scope.path, list):
            raise Stop
        raise scope.fail(
            "missing-key",
            "`ground_anchors` is missing; a pulley's rope runs over two points of the world: "
            "`ground_anchors: [[-1, 5], [1, 5]]`",
        )
    wheels = scope.resolve(given, "ground_anchors")
    ratio, length, rope = (scope.known(get(field), field) for field in ("ratio", "length", "rope"))
    ratio = 1.0 if ratio is None else ratio
    if not _LEAST <= ratio <= _MOST:
        raise scope.fail("out-of-range", f"must be {_LEAST:g} to {_MOST:g}", "ratio")
    ends = [to_world(body, anchor) for body, anchor in zip(pair, anchors, strict=True)]
    a, b = (
        hypot(end[0] - wheel[0], end[1] - wheel[1]) for end, wheel in zip(ends, wheels, strict=True)
    )
    now = a + ratio * b
    return {
        "ground_anchors": wheels,
        "ratio": ratio,
        "length": now if length is None or length == "auto" else length,
        "rope": True if rope is None else rope,
    }


def build_ratchet(scope: Scope, get: Callable[[str], Any]) -> dict[str, Any]:
    """The angle of a tooth, below 0 where the ratchet turns the negative way."""
    if (get("pitch") is None) == (get("teeth") is None):
        given = get("pitch") is not None
        if not given and scope.report.may_mean(scope.path, object):
            raise Stop
        raise scope.fail(
            "conflicting-keys" if given else "missing-key",
            "a ratchet needs the number of its `teeth`, or the `pitch` from one to the next",
            *(("teeth",) if given else ()),
        )
    teeth, pitch = scope.known(get("teeth"), "teeth"), scope.known(get("pitch"), "pitch")
    if isinstance(teeth, tuple):
        raise scope.fail("wrong-type", "must be a number of teeth, for it has one wheel", "teeth")
    if teeth is not None:
        pitch = 2.0 * pi / teeth
    way = -1.0 if get("direction") == "negative" else 1.0
    slip = scope.known(get("slip_torque"), "slip_torque")
    return {"pitch": way * pitch, "slip_torque": inf if slip is None else slip}
