# SPDX-License-Identifier: MIT
"""Colours of the themes, encoded for the page."""

from __future__ import annotations

from ..render.canvas.colors import Color
from ..render.canvas.theme import THEMES, shape_looks, theme_of
from ..scene.model import Scene

COLORS = (
    *("paper", "ink", "grid", "axis", "quiet"),
    *("contact", "normal", "velocity", "push", "pull"),
)
"""The colours that the page draws with."""


def themes(scene: Scene) -> dict[str, dict[str, object]]:
    """By theme: colours by their names, how much sleepers fade, which of the fills a body has."""
    found: dict[str, dict[str, object]] = {}
    for name in THEMES:
        theme = theme_of(scene, name)
        colors: dict[str, object] = {each: written(getattr(theme, each)) for each in COLORS}
        fills = [written(looks[0].fill) if looks else "" for looks in shape_looks(scene, theme)]
        distinct = {fill: place for place, fill in enumerate(dict.fromkeys(fills))}
        colors["lines"] = [written(color) for color in theme.lines]
        colors |= {"fills": list(distinct), "fillOf": [distinct[fill] for fill in fills]}
        found[name] = colors | {"sleep_share": theme.sleep_share}
    return found


def written(color: Color) -> str:
    """A colour as a page takes it."""
    return "#" + "".join(f"{part:02x}" for part in color)
