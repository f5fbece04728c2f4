# SPDX-License-Identifier: MIT
"""The keys of a scene's ``controls``, held in a running world."""

from __future__ import annotations

from ..arguments import checked, text
from .naming.named_parts import NamedParts
from .script import script_of


class Keys:
    """The keys of the scene's ``controls``."""

    __slots__ = ("_world",)

    def __init__(self, world: NamedParts) -> None:
        self._world = world

    @checked(key=text)
    def press(self, key: str) -> None:
        """Hold a key from the next step on. Raises UnknownNameError where there is none."""
        script_of(self._world).press(key)

    @checked(key=text)
    def release(self, key: str) -> None:
        """Let a key go."""
        script_of(self._world).release(key)
