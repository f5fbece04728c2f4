# SPDX-License-Identifier: MIT
"""Custom joints for the solvers of velocities, after the interface of document 003 (M8): there a
constraint corrects velocities and positions itself; here it returns its rows, and the solver does
both.

    class Rod(Constraint):
        numbers = {"length": 1.0}

        def rows(self, ends):
            x, y = ends.apart
            length = math.sqrt(x * x + y * y)
            return [ends.line((x / length, y / length), length - self.length)]

Only arithmetic and ``math.sqrt`` give the same bits on every machine; ``rigid2d.core.scene.values``
has sines that do (``portable_math``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from ..errors import UsageError
from ..scene.blocks.joints.own import NoConstraintError, find_constraint
from .joints import OWN, OWN_DRIVE, Row, arms, joint_rows
from .system import JOINT, Bodies, Joint, Point, Settings, Soft


class ConstraintRow(NamedTuple):
    """One row: J V = bias for the six velocities V of both bodies.

    Attributes:
        J: (x, y, turn) of the first body, then of the second one: how C changes with each.
        error: C, the error of the positions; the solver removes ``correction_rate`` of it in a
            step.
        bias: the target velocity along the row, as of a motor; it replaces the error.
        low, high: bounds of the force (or torque). A row with ``low`` 0 only keeps C from
            falling below 0, a row with ``high`` 0 from rising above it.
        soft: a spring instead of a rigid row: force per C, and per speed of C.
        name: its name in ``rigid explain``.
    """

    J: Sequence[float]
    error: float = 0.0
    bias: float | None = None
    low: float = -math.inf
    high: float = math.inf
    soft: Soft | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Ends:
    """Both ends of a joint in a step, in the world's axes.

    Attributes:
        center1, center2: the centres of mass.
        r1, r2: from each to its anchor.
        angle1, angle2: of the bodies, and ``turn`` that of the second one against the first, from
            the start.
        velocity1, velocity2: (x, y, turn) before the step.
        dt: the length of a step.
    """

    center1: Point
    center2: Point
    r1: Point
    r2: Point
    angle1: float
    angle2: float
    turn: float
    velocity1: tuple[float, ...]
    velocity2: tuple[float, ...]
    dt: float

    @property
    def apart(self) -> Point:
        """From the first anchor to the second one."""
        (x1, y1), (x2, y2) = self.center1, self.center2
        return x2 + self.r2[0] - x1 - self.r1[0], y2 + self.r2[1] - y1 - self.r1[1]

    def line(self, d: Point, error: float = 0.0, **options: Any) -> ConstraintRow:
        """A row for how far the anchors are apart along a unit vector d:
        J = (-d, -(r1 x d), d, r2 x d)."""
        r1, r2 = self.r1, self.r2
        turn1, turn2 = r1[0] * d[1] - r1[1] * d[0], r2[0] * d[1] - r2[1] * d[0]
        return ConstraintRow((-d[0], -d[1], -turn1, d[0], d[1], turn2), error, **options)

    def angle(self, error: float = 0.0, **options: Any) -> ConstraintRow:
        """A row for the angle of the second body against the first: J = (0, -1, 0, 1)."""
        return ConstraintRow((0.0, 0.0, -1.0, 0.0, 0.0, 1.0), error, **options)


class Constraint:
    """A custom joint: derive from it, define ``numbers`` and ``rows``, and register the class as
    an entry point of the group ``rigid.constraints``.

    Attributes:
        numbers: the keys that a scene may write under ``numbers``, with their defaults; None for
            required ones. Each is an attribute of the constraint.
        lengths, angles: which of them an instance of a prototype scales or mirrors.
    """

    numbers: ClassVar[Mapping[str, float | None]] = {}
    lengths: ClassVar[Sequence[str]] = ()
    angles: ClassVar[Sequence[str]] = ()

    def __init__(self, **numbers: float) -> None:
        for name, value in {**self.numbers, **numbers}.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> float:
        raise AttributeError(f"{type(self).__name__} has no number {name!r}")

    def rows(self, ends: Ends) -> Iterable[ConstraintRow]:
        """The present rows. A function of the ends alone: it must not keep state between steps,
        and is called several times in one."""
        raise NotImplementedError


def rows_of(bodies: Bodies, joint: Joint, settings: Settings) -> list[Row]:
    """The rows of any joint at its bodies' poses."""
    found = own_rows if joint.constraint else joint_rows
    return found(bodies, joint, settings)


