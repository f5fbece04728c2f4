# SPDX-License-Identifier: MIT
"""Finds bodies that overlap at the start of a scene."""

from __future__ import annotations

from typing import Any

from .. import _native
from ..errors import Problem
from ..scene.basis import basis_of
from ..scene.model import Scene
from .naming.parts import WorldParts

MOST = 5
"""Overlaps that are listed one by one, the deepest ones."""


def overlap_problems(world: WorldParts) -> list[Problem]:
    """Return the overlaps of bodies that may touch in a world at its start, the deepest
    first.

    They are those of the engine's first step, without sensors, pairs excluded by ``collision`` and
    joints, and the open side of a chain. Depths up to the slop of resting bodies are no
    overlaps.
    """
    scene = world.roster.scene
    if not isinstance(world.native, _native.World):  # a textbook solver's world
        return []
    slop = _native.LINEAR_SLOP * scene.world.length_unit
    found = sorted(world.native.find_overlaps(slop), key=lambda each: -each[2])
    problems = [_problem(scene, world, *each) for each in found[:MOST]]
    if len(found) > MOST:
        rest = len(found) - MOST
        more = (
            f"{rest} more {'pair of bodies overlaps' if rest == 1 else 'pairs of bodies overlap'}"
        )
        problems.append(Problem(scene.path, 0, 0, "bodies", f"{more} at the start", _KIND))
    return problems


def overlap_warnings(world: WorldParts) -> list[str]:
    """The same in words."""
    problems = overlap_problems(world)
    shown = len(world.roster.scene.path) + 2
    return [
        str(each)[shown:] if each.file == world.roster.scene.path and not each.line else str(each)
        for each in problems
    ]


_KIND: Any = "impossible-motion"


def _problem(scene: Scene, world: WorldParts, a: int, b: int, depth: float) -> Problem:
    name, other = world.roster.body_name(a), world.roster.body_name(b)
    bodies = world.roster.bodies
    if bodies[name].kind != "dynamic" and bodies[other].kind == "dynamic":
        name, other = other, name
    file, line, column = _place(scene, name)
    message = (
        f"it overlaps {other!r} by {depth:.3g} {scene.units.length} at the start, and the two are "
        "pushed apart; move or shrink one, or say with `collision` (or `collide: false` of a joint "
        "between them) that they never touch"
    )
    return Problem(file, line, column, f"bodies.{name}", message, _KIND)


def _place(scene: Scene, name: str) -> tuple[str, int, int]:
    """Return the place of the body, or of its instance, in the file."""
    basis = basis_of(scene)
    marks = {} if basis is None else basis.marks
    own, whole = name.partition("[")[0], name.partition(".")[0]
    of_bodies, of_instances = marks.get("bodies", {}), marks.get("instances", {})
    for section, key in (
        (of_bodies, name),
        (of_bodies, own),
        (of_instances, whole),
        (of_instances, whole.partition("[")[0]),
    ):
        if key in section:
            mark = section[key]
            return mark.file, mark.line, mark.column
    return scene.path, 0, 0
