# SPDX-License-Identifier: MIT
"""Positions, corrected by the Jacobians of velocities (document 003, "SiMS", 4.8)."""

from __future__ import annotations

from collections.abc import Sequence

from .blocks import blocks_of, eliminated, inner_rows
from .joints import is_drive
from .mouse import is_pull
from .rows import Rows, build_rows
from .system import Bodies, Contact, Float64, Joint, Key, Settings


def correct_positions(
    bodies: Bodies,
    contacts: Sequence[Contact],
    joints: Sequence[Joint],
    settings: Settings,
    before: Float64,
) -> None:
    """Positions until C is 0, or allowed: Delta x = -M^-1 J^T C / (J M^-1 J^T)."""
    for _ in range(settings.iterations):
        largest = 0.0
        for joint in joints:
            change = _correct_rows(build_rows(bodies, (), (joint,), settings), bodies, settings)
            largest = max(largest, change)
        for contact in contacts:
            a, b = contact.a, contact.b
            n = contact.normal
            r1 = (contact.point[0] - before[contact.a, 0], contact.point[1] - before[contact.a, 1])
            r2 = (contact.point[0] - before[contact.b, 0], contact.point[1] - before[contact.b, 1])
            row = [
                -n[0],
                -n[1],
                r1[1] * n[0] - r1[0] * n[1],
                n[0],
                n[1],
                r2[0] * n[1] - r2[1] * n[0],
            ]
            nearer = along_row(
                row, (bodies.X[a] - before[a]).tolist(), (bodies.X[b] - before[b]).tolist()
            )
            over = contact.depth - nearer - settings.allowed_penetration
            if over > 0.0:
                wanted = settings.correction_rate * over
                _push(bodies, contact.a, contact.b, row, wanted)
                largest = max(largest, wanted)
        if settings.ends(largest * settings.inverse_dt):
            return


def drives(key: Key) -> bool:
    """Whether a row's force is limited, as of motors and mice."""
    return is_drive(key) or is_pull(key)


def _correct_rows(rows: Rows, bodies: Bodies, settings: Settings) -> float:
    """Correct rows. ``push`` is a rate of C over the step: it removes that rate times C, less the
    changes by the rows before. Return the largest change of a C."""
    built, largest = bodies.X.copy(), 0.0
    blocks = blocks_of(rows, settings.blocks)
    inner = inner_rows(blocks)
    for i in range(len(rows)):
        if i in inner or rows.softness[i] > 0.0 or drives(rows.keys[i]):
            continue
        if i in blocks:
            largest = max(
                largest, _correct_block(rows, range(i, i + blocks[i]), bodies, built, h=settings.dt)
            )
            continue
        wanted = _wanted(rows, i, bodies, built, settings.dt)
        one_sided = rows.low[i] == 0.0 or rows.high[i] == 0.0
        if one_sided and (wanted < 0.0 if rows.low[i] == 0.0 else wanted > 0.0):
            continue
        _push(bodies, int(rows.a[i]), int(rows.b[i]), rows.J[i].tolist(), wanted)
        largest = max(largest, abs(wanted))
    return largest


def _wanted(rows: Rows, i: int, bodies: Bodies, built: Float64, h: float) -> float:
    """The required change of J X since it was ``built``."""
    moved = bodies.X - built
    a, b = int(rows.a[i]), int(rows.b[i])
    wanted = float(rows.push[i]) * h
    return wanted - along_row(rows.J[i].tolist(), moved[a].tolist(), moved[b].tolist())


def _correct_block(rows: Rows, block: range, bodies: Bodies, built: Float64, h: float) -> float:
    """The same for rows that are solved as a block."""
    wanted = [_wanted(rows, i, bodies, built, h) for i in block]
    a, b = int(rows.a[block.start]), int(rows.b[block.start])
    inverse = bodies.inverse_mass[a].tolist() + bodies.inverse_mass[b].tolist()
    J = [rows.J[i].tolist() for i in block]
    changes = [[m * j for m, j in zip(inverse, row, strict=True)] for row in J]
    K = [[along_row(row, change[:3], change[3:]) for change in changes] for row in J]
    for change, size in zip(changes, eliminated(K, wanted), strict=True):
        for k in range(3):
            bodies.X[a, k] += change[k] * size
            bodies.X[b, k] += change[3 + k] * size
    return max(map(abs, wanted))


def _push(bodies: Bodies, a: int, b: int, row: list[float], wanted: float) -> None:
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
