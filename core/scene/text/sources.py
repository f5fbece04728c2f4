# SPDX-License-Identifier: MIT
"""Reads a scene file with its includes and overrides into one tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from errno import EFBIG
from pathlib import Path
from typing import Any

from ...errors import Kind, SceneError
from ...reading import read_bytes
from .. import limits
from ..values.broken import BROKEN
from ..values.kinds import nearest, show
from .files import Folders
from .foreign_files import named_otherwise
from .marks import Map, Mark, Seq, fail
from .yaml_reader import Reader, decode

FORMAT_VERSION = 1
"""The value of the key ``rigid`` that scenes begin with."""
OLDEST_VERSION = 1
"""The oldest version that ``rigid upgrade`` can rewrite."""


def wrong_version(value: Any, newest: int = FORMAT_VERSION, oldest: int = OLDEST_VERSION) -> str:
    """The message for a version that is not the newest; empty for the newest."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"the format's version must be {newest} (`rigid: {newest}`), not {show(value)}"
    if value == newest:
        return ""
    if value > newest and value == int(value):
        return (
            f"the format's version must be {newest} (`rigid: {newest}`), not {show(value)}: the "
            "file is for a newer rigid; install that"
        )
    if oldest <= value < newest and value == int(value):
        return (
            f"the format's version {show(value)} is older than {newest}; `rigid upgrade` rewrites "
            "the file"
        )
    return f"the format's version must be {newest} (`rigid: {newest}`), not {show(value)}"


_UNSAVED: ContextVar[Mapping[Path, bytes]] = ContextVar("_UNSAVED", default={})  # noqa: B039 - never changed


