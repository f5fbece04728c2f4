# SPDX-License-Identifier: MIT
"""Constraint rows of contacts and joints, shared by all velocity solvers.

A row says J V = bias for the velocities V of its two bodies, with J = (J1, J2) of 3 numbers each,
and that its impulse lies between ``low`` and ``high``. Documents 000 (part 2) and 002 (S5), the
latter after Catto, "Iterative Dynamics with Temporal Coherence", 2005:

    normal     J = (-n, -(r1 x n), n, r2 x n)   bias = -e J V1 + rate / dt max(0, depth - allowed)
    friction   J = (-u, -(r1 x u), u, r2 x u)   bias = 0, with u = (n.y, -n.x)

V1 are the velocities before external forces. Document 000 prints the tangent as (-n.x, n.y), part
3, and 002 as (-n.y, n.x); the log of 000 says which it is. With softness g a row says J V + g p =
bias for its impulse p: the implicit spring of part 4. Rows of joints are in ``joints.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .constraint import rows_of
from .friction import friction_limits
from .joints import is_drive, on_second
from .mouse import hold_spent
from .system import FRICTION, NORMAL, Bodies, Contact, Float64, Joint, Key, Memory, Report, Settings

Ints = NDArray[np.intp]


@dataclass(slots=True)
class Rows:
    """Rows [s] of constraints, joints first, then all normals, then all frictions (000, part 3).

    Attributes:
        a, b: the two bodies.
        J: [s, 6].
        push: the part of the bias that positions ask for; bias: all of it, see ``aim``.
        restitution: e of normals.
        low, high: bounds of the impulse.
        softness: the velocity by which a row yields to an impulse of 1.
        normal: the row that bounds this one by ``friction`` times its impulse, or -1.
        friction: that coefficient.
        keys: identify a row in the next step.
        names: names for readers.
    """

    a: Ints
    b: Ints
    J: Float64
    push: Float64
    restitution: Float64
    bias: Float64
    low: Float64
    high: Float64
    softness: Float64
    normal: Ints
    friction: Float64
    keys: list[Key]
    names: list[str]

    def __len__(self) -> int:
        return len(self.a)

    def pairs(self) -> list[tuple[int, int]]:
        """The two bodies of each row."""
        return list(zip(self.a.tolist(), self.b.tolist(), strict=True))

    def aim(self, bodies: Bodies) -> None:
        """Set the biases from the present velocities."""
        self.bias = self.push - self.restitution * along(self.J, bodies.V, self.a, self.b)

    def take(self, chosen: Sequence[int]) -> Rows:
        """Some of the rows; a friction comes with its normal."""
        at = np.array(chosen, dtype=np.intp)
        place = {row: i for i, row in enumerate(chosen)}
        return Rows(
            self.a[at],
            self.b[at],
            self.J[at],
            self.push[at],
            self.restitution[at],
            self.bias[at],
            self.low[at],
            self.high[at],
            self.softness[at],
            np.array([place.get(row, -1) for row in self.normal[at].tolist()], dtype=np.intp),
            self.friction[at],
            [self.keys[i] for i in chosen],
            [self.names[i] for i in chosen],
        )


def build_rows(
    bodies: Bodies, contacts: Sequence[Contact], joints: Sequence[Joint], settings: Settings
) -> Rows:
    """The rows of all joints and contacts, with the velocities of now as V1."""
    held = [row for joint in joints for row in rows_of(bodies, joint, settings)]
    first, count = len(held), len(contacts)
    a = np.array([r.a for r in held] + 2 * [c.a for c in contacts], dtype=np.intp)
    b = np.array([r.b for r in held] + 2 * [c.b for c in contacts], dtype=np.intp)
    point = np.array([c.point for c in contacts]).reshape(-1, 2)
    n = np.array([c.normal for c in contacts]).reshape(-1, 2)
    u = np.stack([n[:, 1], -n[:, 0]], axis=1)
    ca, cb = a[first : first + count], b[first : first + count]
    r1, r2 = point - bodies.X[ca, :2], point - bodies.X[cb, :2]
    J = np.concatenate(
        [np.array([r.J for r in held]).reshape(-1, 6), jacobian(n, r1, r2), jacobian(u, r1, r2)]
    )
    restitution = np.array([c.restitution for c in contacts])
    depth = np.array([c.depth for c in contacts])
    rate = settings.correction_rate if settings.position_correction else 0.0
    push = rate * settings.inverse_dt * np.maximum(0.0, depth - settings.allowed_penetration)
    friction = np.array([c.friction for c in contacts])
    coulomb = settings.friction_limit == "normal_impulse"
    limit = friction_limits(bodies, contacts, settings)
    normals = np.arange(first, first + count) if coulomb else np.full(count, -1)
    zeros, ones = np.zeros(count), np.full(count, math.inf)
    rows = Rows(
        a,
        b,
        J,
        np.concatenate([[r.bias for r in held], push, zeros]),
        np.concatenate([np.zeros(first), restitution, zeros]),
        np.zeros(len(a)),
        np.concatenate([[r.low for r in held], zeros, -limit]),
        np.concatenate([[r.high for r in held], ones, limit]),
        np.concatenate([[r.softness for r in held], zeros, zeros]),
        np.concatenate([np.full(first + count, -1), normals]).astype(np.intp),
        np.concatenate([np.zeros(first + count), friction]),
        [r.key for r in held]
        + [(part, c.a, c.b, *c.features) for part in (NORMAL, FRICTION) for c in contacts],
        [r.name for r in held]
        + [f"{part}{letters(i)}" for part in ("Normal", "Friction") for i in range(count)],
    )
    rows.aim(bodies)
    return rows


def most_crowded(bodies: Bodies, rows: Rows) -> int:
    """The movable body with the most rows, the first of several."""
    counts = np.bincount(np.concatenate([rows.a, rows.b]), minlength=len(bodies.X))
    counts[~bodies.inverse_mass.any(axis=1)] = -1
    return int(counts.argmax())


def letters(index: int) -> str:
    """Names of contacts: A, B, ... Z, AA, AB, ..."""
    text, index = "", index + 1
    while index:
        index, digit = divmod(index - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


def jacobian(direction: Float64, r1: Float64, r2: Float64) -> Float64:
    """[s, 6] the rows (-d, -(r1 x d), d, r2 x d) of unit vectors d [s, 2]."""
    turn1 = r1[:, 0] * direction[:, 1] - r1[:, 1] * direction[:, 0]
    turn2 = r2[:, 0] * direction[:, 1] - r2[:, 1] * direction[:, 0]
    x, y = direction[:, 0], direction[:, 1]
    return np.stack([-x, -y, -turn1, x, y, turn2], axis=1)


def along(J: Float64, V: Float64, a: Ints, b: Ints) -> Float64:
    """[s] J V: the relative velocity along each row."""
    v1, v2 = V[a], V[b]
    first = J[:, 0] * v1[:, 0] + J[:, 1] * v1[:, 1] + J[:, 2] * v1[:, 2]
    second = J[:, 3] * v2[:, 0] + J[:, 4] * v2[:, 1] + J[:, 5] * v2[:, 2]
    sums: Float64 = first + second
    return sums


def responses(bodies: Bodies, rows: Rows) -> tuple[Float64, Float64]:
    """[s, 3] each: M^-1 J^T, what an impulse of 1 changes of the velocities of both bodies."""
    return bodies.inverse_mass[rows.a] * rows.J[:, :3], bodies.inverse_mass[rows.b] * rows.J[:, 3:]


def stiffnesses(bodies: Bodies, rows: Rows) -> Float64:
    """[s] J M^-1 J^T + g, the inverse of a row's effective mass ("ImpulseMass" in 000)."""
    w1, w2 = responses(bodies, rows)
    J = rows.J
    first = J[:, 0] * w1[:, 0] + J[:, 1] * w1[:, 1] + J[:, 2] * w1[:, 2]
    second = J[:, 3] * w2[:, 0] + J[:, 4] * w2[:, 1] + J[:, 5] * w2[:, 2]
    sums: Float64 = first + second + rows.softness
    return sums


