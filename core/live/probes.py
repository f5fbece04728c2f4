# SPDX-License-Identifier: MIT
"""Probes of a scene for a live page, which draws their findings by the engine's readings
(``run_probes.js``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..compiled.readings import Readings
from ..scene.action_model import Formula, Live
from ..scene.model import Scene
from ..scene.probe_model import Probe
from ..world.building.primitives import convex_pieces

READ = {
    "ray": ("hit", "x", "y", "normal_x", "normal_y"),
    "shape": ("hit",),
    "velocity": ("x", "y", "vx", "vy"),
}
"""The readings that are drawn of each kind."""


def sources_of(scene: Scene) -> Iterator[str]:
    """The expressions that a live page needs of probes."""
    for each in scene.probes.values():
        yield from _sources(each)


def _sources(probe: Probe) -> Iterator[str]:
    yield from (f"{probe.name}.{part}" for part in READ[probe.kind])
    for value in (*_pair(probe.at), *_pair(probe.to), probe.angle):
        if isinstance(value, Formula):
            yield value.source


def probes_of(scene: Scene, readings: Readings) -> tuple[list[dict[str, Any]], list[str]]:
    """The probes that a live page draws, and the places of the others."""
    places = readings.places
    slots = {name: slot for slot, name in enumerate(scene.bodies, 1)}

    def live(value: Live) -> Any:
        return {"place": places[value.source]} if isinstance(value, Formula) else value

    found, left_out = [], []
    for name, probe in scene.probes.items():
        if not all(source in places for source in _sources(probe)):
            left_out.append(f"probes.{name}")
            continue
        shape = probe.shape
        pieces = [] if shape is None else list(convex_pieces(shape))
        found.append(
            {
                "kind": probe.kind,
                "at": [live(part) for part in _pair(probe.at)],
                "to": [live(part) for part in _pair(probe.to)],
                "angle": live(probe.angle),
                "frame": slots.get(probe.frame, 0),
                "body": slots.get(probe.body, 0),
                "read": [places[f"{name}.{part}"] for part in READ[probe.kind]],
                "pieces": [[[float(x), float(y)] for x, y in piece] for piece in pieces],
                "radius": 0.0 if shape is None else shape.radius,
            }
        )
    return found, left_out


def _pair(value: Live) -> tuple[Live, ...]:
    return value if isinstance(value, tuple) else (value,)
