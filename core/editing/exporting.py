# SPDX-License-Identifier: MIT
"""The scene in other forms, for the page to keep: a picture, a movie, a page, its text."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from ..errors import UsageError
from ..jobs.produce import produce
from ..jobs.sprites import sprite_sheet
from ..jobs.targets import Kind, Target
from ..play.session import Session
from ..scene.model import Scene

FORMS = ("png", "gif", "mp4", "html", "sprites")
LONGEST = 30.0
"""Seconds of a movie that is made while the page waits, at most."""


def exported(session: Session, form: str, seconds: float) -> dict[str, Any]:
    """The scene as a file: its name, and its bytes in base64.

    A picture shows the moment at which the session is; a movie begins at the start.
    Raises UsageError where there is none.
    """
    scene = session.scene
    if scene is None or session.trouble is not None:
        raise UsageError("the scene has mistakes; mend these first")
    if form == "sprites":
        return _sprites(scene, session.source.path.stem)
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


def _sprites(scene: Scene, stem: str) -> dict[str, Any]:
    """The poses of the scene's animations as one picture, and what is in it as JSON."""
    with TemporaryDirectory() as folder:
        picture, index = sprite_sheet(scene).write(Path(folder) / f"{stem}_sprites.png")
        first, second = (b64encode(each.read_bytes()).decode("ascii") for each in (picture, index))
    return {"name": picture.name, "data": first, "beside": {"name": index.name, "data": second}}
