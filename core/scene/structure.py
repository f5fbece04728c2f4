"""Checks the tree of a scene file against the input models, in plain words."""

from __future__ import annotations

import typing
from typing import Any

from pydantic import BaseModel, ValidationError

from .context import Context, Wrong
from .fields import Input
from .kinds import nearest, show
from .problems import Path, Report, find
from .yaml_reader import Map, Seq

M = typing.TypeVar("M", bound=Input)

_WORDS = {
    "model_type": "must be a mapping of keys and values",
    "model_attributes_type": "must be a mapping of keys and values",
    "dict_type": "must be a mapping of names and values",
    "list_type": "must be a list",
}


def validate(model: type[M], value: Any, context: Context, report: Report, path: Path) -> M | None:
    """The checked model, or None after its problems went into the report."""
    try:
        return model.model_validate(value, context=context)
    except ValidationError as error:
        for entry in error.errors(include_url=False, include_input=False):
            _translate(model, value, entry, report, path)
            location = path + tuple(entry["loc"])
            if entry["type"] == "extra_forbidden":
                report.unknown.add(location)
            else:
                report.broken.add(location[:2])
        return None


def without_broken(tree: Map, report: Report) -> tuple[Map, list[int]]:
    """The tree without its broken entries, and which items of ``expect`` are left.

    What is left can be checked further, so that one run reports all problems.
    """
    result = tree.copy()
    for path in report.unknown:
        _remove(result, path)
    kept = list(range(len(tree["expect"]))) if isinstance(tree.get("expect"), Seq) else []
    for path in report.broken:
        block = result.get(str(path[0])) if path else None
        if len(path) < 2 or not isinstance(block, (Map, Seq)):
            if path:
                result.pop(str(path[0]), None)
        elif isinstance(block, Map):
            smaller = block.copy()
            smaller.pop(str(path[1]), None)
            result[str(path[0])] = smaller
        elif path[0] == "expect" and path[1] in kept:
            kept.remove(int(path[1]))
        elif path[0] != "expect":
            result.pop(str(path[0]), None)
    if isinstance(result.get("expect"), Seq):
        result["expect"] = [result["expect"][i] for i in kept]
    result["rigid"] = 1
    return result, kept


def _remove(tree: Map, path: Path) -> None:
    """Remove one key, copying the containers on the way, which others may share."""
    here: Any = tree
    for part in path[:-1]:
        child = here[part].copy()
        here[part] = child
        here = child
    here.pop(path[-1], None)


def _translate(model: type[Input], tree: Any, entry: Any, report: Report, path: Path) -> None:
    location: Path = tuple(entry["loc"])
    kind: str = entry["type"]
    if kind == "scene":
        wrong = Wrong("")
        wrong.findings = entry["ctx"]["findings"]
        report.add_wrong(path + location, wrong)
    elif kind == "extra_forbidden":
        report.add_key(path + location, unknown_key(model_at(model, location[:-1]), location[-1]))
    elif kind == "missing":
        owner = model_at(model, location[:-1])
        report.add(path + location[:-1], _missing(owner, str(location[-1])))
    elif kind in _WORDS:
        given = find(tree, location)
        hint = _form(model_at(model, location), kind, given)
        report.add(path + location, f"{_WORDS[kind]}, not {show(given)}{hint}")
    else:
        report.add(path + location, f"this value is not allowed here ({entry['msg']})")


def _form(wanted: type[Input] | None, kind: str, given: Any) -> str:
    """How to write what has to be a mapping, where that is known."""
    if kind == "dict_type" and isinstance(given, list):
        return "; each has a name of its own: `name: {...}`"
    return f"; for example {wanted.form}" if wanted is not None and wanted.form else ""


def _missing(owner: type[Input] | None, key: str) -> str:
    needed = (
        []
        if owner is None
        else [
            field.alias or name for name, field in owner.model_fields.items() if field.is_required()
        ]
    )
    if key == "rigid":
        return "the format's version is missing; a scene begins with `rigid: 1`"
    return f"`{key}` is missing; needed are {', '.join(needed)}"


def unknown_key(owner: type[Input] | None, key: Any) -> str:
    """The sentence for a key that a model does not have."""
    if owner is None:
        return f"unknown key {show(key)}"
    if key in owner.later:
        return f"`{key}` is not supported yet"
    if key in owner.hints:
        return f"unknown key {show(key)}; {owner.hints[key]}"
    known = [field.alias or name for name, field in owner.model_fields.items()]
    return f"unknown key {show(key)}; {nearest(key, known)}"


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
