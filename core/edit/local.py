# SPDX-License-Identifier: MIT
"""Scales, shifts and mirrors all values in a body's own coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from .moving import mentions, root_beside
from .numbers import Amount, change_number, change_point
from .place import Place
from .text.draft import Draft
from .text.nodes import Node
from .text.texts import Refused

SHAPES = (
    "circle",
    "box",
    "polygon",
    "regular_polygon",
    "capsule",
    "segment",
    "chain",
    "half_space",
)
"""The keys that say what a shape is."""
CURVES = ("bezier", "spline")
"""Curves that are."""


@dataclass(frozen=True)
class Map:
    """Each coordinate becomes ``times`` itself and ``add`` more."""

    times: tuple[float, float] = (1.0, 1.0)
    add: tuple[float, float] = (0.0, 0.0)
    decimals: int = 4

    @property
    def size(self) -> float:
        """The factor of radii, which have no direction."""
        x, y = abs(self.times[0]), abs(self.times[1])
        return x if x == y else sqrt(x * y)

    @property
    def mirrors(self) -> bool:
        return self.times[0] * self.times[1] < 0

    def amounts(self) -> list[Amount]:
        return [Amount(self.add[i], self.times[i], self.decimals) for i in (0, 1)]


def shapes_of(place: Place, node: Node) -> list[tuple[tuple[str | int, ...], Node]]:
    """The shapes of a body's entry, with their paths in it."""
    one, several = node.get("shape"), node.get("shapes")
    if one is not None:
        if one.kind != "map":
            raise Refused(f"the shape of {place.address} is said elsewhere")
        return [(("shape",), one)]
    if several is not None and several.kind == "seq":
        if not all(each.kind == "map" for each in several.items):
            raise Refused(f"a shape of {place.address} is said elsewhere")
        return [(("shapes", i), each) for i, each in enumerate(several.items)]
    return []


def kind_of(shape: Node) -> str:
    for key, _ in shape.entries:
        if key.value in SHAPES:
            return str(key.value)
    raise Refused("the shape is said elsewhere")


def change_points(
    draft: Draft, place: Place, keys: Sequence[str | int], node: Node | None, by: Map
) -> None:
    """Change a list of points."""
    if node is None or node.kind != "seq":
        raise Refused(f"{place.address} has points that are not a list here; change these by hand")
    for i in range(len(node.items)):
        change_point(draft, place, (*keys, i), by.amounts(), None)


def change_shape(
    draft: Draft, place: Place, keys: Sequence[str | int], shape: Node, by: Map
) -> None:
    """Scale or mirror a shape about the origin of its body."""
    kind = kind_of(shape)
    value = shape.get(kind)
    assert value is not None
    even = abs(by.times[0]) == abs(by.times[1])
    turned = shape.get("angle")
    if turned is not None and not even:
        raise Refused(f"a shape of {place.address} is turned in its body; scale it evenly")
    size = Amount(0.0, by.size, by.decimals)
    if kind not in ("circle", "box") or shape.get("radius") or shape.get("holes"):
        draft.only_numbers = False  # it has to be checked whether this is a shape still
    if kind == "circle":
        change_number(draft, place, (*keys, kind), size, None)
    elif kind == "box":
        amounts = [Amount(0.0, abs(by.times[i]), by.decimals) for i in (0, 1)]
        change_point(draft, place, (*keys, kind), amounts, None)
    elif kind == "regular_polygon":
        if not even:
            raise Refused("a regular polygon is scaled evenly, or it would not be one")
        change_number(draft, place, (*keys, kind, "radius"), size, None)
    elif kind == "half_space":
        raise Refused("a half-space has no size")
    elif value.kind == "seq":
        change_points(draft, place, (*keys, kind), value, by)
    elif value.kind == "map":
        _change_curve(draft, place, (*keys, kind), value, by)
    else:
        raise Refused(f"the points of {place.address} are said elsewhere")
    if shape.get("radius") is not None and by.size != 1.0:
        change_number(draft, place, (*keys, "radius"), size, None)
    if shape.get("offset") is not None:
        change_point(draft, place, (*keys, "offset"), by.amounts(), None)
    holes = shape.get("holes")
    for i, hole in enumerate(holes.items if holes is not None else []):
        if hole.kind == "seq":
            change_points(draft, place, (*keys, "holes", i), hole, by)
        else:
            _change_curve(draft, place, (*keys, "holes", i), hole, by)


def _change_curve(
    draft: Draft, place: Place, keys: Sequence[str | int], curve: Node, by: Map
) -> None:
    for kind in CURVES:
        points = curve.get(kind)
        if points is not None:
            change_points(draft, place, (*keys, kind), points, by)
            return
    arc, drawing = curve.get("arc"), curve.get("svg")
    if by.mirrors or abs(by.times[0]) != abs(by.times[1]):
        raise Refused(f"{place.address} has a curve, which can only be scaled evenly")
    if arc is not None:
        if arc.get("center") is not None:
            change_point(draft, place, (*keys, "arc", "center"), by.amounts(), None)
        amount = Amount(0.0, by.size, by.decimals)
        change_number(draft, place, (*keys, "arc", "radius"), amount, None)
        return
    if drawing is not None:
        amount = Amount(0.0, by.size, 6)
        change_number(draft, place, (*keys, "svg", "scale"), amount, 1.0)
        return
    raise Refused(f"{place.address} has a curve of formulas; change it in the text")


def change_rest(draft: Draft, place: Place, by: Map) -> None:
    """Change the points, the texture and the centre of mass of a body."""
    node = place.node(draft)
    points = node.get("points")
    for key, value in points.entries if points is not None else []:
        if value.kind != "seq":
            raise Refused(f"the points of {place.address} are said elsewhere")
        change_point(draft, place, ("points", str(key.value)), by.amounts(), None)
    if node.get("center_of_mass") is not None:
        change_point(draft, place, ("center_of_mass",), by.amounts(), None)
    texture = node.get("texture")
    if texture is None or texture.kind != "map":
        return
    if texture.get("offset") is not None:
        change_point(draft, place, ("texture", "offset"), by.amounts(), None)
    if texture.get("size") is not None and by.size != 1.0:
        sizes = [Amount(0.0, abs(by.times[i]), by.decimals) for i in (0, 1)]
        change_point(draft, place, ("texture", "size"), sizes, None)
    clip = texture.get("clip")
    for i, ring in enumerate(clip.items if clip is not None else []):
        change_points(draft, place, ("texture", "clip", i), ring, by)


def change_anchors(draft: Draft, joint: Place, held: Sequence[str], name: str, by: Map) -> None:
    """Change the points of a joint that are in a body's own coordinates."""
    anchors = joint.node(draft).get("anchors")
    if anchors is None or anchors.kind != "seq":
        return
    for i, each in enumerate(held):
        if each == name and i < len(anchors.items) and anchors.items[i].kind == "seq":
            change_point(draft, joint, ("anchors", i), by.amounts(), None)


def change_actuators(draft: Draft, place: Place, name: str, by: Map) -> None:
    """Change the points at which actuators act on a body."""
    root = root_beside(place)
    section = root.section(draft, "actuators")
    if section is None or section.kind != "map" or not mentions(section, [name]):
        return
    for key, entry in section.entries:
        body = entry.get("body")
        if body is not None and body.value == name and entry.get("at") is not None:
            path = (*root.path, "actuators", str(key.value))
            actuator = Place(f"actuators.{key.value}", "actuators", str(key.value),
                             root.file, path)  # fmt: skip
            change_point(draft, actuator, ("at",), by.amounts(), None)
