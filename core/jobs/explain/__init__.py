# SPDX-License-Identifier: MIT
"""Explanations of single steps: what a solver had in hand, in tables and charts."""

from __future__ import annotations

from .explaining import explain, explained, look_at
from .tables import (
    Explanation,
    Table,
    as_json,
    as_markdown,
    cells,
    headline,
    markdown_table,
    shown_units,
)

__all__ = [
    "Explanation",
    "Table",
    "as_json",
    "as_markdown",
    "cells",
    "explain",
    "explained",
    "headline",
    "look_at",
    "markdown_table",
    "shown_units",
]
