# SPDX-License-Identifier: MIT
"""A template of a scene: read once, loaded many times with other values at some of its paths."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..errors import Problem, SceneError, UsageError
from ..nearest import one_allowance
from .blocks.table import BLOCKS, KEYS, NAMED, REPEATED
from .camera_names import names_camera
from .collector import paused_collector
from .given import Given, Loader, read_given, read_text
from .kept import Concern, Kept
from .model import Scene
from .study_model import SIZED, Axis
from .text.files import Folders
from .text.marks import Map, Mark, Seq, fail
from .text.overrides import Overrides
from .text.problems import Report
from .text.yaml_reader import Reader
from .values.context import Compiler
from .values.kinds import show

STUDY = "study"
UNMOVING = tuple(block.key for block in BLOCKS if block.unmoving)
"""Blocks of which the motion of bodies, and what is done in a run, know nothing."""
INDEPENDENT = tuple(block.key for block in BLOCKS if block.unmoving or block.independent)
"""Blocks that are nothing where nothing of them is written, and leave nothing for others."""


@dataclass
class Template:
    """The text of a scene, to be loaded with other values. It can be pickled.

    Attributes:
        tree: the content of the file and its includes, without its study.
        own: the entries that overrides made different from others of their generator.
        seed: the seed of the unchanged scene.
        marks: the places in files of the values at paths, for errors.
    """

    tree: Map
    own: dict[str, Map]
    text: str
    shown: str
    folders: Folders
    nodes: int
    seed: int
    marks: dict[str, Mark]
    _compiler: Compiler = field(default_factory=Compiler)
    _kept: Kept | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_compiler": None, "_kept": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._compiler = Compiler()

    def bare(self, *needed: str) -> Template:
        """A template for scenes that only run: without the blocks that only pictures, records
        and checks need, but for those that are ``needed`` or varied."""
        varied = {path.partition(".")[0] for path in self.marks}
        dropped = {*UNMOVING} - {*needed} - varied
        tree = self.tree.copy()
        if names_camera(tree):
            dropped -= {"camera", "render"}
        for key in dropped & tree.keys():
            del tree[key]
        return replace(self, tree=tree, _kept=None)

    @paused_collector()
    def scene(self, values: Mapping[str, Any]) -> Scene:
        """The scene with these values. Raises SceneError with every problem that it has so."""
        kept = self._kept
        if kept is None or kept.paths != values.keys():
            return self._first(values)
        try:
            with one_allowance():
                return self._loader(self._changed(values), kept).scene()
        except (SceneError, ValidationError):
            with one_allowance():
                return self._loader(self._changed(values), None).scene()

    def _first(self, values: Mapping[str, Any]) -> Scene:
        """The first of the scenes in which values at these paths vary."""
        with one_allowance():
            changes = self._changed(values)
            concern = Concern(self.tree, changes.tree, changes.all_own(), values)
            kept = Kept(frozenset(values), concern)
            loader = self._loader(changes, kept)
            scene = loader.scene()
        kept.take(loader.build_context, self._constant(loader.build_context.made))
        self._kept = kept
        return scene

    def _changed(self, values: Mapping[str, Any]) -> Overrides:
        """The tree with these values in it. Raises SceneError with the problems of all paths."""
        changes = Overrides(self.tree.copy(), Reader(), KEYS, NAMED, REPEATED)
        changes.own = {section: entries.copy() for section, entries in self.own.items()}
        problems: list[Problem] = []
        for path, value in values.items():
            at = self.marks.get(path, Mark(self.shown, 1, 1))
            try:
                changes.put(path, _as_read(value, at), at, at)
            except SceneError as error:
                problems += error.problems
        if problems:
            raise SceneError(problems)
        return changes

    def _loader(self, changes: Overrides, kept: Kept | None) -> Loader:
        own = changes.all_own()
        report = Report(self.shown, changes.marked(own))
        return Loader(
            changes,
            own,
            self.text,
            self.shown,
            self.folders,
            report,
            False,
            self.nodes,
            self._compiler,
            kept,
        )

    def _constant(self, made: Mapping[str, Any]) -> dict[str, Any]:
        """Return the blocks that are equal for all values: those that are not written, and that
        no other block adds to."""
        written = {*self.tree, *(path.partition(".")[0] for path in self.marks)}
        if "instances" in written or "prototypes" in written:
            return {}
        return {key: made[key] for key in INDEPENDENT if key not in written and key in made}

    def plain(self) -> dict[str, Any]:
        """The contents of the files, without positions."""
        told: dict[str, Any] = _plain(self.tree)
        own = {key: _plain(each) for key, each in self.own.items() if each}
        return told | ({"overrides": own} if own else {})

    @property
    def digest(self) -> str:
        """64 hexadecimal digits, independent of comments and spaces."""
        tables = [(name, data) for (_, name), (_, data) in self.folders.tables.items()]
        told = repr([_plain(self.tree), _plain(self.own), *([tables] if tables else [])])
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _as_read(value: Any, at: Mark) -> Any:
    """Return a value as read from a file: a list has the places of its items."""
    if not isinstance(value, (tuple, list)):
        return value
    items = Seq(at)
    items.extend(value)
    items.items_at = [at] * len(items)
    return items


def _plain(value: Any) -> Any:
    """A tree without its places."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- reading


