# SPDX-License-Identifier: MIT
"""Readings of a textbook solver's step: contacts, and the form of particle bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...scene.model import Scene
from ...scene.values.portable_math import cos_and_sin, hypot
from ...solvers import Outline, Report
from ..building.rows import Rows, columns

Float64 = NDArray[np.float64]


def contact_rows(report: Report | None, inverse_dt: float) -> Rows:
    """The contacts of a step [n] of CONTACT."""
    if report is None:
        return np.zeros(0, _native.CONTACT)
    rows = np.zeros(len(report.contacts), _native.CONTACT)
    for i, contact in enumerate(report.contacts):
        normal, tangent = report.impulses[i].tolist()
        row = rows[i]
        row["x"], row["y"] = contact.point
        row["normal_x"], row["normal_y"] = contact.normal
        row["separation"] = -contact.depth
        row["normal_impulse"], row["normal_force"] = normal, normal * inverse_dt
        row["tangent_impulse"], row["tangent_force"] = tangent, tangent * inverse_dt
        row["body_a"], row["body_b"] = contact.a, contact.b
        row["shape_a"], row["shape_b"] = contact.features[:2]
    return rows


def contact_events(
    before: set[tuple[int, int]], now: set[tuple[int, int]], ids: Sequence[int], step: int
) -> list[_native.EventRow]:
    """Pairs of bodies (slots) that stopped touching, and those that started."""
    ended, begun = _native.EVENT_KINDS["contact_end"], _native.EVENT_KINDS["contact_begin"]
    events = [(step, ended, ids[a], ids[b]) for a, b in sorted(before - now)]
    return events + [(step, begun, ids[a], ids[b]) for a, b in sorted(now - before)]


_MOST_TURNED = 1e15
"""Radians, as ``most_turned`` of ``native/engine/bodies/validity_limits.h``."""


def what_is_wrong(scene: Scene, place: Sequence[float], velocity: Sequence[float]) -> str:
    """The kind of event for a body's bad state; empty for a good one."""
    if not all(map(math.isfinite, (*place, *velocity))):
        return "not_finite"
    unit, per_second = scene.world.length_unit, scene.units.time_per_second
    (x, y, angle), (vx, vy, omega) = place, velocity
    most = _native.RUNAWAY_SPEED
    far = max(abs(x), abs(y)) > _native.RUNAWAY_DISTANCE * unit or abs(angle) > _MOST_TURNED
    fast = max(abs(vx), abs(vy)) > most * unit / per_second or abs(omega) * per_second > most
    return "runaway" if far or fast else ""


def beyond_bounds(scene: Scene, x: Float64, y: Float64) -> list[int]:
    """Whether each position is outside of the bounds of the scene."""
    if scene.world.bounds is None:
        return []
    (left, low), (right, high) = scene.world.bounds
    inside = (left <= x) & (x <= right) & (low <= y) & (y <= high)
    found: list[int] = np.flatnonzero(~inside).tolist()
    return found


def of_contacts(name: str, contacts: Rows, body: int) -> float:
    """The channels ``world.contacts``, ``body.contacts`` (pairs of shapes) and ``body.force``, and
    the sums of its normal forces and frictions."""
    if name == "world.contacts":
        pairs = columns(contacts, "shape_a", "shape_b")
        return float(len(np.unique(pairs, axis=0)))
    mine = (contacts["body_a"] == body) | (contacts["body_b"] == body)
    if name == "body.contacts":
        return float(len(np.unique(columns(contacts[mine], "shape_a", "shape_b"), axis=0)))
    if name in ("body.normal_force", "body.friction_force"):
        rows = contacts[mine]
        way = np.where(rows["body_b"] == body, 1.0, -1.0)
        x, y = rows["normal_x"], rows["normal_y"]
        if name == "body.normal_force":
            force = way * rows["normal_force"]
            return hypot(_total(force * x), _total(force * y))
        force = way * rows["tangent_force"]
        return hypot(_total(force * y), _total(force * x))
    return _total(contacts[mine]["normal_force"])


def _total(values: Float64) -> float:
    """The sum, from the first number to the last."""
    total = 0.0
    for each in values.tolist():
        total += each
    return total


def deformed_corners(
    outlines: Sequence[Outline],
    particles: Float64,
    places: Float64,
    centers: Sequence[tuple[float, float]],
    moving: Sequence[bool],
    rows: NDArray[np.int32],
) -> dict[int, tuple[Float64, Float64]]:
    """Return the corners of each moving body's shape, by its row of ``rows`` [slots], and the
    places of its particles, both in body coordinates. ``places`` [slots, 3] are the origins."""
    found, first = {}, 0
    for outline in outlines:
        body, count = outline.body, len(outline.corners)
        if moving[body]:
            apart = particles[first : first + count] - places[body, :2]
            x, y = apart[:, 0], apart[:, 1]
            c, s = cos_and_sin(float(places[body, 2]))
            now = np.stack([c * x + s * y, c * y - s * x], axis=1)
            found[int(rows[body])] = (outline.corners + np.array(centers[body]), now)
        first += count
    return found
