# SPDX-License-Identifier: MIT
"""Bodies as display items in body coordinates, made once per scene and scale."""

from __future__ import annotations

from itertools import pairwise

from ...scene.model import Body, Point, Scene, Shape, Texture
from ..canvas.colors import fade, luma, mix
from ..canvas.display import WORLD, Items, Layer
from ..canvas.textures import Textures, place, tint
from ..canvas.theme import ShapeLook
from .outlines import border, inner_radius, one_way_around, rims, turning, within

DARK = 70.0
"""On a fill darker than this the mark of a disc is drawn light."""
OUTLINE = 1.3
"""Width of a body's outline at the picture size ``unit`` 1, in pixels."""
CHAIN_LINE = 1.2
"""Half the width of a chain's line, likewise."""
SEGMENT_LINE = 1.1
"""The least that half the width of a segment's is, likewise."""
THINNEST = 0.2
"""An outline is at most this share of how far the edge is from the middle of its shape."""


LOWEST = -1e300
"""The place in painter's order of the quiet sides of chains."""


def order_of(body: Body, row: int) -> tuple[float, float]:
    """The place of a body in painter's order."""
    texture = body.texture
    return (body.z if texture is None or texture.z is None else texture.z, float(row))


def body_layers(
    body: Body,
    row: int,
    looks: list[ShapeLook],
    scene: Scene,
    scale: float,
    unit: float,
    textures: Textures,
) -> list[Layer]:
    """The body itself, and below everything the quiet sides of its chains."""
    sleeper = row if body.kind == "dynamic" else WORLD
    if body.texture is not None:
        picture = Layer(order_of(body, row), needs=(row, WORLD), sleeper=sleeper)
        picture.aim = _aim(body.texture, scene)
        _add_texture(picture, body, body.texture, looks, scene, scale, unit, textures)
        picture.own(row)
        return [picture]
    solid = Layer(order_of(body, row), needs=(row, WORLD), sleeper=sleeper)
    layers = [solid]
    for shape, look in zip(body.shapes, looks, strict=True):
        if shape.kind == "chain":
            below = Layer((LOWEST, float(row)), needs=(row, WORLD), sleeper=sleeper)
            _add_quiet_side(below, body, shape, look, scene, unit)
            below.own(row)
            layers.append(below)
        _add_shape(solid, body, shape, look, scale, unit)
    solid.own(row)
    return layers


def _aim(texture: Texture, scene: Scene) -> tuple[int, int] | None:
    """The rows of the bodies along which a picture lies, if both are there."""
    if not texture.along:
        return None
    rows = {name: row for row, name in enumerate(scene.bodies)}
    first, second = (rows.get(name) for name in texture.along)
    return None if first is None or second is None else (first, second)


def _add_texture(
    layer: Layer,
    body: Body,
    texture: Texture,
    looks: list[ShapeLook],
    scene: Scene,
    scale: float,
    unit: float,
    textures: Textures,
) -> None:
    """The picture, and round the shapes an outline where the body has one of its own."""
    quad, (width, height) = place(texture, body, scene.units.y_down)
    sprite = textures.sprite(texture, (width * scale, height * scale))
    if texture.clip is not None:
        for part in texture.clip:
            around = part if texture.tile else within(part, quad)
            if len(around) > 2:
                layer.add_sprite([*quad, *around], tint(texture), sprite)
    elif not texture.tile:
        layer.add_sprite(quad, tint(texture), sprite)
    for shape, look in zip(body.shapes, looks, strict=True):
        around = one_way_around(shape) if shape.kind != "chain" else ground(body, shape, scene)
        if texture.tile and texture.clip is None and around and not shape.sensor:
            radius = max(shape.radius * scale, 0.5 if shape.kind == "segment" else 0.0)
            holes = bool(shape.holes)
            layer.add_sprite([*quad, *around], tint(texture), sprite, radius, holes)
        if body.outline is not None:
            ends = shape.kind == "segment" or (shape.kind == "chain" and not shape.loop)
            kind = "path" if ends else "loop"
            for rim in rims(shape):
                layer.items.add(kind, rim, look.outline, radius=0.5 * OUTLINE * unit)