@paused_collector()
def read_study(
    path: str | Path,
    overrides: Sequence[str] = (),
    *,
    text: str | None = None,
    vary: Mapping[str, str | Any] | None = None,
    samples: int | None = None,
) -> tuple[Template, Scene]:
    """Return a scene with a study: to be loaded with other values, and unchanged.

    Args:
        path: a scene, or a file with a study and, under ``scene``, the name of its scene.
        overrides: ``PATH=VALUE`` texts, applied before anything is varied.
        text: the text of a scene without a file.
        vary: further or replaced varied values, by paths: as YAML texts, or as plain data.
        samples: the number of runs, by the study's sample, or at random if that has no number.

    Raises SceneError with every problem found.
    """
    given, tree = _open(path, text, overrides)
    if vary or samples is not None:
        _put_options(tree, given.sources.reader, vary or {}, samples)
    if STUDY not in tree:
        raise UsageError(
            f"{path}: there is nothing to vary: the scene has no `study`, and no --vary says what"
        )
    with one_allowance():
        loader = given.loader(tree)
        loader.build_context.studied = True
        scene = given.finished(loader)
    if scene.study is None:
        raise UsageError(f"{path}: its `study` is empty")
    return _template(loader, scene.world.seed), scene


def _template(loader: Loader, seed: int) -> Template:
    """The varying rest of a loaded scene."""
    tree = loader.changes.tree.copy()
    study = tree.pop(STUDY)
    tree.pop("compare", None)  # a run of a study is independent
    varied = study.get("vary")
    return Template(
        tree,
        loader.changes.own,
        loader.text,
        loader.shown,
        loader.build_context.folders,
        loader.nodes,
        seed,
        dict(varied.values_at) if isinstance(varied, Map) else {},
    )


def _open(path: str | Path, text: str | None, overrides: Sequence[str]) -> tuple[Given, Map]:
    """The scene of a file: the file itself, or the scene that it names."""
    file, shown = Path(path), str(path)
    if text is not None:
        return read_given(text, shown, None, Path.cwd(), overrides, study_problems=varied_problems)
    text = read_text(file, shown, "name a scene file in it")
    study = Reader().read(text, shown)
    if not isinstance(study, Map) or "scene" not in study or "rigid" in study:
        return read_given(text, shown, file, file.parent, overrides, study_problems=varied_problems)
    name, at = study["scene"], study.values_at["scene"]
    if not isinstance(name, str):
        raise fail(at, "wrong-type", f"must be the name of a scene file, not {show(name)}", "scene")
    where = file.parent / name
    if not where.is_file():
        raise fail(at, "file", f"there is no file `{name}` beside it", "scene")
    text = read_text(where, str(where), "name a scene file in it")
    given, tree = read_given(
        text, str(where), where, where.parent, overrides, study_problems=varied_problems
    )
    study.pop("scene")
    tree.put(STUDY, study, at, at)
    return given, tree


