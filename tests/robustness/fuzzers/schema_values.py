# SPDX-License-Identifier: MIT
"""Values as the scene format's JSON Schema allows them, so that whatever it gets is tried too."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any

from rigid2d.core.scene import json_schema

from .values import WORDS, anything

NAMES = {
    "body": ["b0", "b1", "b2", "world", "row[0]"],
    "category": ["default", "red", "blue"],
    "material": ["steel", "ice"],
    "color": ["red", "#123", "#12345678", "tomato"],
    "word": ["b0", "b1.x", "j0", "world", "world.energy", "row", "j0.force", "light"],
}
LEVELS = 8  # of nesting, after which only what has to be given is


@cache
def schema() -> dict[str, Any]:
    """The scene format's schema."""
    return json_schema()


def known_keys() -> frozenset[str]:
    """Every key that the format has."""
    return frozenset(field for _, field in known_fields())


@cache
def known_fields() -> frozenset[tuple[str, str]]:
    """Every field of the format, with what it belongs to."""
    blocks = {"Scene": schema(), **schema()["$defs"]}
    return frozenset(
        (name, key) for name, block in blocks.items() for key in block.get("properties", {})
    )


def fields_of(tree: Any) -> set[tuple[str, str]]:
    """The fields that a scene's tree has."""
    return {(owner, key) for owner, item in objects(tree, schema()) for key in item}


def objects(tree: Any, form: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The mappings of a tree that have fields by the schema, with the names of what they are."""
    found: list[tuple[str, dict[str, Any]]] = []
    _find(tree, form, "Scene", found)
    return found


def _find(
    tree: Any, form: dict[str, Any], name: str, found: list[tuple[str, dict[str, Any]]]
) -> None:
    while "$ref" in form:
        name = form["$ref"].rpartition("/")[2]
        form = schema()["$defs"][name]
    if "anyOf" in form:
        for each in form["anyOf"]:
            if _may_be(tree, each):
                _find(tree, each, name, found)
    elif isinstance(tree, dict):
        fields = form.get("properties")
        if fields is not None:
            found.append((name, tree))
        of = form.get("additionalProperties") or {}
        for key, value in tree.items():
            inner = of if fields is None else fields.get(key)
            if isinstance(value, (dict, list)) and isinstance(inner, dict) and inner:
                _find(value, inner, f"{name}.{key}", found)
    elif isinstance(tree, list) and isinstance(form.get("items"), dict):
        for value in tree:
            if isinstance(value, (dict, list)):
                _find(value, form["items"], name, found)


def _may_be(tree: Any, form: dict[str, Any]) -> bool:
    """Whether a value looks like what a form is of."""
    while "$ref" in form:
        form = schema()["$defs"][form["$ref"].rpartition("/")[2]]
    if isinstance(tree, dict):
        fields = form.get("properties")
        return form.get("type") == "object" and (fields is None or {*tree} <= {*fields})
    return isinstance(tree, list) and form.get("type") == "array"


def a_value(choose: random.Random, form: dict[str, Any], key: str = "", level: int = 0) -> Any:
    """A value of a part of the schema."""
    while "$ref" in form:
        form = schema()["$defs"][form["$ref"].rpartition("/")[2]]
    if "anyOf" in form:
        return a_value(choose, choose.choice(form["anyOf"]), key, level)
    if "const" in form:
        return form["const"]
    if "enum" in form:
        return choose.choice(form["enum"])
    kind = form.get("type")
    if isinstance(kind, list):
        kind = choose.choice(kind)
    if kind == "boolean":
        return choose.random() < 0.5
    if kind == "array":
        least = form.get("minItems", 0)
        count = choose.randint(least, max(least, min(form.get("maxItems", 4), 4)))
        return [a_value(choose, form["items"], key, level + 1) for _ in range(count)]
    if kind == "object":
        return _an_object(choose, form, level)
    if kind in ("number", "integer"):
        return _a_number(choose, form, kind == "integer")
    return _a_text(choose, form, key)


def _an_object(choose: random.Random, form: dict[str, Any], level: int) -> dict[str, Any]:
    fields = form.get("properties")
    if fields is None:
        of = form.get("additionalProperties") or {}
        names = choose.sample(["b0", "i", "p", "j0", "n"], choose.randint(0, 2))
        return {name: a_value(choose, of, name, level + 1) for name in names}
    needed = {*form.get("required", ())}
    if "oneOf" in form:
        needed |= {*choose.choice(form["oneOf"])["required"]}
    others = [key for key in fields if key not in needed and not one_of_others(form, key)]
    if level < LEVELS:
        needed |= {*choose.sample(others, min(len(others), choose.choice([0, 1, 1, 2, 3])))}
    return {key: a_value(choose, fields[key], key, level + 1) for key in fields if key in needed}


def one_of_others(form: dict[str, Any], key: str) -> bool:
    """Whether a field excludes others: an object has exactly one of them."""
    return any(key in each["required"] for each in form.get("oneOf", ()))


def _a_number(choose: random.Random, form: dict[str, Any], whole: bool) -> float:
    low = form.get("minimum", form.get("exclusiveMinimum", -math.inf))
    high = form.get("maximum", math.inf)
    if choose.random() < 0.15:
        edges = [value for value in (low, high) if math.isfinite(value)]
        value = choose.choice([*edges, 0, 1, 1e-6, 1e6, 1e9])
    elif math.isfinite(high):
        value = choose.uniform(max(low, -10), min(high, 50))
    else:
        value = choose.uniform(0 if low >= 0 else -1, 1) * 10 ** choose.uniform(-2, 1.5)
    value = min(max(value, low), high)
    return round(value) if whole else value


def _a_text(choose: random.Random, form: dict[str, Any], key: str) -> str:
    said = form.get("description", "")
    if "expression" in said:
        plain = choose.choice(["2", "0.5", "n*0.3", "min(1, n)", "uniform(0, 1)", "1/0", "hypot"])
        units = [" m", " s", " kg", " deg", " N", " px/ms", " rpm"]
        return f"={plain}" if choose.random() < 0.8 else f"1{choose.choice(units)}"
    for name, words in NAMES.items():
        if name in key or name in said:
            return choose.choice(words)
    return choose.choice(["b0", "light", *choose.sample(WORDS, 2)])


def spoil(choose: random.Random, tree: Any, form: dict[str, Any]) -> None:
    """One change somewhere in a scene's tree: a key more or less, or another value."""
    places = [*_places(tree, form)]
    owner, key, here = choose.choice(places)
    how = choose.random()
    if how < 0.2:
        del owner[key]
    elif how < 0.5 and isinstance(owner[key], dict):
        while "$ref" in here:
            here = schema()["$defs"][here["$ref"].rpartition("/")[2]]
        fields = here.get("properties") or {}
        if fields:
            new = choose.choice([*fields])
            owner[key][new] = a_value(choose, fields[new], new)
    elif how < 0.8:
        owner[key] = a_value(choose, here, str(key))
    else:
        owner[key] = anything(choose)


def _places(tree: Any, form: dict[str, Any]) -> Any:
    while "$ref" in form:
        form = schema()["$defs"][form["$ref"].rpartition("/")[2]]
    keys = tree.keys() if isinstance(tree, dict) else range(len(tree))
    for key in keys:
        here = form.get("properties", {}).get(key) or form.get("items")
        here = here or form.get("additionalProperties") or {}
        yield tree, key, here if isinstance(here, dict) else {}
        if isinstance(tree[key], (dict, list)) and tree[key]:
            yield from _places(tree[key], here if isinstance(here, dict) else {})