def _add_shape(
    layer: Layer, body: Body, shape: Shape, look: ShapeLook, scale: float, unit: float
) -> None:
    items, radius = layer.items, shape.radius * scale
    if shape.kind == "half_space":
        fill = fade(look.fill, 0.18) if shape.sensor else look.fill
        line = OUTLINE * unit
        items.add("half_plane", border(shape), fill, outline=line, stroke=look.outline)
    elif shape.sensor:
        _add_sensor(items, shape, look, radius, unit)
    elif shape.kind == "chain":
        kind = "loop" if shape.loop else "path"
        items.add(kind, shape.points, look.outline, radius=CHAIN_LINE * unit)
    elif shape.kind == "segment" and radius < SEGMENT_LINE * unit:
        items.add("path", shape.points, look.outline, radius=SEGMENT_LINE * unit)
    else:
        line = min(OUTLINE * unit, THINNEST * inner_radius(shape) * scale)
        kind = {"circle": "circle", "polygon": "polygon"}.get(shape.kind, "path")
        items.add(
            kind,
            one_way_around(shape),
            look.fill,
            radius=radius,
            outline=line,
            stroke=look.outline,
            c=1.0 if shape.holes else 0.0,
        )
        if shape.kind == "circle" and body.kind != "static":
            _add_mark(items, shape, look, scale, line)


def _add_mark(items: Items, shape: Shape, look: ShapeLook, scale: float, line: float) -> None:
    """A spoke, which shows a disc turning."""
    (center,) = shape.points
    radius = shape.radius * scale
    if radius < 2.5:
        return
    tip = (center[0] + 0.66 * shape.radius, center[1])
    dark = luma(look.fill) < DARK
    color = mix(look.fill, (255, 255, 255, 255), 0.5) if dark else look.outline
    items.add("path", [center, tip], fade(color, 0.8), radius=max(0.62 * line, 0.4))


def _add_sensor(items: Items, shape: Shape, look: ShapeLook, radius: float, unit: float) -> None:
    clear = fade(look.fill, 0.18)
    if shape.kind in ("circle", "polygon"):
        c = 1.0 if shape.holes else 0.0
        items.add(shape.kind, one_way_around(shape), clear, radius=radius, c=c)
    elif shape.kind == "capsule":
        items.add("path", shape.points, clear, radius=radius)
    closed = shape.kind != "segment" and (shape.kind != "chain" or shape.loop)
    for rim in rims(shape):
        items.add(
            "loop" if closed else "path",
            rim,
            look.outline,
            radius=0.6 * unit,
            a=5.0 * unit,
            b=4.0 * unit,
        )


def _add_quiet_side(
    layer: Layer, body: Body, shape: Shape, look: ShapeLook, scene: Scene, unit: float
) -> None:
    """Fill the side of a chain that nothing collides with, or hatch it where that is in doubt."""
    if shape.side == "both" or shape.sensor:
        return
    below = ground(body, shape, scene)
    if below:
        layer.items.add("polygon", below, look.fill)
        return
    points = shape.points
    layer.items.add(
        "hatch",
        [*points, points[0]] if shape.loop else points,
        fade(look.outline, 0.7),
        radius=0.55 * unit,
        a=7.0 * unit,
        b=8.0 * unit,
        c=1.0 if shape.side == "left" else -1.0,
    )


def ground(body: Body, shape: Shape, scene: Scene) -> list[Point]:
    """The polygon on the side of a chain that nothing collides with; none where it is in doubt."""
    if shape.side == "both" or shape.sensor:
        return []
    # On the screen, with y down, what lies right of +x is +y.
    to_right = shape.side == "left"
    points = list(shape.points)
    if shape.loop:
        turn = turning(points) * (1.0 if scene.units.y_down else -1.0)
        # Going round clockwise on the screen, the inside is on the right.
        return points if (turn > 0.0) == to_right else []
    if body.angle == 0.0 and body.kind == "static" and _runs_along_x(points):
        rightwards = points[-1][0] > points[0][0]
        return _down_to_depth(points, scene) if rightwards == to_right else []
    return []


def _runs_along_x(points: list[Point]) -> bool:
    steps = [b[0] - a[0] for a, b in pairwise(points)]
    return all(step >= 0.0 for step in steps) or all(step <= 0.0 for step in steps)


def _down_to_depth(points: list[Point], scene: Scene) -> list[Point]:
    """The ground under a line: its points, and far below its ends."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    deep = 100.0 * (max(xs) - min(xs) + max(ys) - min(ys))
    bottom = max(ys) + deep if scene.units.y_down else min(ys) - deep
    return [*points, (points[-1][0], bottom), (points[0][0], bottom)]
