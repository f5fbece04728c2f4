# SPDX-License-Identifier: MIT
"""Pages: a run as one HTML file that plays it, without a network."""

from __future__ import annotations

from .between import pose_readings
from .replay import Style, Told, replay_page
from .spans import take_spans, watched
from .variants import Filmed, variants_page

__all__ = [
    "Filmed",
    "Style",
    "Told",
    "pose_readings",
    "replay_page",
    "take_spans",
    "variants_page",
    "watched",
]
