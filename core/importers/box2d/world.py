# SPDX-License-Identifier: MIT
"""A world of Box2D on its way to a scene: its draft, its bodies and joints by their numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...scene.model import Point
from ..drafts import geometry
from ..drafts.draft import Draft, Entry
from ..drafts.filters import CollisionFilter, Filters
from ..drafts.places import Value
from .values import number, point

ALL = 0xFFFF
WORLD = "world"
"""A static body without shapes is the frame of the world."""


@dataclass(frozen=True, slots=True)
class PlacedBody:
    """The data of a body for joints; ``inertia`` is 0 for a fixed rotation."""

    name: str
    kind: str
    position: Point
    angle: float
    inertia: float = 0.0

    def anchor(self, point: Point) -> list[float]:
        """A point of the body, as the joints of a scene have it."""
        if self.name != WORLD:
            return list(point)
        x, y = geometry.turned(point, self.angle)
        return [self.position[0] + x, self.position[1] + y]

    def axis(self, direction: Point) -> list[float]:
        """A direction of the body, likewise."""
        return list(geometry.turned(direction, self.angle) if self.name == WORLD else direction)


class Box2dWorld:
    """A world on its way: its draft, and the bodies that joints refer to."""

    def __init__(self, draft: Draft, value: Value) -> None:
        self.draft = draft
        self.value = value
        self.filters = Filters(CollisionFilter(1, ALL), lambda group: group > 0)
        self.bodies: dict[int, PlacedBody] = {}

    def body(self, owner: Value, name: str) -> PlacedBody:
        """The body that a joint names by its index or id."""
        index = owner.need(name).as_number()
        found = self.bodies.get(int(index)) if index == math.floor(index) else None
        if found is None:
            raise owner.need(name).fail("unknown-name", f"there is no body {index:g}")
        return found


class Box2dJoint:
    """One joint on its way."""

    def __init__(self, value: Value, a: PlacedBody, b: PlacedBody) -> None:
        self.value, self.a, self.b = value, a, b
        self.entry: Entry = {}
        self.name = ""
        self.losses: list[str] = []

    @property
    def turned(self) -> float:
        """The angle at the start, from the reference angle."""
        reference = number(self.value, "refAngle", "referenceAngle")
        return self.b.angle - self.a.angle - reference

    def end(self) -> Point:
        """B's anchor in the world."""
        x, y = geometry.turned(point(self.value, "anchorB"), self.b.angle)
        return self.b.position[0] + x, self.b.position[1] + y

    def axis(self) -> Point:
        """The axis in the world, as long as 1."""
        given = point(self.value, "localAxisA", "localAxis1", default=(1.0, 0.0))
        return geometry.turned(geometry.unit(given) or (1.0, 0.0), self.a.angle)
