# SPDX-License-Identifier: MIT
"""The bounds of friction (document 000, parts 2 and 6).

    normal_impulse   mu times the contact's normal impulse (part 6, after Box2D Lite)
    gravity          mu times the weight of a mass of 1 in a step, at each contact (part 2)
    weight           mu times what external forces press the two bodies together with in a step,
                     divided among their points of contact

As printed, ``gravity`` depends neither on masses nor on the number of contacts: a box of mass 4 on
two points brakes with half of mu g, one of mass 1 with twice mu g. ``weight`` brakes every box with
mu g, and on a slope with mu g cos; it does not know the load of what lies on a box.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from .system import Bodies, Contact, Float64, Settings


def friction_limits(bodies: Bodies, contacts: Sequence[Contact], settings: Settings) -> Float64:
    """[contacts] the largest impulse of each friction, infinite where it is the normal's."""
    if settings.friction_limit == "normal_impulse":
        return np.full(len(contacts), math.inf)
    friction = np.array([contact.friction for contact in contacts])
    if settings.friction_limit == "gravity":
        return friction * settings.gravity * settings.dt
    points = Counter((contact.a, contact.b) for contact in contacts)
    F = bodies.F.tolist()
    shares = []
    for contact in contacts:
        (nx, ny), (ax, ay, _), (bx, by, _) = contact.normal, F[contact.a], F[contact.b]
        press = max(0.0, nx * ax + ny * ay, -(nx * bx + ny * by))
        shares.append(press / points[contact.a, contact.b])
    limits: Float64 = friction * np.array(shares) * settings.dt
    return limits
