"""A scene on its way from a foreign file to YAML: blocks as a scene file has them, with notes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ..errors import Kind, Problem, SceneError
from ..scene import loads
from ..scene.building.generators import name_problem
from ..scene.limits import PROBLEMS
from ..scene.text.problems import plain_name
from .factoring import factor
from .places import Origin, Source
from .result import Import, Loss
from .writing import write

Entry = dict[str, Any]
_LONGEST_NAME = 60
_STEP = re.compile(r"([^.\[]+)|\[(\d+)\]")


@dataclass
class Draft:
    """Bodies, joints and actuators by name, where each comes from, and what was lost.

    Attributes:
        head: comments at the beginning of the file.
        notes: comments above entries, by the entries' names.
        origins: what of the foreign file an entry was made of, by its name.
    """

    source: Source
    format: str
    name: str = ""
    description: str = ""
    units: Any = None
    world: Entry = field(default_factory=dict)
    collision: Entry = field(default_factory=dict)
    bodies: dict[str, Entry] = field(default_factory=dict)
    joints: dict[str, Entry] = field(default_factory=dict)
    actuators: dict[str, Entry] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    origins: dict[str, Origin] = field(default_factory=dict)
    _used: dict[str, int] = field(default_factory=dict)

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
        base = plain_name(wanted)[:_LONGEST_NAME].strip("_") or "thing"
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

    # ------------------------------------------------------------ the end

    def finish(self) -> Import:
        """The scene file, once it is sure that it loads.

        Raises:
            SceneError: with the places in the foreign file of all that no scene can have.
        """
        text = write(self, factor(self.bodies, self.joints))
        try:
            loads(text)
        except SceneError as error:
            raise SceneError([self._told(problem) for problem in error.problems]) from None
        return Import(
            self.source.file,
            self.format,
            text,
            tuple(self.losses),
            len(self.bodies),
            len(self.joints),
            len(self.actuators),
        )

    def _told(self, problem: Problem) -> Problem:
        """A problem of the scene as one of the foreign file."""
        parts = [word or int(index) for word, index in _STEP.findall(problem.path)]
        origin = self.origins.get(str(parts[1])) if len(parts) > 1 else None
        what = problem.path
        message, kind = problem.message, problem.kind
        if origin is None:
            return self._problem(0, 0, what, message, kind)
        line, column = origin.place()
        return self._problem(line, column, origin.path, f"`{what}` of the scene {message}", kind)

    def _problem(self, line: int, column: int, path: str, message: str, kind: Kind) -> Problem:
        return Problem(self.source.file, line, column, path, message, kind)