def own_rows(bodies: Bodies, joint: Joint, settings: Settings) -> list[Row]:
    """The rows of a constraint at its bodies' poses. Raises UsageError for invalid rows."""
    constraint, rate = _made(joint.constraint, joint.numbers), _rate(settings)
    try:
        given = list(constraint.rows(_ends(bodies, joint, settings)))
        return [_row(joint, settings, rate, i, each) for i, each in enumerate(given)]
    except Exception as error:  # of code that is not ours
        why = f"{type(error).__name__}: {error}"
        message = f"the rows of constraint `{joint.constraint}` cannot be used ({why})"
        raise UsageError(f"joints.{joint.name}: {message}") from error


def own_betas(bodies: Bodies, joint: Joint, settings: Settings) -> list[float]:
    """The share of its error that each row takes out in a step."""
    rate, found = _rate(settings), []
    for each in _made(joint.constraint, joint.numbers).rows(_ends(bodies, joint, settings)):
        if each.soft is not None:
            stiffness = settings.dt * each.soft.stiffness
            found.append(stiffness / (stiffness + each.soft.damping))
        else:
            found.append(0.0 if each.bias is not None else _share(each, rate))
    return found


def _rate(settings: Settings) -> float:
    return settings.correction_rate if settings.position_correction else 0.0


def _share(row: ConstraintRow, rate: float) -> float:
    """The share of C for a step: all of it within a one-sided bound, else the rate."""
    within = (row.low == 0.0 and row.error > 0.0) or (row.high == 0.0 and row.error < 0.0)
    return 1.0 if within else rate


@lru_cache(maxsize=1024)
def _made(name: str, numbers: tuple[tuple[str, float], ...]) -> Constraint:
    try:
        made: Constraint = find_constraint(name)(**dict(numbers))
    except NoConstraintError as error:
        raise UsageError(str(error)) from None
    return made


def _ends(bodies: Bodies, joint: Joint, settings: Settings) -> Ends:
    r1, r2 = arms(bodies, joint)
    x1, x2 = bodies.X[joint.a].tolist(), bodies.X[joint.b].tolist()
    return Ends(
        (x1[0], x1[1]),
        (x2[0], x2[1]),
        r1,
        r2,
        x1[2],
        x2[2],
        x2[2] - x1[2] - joint.reference_angle,
        tuple(bodies.V[joint.a].tolist()),
        tuple(bodies.V[joint.b].tolist()),
        settings.dt,
    )


def _row(joint: Joint, settings: Settings, rate: float, i: int, given: ConstraintRow) -> Row:
    J, h = tuple(float(value) for value in given.J), settings.dt
    if len(J) != 6 or not all(map(math.isfinite, (*J, given.error, given.bias or 0.0))):
        raise ValueError(f"row {i}: J is six finite numbers, and so are error and bias")
    if not given.low <= given.high:
        raise ValueError(f"row {i}: low is above high")
    soft = given.soft
    if soft is not None and not h * soft.stiffness + soft.damping > 0.0:
        raise ValueError(f"row {i}: a spring has a stiffness or a damping above 0")
    driven = given.bias is not None or soft is not None
    name = f"{joint.name}.{given.name or i}"
    row = Row(joint.a, joint.b, J, (JOINT, joint.number, (OWN_DRIVE if driven else OWN) + i), name)
    row.low, row.high = float(given.low) * h, float(given.high) * h
    if soft is not None:
        both = h * soft.stiffness + soft.damping
        row.softness = 1.0 / (h * both)
        row.bias = -(soft.stiffness / both) * given.error
    elif given.bias is not None:
        row.bias = float(given.bias)
    else:
        row.bias = -_share(given, rate) * settings.inverse_dt * given.error
    return row
