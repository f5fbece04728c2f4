# SPDX-License-Identifier: MIT
"""Ids of the engine: a slot, and in the upper bits its generation; numbers of a body by its id."""

from __future__ import annotations

NUMBERS = ("x", "y", "angle", "vx", "vy", "omega", "mass", "inertia")
"""The numbers of a body in the order of ``read_body``."""
X, Y, ANGLE, VX, VY, OMEGA, MASS, INERTIA = range(len(NUMBERS))

SLOTS = 0xFFFFFFFF  # the bits of an id that are the slot


def slot_of(number: int) -> int:
    """The slot of an id."""
    return number & SLOTS
