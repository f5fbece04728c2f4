# SPDX-License-Identifier: MIT
"""Probes: rays, overlaps and velocities of a running world, which its expressions read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from weakref import proxy

import numpy as np

from ..record.frame import Sight
from ..scene.action_model import TAGGED, Formula, Live
from ..scene.model import Point
from ..scene.probe_model import Probe
from ..scene.values.expression import ExpressionError
from ..scene.values.portable_math import cos, hypot, sin
from .building.primitives import convex_pieces
from .naming.ids import slot_of
from .naming.parts import WorldParts
from .script.failure_messages import failure
from .script.formulas import Sampled

EVERYTHING = (1 << 64) - 1
"""The mask of all categories."""


class Probes:
    """The probes of one world; each reading is of its present moment."""

    def __init__(self, world: WorldParts) -> None:
        self._world: WorldParts = proxy(world)  # which owns it
        self._formulas: dict[str, Sampled] = {}
        self._filters: dict[str, Filter] = {}

    def fork(self, world: WorldParts) -> Probes:
        """The same for another world."""
        return Probes(world)

    def value(self, name: str, quantity: str) -> float:
        """One present reading of a probe."""
        probe = self._world.roster.scene.probes[name]
        return _reading(self._world, probe, self.sight(probe), quantity)

    def sights(self) -> tuple[Sight, ...]:
        """The present findings of all probes."""
        return tuple([self.sight(each) for each in self._world.roster.scene.probes.values()])

    def sight(self, probe: Probe) -> Sight:
        """The present findings of a probe; empty after the removal of its body."""
        if not (self._is_there(probe.frame) and self._is_there(probe.body)):
            return Sight(probe.kind)
        if probe.kind == "ray":
            return self._ray(probe)
        return self._overlap(probe) if probe.kind == "shape" else self._velocity(probe)

    def _is_there(self, body: str) -> bool:
        roster = self._world.roster
        return not body or (body in roster.ids and self._world.native.has_body(roster.ids[body]))

    # ------------------------------------------------------------ the three kinds

    def _ray(self, probe: Probe) -> Sight:
        pose = self._pose(probe.frame)
        start, end = (_placed(self._number(each), pose) for each in (probe.at, probe.to))
        along = end[0] - start[0], end[1] - start[1]
        wanted = self._filter(probe)
        if along != (0.0, 0.0):
            names = self._world.roster.body_name
            for body, _, _, x, y, nx, ny in self._world.native.ray_hits(start, along, wanted.mask):
                if wanted.takes(name := names(body)):
                    return Sight("ray", (start, end), hit=((x, y), (nx, ny)), bodies=(name,))
        return Sight("ray", (start, end))

    def _overlap(self, probe: Probe) -> Sight:
        x, y, turn = self._pose(probe.frame)
        place = _placed(self._number(probe.at), (x, y, turn))
        angle = turn + self._number(probe.angle)
        native, wanted = self._world.native, self._filter(probe)
        found: set[int] = set()
        pieces = []
        assert probe.shape is not None
        for points in convex_pieces(probe.shape):
            corners = [_placed(point, (0.0, 0.0, angle)) for point in points]
            table, radius = np.array(corners, np.float64), probe.shape.radius
            shapes = native.overlap_convex(table, radius, place, wanted.mask)
            found.update(shapes.reshape(-1, 2)[:, 0].tolist())
            there = tuple([(place[0] + cx, place[1] + cy) for cx, cy in corners])
            pieces.append((there, radius))
        names = map(self._world.roster.body_name, sorted(found))
        bodies = tuple([name for name in names if wanted.takes(name)])
        return Sight("shape", (place,), tuple(pieces), bodies=bodies)

    def _velocity(self, probe: Probe) -> Sight:
        native = self._world.native
        slot = slot_of(self._world.roster.ids[probe.body])
        place = _placed(self._number(probe.at), self._pose(probe.frame))
        cx, cy = _placed(native.center_of_mass(slot), self._pose(probe.body))
        spin = float(native.omega[slot])
        vx = float(native.vx[slot]) - spin * (place[1] - cy)
        vy = float(native.vy[slot]) + spin * (place[0] - cx)
        return Sight("velocity", (place,), bodies=(probe.body,), velocity=(vx, vy))

    # ------------------------------------------------------------ values

    def _pose(self, body: str) -> tuple[float, float, float]:
        if not body:
            return (0.0, 0.0, 0.0)
        native, slot = self._world.native, slot_of(self._world.roster.ids[body])
        return float(native.x[slot]), float(native.y[slot]), float(native.angle[slot])

    def _number(self, value: Live) -> Any:
        """The value, with the present numbers of its formulas."""
        if isinstance(value, tuple):
            return tuple([self._number(each) for each in value])
        if not isinstance(value, Formula):
            return value
        sampled = self._formulas.get(value.source)
        if sampled is None:
            sampled = self._formulas[value.source] = Sampled(self._world, [value.source])
        try:
            result = sampled.expressions[0].evaluate(sampled.values(self._world, self._state()))
        except (ExpressionError, ArithmeticError, ValueError) as error:
            raise failure(self._world, value.path, str(error)) from None
        if not value.low <= result <= value.high:
            message = f"gives {result:.12g}, which is not between {value.low:g} and {value.high:g}"
            raise failure(self._world, value.path, message)
        return float(result)

    def _state(self) -> dict[str, float]:
        world = self._world
        return world.state if world.script is not None else dict(world.roster.scene.state)

    def _filter(self, probe: Probe) -> Filter:
        found = self._filters.get(probe.name)
        if found is None:
            found = self._filters[probe.name] = Filter(self._world, probe)
        return found


class Filter:
    """Which bodies a probe finds.

    Attributes:
        mask: a bit for each category.
    """

    def __init__(self, world: WorldParts, probe: Probe) -> None:
        self._world = world
        known = world.roster.scene.collision.categories
        self.mask = EVERYTHING
        if probe.categories:
            self.mask = sum({1 << known.index(name) for name in probe.categories})
        self._ignored, self._ignored_tags = _names_and_tags(probe.ignore)
        self._only, self._only_tags = _names_and_tags(probe.only)
        self._all = not probe.only

    def takes(self, name: str) -> bool:
        """Whether a body is found."""
        tags = self._world.roster.bodies[name].tags
        if name in self._ignored or not self._ignored_tags.isdisjoint(tags):
            return False
        return self._all or name in self._only or not self._only_tags.isdisjoint(tags)


def _names_and_tags(names: Iterable[str]) -> tuple[set[str], set[str]]:
    tags = {name.removeprefix(TAGGED) for name in names if name.startswith(TAGGED)}
    return {name for name in names if not name.startswith(TAGGED)}, tags


def _placed(point: Point, pose: tuple[float, float, float]) -> Point:
    """A point of a body in the world."""
    x, y, angle = pose
    if angle == 0.0:
        return x + point[0], y + point[1]
    c, s = cos(angle), sin(angle)
    return x + (c * point[0] - s * point[1]), y + (s * point[0] + c * point[1])


def _reading(world: WorldParts, probe: Probe, sight: Sight, quantity: str) -> float:
    if quantity == "hit":
        return float(bool(sight.bodies))
    if quantity == "count":
        return float(len(sight.bodies))
    section, dot, name = quantity.partition(".")
    if dot:
        return float(sum(_is_of(world, each, section, name) for each in sight.bodies))
    if not sight.ends:
        return 0.0
    place = sight.ends[-1] if sight.hit is None else sight.hit[0]
    if quantity in ("x", "y"):
        return place[quantity == "y"]
    if quantity.startswith("normal"):
        return 0.0 if sight.hit is None else sight.hit[1][quantity == "normal_y"]
    if quantity == "distance":
        return hypot(place[0] - sight.ends[0][0], place[1] - sight.ends[0][1])
    vx, vy = sight.velocity
    return {"vx": vx, "vy": vy}.get(quantity, hypot(vx, vy))


def _is_of(world: WorldParts, body: str, section: str, name: str) -> bool:
    """Whether a body is the one of a name, or one of a generator, an instance, a group or a tag."""
    if section == "tags":
        return name in world.roster.bodies[body].tags
    if section == "groups":
        return body in world.roster.scene.groups[name]
    return body == name or body.startswith((f"{name}.", f"{name}["))
