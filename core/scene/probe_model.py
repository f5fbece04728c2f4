# SPDX-License-Identifier: MIT
"""Probes of a scene as plain data: rays, overlaps and velocities that its expressions read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..frozen import frozen
from .action_model import Live

if TYPE_CHECKING:
    from .object_model import Shape

ProbeKind = Literal["ray", "shape", "velocity"]

PROBE_STATES: dict[ProbeKind, tuple[str, ...]] = {
    "ray": ("hit", "distance", "x", "y", "normal_x", "normal_y"),
    "shape": ("hit", "count", "x", "y"),
    "velocity": ("vx", "vy", "speed", "x", "y"),
}
"""The readings of a probe, by its kind."""
PROBE_SUMMARY: dict[ProbeKind, tuple[str, ...]] = {
    "ray": ("hit", "distance"),
    "shape": ("count",),
    "velocity": ("vx", "vy"),
}
"""Those that a record has of a probe alone."""
FOUND = ("bodies", "tags", "groups")
"""Sections of names of what was found: ``eye.tags.wall`` is how many of the bodies have the tag."""


@frozen
class Probe:
    """A question that is asked of the world at each moment.

    Attributes:
        at: the begin of a ray, the place of a shape, the point of a body.
        to: the end of a ray.
        angle: of a shape.
        shape: of which it is asked what overlaps it.
        body: whose velocity it is.
        frame: the body in whose coordinates the others are; empty for the world.
        ignore: the bodies that are not found; ``tags.NAME`` are all with a tag.
        only: the bodies that are found, likewise; empty for all.
        categories: of the shapes that are found; empty for all.
    """

    name: str
    kind: ProbeKind
    at: Live = (0.0, 0.0)
    to: Live = (0.0, 0.0)
    angle: Live = 0.0
    shape: Shape | None = None
    body: str = ""
    frame: str = ""
    ignore: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
