# SPDX-License-Identifier: MIT
"""Items for the rasterizer, written by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from rigid2d.core import _native

KINDS = _native.ITEM_KINDS


def rasterize(
    items: list[dict[str, Any]],
    size: tuple[int, int] = (64, 64),
    paper: int = 0,
    pictures: Sequence[np.ndarray[Any, np.dtype[np.uint8]]] = (),
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Items given as ``kind``, ``points`` and columns by name; drawn on a plain canvas."""
    rows, points = [], []
    for item in items:
        own = item["points"]
        rows.append(
            [KINDS[item["kind"]], len(points), len(own)]
            + [float(item.get(column, 0.0)) for column in _native.ITEM_COLUMNS[3:]]
        )
        points.extend(own)
    data = [np.zeros(0, np.uint8), *(picture.reshape(-1) for picture in pictures)]
    starts = np.cumsum([0, *(len(each) for each in data[1:])])
    table = [
        (start, picture.shape[1], picture.shape[0], picture.shape[2])
        for start, picture in zip(starts, pictures, strict=False)
    ]
    image = np.full((size[1], size[0], 3), paper, np.uint8)
    _native.rasterize(
        image,
        np.array(rows, float).reshape(-1, 10),
        np.array(points, float).reshape(-1, 2),
        np.concatenate(data),
        np.array(table, np.int32).reshape(-1, 4),
    )
    return image


@pytest.fixture
def draw_items() -> Callable[..., np.ndarray[Any, np.dtype[np.uint8]]]:
    return rasterize
