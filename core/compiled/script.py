# SPDX-License-Identifier: MIT
"""The script of a scene as sections of its compiled file: the program, and recorded inputs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..scene.blocks.script.inputs import recorded_input
from ..scene.camera_names import reads_camera
from ..scene.model import Scene
from ..scene.script import Drag, InputEntry, KeyPress, TimedSetting, Value
from ..scene.text.flow import flow
from ..world.script.player import NEVER, Player
from ..world.script.program import ScriptProgram, program_of
from ..world.script.program.asked import asked_actions

_ENDLESS = 2**53
"""A step that no run of a page reaches."""


def is_scripted(scene: Scene) -> bool:
    """Whether a scene does anything between steps."""
    return scene.is_scripted or any(each.expressions for each in scene.actuators.values())


def without_script(scene: Scene) -> Scene:
    """The scene as the engine alone has it."""
    nothing: dict[str, Any] = {"animations": {}, "controls": {}, "state": {}, "spawners": {}}
    return replace(scene, events=(), inputs=(), outcome=None, **nothing)


def program_for_pages(
    scene: Scene, choices: Sequence[Mapping[str, Value]] = ()
) -> ScriptProgram | str:
    """The program, or the reason why there is none. Drags are none of it: pages do them by
    themselves, so that an input that holds nothing keeps the place of each. ``choices`` are what
    the sliders of a page set, the last of its timed settings."""
    if scene.camera.mode in ("follow", "keys") and reads_camera(scene):
        return "expressions read a camera that moves"
    inputs = [KeyPress("", 0.0, 0.0) if isinstance(each, Drag) else each for each in scene.inputs]
    later = [TimedSetting(math.inf, each) for each in choices]
    kept = replace(scene, inputs=(*inputs, *later))
    return program_of(kept, asked_actions(kept))


def parts_for_python(scene: Scene) -> list[str]:
    """Parts of a scene's script that pages do not run, as words for a message."""
    program = program_for_pages(scene)
    if isinstance(program, str):
        return [program]
    return [] if _runs_in_pages(program) else list(dict.fromkeys(_parts_for_python(scene)))


def _runs_in_pages(program: ScriptProgram) -> bool:
    """Whether pages execute all of a program. They draw no joints that are attached and no holes
    of pieces, and nothing is born in them with a script, particles or joints with the world."""
    lacks = program.attachments or program.scripted or program.emits or program.hollow
    lacks = lacks or program.hangs
    return program.is_whole and not lacks


def _parts_for_python(scene: Scene) -> Iterator[str]:
    """Their places. Each part is tried alone."""
    bare: dict[str, Any] = {"events": (), "spawners": {}, "controls": {}, "inputs": ()}

    def is_whole(**part: Any) -> bool:
        program = program_for_pages(replace(scene, **(bare | part)))
        return isinstance(program, ScriptProgram) and _runs_in_pages(program)

    for name, spawner in scene.spawners.items():
        if not is_whole(spawners={name: spawner}):
            yield f"spawners.{name}"
    for i, rule in enumerate(scene.events):
        if not is_whole(events=(rule,)):
            yield f"events[{i}]"
    for key, control in scene.controls.items():
        if not is_whole(controls={key: control}):
            yield f"controls.{key}"
    for i, entry in enumerate(scene.inputs):
        if isinstance(entry, TimedSetting) and not is_whole(inputs=(entry,)):
            yield f"inputs[{i}]"


def script_names(program: ScriptProgram, scene: Scene) -> dict[str, list[str]]:
    """The names in the tables of a program."""
    return {
        "keys": [*program.keys],
        "state": [*scene.state],
        "texts": [*program.texts],
        "switched": [*program.actuators],
    }


def births_of(scene: Scene, program: ScriptProgram) -> list[dict[str, Any]]:
    """The births of a program: the name of each, and those of the parts of a copy."""
    found: list[dict[str, Any]] = []
    for spawn in program.spawns:
        prototype = scene.prototypes[spawn.use]
        parts = {"bodies": [*prototype.bodies], "joints": [*prototype.joints]}
        found.append({"name": spawn.name, **parts})
    return found


def inputs_of(scene: Scene, program: ScriptProgram) -> list[dict[str, Any]]:
    """The recorded inputs, by steps, as ``core/web/player.js`` holds them; each has its place, and
    settings have the line that records them."""
    player = Player(scene.inputs, scene.world.dt)
    found: list[dict[str, Any]] = [
        {"number": each.number, "key": each.key, **_span(each.start, each.until)}
        for each in player.keys
    ]
    for grab in player.grabs:
        found.append(
            {
                "number": grab.number,
                "body": grab.body,
                "point": grab.point,
                "force": grab.max_force if math.isfinite(grab.max_force) else None,
                "steps": grab.steps,
                "targets": grab.targets,
                **_span(grab.start, grab.until),
            }
        )
    places = {path: place for place, path in enumerate(program.asked)}
    sets = {id(each): place for place, each in enumerate(program.sets)}
    for number, entry in player.settings:
        steps = [step for step, acts in player.timeline().items() if _does(acts, number, entry)]
        asked = places.get(f"inputs[{number}]") if entry.actions and scene.reacts else None
        line = f"- {flow(recorded_input(entry, scene))}"
        given = {"asked": asked, "set": sets.get(id(entry.sets)), "line": line}
        found.append({"number": number, "step": steps[0], **given})
    return sorted(found, key=lambda each: int(each["number"]))


def _does(acts: Any, number: int, entry: InputEntry) -> bool:
    """Whether a timed setting is among what is due before a step."""
    sets = getattr(entry, "sets", None)
    return any(key == str(number) if what == "do" else given is sets for what, key, given in acts)


def _span(start: int, until: int) -> dict[str, int]:
    return {"start": min(start, _ENDLESS), "until": _ENDLESS if until >= NEVER else until}
