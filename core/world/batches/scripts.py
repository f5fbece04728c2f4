# SPDX-License-Identifier: MIT
"""Runs the scripts of many worlds natively, on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ... import _native
from ..failures import raise_error
from ..naming.named_parts import NamedParts
from ..script import Script


class NativeScripts:
    """Threads for the scripts of many worlds."""

    def __init__(self, threads: int) -> None:
        self._scripts = _native.Scripts(threads)

    def run(
        self, worlds: Sequence[NamedParts], ends: Sequence[int]
    ) -> list[tuple[int, Callable[[], None]]]:
        """Step worlds with native scripts, each up to a step at most.

        Returns the places of those that have stopped before, each with a function that does what
        is left to Python there, and raises the error if there is one.
        """
        scripts = [_script(world) for world in worlds]
        runners = []
        for script in scripts:
            assert script.native is not None
            script.native.take_over(script)
            runners.append(script.native.runner)
        engines = [world.native for world in worlds]
        return [
            (place, partial(_go_on, scripts[place], ends[place], *stop))
            for place, *stop in self._scripts.run(runners, engines, [*ends])
        ]


def _go_on(script: Script, end: int, reason: int, turn: int, action: int) -> None:
    assert script.native is not None
    script.native.go_on(script, end, reason, turn, action)
    raise_error(script.world)


def is_native(world: NamedParts) -> bool:
    """Whether the steps of a world are made with its script in the engine."""
    return world.script is not None


def catch_up(world: NamedParts) -> None:
    """Take notice of what a native script has set and what happened."""
    if world.script is not None:
        native = _script(world).native
        if native is not None and native.ahead:
            native.catch_up(_script(world))


def _script(world: NamedParts) -> Script:
    assert isinstance(world.script, Script)
    return world.script
