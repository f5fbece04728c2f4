# SPDX-License-Identifier: MIT
"""Expressions that a page shows, as conditions of a program that does nothing but read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..scene.event_model import EventRule
from ..scene.model import Scene
from ..world.script.program import ScriptProgram, program_of
from ..world.script.program.values import ProgramValues
from ..world.script.program.writer import NoProgramError


@dataclass(frozen=True, slots=True)
class Readings:
    """A program and, by the sources of its expressions, their places in it."""

    data: bytes = b""
    places: Mapping[str, int] = field(default_factory=dict)


_ENERGY = re.compile(r"\bworld\.(field|stored|total)_energy\b")
_SUMS = {
    "field": "0",
    "stored": "(world.potential_energy + world.spring_energy)",
    "total": "(world.kinetic_energy + world.potential_energy + world.spring_energy)",
}


def _plain(source: str, scene: Scene) -> str:
    """An expression without the energies of the world that include those of fields, where no
    field has one."""
    if any(each.potential for each in scene.actuators.values()):
        return source
    return _ENERGY.sub(lambda found: _SUMS[found[1]], source)


def readings_of(scene: Scene, sources: Iterable[str]) -> Readings:
    """The readings of a scene, but for sources that only Python evaluates."""
    nothing: dict[str, Any] = {"animations": {}, "controls": {}, "spawners": {}}
    bare = replace(scene, inputs=(), outcome=None, **nothing)
    values = ProgramValues(bare, in_pages=True)
    written = {source: _plain(source, scene) for source in sources if source}
    known = [each for each, text in written.items() if _is_read(values, text)]
    rules = tuple(EventRule("condition", source, (), condition=written[source]) for source in known)
    program = program_of(replace(bare, events=rules), {}) if known else ""
    if not isinstance(program, ScriptProgram) or not program.is_whole:
        return Readings()
    return Readings(program.data, {source: place for place, source in enumerate(known)})


def _is_read(values: ProgramValues, source: str) -> bool:
    """Whether a program of a page can read what an expression reads."""
    try:
        values.expression(source, source)
    except NoProgramError:
        return False
    return True
