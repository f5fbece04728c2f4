# SPDX-License-Identifier: MIT
"""The inputs of a script, as its native program has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...scene.model import Scene
from ...scene.script import TimedSetting, Value
from .player import Player
from .program_values import ProgramValues

INPUTS = ("press", "release", "do", "set", "host")
"""As ``InputKind`` of ``native/script/program.h``."""


def native_sets(scene: Scene, values: ProgramValues) -> tuple[Mapping[str, Value], ...]:
    """The timed settings of a scene's inputs that the engine can do."""
    timed = [each.sets for each in scene.inputs if isinstance(each, TimedSetting) and each.sets]
    return tuple(each for each in timed if not values.are_for_host(each))


def input_rows(
    player: Player,
    keys: Sequence[str],
    asked: Sequence[str],
    sets: Sequence[Mapping[str, Value]],
    step: int,
) -> list[tuple[int, int, int]]:
    """The inputs from a step on, but for drags: the step, the kind, and a place in a table."""
    places = {key: place for place, key in enumerate(keys)}
    settings = {id(each): place for place, each in enumerate(sets)}
    rows: list[tuple[int, int, int]] = []
    for at, acts in player.timeline().items():
        for what, key, values in acts if at >= step else ():
            if what in ("press", "release") and key in places:
                rows.append((at, INPUTS.index(what), places[key]))
            elif what == "do":
                if asked:
                    rows.append((at, INPUTS.index(what), asked.index(f"inputs[{key}]")))
            elif what == "set" and id(values) in settings:
                rows.append((at, INPUTS.index(what), settings[id(values)]))
            elif what != "set" or values:
                rows.append((at, INPUTS.index("host"), 0))
    return rows
