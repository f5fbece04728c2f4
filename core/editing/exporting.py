# SPDX-License-Identifier: MIT
"""The scene in other forms, for the page to keep: a picture, a movie, a page, its text."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from ..errors import UsageError
from ..jobs.produce import produce
from ..jobs.sprites import sprite_sheet
from ..jobs.targets import Kind, Target
from ..play.session import Session
from ..scene.model import Scene
from ..scene.values.portable_math import radians

FORMS = ("png", "gif", "mp4", "html", "sprites")
OPTIONS = (
    *("animations", "count", "pivot", "body", "ground", "size", "scale", "fps"),
    *("angle", "steps", "joints", "whole_scene"),
)
"""The options of sprites that a page may give."""
LONGEST = 30.0
"""Seconds of a movie that is made while the page waits, at most."""


def exported(
    session: Session, form: str, seconds: float, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The scene as a file: its name, and its bytes in base64.

    A picture shows the moment at which the session is; a movie begins at the start. ``options``
    are those of sprites, as ``sprite_sheet`` has them, with the angle in degrees.
    Raises UsageError where there is none.
    """
    scene = session.scene
    if scene is None or session.trouble is not None:
        raise UsageError("the scene has mistakes; mend these first")
    if form == "sprites":
        return _sprites(scene, session.source.path.stem, options or {})
    if form not in FORMS or form not in get_args(Kind):
        raise UsageError(f"the scene is kept as one of: {', '.join(FORMS)}")
    second = scene.units.time_per_second
    longest = min(seconds or LONGEST, LONGEST) * second
    steps = min(scene.world.steps, max(1, round(longest / scene.world.dt)))
    if form == "png":
        steps = max(1, session.step)
    name = f"{session.source.path.stem}.{form}"
    with TemporaryDirectory() as folder:
        file = Path(folder) / name
        at = session.time if form == "png" else None
        kind: Any = form
        produce(scene, [Target(kind, file)], steps=steps, at=at, check=False)
        data = file.read_bytes()
    return {"name": name, "data": b64encode(data).decode("ascii")}


def _sprites(scene: Scene, stem: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The poses of the scene's animations as one picture, and what is in it as JSON."""
    chosen = {str(key): _as_argument(value) for key, value in options.items()}
    if unknown := chosen.keys() - set(OPTIONS):
        raise UsageError(f"sprites have no {min(unknown)}; they have {', '.join(OPTIONS)}")
    angle = chosen.pop("angle", 0)
    if type(angle) not in (int, float):
        raise UsageError(f"angle {angle!r}: should be a number of degrees")
    sheet = sprite_sheet(scene, angle=radians(angle), **chosen)
    with TemporaryDirectory() as folder:
        picture, index = sheet.write(Path(folder) / f"{stem}_sprites.png")
        first, second = (b64encode(each.read_bytes()).decode("ascii") for each in (picture, index))
    return {
        "name": picture.name,
        "data": first,
        "beside": {"name": index.name, "data": second},
        "cell": sheet.cell,
        "pivot": sheet.pivot,
        "rows": sheet.rows,
        "count": sheet.count,
        "unsettled": sheet.unsettled,
        "texture": sheet.texture(picture.name),
    }


def _as_argument(value: Any) -> Any:
    """A value of JSON as an argument: pairs are tuples."""
    return tuple(value) if isinstance(value, list) else value