@contextmanager
def unsaved(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Read these contents in the place of files, by their real paths, such as of an editor."""
    token = _UNSAVED.set(files)
    try:
        yield
    finally:
        _UNSAVED.reset(token)


class Sources:
    """Reads one scene.

    ``folders`` are where its files may be. ``growing`` are the lists of the top level that grow
    when files are merged; everything else is replaced. ``of_run`` are those of a prototype's file
    that a scene drops, since they are on runs and pictures.
    """

    def __init__(self, folders: Folders, growing: Sequence[str], of_run: Sequence[str]) -> None:
        self.folders = folders
        self.growing = growing
        self.of_run = of_run
        self.reader = Reader()
        self.files: list[str] = []  # that were included
        self.bytes_left = limits.PART_BYTES
        self.partial = False  # a file that is included cannot be read

    def tree(self, text: str, file: str, path: Path | None) -> Map:
        """The tree of a text with its includes merged in before it."""
        return self._merged(text, file, [] if path is None else [path.resolve()])

    def _merged(self, text: str, file: str, open_: list[Path]) -> Map:
        tree = self.reader.read(text, file)
        if not isinstance(tree, Map):
            mark = tree.at if isinstance(tree, Seq) else Mark(file, 1, 1)
            other = named_otherwise(file, text)
            if other:
                raise fail(mark, "file", other)
            raise fail(
                mark,
                "wrong-type",
                f"a scene file is a mapping of keys and values that begins with `rigid: 1`, not "
                f"{show(tree)}",
            )
        if open_:
            self.folders.beside[file] = open_[-1].parent
        self._read_prototypes(tree, file, open_)
        includes = tree.get("include")
        if not isinstance(includes, Seq):
            return tree
        result = Map(tree.at)
        given: dict[str, Any] = {}
        with_vars: list[tuple[Map, str]] = []
        for i, each in enumerate(includes):
            name, mark, where = each, includes.items_at[i], f"include[{i}]"
            if isinstance(each, Map):
                name = each.get("file")
            if not isinstance(name, str):
                continue  # the model reports it
            try:
                if isinstance(each, Map):
                    mark = each.values_at["file"]
                    part = self._included(name, mark, file, open_, f"{where}.file")
                    _check_once(each, tree, given, where)
                    _put_vars(part, each, where)
                else:
                    part = self._included(name, mark, file, open_, where)
                merge(result, part, self.growing)
            except SceneError as error:
                self.partial = True
                self.reader.problems += error.problems
                continue
            with_vars += [(each, where)] if isinstance(each, Map) else []
        for each, where in with_vars:  # over what files that come later say of the same vars
            _put_vars(result, each, where)
        merge(result, tree, self.growing)
        return result

    def _read_prototypes(self, tree: Map, file: str, open_: list[Path]) -> None:
        """Insert the contents of files into the prototypes that name them."""
        prototypes = tree.get("prototypes")
        if not isinstance(prototypes, Map):
            return
        for name in prototypes:
            given = prototypes[name]
            if not isinstance(given, Map) or not isinstance(given.get("file"), str):
                continue  # it is written here, or the model reports it
            path = f"prototypes.{name}"
            mark = given.values_at["file"]
            try:
                part = self._included(given["file"], mark, file, open_, f"{path}.file")
                _check_alone(given, path)
                _put_vars(part, given, path)
            except SceneError as error:
                self.reader.problems += error.problems
                prototypes[name] = BROKEN
                continue
            for key in self.of_run:
                part.pop(key, None)
            part.put("file", given["file"], given.keys_at["file"], mark)
            prototypes[name] = part

    def _included(self, name: str, mark: Mark, file: str, open_: list[Path], where: str) -> Map:
        """The tree of a file that another one names at ``where``."""
        try:
            path = self.folders.find(name, file)
        except ValueError as error:
            raise fail(mark, "file", str(error), where) from None
        if path in open_:
            circle = " -> ".join(each.name for each in [*open_[open_.index(path) :], path])
            raise fail(mark, "file", f"files include each other in a circle: {circle}", where)
        self.files.append(str(path))
        if len(self.files) > limits.INCLUDES:
            raise fail(
                mark, "limit", f"more than {limits.INCLUDES} files; that is the limit", where
            )
        shown = str(Path(file).parent / name) if open_ else name
        data = _bytes(path, mark, where)
        self.bytes_left -= len(data)
        if self.bytes_left < 0:
            most = f"{limits.PART_BYTES // 2**20} MiB"
            message = f"the files that this scene consists of have more than {most} together"
            raise fail(mark, "limit", f"{message}; that is the limit", where)
        text = decode(data, shown)
        part = self._merged(text, shown, [*open_, path])
        message = wrong_version(part.get("rigid", FORMAT_VERSION))
        if message:
            raise fail(part.values_at["rigid"], "unsupported", message, "rigid")
        for key in ("rigid", "include", "name", "description", "tags"):
            part.pop(key, None)
        return part


def _bytes(path: Path, mark: Mark, where: str) -> bytes:
    known = _UNSAVED.get().get(path)
    if known is not None:
        return known
    try:
        return read_bytes(path, limits.FILE_BYTES)
    except OSError as error:
        kind: Kind = "limit" if error.errno == EFBIG else "file"
        message = f"`{path.name}` cannot be read: {error.strerror}"
        raise fail(mark, kind, message, where) from None


def _check_alone(given: Map, path: str) -> None:
    """Reports keys other than `vars` beside the file of a prototype."""
    for key in given:
        if key not in ("file", "vars"):
            message = f"`{key}` and `file` are both given; a file is the whole prototype"
            raise fail(given.keys_at[key], "conflicting-keys", message, f"{path}.{key}")


def _check_once(each: Map, tree: Map, given: dict[str, Any], path: str) -> None:
    """Report a var of merged files with different values."""
    values, own = each.get("vars"), tree.get("vars")
    if not isinstance(values, Map):
        return
    for key, value in values.items():
        mark, at = values.keys_at[key], f"{path}.vars.{key}"
        if isinstance(own, Map) and key in own:
            message = "the `vars` of this file say it too; say it in one of the two places"
            raise fail(mark, "conflicting-keys", message, at)
        if given.setdefault(key, value) != value:
            message = (
                f"another file is included with {show(given[key])}; files that are merged share "
                "their vars. Take the file as a prototype for copies with values of their own"
            )
            raise fail(mark, "conflicting-keys", message, at)


def _put_vars(part: Map, given: Map, path: str) -> None:
    """Override a file's vars by those beside its name. A var with a range keeps its range."""
    values, own = given.get("vars"), part.get("vars")
    if not isinstance(values, Map):
        return
    changed = own.copy() if isinstance(own, Map) else Map(part.at)
    for key in values:
        if key not in changed:
            message = f"the file has no var {show(key)}; {nearest(key, changed)}"
            raise fail(values.keys_at[key], "unknown-name", message, f"{path}.vars.{key}")
        value, before = values[key], changed[key]
        if isinstance(before, Map) and "value" in before and not isinstance(value, Map):
            ranged = before.copy()
            ranged.put("value", value, values.keys_at[key], values.values_at[key])
            value = ranged
        changed.put(key, value, values.keys_at[key], values.values_at[key])
    part.put("vars", changed, given.keys_at["vars"], given.values_at["vars"])


def merge(target: Map, source: Map, growing: Sequence[str]) -> None:
    """Put the definitions of ``source`` over those of ``target``.

    Blocks are merged by their keys, one level deep: a later body replaces an earlier one of the
    same name, and a later ``world.gravity`` leaves ``world.dt`` as it was.
    """
    for key, value in source.items():
        old = target.get(key)
        at = source.keys_at[key], source.values_at[key]
        if isinstance(old, Map) and isinstance(value, Map):
            block = old.copy()
            for name in value:
                block.put(name, value[name], value.keys_at[name], value.values_at[name])
            target.put(key, block, *at)
        elif key in growing and isinstance(old, Seq) and isinstance(value, Seq):
            grown = old.copy()
            grown.extend(value)
            grown.items_at += value.items_at
            target.put(key, grown, *at)
        else:
            target.put(key, value, *at)
