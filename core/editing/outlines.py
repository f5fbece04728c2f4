# SPDX-License-Identifier: MIT
"""The points of a body's polygons and chains, for the tool that moves them."""

from __future__ import annotations

from typing import Any

from ..scene.model import Body

WITH_POINTS = ("polygon", "chain", "segment", "capsule")
"""The keys of shapes whose points the file says."""


def outlines(body: Body) -> list[dict[str, Any]]:
    """Each shape with points of its own: its number, its points in the body, whether closed."""
    return [
        {
            "shape": number,
            "kind": shape.source,
            "points": [list(point) for point in shape.outer or shape.points],
            "closed": shape.kind == "polygon" or shape.loop,
        }
        for number, shape in enumerate(body.shapes)
        if shape.source in WITH_POINTS
    ]
