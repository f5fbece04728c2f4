# SPDX-License-Identifier: MIT
"""The input and the report of a textbook solver.

A solver is one function, ``step(system) -> Report``, which advances the bodies by one step. Units
are those of the scene. A normal points from the first body to the second one, whose impulses count
as positive; the other body gets the opposite. Row i of each array is body i; body 0 is the world.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .log import Log
from .settings import Settings as Settings

Float64 = NDArray[np.float64]
Point = tuple[float, float]
Key = tuple[int, ...]
"""The key of a row from step to step."""

NORMAL, FRICTION, JOINT = 0, 1, 2  # the first number of a key


@dataclass(slots=True)
class Bodies:
    """All bodies: X [n, 3] centre of mass and angle, V [n, 3] velocity and angular velocity, F
    [n, 3] external force and torque, and the diagonal [n, 3] of M^-1: 1/m, 1/m, 1/I.

    What is static has zeros in M^-1 ("infinite mass"), and so has what is kinematic.
    """

    X: Float64
    V: Float64
    F: Float64
    inverse_mass: Float64

    def copy(self) -> Bodies:
        return Bodies(self.X.copy(), self.V.copy(), self.F.copy(), self.inverse_mass)


class Contact(NamedTuple):
    """A touching point of two bodies.

    ``features`` names what touches, to know the contact again in the next step (000, part 3: the
    edge indices).
    """

    a: int
    b: int
    point: Point
    normal: Point
    depth: float
    friction: float
    restitution: float
    features: tuple[int, ...] = ()


class Soft(NamedTuple):
    """A spring: force per length and per speed, or torque per angle and per angular speed."""

    stiffness: float
    damping: float


class Drive(NamedTuple):
    """A motor: its target speed or position, and its maximum force or torque. With ``only_pushes``
    it never brakes faster bodies, with ``only_pulls`` it never pushes its ends apart, and with
    ``stops`` it ends at the limits. A position is reached by the spring ``soft``, if any."""

    by_speed: bool
    target: float
    most: float
    only_pushes: bool = False
    soft: Soft | None = None
    stops: bool = False
    only_pulls: bool = False


class Joint(NamedTuple):
    """A joint; anchors are relative to the centres of mass, in each body's own axes.

    ``kind`` is distance, revolute, weld, prismatic, wheel or axial_motor, or one with the world as
    its first body: rotary_motor, axial_friction with the axis in the second body's axes, or mouse,
    which is rigid without ``soft``, and whose first anchor is where it pulls to. What it leaves
    free (a length, an angle, a translation along ``axis``, which is in the first body's axes) stays
    between ``least`` and ``most``; a distance joint of one length is a rod. ``soft`` is a spring to
    ``rest`` there, with at most ``most_force``, or, of a weld, instead of its point; ``turning``
    one of its angle, ``giving`` the one that its limits are. ``number`` is its place among all, by
    which it is known from step to step. A custom one has the rows of its ``constraint``.
    """

    name: str
    kind: str
    a: int
    b: int
    anchor_a: Point
    anchor_b: Point
    least: float = -math.inf
    most: float = math.inf
    rest: float = 0.0
    soft: Soft | None = None
    turning: Soft | None = None
    drive: Drive | None = None
    axis: Point = (1.0, 0.0)
    reference_angle: float = 0.0
    most_force: float = math.inf
    number: int = 0
    giving: Soft | None = None
    constraint: str = ""
    numbers: tuple[tuple[str, float], ...] = ()


class Particles(NamedTuple):
    """The corners of bodies of particles: where they are and were, [particles, 2] each."""

    now: Float64
    before: Float64


@dataclass(slots=True)
class Memory:
    """State that a solver keeps from step to step: impulses by key, or particles."""

    impulses: dict[tuple[int, ...], float] = field(default_factory=dict)
    particles: Particles | None = None

    def copy(self) -> Memory:
        return Memory(dict(self.impulses), self.particles)


class Outline(NamedTuple):
    """A convex polygon of a body, its corners [n, 2] about the body's centre of mass."""

    body: int
    corners: Float64


@dataclass(slots=True)
class System:
    """One step's task. ``detect`` gives the present contacts: of the bodies at their poses, or of
    the polygons [n, 2] in world coordinates that it is handed, one for each of ``outlines``."""

    bodies: Bodies
    detect: Callable[[Sequence[Float64] | None], list[Contact]]
    settings: Settings
    joints: Sequence[Joint] = ()
    outlines: Sequence[Outline] = ()
    memory: Memory = field(default_factory=Memory)
    log: Log | None = None


class CrowdedError(Exception):
    """More constraints than a solver can take in one step, with the body that has the most."""

    def __init__(self, body: int) -> None:
        super().__init__(body)
        self.body = body


@dataclass(slots=True)
class Report:
    """The report of a step.

    Attributes:
        iterations: how many were done.
        residual: the largest velocity that is against a constraint, when the solver stops.
        solution: the impulse of each row (forces, in the matrix solvers; displacements, in verlet).
        contacts: the contacts of the step.
        impulses: [contacts, 2] the impulse along normal and tangent of each.
        joints: [joints, 3] each joint's impulse on its second body, and its angular impulse.
        motors: [joints] what of it is its motor's, along what the joint leaves free.
    """

    iterations: int
    residual: float
    solution: list[float]
    contacts: list[Contact]
    impulses: Float64
    joints: Float64
    motors: Float64


def apply_forces(bodies: Bodies, dt: float) -> None:
    """V += M^-1 F dt: the first half of semi-implicit Euler (000, part 1)."""
    bodies.V += bodies.inverse_mass * bodies.F * dt


def move(bodies: Bodies, dt: float, V: Float64 | None = None) -> None:
    """X += V dt: the second half. Explicit Euler moves by the velocities V of the step's start."""
    bodies.X += (bodies.V if V is None else V) * dt


class Rest:
    """Whether iterations have come to where further ones change no bit."""

    def __init__(self) -> None:
        self._bits: bytes | None = None

    def reached(self, change: float, *numbers: Iterable[float]) -> bool:
        """After an iteration with its largest change: whether it left all numbers that the next
        one begins with as they were."""
        before, self._bits = self._bits, None
        if change == 0.0:  # of zeros the sign counts too
            self._bits = b"".join(array("d", each).tobytes() for each in numbers)
        return self._bits is not None and self._bits == before


def total(terms: Float64) -> float:
    """The sum from first to last. A running sum has to round every partial sum, so that it can be
    added in one order only; how ``np.sum`` and a BLAS group their terms is the library's affair."""
    return float(np.add.accumulate(terms)[-1]) if len(terms) else 0.0
