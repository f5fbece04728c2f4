# SPDX-License-Identifier: MIT
"""Held keys and dragged bodies of all players."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..scene.blocks.world.solver_refusals import drags
from ..scene.model import Body, Scene
from ..scene.values import units
from ..scene.values.portable_math import cos, sin
from ..scene.values.quantity import Quantity
from ..world import World
from ..world.script.player import Grab

STRENGTH = 100.0
"""The largest force of a hand, as a multiple of the weight of what it holds."""
EARTH = 9.81
"""Gravity used for weights in scenes without gravity, in m/s^2."""
_LARGEST_FORCE = Quantity((units.FORCE,)).largest
"""That a file of what was played may say."""
DIGITS = 7
"""Of the numbers that are recorded."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Held:
    """A grip: a body held at a point and pulled to a target, with a largest force."""

    body: str
    point: Point
    target: Point
    force: float


class DragInput:
    """The keys and the drags of all players.

    Attributes:
        grabs: the drag of each player.
    """

    def __init__(self) -> None:
        self.grabs: dict[str, Grab] = {}
        self._keys: dict[str, set[str]] = {}

    def press(self, who: str, key: str) -> bool:
        """Hold a key for a page; whether it was free."""
        holders = self._keys.setdefault(key, set())
        holders.add(who)
        return len(holders) == 1

    def release(self, who: str, key: str) -> bool:
        """Release a key of a page; whether it is free now."""
        holders = self._keys.get(key, set())
        if who not in holders:
            return False
        holders.discard(who)
        return not holders

    def keys_of(self, who: str) -> list[str]:
        return [key for key, holders in self._keys.items() if who in holders]

    def all(self) -> list[str]:
        """All players with a held key or a drag."""
        found = {who: None for holders in self._keys.values() for who in sorted(holders)}
        return [*{**found, **dict.fromkeys(self.grabs)}]

    @property
    def keys(self) -> list[str]:
        """The keys that are held."""
        return [key for key, holders in self._keys.items() if holders]

    @staticmethod
    def rounded(point: Point) -> Point:
        x, y = point
        return _rounded(x), _rounded(y)

    def find(self, world: World, point: Point, reach: float) -> Held | None:
        """The body that can be dragged at a point: the front one of several."""
        names = world.query.overlap_point(point)
        if reach > 0.0 and not _dynamic(world, names):
            names = world.query.overlap_circle(point, reach)
        bodies = _dynamic(world, names)
        if not bodies:
            return None
        body = max(bodies, key=lambda each: each.z)  # of the same, the first is as good
        handle = world[body.name]
        dx, dy = point[0] - handle.x, point[1] - handle.y
        c, s = cos(handle.angle), sin(handle.angle)
        local = _rounded(c * dx + s * dy), _rounded(c * dy - s * dx)
        force = min(STRENGTH * _weight(world, handle.mass), _LARGEST_FORCE)
        return Held(body.name, local, self.rounded(point), _rounded(force))


def can_pull(scene: Scene | None) -> bool:
    """Whether bodies can be dragged: not every textbook solver knows mice."""
    return scene is not None and drags(scene.world.solver.kind)


def _dynamic(world: World, names: list[str]) -> list[Body]:
    bodies = world.roster.bodies
    return [bodies[name] for name in names if name != "world" and world[name].type == "dynamic"]


def _weight(world: World, mass: float) -> float:
    """The weight of a mass, in the units of the scene."""
    scene = world.roster.scene
    second = scene.units.time_per_second
    x, y = scene.world.gravity
    gravity = math.sqrt(x * x + y * y)
    return mass * max(gravity, EARTH * scene.world.length_unit / (second * second))


def _rounded(number: float) -> float:
    """As many digits as are recorded."""
    return float(f"{number:.{DIGITS}g}")
