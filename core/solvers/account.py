# SPDX-License-Identifier: MIT
"""The numbers of a step's constraints, for inspection (document 000, parts 2 to 4).

effective mass   1 / (J M^-1 J^T + gamma / h), the impulse per lacking speed ("ImpulseMass")
gamma, beta      J V + gamma / h p = -beta / h C: how soft a row is, and the share of its error
                 of position C that a step takes out (part 4, 2.17)
initial          what a row begins with, from the last step (part 3, warm start)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .constraint import own_betas
from .joints import DRIVE, LEAST, MOST, OWN, OWN_DRIVE, SOFT
from .log import Bounds, Log
from .mouse import is_pull
from .rows import Rows, stiffnesses
from .system import (
    JOINT,
    NORMAL,
    Bodies,
    Float64,
    Joint,
    Settings,
    Soft,
)

Part = tuple[Sequence[int], Sequence[Sequence[float]]]


def note_rows(
    log: Log,
    bodies: Bodies,
    rows: Rows,
    joints: Sequence[Joint],
    settings: Settings,
    initial: Float64,
) -> None:
    """Record the rows before they are solved; ``initial`` [s] are impulses."""
    stiffness = stiffnesses(bodies, rows)
    mass = np.divide(1.0, stiffness, out=np.zeros(len(rows)), where=stiffness > 0.0)
    log.rows, log.bodies = list(rows.names), rows.pairs()
    numbers = rows.normal.tolist(), rows.friction.tolist(), rows.low.tolist(), rows.high.tolist()
    log.bounds = [Bounds(*each) for each in zip(*numbers, strict=True)]
    log.matrices |= {
        "M^-1": bodies.inverse_mass.copy(),
        "J": rows.J,
        "bias": rows.bias.copy(),
        "mass": mass,
        "gamma": rows.softness * settings.dt,
        "beta": betas(bodies, rows, joints, settings),
        "initial": initial,
    }


def betas(bodies: Bodies, rows: Rows, joints: Sequence[Joint], settings: Settings) -> Float64:
    """[s] beta of each row; 0 where no error of position is corrected."""
    rate = settings.correction_rate if settings.position_correction else 0.0
    known = {joint.number: joint for joint in joints}
    found = np.zeros(len(rows))
    for i, key in enumerate(rows.keys):
        if key[0] == JOINT and key[2] >= OWN:
            part = key[2] - (OWN_DRIVE if key[2] >= OWN_DRIVE else OWN)
            found[i] = own_betas(bodies, known[key[1]], settings)[part]
        elif key[0] == JOINT:
            found[i] = _beta(rows, i, known[key[1]], rate, settings)
        elif key[0] == NORMAL:
            found[i] = rate
    return found


def _beta(rows: Rows, i: int, joint: Joint, rate: float, settings: Settings) -> float:
    part, softness = rows.keys[i][2], float(rows.softness[i])
    soft = _soft(joint, part)
    if softness > 0.0 and soft is not None:
        both = 1.0 / (settings.dt * softness)  # h k + c
        return settings.dt * soft.stiffness / both
    if is_pull(rows.keys[i]):
        return 1.0
    if part == DRIVE:
        moves_to = joint.drive is not None and not joint.drive.by_speed
        return rate if moves_to else 0.0
    if part in (LEAST, MOST):  # up to a limit it may come within a step
        beyond = rows.push[i] > 0.0 if part == LEAST else rows.push[i] < 0.0
        return rate if beyond else 1.0
    return rate


def _soft(joint: Joint, part: int) -> Soft | None:
    """The spring of a row of a joint."""
    if part in (LEAST, MOST):
        return joint.giving
    if part == DRIVE:
        return joint.drive and joint.drive.soft
    return joint.turning if part == SOFT + 2 else joint.soft


def merged(parts: Sequence[Part], count: int) -> list[list[float]]:
    """Solutions [iterations][count] of all rows, from the rows and the solutions of groups that are
    solved separately. A group with fewer iterations keeps its last solution."""
    longest = max((len(solutions) for _, solutions in parts), default=0)
    found = [[0.0] * count for _ in range(longest)]
    for chosen, solutions in parts:
        for k in range(longest if solutions else 0):
            for row, value in zip(chosen, solutions[min(k, len(solutions) - 1)], strict=True):
                found[k][row] = value
    return found
