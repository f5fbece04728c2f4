# SPDX-License-Identifier: MIT
"""A scene as one HTML file that runs it: the compiled scene, its looks, the engine, the program."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Any

from ..compiled import compile_scene
from ..compiled.readings import readings_of
from ..compiled.script import is_scripted, program_for_pages
from ..page.document import asset, document
from ..page.film import shifts
from ..page.replay import Style
from ..play.survey import survey
from ..play.wire import Stage
from ..record.commands import quoted, scene_words
from ..record.frame import Frame
from ..render.marks.annotations import wants_contacts
from ..render.renderer import line_unit
from ..render.sounds import encoded
from ..scene.action_model import Action
from ..scene.loading import rereading
from ..scene.model import Emitter, Scene
from ..view.camera import Camera
from ..view.strips import insets_of
from ..world.script.program import ScriptProgram
from ..world.world import World
from . import probes
from .module import find_module, module_name, program
from .moulds import moulds_of
from .notes import notes_of, outline, sources_of
from .sliders import Choice, settings_of, sliders_of
from .sprites import sprite_sources, sprites_of, unread
from .vectors import watched

ALWAYS = 1e300
"""A time that no run reaches, which JSON can hold."""
SILENT = ("bodies", "joints", "prototypes")
"""The parts of a scene that have no actions; a page runs no prototypes that act."""
PROGRAM = (
    *("live_source.js", "live_panels.js", "live_keys.js", "live.js"),
    *("run_births.js", "run_link.js"),
)
WORKER = (
    *("run_notes.js", "run_vectors.js", "run_sprites.js", "run_trails.js", "run_camera.js"),
    *("run_probes.js", "run_particles.js", "run_worker.js"),
)
"""The files of the worker, after those of the engine."""


def live_page(
    scene: Scene, style: Style, *, link: bool = False, plays: bool = True, mute: bool = False
) -> str:
    """The page, as HTML; ``link`` leaves the engine to a file beside it, ``plays`` begins at once,
    ``mute`` leaves out sounds.

    Raises UsageError for a scene that a page cannot run, and where the engine was not built.
    """
    wasm = find_module()
    sources = (*sources_of(scene), *sprite_sources(scene), *probes.sources_of(scene))
    readings = readings_of(scene, sources)
    sliders, again = sliders_of(scene), rereading(scene)
    content = compile_scene(scene, readings=readings.data, choices=settings_of(sliders))
    shown = replace(scene, render=replace(scene.render, size=style.size, overlays=style.overlays))
    if style.chosen:
        theme: Any = style.theme
        shown = replace(shown, render=replace(shown.render, theme=theme))
    world = World(scene)
    first = world.frame()
    seen = survey(scene)
    stage = Stage(1, shown, first, seen)
    weight = stage.message["data"]["weight"]
    program_of_scene = program_for_pages(shown) if is_scripted(shown) else None
    known = program_of_scene if isinstance(program_of_scene, ScriptProgram) else None
    moulds, hides = moulds_of(shown, known), known is not None and known.hides
    has_moulds = bool(moulds.table or moulds.pieces)
    hidden = [row for row, body in enumerate(scene.bodies.values()) if not body.visible]
    if has_moulds or hides:
        all_seen = dict.fromkeys(moulds.scene.bodies, True) if hides else first.visible
        stage.take_in(1, replace(first, scene=moulds.scene, visible=all_seen))
    notes, left_out = notes_of(scene, first, stage, readings)
    left_out += unread(scene, readings)
    sights, unseen = probes.probes_of(scene, readings)
    left_out += unseen
    left_out += [f"the looks of the shapes of pieces of {name}" for name in moulds.mixed]
    inputs = f"{Path(scene.path).stem}.inputs.yaml"
    data = {
        "stage": {**stage.message["data"], "weight": weight},
        "moulds": {
            "bodies": len(scene.bodies),
            "joints": len(scene.joints),
            "table": moulds.table,
            "pieces": moulds.pieces,
            "orders": [list(each) for each in stage.orders()] if has_moulds else [],
        },
        "run": {
            "camera": camera_plan(shown, first, seen),
            "bodies": list(range(1, len(scene.bodies) + 1)),
            "joints": len(scene.joints),
            "moulds": moulds.table,
            "mouldOf": moulds.of,
            "pieces": moulds.pieces,
            "hides": hides,
            "hidden": hidden,
            "forces": [_span(each) for each in scene.actuators.values()],
            "shifts": shifts(scene, first).reshape(-1).tolist(),
            "z": {body.name: body.z for body in scene.bodies.values() if body.z},
            "probes": sights if scene.probes else None,
            "vars": _variables(scene, sliders, own_settings(scene)),
            "notes": notes,
            "vectors": {
                "watched": watched(scene),
                "contacts": wants_contacts(scene),
                "way": 1 if scene.units.y_down else -1,
                "size": insets_of(scene, style.size, line_unit(style.size)).inner(style.size),
                "unit": line_unit(style.size),
            },
            "sprites": sprites_of(stage.sprites, readings),
            "trails": {"rows": stage.trailed, "near": stage.near},
            "particles": [_emitter(each, scene, first) for each in scene.particles.values()],
            "told": [
                {"time": 0, "kind": "warning", "text": each} for each in _told(scene, left_out)
            ],
            "file": Path(scene.path).name,
            "replayed": [scene_words(scene.path, again.overrides if again else ()), quoted(inputs)],
            "inputs": inputs,
            "plays": plays,
        },
        "sounds": {} if mute else sounds_of(scene),
        "link": module_name() if link else "",
    }
    texts = {
        "rigid-stage": stage.message["arrays"],
        "rigid-scene": packed(content),
        "rigid-worker": "\n".join((program(), *(asset(name) for name in WORKER))),
    }
    if not link:
        texts["rigid-wasm"] = packed(wasm)
    return document(
        scene.name or "A run",
        data,
        texts,
        program=PROGRAM,
        connect="'self'" if link else "'none'",
        styles=("live.css",),
        engine=True,
    )


def sounds_of(scene: Scene) -> dict[str, str]:
    """The bytes of all sounds that a run may play, as letters of base64, by their names."""
    parts = [getattr(scene, each.name) for each in fields(scene) if each.name not in SILENT]
    names = dict.fromkeys(_sound_names(parts))
    return {name: base64.b64encode(encoded(name, scene)).decode("ascii") for name in names}


def _sound_names(parts: Iterable[Any]) -> Iterator[str]:
    """The names of the sounds of all actions in parts of a scene, which may contain each other."""
    seen: dict[int, Any] = {}
    waiting = list(parts)[::-1]
    while waiting:
        part = waiting.pop()
        # A scene in a picture is not heard.
        if isinstance(part, (str, int, float, Scene)) or id(part) in seen:
            continue
        seen[id(part)] = part  # kept, so that no other one gets its number
        inner: list[Any] = []
        if isinstance(part, Action) and part.kind == "sound":
            yield part.name
        elif is_dataclass(part):
            inner = [getattr(part, each.name) for each in fields(part)]
        elif isinstance(part, Mapping):
            inner = [*part.values()]
        elif isinstance(part, (list, tuple)):
            inner = [*part]
        waiting += inner[::-1]


def packed(content: bytes) -> str:
    """Bytes, deflated, as letters that are allowed in a page."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def camera_plan(scene: Scene, first: Frame, seen: Any) -> dict[str, Any]:
    """The motion of the camera, and the outlines of the bodies that it looks at."""
    render = scene.render
    size = insets_of(scene, render.size, line_unit(render.size)).inner(render.size)
    plan = Camera(scene, size, first, seen).plan()
    rows = {*plan["kept"], *plan.get("several", {"rows": ()})["rows"]}
    bodies = [*scene.bodies.values()]
    return {**plan, "outlines": {row: outline(bodies[row]) for row in sorted(rows)}}


