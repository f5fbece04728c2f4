# SPDX-License-Identifier: MIT
"""Iterative impulses: one collision after the other, until nothing approaches any more.

Document 000, part 1 ("II"), and 001, A and B. Of each contact that approaches, the impulse that
gives it its restitution is worked out from the velocities of now (000, formula 11):

    j = -(1 + e) vn / (1/m1 + 1/m2 + (r1 x n)^2 / I1 + (r2 x n)^2 / I2)

and with ``tangent: friction_impulse`` one against the slip, times the friction and at most j.
Passes over all contacts go on until one has nothing to do, or ``iterations`` (15) are over; points
that approach more slowly than ``stop_below`` are left alone. Then overlaps are taken out of the
positions: ``correction_rate`` (000: 0.8; 001: 0.2) of what exceeds ``allowed_penetration`` (000: 0;
001's slop: 0.01), each body by its share of the inverse masses.

``impulses: false`` is the document's first attempt, which moves bodies out of their overlaps and
leaves them their velocities: under gravity these grow until a body passes through the table.

001 shows bodies pushed by their share of the mass instead; there the heavier would go further. Its
formula for a friction's mass takes the normal's levers; here each direction has its own.
"""

from __future__ import annotations

import math

import numpy as np

from .log import Impulse, Log
from .rows import letters
from .system import (
    Bodies,
    Contact,
    Point,
    Report,
    Settings,
    System,
    apply_forces,
    move,
)

Velocities = list[list[float]]


def step(system: System) -> Report:
    """One step: impulses, positions, forces, motion."""
    bodies, settings = system.bodies, system.settings
    contacts = system.detect(None)
    V: Velocities = bodies.V.tolist()
    shocks = [Shock(bodies, contact) for contact in contacts]
    iterations = 0
    if settings.impulses:
        iterations = apply_until_resolved(shocks, V, settings, system.log)
    residual = max((-shock.approach(V) for shock in shocks), default=0.0)
    bodies.V[:] = V
    if settings.position_correction:
        correct_positions(bodies, contacts, settings)
    apply_forces(bodies, settings.dt)
    move(bodies, settings.dt)
    sums = np.array([shock.sums for shock in shocks]).reshape(-1, 2)
    return Report(
        iterations,
        max(0.0, residual),
        sums[:, 0].tolist(),
        contacts,
        sums,
        np.zeros((len(system.joints), 3)),
        np.zeros(len(system.joints)),
    )


class Shock:
    """A contact with its levers, and its accumulated impulses along normal and tangent."""

    __slots__ = ("a", "b", "contact", "inverse_a", "inverse_b", "r1", "r2", "sums")
    sums: list[float]
    inverse_a: list[float]
    inverse_b: list[float]

    def __init__(self, bodies: Bodies, contact: Contact) -> None:
        self.contact = contact
        self.a, self.b = contact.a, contact.b
        xa, xb = bodies.X[self.a].tolist(), bodies.X[self.b].tolist()
        px, py = contact.point
        self.r1: Point = (px - xa[0], py - xa[1])
        self.r2: Point = (px - xb[0], py - xb[1])
        self.inverse_a = bodies.inverse_mass[self.a].tolist()
        self.inverse_b = bodies.inverse_mass[self.b].tolist()
        self.sums = [0.0, 0.0]

    def relative(self, V: Velocities) -> Point:
        """The velocity of the second body's point as the first one sees it."""
        va, vb = V[self.a], V[self.b]
        return (
            vb[0] - vb[2] * self.r2[1] - va[0] + va[2] * self.r1[1],
            vb[1] + vb[2] * self.r2[0] - va[1] - va[2] * self.r1[0],
        )

    def approach(self, V: Velocities) -> float:
        """The velocity along the normal; below 0 while they approach."""
        rel, n = self.relative(V), self.contact.normal
        return rel[0] * n[0] + rel[1] * n[1]

    def stiffness(self, d: Point) -> float:
        """1/m1 + 1/m2 + (r1 x d)^2 / I1 + (r2 x d)^2 / I2."""
        turn1 = self.r1[0] * d[1] - self.r1[1] * d[0]
        turn2 = self.r2[0] * d[1] - self.r2[1] * d[0]
        ma, mb = self.inverse_a, self.inverse_b
        return ma[0] + mb[0] + turn1 * turn1 * ma[2] + turn2 * turn2 * mb[2]

    def apply(self, V: Velocities, impulse: float, d: Point) -> None:
        x, y = impulse * d[0], impulse * d[1]
        for body, inverse, r, sign in (
            (V[self.a], self.inverse_a, self.r1, -1.0),
            (V[self.b], self.inverse_b, self.r2, 1.0),
        ):
            body[0] += sign * x * inverse[0]
            body[1] += sign * y * inverse[1]
            body[2] += sign * (r[0] * y - r[1] * x) * inverse[2]


