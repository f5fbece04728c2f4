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

from .account import note_rows
from .blocks import blocks_of, build_blocks, inner_rows
from .joints import apply_springs, is_drive
from .log import Impulse
from .positions import along_row, correct_positions, drives
from .rows import Rows, along, build_rows, report, responses, stiffnesses
from .system import (
    FRICTION,
    Bodies,
    Contact,
    Joint,
    Report,
    Rest,
    Settings,
    System,
    apply_forces,
    move,
)

Numbers = list[list[float]]
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
    sizes = blocks_of(rows.keys, rows.low, rows.high, settings.blocks)
    inner = inner_rows(sizes)
    blocks = build_blocks(
        sizes,
        rows.keys,
        lambda i, k: stiffness[i] if i == k else along_row(J[i], changes[0][k], changes[1][k]),
        rows.high.tolist(),
    )
    if log is not None:
        note_rows(log, bodies, rows, system.joints, settings, np.zeros(len(rows)))
        log.matrices["beta"][(rows.push == 0.0) & (rows.softness == 0.0)] = 0.0  # later, of places
    iterations, rest = 0, Rest()
    for iteration in range(settings.iterations):
        iterations, largest = iteration + 1, 0.0
        for i in _order(len(rows), count):
            if i in inner or stiffness[i] == 0.0:
                continue
            together = range(i, i + sizes.get(i, 1))
            speeds = [along_row(J[k], V[a[i]], V[b[i]]) for k in together]
            if i in blocks:
                lack = [_lack(rows, k, v, sums) for k, v in zip(together, speeds, strict=True)]
                old = sums[i : together.stop]
                new = blocks[i].new_sums(lack, old)
                applied = [after - was for after, was in zip(new, old, strict=True)]
            else:
                applied = [_velocity_impulse(rows, i, speeds[0], sums, stiffness[i], count)]
            for k, speed, impulse in zip(together, speeds, applied, strict=True):
                if log is not None:
                    mover = V[a[k]] if any(changes[0][k]) else V[b[k]]
                    log.impulses.append(
                        Impulse(iteration, k, impulse, sums[k] + impulse, speed, tuple(mover))
                    )
                sums[k] += impulse
                _apply(V[a[k]], V[b[k]], changes[0][k], changes[1][k], impulse)
                largest = max(largest, abs(impulse) * stiffness[k])
        if log is not None:
            log.solutions.append(list(sums))
            log.velocities.append(np.array(V))
        if settings.ends(largest):
            break
        if log is None and rest.reached(largest, sums, *V):
            iterations = settings.iterations
            break
    bodies.V[:] = V
    residual = _residual(rows, bodies, count)
    if log is not None:
        log.matrices |= {"sum": np.array(sums), "vNew": bodies.V.copy(), "bias": rows.push}
    before = bodies.X.copy()
    move(bodies, settings.dt)
    if settings.position_correction:
        correct_positions(bodies, contacts, system.joints, settings, before)
    found = np.array(sums)
    return report(
        rows,
        contacts,
        system.joints,
        found,
        sprung=sprung,
        iterations=iterations,
        residual=residual,
        solution=found,
    )


def _without_positions(
    bodies: Bodies, contacts: Sequence[Contact], joints: Sequence[Joint], settings: Settings
) -> Rows:
    """The rows without position errors, which are corrected separately."""
    rows = build_rows(bodies, contacts, joints, settings)
    reached = (rows.low == 0.0) | (rows.high == 0.0)  # ropes and stops may still come nearer
    driven = (rows.softness > 0.0) | _drives(rows)
    held = np.array([key[0] > FRICTION for key in rows.keys], dtype=np.bool_)
    early = reached & (np.where(rows.low == 0.0, -rows.push, rows.push) > 0.0)
    rows.push = np.where(held & (driven | early), rows.push, 0.0)
    return rows


def _drives(rows: Rows) -> Bools:
    """Whether each row has a limited force."""
    return np.array([drives(key) for key in rows.keys], dtype=np.bool_)


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


def _apply(
    va: list[float], vb: list[float], first: list[float], second: list[float], impulse: float
) -> None:
    for k in range(3):
        va[k] += first[k] * impulse
        vb[k] += second[k] * impulse
