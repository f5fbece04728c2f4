# SPDX-License-Identifier: MIT
"""Copies of prototypes for a live page, which draws what is born in it by the look of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from math import lcm
from typing import Any
from zlib import crc32

from ..render.canvas.theme import THEMES, shape_looks
from ..scene.basis import Fragment
from ..scene.blocks.placement import Placement
from ..scene.blocks.placing.placer import Placer
from ..scene.event_model import Spawn
from ..scene.model import Body, Scene
from ..world.building.copies import placed_copies, prefixed

COLORS = lcm(*(len(theme.bodies) for theme in THEMES.values()))
"""Bodies without a colour have one by the remainder of their name's sum."""


@dataclass(slots=True)
class Moulds:
    """The copies that a page has of what may be born.

    Attributes:
        scene: the scene with all of them.
        table: of each mould its first rows, its numbers of bodies and joints, how many copies of
            other colours follow, and the z of its bodies.
        of: the mould of each birth.
    """

    scene: Scene
    table: list[dict[str, Any]] = field(default_factory=list)
    of: list[int] = field(default_factory=list)


def moulds_of(scene: Scene, spawns: Iterable[Spawn]) -> Moulds:
    """The moulds of all that may be born."""
    found, places = Moulds(scene), dict[Any, int]()
    for spawn in spawns:
        key = spawn.use, spawn.scale, spawn.mirror
        if key not in places:
            places[key] = len(places)
            _add(found, spawn)
        found.of.append(places[key])
    return found


def _add(moulds: Moulds, spawn: Spawn) -> None:
    scene = moulds.scene
    placement = Placement(scale=spawn.scale, mirror=spawn.mirror)
    prefixes = _prefixes(scene)

    def copy() -> Fragment:
        placer = Placer(placement, partial(prefixed, next(prefixes)), {}, {})
        return placed_copies(scene.prototypes[spawn.use], [placer])

    first = copy()
    copies = [first]
    if _varies(scene, first):
        copies = [_coloured(copy() if i else first, word) for i, word in enumerate(_words())]
    bodies = {name: body for each in copies for name, body in each.bodies.items()}
    joints = {name: joint for each in copies for name, joint in each.joints.items()}
    moulds.table.append(
        {
            "body": len(scene.bodies),
            "joint": len(scene.joints),
            "bodies": len(first.bodies),
            "joints": len(first.joints),
            "copies": len(copies),
            "z": [body.z for body in first.bodies.values()],
        }
    )
    moulds.scene = replace(
        scene, bodies={**scene.bodies, **bodies}, joints={**scene.joints, **joints}
    )


def _prefixes(scene: Scene) -> Iterator[str]:
    """Names that nothing in a scene has."""
    for number in count(len(scene.bodies)):
        yield f"mould {number}: "


def _words() -> list[str]:
    """A word for each colour, in their order."""
    found: dict[int, str] = {}
    for number in count():
        word = f"colour {number}"
        found.setdefault(crc32(word.encode()) % COLORS, word)
        if len(found) == COLORS:
            return [found[place] for place in range(COLORS)]
    return []


def _coloured(copy: Fragment, word: str) -> Fragment:
    """A copy whose bodies have the colour of a word."""
    bodies = {name: replace(body, piece_of=word) for name, body in copy.bodies.items()}
    return replace(copy, bodies=bodies)


def _varies(scene: Scene, copy: Fragment) -> bool:
    """Whether the colours of a copy depend on its name."""

    def looks(word: str) -> Any:
        bodies: dict[str, Body] = {**scene.bodies, **_coloured(copy, word).bodies}
        mixed = replace(scene, bodies=bodies)
        return [shape_looks(mixed, theme, scene.bodies) for theme in THEMES.values()]

    first, second = _words()[:2]
    return bool(looks(first) != looks(second))
