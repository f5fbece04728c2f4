# SPDX-License-Identifier: MIT
"""Queries of a world's present moment: ray casts, overlaps, touching bodies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..arguments import checked, not_negative, optional, texts, vector
from ..errors import UsageError, unknown_name
from .naming.parts import Vector, WorldParts
from .removals import settle

_ALL_CATEGORIES = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class RayHit:
    """One hit of a ray.

    Attributes:
        body: the body's name.
        fraction: the share of the ray, 0 to 1.
        point: its place, in world coordinates.
        normal: the surface's outward unit normal there.
    """

    body: str
    fraction: float
    point: Vector
    normal: Vector


@dataclass(frozen=True, slots=True)
class Contact:
    """One touching point of two bodies after the last step.

    ``normal`` points from body ``a`` to body ``b``; ``separation`` is negative where they overlap.
    Forces are those of the last step: impulse over its time.
    """

    a: str
    b: str
    point: Vector
    normal: Vector
    separation: float
    normal_force: float
    tangent_force: float

    @property
    def point_a(self) -> Vector:
        """The point of body ``a``'s surface there."""
        return self._surface(-0.5)

    @property
    def point_b(self) -> Vector:
        """The point of body ``b``'s surface there."""
        return self._surface(0.5)

    def _surface(self, side: float) -> Vector:
        far = side * self.separation
        return self.point[0] + far * self.normal[0], self.point[1] + far * self.normal[1]


class Query:
    """Queries of the present state of a world: ray casts, overlaps, contacts.

    Points are in world coordinates. ``categories`` restricts queries to shapes of these categories;
    UnknownNameError for unknown ones.
    """

    __slots__ = ("_world",)

    def __init__(self, world: WorldParts) -> None:
        self._world = world

    @checked(start=vector, end=vector, categories=optional(texts))
    def ray_cast(
        self, start: Vector, end: Vector, categories: Iterable[str] | None = None
    ) -> RayHit | None:
        """The first shape that the ray from ``start`` to ``end`` meets, or None."""
        world = self._world
        translation = vector((end[0] - start[0], end[1] - start[1]), "end - start")
        settle(world)
        hit = world.native.ray_cast(start, translation, _mask(world, categories))
        if hit is None:
            return None
        return _ray_hit(world, hit)

    @checked(start=vector, end=vector, categories=optional(texts))
    def ray_hits(
        self, start: Vector, end: Vector, categories: Iterable[str] | None = None
    ) -> list[RayHit]:
        """All shapes that the ray from ``start`` to ``end`` meets, the nearest first.

        A body of several shapes may be met several times.
        """
        world = self._world
        translation = vector((end[0] - start[0], end[1] - start[1]), "end - start")
        settle(world)
        hits = world.native.ray_hits(start, translation, _mask(world, categories))
        return [_ray_hit(world, hit) for hit in hits]

    @checked(lower=vector, upper=vector, categories=optional(texts))
    def overlap_box(
        self, lower: Vector, upper: Vector, categories: Iterable[str] | None = None
    ) -> list[str]:
        """The bodies with a shape that overlaps the box, in the order of the scene."""
        if not (lower[0] <= upper[0] and lower[1] <= upper[1]):
            raise UsageError(
                "lower is the corner with the smaller x and y, upper the one with the larger, "
                f"got {lower} and {upper}"
            )
        world = self._world
        return _owners(world, world.native.overlap_box(lower, upper, _mask(world, categories)))

    @checked(center=vector, radius=not_negative, categories=optional(texts))
    def overlap_circle(
        self, center: Vector, radius: float, categories: Iterable[str] | None = None
    ) -> list[str]:
        """The bodies with a shape that overlaps the circle, in the order of the scene."""
        world = self._world
        return _owners(world, world.native.overlap_circle(center, radius, _mask(world, categories)))

    @checked(point=vector, categories=optional(texts))
    def overlap_point(self, point: Vector, categories: Iterable[str] | None = None) -> list[str]:
        """The bodies with a shape that holds the point, in the order of the scene."""
        world = self._world
        return _owners(world, world.native.overlap_point(point, _mask(world, categories)))

    @checked()
    def contacts(self) -> list[Contact]:
        """The touching points after the last step, in a fixed order."""
        settle(self._world)
        return [_contact(self._world, row) for row in self._world.native.contacts()]


def _ray_hit(world: WorldParts, hit: _native.RayHitRow) -> RayHit:
    body, _, fraction, x, y, nx, ny = hit
    return RayHit(world.roster.body_name(body), fraction, (x, y), (nx, ny))


def _owners(world: WorldParts, shapes: NDArray[np.int32]) -> list[str]:
    settle(world)
    names = world.roster.body_name
    return [names(body) for body in np.unique(shapes.reshape(-1, 2)[:, 0]).tolist()]


def _mask(world: WorldParts, categories: Iterable[str] | None) -> int:
    if categories is None:
        return _ALL_CATEGORIES
    known = world.roster.scene.collision.categories
    mask = 0
    for name in categories:
        if name not in known:
            raise unknown_name("category", name, known)
        mask |= 1 << known.index(name)
    return mask


def _contact(world: WorldParts, row: np.void) -> Contact:
    return Contact(
        a=world.roster.body_name(int(row["body_a"])),
        b=world.roster.body_name(int(row["body_b"])),
        point=(float(row["x"]), float(row["y"])),
        normal=(float(row["normal_x"]), float(row["normal_y"])),
        separation=float(row["separation"]),
        normal_force=float(row["normal_force"]),
        tangent_force=float(row["tangent_force"]),
    )
