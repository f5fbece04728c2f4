# SPDX-License-Identifier: MIT
"""Pages: a run as one HTML file that plays it, without a network."""

from __future__ import annotations

from .replay import Style, Told, replay_page
from .spans import take_spans, watched

__all__ = ["Style", "Told", "replay_page", "take_spans", "watched"]
