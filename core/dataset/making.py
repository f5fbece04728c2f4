# SPDX-License-Identifier: MIT
"""Makes the runs of a data set, in a worker."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RigidError, SimulationError
from ..record.frame import Frame
from ..record.npz import write_arrays
from ..render import Renderer, Survey, open_encoder
from ..render.encoders.images import png_bytes
from ..render.masks import Masks
from ..render.renderer import line_unit
from ..scene.model import Scene
from ..scene.study_model import Study
from ..scene.variants import UNMOVING, Template
from ..study.reducers import CollectError, Compiled, RunRecorder
from ..study.running import Status, to_its_end
from ..study.sampling import Row
from ..view.camera import View
from ..view.strips import without_strips
from ..world import frame_times
from ..world.world import World
from .archive import pack
from .maps import MotionMaps
from .measuring import BodyRows, state_of, touching
from .recipe import Recipe
from .regions import Annotation, annotations_of, boxes_of

UInt8 = NDArray[np.uint8]
UInt16 = NDArray[np.uint16]


@dataclass
class MadeRun:
    """The result of one run.

    Attributes:
        run: its number.
        parameters: its values, by path.
        status: ``ok``, or the reason of the failure: ``stopped`` on an error, ``invalid`` scene,
            ``failed``, since its end condition has no value, ``died``, since its process ended.
        message: the reason in words.
        hash: the hash of the exact state at its end.
        frames: the number of its frames.
        vars: the value of each var of the scene in this run, also of those that are drawn.
        seconds: the elapsed time.
        archive: all its files.
        annotations: those of each frame, for COCO.
    """

    run: int
    parameters: dict[str, Any]
    status: Status = "ok"
    message: str = ""
    hash: str = ""
    frames: int = 0
    vars: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    archive: bytes = b""
    annotations: list[list[Annotation]] = field(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """Its entry in tables: the same whenever it is made."""
        told = ("run", "parameters", "vars", "status", "message", "hash", "frames")
        return {name: getattr(self, name) for name in told}


@dataclass(frozen=True)
class MakeTask:
    """Some runs of a data set: their numbers, names and values."""

    template: Template
    study: Study
    recipe: Recipe
    named: tuple[tuple[int, str, Row], ...]

    @property
    def runs(self) -> list[tuple[int, Row]]:
        return [(run, values) for run, _, values in self.named]

    def do(self) -> list[MadeRun]:
        """Make the runs one after another."""
        maker = Maker(self.template, self.study, self.recipe)
        return [maker.run(run, key, values) for run, key, values in self.named]


class Maker:
    """Makes the runs of one data set, whether they succeed or fail."""

    def __init__(self, template: Template, study: Study, recipe: Recipe) -> None:
        self.recipe = recipe
        shown = [block for block in UNMOVING if block not in ("record", "expect")]
        self.template = template.bare(*(shown if recipe.has_pictures else ["render"]))
        self.compiled = Compiled.of(replace(study, collect=()))
        self.paths = [axis.path for axis in study.axes]

    def run(self, run: int, key: str, values: Sequence[Any]) -> MadeRun:
        """Make one run; its errors are in the result."""
        made = MadeRun(run, dict(zip(self.paths, values, strict=True)))
        begin = time.perf_counter()
        try:
            self._make(made, key)
        except (RigidError, MemoryError) as error:
            made.status = "invalid"
            if isinstance(error, SimulationError):
                made.status = "stopped"
            elif isinstance(error, CollectError):
                made.status = "failed"
            made.message = str(error) or type(error).__name__
        made.seconds = time.perf_counter() - begin
        return made

    def _make(self, made: MadeRun, key: str) -> None:
        scene = self.template.scene(made.parameters)
        made.vars = {name: float(value) for name, value in scene.vars.items()}
        recorder = RunRecorder(scene, self.compiled)
        frames: list[Frame] = []
        masses: dict[str, tuple[float, float]] = {}
        running: list[World] = []
        listens = "events" in self.recipe.what

        def see(frame: Frame) -> None:
            frames.append(frame)
            for name in (scene if frame.scene is None else frame.scene).bodies:
                if name not in masses and name in running[0]:
                    body = running[0][name]
                    masses[name] = body.mass, body.inertia

        def prepare(world: World) -> None:
            running.append(world)
            world.events.enable_births()
            world.events.enable_contacts(listens)

        world = to_its_end(scene, recorder, times=self._times(scene), see=see, prepare=prepare)
        made.hash, made.frames = f"{world.state_hash():016x}", len(frames)
        lineup = BodyRows(scene, frames, masses)
        files: dict[str, bytes] = {}
        arrays = state_of(lineup, frames, self.recipe.what)
        if "contacts" in self.recipe.what:
            arrays |= touching(lineup, frames)
        if self.recipe.has_pictures:
            arrays |= self._picture(scene, lineup, frames, files, made)
        told: dict[str, Any] = {
            **made.facts(),
            "outcome": recorder.outcome,
            "bodies": lineup.told(),
            "joints": lineup.joints(),
        }
        if listens:
            told["events"] = [
                {
                    "step": each.step,
                    "time": each.step * scene.world.dt,
                    "kind": each.kind,
                    "a": each.a,
                    "b": each.b,
                }
                for each in recorder.events
            ]
        text = json.dumps(told, ensure_ascii=False, allow_nan=False) + "\n"
        packed = BytesIO()
        write_arrays(packed, arrays)
        made.archive = pack(
            key, {"run.json": text.encode(), "arrays.npz": packed.getvalue(), **files}
        )

    def _times(self, scene: Scene) -> list[float]:
        """Steps and times of frames: the steps nearest to a movie's frames, each once."""
        dt = scene.world.dt
        steps = {
            min(round(time / dt), scene.world.steps)
            for time in frame_times(scene, fps=self.recipe.fps)
        }
        return [step * dt for step in sorted(steps)]

    # ------------------------------------------------------------ pictures

    def _picture(
        self,
        scene: Scene,
        lineup: BodyRows,
        frames: Sequence[Frame],
        files: dict[str, bytes],
        made: MadeRun,
    ) -> Mapping[str, NDArray[Any]]:
        """Draw frames and masks into ``files``; return their views and the boxes of bodies."""
        scene = without_strips(scene)  # masks have none
        what, size = self.recipe.what, self.recipe.size or scene.render.size
        factor = scene.render.supersample
        canvas = (size[0] * factor, size[1] * factor)
        renderer = Renderer(
            scene, size=size, fps=self.recipe.fps, survey=Survey(scene, frames), supersample=factor
        )
        masks = Masks(scene, size, unit=line_unit(canvas) / factor)
        images: list[UInt8] = []
        views: list[tuple[float, float, float, float]] = []
        drawn: list[UInt16] = []
        amodal: list[NDArray[np.bool_]] = []
        need_masks = any(word in what for word in ("masks", "velocities", "flow"))
        for number, frame in enumerate(frames):
            looked = renderer.look(frame)
            view = View(*(part / factor for part in looked.numbers()))
            views.append(view.numbers())
            if "frames" in what:
                image = renderer.draw(frame, looked)
                if self.recipe.video:
                    images.append(image)
                else:
                    files[f"frame.{number:05d}.png"] = png_bytes(image)
            if need_masks:
                drawn.append(masks.draw(frame, view, lineup.numbers))
            if "masks" in what:
                files[f"mask.{number:05d}.png"] = png_bytes(drawn[-1])
            if "amodal" in what:
                whole = masks.whole(frame, view, lineup.numbers)
                amodal.append(whole)
        if images:
            files["frames.mp4"] = _video(images, renderer.fps, size)
        arrays: dict[str, NDArray[Any]] = {"view": np.array(views, np.float64).reshape(-1, 4)}
        arrays["picture_box"] = lineup.picture_boxes(frames, arrays["view"])
        arrays["depth"] = lineup.depths()
        if amodal:
            arrays["amodal"] = np.stack(amodal)
        moving = MotionMaps(lineup, frames, arrays["view"])
        if "velocities" in what:
            maps = [moving.velocity(k, mask) for k, mask in enumerate(drawn)]
            arrays["velocity_map"] = np.stack(maps)
        if "flow" in what:
            arrays["flow"] = np.stack([moving.flow(k, mask) for k, mask in enumerate(drawn)])
        if "masks" in what:
            arrays |= boxes_of(drawn, len(lineup.names))
            if self.recipe.coco:
                made.annotations = annotations_of(drawn, arrays, lineup.categories)
        return arrays


def _video(images: Sequence[UInt8], fps: float, size: tuple[int, int]) -> bytes:
    """An MP4 of pictures."""
    with tempfile.TemporaryDirectory(prefix="rigid-dataset-") as folder:
        file = Path(folder) / "frames.mp4"
        encoder = open_encoder(file, "mp4", fps, size)
        try:
            for image in images:
                encoder.add(image)
            encoder.close()
        except BaseException:
            encoder.abort()
            raise
        return file.read_bytes()
