# SPDX-License-Identifier: MIT
"""Displays scenes and runs in notebooks: a picture, a movie."""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal

from PIL import Image

from ..arguments import checked, checked_fields, named, one_of, optional, real, size, text, word_of
from ..errors import RigidError, UsageError
from ..record.atomic import atomic_file, temporary_folder
from ..render import Renderer
from ..scene.model import Scene
from ..world import World
from .produce import produce
from .targets import Look, Target

KINDS = ("gif", "mp4", "webp")
MIME_TYPES = {"gif": "image/gif", "mp4": "video/mp4", "webp": "image/webp"}


@checked_fields(kind=word_of(*KINDS), data=one_of(bytes), title=text)
@dataclass(frozen=True)
class Movie:
    """A run as a movie, which a notebook shows.

    Attributes:
        kind: gif, mp4 or webp.
        data: the bytes of the file.
        title: the scene's name.
    """

    kind: str
    data: bytes
    title: str = ""

    @checked(path=named)
    def save(self, path: str) -> None:
        """Write the file. Raises UsageError where its ending is of another kind."""
        if Path(path).suffix.lower() != f".{self.kind}":
            raise UsageError(f"{path}: the movie is a {self.kind}; its file ends in .{self.kind}")
        with atomic_file(path) as file:
            file.write(self.data)

    def _repr_html_(self) -> str:
        source = f"data:{MIME_TYPES[self.kind]};base64,{base64.b64encode(self.data).decode()}"
        title = escape(self.title)
        if self.kind == "mp4":
            return f'<video src="{source}" controls loop autoplay muted title="{title}"></video>'
        return f'<img src="{source}" alt="{title}">'


@checked(
    scene=one_of(Scene),
    kind=word_of(*KINDS),
    size=optional(size),
    fps=optional(real),
    seconds=optional(real),
)
def movie(
    scene: Scene,
    *,
    kind: Literal["gif", "mp4", "webp"] = "gif",
    size: tuple[int, int] | None = None,
    fps: float | None = None,
    seconds: float | None = None,
) -> Movie:
    """Run a scene and film it like ``rigid run --gif``, in memory.

    ``seconds`` are those of the scene, by default all; ``size`` and ``fps`` by default the scene's.

    Raises:
        SimulationError: when the run cannot continue.
    """
    steps = scene.world.steps
    if seconds is not None:
        own = seconds * scene.units.time_per_second / scene.world.dt
        if not 0 < own <= steps + 0.5:
            raise UsageError(f"seconds should be above 0 and within the run, not {seconds:g}")
        steps = max(1, round(own))
    with temporary_folder(Path(tempfile.gettempdir())) as folder:
        path = folder / f"movie.{kind}"
        produce(scene, [Target(kind, path)], steps=steps, look=Look(size=size, fps=fps))
        return Movie(kind, path.read_bytes(), scene.name)


def scene_view(scene: Scene) -> str:
    """Return a scene at its start as HTML, with its name and description."""
    counts = f"{len(scene.bodies)} bodies, {len(scene.joints)} joints, {scene.world.steps} steps"
    return _view(scene, lambda: World(scene), (scene.description.strip(), counts))


def world_view(world: World) -> str:
    """Return a running world as it is as HTML."""
    scene = world.scene
    counts = f"t = {world.time:g}, step {world.step_count:,} of {scene.world.steps:,}"
    return _view(scene, lambda: world, (counts,))


def _view(scene: Scene, made: Callable[[], World], lines: Sequence[str]) -> str:
    """The picture of a world with lines below it."""
    shown = [f"<strong>{escape(scene.name or scene.path)}</strong>"]
    try:
        world = made()
        image = Renderer(scene).draw(world.frame())
    except RigidError as error:
        shown.append(f"<pre>{escape(str(error))}</pre>")
    else:
        stream = io.BytesIO()
        Image.fromarray(image).save(stream, format="png")
        data = base64.b64encode(stream.getvalue()).decode()
        alt = escape(scene.name)
        shown.append(f'<img src="data:image/png;base64,{data}" alt="{alt}">')
    shown += [f"<div>{escape(each)}</div>" for each in lines if each]
    return f'<figure style="margin:0">{"".join(shown)}</figure>'
