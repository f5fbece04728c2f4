# SPDX-License-Identifier: MIT
"""Velocities, then positions, corrected by the same Jacobians (document 003, "SiMS").

    1. V += M^-1 F h, of springs too ("force joints"), unless they are ``springs: soft``
    2. ``iterations`` times, of each joint and each collision: P = J^T lambda, with
       lambda = -J V / (J M^-1 J^T)
    3. X += V h
    4. ``iterations`` times the same with positions: lambda = -C / (J M^-1 J^T), and M^-1 J^T lambda
       is added to the positions, so that no velocity is left over (4.8)

Of joints and normals nothing is accumulated. A collision is corrected while it approaches, by
(1 + c) times its velocity, so that it leaves with the share c (M10). The document does not say how
friction works; here what stops the slip is summed up over a step, and is at most the friction times
what the normal has had. Its step divides forces by infinite masses of fixed bodies; inverse masses
do not. Joints are distance joints (M9) and, besides, those of document 000. Of overlaps
``correction_rate`` (1) of what exceeds
``allowed_penetration`` is taken out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .joints import apply_springs, is_drive
from .mouse import is_pull, pulls, solve_both
from .rows import Rows, along, build_rows, report, responses, stiffnesses
from .system import (
    FRICTION,
    Bodies,
    Contact,
    Impulse,
    Joint,
    Report,
    Settings,
    System,
    apply_forces,
    move,
)

Numbers = list[list[float]]
NOTHING = [0.0, 0.0, 0.0]
Bools = NDArray[np.bool_]


def step(system: System) -> Report:
    """One step, in the order of the document's ``step()``."""
    bodies, settings, log = system.bodies, system.settings, system.log
    contacts = system.detect(None)
    sprung = apply_springs(bodies, system.joints, settings)
    apply_forces(bodies, settings.dt)
    rows = _without_positions(bodies, contacts, system.joints, settings)
    changes = [w.tolist() for w in responses(bodies, rows)]
    stiffness, J = stiffnesses(bodies, rows).tolist(), rows.J.tolist()
    a, b = rows.a.tolist(), rows.b.tolist()
    V: Numbers = bodies.V.tolist()
    sums = [0.0] * len(rows)
    count = len(contacts)
    pulled: dict[int, float] = {}  # of both rows of a mouse, until they are applied
    for iteration in range(settings.iterations):
        for i in _order(len(rows), count):
            if stiffness[i] == 0.0:
                continue
            speed = _along(J[i], V[a[i]], V[b[i]])
            if pulls(rows.keys[i]):
                other = _along(J[i + 1], V[a[i]], V[b[i]])
                k = stiffness[i], _along(J[i + 1], NOTHING, changes[1][i]), stiffness[i + 1]
                lack = [_lack(rows, *each) for each in ((i, speed, sums), (i + 1, other, sums))]
                x, y = solve_both(k, (lack[0], lack[1]), (sums[i], sums[i + 1]), rows.high[i])
                pulled = {i: x - sums[i], i + 1: y - sums[i + 1]}
            if i in pulled:
                impulse = pulled.pop(i)
            else:
                impulse = _velocity_impulse(rows, i, speed, sums, stiffness[i], count)
            if log is not None:
                mover = V[a[i]] if any(changes[0][i]) else V[b[i]]
                log.impulses.append(
                    Impulse(iteration, i, impulse, sums[i] + impulse, speed, tuple(mover))
                )
            sums[i] += impulse
            _apply(V[a[i]], V[b[i]], changes[0][i], changes[1][i], impulse)
        if log is not None:
            log.solutions.append(list(sums))
    bodies.V[:] = V
    residual = _residual(rows, bodies, count)
    if log is not None:
        log.rows, log.bodies = list(rows.names), rows.pairs()
        log.matrices |= {"J": rows.J, "sum": np.array(sums), "vNew": bodies.V.copy()}
        if rows.push.any():
            log.matrices["bias"] = rows.push
    before = bodies.X.copy()
    move(bodies, settings.dt)
    if settings.position_correction:
        correct_positions(bodies, contacts, system.joints, settings, before)
    impulses = np.array(sums)
    return report(
        rows,
        contacts,
        system.joints,
        impulses,
        sprung=sprung,
        iterations=settings.iterations,
        residual=residual,
        solution=impulses,
    )


def _without_positions(
    bodies: Bodies, contacts: Sequence[Contact], joints: Sequence[Joint], settings: Settings
) -> Rows:
    """The rows, which do not know of errors of position: those are corrected apart."""
    rows = build_rows(bodies, contacts, joints, settings)
    reached = (rows.low == 0.0) | (rows.high == 0.0)  # ropes and stops may still come nearer
    driven = (rows.softness > 0.0) | _drives(rows)
    held = np.array([key[0] > FRICTION for key in rows.keys], dtype=np.bool_)
    early = reached & (np.where(rows.low == 0.0, -rows.push, rows.push) > 0.0)
    rows.push = np.where(held & (driven | early), rows.push, 0.0)
    return rows


