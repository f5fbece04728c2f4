# SPDX-License-Identifier: MIT
"""A scene as one HTML file that runs it: the compiled scene, its looks, the engine, the program."""

from __future__ import annotations

import base64
import zlib
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from ..compiled import compile_scene
from ..page.document import asset, document
from ..page.film import shifts
from ..page.replay import Style
from ..play.survey import survey
from ..play.wire import Stage
from ..record.frame import Frame
from ..render.renderer import line_unit
from ..scene.model import Scene
from ..view.camera import Camera
from ..view.strips import insets_of
from ..world.world import World
from .module import find_module, module_name, program

ALWAYS = 1e300
"""A time that no run reaches, which JSON can hold."""
PROGRAM = ("live_source.js", "live_panels.js", "live_keys.js", "live.js", "run_link.js")


def compiled(scene: Scene) -> bytes:
    """The compiled scene, with all that this version can put into it. Raises UsageError."""
    return compile_scene(scene)


def live_page(scene: Scene, style: Style, *, link: bool = False, plays: bool = True) -> str:
    """The page, as HTML; ``link`` leaves the engine to a file beside it, ``plays`` begins at once.

    Raises UsageError for a scene that a page cannot run, and where the engine was not built.
    """
    content, wasm = compiled(scene), find_module()
    shown = replace(scene, render=replace(scene.render, size=style.size, overlays=style.overlays))
    if style.chosen:
        theme: Any = style.theme
        shown = replace(shown, render=replace(shown.render, theme=theme))
    world = World(scene)
    first = world.frame()
    seen = survey(scene)
    stage = Stage(1, shown, first, seen)
    data = {
        "stage": {**stage.message["data"], "notes": []},
        "run": {
            **_camera(shown, first, stage, seen),
            "bodies": list(range(1, len(scene.bodies) + 1)),
            "joints": len(scene.joints),
            "forces": [_span(each) for each in scene.actuators.values()],
            "shifts": shifts(scene, first).reshape(-1).tolist(),
            "z": {body.name: body.z for body in scene.bodies.values() if body.z},
            "probes": bool(scene.probes),
            "vars": _variables(scene),
            "told": [{"time": 0, "kind": "warning", "text": each} for each in _left_out(scene)],
            "file": Path(scene.path).name,
            "inputs": f"{Path(scene.path).stem}.inputs.yaml",
            "plays": plays,
        },
        "link": module_name() if link else "",
    }
    texts = {
        "rigid-stage": stage.message["arrays"],
        "rigid-scene": packed(content),
        "rigid-worker": "\n".join((program(), asset("run_worker.js"))),
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


def packed(content: bytes) -> str:
    """Bytes, deflated, as letters that are allowed in a page."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def _camera(scene: Scene, first: Frame, stage: Stage, seen: Any) -> dict[str, Any]:
    """The view at first, and the body that the camera follows."""
    render = scene.render
    size = insets_of(scene, render.size, line_unit(render.size)).inner(render.size)
    view = Camera(scene, size, first, seen).view(first)
    camera = scene.camera
    names = camera.targets or ((camera.target,) if camera.target else ())
    followed = [name for name in names if name in scene.bodies] if camera.mode == "follow" else []
    found: dict[str, Any] = {
        "view": {"scale": view.scale, "x": view.shift_x, "y": view.shift_y},
        "size": list(size),
        "follow": None,
    }
    if followed:
        slot = list(scene.bodies).index(followed[0]) + 1
        found["follow"] = {"slot": slot, "bounds": camera.bounds}
    return found


def _span(actuator: Any) -> dict[str, Any]:
    """From when to when an actuator acts, as long as its script lets it."""
    start, until = (
        each if isfinite(each) else _end(each) for each in (actuator.start, actuator.until)
    )
    return {"name": actuator.name, "start": start, "until": until, "enabled": actuator.enabled}


def _end(time: float) -> float:
    return ALWAYS if time > 0.0 else -ALWAYS


def _variables(scene: Scene) -> list[dict[str, Any]]:
    """The vars with a range, as the panel of sliders shows them."""
    return [
        {"name": name, "value": scene.vars[name], "low": low, "high": high, "moved": False}
        for name, (low, high) in scene.ranges.items()
    ]


def _left_out(scene: Scene) -> list[str]:
    """Parts of a picture that this page does not draw, for its list of events."""
    parts = {"annotations": scene.annotations, "particles": scene.particles, "probes": scene.probes}
    found = [name for name, there in parts.items() if there]
    moves = scene.camera.mode in ("keys",) or bool(scene.camera.shake)
    found += ["the camera's motion"] if moves else []
    return [f"not drawn on live pages: {', '.join(found)}"] if found else []
