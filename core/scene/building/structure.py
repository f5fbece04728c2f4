# SPDX-License-Identifier: MIT
"""Checks the tree of a scene file against the input models, in plain words."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from ...nearest import is_clear, nearest_word
from ..text.marks import Map, Seq
from ..text.problems import Path, Report, find
from ..values.broken import BROKEN
from ..values.context import Context, Finding, Wrong
from ..values.fields import Input
from ..values.foreign_words import advice, look_up, plain_word
from ..values.kinds import nearest, show

M = typing.TypeVar("M", bound=Input)
T = typing.TypeVar("T")

_REST_OF_A_LIST = re.compile(r"[-+]?[\d.]+[)\s]*")
_WORDS = {
    "model_type": "must be a mapping of keys and values",
    "model_attributes_type": "must be a mapping of keys and values",
    "dict_type": "must be a mapping of names and values",
    "list_type": "must be a list",
}


def validate(model: type[M], value: Any, context: Context, report: Report, path: Path) -> M:
    """Check a tree against a model. Problems are reported, and their values become BROKEN.

    A misspelt key is reported, and then read as the one that it means, so that nothing else is
    said of it; so is a misspelt word, on which other keys may depend. Another key that does not
    exist is left out.
    """
    tree = value
    while True:
        try:
            return model.model_validate(tree, context=context)
        except ValidationError as error:
            entries = error.errors(include_url=False, include_input=False)
        strays = [entry["loc"] for entry in entries if entry["type"] == "extra_forbidden"]
        owners = _Owners(model, tree)
        meant = {location: _meant(*owners.of(location), location[-1]) for location in strays}
        slips = {location: key for location, (key, sure) in meant.items() if sure}
        words = _misspelt_words(tree, entries)
        if not slips and not words:
            break
        for at, finding in words.items():
            report.add(path + at, finding.kind, finding.message)
        tree = _with_words(tree, {at: finding.meant for at, finding in words.items()})
        taken: set[Path] = set()
        names: dict[Path, str] = {}
        for location, key in slips.items():
            _add_unknown_key(owners.of(location)[0], report, path, location)
            if (*location[:-1], key) not in taken:  # two slips of one key: the first is read
                taken.add((*location[:-1], key))
                names[location] = key
        if names:
            tree = _renamed(tree, names)
            report.tree = _renamed(report.tree, {path + at: key for at, key in names.items()})
    holes: list[Path] = []
    cut: dict[Path, set[str]] = {}
    for entry in entries:
        location = tuple(entry["loc"])
        if entry["type"] == "extra_forbidden":
            owner, given = owners.of(location)
            if location[:-1] not in cut:
                cut[location[:-1]] = _cut_off(given)
            if location[-1] not in cut[location[:-1]]:
                _add_unknown_key(owner, report, path, location)
            report.add_stray(path + location, find(given, location[-1:]))
            near, _ = meant[location]
            holes += [(*location[:-1], near)] if near else []
        else:
            _translate(model, tree, entry, report, path)
        holes.append(location)
    if () in holes:
        return cast(M, BROKEN)
    return _with_holes(model, tree, holes, context)


def correct_keys(model: type[Input], tree: Map, report: Report) -> Map:
    """The mapping with its misspelt keys as they are meant, which are reported."""
    names: dict[Path, str] = {}
    for key in tree:
        if key in _keys(model):
            continue
        meant, sure = _meant(model, tree, key)
        if sure and meant not in names.values():
            _add_unknown_key(model, report, (), (key,))
            names[(key,)] = meant
    if names:
        report.tree = _renamed(report.tree, names)
        tree = _renamed(tree, names)
    return tree


class _Owners:
    """Models and mappings of keys, cached for consecutive keys of one mapping."""

    def __init__(self, model: type[Input], tree: Any) -> None:
        self._model = model
        self._tree = tree
        self._place: Path | None = None
        self._owner: tuple[type[Input] | None, Any] = (None, None)

    def of(self, location: Path) -> tuple[type[Input] | None, Any]:
        """Return the model of the mapping with a key, and the mapping."""
        place = location[:-1]
        if place != self._place:
            self._place = place
            self._owner = model_at(self._model, place), find(self._tree, place)
        return self._owner


def _meant(owner: type[Input] | None, given: Any, part: int | str) -> tuple[str, bool]:
    """The key that an unknown key means if that is not given, and whether it is a slip of it."""
    key = str(part)
    if owner is None or not isinstance(given, dict) or _hint_of(owner, key):
        return "", False
    right = _foreign(owner, key)
    if right:
        near = right.partition(":")[0]
        return (near, False) if near in _keys(owner) and near not in given else ("", False)
    if _joined(key, _keys(owner)):
        return key.partition(":")[0], False
    near = nearest_word(key, _keys(owner))
    if not near or near in given:
        return "", False
    return near, is_clear(key, near)


def _misspelt_words(tree: Any, entries: Sequence[Any]) -> dict[Path, Finding]:
    """Return the texts of a tree that can only be misspelt words of the format, with messages."""
    found: dict[Path, Finding] = {}
    for entry in entries:
        if entry["type"] != "scene":
            continue
        for finding in entry["ctx"]["findings"]:
            at: Path = tuple(entry["loc"]) + finding.at
            if finding.meant and isinstance(find(tree, at), str):
                found[at] = finding
    return found


@lru_cache
def _annotations(model: type[BaseModel]) -> dict[str, Any]:
    """The kinds of a model's keys."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


