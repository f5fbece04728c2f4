"""The themes' colours, as the page takes them."""

from __future__ import annotations

from dataclasses import fields

from ..render.background import Background
from ..render.theme import THEMES, shape_looks
from ..scene.model import Scene


def themes(scene: Scene) -> dict[str, dict[str, object]]:
    """By theme: colours by their names, how much sleepers fade, which of the fills a body has."""
    found: dict[str, dict[str, object]] = {}
    given = scene.render.background
    for name, theme in THEMES.items():
        colors: dict[str, object] = {
            field.name: _written(getattr(theme, field.name))
            for field in fields(theme)
            if field.name not in ("bodies", "edge_share", "sleep_share")
        }
        if given is not None and given.color is not None:
            colors["paper"] = _written(Background.color(given.color))
        fills = [_written(looks[0].fill) if looks else "" for looks in shape_looks(scene, theme)]
        distinct = {fill: place for place, fill in enumerate(dict.fromkeys(fills))}
        colors |= {"fills": list(distinct), "fillOf": [distinct[fill] for fill in fills]}
        found[name] = colors | {"sleep_share": theme.sleep_share}
    return found


def _written(color: tuple[int, int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in color)
