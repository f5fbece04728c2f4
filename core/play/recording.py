# SPDX-License-Identifier: MIT
"""The inputs of a played session as a file that replays it."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from ..errors import UsageError
from ..record.atomic import atomic_file
from ..record.commands import quoted, scene_words
from ..record.inputs import refuse_inputs
from ..scene.blocks.script.inputs import recorded_input
from ..scene.text.flow import flow
from .session import Session

Sign = tuple[int, int, int, int] | None
MOST_NAMES = 10_000
"""Files beside a scene of which one is free."""


def inputs_text(session: Session, name: str) -> str:
    """YAML of all that was done, with the command that replays a file of that name."""
    world, source = session.world, session.source
    if world is None:
        raise UsageError("nothing was played: there is no scene yet")
    steps, words = world.step_count, scene_words(source.path, source.overrides)
    lines = [
        f"# {steps} steps; the state is {world.state_hash():016x} then:",
        f"# rigid run {words} --inputs {quoted(name)} --steps {steps}",
    ]
    entries = [f"- {flow(recorded_input(entry, world.scene))}" for entry in session.entries()]
    if not entries:
        return "\n".join([*lines, "inputs: []"]) + "\n"
    return "\n".join([*lines, *entries]) + "\n"


def write_inputs(session: Session, path: str | Path, *, replaces: bool = True) -> None:
    """Write what was played into a file of inputs, whole or not at all.

    Raises UsageError for a file that the scene is made of, and FileExistsError for one that is
    there where nothing is to be replaced.
    """
    if replaces:
        refuse_inputs([path], session.source.files)
    with atomic_file(path, replaces=replaces) as file:
        file.write(inputs_text(session, Path(path).name).encode())


class Record:
    """The file that a session is written into.

    If none was named, it is a new file beside the scene, chosen when it is written: nothing
    that this record did not write itself is replaced, and no link is followed.
    """

    def __init__(self, session: Session, wanted: str | Path | None = None) -> None:
        self._session = session
        self._wanted = wanted
        self._written: tuple[Path, Sign] | None = None

    def write(self) -> Path:
        """Write what was played up to now; where it is."""
        if self._wanted is not None and not self._is_replayed(Path(self._wanted)):
            write_inputs(self._session, self._wanted)
            return Path(self._wanted)
        path = self._own()
        if path is None:
            path = self._write_new()
        else:
            write_inputs(self._session, path)
        self._written = path, _sign(path)
        return path

    def _own(self) -> Path | None:
        """The file that was written last, if nobody else has changed it and it is not replayed."""
        if self._written is None or self._written[1] is None:
            return None
        path, sign = self._written
        return path if _sign(path) == sign and not self._is_replayed(path) else None

    def _is_replayed(self, path: Path) -> bool:
        inputs = self._session.source.inputs
        return inputs is not None and Path(inputs).resolve() == path.resolve()

    def _write_new(self) -> Path:
        for path in _names_beside(self._session.source.path):
            try:
                write_inputs(self._session, path, replaces=False)
            except FileExistsError:
                continue
            return path
        raise UsageError(f"{path}: exists, as all other names do; name a file with --save-inputs")


def _names_beside(scene: Path) -> Iterator[Path]:
    for number in range(1, MOST_NAMES + 1):
        middle = ".inputs" if number == 1 else f".inputs-{number}"
        yield scene.with_name(f"{scene.stem}{middle}.yaml")


def _sign(path: Path) -> Sign:
    """A signature that changes when the file is replaced or written by another program."""
    try:
        found = path.lstat()
    except OSError:
        return None
    plain = stat.S_ISREG(found.st_mode) and found.st_nlink == 1
    return (found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size) if plain else None