def apply_impulses(bodies: Bodies, rows: Rows, impulses: Float64) -> None:
    """V += M^-1 J^T p, one row after the other."""
    w1, w2 = responses(bodies, rows)
    np.add.at(bodies.V, rows.a, w1 * impulses[:, None])
    np.add.at(bodies.V, rows.b, w2 * impulses[:, None])


def remembered(rows: Rows, memory: Memory, wanted: bool) -> Float64:
    """[s] the impulses of the rows in the last step, 0 for new rows (part 3)."""
    known = memory.impulses if wanted else {}
    return np.array([known.get(key, 0.0) for key in rows.keys])


def violation(rows: Rows, bodies: Bodies, impulses: Float64, low: Float64, high: Float64) -> float:
    """The largest velocity error of the rows whose bounds still allow its correction."""
    error = rows.bias - along(rows.J, bodies.V, rows.a, rows.b) - rows.softness * impulses
    free = np.where(error > 0.0, impulses < high, impulses > low)
    return float(np.abs(error[free]).max(initial=0.0))


def friction_bounds(rows: Rows, impulses: Float64) -> tuple[Float64, Float64]:
    """[s] each: bounds of the impulses, given those of the normals."""
    most = rows.friction * impulses[rows.normal]
    bound = rows.normal >= 0
    low, high = np.where(bound, -most, rows.low), np.where(bound, most, rows.high)
    hold_spent(rows.keys, impulses, low, high)
    return low, high


def report(
    rows: Rows,
    contacts: list[Contact],
    joints: Sequence[Joint],
    impulses: Float64,
    *,
    sprung: Float64 | None = None,
    iterations: int,
    residual: float,
    solution: Float64,
) -> Report:
    """The impulses of contacts and joints, from those of all rows and of springs that are
    forces."""
    first, count = len(rows) - 2 * len(contacts), len(contacts)
    pulls = np.zeros((len(joints), 3)) if sprung is None else sprung.copy()
    place = {joint.number: i for i, joint in enumerate(joints)}
    motors = np.zeros(len(joints))
    for row, key in enumerate(rows.keys[:first]):
        impulse = float(impulses[row])
        pulls[place[key[1]]] += on_second(rows.J[row].tolist(), impulse)
        if is_drive(key):
            motors[place[key[1]]] = impulse
    return Report(
        iterations,
        residual,
        solution.tolist(),
        contacts,
        impulses[first:].reshape(2, count).T.copy(),
        pulls,
        motors,
    )
