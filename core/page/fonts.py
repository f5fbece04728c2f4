# SPDX-License-Identifier: MIT
"""The scene's own fonts in a page."""

from __future__ import annotations

import base64
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..render.canvas.text import font_of
from ..scene.model import Scene

MOST_BYTES = 4 * 1024 * 1024
"""Fonts that have more together are not in the page, which takes the font of its browser."""


def fonts(scene: Scene) -> dict[str, Any]:
    """The fonts by the names of their families, in base64, and that of all texts."""
    files = {each.font for each in scene.annotations} | {scene.render.font}
    named = {family(path): path for path in sorted(path for path in files if path is not None)}
    sizes = [Path(path).stat().st_size for path in named.values()]
    if sum(sizes) > MOST_BYTES:
        named = {}
    found = {
        name: base64.b64encode(Path(path).read_bytes()).decode("ascii")
        for name, path in named.items()
    }
    return {"fonts": found, "font": family(scene.render.font)}


def family(path: str | None) -> str:
    """The name of a font's family on a page, which no other file has; empty for the usual one."""
    if path is None:
        return ""
    font_of(path)  # which raises UsageError where it is gone
    return f"rigid-{sha256(Path(path).read_bytes()).hexdigest()[:16]}"
