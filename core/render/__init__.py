# SPDX-License-Identifier: MIT
"""Pictures: frames of a scene drawn, and written as GIF, MP4, WebP or PNG."""

from __future__ import annotations

from ..scene.model import OVERLAYS
from .encoders import KINDS, Encoder, open_encoder
from .objects.pen import Pen
from .render import Output, render, render_variants
from .renderer import Renderer
from .survey import Survey
from .variants import VariantsRenderer

__all__ = [
    "KINDS",
    "OVERLAYS",
    "Encoder",
    "Output",
    "Pen",
    "Renderer",
    "Survey",
    "VariantsRenderer",
    "open_encoder",
    "render",
    "render_variants",
]
