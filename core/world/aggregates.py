# SPDX-License-Identifier: MIT
"""Aggregates over the existing bodies of a tag or a group: ``tags.piece.mass``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, pi, sqrt

import numpy as np

from .. import _native
from ..record.channels import Channel
from ..scene.model import Body, Point, Shape
from ..scene.values.polygon import signed_area
from ..scene.values.portable_math import cos, hypot, sin
from ..scene.values.state_words import BOX_STATES
from .naming.ids import slot_of
from .naming.parts import WorldParts

_SPRINGS = np.array([[_native.CHANNELS["world.spring_energy"][0], 0]], np.int32)


def tally(world: WorldParts, channel: Channel) -> float:
    """Evaluate a channel that the engine lacks, such as an aggregate over a tag or a group.

    Sums are rounded once, independent of the order; the value without bodies is 0.
    """
    if channel.kind == "probe":
        return world.probes.value(channel.owner, channel.quantity)
    if channel.kind == "camera":
        return world.view.value(channel.quantity)
    if channel.kind == "actuator":
        actuators, name = world.actuators, channel.owner
        known = name in actuators.definitions and not actuators.is_gone(name)
        return float(known and actuators.get(name).enabled)
    if channel.kind == "world":
        return energy_sum(world, channel.quantity)
    roster, native = world.roster, world.native
    there = [name for name in members(world, channel) if native.has_body(roster.ids[name])]
    gathered = Gathered(world, channel, there)
    if not (there and len(gathered.codes)):
        return gathered.value(there, ())
    rows = native.sample(gathered.codes).reshape(len(there), -1)
    return gathered.value(there, rows.tolist())


def energy_sum(world: WorldParts, quantity: str) -> float:
    """An energy of the world that includes that of fields."""
    fields = world.actuators.field_energy(world.step_count)
    if quantity == "field_energy":
        return fields
    springs = float(world.native.sample(_SPRINGS)[0])
    kinetic, potential = world.native.energy()
    stored = fsum((potential, springs, fields))
    return stored if quantity == "stored_energy" else kinetic + stored


def members(world: WorldParts, channel: Channel) -> list[str]:
    """The bodies of a tag or a group, including removed ones."""
    roster = world.roster
    if channel.kind == "body":
        return [channel.owner] if channel.owner in roster.ids else []
    if channel.kind == "tag":
        return [*roster.tagged.get(channel.owner, {})]
    return [name for name in roster.scene.groups[channel.owner] if name in roster.ids]


class Gathered:
    """The quantities of bodies that a channel needs, and their aggregate.

    Attributes:
        needs: the body's quantities that are read.
        codes: [bodies * needs, 2] where the engine has them.
    """

    def __init__(self, world: WorldParts, channel: Channel, names: Sequence[str]) -> None:
        self._world, self._quantity = world, channel.quantity
        self._over, self.needs = needs_of(channel.quantity)
        slots = world.roster.index(names)
        codes = [_native.CHANNELS[f"body.{each}"][0] for each in self.needs]
        rows = [(code, slots[name]) for name in names for code in codes]
        self.codes = np.array(rows, np.int32).reshape(-1, 2)

    def value(self, names: Sequence[str], rows: Sequence[Sequence[float]]) -> float:
        """The aggregate over existing bodies, from the values read for each."""
        quantity = self._quantity
        if quantity == "count":
            return float(len(names))
        if not names:
            return 0.0
        if quantity == "area":
            return fsum(area_of(self._world.roster.bodies[name]) for name in names)
        if quantity.startswith("momentum"):
            x, y = (fsum(row[0] * row[axis] for row in rows) for axis in (1, 2))
            return {"momentum_x": x, "momentum_y": y}.get(quantity, hypot(x, y))
        if quantity in BOX_STATES:
            return self._side(names, rows)
        if quantity.startswith("center"):
            return self._center(names, rows, quantity[-1])
        return _OVER[self._over]([row[0] for row in rows])

    def _side(self, names: Sequence[str], rows: Sequence[Sequence[float]]) -> float:
        """A side of the bounding box of all shapes, named as on the screen."""
        axis = 0 if self._quantity in ("left", "right") else 1
        down = self._world.roster.scene.units.y_down
        sign = 1.0 if self._quantity in ("right", "bottom" if down else "top") else -1.0
        sides: list[float] = []
        for name, (*place, angle) in zip(names, rows, strict=True):
            c, s = cos(angle), sin(angle)
            along = ((c, -s), (s, c))[axis]
            for shape in self._world.roster.bodies[name].shapes:
                ends = [sign * (along[0] * x + along[1] * y) for x, y in shape.points]
                sides += [sign * place[axis] + max(ends) + shape.radius] if ends else []
        return sign * max(sides) if sides else 0.0

    def _center(self, names: Sequence[str], rows: Sequence[Sequence[float]], axis: str) -> float:
        """The centre of mass of the bodies; 0 without mass."""
        moments, masses = [], []
        for name, (mass, x, y, angle) in zip(names, rows, strict=True):
            if mass == 0.0:
                continue
            index = slot_of(self._world.roster.ids[name])
            cx, cy = self._world.native.center_of_mass(index)
            if cx != 0.0 or cy != 0.0:
                c, s = cos(angle), sin(angle)
                x, y = x + (c * cx - s * cy), y + (s * cx + c * cy)
            moments.append(mass * (x if axis == "x" else y))
            masses.append(mass)
        return fsum(moments) / fsum(masses) if masses else 0.0


def needs_of(quantity: str) -> tuple[str, tuple[str, ...]]:
    """The kind of an aggregate, and the quantities of each body that it reads."""
    over, _, state = quantity.partition(".")
    if quantity in ("count", "area"):
        return quantity, ()
    if quantity in _NEEDS:
        return quantity, _NEEDS[quantity]
    return (over, (state,)) if over in _OVER else ("sum", (quantity,))


def _mean(numbers: Sequence[float]) -> float:
    return fsum(numbers) / len(numbers)


_OVER: dict[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "mean": _mean,
    "sum": fsum,
}
_NEEDS = {
    **dict.fromkeys(("momentum", "momentum_x", "momentum_y"), ("mass", "vx", "vy")),
    **dict.fromkeys(("center_x", "center_y"), ("mass", "x", "y", "angle")),
    **dict.fromkeys(BOX_STATES, ("x", "y", "angle")),
}


def area_of(body: Body) -> float:
    """The sum of the areas of a body's shapes, overlaps included."""
    return fsum(_area(shape) for shape in body.shapes if not shape.sensor)


def _area(shape: Shape) -> float:
    """Area of the core, of strips of the radius' width along its sides, and of the corners."""
    if shape.kind in ("segment", "chain", "half_space"):
        return 0.0
    points, radius = shape.points, shape.radius
    core = abs(signed_area(points)) if len(points) > 2 else 0.0
    core -= fsum(abs(signed_area(hole)) for hole in shape.holes)
    strip = radius * _perimeter(points) if radius else 0.0
    return core + strip + pi * radius * radius


def _perimeter(points: Sequence[Point]) -> float:
    """The perimeter; twice the distance for two points, 0 for one."""
    total = 0.0
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        total += sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    return total
