# SPDX-License-Identifier: MIT
"""Draft of an imported scene: blocks as a scene file has them, with notes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ...scene.building.generators import name_problem
from ...scene.limits import PROBLEMS
from ...scene.text.problems import plain_name
from .pictures import Pictures
from .places import Origin, SourceText
from .result import Loss

Entry = dict[str, Any]
_LONGEST_NAME = 60


@dataclass
class Draft:
    """Bodies, joints and actuators by name, with their origins and losses.

    Attributes:
        fields: further blocks of the scene, such as ``camera`` and ``layers``.
        prototypes: parts of the scene, each a draft, for the ``instances``.
        head: comments at the beginning of the file.
        notes: comments above entries, by the entries' names.
        written: pictures to be written beside the scene, by their names, such as layers of tiles.
        origins: the source of an entry in the foreign file, by its name.
    """

    source: SourceText
    format: str
    name: str = ""
    description: str = ""
    units: Any = None
    world: Entry = field(default_factory=dict)
    collision: Entry = field(default_factory=dict)
    bodies: dict[str, Entry] = field(default_factory=dict)
    joints: dict[str, Entry] = field(default_factory=dict)
    actuators: dict[str, Entry] = field(default_factory=dict)
    animations: dict[str, Entry] = field(default_factory=dict)
    controls: dict[str, Any] = field(default_factory=dict)
    fields: Entry = field(default_factory=dict)
    prototypes: dict[str, Draft] = field(default_factory=dict)
    instances: dict[str, Entry] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    written: dict[str, bytes] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    _used: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pictures = Pictures(self.source.folder)

    def part(self, wanted: str, origin: Origin) -> tuple[str, Draft]:
        """A new prototype and its name. Its losses are losses of the scene."""
        name = self._free_name(wanted)
        part = Draft(self.source, self.format, head=self.head, losses=self.losses)
        part.pictures = self.pictures
        self.prototypes[name], self.origins[name] = part, origin
        return name, part

    def all_of(self, section: str) -> list[Entry]:
        """The entries of a section, and those of all prototypes."""
        parts = (self, *self.prototypes.values())
        return [entry for part in parts for entry in getattr(part, section).values()]

    def add(self, section: dict[str, Entry], wanted: str, entry: Entry, origin: Origin) -> str:
        """Put an entry into a section, under the wanted name or one near to it."""
        name = self._free_name(wanted)
        section[name] = entry
        self.origins[name] = origin
        if wanted and name != wanted:
            self.note(name, f"called {wanted!r} there")
        return name

    def _free_name(self, wanted: str) -> str:
        """A name that nothing else of the scene has."""
        base = plain_name(wanted)[:_LONGEST_NAME].strip("_") or "object"
        if not re.match(r"[^\W\d]", base):
            base = f"_{base}"
        if base == "world" or name_problem(base, "body"):
            base += "_"
        name = base
        while name in self.origins:
            self._used[base] = self._used.get(base, 1) + 1
            name = f"{base}_{self._used[base]}"
        return name

    def note(self, name: str, text: str) -> None:
        """A comment above an entry."""
        self.notes.setdefault(name, []).append(text)

    def lose(self, origin: Origin, message: str, name: str = "") -> None:
        """Something that the scene does not say; with a name, there is a comment at that entry."""
        line, column = origin.place() if len(self.losses) < PROBLEMS else (0, 0)
        self.losses.append(Loss(origin.path, line, column, message))
        if name:
            self.note(name, message)
        else:
            self.head.append(f"{origin.path}: {message}" if origin.path else message)
