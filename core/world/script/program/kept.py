# SPDX-License-Identifier: MIT
"""Bodies as bytes, which are kept for as long as many of them are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ....scene.model import Body, Scene
from .breaking import aligned, breakable
from .forms import form_of
from .writer import NONE


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A body, told apart by its identity, of the world of a scene."""

    scene: Scene
    body: Body

    def __hash__(self) -> int:
        return id(self.body)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and other.body is self.body


@lru_cache(maxsize=4096)
def form_bytes(kept: Kept) -> bytes:
    """The shapes of a body as they are measured."""
    return form_of(kept.body)


@lru_cache(maxsize=4096)
def breakable_bytes(kept: Kept) -> bytes | None:
    """A body that may break; None for one without area."""
    return breakable(kept.scene, kept.body)


def along_ids(body: Body, ids: Mapping[str, int]) -> tuple[int, int]:
    """The ids of the bodies with which a picture is aligned."""
    first, second = aligned(body)
    return ids.get(first, NONE), ids.get(second, NONE)
