# SPDX-License-Identifier: MIT
"""Worlds that end a test as they have been stored: with the same hash, script and last error.

``STORE=1 python -m pytest tests/world tests/solvers`` stores them anew, after a change of physics.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import World
from rigid2d.core.errors import RigidError
from rigid2d.core.scene.model import Scene

FILES = Path(__file__).parent / "stored"


class StoredWorld(World):
    """A world that keeps its events and its last error."""

    said = ""
    heard: tuple[object, ...] = ()

    def step(self, *given: Any, **named: Any) -> None:
        before = len(self.told)
        try:
            super().step(*given, **named)
        except RigidError as error:
            self.said = str(error)
            raise
        new = self.told[before:]
        self.heard += tuple((each.step, each.kind, each.a, each.b) for each in new)

    @property
    def digest(self) -> str:
        """Tells apart how it has ended."""
        script = self.script and self.script.save()
        found = self.said or [self.state_hash(), script, self.heard]
        return _digest(json.dumps(found, sort_keys=True, default=list))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _check(file: str, test: str, digests: list[str]) -> None:
    path = FILES / f"{file}.json"
    stored: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}
    if os.environ.get("STORE"):
        stored[test] = digests
        FILES.mkdir(exist_ok=True)
        path.write_text(json.dumps(dict(sorted(stored.items())), indent=1) + "\n")
    assert stored.get(test) == digests, "a world has ended otherwise than the stored one"


class Stored:
    """Makes worlds that have to end the test as they are stored, and keeps other values."""

    def __init__(self) -> None:
        self._made: list[StoredWorld | str] = []

    def __call__(self, scene: Scene) -> World:
        world = StoredWorld(scene)
        self._made.append(world)
        return world

    def keep(self, value: object) -> None:
        """Have a value of which the text is the stored one."""
        self._made.append(_digest(repr(value)))

    @property
    def digests(self) -> list[str]:
        """Those of all worlds and values."""
        return [each if isinstance(each, str) else each.digest for each in self._made]


@pytest.fixture
def stored(request: pytest.FixtureRequest) -> Iterator[Stored]:
    """Make worlds that have to end the test as they are stored."""
    made = Stored()
    yield made
    _check(request.path.stem, request.node.name, made.digests)
