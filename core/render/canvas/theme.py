# SPDX-License-Identifier: MIT
"""Themes: colours and line widths, and the colour of each body.

The colours of bodies differ in lightness as well as in hue, so that they can be distinguished
by people with red-green colour blindness, and in print.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from ...scene.model import Body, Scene, Shape
from .colors import Color, contrast, mix, parse_color, readable


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of everything without a colour in the scene.

    ``ink`` is for lines and text, ``paper`` the background. Outlines are a body's fill mixed with
    ``edge`` by ``edge_share``; sleeping bodies are mixed with the paper by ``sleep_share``. With a
    ``tint`` all bodies that are not static have that colour, instead of the scene's.
    """

    paper: Color
    ink: Color
    edge: Color
    edge_share: float
    sleep_share: float
    static: Color
    static_edge: Color
    kinematic: Color
    grid: Color
    axis: Color
    quiet: Color  # text and small print
    joint: Color
    rope: Color
    contact: Color
    normal: Color
    velocity: Color
    push: Color
    pull: Color
    slack: Color
    water: Color
    bodies: tuple[Color, ...]
    lines: tuple[Color, ...]  # of plots and charts, to be told apart on the paper
    tint: Color | None = None


LIGHT = Theme(
    paper=parse_color("#f6f4ef"),
    ink=parse_color("#2b3440"),
    edge=parse_color("#1f2a38"),
    edge_share=0.5,
    sleep_share=0.16,
    static=parse_color("#cfccc4"),
    static_edge=parse_color("#98948a"),
    kinematic=parse_color("#8c93a8"),
    grid=parse_color("#e7e4dc"),
    axis=parse_color("#d3cfc4"),
    quiet=parse_color("#7b8290"),
    joint=parse_color("#3b4554"),
    rope=parse_color("#6b6256"),
    contact=parse_color("#c8321f"),
    normal=parse_color("#20242b"),
    velocity=parse_color("#1d6fb8"),
    push=parse_color("#cc3d33"),
    pull=parse_color("#2f6fb5"),
    slack=parse_color("#4d9a60"),
    water=parse_color("#4f9bd059"),
    bodies=tuple(
        parse_color(text)
        for text in (
            "#4f86b8",
            "#e9a24b",
            "#57a893",
            "#d8707c",
            "#e7cf6d",
            "#8675b3",
            "#92c7e3",
            "#a8714d",
        )
    ),
    lines=tuple(
        parse_color(text)
        for text in (
            "#4f86b8",
            "#e9a24b",
            "#57a893",
            "#d8707c",
            "#8675b3",
            "#a8714d",
            "#9c915b",
            "#698ca2",
        )
    ),
)

DARK = Theme(
    paper=parse_color("#1b1f27"),
    ink=parse_color("#e6e9ef"),
    edge=parse_color("#0c0f14"),
    edge_share=0.55,
    sleep_share=0.2,
    static=parse_color("#414957"),
    static_edge=parse_color("#6d7686"),
    kinematic=parse_color("#6a7390"),
    grid=parse_color("#262b35"),
    axis=parse_color("#353c49"),
    quiet=parse_color("#97a0b0"),
    joint=parse_color("#dfe4ec"),
    rope=parse_color("#c9bda6"),
    contact=parse_color("#ff7a66"),
    normal=parse_color("#f0f2f6"),
    velocity=parse_color("#7cc0ff"),
    push=parse_color("#ff6f61"),
    pull=parse_color("#68a9ee"),
    slack=parse_color("#6fce8c"),
    water=parse_color("#3f8fd066"),
    bodies=tuple(
        parse_color(text)
        for text in (
            "#5a9bd4",
            "#f0ad57",
            "#5dbfa6",
            "#e67c89",
            "#efd979",
            "#9c8ad0",
            "#a3d6f0",
            "#c08a63",
        )
    ),
    lines=tuple(
        parse_color(text)
        for text in (
            "#5a9bd4",
            "#f0ad57",
            "#5dbfa6",
            "#e67c89",
            "#9c8ad0",
            "#c08a63",
            "#efd979",
            "#a3d6f0",
        )
    ),
)

BLUEPRINT = Theme(
    paper=parse_color("#1f4e86"),
    ink=parse_color("#e8f1fb"),
    edge=parse_color("#f4f9ff"),
    edge_share=0.92,
    sleep_share=0.16,
    static=parse_color("#2c5f9a"),
    static_edge=parse_color("#a9c9ea"),
    kinematic=parse_color("#3a70ad"),
    grid=parse_color("#2a5a94"),
    axis=parse_color("#3f71ad"),
    quiet=parse_color("#b4d0ee"),
    joint=parse_color("#ffffff"),
    rope=parse_color("#d9e9fa"),
    contact=parse_color("#ffd166"),
    normal=parse_color("#ffffff"),
    velocity=parse_color("#9be7ff"),
    push=parse_color("#ff8f80"),
    pull=parse_color("#8fd0ff"),
    slack=parse_color("#a8e6a1"),
    water=parse_color("#8cc4f559"),
    bodies=tuple(
        parse_color(text)
        for text in (
            "#3b75b5",
            "#5b93cd",
            "#2f66a3",
            "#78a9da",
            "#4a84c1",
            "#93bde6",
        )
    ),
    lines=tuple(
        parse_color(text)
        for text in (
            "#9be7ff",
            "#ffd166",
            "#a8e6a1",
            "#ff8f80",
            "#d9b8ff",
            "#f2a7d5",
            "#ffffff",
            "#d2c08f",
        )
    ),
)

