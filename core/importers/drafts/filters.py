# SPDX-License-Identifier: MIT
"""Filters by bits, as Box2D and Chipmunk have them, as categories that ignore each other."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from ...scene.limits import CATEGORIES
from .draft import Draft, Entry


class CollisionFilter(NamedTuple):
    """The category of a shape (bits), its mask (bits), and its group, 0 for none."""

    category: int
    mask: int
    group: int = 0


class Filters:
    """Gives each distinct filter its own category.

    ``same_group`` returns whether two shapes of one group collide, for any bits; None if the
    group does not decide this.
    """

    def __init__(self, usual: CollisionFilter, same_group: Any) -> None:
        self.names: dict[Hashable, str] = {usual: "default"}
        self.same_group = same_group

    def name(self, given: CollisionFilter) -> str:
        """The category for a filter."""
        if given not in self.names:
            group = "" if not given.group else f"_group_{given.group}".replace("-", "minus_")
            base = f"bits_{given.category:x}{group}"
            taken = sum(name.startswith(base) for name in self.names.values())
            self.names[given] = f"{base}_{taken + 1}" if taken else base
        return self.names[given]

    def touches(self, a: CollisionFilter, b: CollisionFilter) -> bool:
        if a.group and a.group == b.group:
            decided = self.same_group(a.group)
            if decided is not None:
                return bool(decided)
        return bool(a.category & b.mask) and bool(b.category & a.mask)

    def finish(self, draft: Draft, origin: Any) -> Entry:
        """The ``collision`` block; empty where all touch all."""
        filters: list[Any] = list(self.names)
        if len(filters) > CATEGORIES:
            for each in _owners(draft):
                each.pop("category", None)
            draft.lose(origin, f"{len(filters)} different filters; a scene has {CATEGORIES}")
            return {}
        ignore = [
            [self.names[a], self.names[b]]
            for i, a in enumerate(filters)
            for b in filters[i:]
            if not self.touches(a, b)
        ]
        if not ignore:
            for each in _owners(draft):
                each.pop("category", None)
            return {}
        for body in draft.bodies.values():
            _hoist(body)
        return {"categories": list(self.names.values()), "ignore": ignore}


def _hoist(body: Entry) -> None:
    """The category that all shapes of a body have is the body's."""
    shapes = body.get("shapes") or [body["shape"]]
    if len({shape.get("category") for shape in shapes}) == 1 and "category" in shapes[0]:
        body["category"] = shapes[0]["category"]
        for shape in shapes:
            del shape["category"]


def _owners(draft: Draft) -> list[Entry]:
    """Everything that may have a category."""
    bodies = draft.bodies.values()
    inner = [shape for body in bodies for shape in body.get("shapes", [])]
    return [*bodies, *inner, *(body["shape"] for body in bodies if "shape" in body)]
