# SPDX-License-Identifier: MIT
"""Fields that exclude each other: one that is set takes the place of the others."""

from __future__ import annotations

from ..scene.blocks.bodies.shape_types import SHAPE_TYPES
from .text.nodes import Path

OF_ENTRIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "bodies": (("mass", "density"), ("shape", "shapes")),
    "joints": (("anchor", "anchors"),),
    "animations": (("duration", "steps"),),
}
"""By the section of an object."""
OF_FIELDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "world": (("duration", "steps"),),
    "motor": (("speed", "position"),),
    "shape": (tuple(SHAPE_TYPES),),
}
"""By the key of the mapping that they are in."""
SPRING = (("frequency", "damping_ratio"), ("stiffness", "damping"))
"""Of a spring one of these pairs is given."""


def excluded(path: Path) -> tuple[str, ...]:
    """The keys beside the last one of a path that cannot be given together with it."""
    *above, key = path
    within = str(above[-1]) if above and isinstance(above[-1], str) else ""
    section = str(above[-2]) if len(above) > 1 else ""
    if within == "spring":
        return next((other for own, other in (SPRING, SPRING[::-1]) if key in own), ())
    groups = OF_ENTRIES.get(section, ()) + OF_FIELDS.get(
        "shape" if section == "shapes" else within, ()
    )
    return tuple(each for group in groups if key in group for each in group if each != key)