def _span(actuator: Any) -> dict[str, Any]:
    """From when to when an actuator acts, as long as its script lets it."""
    start, until = (
        each if isfinite(each) else _end(each) for each in (actuator.start, actuator.until)
    )
    return {"name": actuator.name, "start": start, "until": until, "enabled": actuator.enabled}


def _emitter(emitter: Emitter, scene: Scene, first: Frame) -> dict[str, Any]:
    """What decides when particles come, and where from."""
    rows = {name: row for row, name in enumerate(scene.bodies)}
    actuators = [*scene.actuators]
    owners = []
    for place in emitter.places:
        body, _, point = place.partition(".points.")
        at = scene.bodies[body].points[point] if point else None
        center = first.center[rows[body]].tolist()
        owners.append({"slot": rows[body] + 1, "point": at, "center": center})
    names = ("rate", "life", "speed", "spread", "start", "count", "once")
    found: dict[str, Any] = {name: getattr(emitter, name) for name in names}
    gate = actuators.index(emitter.gate) if emitter.gate else -1
    return found | {"owners": owners, "gate": gate}


def _end(time: float) -> float:
    return ALWAYS if time > 0.0 else -ALWAYS


def _variables(
    scene: Scene, sliders: Mapping[str, list[Choice]], first: int
) -> list[dict[str, Any]]:
    """The vars with a range, as the panel of sliders shows them, with the places of those that
    work while the page runs: the value, and what it sets, as YAML and as a place of the table of
    timed settings, in which theirs begin at ``first``."""
    number = count(first)
    found: dict[str, list[Any]] = {
        name: [[each.value, next(number), each.text] for each in choices]
        for name, choices in sliders.items()
    }
    return [
        {
            "name": name,
            "value": scene.vars[name],
            "low": low,
            "high": high,
            "moved": False,
            "places": found.get(name, []),
        }
        for name, (low, high) in scene.ranges.items()
    ]


def own_settings(scene: Scene) -> int:
    """The number of the scene's own timed settings."""
    program = program_for_pages(scene) if is_scripted(scene) else None
    return len(program.sets) if isinstance(program, ScriptProgram) else 0


def _told(scene: Scene, notes: list[str]) -> list[str]:
    """Parts of a picture that this page does not draw, for its list of events."""
    found = [*notes, *(["variants"] if scene.compare is not None else [])]
    return [f"not drawn on live pages: {', '.join(found)}"] if found else []
