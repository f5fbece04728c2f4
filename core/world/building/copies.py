# SPDX-License-Identifier: MIT
"""Copies of one prototype, made by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ... import _native
from ...scene.model import Body, Scene
from .assembly import build_rows

Motion = tuple[float, float, float, float, float]
"""Where a body is and how it moves: x, y, angle, vx and vy. All else is the mould's."""


def mould_of(scene: Scene, bodies: Sequence[Body]) -> _native.Mould:
    """The mould of these bodies, one copy of a prototype; joints are passed separately."""
    rows = build_rows(scene, bodies, (), {body.name: i for i, body in enumerate(bodies)}, {})
    del rows["joints"]
    return _native.Mould(**rows)


def motions_of(bodies: Iterable[Body]) -> list[Motion]:
    """Data of each copy."""
    return [(*body.position, body.angle, *body.velocity) for body in bodies]
