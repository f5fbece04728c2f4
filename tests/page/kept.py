# SPDX-License-Identifier: MIT
"""Pictures of pages that are kept. RIGID_GOLDEN=write keeps those of now instead."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """The mean difference of two pictures, from 0 to 1."""
    return float(np.abs(one.astype(float) - other.astype(float)).mean() / 255.0)


def assert_looks_as(golden: Path, screenshot: bytes) -> None:
    """Compare a screenshot with the one that is kept; letters differ between systems."""
    shot = np.asarray(Image.open(BytesIO(screenshot)).convert("RGB"))
    if os.environ.get("RIGID_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        Image.fromarray(shot).quantize(64).save(golden, optimize=True)
    wanted = np.asarray(Image.open(golden).convert("RGB"))
    assert shot.shape == wanted.shape
    assert difference(shot, wanted) < 0.02
