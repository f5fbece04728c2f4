# SPDX-License-Identifier: MIT
"""The page of all fields of scenes, made from the schema: meaning, values and an example."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from rigid2d.core.scene import json_schema
from rigid2d.core.scene.text.flow import flow

HEAD = """\
# Fields of scenes

Every field of the scene format with its meaning, the values that it takes, and an example; made
from the schema that `rigid schema` prints. [The scene format](scene-format.md) explains them in
context, with units and defaults. Wherever a number is, an expression may be too: `=2*n`.

| key | meaning |
|---|---|
"""
WORDS = 12
"""Words of an enumeration that are listed; all are in the field's description or its reference."""

KINDS = {"boolean": "true or false", "integer": "whole number", "null": "null", "string": "text"}
"""Types of JSON in words."""


def fields_page() -> str:
    """The text of the page."""
    schema = json_schema()
    tops = schema["properties"]
    rows = [f"| [`{key}`](#{key}) | {_cell(tops[key]['description'])} |" for key in tops]
    homes = _homes(schema)
    parts = [HEAD + "\n".join(rows)]
    for key, field in tops.items():
        parts.append(f"## `{key}` {{#{key}}}\n\n{field['description']}\n\n{_example(key, field)}")
        for name, home in homes.items():
            if home == key:
                parts += _model(name, schema["$defs"][name], homes)
    return "\n\n".join(parts) + "\n"


def _homes(schema: Any) -> dict[str, str]:
    """The key of the top level under which each model is met first, the nearest ones first."""
    homes: dict[str, str] = {}
    for key, field in schema["properties"].items():
        waiting = [*_references(field)]
        while waiting:
            name = waiting.pop(0)
            if name not in homes:
                homes[name] = key
                waiting += _references(schema["$defs"][name])
    return homes


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rpartition("/")[2]
        for inner in node.values():
            yield from _references(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _references(inner)


def _model(name: str, model: Any, homes: dict[str, str]) -> Iterator[str]:
    title = _title(name)
    yield f"### {title} {{#{name}}}"
    if model.get("description"):
        yield str(model["description"])
    rows = ["| field | meaning | values | example |", "|---|---|---|---|"]
    for key, field in model.get("properties", {}).items():
        own = {name: told for name, told in field.items() if name != "description"}
        values = ", ".join(dict.fromkeys(_values(own, homes)))
        example = f"{key}: {flow(field['examples'][0])}"
        rows.append(
            f"| <code id='{title.lower().replace(' ', '-')}.{key}'>{key}</code> "
            f"| {_cell(field['description'])} | {values} | {_code(example)} |"
        )
    yield "\n".join(rows)


def _values(node: Any, homes: dict[str, str]) -> Iterator[str]:
    """The kinds of values that a field takes, briefly."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        yield f"[{_title(name)}](#{name})" if name in homes else _title(name)
    elif "enum" in node:
        words = [_code(word) for word in node["enum"][:WORDS]]
        yield " ".join([*words, *(["..."] if len(node["enum"]) > WORDS else [])])
    elif "const" in node:
        yield _code(node["const"])
    elif "anyOf" in node or "oneOf" in node:
        for each in [*node.get("anyOf", ()), *node.get("oneOf", ())]:
            yield from _values(each, homes)
    elif node.get("type") == "array":
        inner = " or ".join(dict.fromkeys(_values(node.get("items") or {}, homes)))
        count = node.get("minItems")
        many = f"list of {count}" if count and count == node.get("maxItems") else "list"
        yield f"{many}: {inner}" if inner else many
    elif node.get("type") == "object":
        inner = node.get("additionalProperties")
        told = " or ".join(dict.fromkeys(_values(inner, homes))) if isinstance(inner, dict) else ""
        yield f"mapping of names: {told}" if told else "mapping"
    elif node.get("description") and node.get("type") == "string":
        yield _cell(node["description"])
    elif "type" in node:
        low, high = node.get("minimum", node.get("exclusiveMinimum")), node.get("maximum")
        bounds = f" from {low:.16g}" if low is not None else ""
        bounds += f" to {high:.16g}" if high is not None else ""
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        yield " or ".join(KINDS.get(kind, kind) for kind in kinds) + bounds


def _title(name: str) -> str:
    """A model's name in words: ``JointInput`` is a joint."""
    words = "".join(f" {c}" if c.isupper() else c for c in name.removesuffix("Input")).split()
    return " ".join([words[0], *map(str.lower, words[1:])])


def _example(key: str, field: Any) -> str:
    return f"```yaml\n{key}: {flow(field['examples'][0])}\n```"


def _cell(text: str) -> str:
    """Text in a cell of a table; code between backquotes stays code."""
    parts = text.replace("\n", " ").split("`")
    return "".join(
        _code(part) if i % 2 else html.escape(part, quote=False).replace("|", "&#124;")
        for i, part in enumerate(parts)
    )


def _code(value: object) -> str:
    text = html.escape(str(value), quote=False)
    for letter in "|*_`[]":
        text = text.replace(letter, f"&#{ord(letter)};")
    return f"<code>{text}</code>"
