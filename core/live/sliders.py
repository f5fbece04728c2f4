# SPDX-License-Identifier: MIT
"""Vars whose sliders work on a live page: those that decide nothing but settings of a running
world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..compiled.script import program_for_pages
from ..errors import SceneError
from ..play.changes import Settings, settings_between
from ..scene.blocks.script.inputs import recorded_input
from ..scene.loading import rereading
from ..scene.model import Scene
from ..scene.script import TimedSetting
from ..scene.text.flow import flow
from ..world.script.program import ScriptProgram

POSITIONS = 50
"""The places of a slider, less one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A place of a slider: the value of its var, what is set then, and that as YAML."""

    value: float
    sets: Settings
    text: str


def sliders_of(scene: Scene) -> dict[str, list[Choice]]:
    """The places of the sliders that work, by the names of their vars. No two set the same."""
    found = {name: _choices(scene, name, *ends) for name, ends in scene.ranges.items()}
    kept: dict[str, list[Choice]] = {}
    taken: set[str] = set()
    for name, choices in found.items():
        paths = {path for each in choices for path in each.sets}
        if not choices or not taken.isdisjoint(paths):
            continue
        taken |= paths
        kept[name] = choices
    return kept


def settings_of(sliders: Mapping[str, list[Choice]]) -> list[Settings]:
    """What all places set, in the order of the sliders."""
    return [choice.sets for choices in sliders.values() for choice in choices]


def _choices(scene: Scene, name: str, low: float, high: float) -> list[Choice]:
    """The places of a slider; none where another value takes more than settings."""
    again, values = rereading(scene), [low + k * (high - low) / POSITIONS for k in range(POSITIONS)]
    sets: list[Settings] = []
    usual: Settings = {}
    for value in [*values, high] if again is not None else ():
        try:
            other = again((f"vars.{name}={flow(value)}",)) if again is not None else scene
        except SceneError:
            return []
        there, back = settings_between(scene, other), settings_between(other, scene)
        if there is None or back is None:
            return []
        sets.append(there)
        usual |= back
    whole = [{path: each.get(path, usual[path]) for path in usual} for each in sets]
    if not usual or not _is_native(scene, whole[0]):
        return []
    return [
        Choice(value, each, flow(recorded_input(TimedSetting(0.0, each), scene)["set"]))
        for value, each in zip([*values, high], whole, strict=True)
    ]


def _is_native(scene: Scene, sets: Settings) -> bool:
    """Whether pages can set all of it."""
    program = program_for_pages(scene, [sets])
    return isinstance(program, ScriptProgram) and program.is_whole
