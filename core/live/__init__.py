# SPDX-License-Identifier: MIT
"""Pages that run a scene themselves, with the engine as WebAssembly."""

from __future__ import annotations

from ..compiled import unfit
from .live_page import live_page
from .module import find_module, module_name, program

__all__ = ["find_module", "live_page", "module_name", "program", "unfit"]
