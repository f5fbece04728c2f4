# SPDX-License-Identifier: MIT
"""The place of an object in the files, and the trees in which there are objects."""

from __future__ import annotations

from dataclasses import dataclass

from ..scene.values import portable_math
from .text.draft import Draft
from .text.nodes import Node, Path

Point = tuple[float, float]


@dataclass(frozen=True)
class Turned:
    """How coordinates of a prototype become those of the scene, without the shift."""

    angle: float = 0.0
    scale: float = 1.0
    mirror: str = ""

    def back(self, by: Point) -> Point:
        """A displacement in the scene, in coordinates of the prototype."""
        c, s = portable_math.cos(self.angle), portable_math.sin(self.angle)
        x, y = (c * by[0] + s * by[1]) / self.scale, (-s * by[0] + c * by[1]) / self.scale
        return (-x if self.mirror == "x" else x, -y if self.mirror == "y" else y)


@dataclass(frozen=True)
class Place:
    """The entry that says an object.

    Attributes:
        address: its path in messages.
        name: its name in the scene.
        many: whether the entry is a generator.
        instance: the names of the instances through which it comes, outermost first.
        turned: the transformation of its prototype, where that is edited.
    """

    address: str
    section: str
    name: str
    file: str
    path: Path
    many: bool = False
    instance: tuple[str, ...] = ()
    turned: tuple[Turned, ...] = ()

    def node(self, draft: Draft) -> Node:
        return draft.need(self.file, self.path)

    @property
    def is_copy(self) -> bool:
        """Whether it is one copy of a generator, which has an entry in `overrides`."""
        return self.path[-2:-1] == ("overrides",)

    @property
    def entry(self) -> Path:
        """The path of the entry in its section: for one copy that of its generator."""
        return self.path[:-2] if self.is_copy else self.path

    @property
    def label(self) -> str:
        """The name beside it in the file: ``ball``, or ``ball[1]`` for one copy."""
        return self.name if self.is_copy else str(self.path[-1])


@dataclass(frozen=True)
class Root:
    """A tree that has sections: a file's, or a prototype's in it."""

    file: str
    path: Path = ()

    def section(self, draft: Draft, name: str) -> Node | None:
        return draft.node(self.file, (*self.path, name))
