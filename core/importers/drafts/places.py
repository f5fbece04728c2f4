# SPDX-License-Identifier: MIT
"""Values of a foreign file with their positions, for errors and losses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ...errors import Kind, Problem, SceneError
from ...scene.limits import DEPTH, NODES
from ...scene.text.problems import Path as Steps
from ...scene.text.problems import show_path
from .json_places import find

LARGEST = 1e15
"""Numbers beyond it mean that there is no limit: the largest of 32 bits and the like."""


class Origin(Protocol):
    """The source of a part of a draft."""

    @property
    def path(self) -> str: ...

    def place(self) -> tuple[int, int]:
        """Line and column, 0 where there are none."""
        ...


@dataclass(frozen=True, slots=True)
class SourceText:
    """A foreign text and its name in messages.

    Attributes:
        folder: the folder of the scene with its pictures; None without a folder.
        home: the folder of the file; None for a text.
        assets: files that it names are opened inside this folder only.
        places: line and column of its parts by path, for a text that is not JSON.
    """

    file: str
    text: str = ""
    folder: Path | None = None
    home: Path | None = None
    assets: Path | None = None
    places: Mapping[Steps, tuple[int, int]] | None = None

    def find(self, steps: Steps) -> tuple[int, int]:
        """Line and column of a part, or of what it is in."""
        if self.places is None:
            return find(self.text, steps)
        inner = (steps[:count] for count in range(len(steps), -1, -1))
        return next((self.places[each] for each in inner if each in self.places), (0, 0))


def fail(source: SourceText, origin: Origin, kind: Kind, message: str) -> SceneError:
    """Return the error for a part of a foreign file, to be raised by the caller."""
    line, column = origin.place()
    return SceneError([Problem(source.file, line, column, origin.path, message, kind)])


class Value:
    """One value of a JSON file. A ``None`` in the file counts as missing."""

    __slots__ = ("data", "source", "steps")

    def __init__(self, data: Any, source: SourceText, steps: Steps = ()) -> None:
        self.data = data
        self.source = source
        self.steps = steps

    @property
    def path(self) -> str:
        return show_path(self.steps)

    def place(self) -> tuple[int, int]:
        return self.source.find(self.steps)

    def fail(self, kind: Kind, message: str) -> SceneError:
        return fail(self.source, self, kind, message)

    # ------------------------------------------------------------ members

    def members(self) -> dict[str, Any]:
        """The members of an object by name."""
        if not isinstance(self.data, dict):
            raise self.fail("wrong-type", f"must be an object in braces, not {shown(self.data)}")
        return self.data

    def get(self, *names: str) -> Value | None:
        """The first member of these names that exists and is not null."""
        members = self.members()
        for name in names:
            found = members.get(name)
            if found is not None:
                return Value(found, self.source, (*self.steps, name))
        return None

    def has(self, name: str) -> bool:
        return isinstance(self.data, dict) and self.data.get(name) is not None

    def need(self, *names: str) -> Value:
        found = self.get(*names)
        if found is None:
            raise self.fail("missing-key", f"`{names[0]}` is missing")
        return found

    def items(self, *names: str) -> list[Value]:
        """The items of a list; none where there is no member of these names."""
        held = self.get(*names) if names else self
        return [] if held is None else list(held._listed())

    def _listed(self) -> Iterator[Value]:
        held: Value = self
        if isinstance(self.data, dict) and "$values" in self.data:
            held = Value(self.data["$values"], self.source, (*self.steps, "$values"))
        if not isinstance(held.data, list):
            raise held.fail("wrong-type", f"must be a list, not {shown(held.data)}")
        for i, item in enumerate(held.data):
            yield Value(item, self.source, (*held.steps, i))

    # ------------------------------------------------------------ numbers, words

    def as_number(self) -> float:
        number = self.as_limit()
        if not math.isfinite(number):
            raise self.fail(
                "out-of-range", f"must be a number between -{LARGEST:g} and {LARGEST:g}"
            )
        return number

    def as_limit(self) -> float:
        """A number, or an infinity for one so large that it means no limit."""
        if isinstance(self.data, bool) or not isinstance(self.data, (int, float)):
            raise self.fail("wrong-type", f"must be a number, not {shown(self.data)}")
        try:
            number = float(self.data)
        except OverflowError:
            number = math.inf if self.data > 0 else -math.inf
        if math.isnan(number):
            raise self.fail("out-of-range", "must be a number, not NaN")
        return number if abs(number) <= LARGEST else math.copysign(math.inf, number)

    def number(self, *names: str, default: float = 0.0) -> float:
        found = self.get(*names)
        return default if found is None else found.as_number()

    def limit(self, *names: str, default: float = math.inf) -> float:
        """A maximum, such as a force; infinite if missing."""
        found = self.get(*names)
        return default if found is None else found.as_limit()

    def whole(self, *names: str, default: int = 0) -> int:
        found = self.get(*names)
        if found is None:
            return default
        number = found.as_number()
        if number != math.floor(number):
            raise found.fail("out-of-range", f"must be a whole number, not {shown(found.data)}")
        return int(number)

    def truth(self, *names: str, default: bool = False) -> bool:
        found = self.get(*names)
        if found is None:
            return default
        if not isinstance(found.data, bool):
            raise found.fail("wrong-type", f"must be true or false, not {shown(found.data)}")
        return found.data

    def text(self, *names: str, default: str = "") -> str:
        found = self.get(*names)
        if found is None:
            return default
        if not isinstance(found.data, str):
            raise found.fail("wrong-type", f"must be a text, not {shown(found.data)}")
        return found.data


def shown(data: Any) -> str:
    """A value as messages show it."""
    if data is None or isinstance(data, bool):
        return {None: "null", True: "true", False: "false"}[data]
    if isinstance(data, dict):
        return "an object"
    if isinstance(data, list):
        return "a list"
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_size(value: Value) -> None:
    """Refuse a value with too many levels or values, before it is traversed."""
    stack: list[tuple[Any, Steps]] = [(value.data, ())]
    count = 0
    while stack:
        data, steps = stack.pop()
        count += 1
        if count > NODES:
            raise value.fail("limit", f"the file holds more than {NODES:,} values; the limit")
        if not isinstance(data, (dict, list)):
            continue
        if len(steps) >= DEPTH:
            deep = Value(data, value.source, steps)
            raise deep.fail("limit", f"nested more than {DEPTH} levels deep; that is the limit")
        inner = data.items() if isinstance(data, dict) else enumerate(data)
        stack += [(item, (*steps, key)) for key, item in inner]
