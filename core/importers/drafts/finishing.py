# SPDX-License-Identifier: MIT
"""The end of an import: a draft becomes the text of a scene, which is loaded to be sure of it."""

from __future__ import annotations

import re
from dataclasses import replace

from ...errors import Kind, Problem, SceneError
from ...scene import loads
from .draft import Draft
from .factoring import factor
from .result import Import
from .writing import write

_STEP = re.compile(r"([^.\[]+)|\[(\d+)\]")


def finish(draft: Draft) -> Import:
    """Return the scene file, checked by loading it.

    Raises:
        SceneError: with the places in the foreign file of all that no scene can have.
    """
    common = factor(draft.all_of("bodies"), draft.all_of("joints"))
    text = write(draft, common)
    folder = draft.source.folder
    checked = write(_without_written(draft), common) if draft.written else text
    try:
        scene = loads(checked, folder=folder)
    except SceneError as error:
        raise SceneError([_told(draft, problem) for problem in error.problems]) from None
    return Import(
        draft.source.file,
        draft.format,
        text,
        tuple(draft.losses),
        len(scene.bodies),
        len(scene.joints),
        len(scene.actuators),
        folder,
        dict(draft.written),
    )


def _without_written(draft: Draft) -> Draft:
    """The draft without the pictures that are not in the folder yet."""
    layers = [each for each in draft.fields.get("layers", ()) if each["image"] not in draft.written]
    fields = {name: value for name, value in draft.fields.items() if name != "layers"}
    bodies = dict(draft.bodies)
    for name, entry in bodies.items():
        texture = entry.get("texture", {})
        if texture.get("file", texture.get("sheet")) in draft.written:
            bodies[name] = {key: value for key, value in entry.items() if key != "texture"}
    return replace(
        draft, bodies=bodies, fields={**fields, **({"layers": layers} if layers else {})}
    )


def _told(draft: Draft, problem: Problem) -> Problem:
    """Convert a problem of the scene to a problem of the foreign file."""
    parts = [word or int(index) for word, index in _STEP.findall(problem.path)]
    part = draft
    if parts[:1] == ["prototypes"] and len(parts) > 3:
        part = draft.prototypes.get(str(parts[1]), draft)
        parts = parts[2:]
    origin = part.origins.get(str(parts[1])) if len(parts) > 1 else None
    what = problem.path
    message, kind = problem.message, problem.kind
    if origin is None:
        return _problem(draft, 0, 0, what, message, kind)
    line, column = origin.place()
    return _problem(draft, line, column, origin.path, f"`{what}` of the scene {message}", kind)


def _problem(draft: Draft, line: int, column: int, path: str, message: str, kind: Kind) -> Problem:
    return Problem(draft.source.file, line, column, path, message, kind)
