# SPDX-License-Identifier: MIT
"""Probes and their readings, as a native program has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ....record.channels import Channel
from ....scene.action_model import TAGGED
from ....scene.event_model import Formula, Live
from ....scene.model import Point, Scene
from ....scene.probe_model import Probe
from ....scene.values.expression import compile_expression
from ...building.primitives import convex_pieces
from .writer import HOST, NONE, Writer

EVERYTHING = (1 << 64) - 1
"""The mask of all categories."""
_PROBE_KINDS = ("ray", "shape", "velocity")
_QUANTITIES = (
    *("hit", "count", "x", "y", "normal_x", "normal_y", "distance"),
    *("vx", "vy", "speed", "matching"),
)
"""As ``ProbeQuantity`` of ``native/script/program.h``."""


@dataclass(slots=True)
class ProgramProbes:
    """The probes that expressions read.

    Attributes:
        ids: the slots of bodies by their names.
        tags: the bits of all tags.
        value: a function that gives the numbers of a value of a width.
        names: the names of what is born, and their places; None where they are not known.
    """

    scene: Scene
    ids: Mapping[str, int]
    tags: Mapping[str, int]
    value: Callable[[Live, int], list[tuple[int, float]]]
    names: Mapping[str, int] | None = None
    _readings: dict[bytes, int] = field(default_factory=dict)
    _probes: dict[str, tuple[int, bytes] | None] = field(default_factory=dict)

    def reading(self, channel: Channel) -> int | None:
        """The place of a reading of a probe; None for one that Python works out."""
        probe = self.scene.probes[channel.owner]
        place = self._probe(probe)
        section, found, name = channel.quantity.partition(".")
        names: tuple[str, ...] = ()
        if section == "tags":
            names = (f"{TAGGED}{name}",)
        elif section == "groups":
            names = self.scene.groups[name]
        elif found:
            inside = (f"{name}.", f"{name}[")
            names = tuple(
                each for each in self.scene.bodies if each == name or each.startswith(inside)
            )
        named = section == "bodies" and bool(found)
        if place is None or (named and self._may_be(name)):
            return None
        to = Writer()
        to.whole(place)
        to.byte(_QUANTITIES.index("matching" if found else channel.quantity))
        if not self._put_filter(to, names):
            return None
        to.byte(named)
        return self._readings.setdefault(to.bytes(), len(self._readings))

    def _may_be(self, name: str) -> bool:
        """Whether copies may be called by a name that begins with this one, or not known."""
        if self.names is None:
            return self._may_come()
        return any(
            one == other or one.startswith((f"{other}.", f"{other}["))
            for each in self.names
            for one, other in ((name, each), (each, name))
        )

    def _may_come(self) -> bool:
        """Whether bodies may be added during the run; their names are not known."""
        acts = (each for rule in self.scene.events for each in rule.actions)
        return bool(self.scene.prototypes) or any(each.kind in ("destroy", "copy") for each in acts)

    def _probe(self, probe: Probe) -> int | None:
        """The place of a probe; None for one that only Python asks."""
        if probe.name in self._probes:
            known = self._probes[probe.name]
            return None if known is None else known[0]
        self._probes[probe.name] = None  # which a probe that reads itself finds
        ids, to = self.ids, Writer()
        points = [self.value(each, 2) for each in (probe.at, probe.to)]
        (angle,) = self.value(probe.angle, 1)
        sources = [place for place, _ in (*points[0], *points[1], angle)]
        if HOST in sources or not self._has_no_probe(probe):
            return None
        to.byte(_PROBE_KINDS.index(probe.kind))
        to.whole(*(ids[name] if name else NONE for name in (probe.frame, probe.body)))
        for point in points:
            to.value(point)
        to.numbers(angle)
        pieces = () if probe.shape is None else tuple(convex_pieces(probe.shape))
        radius = 0.0 if probe.shape is None else probe.shape.radius
        to.each(pieces, lambda piece: _put_part(to, radius, piece))
        categories = self.scene.collision.categories
        mask = sum({1 << categories.index(each) for each in probe.categories})
        to.raw((mask if probe.categories else EVERYTHING).to_bytes(8, "little"))
        if not all(self._put_filter(to, names) for names in (probe.ignore, probe.only)):
            return None
        to.byte(not probe.only)
        place = sum(each is not None for each in self._probes.values())
        self._probes[probe.name] = place, to.bytes()
        return place

    def _has_no_probe(self, probe: Probe) -> bool:
        """Whether the numbers of a probe read no probes and draw no random numbers."""
        parts = (*_parts_of(probe.at), *_parts_of(probe.to), probe.angle)
        for each in parts:
            if not isinstance(each, Formula):
                continue
            expression = compile_expression(each.source)
            if expression.seeded or any(
                name.startswith(f"{other}.")
                for name in expression.names
                for other in self.scene.probes
            ):
                return False
        return True

    def _put_filter(self, to: Writer, names: Iterable[str]) -> bool:
        """Write a filter by names and tags; return whether the program can express it."""
        tags = [each.removeprefix(TAGGED) for each in names if each.startswith(TAGGED)]
        bodies = [each for each in names if not each.startswith(TAGGED)]
        ids, bits = self.ids, self.tags
        to.places(ids[each] for each in bodies if each in ids)
        to.tags(sum({1 << bits[each] for each in tags if each in bits}))
        return all(each in ids for each in bodies)

    def put_readings(self, to: Writer) -> None:
        """Write the number of probes, and the readings."""
        to.raw(sum(each is not None for each in self._probes.values()).to_bytes(4, "little"))
        to.each([*self._readings], to.raw)

    def put(self, to: Writer) -> None:
        """Write the probes."""
        to.each([each[1] for each in self._probes.values() if each is not None], to.raw)


def _parts_of(value: Live) -> tuple[Live, ...]:
    return value if isinstance(value, tuple) else (value,)


def _put_part(to: Writer, radius: float, points: Sequence[Point]) -> None:
    to.real(radius)
    to.reals(number for point in points for number in point)
