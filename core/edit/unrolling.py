# SPDX-License-Identifier: MIT
"""Writes the things of a generator one by one."""

from __future__ import annotations

from .draft import Draft
from .places import Place


def unroll(draft: Draft, place: Place) -> dict[str, str]:
    raise NotImplementedError
