# SPDX-License-Identifier: MIT
"""Spawned prototypes by the vars that they are spawned with, each under its own name."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .scope import Scope


class Variants:
    """The spawned prototypes of one scene.

    A prototype may spawn itself, so each has its name before it is built.

    Attributes:
        parts: the parts of each, by its name.
        places: the place of each one's first spawn, likewise.
        reserved: names that only the prototypes of the scene may have.
        taken: names of the scene that no spawned object may have.
        open: the prototypes being built, each within the previous one, without their vars.
        running: whether the scene runs: each is then built at its spawn.
    """

    def __init__(self, *, running: bool = False) -> None:
        self.parts: dict[str, Any] = {}
        self.places: dict[str, tuple[Scope, tuple[int | str, ...]]] = {}
        self.reserved: Iterable[str] = ()
        self.taken: Container[str] = ()
        self.open: list[Hashable] = []
        self.running = running
        self._names: dict[Hashable, str] = {}
        self._given: set[str] = set()
        self._counts: dict[str, int] = {}

    def name_of(self, key: Hashable) -> str:
        """The name of a stored variant; empty if it is not stored."""
        return self._names.get(key, "")

    def put(self, key: Hashable, use: str, *, plain: bool) -> str:
        """Store a variant; its name is the prototype's if ``plain`` or unused."""
        name, count = use, self._counts.get(use, 1)
        while not plain and (name in self._given or name in self.reserved):
            count += 1
            name = f"{use}_{count}"
        self._counts[use] = count
        self._names[key] = name
        self._given.add(name)
        return name
