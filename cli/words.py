# SPDX-License-Identifier: MIT
"""Counts and sizes in words, the same way everywhere."""

from __future__ import annotations


def count(number: int, noun: str, plural: str | None = None) -> str:
    """``1 step``, ``1,200 steps``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def file_size(size: int) -> str:
    """Bytes, in the unit that reads best (powers of 1000)."""
    if size < 1000:
        return f"{size} B"
    if size < 1_000_000:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1_000_000:.1f} MB"
