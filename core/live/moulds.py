# SPDX-License-Identifier: MIT
"""Copies of prototypes and pieces of bodies for a live page, which draws what is born and what
breaks in it by the look of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from ..scene.model import Body, Scene, Shape
from ..world.building.copies import placed_copies, prefixed
from ..world.destroying import solid_shapes, texture_of_piece
from ..world.script.program import ScriptProgram

COLORS = lcm(*(len(theme.bodies) for theme in THEMES.values()))
"""Bodies without a colour have one by the remainder of their name's sum."""
_CORNERS = (0.0, 0.0), (1.0, 0.0), (0.0, 1.0)
"""Stand for the outline of a piece."""


@dataclass(slots=True)
class Moulds:
    """The copies that a page has of what may be born, and pieces of what may break.

    Attributes:
        scene: the scene with all of them.
        table: of each mould its first rows, its numbers of bodies and joints, how many copies of
            other colours follow, and of its bodies the z and whether they are hidden.
        of: the mould of each birth.
        pieces: of each body that may break its name, or its spawn and its part, the row of its
            piece, how many of other colours follow, its z, whether it is hidden, and whether
            it has parts of a picture.
        mixed: the bodies whose pieces have the look of one shape, though their shapes differ.
    """

    scene: Scene
    table: list[dict[str, Any]] = field(default_factory=list)
    of: list[int] = field(default_factory=list)
    pieces: list[dict[str, Any]] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)


def moulds_of(scene: Scene, program: ScriptProgram | None) -> Moulds:
    """The moulds of all that may be born, and of the pieces of all that may break."""
    found, places = Moulds(scene), dict[Any, int]()
    if program is None:
        return found
    copies: list[list[Fragment]] = []
    for spawn in program.spawns:
        key = spawn.use, spawn.scale, spawn.mirror
        if key not in places:
            places[key] = len(places)
            copies.append(_add(found, spawn))
        found.of.append(places[key])
    for name in program.breaks:
        _add_piece(found, scene, [scene.bodies[name]], {"name": name})
    if not program.destructions:
        return found
    for spawn, place in zip(program.spawns, found.of, strict=True):
        looks = [each.bodies.values() for each in copies[place]]
        for part, *bodies in zip(scene.prototypes[spawn.use].bodies, *looks, strict=True):
            _add_piece(found, scene, bodies, {"spawn": spawn.name, "part": part})
    return found


def _add(moulds: Moulds, spawn: Spawn) -> list[Fragment]:
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
            "hidden": [not body.visible for body in first.bodies.values()],
        }
    )
    moulds.scene = replace(
        scene, bodies={**scene.bodies, **bodies}, joints={**scene.joints, **joints}
    )
    return copies


def _add_piece(moulds: Moulds, scene: Scene, bodies: list[Body], which: dict[str, str]) -> None:
    """A piece of a body, and of its copies of other colours."""
    first = bodies[0]
    shapes = solid_shapes(first.shapes)
    if not shapes:
        return
    row, prefixes = len(moulds.scene.bodies), _prefixes(moulds.scene)
    pieces = {}
    for body in bodies:
        name = f"{next(prefixes)}{body.name}"
        pieces[name] = _piece(body, shapes[0], name)
    if len(shapes) > 1 and _differ(scene, first, shapes):
        moulds.mixed.append(first.name)
    texture = first.texture
    found = {
        "row": row,
        "copies": len(bodies),
        "z": first.z,
        "hidden": not first.visible,
        "seen": texture is not None and not (texture.tile and texture.clip is None),
    }
    moulds.pieces.append(which | found)
    moulds.scene = replace(moulds.scene, bodies={**moulds.scene.bodies, **pieces})


def _piece(body: Body, shape: Shape, name: str) -> Body:
    """A body as a piece of another one, with the origin of that."""
    part = replace(
        shape, kind="polygon", points=_CORNERS, radius=0.0, source="polygon", outer=(), holes=()
    )
    return replace(
        body,
        name=name,
        kind="dynamic",
        shapes=(part,),
        points={},
        trail=None,
        texture=texture_of_piece(body, (0.0, 0.0), [_CORNERS]),
        piece_of=body.piece_of or body.name,
    )


def _differ(scene: Scene, body: Body, shapes: Sequence[Shape]) -> bool:
    """Whether the shapes of a body look different."""

    whole = replace(body, name="", shapes=(*shapes,))
    mixed = replace(scene, bodies={**scene.bodies, "": whole})
    looks = [shape_looks(mixed, theme, scene.bodies)[-1] for theme in THEMES.values()]
    return any(look != row[0] for row in looks for look in row)


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
