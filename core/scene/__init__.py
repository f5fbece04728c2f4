"""Scene files: YAML text -> a checked, expanded Scene. Knows no physics and no pictures.

The loader's parts are imported when they are first used, so that importing this package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .loading import load, loads

_HOMES = {"load": "loading", "loads": "loading"}

__all__ = ["load", "loads"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
