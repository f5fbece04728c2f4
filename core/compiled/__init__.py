# SPDX-License-Identifier: MIT
"""Compiled scenes: files of rows that the engine runs without Python and without YAML."""

from __future__ import annotations

from .compiling import compile_scene, unfit
from .container import pack, unpack
from .text import text_of

__all__ = ["compile_scene", "pack", "text_of", "unfit", "unpack"]
