# SPDX-License-Identifier: MIT
"""The events of a running world, which wait until they are taken."""

from __future__ import annotations

from ..arguments import checked, flag
from ..record.recorder import Event
from .deprecation import warn_of
from .failures import warnings_of
from .naming.parts import WorldParts
from .removals import settle, take_in_events


class EventQueue:
    """Events and warnings of a world since they were last taken."""

    __slots__ = ("_world",)

    def __init__(self, world: WorldParts) -> None:
        self._world = world

    @checked()
    def take(self) -> list[Event]:
        """Events since the last call, in order."""
        world = self._world
        settle(world)
        take_in_events(world)
        told, world.told = world.told, []
        return told

    @checked()
    def take_warnings(self) -> list[str]:
        """Warnings of bodies that were removed for their states, and of objects that broke badly,
        since the last call."""
        world = self._world
        settle(world)
        warned, world.warned = world.warned, []
        return warned + warnings_of(world.native, world.roster)

    @checked(enabled=flag)
    def enable_births(self, enabled: bool = True) -> None:
        """Whether ``take`` reports bodies that are added and removed; at first it does not."""
        self._world.tells_births = enabled

    @checked(enabled=flag)
    def enable_contacts(self, enabled: bool = True) -> None:
        """Whether ``take`` reports when bodies start and stop touching; at first it does not."""
        world = self._world
        world.tells_contacts = enabled
        listens = world.script is not None and world.script.listens
        world.native.enable_contact_events(enabled or listens)

    def __call__(self) -> list[Event]:
        """The old name of ``take``."""
        warn_of("events()", "events.take()")
        return self.take()
