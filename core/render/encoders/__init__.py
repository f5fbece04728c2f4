# SPDX-License-Identifier: MIT
"""Writers of moving and still pictures. All stream, and none leaves half a file behind."""

from __future__ import annotations

from .base import Encoder
from .choose import KINDS, open_encoder

__all__ = ["KINDS", "Encoder", "open_encoder"]
