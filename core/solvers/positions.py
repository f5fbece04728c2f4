# SPDX-License-Identifier: MIT
"""Positions, corrected by the Jacobians of velocities (document 003, "SiMS", 4.8)."""

from __future__ import annotations

from collections.abc import Sequence

from .blocks import blocks_of, eliminated, inner_rows
from .constraint import rows_of
from .joints import Row, is_drive
from .mouse import is_pull
from .system import Bodies, Contact, Float64, Joint, Key, Settings


def correct_positions(
    bodies: Bodies,
    contacts: Sequence[Contact],
    joints: Sequence[Joint],
    settings: Settings,
    before: Float64,
) -> None:
    """Positions until C is 0, or allowed: Delta x = -M^-1 J^T C / (J M^-1 J^T)."""
    touching = [(contact, _contact_row(contact, before)) for contact in contacts]
    for _ in range(settings.iterations):
        largest, there = 0.0, bodies.X.tobytes()
        for joint in joints:
            rows = rows_of(bodies, joint, settings)
            largest = max(largest, _correct_rows(rows, bodies, settings))
        for contact, row in touching:
            a, b = contact.a, contact.b
            nearer = along_row(
                row, (bodies.X[a] - before[a]).tolist(), (bodies.X[b] - before[b]).tolist()
            )
            over = contact.depth - nearer - settings.allowed_penetration
            if over > 0.0:
                wanted = settings.correction_rate * over
                _push(bodies, a, b, row, wanted)
                largest = max(largest, wanted)
        if settings.ends(largest * settings.inverse_dt) or bodies.X.tobytes() == there:
            return


def _contact_row(contact: Contact, before: Float64) -> list[float]:
    """J of the normal of a contact, for the positions in which it was found."""
    (px, py), (nx, ny) = contact.point, contact.normal
    (ax, ay), (bx, by) = before[contact.a, :2].tolist(), before[contact.b, :2].tolist()
    r1, r2 = (px - ax, py - ay), (px - bx, py - by)
    return [-nx, -ny, r1[1] * nx - r1[0] * ny, nx, ny, r2[0] * ny - r2[1] * nx]


def drives(key: Key) -> bool:
    """Whether a row's force is limited, as of motors and mice."""
    return is_drive(key) or is_pull(key)


def _correct_rows(rows: Sequence[Row], bodies: Bodies, settings: Settings) -> float:
    """Correct rows. Their bias is a rate of C over the step: it removes that rate times C, less
    the changes by the rows before. Return the largest change of a C."""
    built, largest = bodies.X.copy(), 0.0
    low, high = [row.low for row in rows], [row.high for row in rows]
    blocks = blocks_of([row.key for row in rows], low, high, settings.blocks)
    inner = inner_rows(blocks)
    for i, row in enumerate(rows):
        if i in inner or row.softness > 0.0 or drives(row.key):
            continue
        if i in blocks:
            block = rows[i : i + blocks[i]]
            largest = max(largest, _correct_block(block, bodies, built, h=settings.dt))
            continue
        wanted = _wanted(row, bodies, built, settings.dt)
        one_sided = row.low == 0.0 or row.high == 0.0
        if one_sided and (wanted < 0.0 if row.low == 0.0 else wanted > 0.0):
            continue
        _push(bodies, row.a, row.b, row.J, wanted)
        largest = max(largest, abs(wanted))
    return largest


def _wanted(row: Row, bodies: Bodies, built: Float64, h: float) -> float:
    """The required change of J X since it was ``built``."""
    a, b = row.a, row.b
    moved_a, moved_b = bodies.X[a] - built[a], bodies.X[b] - built[b]
    return row.bias * h - along_row(row.J, moved_a.tolist(), moved_b.tolist())


def _correct_block(block: Sequence[Row], bodies: Bodies, built: Float64, h: float) -> float:
    """The same for rows that are solved as a block."""
    wanted = [_wanted(row, bodies, built, h) for row in block]
    a, b = block[0].a, block[0].b
    inverse = bodies.inverse_mass[a].tolist() + bodies.inverse_mass[b].tolist()
    changes = [[m * j for m, j in zip(inverse, row.J, strict=True)] for row in block]
    K = [[along_row(row.J, change[:3], change[3:]) for change in changes] for row in block]
    for change, size in zip(changes, eliminated(K, wanted), strict=True):
        for k in range(3):
            bodies.X[a, k] += change[k] * size
            bodies.X[b, k] += change[3 + k] * size
    return max(map(abs, wanted))


def _push(bodies: Bodies, a: int, b: int, row: Sequence[float], wanted: float) -> None:
    """Change J X by ``wanted``."""
    ma, mb = bodies.inverse_mass[a].tolist(), bodies.inverse_mass[b].tolist()
    first = [ma[k] * row[k] for k in range(3)]
    second = [mb[k] * row[3 + k] for k in range(3)]
    stiffness = along_row(row, first, second)
    if stiffness == 0.0:
        return
    xa, xb = bodies.X[a], bodies.X[b]
    for k in range(3):
        xa[k] += first[k] * wanted / stiffness
        xb[k] += second[k] * wanted / stiffness


def along_row(j: Sequence[float], va: Sequence[float], vb: Sequence[float]) -> float:
    """J V of one row."""
    first = j[0] * va[0] + j[1] * va[1] + j[2] * va[2]
    return first + (j[3] * vb[0] + j[4] * vb[1] + j[5] * vb[2])