@lru_cache
def _fields(model: type[BaseModel]) -> dict[int | str, str]:
    """Return the Python names of the fields that the keys of a model set."""
    return {field.alias or name: name for name, field in model.model_fields.items()}


@lru_cache
def _keys(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(_annotations(model))


def _by_first(paths: Mapping[Path, T]) -> dict[int | str, dict[Path, T]]:
    """Group paths and their values by their first parts, which are removed."""
    groups: dict[int | str, dict[Path, T]] = {}
    for path, value in paths.items():
        groups.setdefault(path[0], {})[path[1:]] = value
    return groups


def _renamed(tree: Any, names: Mapping[Path, str]) -> Any:
    """A tree with other keys at the ends of paths, at the same places of the file."""
    groups = _by_first(names)
    if isinstance(tree, Seq):
        items = tree.copy()
        for part, rest in groups.items():
            if isinstance(part, int) and part < len(tree):
                items[part] = _renamed(tree[part], rest)
        return items
    if not isinstance(tree, Map) or not any(part in tree for part in groups):
        return tree
    block = Map(tree.at)
    for name, value in tree.items():
        rest = dict(groups.get(name, {}))
        key = rest.pop((), name)
        inner = _renamed(value, rest) if rest else value
        block.put(key, inner, tree.keys_at[name], tree.values_at[name])
    return block


def _with_words(tree: Any, words: Mapping[Path, str]) -> Any:
    """A tree with other texts at some paths, at the same places of the file."""
    if not words:
        return tree
    if () in words:
        return words[()]
    block = tree.copy()
    for part, rest in _by_first(words).items():
        block[part] = _with_words(block[part], rest)
    return block


def _with_holes(model: type[M], tree: Any, holes: list[Path], context: Context) -> M:
    """Return the model of a tree with BROKEN for its invalid values."""
    if holes and isinstance(tree, (Map, Seq)):
        tree = _without(tree, dict.fromkeys(holes))
    checked = model.model_validate(tree, context=context)
    for hole in sorted(holes, key=len):
        _break(checked, hole)
    return checked


def _without(tree: Any, paths: Mapping[Path, None]) -> Any:
    """Return a tree without some values; an item of a list is replaced by an empty mapping.

    The containers on the path are copied, since others may share them. A short form, whose parts
    have no places of their own, is removed as a whole.
    """
    block = tree.copy()
    for part, rest in _by_first(paths).items():
        if isinstance(block, Seq) and isinstance(part, int) and part < len(block):
            whole = _goes_whole(block[part], rest)
            block[part] = Map(block.at) if whole else _without(block[part], rest)
        elif isinstance(block, Map) and part in block:
            key = str(part)
            if _goes_whole(block[key], rest):
                del block[key]
            else:
                block[key] = _without(block[key], rest)
    return block


def _goes_whole(value: Any, paths: Mapping[Path, None]) -> bool:
    """Return whether a value is left out as a whole, not only some paths in it."""
    if () in paths or not isinstance(value, (Map, Seq)):
        return True
    # A list that is the short form of a mapping: its keys are no places in it.
    return isinstance(value, Seq) and any(isinstance(at[0], str) for at in paths)


def _break(made: Any, path: Path) -> None:
    """Put BROKEN at a path of a model, unless something on the way is BROKEN already."""
    here = made
    for part in path[:-1]:
        here = _part(here, part)
        if here is None or here is BROKEN:
            return
    last = path[-1]
    if isinstance(here, BaseModel):
        field = _field(type(here), last)
        if field is not None:
            setattr(here, field, BROKEN)
    elif isinstance(here, (dict, list)):
        here[last] = BROKEN  # type: ignore[index]


def _part(made: Any, part: int | str) -> Any:
    if isinstance(made, BaseModel):
        field = _field(type(made), part)
        return None if field is None else getattr(made, field)
    if isinstance(made, dict):
        return made.get(part)
    return made[part] if isinstance(made, list) and isinstance(part, int) else None


def _field(model: type[BaseModel], key: int | str) -> str | None:
    """The name in Python of the field that a key sets."""
    return _fields(model).get(key)


def _translate(model: type[Input], tree: Any, entry: Any, report: Report, path: Path) -> None:
    location: Path = tuple(entry["loc"])
    kind: str = entry["type"]
    if kind == "scene":
        wrong = Wrong()
        wrong.findings = entry["ctx"]["findings"]
        report.add_wrong(path + location, wrong)
    elif kind in _WORDS:
        given = find(tree, location)
        hint = _form(model_at(model, location), kind, given, location[-1:])
        report.add(path + location, "wrong-type", f"{_WORDS[kind]}, not {show(given)}{hint}")
    else:
        report.add(
            path + location, "wrong-type", f"this value is not allowed here ({entry['msg']})"
        )


def _add_unknown_key(owner: type[Input] | None, report: Report, path: Path, location: Path) -> None:
    report.add_key(path + location, "unknown-key", unknown_key(owner, location[-1]))


def _cut_off(given: Any) -> set[str]:
    """The keys of a mapping that are the rest of an expression, which its commas have cut.

    `{that: =max(a, b) > 1}` has the keys `that` and `b) > 1`; the expression is reported.
    """
    cut: set[str] = set()
    depth = 0
    for key, value in given.items() if isinstance(given, dict) else ():
        if value is None and depth > 0:
            cut.add(key)
            depth += key.count("(") - key.count(")")
        else:
            is_expression = isinstance(value, str) and value.startswith("=")
            depth = value.count("(") - value.count(")") if is_expression else 0
    return cut


def _form(wanted: type[Input] | None, kind: str, given: Any, key: Path) -> str:
    """Return the written form of a required mapping, if it is known."""
    if isinstance(given, str) and re.match(r"[\w\[\],]+:\S", given):
        return "; put a space after the `:`"
    if kind == "list_type" and isinstance(given, (str, int, float, dict)):
        return "; one alone stands in brackets too: `[...]`"
    if kind == "dict_type" and key == ("repeat",):
        return "; an index has a name: `{i: 5}`"
    if kind == "dict_type" and isinstance(given, list):
        return "; each has a name of its own: `name: {...}`"
    return f"; for example {wanted.form}" if wanted is not None and wanted.form else ""


def unknown_key(owner: type[Input] | None, key: Any) -> str:
    """The sentence for a key that a model does not have."""
    if owner is None:
        return f"unknown key {show(key)}"
    hint = _hint_of(owner, str(key))
    if hint:
        return f"unknown key {show(key)}; {hint}"
    right = _foreign(owner, str(key))
    if right:
        return f"unknown key {show(key)}; {advice(right)}"
    inner = _after_points(owner, str(key))
    if inner:
        return f"unknown key {show(key)}; {inner}"
    joined = _joined(str(key), _keys(owner))
    if joined:
        return f"unknown key {show(key)}; put a space after the `:`, as in `{joined}`"
    if _REST_OF_A_LIST.fullmatch(str(key)):
        decimal = "" if ")" in str(key) else "; a decimal point is a point: `0.5`, not `0,5`"
        return f"unknown key {show(key)}; a list is written in brackets, such as `[1, 2]`{decimal}"
    return f"unknown key {show(key)}; {nearest(key, _keys(owner))}"


def _hint_of(owner: type[Input], key: str) -> str:
    """A model's own message on an unknown key."""
    return owner.hints.get(key) or owner.hints.get(plain_word(key)) or ""


def _foreign(owner: type[Input], key: str) -> str:
    """The name here of another engine's word; nothing if it is a word of this format."""
    plain = plain_word(key)
    if plain != key and plain in _keys(owner):
        return plain
    from .foreign_keys import foreign_keys  # which scenes without mistakes do not need

    for model in owner.__mro__:
        place = model.__name__.removesuffix("Input").removesuffix("Fields")
        right = look_up(key, foreign_keys(place))
        if right:
            return right
    return ""


def _after_points(owner: type[Input], key: str) -> str:
    """The sentence for `Rigidbody2D.mass`, by the name after the points; else nothing."""
    name = key.rpartition(".")[2]
    if not 0 < len(name) < len(key):
        return ""
    if name in _keys(owner):
        return f"write `{name}`"
    right = _foreign(owner, name)
    return _hint_of(owner, name) or (advice(right) if right else "")


def _joined(key: str, keys: Sequence[str]) -> str:
    """A key and a value that no space parts, as they should be; else nothing."""
    name, colon, value = key.partition(":")
    value = f'"{value}"' if value.startswith("#") else value
    return f"{name}: {value}" if colon and value and name in keys else ""


def model_at(model: Any, path: Path) -> type[Input] | None:
    """The input model that a path leads to, starting from a model."""
    here: Any = model
    for part in path:
        here = _strip(here)
        if isinstance(here, type) and issubclass(here, BaseModel):
            annotations = _annotations(here)
            if part not in annotations:
                return None
            here = annotations[str(part)]
        else:
            arguments = typing.get_args(here)
            if not arguments:
                return None
            here = arguments[-1]
    here = _strip(here)
    return here if isinstance(here, type) and issubclass(here, Input) else None


@cache
def _strip(annotation: Any) -> Any:
    """An annotation without Annotated and Optional."""
    while True:
        arguments = typing.get_args(annotation)
        if hasattr(annotation, "__metadata__"):
            annotation = arguments[0]
        elif type(None) in arguments:
            annotation = next(each for each in arguments if each is not type(None))
        else:
            return annotation
