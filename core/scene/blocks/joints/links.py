# SPDX-License-Identifier: MIT
"""Builds joints that link two others, such as gears: their bodies and ratios."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ...building.scope import Scope
from ...model import WORLD, Body, Joint, Point
from ...values.broken import BROKEN, Stop
from ...values.kinds import nearest
from ...values.portable_math import hypot
from ..places import to_world, turned_back
from .spec import Get, JointSpec

LEAST_RATIO, LARGEST_RATIO = 1e-6, 1e6
_TOGETHER = 1e-9  # hinges that are no further apart, beside where they are, are on one axis


def build_link(
    scope: Scope,
    spec: JointSpec,
    hinges: Collection[str],
    get: Get,
    joints: Mapping[str, Joint],
    bodies: Mapping[str, Body],
) -> dict[str, Any]:
    """Values that a joint takes from the two joints it links; ``get`` gives its fields."""
    assert spec.links is not None
    ratio = scope.attempt(spec.links.ratio, BROKEN, scope, get)
    first, second = _find_links(scope, spec, hinges, get, joints)
    if ratio is BROKEN:
        raise Stop
    return spec.links.build(scope, ratio, first, second, bodies)


def build_gear(
    scope: Scope, ratio: float, first: Joint, second: Joint, bodies: Mapping[str, Body]
) -> dict[str, Any]:
    """Two wheels that roll on each other, or are geared on one axis."""
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
    scope: Scope,
    spec: JointSpec,
    hinges: Collection[str],
    get: Get,
    joints: Mapping[str, Joint],
) -> tuple[Joint, Joint]:
    """Return the two joints of a coupling."""
    assert spec.links is not None
    kind, wants = spec.name, spec.links.wants
    kinds = (*hinges, "prismatic") if spec.links.slides else hinges
    given = get("joints")
    names = given if given is None else scope.parts(given, "joints")
    if names is None and scope.report.may_mean(scope.path, list):
        raise Stop
    if names is None:
        raise scope.fail(
            "missing-key",
            f"`joints` is missing; a {kind} goes with {wants}: `joints: [first, second]`",
        )
    first, second = (
        scope.attempt(_find, BROKEN, scope, spec, kinds, name, place, joints)
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


def _find(
    scope: Scope,
    spec: JointSpec,
    kinds: Collection[str],
    name: str,
    place: int,
    joints: Mapping[str, Joint],
) -> Joint:
    joint = joints.get(name)
    if joint is BROKEN or (joint is None and scope.report.may_have("joints", name)):
        raise Stop
    fit = {each: 0 for each, made in joints.items() if made is not BROKEN and made.kind in kinds}
    if joint is None:
        raise scope.fail(
            "unknown-name",
            f"there is no joint `{name}`; {nearest(name, fit, what='' if joints else 'joints')}",
            *("joints", place),
            missing=name,
        )
    if name not in fit:
        wants = spec.links.wants if spec.links else ""
        hint = "; what ties a hinge to a slide is a rack" if joint.kind == "prismatic" else ""
        raise scope.fail(
            "impossible-motion",
            f"a {spec.name} goes with {wants}, and `{name}` is a {joint.kind} joint{hint}",
            *("joints", place),
        )
    return joint


def _wheels(
    scope: Scope, first: Joint, second: Joint, bodies: Mapping[str, Body]
) -> tuple[tuple[str, Point, str], tuple[str, Point, str]]:
    """Return the wheel of each hinge, its anchor, and its carrier.

    A body that both hinges hold is the carrier; otherwise the wheel is b, or a if b is fixed.
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


def read_gear_ratio(scope: Scope, get: Get) -> float:
    """The ratio of a gear: turns of wheel a for one turn of b the other way."""
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
    if not LEAST_RATIO <= abs(value) <= LARGEST_RATIO:
        raise scope.fail(
            "out-of-range",
            f"the ratio must be {LEAST_RATIO:g} to {LARGEST_RATIO:g}, or so far below 0",
            *given,
        )
    return float(value)


def read_pinion_radius(scope: Scope, get: Get) -> float:
    radius: float | None = scope.known(get("radius"), "radius")
    if radius is None:
        if scope.report.may_mean(scope.path, object):
            raise Stop
        raise scope.fail("missing-key", "`radius` is missing; it is that of the pinion")
    return radius


def build_rack(
    scope: Scope, radius: float, first: Joint, second: Joint, bodies: Mapping[str, Body]
) -> dict[str, Any]:
    """Build a pinion on a hinge and the rack on a slide, in either order."""
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


def orbit(joint: Joint) -> float:
    """Turns of wheel a that correspond to one turn of the line between the hinges."""
    return 0.0 if joint.coaxial else 1.0 + joint.ratio
