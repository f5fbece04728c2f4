# SPDX-License-Identifier: MIT
"""Data sets: many runs of a scene as pictures, masks and numbers for machine learning."""

from __future__ import annotations

from .dataset import make
from .reading import Dataset, open
from .run import Run

__all__ = ["Dataset", "Run", "make", "open"]
