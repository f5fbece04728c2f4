# SPDX-License-Identifier: MIT
"""Properties and classes of Tiled as fields of bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import SceneError
from ...scene.text.problems import plain_name
from ..drafts.declared import TYPES, declare
from ..drafts.draft import Entry
from ..drafts.places import Value

WEIGHS = "bodyType"
"""A property of a body's type by the habit of other engines; objects without it are pictures."""


def properties(owner: Value) -> dict[str, Value]:
    """Properties by name. Before its version 1.2 Tiled wrote them as one object."""
    held = owner.get("properties")
    if held is not None and isinstance(held.data, dict):
        return {name: held.need(name) for name in held.members() if held.has(name)}
    return {each.text("name"): each.need("value") for each in owner.items("properties")}


def put_properties(
    entry: Entry, shapes: list[Entry], held: Mapping[str, Value], kind: str, owner: Value
) -> list[str]:
    """Put properties and a class into a body; return the names that are not fields.

    A class that is no type of bodies is a tag.
    """
    given: dict[str, Any] = {name: value.data for name, value in held.items()}
    if WEIGHS in given:
        given["body"] = given.pop(WEIGHS)
    given |= {"class": kind} if kind else {}

    def fail(field: str, message: str) -> SceneError:
        return held.get(field, owner).fail("wrong-type", message)

    inner: Entry = {}
    strange = declare(entry, inner, given, fail)
    for shape in shapes:
        shape.update(inner)
    if kind and kind not in TYPES:
        tag = plain_name(kind)
        if tag and tag not in entry.get("tags", ()):
            entry["tags"] = [*entry.get("tags", ()), tag]
    return strange
