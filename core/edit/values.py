# SPDX-License-Identifier: MIT
"""Numbers of a place in the scene's units, and the present state of objects of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..scene.model import Body
from ..scene.values import portable_math, units
from ..scene.values.expression import Expression, ExpressionError
from .place import Place, Point
from .text.draft import Draft
from .text.expressions import is_expression
from .text.nodes import Node
from .text.texts import Refused


def evaluated(draft: Draft, node: Node | None) -> float | None:
    """The number that a value is, in plain numbers of the file; None where it has several."""
    if node is None or node.kind != "scalar":
        return None
    value = node.value
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if is_expression(value):
        try:
            expression = Expression(value.strip())
            if expression.seeded:
                return None
            return float(expression.evaluate(draft.scene.vars))
        except (ExpressionError, KeyError, ValueError):
            return None
    try:
        measure = units.parse(str(value))
    except ValueError:
        return None
    if measure is None:
        return None
    world = draft.scene.world
    pixels = world.length_unit if draft.scene.units.length == "px" else 100.0
    return units.Converter(draft.scene.units, pixels).plain(measure)


def point_at(draft: Draft, node: Node | None) -> Point | None:
    """The point that a list of two numbers is."""
    if node is None or node.kind != "seq" or len(node.items) != 2:
        return None
    x, y = (evaluated(draft, each) for each in node.items)
    return None if x is None or y is None else (x, y)


def body_of(draft: Draft, place: Place) -> Body:
    """The body of a place as the scene has it at the start."""
    found: Mapping[str, Body] = draft.scene.bodies
    if place.name in found:
        return found[place.name]
    made = [each for name, each in found.items() if name.startswith(f"{place.name}[")]
    if len(made) == 1:
        return made[0]
    raise Refused(f"`{place.name}` stands for {len(made)} bodies; change one of them")


def position_of(draft: Draft, place: Place) -> Point:
    """Where a body, an instance or another object with a place is."""
    key = PLACES.get(place.section)
    node = place.node(draft)
    said = point_at(draft, node.get(key)) if key and node.kind == "map" else None
    if said is not None and not place.turned:
        return said
    if place.section == "bodies":
        return body_of(draft, place).position
    if key is not None and node.kind == "map" and node.get(key) is None:
        return 0.0, 0.0
    raise Refused(f"the place of {place.address} is not known")


PLACES = {
    "bodies": "position",
    "instances": "at",
    "layers": "at",
    "annotations": "at",
    "joints": "anchor",
    "spawners": "at",
}
"""The field that is the place of an object."""


def to_local(body: Body, point: Point) -> Point:
    """A point of the world in a body's coordinates."""
    c, s = portable_math.cos(body.angle), portable_math.sin(body.angle)
    x, y = point[0] - body.position[0], point[1] - body.position[1]
    return c * x + s * y, -s * x + c * y


def turned(by: Point, angle: float) -> Point:
    c, s = portable_math.cos(angle), portable_math.sin(angle)
    return c * by[0] - s * by[1], s * by[0] + c * by[1]


def to_world(body: Body, point: Point) -> Point:
    """A point of a body in the world."""
    x, y = turned(point, body.angle)
    return body.position[0] + x, body.position[1] + y


@cache
def order_of(section: str) -> tuple[str, ...]:
    """The keys of the entries of a section, in the order of the reference."""
    from ..scene.blocks.bodies.models import BodyInput
    from ..scene.blocks.joints.types import JointInput
    from ..scene.blocks.prototypes.instances import InstanceInput

    models: dict[str, Any] = {"bodies": BodyInput, "joints": JointInput, "instances": InstanceInput}
    model = models.get(section)
    if model is None:
        return ()
    keys = [field.alias or name for name, field in model.model_fields.items()]
    first = [key for key in _FIRST if key in keys or key == "use"]
    last = [key for key in _LAST if key in keys]
    return (*first, *(key for key in keys if key not in first and key not in last), *last)


_FIRST = (
    "type", "repeat", "when", "use", "shape", "shapes", "position", "at", "angle", "velocity",
    "angular_velocity", "material", "density", "friction", "restitution", "rolling_resistance",
    "tangent_speed",
)  # fmt: skip
_LAST = ("points", "color", "outline", "z", "visible", "texture", "trail")
"""Keys of objects as the reference has them first and last, and as people write them."""
