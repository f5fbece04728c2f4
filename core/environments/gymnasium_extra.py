# SPDX-License-Identifier: MIT
"""Gymnasium, which is an extra."""

from __future__ import annotations

from ..errors import UsageError

try:
    import gymnasium as gymnasium
except ImportError as error:
    raise UsageError(
        "environments need Gymnasium, which is an extra: pip install 'rigid2d[env]'"
    ) from error
