# SPDX-License-Identifier: MIT
"""The rows, contact points and joints of an observed step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
AT_BOUND = 1e-6  # share of a bound from which an impulse is at it


@dataclass(frozen=True, slots=True)
class ObservedRow:
    """A row of a contact or a joint over the substeps [s] of a step.

    Attributes:
        part: normal, friction, rolling, or one of the parts of a joint's rows.
        a, b: slots of its two bodies.
        J: [6], in the first pass, as are gamma, beta and the effective mass.
        error: [s, 2] separation, or error of position, in each of the two passes.
        wanted: [s] the speed along it that the first pass wants.
        blow: [s] impulse of the impacts with which a substep begins.
        warm: [s] impulse that a substep begins with.
        speeds: [s, 3] along it: after the warm start and after each of the two passes.
        impulses: [1 + 2 s] the impulse before the first pass, and after each one, of its substep.
        low, high: [1 + 2 s] between which it lies.
        modes: [s] of a limit or motor of a direct joint: which of its bounds is active.
        total: what the engine reports for the whole step.
        direct: it is solved together with all other rows of its mechanism.
    """

    name: str
    part: str
    a: int
    b: int
    J: Float64
    mass: float
    gamma: float
    beta: float
    error: Float64
    wanted: Float64
    blow: Float64
    warm: Float64
    speeds: Float64
    impulses: Float64
    low: Float64
    high: Float64
    total: float
    modes: Sequence[str] = ()
    direct: bool = False

    @property
    def solved(self) -> Float64:
        """[s] the impulse after the first pass of each substep."""
        return self.impulses[1::2]

    @property
    def relaxed(self) -> Float64:
        """[s] the impulse after the second pass of each substep, which counts."""
        return self.impulses[2::2]

    @property
    def changes(self) -> Float64:
        """[2 s] the impulse of each pass."""
        before = np.stack([self.warm, self.solved], axis=1).reshape(-1)
        return self.impulses[1:] - before

    def at_bound(self) -> NDArray[np.bool_]:
        """[s] whether the impulse of each substep has reached a finite bound other than 0."""
        found = np.zeros(len(self.relaxed), dtype=bool)
        for bound, sign in ((self.low[2::2], -1.0), (self.high[2::2], 1.0)):
            there = np.isfinite(bound) & (bound != 0.0)
            reached = sign * self.relaxed >= sign * bound * (1.0 - AT_BOUND * sign * np.sign(bound))
            found |= there & reached
        return found


@dataclass(frozen=True, slots=True)
class Point:
    """A contact point of a step; ``rows`` are the places of its normal and its friction."""

    name: str
    a: int
    b: int
    x: float
    y: float
    normal: tuple[float, float]
    depth: float
    restitution: float
    friction: float
    rows: tuple[int, int]
    tracked: bool


@dataclass(frozen=True, slots=True)
class JointSum:
    """The impulses of a joint in a step: on its second body, and the motor's."""

    name: str
    mechanism: int  # of direct joints, counted from 1; 0: solved one by one
    impulse: tuple[float, float, float]
    motor: float
