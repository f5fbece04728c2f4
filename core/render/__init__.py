"""Pictures: frames of a scene drawn, and written as GIF, MP4, WebP or PNG."""

from __future__ import annotations

from .overlays import OVERLAYS
from .renderer import Renderer

__all__ = ["OVERLAYS", "Renderer"]
