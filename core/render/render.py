# SPDX-License-Identifier: MIT
"""Frames to files: one renderer, any number of encoders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from ..arguments import (
    checked,
    checked_fields,
    iterable,
    list_of,
    named,
    one_of,
    optional,
    real,
    text,
)
from ..record.frame import Frame
from ..scene.model import Scene
from ..view.survey import Survey
from .encoders.base import Encoder, UInt8, no_frames
from .encoders.choose import kind_of, open_encoder
from .renderer import Renderer
from .variants import VariantsRenderer


@checked_fields(path=named, kind=optional(text), at=optional(real))
@dataclass(frozen=True, slots=True)
class Output:
    """One file to write.

    Attributes:
        path: the file, or for ``frames`` the folder.
        kind: one of ``encoders.KINDS``; None takes it from the file's name.
        at: for a single picture, the scene time it shows (the nearest frame); None is the last.
    """

    path: str | PathLike[str]
    kind: str | None = None
    at: float | None = None


def _output(value: Any, name: str) -> Output:
    return value if isinstance(value, Output) else Output(named(value, name))


@checked(
    scene=one_of(Scene),
    frames=iterable,
    outputs=list_of(_output),
    survey=optional(one_of(Survey)),
)
def render(
    scene: Scene,
    frames: Iterable[Frame],
    outputs: Sequence[Output | str | PathLike[str]],
    *,
    size: tuple[int, int] | None = None,
    overlays: Sequence[str] | None = None,
    theme: str | None = None,
    fps: float | None = None,
    survey: Survey | None = None,
) -> int:
    """Draw every frame once and write it to all outputs; the number of frames.

    Frames are drawn as they come, and encoded in other threads meanwhile; memory does not grow with
    their number. When anything fails, or the run is interrupted, no file is left half written, and
    older files of those names are untouched. ``survey`` has the run's extent in advance, see
    ``Renderer``.

    Raises:
        UsageError: when an output cannot be written, or there are no frames.
    """
    renderer = Renderer(scene, size=size, overlays=overlays, theme=theme, fps=fps, survey=survey)
    return _write(renderer, ((renderer.draw(frame), frame.time) for frame in frames), outputs)


@checked(
    scene=one_of(Scene),
    frames=iterable,
    outputs=list_of(_output),
    surveys=optional(list_of(one_of(Survey))),
)
def render_variants(
    scene: Scene,
    frames: Iterable[Sequence[Frame]],
    outputs: Sequence[Output | str | PathLike[str]],
    *,
    size: tuple[int, int] | None = None,
    overlays: Sequence[str] | None = None,
    theme: str | None = None,
    fps: float | None = None,
    surveys: Sequence[Survey] | None = None,
) -> int:
    """Draw a scene that compares variants: each moment has a frame for each of them.

    ``surveys`` are those of the runs of the variants, in their order.
    """
    renderer = VariantsRenderer(
        scene, size=size, overlays=overlays, theme=theme, fps=fps, surveys=surveys
    )
    pictures = ((renderer.draw(moment), moment[0].time) for moment in frames)
    return _write(renderer, pictures, outputs)


def _write(
    renderer: Renderer | VariantsRenderer,
    pictures: Iterable[tuple[UInt8, float]],
    outputs: Sequence[Output | str | PathLike[str]],
) -> int:
    """Write pictures, with the times of their frames, to all outputs; how many there were."""
    wanted = [each if isinstance(each, Output) else Output(each) for each in outputs]
    channels: list[_Channel] = []
    try:
        for output in wanted:
            channels.append(_Channel(output, renderer))
        count = 0
        for image, time in pictures:
            for channel in channels:
                channel.add(time, image)
            count += 1
        if count == 0 and wanted:
            raise no_frames(Path(wanted[0].path))
        for channel in channels:
            channel.encoder.close()
    except BaseException:
        for channel in channels:
            channel.encoder.abort()
        raise
    return count


class _Channel:
    """An encoder, and which frames it gets."""

    def __init__(self, output: Output, renderer: Renderer | VariantsRenderer) -> None:
        kind = kind_of(Path(output.path)) if output.kind is None else output.kind
        self._single, self._at = kind == "png", output.at
        self._nearest = float("inf")
        self.encoder: Encoder = open_encoder(
            output.path, kind, renderer.fps, renderer.size, colors=renderer.colors()
        )

    def add(self, time: float, image: UInt8) -> None:
        if self._single and self._at is not None:
            away = abs(time - self._at)
            if away >= self._nearest:
                return
            self._nearest = away
        self.encoder.add(image)
