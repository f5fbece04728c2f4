# SPDX-License-Identifier: MIT
"""The annotations of a scene for a live page, which writes texts and plots by the engine's
readings."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from ..compiled.readings import Readings
from ..play.wire import Stage
from ..record.frame import Frame
from ..scene.model import Annotation, Body, Point, Scene
from ..scene.values.text_template import TextTemplate
from . import vectors
from .vectors import VectorData


def sources_of(scene: Scene) -> Iterator[str]:
    """The expressions that the annotations of a live page show."""
    for each in scene.annotations:
        yield from _sources(each, scene)


def _sources(each: Annotation, scene: Scene) -> Iterator[str]:
    yield from vectors.sources_of(each, scene)
    yield from (one.expression.source for one in TextTemplate(each.text).fields)
    yield from each.expressions
    if each.condition:
        yield each.condition


def notes_of(
    scene: Scene, first: Frame, stage: Stage, readings: Readings
) -> tuple[list[dict[str, Any]], list[str]]:
    """The annotations, and the places of those that a live page does not draw."""
    found: list[dict[str, Any]] = []
    left_out: list[str] = []
    places = readings.places

    def place(source: str) -> int:
        return places.get(source, -1)

    arrows = VectorData(scene, first, stage.scales, place, lambda name: _followed(name, scene))
    for row, (each, pieces) in enumerate(zip(scene.annotations, stage.pieces(), strict=True)):
        known = all(source in places for source in _sources(each, scene))
        if not known:
            left_out.append(f"annotations[{row}]")
            if each.kind != "plot":
                continue
        is_arrow = known and each.kind in vectors.KINDS
        found.append(
            {
                "row": row,
                "kind": each.kind,
                "shown": known,
                "start": each.start,
                "until": each.until if isfinite(each.until) else None,
                "condition": places.get(each.condition, -1),
                "pieces": [_piece(piece, readings) for piece in pieces],
                "lines": [places.get(source, -1) for source in each.expressions],
                "corner": each.corner is not None or each.kind in ("plot", "scale_bar"),
                "arrows": is_arrow,
                "at": each.at,
                "follow": None if each.follow is None else _followed(each.follow, scene),
                "ends": [_end(end, scene) for end in each.ends],
                "offset": each.offset,
                **(arrows.of(each) if is_arrow else {}),
            }
        )
    return found, left_out


def _end(end: Point | str, scene: Scene) -> dict[str, Any]:
    """An end of a dimension: a point of the world, which has the slot 0, or of a body."""
    if not isinstance(end, str):
        return {"slot": 0, "point": end}
    owner, _, point = end.partition(".points.")
    if owner == "world":
        return {"slot": 0, "point": (0.0, 0.0)}
    body = scene.bodies[owner]
    slot = [*scene.bodies].index(owner) + 1
    return {"slot": slot, "point": body.points[point] if point else (0.0, 0.0)}


def _piece(piece: str | tuple[str, str], readings: Readings) -> Any:
    if isinstance(piece, str):
        return piece
    source, spec = piece
    return [readings.places.get(source, -1), spec]


def _followed(name: str, scene: Scene) -> dict[str, Any]:
    """The slot of a body, and a point of it or the corners of its shapes with their radii."""
    owner, _, point = name.partition(".points.")
    body = scene.bodies[owner]
    found: dict[str, Any] = {"slot": [*scene.bodies].index(owner) + 1}
    if point:
        return found | {"point": body.points[point]}
    return found | {"outline": outline(body)}


def outline(body: Body) -> list[tuple[float, float, float]]:
    """The corners of a body's shapes, each with its radius."""
    return [(*point, shape.radius) for shape in body.shapes for point in shape.points]
