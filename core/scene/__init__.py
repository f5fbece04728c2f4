# SPDX-License-Identifier: MIT
"""Scene files: YAML text -> a checked, expanded Scene. Knows no physics and no pictures.

The loader's parts are imported when they are first used, so that importing this package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .expansion import expand
    from .loading import load, loads
    from .schema import json_schema

_HOMES = {"load": "loading", "loads": "loading", "json_schema": "schema", "expand": "expansion"}

__all__ = ["expand", "json_schema", "load", "loads"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
