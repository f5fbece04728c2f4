# SPDX-License-Identifier: MIT
"""Recordings of calls of the engine, which ``replay.cpp`` makes again on another processor.

A recording is a sequence of calls: the name, then the arguments. Texts and arrays begin with the
number of their elements (u32); all numbers are little-endian. Rows are packed: the fields in their
order, without gaps.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rigid2d.core import _native

Array = NDArray[Any]


class RecordedWorld:
    """A world of the engine that records its calls, and their hashes of states."""

    def __init__(self, **settings: Any) -> None:
        self.native = _native.World(**settings)
        self._pieces: list[bytes] = []
        given = {
            name: _numbers(name, value)
            for name, value in settings.items()
            if name not in ("solver", "lanes", "threads")
        }
        self._call("World")
        self._text(settings.get("solver", "soft_step"))
        self._count(len(given))
        for name, numbers in given.items():
            self._text(name)
            self._array(np.array(numbers, dtype="<f8"))

    def recording(self) -> bytes:
        return b"".join(self._pieces)

    # ---------------------------------------------------------------- calls

    def set_collision_matrix(self, matrix: Array) -> None:
        self.native.set_collision_matrix(matrix)
        rows = [(1 << 64) - 1] * 64
        for i, collide in enumerate(matrix):
            for j, each in enumerate(collide):
                rows[i] &= ~(0 if each else 1 << j)
        self._call("set_collision_matrix", struct.pack("<64Q", *rows))

    def ignore_pairs(self, pairs: Array) -> None:
        self.native.ignore_pairs(pairs)
        self._call("ignore_pairs")
        self._count(len(pairs))
        self._pieces.append(pairs.astype("<i4").tobytes())

    def add_bodies(self, rows: Array) -> int:
        return self._added("add_bodies", rows)

    def add_shapes(self, rows: Array, points: Array) -> int:
        self._call("add_shapes")
        self._rows(rows)
        self._array(points)
        return self.native.add_shapes(rows, points)

    def add_joints(self, rows: Array) -> int:
        return self._added("add_joints", rows)

    def add_forces(self, rows: Array) -> int:
        return self._added("add_forces", rows)

    def add_points(self, rows: Array) -> int:
        return self._added("add_points", rows)

    def set_bars(self, rows: Array) -> None:
        self._added("set_bars", rows)

    def next_bodies(self, count: int) -> list[int]:
        return self.native.next_bodies(count)

    def add_fragment(self, bodies: Array, shapes: Array, corners: Array, *links: Array) -> Any:
        self._call("add_fragment")
        self._rows(bodies)
        self._rows(shapes)
        self._array(corners)
        for rows in links:
            self._rows(rows)
        return self.native.add_fragment(bodies, shapes, corners, *links)

    def remove_body(self, body: int) -> None:
        self.native.remove_body(body)
        self._call("remove_body", struct.pack("<q", body))

    def set_velocity(self, body: int, vx: float, vy: float, omega: float) -> None:
        self.native.set_velocity(body, vx, vy, omega)
        self._call("set_velocity", struct.pack("<q3d", body, vx, vy, omega))

    def finish(self) -> None:
        self.native.finish()
        self._call("finish")

    def keep_slots(self) -> None:
        self.native.keep_slots()
        self._call("keep_slots")

    def step(self, steps: int = 1) -> int:
        self._call("step", struct.pack("<i", steps))
        return self.native.step(steps)

    def state_hash(self, at: str = "") -> int:
        value = self.native.state_hash()
        self._call("state_hash")
        self._text(at)
        self._pieces.append(struct.pack("<Q", value))
        return value

    # ---------------------------------------------------------------- bytes

    def _added(self, name: str, rows: Array) -> Any:
        self._call(name)
        self._rows(rows)
        return getattr(self.native, name)(rows)

    def _call(self, name: str, arguments: bytes = b"") -> None:
        self._text(name)
        self._pieces.append(arguments)

    def _text(self, text: str) -> None:
        self._count(len(text.encode()))
        self._pieces.append(text.encode())

    def _count(self, count: int) -> None:
        self._pieces.append(struct.pack("<I", count))

    def _array(self, numbers: Array) -> None:
        self._count(numbers.size)
        self._pieces.append(numbers.astype("<f8").tobytes())

    def _rows(self, rows: Array) -> None:
        names = rows.dtype.names or ()
        packed = np.empty(len(rows), [(name, rows.dtype[name]) for name in names])
        for name in names:
            packed[name] = rows[name]
        self._count(len(rows))
        self._pieces.append(packed.tobytes())


def _numbers(name: str, value: Any) -> list[float]:
    """A setting as numbers: a choice is the place of its name."""
    if value is None:
        return []
    if isinstance(value, str):
        return [_native.WORLD_SETTINGS[name][1].index(value)]
    if isinstance(value, (list, tuple)):
        return [float(each) for part in value for each in np.atleast_1d(part)]
    return [float(value)]
