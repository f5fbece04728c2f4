# SPDX-License-Identifier: MIT
"""The picture on a body that is broken: each piece takes the part of it that was seen there.

A picture that is drawn once may extend beyond its body, and leave parts of it uncovered. The cells
that cut the body cut the picture too. The visible part in a cell belongs to the piece in it;
several pieces in a cell divide it by distance from their middles, and the part in a cell without
pieces belongs to the nearest piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from ...scene.blocks.bodies.textures import picture_corners, picture_place
from ...scene.model import Body, Point, Texture
from ...scene.values.polygon import signed_area, size_of
from ...scene.values.portable_math import cos, hypot, sin
from .cells import Part, between
from .cutting import SAME_POINT, CutLine, Polygon, centroid, cut, squared_distance


class _Middle(Protocol):
    @property
    def center(self) -> Point: ...


Owner = TypeVar("Owner", bound=_Middle)


def seen_picture(body: Body) -> tuple[Polygon, ...]:
    """The visible part of a picture that is drawn once, in body coordinates."""
    texture = body.texture
    if texture is None or (texture.tile and texture.clip is None):
        return ()
    corners = picture_corners(texture, body.shapes)
    if texture.clip is None:
        return (corners,)
    clip = [part if signed_area(part) > 0.0 else part[::-1] for part in texture.clip]
    if texture.tile:
        return tuple(clip)
    size = size_of([*corners, *(point for part in clip for point in part)])
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        far = hypot(bx - ax, by - ay)
        dx, dy = (by - ay) / far, (ax - bx) / far
        side = CutLine(dx, dy, ax * dx + ay * dy)
        clip = [piece for part in clip for piece in cut(part, side, size)]
    return tuple(clip)


def turned_picture(body: Body, turn: float) -> Body:
    """A body whose picture is aligned with two others: with the picture turned in the body by this
    much, and from now on with it."""
    texture = body.texture
    if texture is None or not texture.along:
        return body
    (x, y), size = picture_place(texture, body.shapes)
    c, s = cos(turn), sin(turn)
    placed = replace(
        texture,
        offset=(c * x - s * y, s * x + c * y),
        size=size,
        angle=texture.angle + turn,
        along=(),
        clip=None
        if texture.clip is None
        else tuple(tuple((c * x - s * y, s * x + c * y) for x, y in each) for each in texture.clip),
    )
    return replace(body, texture=placed)


def texture_of_piece(body: Body, center: Point, seen: Sequence[Polygon]) -> Texture | None:
    """The picture where it was, of which a piece shows what was seen there.

    That is in polygons which do not go beyond the picture, or it was repeated.
    """
    texture = body.texture
    if texture is None:
        return None
    (x, y), size = picture_place(texture, body.shapes)
    placed = replace(texture, offset=(x - center[0], y - center[1]), size=size)
    if texture.tile and texture.clip is None:
        return placed
    clip = tuple(tuple((x - center[0], y - center[1]) for x, y in part) for part in seen)
    return replace(placed, clip=clip, tile=True)


def divided(cell: Sequence[Part], shapes: int) -> tuple[list[Part], list[Polygon]]:
    """The parts of shapes in a cell, which are numbered first, and those of the picture."""
    solid = [part for part in cell if part[0] < shapes]
    return solid, [points for number, points in cell if number >= shapes]


def shares(
    pieces: Sequence[Owner],
    cells: Sequence[Sequence[int]],
    seen: Sequence[Sequence[Polygon]],
    size: float,
) -> list[tuple[Polygon, ...]]:
    """The picture of each piece: ``cells`` has the numbers of the pieces in each cell, ``seen``
    the polygons there."""
    found: list[list[Polygon]] = [[] for _ in pieces]
    for owners, parts in zip(cells, seen, strict=True):
        for part in parts:
            for number in owners or [_nearest(pieces, centroid(part))]:
                found[number] += _nearest_part(part, number, owners, pieces, size)
    return [tuple(parts) for parts in found]


def _nearest(pieces: Sequence[Owner], place: Point) -> int:
    return min(range(len(pieces)), key=lambda i: (squared_distance(pieces[i].center, place), i))


def _nearest_part(
    part: Polygon, number: int, owners: Sequence[int], pieces: Sequence[Owner], size: float
) -> list[Polygon]:
    """The part of a polygon that is nearer to the middle of a piece than to those of others."""
    parts, own = [part], pieces[number].center
    for other in owners:
        middle = pieces[other].center
        if other == number:
            continue
        if squared_distance(own, middle) <= SAME_POINT * SAME_POINT * size * size:
            parts = parts if number < other else []  # round each other: the first has it
            continue
        parts = [piece for each in parts for piece in cut(each, between(own, middle), size)]
    return parts
