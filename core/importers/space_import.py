# SPDX-License-Identifier: MIT
"""A space of pymunk on its way to a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .drafts.draft import Draft
from .drafts.filters import CollisionFilter, Filters
from .drafts.places import SourceText

_ALL = 0xFFFFFFFF
_KINDS = ("dynamic", "kinematic", "static")


@dataclass(frozen=True, slots=True)
class SpacePlace:
    """The place of an object in a space, without lines."""

    path: str

    def place(self) -> tuple[int, int]:
        return 0, 0


class SpaceImport:
    """A space on its way."""

    def __init__(self, space: Any) -> None:
        self.space = space
        self.draft = Draft(SourceText("<space>"), "pymunk", units={"angle": "rad"})
        self.filters = Filters(CollisionFilter(_ALL, _ALL), lambda group: False)
        self.names: dict[int, str] = {}  # of bodies, by their identity

    def kind(self, body: Any) -> str:
        number = int(body.body_type)
        return _KINDS[number] if 0 <= number < len(_KINDS) else "static"
