# SPDX-License-Identifier: MIT
"""Output options of `rigid run` as files, checked before the simulation."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rigid2d.core.errors import UsageError

from .files import check_writable, inputs_of, refuse_inputs
from .options import SUFFIXES
from .paths import STANDARD_INPUT

if TYPE_CHECKING:
    from rigid2d.core.scene.model import Scene

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """One output to write. ``kind`` is an option's name, or ``frames`` for a folder of pictures.

    ``path`` is the user's, or derived from it; ``-`` is standard output.
    """

    kind: str
    path: str


@dataclass
class OutputPlan:
    """The outputs of each scene, one list for each, and the folders to create first."""

    outputs: list[list[Output]]
    folders: list[str] = field(default_factory=list)

    @property
    def uses_standard_output(self) -> bool:
        return any(output.path == STANDARD_OUTPUT for each in self.outputs for output in each)


def plan(
    scenes: Sequence[str],
    wanted: Mapping[str, str | Sequence[str] | None],
    *,
    single_picture: bool,
) -> OutputPlan:
    """Determine and check every file that will be written.

    Args:
        scenes: the scene files, ``-`` for standard input.
        wanted: option (as in ``SUFFIXES``) -> what the user gave, once or several times, None
            for nothing.
        single_picture: a folder given for PNG gets one picture, not all of them.

    Raises:
        UsageError: for a wrong suffix, a missing folder, a place that cannot be written, a file
            that would be written twice, or one file for several scenes.
    """
    result = OutputPlan([[] for _ in scenes])
    for kind, texts in wanted.items():
        for given in [texts] if isinstance(texts, str) else texts or ():
            if given == "":
                raise UsageError(f"--{kind}: a file name is needed")
            for scene, path, as_frames in _targets(kind, given, scenes, single_picture, result):
                result.outputs[scene].append(Output("frames" if as_frames else kind, path))
    _refuse_repeats(result)
    return result


def _targets(
    kind: str, given: str, scenes: Sequence[str], single_picture: bool, result: OutputPlan
) -> Iterator[tuple[int, str, bool]]:
    """(scene, path, whether it is a folder of frames) for one option."""
    sequence = kind == "png" and not single_picture
    if given != STANDARD_OUTPUT and _is_folder(given, kind, len(scenes)):
        _check_folder(given)
        result.folders.append(given)
        for i, scene in enumerate(scenes):
            if sequence:
                path = str(Path(given) / stem(scene)) if len(scenes) > 1 else given
            else:
                path = str(Path(given) / (stem(scene) + SUFFIXES[kind][0]))
                if Path(path).is_dir():
                    raise UsageError(f"--{kind} {given}: {path} is a folder")
            yield i, path, sequence
        return
    if len(scenes) > 1:
        raise UsageError(
            f"--{kind} {given}: one file for {len(scenes)} scenes; name a folder: --{kind} DIR/"
        )
    if given != STANDARD_OUTPUT:
        _check_file(kind, given)
    yield 0, given, False


def stem(scene: str) -> str:
    """The base name of files made from a scene: its own name without the suffix."""
    return "stdin" if scene == STANDARD_INPUT else Path(scene).stem


def _is_folder(given: str, kind: str, scenes: int) -> bool:
    """Whether a path means a folder: it is one, ends like one, or has no suffix to be a file."""
    if Path(given).is_dir() or given.endswith(("/", os.sep)):
        return True
    return Path(given).suffix == "" and (scenes > 1 or kind == "png") and not Path(given).exists()


def _check_folder(given: str) -> None:
    """A folder that exists can be written; one that does not can be made."""
    path = Path(given)
    while not path.exists() and path != path.parent:
        path = path.parent
    if not path.is_dir():
        raise UsageError(f"{given}: {path} is not a folder")
    if not os.access(path, os.W_OK):
        raise UsageError(f"{given}: the folder {path} is not writable")


def _check_file(kind: str, given: str) -> None:
    suffixes = SUFFIXES[kind]
    suffix = Path(given).suffix
    if suffix.lower() not in suffixes and _is_device(given):
        check_writable(given)
        return
    if suffix.lower() not in suffixes:
        other = next((k for k, known in SUFFIXES.items() if suffix.lower() in known), None)
        hint = f"; did you mean --{other}?" if other else ""
        if not suffix:
            hint = f": {given}{suffixes[0]}, or {given}/ for a folder"
        raise UsageError(f"--{kind} {given}: the name should end in {suffixes[0]}{hint}")
    check_writable(given)


def _is_device(given: str) -> bool:
    """Whether a path is a special file such as /dev/null, whose name does not tell its kind."""
    from rigid2d.core.record.atomic import find_place

    return Path(given).exists() and not find_place(given).is_plain


def _refuse_repeats(result: OutputPlan) -> None:
    seen: dict[str, tuple[int, Output]] = {}
    for scene, output in (
        (scene, output) for scene, each in enumerate(result.outputs) for output in each
    ):
        key = output.path if output.path == STANDARD_OUTPUT else os.path.realpath(output.path)
        if key in seen:
            what = "standard output" if key == STANDARD_OUTPUT else output.path
            first, other = seen[key]
            why = _two(other, output, same_scene=first == scene)
            raise UsageError(f"{what} would be written twice ({why})")
        seen[key] = scene, output


def refuse_inputs_of(scenes: Sequence[Scene], result: OutputPlan, state: str | None = None) -> None:
    """Keep the files of the scenes and the state that a run starts from.

    Raises UsageError for an output that is one of these.
    """
    written: list[str] = []
    for output in (output for each in result.outputs for output in each):
        frames = Path(output.path).glob("*.png") if output.kind == "frames" else ()
        written += [output.path, *map(str, frames)]
    read = [path for scene in scenes for path in inputs_of(scene)]
    refuse_inputs(written, [*read, *([state] if state is not None else [])])


def _two(first: Output, second: Output, *, same_scene: bool) -> str:
    if first.kind == second.kind and same_scene:
        return f"by --{'png' if first.kind == 'frames' else first.kind} twice"
    if first.kind == second.kind:
        return f"two scenes are called {Path(second.path).stem}"
    return f"by --{first.kind} and --{second.kind}"


def refuse_terminal(result: OutputPlan) -> None:
    """Keep the bytes of a picture off a person's terminal."""
    for output in (output for each in result.outputs for output in each):
        binary = output.kind not in ("csv", "snapshot")
        if output.path == STANDARD_OUTPUT and binary and sys.stdout.isatty():
            raise UsageError(f"--{output.kind} -: not to a terminal; redirect standard output")
