# SPDX-License-Identifier: MIT
"""The files of a played scene: watched, reloaded, and edited in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path

from ..edit.sliders import with_value
from ..errors import SceneError, UsageError
from ..reading import read_bytes
from ..record.atomic import atomic_file
from ..scene import limits, load, loads
from ..scene.model import Joint, Scene
from ..scene.text.flow import flow

Sign = tuple[int, int, int, int] | tuple[str, ...] | None
"""A signature that changes with a file; None if there is no file."""
SUFFIXES = (".yaml", ".yml")
DIGITS = 6
"""Of a value of a slider."""


class SceneSource:
    """A scene file with all that it includes, and the values that its vars have meanwhile.

    Attributes:
        path: the scene's file.
        values: those of vars that a slider has moved.
        inputs: the file of recorded inputs that is replayed; None for the scene's own.
    """

    def __init__(
        self, path: str | Path, overrides: Sequence[str] = (), inputs: str | Path | None = None
    ) -> None:
        self.path = Path(path)
        self.inputs = inputs
        self.values: dict[str, float] = {}
        self._overrides = tuple(overrides)
        self._files: set[Path] = {self.path}
        self._signs: dict[Path, Sign] = {}
        self._read = b""

    @property
    def overrides(self) -> tuple[str, ...]:
        """Overrides from outside, as of ``--set``."""
        return self.with_values(self.values)

    def with_values(self, values: Mapping[str, float]) -> tuple[str, ...]:
        """Overrides that there would be with these values of vars."""
        return (*self._overrides, *(f"vars.{name}={flow(v)}" for name, v in values.items()))

    def variant(self, values: Mapping[str, float]) -> Scene:
        """The scene as it would be with these values of vars. Raises SceneError for a wrong one."""
        return load(self.path, self.with_values(values), inputs=self.inputs)

    @property
    def files(self) -> frozenset[Path]:
        """The files of the scene, as far as it could be read."""
        return frozenset(self._files)

    @property
    def text(self) -> str:
        """The file as it was read last."""
        return self._read.decode("utf-8-sig", "replace")

    def load(self) -> Scene:
        """Read all files. Raises SceneError for what is wrong in them."""
        files = {self.path, *([] if self.inputs is None else [Path(self.inputs)])}
        self._note(files | self._files)
        try:
            self._read = read_bytes(self.path, limits.FILE_BYTES)
        except OSError:
            self._read = b""  # which loading reports
        try:
            scene = load(self.path, self.overrides, inputs=self.inputs)
        except SceneError as error:
            # Missing files may appear, and files included for the first time may be fixed.
            self._files = files | {self.path.parent, *(Path(each.file) for each in error.problems)}
            self._note(self._files)
            raise
        self._files = files | {Path(file) for file in scene.files}
        self._note(self._files)
        return scene

    def _note(self, files: set[Path]) -> None:
        for file in files:
            self._signs.setdefault(file, _sign(file))
        self._signs = {file: self._signs[file] for file in files}

    @property
    def has_changed(self) -> bool:
        """Whether a file is not as it was when it was read."""
        return any(_sign(file) != sign for file, sign in self._signs.items())

    def look_again(self) -> None:
        """Take the files as they are now for those that are read next."""
        self._signs = {file: _sign(file) for file in self._signs}

    def put_value(self, name: str, value: float) -> None:
        """Write the value of a var into the scene's file, and nothing else.

        Raises UsageError if it is defined elsewhere, or another program has changed the file, and
        SceneError if that is damaged.
        """
        current = self._current()
        self._put(with_value(current, ("vars", name), _number(value), str(self.path)))
        self.values.pop(name, None)

    def put_joint(
        self, joint: str, name: str, number: float, unit: str, holds: Callable[[Joint], bool]
    ) -> None:
        """Write a number of a joint likewise, such as ``motor.speed``, plain or, where that would
        mean another one, in a unit; ``holds`` says whether a joint that is read has it."""
        current, file = self._current(), str(self.path)
        path = ("joints", joint, *name.split("."))
        for text in (_number(number), f"{_number(number)} {unit}"):
            changed = with_value(current, path, text, file)
            try:
                scene = loads(changed, path=file, folder=self.path.parent, overrides=self.overrides)
            except SceneError:
                continue  # as it does not take that unit
            if holds(scene.joints[joint]):
                self._put(changed)
                return
        raise UsageError(f"{file}: {'.'.join(path)} is not what the scene takes; change it by hand")

    def _current(self) -> bytes:
        """The file as it is, if that is as it was read."""
        try:
            current = read_bytes(self.path, limits.FILE_BYTES)
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be read: {error.strerror}") from None
        if current != self._read:
            raise UsageError(f"{self.path} was changed meanwhile; it is read again first")
        return current

    def _put(self, changed: bytes) -> None:
        with atomic_file(self.path) as file:
            file.write(changed)
        self._read = changed
        self._signs[self.path] = _sign(self.path)


def _number(value: float) -> str:
    return ".inf" if value == inf else repr(value).removesuffix(".0")


def _sign(file: Path) -> Sign:
    try:
        if file.is_dir():  # where a scene may come that is included
            return tuple(sorted(each.name for each in file.iterdir() if each.suffix in SUFFIXES))
        found = file.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev
