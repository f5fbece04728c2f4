"""Checks the tree of a scene file against the input models, in plain words."""

from __future__ import annotations

import typing
from difflib import SequenceMatcher, get_close_matches
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from ..errors import Kind
from .broken import BROKEN
from .context import Context, Wrong
from .fields import Input
from .kinds import nearest, show
from .problems import Path, Report, find
from .yaml_reader import Map, Seq

M = typing.TypeVar("M", bound=Input)

_SURE = 0.8  # difflib's ratio of a misspelt word and the one that is meant

_WORDS = {
    "model_type": "must be a mapping of keys and values",
    "model_attributes_type": "must be a mapping of keys and values",
    "dict_type": "must be a mapping of names and values",
    "list_type": "must be a list",
}


def validate(model: type[M], value: Any, context: Context, report: Report, path: Path) -> M:
    """The checked model. Its problems go into the report, and BROKEN where the values were.

    A misspelt key is reported, and then read as the one that it means, so that nothing else is
    said of it. Another key that does not exist is left out.
    """
    tree = value
    while True:
        try:
            return model.model_validate(tree, context=context)
        except ValidationError as error:
            entries = error.errors(include_url=False, include_input=False)
        strays = [entry["loc"] for entry in entries if entry["type"] == "extra_forbidden"]
        slips = [location for location in strays if _meant(model, tree, location)[1]]
        if not slips:
            break
        for location in slips:
            _add_unknown_key(model, report, path, location)
            meant, sure = _meant(model, tree, location)
            if sure:
                tree = _renamed(tree, location, meant)
                report.tree = _renamed(report.tree, path + location, meant)
    holes: list[Path] = []
    for entry in entries:
        _translate(model, tree, entry, report, path)
        location = tuple(entry["loc"])
        if entry["type"] == "extra_forbidden":
            report.strays[path + location] = find(tree, location)
            meant, _ = _meant(model, tree, location)
            holes += [(*location[:-1], meant)] if meant else []
        holes.append(location)
    if () in holes:
        return cast(M, BROKEN)
    return _with_holes(model, tree, holes, context)


def correct_keys(model: type[Input], tree: Map, report: Report) -> Map:
    """The mapping with its misspelt keys as they are meant, which are reported."""
    for key in list(tree):
        meant, sure = _meant(model, tree, (key,))
        if sure and key not in _keys(model):
            _add_unknown_key(model, report, (), (key,))
            tree = _renamed(tree, (key,), meant)
            report.tree = _renamed(report.tree, (key,), meant)
    return tree


def _meant(model: type[Input], tree: Any, location: Path) -> tuple[str, bool]:
    """The key that an unknown key means if that is not given, and whether it is a slip of it."""
    owner = model_at(model, location[:-1])
    given = find(tree, location[:-1])
    key = str(location[-1])
    if owner is None or not isinstance(given, dict) or key in owner.hints or key in owner.later:
        return "", False
    near = get_close_matches(key, _keys(owner), 1)
    if not near or near[0] in given:
        return "", False
    sure = is_slip(key, near[0]) or SequenceMatcher(None, key, near[0]).ratio() >= _SURE
    return near[0], sure


def is_slip(word: str, meant: str) -> bool:
    """Whether one letter too many, too few, another one or two swapped tell two words apart."""
    i = next((i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), None)
    if i is None:
        return abs(len(word) - len(meant)) == 1
    swapped = word[i : i + 2] == meant[i : i + 2][::-1] and word[i + 2 :] == meant[i + 2 :]
    return (
        swapped
        or word[i + 1 :] == meant[i:]
        or word[i:] == meant[i + 1 :]
        or word[i + 1 :] == meant[i + 1 :]
    )


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _renamed(tree: Any, path: Path, key: str) -> Any:
    """A tree with another key at the end of a path, at the same place of the file."""
    part, rest = path[0], path[1:]
    if isinstance(tree, Seq) and isinstance(part, int) and part < len(tree):
        items = tree.copy()
        items[part] = _renamed(tree[part], rest, key)
        return items
    if not isinstance(tree, Map) or part not in tree:
        return tree
    block = Map(tree.at)
    for name, value in tree.items():
        last = name == part and not rest
        block.put(
            key if last else name,
            _renamed(value, rest, key) if name == part and rest else value,
            tree.keys_at[name],
            tree.values_at[name],
        )
    return block


def _with_holes(model: type[M], tree: Any, holes: list[Path], context: Context) -> M:
    """The model of a tree without what is broken in it, and BROKEN in its place."""
    for hole in holes:
        tree = _without(tree, hole)
    checked = model.model_validate(tree, context=context)
    for hole in sorted(holes, key=len):
        _break(checked, hole)
    return checked


def _without(tree: Any, path: Path) -> Any:
    """A tree without one value; an item of a list is replaced by nothing's mapping.

    The containers on the way are copied, since others may share them.
    """
    part, rest = path[0], path[1:]
    if isinstance(tree, Seq) and isinstance(part, int) and part < len(tree):
        items = tree.copy()
        items[part] = _without(tree[part], rest) if rest else Map(tree.at)
        return items
    if isinstance(tree, Map) and part in tree:
        block = tree.copy()
        if rest:
            block[str(part)] = _without(tree[str(part)], rest)
        else:
            del block[str(part)]
        return block
    return tree


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
    for name, field in model.model_fields.items():
        if (field.alias or name) == key:
            return name
    return None


def _translate(model: type[Input], tree: Any, entry: Any, report: Report, path: Path) -> None:
    location: Path = tuple(entry["loc"])
    kind: str = entry["type"]
    if kind == "scene":
        wrong = Wrong()
        wrong.findings = entry["ctx"]["findings"]
        report.add_wrong(path + location, wrong)
    elif kind == "extra_forbidden":
        _add_unknown_key(model, report, path, location)
    elif kind in _WORDS:
        given = find(tree, location)
        hint = _form(model_at(model, location), kind, given)
        report.add(path + location, "wrong-type", f"{_WORDS[kind]}, not {show(given)}{hint}")
    else:
        report.add(
            path + location, "wrong-type", f"this value is not allowed here ({entry['msg']})"
        )


def _add_unknown_key(model: type[Input], report: Report, path: Path, location: Path) -> None:
    owner = model_at(model, location[:-1])
    later = owner is not None and location[-1] in owner.later
    kind: Kind = "unsupported" if later else "unknown-key"
    report.add_key(path + location, kind, unknown_key(owner, location[-1]))


def _form(wanted: type[Input] | None, kind: str, given: Any) -> str:
    """How to write what has to be a mapping, where that is known."""
    if kind == "dict_type" and isinstance(given, list):
        return "; each has a name of its own: `name: {...}`"
    return f"; for example {wanted.form}" if wanted is not None and wanted.form else ""


def unknown_key(owner: type[Input] | None, key: Any) -> str:
    """The sentence for a key that a model does not have."""
    if owner is None:
        return f"unknown key {show(key)}"
    if key in owner.later:
        return f"`{key}` is not supported yet"
    if key in owner.hints:
        return f"unknown key {show(key)}; {owner.hints[key]}"
    return f"unknown key {show(key)}; {nearest(key, _keys(owner))}"


def model_at(model: Any, path: Path) -> type[Input] | None:
    """The input model that a path leads to, starting from a model."""
    here: Any = model
    for part in path:
        here = _strip(here)
        if isinstance(here, type) and issubclass(here, BaseModel):
            fields = {field.alias or name: field for name, field in here.model_fields.items()}
            if part not in fields:
                return None
            here = fields[str(part)].annotation
        else:
            arguments = typing.get_args(here)
            if not arguments:
                return None
            here = arguments[-1]
    here = _strip(here)
    return here if isinstance(here, type) and issubclass(here, Input) else None


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
