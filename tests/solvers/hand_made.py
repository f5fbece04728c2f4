# SPDX-License-Identifier: MIT
"""Bodies and contacts made by hand, for the numbers that the documents print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rigid2d.core.solvers import (
    SOLVERS,
    Bodies,
    Contact,
    Joint,
    Log,
    Memory,
    Report,
    Settings,
    System,
)


def bodies(
    velocities: Sequence[Sequence[float]],
    masses: Sequence[float],
    *,
    inertias: Sequence[float] = (),
    places: Sequence[Sequence[float]] = (),
    forces: Sequence[Sequence[float]] = (),
) -> Bodies:
    """Bodies of these masses (inf: static), beginning with body 0."""
    count = len(velocities)
    turns = inertias or [np.inf] * count
    inverse = [[1 / m, 1 / m, 1 / i] for m, i in zip(masses, turns, strict=True)]
    zeros = [[0.0, 0.0, 0.0]] * count
    return Bodies(
        X=np.array(places or zeros, dtype=float),
        V=np.array(velocities, dtype=float),
        F=np.array(forces or zeros, dtype=float),
        inverse_mass=np.array(inverse),
    )


def take_step(
    solver: str,
    moving: Bodies,
    contacts: Sequence[Contact],
    *,
    joints: Sequence[Joint] = (),
    log: Log | None = None,
    **settings: object,
) -> Report:
    """One step of a solver over the bodies, which it changes."""
    given = {"dt": 1.0, "position_correction": False, "warm_start": False, **settings}
    system = System(
        bodies=moving,
        detect=lambda _outlines: list(contacts),
        settings=Settings(**given),
        joints=joints,
        memory=Memory(),
        log=log,
    )
    return SOLVERS[solver](system)


def cube_against_wall(friction: float = 0.0) -> tuple[Bodies, list[Contact]]:
    """000, part 2: a cube of 140 px, corners A and B at a wall whose centre lies 17 px lower."""
    inertia = 140 * 140 / 6
    moving = bodies(
        [[0.1, 0, 0], [0, 0, 0]],
        [1, np.inf],
        inertias=[inertia, np.inf],
        places=[[0, 0, 0], [100, 17, 0]],
    )
    contacts = [
        Contact(0, 1, (70.0, y), (1.0, 0.0), 0.0, friction, 1.0, (i,))
        for i, y in enumerate((-70.0, 70.0))
    ]
    return moving, contacts