def _drives(rows: Rows) -> Bools:
    """Which rows have no more than some force: those of motors and of mice."""
    return np.array([is_drive(key) or is_pull(key) for key in rows.keys], dtype=np.bool_)


def _order(rows: int, contacts: int) -> list[int]:
    """Joints, then the collisions one by one, each with its friction."""
    first = rows - 2 * contacts
    each = [row for i in range(contacts) for row in (first + i, first + contacts + i)]
    return [*range(first), *each]


def _velocity_impulse(
    rows: Rows,
    i: int,
    speed: float,
    sums: list[float],
    stiffness: float,
    contacts: int,
) -> float:
    """lambda of one constraint."""
    first = len(rows) - 2 * contacts
    if i >= first + contacts:
        most = float(rows.friction[i]) * sums[i - contacts]
        if rows.normal[i] < 0:
            most = float(rows.high[i]) if sums[i - contacts] > 0.0 else 0.0
        return min(max(sums[i] - speed / stiffness, -most), most) - sums[i]
    if i >= first:
        return -speed * (1.0 + float(rows.restitution[i])) / stiffness if speed < 0.0 else 0.0
    impulse, total = _lack(rows, i, speed, sums) / stiffness, sums[i]
    summed = rows.softness[i] > 0.0 or is_drive(rows.keys[i])
    if rows.low[i] == 0.0 and not summed:
        return max(impulse, 0.0)
    if rows.high[i] == 0.0 and not summed:
        return min(impulse, 0.0)
    return min(max(total + impulse, float(rows.low[i])), float(rows.high[i])) - total


def _lack(rows: Rows, i: int, speed: float, sums: list[float]) -> float:
    """The velocity that a joint's row lacks."""
    return float(rows.push[i]) - speed - float(rows.softness[i]) * sums[i]


def _residual(rows: Rows, bodies: Bodies, contacts: int) -> float:
    """The largest velocity against a joint or into a contact."""
    first = len(rows) - 2 * contacts
    speed = along(rows.J, bodies.V, rows.a, rows.b)
    error = np.where(np.arange(len(rows)) < first, np.abs(rows.push - speed), -speed)
    error = np.where((rows.low == 0.0) & (np.arange(len(rows)) < first), rows.push - speed, error)
    error = np.where(rows.high == 0.0, speed - rows.push, error)
    sure = (rows.softness == 0.0) & ~_drives(rows)
    return float(np.where(sure, error, 0.0)[: first + contacts].max(initial=0.0))


def correct_positions(
    bodies: Bodies,
    contacts: Sequence[Contact],
    joints: Sequence[Joint],
    settings: Settings,
    before: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> None:
    """Positions until C is 0, or allowed: Delta x = -M^-1 J^T C / (J M^-1 J^T)."""
    for _ in range(settings.iterations):
        for joint in joints:
            _correct_rows(build_rows(bodies, (), (joint,), settings), bodies, settings)
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
            nearer = _along(
                row, (bodies.X[a] - before[a]).tolist(), (bodies.X[b] - before[b]).tolist()
            )
            over = contact.depth - nearer - settings.allowed_penetration
            if over > 0.0:
                _push(bodies, contact.a, contact.b, row, settings.correction_rate * over)


def _correct_rows(rows: Rows, bodies: Bodies, settings: Settings) -> None:
    """``push`` is a rate of C over the step: it takes out that rate times C, but for what the rows
    before have changed of it."""
    built, driven = bodies.X.copy(), _drives(rows)
    for i in range(len(rows)):
        if rows.softness[i] > 0.0 or driven[i]:
            continue
        moved = bodies.X - built
        a, b = int(rows.a[i]), int(rows.b[i])
        wanted = float(rows.push[i]) * settings.dt
        wanted -= _along(rows.J[i].tolist(), moved[a].tolist(), moved[b].tolist())
        one_sided = rows.low[i] == 0.0 or rows.high[i] == 0.0
        if one_sided and (wanted < 0.0 if rows.low[i] == 0.0 else wanted > 0.0):
            continue
        _push(bodies, a, b, rows.J[i].tolist(), wanted)


def _push(bodies: Bodies, a: int, b: int, row: list[float], wanted: float) -> None:
    """Change J X by ``wanted``."""
    ma, mb = bodies.inverse_mass[a].tolist(), bodies.inverse_mass[b].tolist()
    first = [ma[k] * row[k] for k in range(3)]
    second = [mb[k] * row[3 + k] for k in range(3)]
    stiffness = _along(row, first, second)
    if stiffness == 0.0:
        return
    xa, xb = bodies.X[a], bodies.X[b]
    for k in range(3):
        xa[k] += first[k] * wanted / stiffness
        xb[k] += second[k] * wanted / stiffness


def _along(j: list[float], va: list[float], vb: list[float]) -> float:
    first = j[0] * va[0] + j[1] * va[1] + j[2] * va[2]
    return first + (j[3] * vb[0] + j[4] * vb[1] + j[5] * vb[2])


def _apply(
    va: list[float], vb: list[float], first: list[float], second: list[float], impulse: float
) -> None:
    for k in range(3):
        va[k] += first[k] * impulse
        vb[k] += second[k] * impulse
