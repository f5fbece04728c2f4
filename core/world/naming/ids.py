# SPDX-License-Identifier: MIT
"""Ids of the engine: a slot, and in the upper bits its generation."""

from __future__ import annotations

SLOTS = 0xFFFFFFFF  # the bits of an id that are the slot


def slot_of(number: int) -> int:
    """The slot of an id."""
    return number & SLOTS
