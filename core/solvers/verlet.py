# SPDX-License-Identifier: MIT
"""Bodies of particles that keep their distances (document 004, after Jakobsen, "Advanced Character
Physics").

A body has a particle at each corner, and a rod between any two of them, or it would collapse (V1).
Each step is

    V3  x(n+1) = x(n) + (x(n) - x(n-1)) + a dt^2   (printed with a product for the second sum)
    V5  each rod takes half, or by the masses its share, of (length - d) at either end, times
    V6  k' = 1 - (1 - k)^(1/n), so that n iterations leave of it what k alone says
    V8  contacts of the corners at their new positions
    V9  each is taken out at once: a corner by n, and an edge x1 x2 at p = (1 - t) x1 + t x2 by
        (1 - t) lambda n and t lambda n with lambda = 1 / ((1 - t)^2 + t^2)

An angle appears nowhere; bodies turn because their corners do, and deform when k is small or
iterations are few. Not said there: two bodies that move share a contact by the inverse masses that
it meets. Friction as printed lacks the coefficient and the unit vector: V_r = -t min(mu |V_n|,
|V_t|), shared likewise instead of by halves. Restitution the document gave up on, and so has this
none. A torque, which bodies without angles do not know, speeds each corner up across its way from
the centre.
"""

from __future__ import annotations

import math

import numpy as np

from ..scene.values.portable_math import power
from .log import Log
from .particles import Corners, Points, Rod, begin, distance, joint_rod, place_bodies, placed
from .system import Bodies, Contact, Particles, Report, System


def step(system: System) -> Report:
    """One step: integrator, rods, contacts, projection, and where that leaves the bodies."""
    bodies, settings, memory = system.bodies, system.settings, system.memory
    corners = Corners(bodies, tuple(system.outlines))
    held = memory.particles or begin(bodies, corners, settings.dt)
    now, before = integrate(bodies, corners, held, settings.dt)
    rods = corners.rods + [joint_rod(joint, corners) for joint in system.joints]
    share = stiffness_share(settings.stiffness, settings.iterations)
    iterations = 0
    if system.log is not None:
        log_rods(system.log, now, corners, rods, share)
    for _ in range(settings.iterations):
        iterations += 1
        moved = [relax(now, corners.inverse, rod, share) for rod in rods]
        if system.log is not None:
            system.log.solutions.append([_error(now, rod) for rod in rods])
        if settings.ends(max(moved, default=0.0) * settings.inverse_dt):
            break
    contacts = system.detect(
        [np.array([now[i] for i in corners.of(k)]) for k in range(len(corners.outlines))]
    )
    pushes = [resolve(now, before, corners, contact) for contact in contacts]
    residual = max((abs(_error(now, rod)) for rod in rods), default=0.0) * settings.inverse_dt
    if system.log is not None:
        system.log.matrices |= {"x": np.array(now), "x before": np.array(before)}
    memory.particles = Particles(np.array(now), np.array(before))
    place_bodies(bodies, corners, now, settings)
    return Report(
        iterations,
        residual,
        [push for push, _ in pushes],
        contacts,
        # A displacement d of a step is the impulse d / dt on a unit mass.
        np.array(pushes).reshape(-1, 2) * settings.inverse_dt,
        np.zeros((len(system.joints), 3)),
        np.zeros(len(system.joints)),
    )


def integrate(
    bodies: Bodies, corners: Corners, held: Particles, dt: float
) -> tuple[Points, Points]:
    """V3. Particles of infinite mass follow their own velocity."""
    now: Points = held.now.tolist()
    before: Points = held.before.tolist()
    for k, outline in enumerate(corners.outlines):
        ax, ay, turn = (bodies.inverse_mass[outline.body] * bodies.F[outline.body]).tolist()
        cx, cy, _ = bodies.X[outline.body].tolist()
        if corners.inverse[corners.start[k]] == 0.0:
            v = (bodies.V[outline.body] * dt).tolist()
            for i, (px, py) in zip(corners.of(k), placed(bodies, outline), strict=True):
                before[i] = [px, py]
                now[i] = [px + v[0], py + v[1]]
            continue
        for i in corners.of(k):
            was = now[i]
            a = ax - turn * (was[1] - cy), ay + turn * (was[0] - cx)
            now[i] = verlet(was, before[i], a, dt)
            before[i] = was
    return now, before


def verlet(
    now: list[float], before: list[float], acceleration: tuple[float, float], dt: float
) -> list[float]:
    """x + (x - x before) + a dt^2."""
    return [
        x + (x - old) + a * dt * dt for x, old, a in zip(now, before, acceleration, strict=True)
    ]


