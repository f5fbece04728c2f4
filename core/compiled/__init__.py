# SPDX-License-Identifier: MIT
"""Compiled scenes: files of rows that the engine runs without Python and without YAML."""

from __future__ import annotations

from ..scene.text.compiled import text_of
from ..scene.text.container import pack, unpack
from .compiling import compile_scene, unfit

__all__ = ["compile_scene", "pack", "text_of", "unfit", "unpack"]
