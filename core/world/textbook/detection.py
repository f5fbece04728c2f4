# SPDX-License-Identifier: MIT
"""Contacts for the textbook solvers: the engine's narrow phase, asked once for each near pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...scene.model import Body, Scene
from ...scene.values.portable_math import cos_and_sin
from ...solvers import Bodies, Contact, Outline
from ...solvers.collision import RECTANGLES, Corners, Hit, circle_circle, rectangle_circle
from ..building.primitives import Primitive, primitives

Float64 = NDArray[np.float64]
Point = tuple[float, float]

MIXING: dict[str, Callable[[float, float], float]] = {
    "min": min,
    "max": max,
    "mean": lambda a, b: 0.5 * (a + b),
    "product": lambda a, b: a * b,
    "geometric_mean": lambda a, b: math.sqrt(a * b),
}


class Detector:
    """Finds where the bodies of a scene touch, in the order of the scene.

    ``given`` are the bodies by slot, ``ids`` the engine's, ``apart`` the names of those that joints
    keep from touching, and ``centers`` their centres of mass in their own coordinates.

    Attributes:
        pieces: the numbers of the pieces of each body, by its id.
    """

    def __init__(
        self,
        scene: Scene,
        given: Sequence[Body | None],
        ids: Sequence[int],
        apart: AbstractSet[frozenset[str]],
        centers: Sequence[Point],
    ) -> None:
        there = [body for body in given if body is not None]
        index = {body.name: slot for slot, body in enumerate(given) if body is not None}
        self._pieces = list(primitives(scene, there, index))
        self.pieces: dict[int, list[int]] = {ids[slot]: [] for slot in index.values()}
        for k, piece in enumerate(self._pieces):
            self.pieces[ids[piece.body]].append(k)
        self._points = [
            np.array([(x - centers[p.body][0], y - centers[p.body][1]) for x, y in p.points])
            for p in self._pieces
        ]
        self._kinds = [_native.SHAPE_KINDS[piece.kind] for piece in self._pieces]
        self._endless = np.array([piece.kind == "half_space" for piece in self._pieces], np.bool_)
        self._owner = np.array([piece.body for piece in self._pieces], dtype=np.intp)
        self._radius = np.array([piece.shape.radius for piece in self._pieces])
        self._pairs = self._possible_pairs(scene, given, apart)
        mixing = scene.collision
        self._rectangles = RECTANGLES.get(scene.world.solver.contacts)
        self._mix = MIXING[mixing.friction_mixing], MIXING[mixing.restitution_mixing]
        # Of a chain's segments the ghosts are no corners, nor are a part's neighbours.
        self._hulls = [
            _hull(p, points) for p, points in zip(self._pieces, self._points, strict=True)
        ]

    def outlines(self) -> list[Outline]:
        """The polygons, for bodies of particles."""
        return [
            Outline(piece.body, points)
            for piece, points in zip(self._pieces, self._points, strict=True)
        ]

    def _possible_pairs(
        self, scene: Scene, given: Sequence[Body | None], apart: AbstractSet[frozenset[str]]
    ) -> NDArray[np.intp]:
        """[pairs, 2] the pieces that may ever touch."""
        apart = apart | {frozenset(pair) for pair in scene.collision.pairs_ignore}
        matrix = scene.collision.matrix
        pairs = []
        for (i, a), (j, b) in combinations(enumerate(self._pieces), 2):
            one, two = given[a.body], given[b.body]
            if a.body == b.body or one is None or two is None:
                continue
            moves = "dynamic" in (one.kind, two.kind)
            if not (moves and one.collide and two.collide):
                continue
            kept_apart = frozenset((one.name, two.name)) in apart
            if matrix[a.category][b.category] and not kept_apart:
                pairs.append((i, j))
        return np.array(pairs, dtype=np.intp).reshape(-1, 2)

    def find(
        self, bodies: Bodies, alive: NDArray[np.uint8], outlines: Sequence[Float64] | None
    ) -> list[Contact]:
        """The contacts of bodies where they are, or of polygons in world coordinates instead."""
        if not len(self._pairs):
            return []
        turns = [cos_and_sin(angle) for angle in bodies.X[:, 2].tolist()]
        boxes = self._boxes(bodies, turns) if outlines is None else _boxes_of(outlines)
        boxes[self._endless] = -math.inf, -math.inf, math.inf, math.inf
        first, second = self._pairs[:, 0], self._pairs[:, 1]
        near = np.all(boxes[first, :2] <= boxes[second, 2:], axis=1)
        near &= np.all(boxes[second, :2] <= boxes[first, 2:], axis=1)
        near &= (alive[self._owner[first]] & alive[self._owner[second]]).astype(np.bool_)
        found: list[Contact] = []
        for i, j in self._pairs[near].tolist():
            if self._rectangles is not None:
                found += self._touching_by_document(bodies, turns, i, j, self._rectangles)
            elif outlines is None:
                found += self._touching(bodies, turns, i, j)
            else:
                found += self._touching_outlines(bodies, outlines, i, j)
        return found

    def _boxes(self, bodies: Bodies, turns: Sequence[Point]) -> Float64:
        """[pieces, 4] the boxes about all pieces: smallest x, y, largest x, y."""
        boxes = np.empty((len(self._pieces), 4))
        x = bodies.X.tolist()
        for k, hull in enumerate(self._hulls):
            body = int(self._owner[k])
            c, s = turns[body]
            px, py = hull[:, 0], hull[:, 1]
            wx, wy = c * px - s * py, s * px + c * py
            r = self._radius[k]
            left, low, right, high = wx.min() - r, wy.min() - r, wx.max() + r, wy.max() + r
            boxes[k] = left + x[body][0], low + x[body][1], right + x[body][0], high + x[body][1]
        return boxes

    def _touching(self, bodies: Bodies, turns: Sequence[Point], i: int, j: int) -> list[Contact]:
        a, b = self._pieces[i].body, self._pieces[j].body
        xa, xb = bodies.X[a].tolist(), bodies.X[b].tolist()
        c, s = turns[a]
        dx, dy = xb[0] - xa[0], xb[1] - xa[1]
        pose = (c * dx + s * dy, c * dy - s * dx, xb[2] - xa[2])
        normal, points = _native.collide(
            self._kinds[i], self._points[i], self._pieces[i].shape.radius,
            self._kinds[j], self._points[j], self._pieces[j].shape.radius, pose, 0.0,
        )  # fmt: skip
        n = (c * normal[0] - s * normal[1], s * normal[0] + c * normal[1])
        return [
            self._contact(
                bodies, i, j, (xa[0] + c * x - s * y, xa[1] + s * x + c * y), n, -gap, key
            )
            for x, y, gap, key in points
        ]

    def _touching_by_document(
        self,
        bodies: Bodies,
        turns: Sequence[Point],
        i: int,
        j: int,
        rectangles: Callable[[Corners, Corners], list[Hit]],
    ) -> list[Contact]:
        """Contacts by the collision functions of document 000."""
        one, two = self._at(bodies, turns, i), self._at(bodies, turns, j)
        r1, r2 = self._pieces[i].shape.radius, self._pieces[j].shape.radius
        sign = 1.0
        if len(one) == len(two):
            hits = rectangles(one, two) if len(one) == 4 else circle_circle(one[0], r1, two[0], r2)
        elif len(one) == 4:
            hits = rectangle_circle(one, two[0], r2)
        else:
            hits, sign = rectangle_circle(two, one[0], r1), -1.0
        found = []
        for hit in hits:
            n = (sign * hit.normal[0], sign * hit.normal[1])
            (sx, sy), (ex, ey) = hit.start, hit.end
            middle = (0.5 * (sx + ex), 0.5 * (sy + ey))
            key = 8 * hit.features[0] + hit.features[1]
            found.append(self._contact(bodies, i, j, middle, n, hit.depth, key))
        return found

    def _at(self, bodies: Bodies, turns: Sequence[Point], piece: int) -> list[Point]:
        """The points of a piece in world coordinates."""
        body = self._pieces[piece].body
        (c, s), (x, y, _) = turns[body], bodies.X[body].tolist()
        return [
            (x + (c * px - s * py), y + (s * px + c * py))
            for px, py in self._points[piece].tolist()
        ]

    def _touching_outlines(
        self, bodies: Bodies, outlines: Sequence[Float64], i: int, j: int
    ) -> list[Contact]:
        origin = outlines[i][0].copy()
        n, points = _native.collide(
            self._kinds[i], outlines[i] - origin, 0.0,
            self._kinds[j], outlines[j] - origin, 0.0, (0.0, 0.0, 0.0), 0.0,
        )  # fmt: skip
        at = origin.tolist()
        return [
            self._contact(bodies, i, j, (at[0] + x, at[1] + y), n, -gap, key)
            for x, y, gap, key in points
        ]

    def _contact(
        self, bodies: Bodies, i: int, j: int, middle: Point, n: Point, depth: float, key: int
    ) -> Contact:
        """``middle`` lies halfway between the surfaces; the contact nearer to that of the lighter
        body: p = Start m2' / (m1' + m2') + End m1' / (m1' + m2') (000, part 1; m' is 1 / m)."""
        one, two = self._pieces[i], self._pieces[j]
        inverse_a = float(bodies.inverse_mass[one.body, 0])
        inverse_b = float(bodies.inverse_mass[two.body, 0])
        shift = depth * (inverse_a / (inverse_a + inverse_b) - 0.5)
        friction, restitution = self._mix
        return Contact(
            one.body,
            two.body,
            (middle[0] + shift * n[0], middle[1] + shift * n[1]),
            n,
            depth,
            friction(one.shape.material.friction, two.shape.material.friction),
            restitution(one.shape.material.restitution, two.shape.material.restitution),
            (i, j, key),
        )


def _boxes_of(outlines: Sequence[Float64]) -> Float64:
    return np.array([[*points.min(axis=0), *points.max(axis=0)] for points in outlines])


def _hull(piece: Primitive, points: Float64) -> Float64:
    """The corners of a piece, without the neighbours that it knows."""
    if piece.kind == "chain_segment":
        return points[1:3]
    return points[: len(points) // 3] if piece.kind == "polygon_part" else points
