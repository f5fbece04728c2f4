# SPDX-License-Identifier: MIT
"""Probes and their readings, as a native program has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ....record.channels import Channel
from ....scene.action_model import TAGGED
from ....scene.event_model import Live
from ....scene.model import Point, Scene
from ....scene.probe_model import Probe
from ...building.primitives import convex_pieces
from .writer import NONE, NoProgramError, Writer

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
        names_in: a function that finds the places of the names of what is born that are inside a
            name; None where they are not known.
    """

    scene: Scene
    ids: Mapping[str, int]
    tags: Mapping[str, int]
    value: Callable[[Live, int], list[tuple[int, float]]]
    names_in: Callable[[str], tuple[int, ...]] | None = None
    _readings: dict[bytes, int] = field(default_factory=dict)
    _probes: dict[str, tuple[int, bytes]] = field(default_factory=dict)

    def reading(self, channel: Channel) -> int:
        """The place of a reading of a probe. Raises NoProgramError for bodies that may come, where
        no births are known."""
        place = self._probe(self.scene.probes[channel.owner])
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
        if named and self.names_in is None and self._may_come():
            raise NoProgramError(f"{channel.owner}: bodies named {name} may come")
        to = Writer()
        to.whole(place)
        to.byte(_QUANTITIES.index("matching" if found else channel.quantity))
        self._put_filter(to, names)
        to.byte(named)
        to.places(self.names_in(name) if named and self.names_in is not None else ())
        return self._readings.setdefault(to.bytes(), len(self._readings))

    def _may_come(self) -> bool:
        """Whether bodies may be added during the run; their names are not known."""
        acts = (each for rule in self.scene.events for each in rule.actions)
        return bool(self.scene.prototypes) or any(each.kind in ("destroy", "copy") for each in acts)

    def _probe(self, probe: Probe) -> int:
        """The place of a probe."""
        if probe.name in self._probes:
            return self._probes[probe.name][0]
        ids, to = self.ids, Writer()
        points = [self.value(each, 2) for each in (probe.at, probe.to)]
        (angle,) = self.value(probe.angle, 1)
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
        for names in (probe.ignore, probe.only):
            self._put_filter(to, names)
        to.byte(not probe.only)
        place = len(self._probes)
        self._probes[probe.name] = place, to.bytes()
        return place

    def _put_filter(self, to: Writer, names: Iterable[str]) -> None:
        """Write a filter by names and tags."""
        tags = [each.removeprefix(TAGGED) for each in names if each.startswith(TAGGED)]
        bodies = [each for each in names if not each.startswith(TAGGED)]
        ids, bits = self.ids, self.tags
        to.places(ids[each] for each in bodies)
        to.tags(sum({1 << bits[each] for each in tags if each in bits}))

    def put_readings(self, to: Writer) -> None:
        """Write the number of probes, and the readings."""
        to.raw(len(self._probes).to_bytes(4, "little"))
        to.each([*self._readings], to.raw)

    def put(self, to: Writer) -> None:
        """Write the probes."""
        to.each([data for _, data in self._probes.values()], to.raw)


def _parts_of(value: Live) -> tuple[Live, ...]:
    return value if isinstance(value, tuple) else (value,)


def _put_part(to: Writer, radius: float, points: Sequence[Point]) -> None:
    to.real(radius)
    to.reals(number for point in points for number in point)
