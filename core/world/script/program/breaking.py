# SPDX-License-Identifier: MIT
"""Bodies that are broken into pieces, as a script's native program has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ....scene.action_model import Action
from ....scene.model import Body, Point, Scene
from ....scene.script import Destruction
from ...building.assembly import BODIES
from ...building.primitives import SHAPES, Primitive
from ...building.rows import row_bytes
from ...destroying import outline_of, seen_picture, solid_shapes
from ..event_conditions import EVENT_BODIES
from .values import ProgramValues
from .writer import NONE, NoProgramError, Writer

Named = tuple[str, str]
"""A body by its name, or all with a tag."""


def breakable(scene: Scene, body: Body) -> bytes | None:
    """A body that may break, as bytes; None for one without area."""
    shapes = solid_shapes(body.shapes)
    if not shapes:
        return None
    categories, way = scene.collision.categories, -1.0 if scene.units.y_down else 1.0
    pieces = [
        Primitive(shape, 0, "polygon", (), 0, categories.index(shape.category), way)
        for shape in shapes
    ]
    to = Writer()
    to.raw(row_bytes(BODIES.rows([body])))
    to.rows(len(pieces), row_bytes(SHAPES.rows(pieces)))
    _put_rings(to, map(outline_of, shapes))
    to.each(shapes, lambda shape: _put_rings(to, shape.holes))
    _put_rings(to, seen_picture(body))
    return to.bytes()


def aligned(body: Body) -> tuple[str, str]:
    """The names of the bodies with which a picture is aligned, empty without any."""
    first, second = (body.texture.along if body.texture else ()) or ("", "")
    return first, second


def _put_rings(to: Writer, rings: Iterable[Sequence[Point]]) -> None:
    to.each([*rings], lambda ring: to.each(ring, lambda point: to.real(*point)))


@dataclass(slots=True)
class ProgramBreaking:
    """The destructions of a program, and the bodies that they may be about.

    Attributes:
        mask: a function that finds the bits of tags.
        all: the destructions.
        hollow: whether any of them has holes, or a picture that is aligned with two others.
        own: the names of the scene's bodies that may break.
    """

    scene: Scene
    values: ProgramValues
    mask: Callable[[Iterable[str]], int]
    all: list[Destruction] = field(default_factory=list)
    hollow: bool = False
    own: list[str] = field(default_factory=list)
    _places: dict[bytes, int] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _tags: set[str] = field(default_factory=set)
    _any: bool = False

    def __post_init__(self) -> None:
        scene = self.scene
        born = [rule for each in scene.prototypes.values() for rule in each.events]
        for rule in (*scene.events, *born):
            whose = dict(zip(EVENT_BODIES, rule.who, strict=False))
            for action in rule.actions:
                if action.destruction is None or action.name not in EVENT_BODIES:
                    continue
                who = whose.get(action.name)
                self._any |= who is None
                if who is not None and who.tag:
                    self._tags.add(who.tag)
                elif who is not None:
                    self._names.update(who.bodies)

    def destroy(self, action: Action) -> tuple[int, int]:
        """The place of a destruction, and its body."""
        how, name = action.destruction, action.name
        own = self.values.own
        ids = self.values.roster.ids if own is None else own.bodies
        owner = EVENT_BODIES.get(name, ids.get(name))
        if how is None or owner is None:
            raise NoProgramError(f"{action.path}: there is no body {name}")
        if name in ids:
            self._names.add(name)
        self.all.append(how)
        return len(self.all) - 1, owner

    @property
    def extent(self) -> tuple[object, ...]:
        """The properties that decide which bodies may break."""
        return bool(self.all), self._any, len(self._names), len(self._tags)

    def place(self, body: Body) -> int:
        """The place of a body that may break; NONE for others."""
        may = self._any or body.name in self._names or not self._tags.isdisjoint(body.tags)
        if not (self.all and may):
            return NONE
        data = breakable(self.scene, body)
        if data is None:
            return NONE
        self.hollow |= any(shape.holes for shape in body.shapes) or aligned(body) != ("", "")
        return self._places.setdefault(data, len(self._places))

    def put(self, to: Writer) -> None:
        """Write the bodies and the destructions."""
        bodies = self.scene.bodies.values() if self.all else ()
        own = [(each.name, self.place(each)) for each in bodies]
        self.own = [name for name, place in own if place != NONE]
        ids = self.values.roster.ids
        along = [[ids.get(each, NONE) for each in aligned(body)] for body in bodies]
        rows = [
            (place, NONE if place == NONE else self.values.text(name), *ends)
            for (name, place), ends in zip(own, along, strict=True)
        ]
        to.each([*self._places], to.raw)
        to.each([(NONE,) * 4, *rows] if rows else [], lambda row: to.whole(*row))
        to.each(self.all, lambda how: self._put(to, how))

    def _put(self, to: Writer, how: Destruction) -> None:
        to.byte(how.method == "boxes")
        to.byte(how.collide)
        to.byte(how.seed is not None)
        to.byte(how.tags is not None)
        to.whole(how.count)
        to.long(how.seed or 0)
        to.real(how.kick.radial, how.kick.random, how.kick.spin)
        to.real(math.nan if how.lifetime is None else how.lifetime)
        to.tags(self.mask(how.tags or ()))
