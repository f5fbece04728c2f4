# SPDX-License-Identifier: MIT
"""Puts an image onto a body, and moves, turns, scales and mirrors it there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .messages import Texture
from .moving import named, places_of
from .numbers import (
    Amount,
    angle_decimals,
    angle_of,
    change_number,
    change_point,
    length_decimals,
    settle,
)
from .place import Place, Point
from .text.draft import Draft
from .text.style import MOST, rounded
from .text.texts import Refused
from .values import body_of, order_of, turned

_OF_MANY = (
    *("sheet", "grid", "fps", "loop", "frame"),
    *("scene", "start", "duration", "speed", "pixels"),
)
"""Fields of sheets and of scenes, which a texture of one picture has not."""


def texture(draft: Draft, message: Texture) -> str:
    """Change the texture of a body; the words for it."""
    places = places_of(draft, message.what, message.in_prototype)
    for place in places:
        if place.section != "bodies":
            raise Refused(f"{place.address} has no texture")
        _change(draft, place, message)
        draft.flush()
    return f"Texture of {named(message.what)}"


def _change(draft: Draft, place: Place, message: Texture) -> None:
    path = settle(draft, place.file, (*place.path, "texture"), f"{place.address}.texture")
    place = replace(place, path=path[:-1])
    node = draft.node(place.file, path)
    if message.file is not None:
        if node is None:
            draft.put(place.file, place.path, "texture", message.file, order_of("bodies"))
        elif node.kind == "map":
            draft.put(place.file, path, "file", message.file, ("file",))
            for key in _OF_MANY:
                if node.get(key) is not None:
                    draft.remove(place.file, (*path, key))
        else:
            draft.replace(place.file, path, message.file)
    moves = message.move, message.turn, message.scale, message.mirror
    if not message.fields and all(each is None for each in moves):
        return
    node = draft.node(place.file, path)
    if node is None and message.fields.get("sheet"):
        draft.put(
            place.file,
            place.path,
            "texture",
            {"sheet": message.fields["sheet"]},
            order_of("bodies"),
        )
        node = draft.need(place.file, path)
    if node is None:
        raise Refused(f"{place.address} has no texture; give it a `file`")
    if node.kind == "scalar" and isinstance(node.value, str):  # the short form
        draft.splice(place.file, node.content, node.end, f"{{file: {node.source}}}")
    elif node.kind != "map":
        raise Refused(f"the texture of {place.address} is said elsewhere")
    decimals = length_decimals(draft, message.step) + 1
    if message.move is not None:
        _move(draft, place, message.move, decimals)
    if message.turn is not None:
        amount = Amount(angle_of(draft, message.turn), 1.0, angle_decimals(draft))
        change_number(draft, place, ("texture", "angle"), amount, 0.0)
    if message.scale is not None:
        if not all(each > 0 for each in message.scale):
            raise Refused("a factor is greater than 0; `mirror` reflects")
        width, height = _size(draft, place)
        amounts = [Amount(0.0, each, decimals) for each in message.scale]
        change_point(draft, place, ("texture", "size"), amounts, (width, height))
    draft.flush()
    if message.mirror is not None:
        _mirror(draft, place, message.mirror)
    for key, value in message.fields.items():
        if value is None:
            if draft.node(place.file, (*path, key)) is not None:
                draft.remove(place.file, (*path, key))
        else:
            draft.put(place.file, path, key, _plain(value))


def _plain(value: Any) -> Any:
    return rounded(value, MOST)


def _move(draft: Draft, place: Place, by: Point, decimals: int) -> None:
    body = body_of(draft, place)
    local = turned(by, -body.angle)
    left, low, right, high = _box(draft, place)
    default = (left + right) / 2, (low + high) / 2
    amounts = [Amount(local[i], 1.0, decimals) for i in (0, 1)]
    change_point(draft, place, ("texture", "offset"), amounts, default)


def _box(draft: Draft, place: Place) -> tuple[float, float, float, float]:
    """The box around the shapes of a body, in its coordinates."""
    body = body_of(draft, place)
    xs: list[float] = []
    ys: list[float] = []
    for shape in body.shapes:
        if shape.kind == "half_space":
            raise Refused("a half-space has no texture")
        radius = 0.0 if shape.outer else shape.radius
        for x, y in shape.outer or shape.points:
            xs += [x - radius, x + radius]
            ys += [y - radius, y + radius]
    if not xs:
        raise Refused(f"{place.address} has no shape")
    return min(xs), min(ys), max(xs), max(ys)


def _size(draft: Draft, place: Place) -> Point:
    left, low, right, high = _box(draft, place)
    return right - left, high - low


def _mirror(draft: Draft, place: Place, axis: str) -> None:
    path = (*place.path, "texture")
    now = draft.node(place.file, (*path, "mirror"))
    if now is None:
        draft.put(place.file, path, "mirror", axis)
    elif now.value == axis:
        draft.remove(place.file, (*path, "mirror"))
    else:  # both are half a turn
        draft.remove(place.file, (*path, "mirror"))
        half = angle_of(draft, 180.0)
        amount = Amount(half, 1.0, angle_decimals(draft))
        change_number(draft, place, ("texture", "angle"), amount, 0.0)
        draft.flush()