def apply_until_resolved(
    shocks: list[Shock], V: Velocities, settings: Settings, log: Log | None
) -> int:
    """Pass over all contacts until a pass applies nothing; return the number of passes."""
    if log is not None:
        log.rows = [f"Normal{letters(i)}" for i in range(len(shocks))]
        log.bodies = [(shock.a, shock.b) for shock in shocks]
    for iteration in range(settings.iterations):
        applied = False
        for row, shock in enumerate(shocks):
            applied |= _apply_impulse(shock, V, settings, log, iteration, row)
        if log is not None:
            log.solutions.append([shock.sums[0] for shock in shocks])
            log.velocities.append(np.array(V))
        if not applied:
            return iteration + 1
    return settings.iterations


def _apply_impulse(
    shock: Shock, V: Velocities, settings: Settings, log: Log | None, iteration: int, row: int
) -> bool:
    """The impulse of one collision (000, part 1); False when it does not approach."""
    contact = shock.contact
    n, e = contact.normal, contact.restitution
    rel = shock.relative(V)
    vn = rel[0] * n[0] + rel[1] * n[1]
    stiffness = shock.stiffness(n)
    # An approach that remains after the impulse that should have ended it is rounding.
    slow = max(ROUNDING * _size(V, shock), settings.stop_below)
    if vn >= 0.0 or stiffness == 0.0 or -vn <= slow:
        return False
    normal = -(1.0 + e) * vn / stiffness
    if log is not None:
        mover = V[shock.a] if shock.inverse_a[0] > 0.0 else V[shock.b]
        log.impulses.append(
            Impulse(iteration, row, normal, shock.sums[0] + normal, vn, tuple(mover))
        )
    shock.apply(V, normal, n)
    shock.sums[0] += normal
    # The slip is that before the normal's impulse, as in the document.
    tx, ty = rel[0] - n[0] * vn, rel[1] - n[1] * vn
    slip = math.sqrt(tx * tx + ty * ty)
    if settings.tangent == "none" or slip == 0.0 or contact.friction == 0.0:
        return True
    t = (-tx / slip, -ty / slip)
    wanted = (1.0 + e) * slip * contact.friction / shock.stiffness(t)
    tangent = min(wanted, normal)
    shock.apply(V, tangent, t)
    shock.sums[1] += tangent * (t[0] * n[1] - t[1] * n[0])
    return True


ROUNDING = 1e-12  # of the speeds that meet


def _size(V: Velocities, shock: Shock) -> float:
    va, vb = V[shock.a], V[shock.b]
    turn1 = va[2] * (abs(shock.r1[0]) + abs(shock.r1[1]))
    turn2 = vb[2] * (abs(shock.r2[0]) + abs(shock.r2[1]))
    return abs(va[0]) + abs(va[1]) + abs(turn1) + abs(vb[0]) + abs(vb[1]) + abs(turn2)


def correct_positions(bodies: Bodies, contacts: list[Contact], settings: Settings) -> None:
    """Push bodies out of their overlaps, by their shares of the inverse masses."""
    for contact in contacts:
        first = float(bodies.inverse_mass[contact.a, 0])
        second = float(bodies.inverse_mass[contact.b, 0])
        over = contact.depth - settings.allowed_penetration
        if over <= 0.0 or first + second == 0.0:
            continue
        push = settings.correction_rate * over / (first + second)
        for body, share in ((contact.a, -first), (contact.b, second)):
            bodies.X[body, 0] += share * push * contact.normal[0]
            bodies.X[body, 1] += share * push * contact.normal[1]
