# SPDX-License-Identifier: MIT
"""Puts objects in line with each other, or at equal distances."""

from __future__ import annotations

import math

from .messages import Align, Distribute
from .moving import move_all, moved_places, named
from .numbers import length_decimals
from .place import Place
from .text.draft import Draft
from .text.texts import Refused
from .values import body_of, position_of, to_world

Box = tuple[float, float, float, float]


def box_of(draft: Draft, place: Place) -> Box:
    """The box around an object at the start: left, low, right, high in coordinates."""
    scene = draft.scene
    if place.section == "bodies":
        bodies = [body_of(draft, place)]
    elif place.section == "instances":
        heads = (f"{place.name}.", f"{place.name}[")
        bodies = [each for name, each in scene.bodies.items() if name.startswith(heads)]
    else:
        x, y = position_of(draft, place)
        return x, y, x, y
    left = low = math.inf
    right = high = -math.inf
    for body in bodies:
        for shape in body.shapes:
            if shape.kind == "half_space":
                raise Refused(f"{place.address} has no end")
            for point in shape.outer or shape.points:
                x, y = to_world(body, point)
                r = 0.0 if shape.outer else shape.radius
                left, right = min(left, x - r), max(right, x + r)
                low, high = min(low, y - r), max(high, y + r)
        if not body.shapes:
            x, y = body.position
            left, right, low, high = min(left, x), max(right, x), min(low, y), max(high, y)
    if not bodies:
        x, y = position_of(draft, place)
        return x, y, x, y
    return left, low, right, high


def align(draft: Draft, message: Align) -> str:
    """Put objects in line with the first or last side, or the middle, of their common box."""
    places = moved_places(draft, message.what, message.in_prototype)
    boxes = [box_of(draft, each) for each in places]
    axis = 0 if message.to in ("left", "center", "right") else 1
    low = min(box[axis] for box in boxes)
    high = max(box[axis + 2] for box in boxes)
    down = draft.scene.units.y == "down"
    first = message.to == "left" or message.to == ("top" if down else "bottom")
    middle = message.to in ("center", "middle")
    decimals = length_decimals(draft, message.step) + 1
    for place, box in zip(places, boxes, strict=True):
        here = (box[axis] + box[axis + 2]) / 2 if middle else box[axis + (0 if first else 2)]
        by = ((low + high) / 2 if middle else low if first else high) - here
        _move(draft, place, axis, by, decimals, message.in_prototype)
    return f"Align {named(message.what)}"


def distribute(draft: Draft, message: Distribute) -> str:
    """Put the middles of objects at equal distances between the outermost ones."""
    places = moved_places(draft, message.what, message.in_prototype)
    if len(places) < 3:
        raise Refused("three objects or more can have equal distances")
    axis = 0 if message.along == "x" else 1
    middles = []
    for place in places:
        box = box_of(draft, place)
        middles.append((box[axis] + box[axis + 2]) / 2)
    order = sorted(range(len(places)), key=lambda i: middles[i])
    low, high = middles[order[0]], middles[order[-1]]
    decimals = length_decimals(draft, message.step) + 1
    for rank, i in enumerate(order):
        by = low + (high - low) * rank / (len(order) - 1) - middles[i]
        _move(draft, places[i], axis, by, decimals, message.in_prototype)
    return f"Distribute {named(message.what)}"


def _move(
    draft: Draft, place: Place, axis: int, by: float, decimals: int, prototype: str | None
) -> None:
    if abs(by) < 0.5 * 10.0**-decimals:
        return
    shift = (by, 0.0) if axis == 0 else (0.0, by)
    move_all(draft, [place], lambda _: shift, decimals, prototype)
