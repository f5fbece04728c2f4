# SPDX-License-Identifier: MIT
"""Expressions that a page shows, as conditions of a program that does nothing but read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..scene.event_model import EventRule
from ..scene.model import Scene
from ..world.script.program import ScriptProgram, program_of
from ..world.script.program.values import ProgramValues
from ..world.script.program.writer import HOST


@dataclass(frozen=True, slots=True)
class Readings:
    """A program and, by the sources of its expressions, their places in it."""

    data: bytes = b""
    places: Mapping[str, int] = field(default_factory=dict)


def readings_of(scene: Scene, sources: Iterable[str]) -> Readings:
    """The readings of a scene, but for sources that only Python evaluates."""
    nothing: dict[str, Any] = {"animations": {}, "controls": {}, "spawners": {}}
    bare = replace(scene, inputs=(), outcome=None, **nothing)
    values = ProgramValues(bare, in_pages=True)
    known = [
        source
        for source in dict.fromkeys(sources)
        if source and values.expression(source, source) != HOST
    ]
    rules = tuple(EventRule("condition", source, (), condition=source) for source in known)
    program = program_of(replace(bare, events=rules), {}) if known else ""
    if not isinstance(program, ScriptProgram) or not program.is_whole:
        return Readings()
    return Readings(program.data, {source: place for place, source in enumerate(known)})
