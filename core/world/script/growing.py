# SPDX-License-Identifier: MIT
"""The program of one world's script, which grows by the scripts of copies with vars of their own.

Such vars are known when something is born. Its prototype is built then, and its script goes behind
what the program has, whose places stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import _native
from ...scene.action_model import Spawn
from ...scene.event_model import Prototype
from ...scene.model import Point, Scene
from .copy import Copy
from .program import Birth, ProgramWriter, ScriptProgram, birth_of
from .program.asked import asked_actions

_ROOM = 64
"""Births that are added at least before those of copies that are gone are forgotten."""

Compiled = tuple[ScriptProgram, _native.ScriptProgram]
_Added = tuple[Spawn, Prototype, str]
"""A birth with vars that are known, what is born, and a path."""


class SameScene:
    """A scene that is told apart by its identity."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __hash__(self) -> int:
        return id(self.scene)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameScene) and other.scene is self.scene


class GrowingProgram:
    """The program of one world.

    Attributes:
        scene: the scene.
        first: its program, to which nothing is added.
        now: the program with all that is added.
    """

    def __init__(self, scene: Scene, program: ScriptProgram, code: _native.ScriptProgram) -> None:
        self.scene = scene
        self.first: Compiled = program, code
        self.now: Compiled = program, code
        self._added: list[_Added] = []
        self._writer: ProgramWriter | None = None  # which has these
        self._room = _ROOM

    def twin(self) -> GrowingProgram:
        """One for another world, with what is added so far."""
        twin = GrowingProgram(self.scene, *self.first)
        twin.now, twin._added = self.now, [*self._added]
        twin._room = self._room
        return twin

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget what was added for copies that are gone."""
        return len(self._added) > self._room

    def grow(
        self, spawn: Spawn, values: Mapping[str, Any], prototype: Prototype, path: str, pivot: Point
    ) -> tuple[ScriptProgram, _native.ScriptProgram, int, bool]:
        """The program with a birth whose vars are known, the place of that, and whether bodies
        that are there have to be passed on anew."""
        given = _given(spawn, values, pivot)
        if self._writer is None:
            self._writer = self._written(self._added)
        place = self._writer.births.scripted.get(birth_of(given))
        if place is None:
            place = self._writer.add(given, prototype, path)
            self._added.append((given, prototype, path))
        now = self._writer.program()
        is_other = _about_bodies(now) != _about_bodies(self.now[0])
        self.now = now, _native.ScriptProgram(now.data)
        return *self.now, place, is_other

    def restart(self, copies: Sequence[Copy]) -> Compiled:
        """The program with the scripts of these copies alone."""
        self._room = max(_ROOM, 2 * len(copies), self._room if self.is_full else 0)
        added: dict[Birth, _Added] = {}
        for copy in copies:
            place = copy.placement
            spawn = Spawn(
                copy.use, copy.name.rpartition("[")[0], scale=place.scale, mirror=place.mirror
            )
            given = _given(spawn, copy.values, place.pivot)
            added[birth_of(given)] = given, copy.plan.prototype, f"prototypes.{copy.use}"
        writer = self._written([*added.values()])
        self._added, self._writer = [*added.values()], writer
        self.now = self.first
        if added:
            program = writer.program()
            self.now = program, _native.ScriptProgram(program.data)
        return self.now

    def _written(self, added: Sequence[_Added]) -> ProgramWriter:
        """A writer with these births."""
        writer = ProgramWriter(self.scene, asked_actions(self.scene))
        for each in added:
            writer.add(*each)
        return writer


def _given(spawn: Spawn, values: Mapping[str, Any], pivot: Point) -> Spawn:
    return Spawn(
        *(spawn.use, spawn.name),
        scale=spawn.scale,
        mirror=spawn.mirror,
        vars=values,
        pivot=pivot,
    )


def _about_bodies(program: ScriptProgram) -> tuple[object, ...]:
    """The properties of a program that decide what it stores of each body."""
    return program.measures, bool(program.destructions), len(program.tags), program.breaks
