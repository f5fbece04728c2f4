# SPDX-License-Identifier: MIT
"""The interface to what changes the files of a scene for its pages.

A page sends ``{"do": "desk", "id": 7, "ask": "edit", ...}``; the answer has the same ``id``. Pages
that have asked for anything are told the state of the desk whenever it has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Desk(Protocol):
    """Answers the requests of pages about the scene's files. The thread of the game calls it."""

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request. Raises a RigidError for one that cannot be honoured."""
        ...

    def look(self) -> bool:
        """Read the files again where they were changed; whether the state is another one."""
        ...

    def state(self) -> dict[str, Any]:
        """The state that pages show."""
        ...
