# SPDX-License-Identifier: MIT
"""Counts the bytes that a resting box, a joint and a contact cost.

    python tests/benchmarks/memory.py [--count 10000]

What the C library's allocator has given out is read before a world is built and after it was
stepped a while; the cost of a joint or contact is the difference of two worlds, one of which has
one more for each box. It needs glibc 2.33 or newer.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
from collections.abc import Callable, Mapping

from parts import STATIC, Part, Scene
from stage_native import NativeStage

STEPS = 30
SIZES = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks")


class _AllocatorState(ctypes.Structure):
    """glibc's ``struct mallinfo2``."""

    _fields_ = [(name, ctypes.c_size_t) for name in (*SIZES, "fordblks", "keepcost")]


def allocated() -> int:
    """The bytes that are in use now."""
    read = ctypes.CDLL(None).mallinfo2
    read.restype = _AllocatorState
    state = read()
    return int(state.uordblks) + int(state.hblkhd)


def _boxes(part: Part, count: int) -> list[int]:
    """Boxes of 1 m in a row, a metre from each other, just above the height 0."""
    bodies = [part.body(2.0 * i, 0.5) for i in range(count)]
    for body in bodies:
        part.box(body, 0.5, 0.5)
    return bodies


def floating(count: int) -> Scene:
    part = Part()
    _boxes(part, count)
    return Scene(part, gravity=(0.0, 0.0), sleep=False)


def pinned(count: int) -> Scene:
    part = Part()
    for i, body in enumerate(_boxes(part, count)):
        part.revolute(0, body, (2.0 * i, 0.5), (0.0, 0.0))
    return Scene(part, gravity=(0.0, 0.0), sleep=False)


def lying(count: int) -> Scene:
    part = Part()
    _boxes(part, count)
    part.box(part.body(count - 1.0, -1.0, kind=STATIC), count + 1.0, 1.0)
    return Scene(part, sleep=False)


def cost(make: Callable[[int], Scene], count: int) -> float:
    """The bytes of a world for each box in it."""
    scene = make(count)
    gc.collect()
    before = allocated()
    stage = NativeStage(scene)
    for _ in range(STEPS):
        stage.step()
    gc.collect()
    return (allocated() - before) / count


def measure(count: int) -> Mapping[str, float] | None:
    """Bytes by what they are for; None where the allocator does not tell."""
    if not hasattr(ctypes.CDLL(None), "mallinfo2"):
        return None
    cost(lying, count)  # whatever is allocated once and stays
    box, joined, resting = (cost(make, count) for make in (floating, pinned, lying))
    return {
        "a resting box": resting,
        "of it the box": box,
        "of it the contact": resting - box,
        "a joint": joined - box,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts what boxes, joints and contacts cost.")
    parser.add_argument("--count", type=int, default=10_000)
    found = measure(parser.parse_args().count)
    if found is None:
        raise SystemExit("the C library's allocator does not tell what it has given out")
    for name, size in found.items():
        print(f"{name:20} {size:8.0f} bytes")


if __name__ == "__main__":
    main()
