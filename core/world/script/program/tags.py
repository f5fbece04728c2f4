# SPDX-License-Identifier: MIT
"""The tags of bodies as bits, and tags of materials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ....scene.model import Body

_MATERIAL = "\0"


def material_tag(name: str) -> str:
    """The tag of all bodies of a material."""
    return f"{_MATERIAL}{name}"


def mask_of(known: Mapping[str, int], tags: Iterable[str]) -> int:
    """The bits of tags."""
    return sum(1 << known[tag] for tag in {*tags} if tag in known)


def mask_of_body(known: Mapping[str, int], body: Body) -> int:
    """The bits of a body's tags and materials."""
    materials = (material_tag(shape.material.name) for shape in body.shapes)
    return mask_of(known, (*body.tags, *materials))


def materials_of(known: Mapping[str, int]) -> int:
    """The bits of all materials."""
    return mask_of(known, (tag for tag in known if tag.startswith(_MATERIAL)))
