# SPDX-License-Identifier: MIT
"""Regions of bodies in masks: box, area, and pixels in COCO's encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

UInt16 = NDArray[np.uint16]
Annotation = tuple[str, list[int], int, str]
"""Of one body in one picture: its category, x, y, width and height, its area, and its pixels."""


def boxes_of(masks: Sequence[UInt16], bodies: int) -> dict[str, NDArray[Any]]:
    """``mask_box`` [frames, bodies, 4] and ``mask_area`` [frames, bodies] of masks."""
    boxes = np.zeros((len(masks), bodies, 4), np.int32)
    areas = np.zeros((len(masks), bodies), np.int64)
    for frame, mask in enumerate(masks):
        ys, xs = np.nonzero(mask)
        who = mask[ys, xs].astype(np.intp) - 1
        areas[frame] = np.bincount(who, minlength=bodies)
        low = np.full((bodies, 2), np.iinfo(np.int32).max, np.int32)
        high = np.zeros((bodies, 2), np.int32)
        for axis, places in enumerate((xs, ys)):
            np.minimum.at(low[:, axis], who, places.astype(np.int32))
            np.maximum.at(high[:, axis], who, places.astype(np.int32) + 1)
        seen = areas[frame] > 0
        boxes[frame, seen] = np.concatenate([low, high], axis=1)[seen]
    return {"mask_box": boxes, "mask_area": areas}


def annotations_of(
    masks: Sequence[UInt16], arrays: Mapping[str, NDArray[Any]], categories: Sequence[str]
) -> list[list[Annotation]]:
    """Return the annotations of the visible bodies of each mask."""
    found = []
    for mask, boxes, areas in zip(masks, arrays["mask_box"], arrays["mask_area"], strict=True):
        seen = []
        for place in np.flatnonzero(areas).tolist():
            left, top, right, bottom = boxes[place].tolist()
            box = [left, top, right - left, bottom - top]
            counts = run_lengths(mask == place + 1)
            seen.append((categories[place], box, int(areas[place]), packed_counts(counts)))
        found.append(seen)
    return found


def run_lengths(shown: NDArray[np.bool_]) -> list[int]:
    """Lengths of alternating runs of hidden and visible pixels, in column-major order."""
    flat = shown.T.ravel()
    changes = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    ends = [*([0] if flat[0] else []), *changes.tolist(), len(flat)]
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]


def packed_counts(counts: Sequence[int]) -> str:
    """Encode run lengths in the text form of COCO's tools (``rleToString`` of its ``maskApi.c``).

    From the fourth on, each length is stored as its difference to the one before the last. A
    number is written with five bits per character, least first; a sixth bit marks a continuation;
    characters count from ``0``.
    """
    out = []
    for i, count in enumerate(counts):
        value = count - counts[i - 2] if i > 2 else count
        more = True
        while more:
            bits = value & 31
            value >>= 5
            more = value != (-1 if bits & 16 else 0)
            out.append(chr(bits + (32 if more else 0) + 48))
    return "".join(out)
