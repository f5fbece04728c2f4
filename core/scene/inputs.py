# SPDX-License-Identifier: MIT
"""Inputs of a scene's physics, as texts by their dotted path in the expanded scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .blocks.table import BLOCKS
from .expansion import physics
from .model import Scene
from .text.flow import flow

_UNSEEN = {block.key: block.unseen for block in BLOCKS}
"""Fields of which a body's motion knows nothing."""


def physics_inputs(scene: Scene) -> dict[str, str]:
    """All values, given or by default: one text for each named object such as a body or a joint,
    and one for each field of other blocks."""
    found: dict[str, str] = {}
    for block, given in physics(scene).items():
        values = given if isinstance(given, Mapping) else dict(enumerate(given))
        for name, value in _without(values, _UNSEEN.get(block, ()), block == "world").items():
            found[f"{block}.{name}"] = flow(value)
    return found


def _without(values: Mapping[Any, Any], unseen: tuple[str, ...], here: bool) -> dict[Any, Any]:
    """The values without unseen fields: of the mapping itself, or only of those inside it."""
    return {
        name: _seen(value, unseen)
        for name, value in values.items()
        if not (here and name in unseen)
    }


def _seen(value: Any, unseen: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        return _without(value, unseen, True)
    if isinstance(value, list):
        return [_seen(item, unseen) for item in value]
    return value
