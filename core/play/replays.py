# SPDX-License-Identifier: MIT
"""Recorded inputs that a page can choose from: files beside the scene, and named ones."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from ..errors import SceneError, UsageError, unknown_name
from ..reading import read_bytes
from ..scene import limits, load
from ..scene.model import Scene
from .session import Session

MOST = 100
"""Files in the list."""
OWN = ""
"""The scene's own inputs."""
_HEAD = 4096
"""Characters in which the command that replays a file is."""


class Replays:
    """The recorded inputs of a session's scene.

    Args:
        named: other files than those beside the scene, which are listed once they are there.
    """

    def __init__(self, session: Session, *named: str | Path | None) -> None:
        self._session = session
        given = (session.source.inputs, *named)
        self._named = [Path(each) for each in given if each is not None]

    def files(self) -> dict[str, Path]:
        """The files by what they are called, in order."""
        scene = self._session.source.path
        beside: list[Path] = []
        with suppress(OSError):
            found = scene.parent.glob(f"{_literal(scene.stem)}.inputs*.yaml")
            beside = sorted((each for each in found if not each.is_symlink()), key=_order)
        files: dict[str, Path] = {}
        for path in (*self._named, *beside):
            known = any(_same(path, other) for other in files.values())
            if not known and path.is_file() and len(files) < MOST:
                files[path.name if path.name not in files else str(path)] = path
        return files

    @property
    def chosen(self) -> str:
        """The name of the present replay, as in ``files``."""
        inputs = self._session.source.inputs
        if inputs is None:
            return OWN
        found = (name for name, path in self.files().items() if _same(path, Path(inputs)))
        return next(found, Path(inputs).name)

    def choose(self, name: str) -> tuple[str, ...]:
        """Play one from its beginning; the settings it was recorded with that are missing here.

        Vars with a range have the values that they had in the recording. Raises UsageError for a
        name that is not listed, and for a file that the scene cannot replay; nothing changes then.
        """
        session, files = self._session, self.files()
        if name != OWN and name not in files:
            raise unknown_name("recorded replay", name, files)
        if session.scene is None:
            raise UsageError("a replay is chosen when the scene has no mistakes")
        path = files.get(name)
        settings = () if path is None else recorded_settings(path)
        values, others = _split(settings, session.scene)
        try:
            load(session.source.path, session.source.with_values(values), inputs=path)
        except SceneError as error:
            raise UsageError(f"{name or 'the scene'} cannot be replayed: {error}") from None
        session.replay(path, values)
        given = session.source.overrides
        return tuple(each for each in others if each not in given)


def recorded_settings(path: Path) -> tuple[str, ...]:
    """The settings ``PATH=VALUE`` with which a file of inputs was recorded, by its comment."""
    try:
        head = read_bytes(path, limits.FILE_BYTES)[:_HEAD].decode("utf-8", "replace")
    except OSError:
        return ()
    command = next((line for line in head.split("\n") if line.startswith("# rigid run ")), "")
    with suppress(ValueError):
        words = shlex.split(command.removeprefix("# "))
        return tuple(b for a, b in pairwise(words) if a == "--set")
    return ()


def _split(settings: tuple[str, ...], scene: Scene) -> tuple[dict[str, float], list[str]]:
    """Values of vars that have a slider, and the other settings."""
    values: dict[str, float] = {}
    others: list[str] = []
    for setting in settings:
        path, _, text = setting.partition("=")
        name = path.removeprefix("vars.")
        number = _number(text)
        if path != name and name in scene.ranges and number is not None:
            values[name] = number
        else:
            others.append(setting)
    return values, others


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _order(path: Path) -> tuple[int, str]:
    """By their numbers: the tenth comes after the second."""
    number = re.search(r"-(\d{1,9})\.yaml$", path.name)
    return (0 if number is None else int(number[1])), path.name


def _same(a: Path, b: Path) -> bool:
    try:
        return a.resolve() == b.resolve()
    except OSError:
        return False


def _literal(stem: str) -> str:
    """A stem as a pattern that nothing else matches."""
    return re.sub(r"([*?[])", r"[\1]", stem)
