# SPDX-License-Identifier: MIT
"""Resolves arguments (files, folders, globs, `-`) to scene files, and loads them as scenes."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from rigid2d.core.errors import Problem, SceneError, UsageError

if TYPE_CHECKING:
    from rigid2d.core.scene.model import Scene

STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "<stdin>"
LARGEST_INPUT = 16 << 20
"""Bytes that are read from standard input; the loader has its own, smaller limit."""
SUFFIXES = (".yaml", ".yml")
SNAPSHOT, COMPILED = ".snapshot", ".rigid"

_SCENE_KEY = re.compile(rb"""^(?:\{\s*)?["']?rigid["']?\s*:""", re.MULTILINE)
"""A top-level `rigid:` key, which is what makes a YAML file a scene and not a part of one."""


@dataclass
class Selection:
    """The files that the arguments name: scenes in order, and YAML files in folders that are none.

    A name that is nothing is among the scenes too: to load it is an error that says so, one of
    the errors of all scenes.
    """

    scenes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def select(arguments: Sequence[str], *, only_scenes: bool = False) -> Selection:
    """The scene files that ``arguments`` name, each once, folders walked in sorted order.

    A file named outright is always taken, unless ``only_scenes``: then a snapshot stands for the
    scene beside it. In a folder, a YAML file without
    a top-level `rigid:` key is a part that scenes include (or something else altogether), and is
    skipped.
    """
    selection = Selection()
    seen: set[str] = set()
    for argument in arguments:
        for found, named in _expand(argument):
            file = (only_scenes and scene_beside(found)) or found
            key = file if file == STANDARD_INPUT else os.path.realpath(file)
            if key in seen:
                continue
            seen.add(key)
            taken = (named and not only_scenes) or is_scene(Path(file))
            (selection.scenes if taken else selection.skipped).append(file)
    if not selection.scenes and not only_scenes:
        selection.scenes = list(dict.fromkeys(arguments))
    return selection


def scene_beside(snapshot: str) -> str:
    """The scene of a snapshot file, if it is beside it; otherwise nothing."""
    if not snapshot.endswith(SNAPSHOT):
        return ""
    stem = snapshot.removesuffix(SNAPSHOT)
    return next((stem + suffix for suffix in SUFFIXES if Path(stem + suffix).is_file()), "")


def stray_snapshots(arguments: Sequence[str]) -> list[str]:
    """Snapshots without a scene beside them, of the folders among the arguments."""
    folders = [each for each in arguments if each != STANDARD_INPUT and Path(each).is_dir()]
    found = (file for folder in folders for file in _walk(folder, (SNAPSHOT,)))
    return [file for file in dict.fromkeys(found) if not scene_beside(file)]


def stray_message(snapshot: str) -> str:
    """The message on a snapshot without a scene."""
    scene = Path(snapshot.removesuffix(SNAPSHOT) + SUFFIXES[0]).name
    return f"there is no scene `{scene}` beside this snapshot; restore it, or remove the snapshot"


def _expand(argument: str) -> Iterable[tuple[str, bool]]:
    """(file, whether it was named outright) for one argument."""
    path = Path(argument)
    try:
        if argument == STANDARD_INPUT or path.is_file() or _is_pipe(path):
            return [(argument, True)]
        if path.is_dir():
            return [(file, False) for file in _walk(argument)]
    except OSError:  # a name that the system cannot even look up, which loading reports
        return [(argument, True)]
    return (glob.has_magic(argument) and _expand_glob(argument)) or [(argument, True)]


def why_nothing(argument: str) -> list[Problem]:
    """Why there is nothing that could be loaded as ``argument``; empty when there is something."""
    path = Path(argument)
    try:
        if argument == STANDARD_INPUT or (path.exists() and not path.is_dir()):
            return []
        if path.is_dir():
            message = _no_scene_in(_walk(argument), _walk(argument, (COMPILED,)))
        elif glob.has_magic(argument):
            message = "nothing matches"
        else:
            message = f"no such file or folder{_nearest_file(path)}"
    except OSError:
        return []
    return [Problem(argument, 0, 0, "", message)]


def _is_pipe(path: Path) -> bool:
    """Whether a path is a named pipe, such as a shell's ``<(command)``."""
    return path.is_fifo() or path.is_char_device()


def _walk(folder: str, suffixes: tuple[str, ...] = SUFFIXES) -> list[str]:
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [
            str(Path(root) / name)
            for name in sorted(files)
            if name.endswith(suffixes) and not name.startswith(".")
        ]
    return found


def _expand_glob(pattern: str) -> list[tuple[str, bool]]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 (takes absolute patterns)
    expanded: list[tuple[str, bool]] = []
    for match in matches:
        if Path(match).is_dir():
            expanded += [(file, False) for file in _walk(match)]
        else:
            expanded.append((match, False))
    return expanded


def is_scene(path: Path) -> bool:
    """Whether a file has a top-level `rigid:` key; unreadable ones count, loading says why."""
    try:
        if path.exists() and not path.is_file():
            return False  # a pipe or device, which may never end
        with path.open("rb") as stream:
            return _SCENE_KEY.search(stream.read(LARGEST_INPUT)) is not None
    except OSError:
        return True


def _nearest_file(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f" (the folder {path.parent} does not exist)" if str(path.parent) != "." else ""
    candidates = [path.name + suffix for suffix in SUFFIXES if path.name + suffix in names]
    candidates = candidates or get_close_matches(path.name, names, n=1)
    return f"; did you mean {path.parent / candidates[0]}?" if candidates else ""


def _no_scene_in(skipped: Sequence[str], compiled: Sequence[str]) -> str:
    if compiled:
        return f"no scene found; compiled scenes are named one by one, such as {compiled[0]}"
    if skipped:
        return (
            f"no scene found; {len(skipped)} YAML file(s) without a top-level `rigid:` "
            f"key, such as {skipped[0]}, were skipped"
        )
    return "no scene found; scenes are .yaml or .yml files with a `rigid: 1` line"


def display_name(file: str) -> str:
    """The name of a scene file in messages."""
    return STANDARD_INPUT_NAME if file == STANDARD_INPUT else file


def load(file: str, overrides: Sequence[str] = (), inputs: str | None = None) -> Scene:
    """Load a scene file, or standard input for `-`; ``inputs`` is a file with a recorded player.

    Raises:
        SceneError: with every problem of the file.
    """
    from rigid2d.core import scene

    nothing = why_nothing(file)
    if nothing:
        raise SceneError(nothing)
    if file == STANDARD_INPUT:
        text = read_standard_input()
        return scene.loads(
            text,
            path=STANDARD_INPUT_NAME,
            overrides=overrides,
            folder=Path.cwd(),
            inputs=inputs,
        )
    return scene.load(file, overrides, inputs=inputs)


def load_all(
    files: Sequence[str], overrides: Sequence[str] = (), inputs: str | None = None
) -> list[Scene]:
    """Load every file, so that the errors of all are reported at once.

    ``inputs`` is a file with a recorded player for all of them.

    Raises:
        SceneError: with the problems of all files.
    """
    problems: list[Problem] = []
    scenes: list[Scene] = []
    for file in files:
        try:
            scenes.append(load(file, overrides, inputs))
        except SceneError as error:
            problems += error.problems
    if problems:
        raise SceneError(problems)
    return scenes


def read_standard_input() -> str:
    """The whole of standard input as text.

    Raises:
        SceneError: when it cannot be read or is not UTF-8.
    """
    try:
        raw = sys.stdin.buffer.read(LARGEST_INPUT)
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise SceneError([Problem(STANDARD_INPUT_NAME, 0, 0, "", message)]) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8 text (byte {raw[error.start]:#04x})"
        raise SceneError([Problem(STANDARD_INPUT_NAME, line, 1, "", message)]) from error


def only_scene(argument: str) -> str:
    """The one scene file that ``argument`` names. Raises UsageError when it names several."""
    scenes = select([argument]).scenes
    if len(scenes) > 1:
        raise UsageError(f"{argument}: holds {len(scenes)} scenes; name one of them")
    return scenes[0]