def _put_options(tree: Map, reader: Reader, vary: Mapping[str, Any], samples: int | None) -> None:
    """Put options into the study."""
    given = tree.get(STUDY)
    at = Mark("--vary", 1, 1)
    study = given.copy() if isinstance(given, Map) else Map(at)
    varied = study.get("vary")
    axes = varied.copy() if isinstance(varied, Map) else Map(at)
    problems: list[Problem] = []
    for path, said in vary.items():
        file = f"--vary {path}={said}" if isinstance(said, str) else f"vary {path}"
        start, value_at = Mark(file, 1, 1), Mark(file, 1, len(path) + 2)
        try:
            value = (
                reader.read(_long_form(said, value_at), file, (1, len(path) + 2))
                if isinstance(said, str)
                else _tree_of(said, value_at)
            )
        except SceneError as error:
            problems += error.problems
        else:
            axes.put(path, value, start, value_at)
    if problems:
        raise SceneError(problems)
    if axes:
        study.put("vary", axes, at, at)
    if samples is not None:
        word = study.get("sample")
        named = next(iter(word), "") if isinstance(word, Map) else word
        sample = Map(Mark("--samples", 1, 1))
        sample.put(named if named in SIZED else "random", samples, sample.at, sample.at)
        study.put("sample", sample, sample.at, sample.at)
    tree.put(STUDY, study, tree.keys_at.get(STUDY, at), tree.values_at.get(STUDY, at))


def _long_form(said: str, at: Mark) -> str:
    """``1:10``, ``0:1:0.1`` and ``1,2,5`` as YAML has them; anything else is YAML."""
    text = said.strip()
    first, dots, last = text.partition("..")
    if dots and _is_number(first) and _is_number(last.lstrip(".=")):
        last = last.lstrip(".=")
        message = f"a range is `{first}:{last}`, or with a step `{first}:{last}:0.5`"
        raise fail(at, "syntax", f"`{text}` is no range; {message}")
    parts = text.split(":")
    if 2 <= len(parts) <= 3 and all(map(_is_number, parts)):
        step = parts[2] if len(parts) == 3 else "1"
        return f"{{from: {parts[0]}, to: {parts[1]}, step: {step}}}"
    return text if not text or text[0] in "[{" else f"[{text}]"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _tree_of(value: Any, at: Mark) -> Any:
    """Plain data as the reader of files would have it."""
    if isinstance(value, Mapping):
        made = Map(at)
        for key, each in value.items():
            made.put(str(key), _tree_of(each, at), at, at)
        return made
    if isinstance(value, range) or hasattr(value, "tolist"):
        value = list(value) if isinstance(value, range) else value.tolist()
    return _as_read(value, at)


def varied_problems(loader: Loader, axes: Sequence[Axis]) -> list[Problem]:
    """Problems of varied paths that do not exist or cannot have these values.

    The first values are tried, all together; then those without a problem, until none has one.
    Problems of a scene with these values that are at other places may be absent with other values:
    then only a run fails.
    """
    template = _template(loader, 0)
    paths = {mark[:3]: path for path, mark in template.marks.items()}
    values = {axis.path: first_value(axis) for axis in axes}
    found: list[Problem] = []
    while values:
        try:
            template.scene(values)
            break
        except SceneError as error:
            places = (
                (each, paths.get((each.file, each.line, each.column))) for each in error.problems
            )
            wrong = [(each, path) for each, path in places if path in values]
        if not wrong:
            break
        found += [replace(each, path=f"study.vary.{path}") for each, path in wrong]
        for path in {path for _, path in wrong if path is not None}:
            del values[path]
    return found


def first_value(axis: Axis) -> Any:
    """A possible value of an axis."""
    if axis.values:
        return axis.values[0]
    if axis.kind == "lognormal":
        return 1.0
    return int(axis.numbers[0]) if axis.kind == "randint" else axis.numbers[0]
