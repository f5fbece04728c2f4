"""Pictures: frames of a scene drawn, and written as GIF, MP4, WebP or PNG."""

from __future__ import annotations

from .encoders import KINDS, Encoder, open_encoder
from .overlays import OVERLAYS
from .render import Output, render
from .renderer import Renderer

__all__ = ["KINDS", "OVERLAYS", "Encoder", "Output", "Renderer", "open_encoder", "render"]