THEMES = {"light": LIGHT, "dark": DARK, "blueprint": BLUEPRINT}
LETTERS_AND_LINES = (
    *("ink", "quiet", "joint", "rope", "contact", "normal", "velocity", "push", "pull", "slack"),
)


def theme_of(scene: Scene, name: str) -> Theme:
    """A theme as a scene has it: on its own background, without paler sleepers where it says so."""
    theme, given = THEMES[name], scene.render.background
    if given is not None and given.color is not None:
        theme = on_paper(theme, (*parse_color(given.color)[:3], 255))
    return theme if scene.render.sleep_fade else replace(theme, sleep_share=0.0)


def on_paper(theme: Theme, paper: Color) -> Theme:
    """The theme on another paper. Letters and lines are darker or brighter where they had less
    contrast with it than with the theme's own, the grid and its axes have the same."""

    def fitted(color: Color) -> Color:
        return readable(color, paper, contrast(color, theme.paper))

    lines: dict[str, Any] = {each: fitted(getattr(theme, each)) for each in LETTERS_AND_LINES}
    grid, axis = (
        readable(paper, paper, contrast(color, theme.paper)) for color in (theme.grid, theme.axis)
    )
    plotted = tuple(map(fitted, theme.lines))
    return replace(theme, paper=paper, grid=grid, axis=axis, lines=plotted, **lines)


def given_color(text: str, scene: Scene, theme: Theme) -> Color:
    """A colour that a scene gives to letters or lines, such that it is read on the paper; as it is
    before an image."""
    background = scene.render.background
    image = background is not None and background.image is not None
    return parse_color(text) if image else readable(parse_color(text), theme.paper)


def muted(color: Color, theme: Theme) -> Color:
    """The colour of a body that sleeps."""
    return mix(color, (*theme.paper[:3], color[3]), theme.sleep_share)


@dataclass(frozen=True, slots=True)
class ShapeLook:
    """The colours of one shape."""

    fill: Color
    outline: Color


def shape_looks(
    scene: Scene, theme: Theme, own: Container[str] | None = None
) -> list[list[ShapeLook]]:
    """The looks of every body's shapes, in the order of ``scene.bodies``.

    A body that is not one of the scene's ``own`` was added while it ran: its place in the order may
    change from frame to frame, so that the colour follows from its name. A piece of a body has the
    colour of that body.

    A colour the scene gives always wins, but in the palette ``categories``, where the colour says
    the category and nothing else. In the palette ``forces`` bodies are quiet: bars are coloured
    frame by frame.
    """
    palette = scene.render.palette
    keys: dict[str, int] = {}
    places: dict[str, int] = {}
    moving = 0
    looks: list[list[ShapeLook]] = []
    for body in scene.bodies.values():
        row: list[ShapeLook] = []
        places[body.name] = moving
        for shape in body.shapes:
            given = None if palette == "categories" else _given_color(body, shape)
            if palette == "categories":
                key = shape.category if shape.category != "default" else body.category
                index = keys.setdefault(key, len(keys))
            elif palette == "materials":
                index = keys.setdefault(shape.material.name, len(keys))
            elif own is None or body.name in own:
                index = moving
            else:
                name = body.piece_of or body.name
                index = places[name] if name in own else crc32(name.encode())
            row.append(_look(body, shape, given, index, scene, theme))
        moving += body.kind == "dynamic"
        looks.append(row)
    return looks


def _given_color(body: Body, shape: Shape) -> str | None:
    """A shape of a compound may have its own colour; otherwise the body's comes first."""
    own = shape.material.color
    if body.color is None:
        return own
    differ = any(other.material.color != own for other in body.shapes)
    return own if own is not None and differ else body.color


def _look(
    body: Body, shape: Shape, given: str | None, index: int, scene: Scene, theme: Theme
) -> ShapeLook:
    line = body.outline or shape.material.outline
    if theme.tint is not None and body.kind != "static":
        return ShapeLook(theme.tint, mix(theme.tint, theme.edge, theme.edge_share))
    if given is not None:
        fill = parse_color(given)
        is_line = shape.kind == "segment" and shape.radius == 0.0
        edge = fill if is_line else mix(fill, (*theme.edge[:3], fill[3]), theme.edge_share)
    elif scene.render.palette == "forces" and body.kind == "dynamic":
        fill, edge = theme.slack, mix(theme.slack, theme.edge, theme.edge_share)
    elif body.kind == "static" and scene.render.palette in ("bodies", "forces"):
        fill, edge = theme.static, theme.static_edge
    elif body.kind == "kinematic" and scene.render.palette in ("bodies", "forces"):
        fill, edge = theme.kinematic, mix(theme.kinematic, theme.edge, theme.edge_share)
    else:
        fill = theme.bodies[index % len(theme.bodies)]
        edge = mix(fill, theme.edge, theme.edge_share)
    return ShapeLook(fill, parse_color(line) if line else edge)
