# SPDX-License-Identifier: MIT
"""The options of the solvers, of the variants in documents 000 (parts 1 to 5), 003 and 004."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of ``world.solver``, with the length of a step and the size of gravity."""

    dt: float
    gravity: float = 0.0
    iterations: int = 10
    stop_below: float = 0.0
    warm_start: bool = True
    impulses: bool = True
    position_correction: bool = True
    correction_rate: float = 0.2
    allowed_penetration: float = 0.0
    friction_limit: Literal["normal_impulse", "gravity", "weight"] = "normal_impulse"
    grouping: Literal["global", "pair", "contact"] = "global"
    blocks: bool = False
    clamp: Literal["accumulated", "each", "none"] = "accumulated"
    external_force: Literal["before", "between", "after"] = "between"
    tangent: Literal["friction_impulse", "none"] = "friction_impulse"
    stiffness: float = 1.0
    springs: Literal["soft", "soft_each", "force"] = "soft"
    integrator: Literal["semi_implicit_euler", "explicit_euler"] = "semi_implicit_euler"

    @property
    def inverse_dt(self) -> float:
        return 1.0 / self.dt if self.dt > 0.0 else 0.0

    def ends(self, change: float) -> bool:
        """Whether an iteration is the last one that changed no velocity along a row by more."""
        return change < self.stop_below
