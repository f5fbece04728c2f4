# SPDX-License-Identifier: MIT
"""Encoders of moving and still pictures. All stream; none leaves a half-written file."""

from __future__ import annotations

from .base import Encoder
from .choose import KINDS, open_encoder

__all__ = ["KINDS", "Encoder", "open_encoder"]
