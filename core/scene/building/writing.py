# SPDX-License-Identifier: MIT
"""Helpers of all blocks for writing YAML."""

from __future__ import annotations

import os
from typing import Any

from ..model import Scene


def differences(value: Any, default: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields in which a value differs from the default, bit for bit."""
    return {
        name: getattr(value, name)
        for name in names
        if repr(getattr(value, name)) != repr(getattr(default, name))
    }


def named_file(path: str, scene: Scene) -> str:
    """A file's real path as the scene names it."""
    folder = os.path.dirname(scene.path) or "."  # noqa: PTH120 - the path may be no file
    return os.path.relpath(path, os.path.realpath(folder)).replace(os.sep, "/")