def stiffness_share(k: float, iterations: int) -> float:
    """V6: k' = 1 - (1 - k)^(1/n)."""
    return 1.0 if k >= 1.0 else 1.0 - power(1.0 - k, 1.0 / iterations)


def relax(x: Points, inverse: list[float], rod: Rod, share: float) -> float:
    """V5: both ends of a rod moved to its length, each by its share of the inverse masses; by how
    much its length is changed."""
    both = inverse[rod.first] + inverse[rod.second]
    error = _error(x, rod)
    if error == 0.0 or both == 0.0:
        return 0.0
    one, two = x[rod.first], x[rod.second]
    length = distance(one, two)
    diff = share * error / (length * both) if length > 0.0 else 0.0
    for k in range(2):
        delta = (two[k] - one[k]) * diff
        one[k] += inverse[rod.first] * delta
        two[k] -= inverse[rod.second] * delta
    return share * abs(error)


def log_rods(log: Log, x: Points, corners: Corners, rods: list[Rod], share: float) -> None:
    """Record the rods and their errors before they are relaxed."""
    owner = [outline.body for outline in corners.outlines for _ in outline.corners]
    both = [corners.inverse[rod.first] + corners.inverse[rod.second] for rod in rods]
    log.rows = [f"Rod{i}" for i in range(len(rods))]
    log.bodies = [(owner[rod.first], owner[rod.second]) for rod in rods]
    log.matrices |= {
        "least": np.array([rod.least for rod in rods]),
        "most": np.array([rod.most for rod in rods]),
        "error": np.array([_error(x, rod) for rod in rods]),
        "mass": np.array([1.0 / inverse if inverse > 0.0 else 0.0 for inverse in both]),
        "share": np.full(len(rods), share),
    }


def _error(x: Points, rod: Rod) -> float:
    """The error of a rod's length; negative if it is too short."""
    length = distance(x[rod.first], x[rod.second])
    return length - min(max(length, rod.least), rod.most)


# ---------------------------------------------------------------- contacts


def resolve(now: Points, before: Points, corners: Corners, contact: Contact) -> tuple[float, float]:
    """Resolve one contact; return the displacements along normal and tangent.

    Each side is a point at t of an edge, which is a corner where t is 0 or 1.
    """
    n, depth = contact.normal, contact.depth
    sides = []
    for outline, sign, half in ((contact.features[0], -1.0, 0.5), (contact.features[1], 1.0, -0.5)):
        point = [contact.point[k] + half * depth * n[k] for k in range(2)]
        ends, t = _nearest_edge(now, corners.of(outline), point)
        sides.append((ends, (1.0 - t, t), sign))
    meets = 0.0
    v = [0.0, 0.0]
    for ends, weights, sign in sides:
        for end, weight in zip(ends, weights, strict=True):
            meets += weight * weight * corners.inverse[end]
            for k in range(2):
                v[k] += sign * weight * (now[end][k] - before[end][k])
    if meets == 0.0 or depth <= 0.0:
        return 0.0, 0.0
    vn = v[0] * n[0] + v[1] * n[1]
    slip = [v[k] - vn * n[k] for k in range(2)]
    size = math.sqrt(slip[0] * slip[0] + slip[1] * slip[1])
    brake = min(contact.friction * max(0.0, -vn), size)
    for ends, weights, sign in sides:
        for end, weight in zip(ends, weights, strict=True):
            moved = sign * weight * corners.inverse[end] / meets
            for k in range(2):
                now[end][k] += moved * depth * n[k]
                if size > 0.0:  # a change of velocity alone: of where it came from
                    before[end][k] += moved * brake * slip[k] / size
    return depth / meets, brake / meets


def _nearest_edge(x: Points, corners: range, point: list[float]) -> tuple[tuple[int, int], float]:
    """The edge of a polygon that a point is nearest to, and where along it."""
    best = (math.inf, (corners[0], corners[0]), 0.0)
    for i, first in enumerate(corners):
        second = corners[(i + 1) % len(corners)]
        ex, ey = x[second][0] - x[first][0], x[second][1] - x[first][1]
        size = ex * ex + ey * ey
        px, py = point[0] - x[first][0], point[1] - x[first][1]
        t = min(max((px * ex + py * ey) / size, 0.0), 1.0) if size > 0.0 else 0.0
        dx, dy = px - t * ex, py - t * ey
        found = (dx * dx + dy * dy, (first, second), t)
        if found[0] < best[0]:
            best = found
    return best[1], best[2]
