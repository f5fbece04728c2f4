"""Checks the tree of a scene file against the input models, in plain words."""

from __future__ import annotations

import typing
from typing import Any

from pydantic import BaseModel, ValidationError

from .context import Context, Wrong
from .fields import Input
from .kinds import nearest, show
from .problems import Path, Report, find

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
        return None


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
        report.add(path + location, f"{_WORDS[kind]}, not {show(find(tree, location))}")
    else:
        report.add(path + location, f"this value is not allowed here ({entry['msg']})")


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
