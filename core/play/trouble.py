# SPDX-License-Identifier: MIT
"""Errors of a played scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..errors import Problem


@dataclass(frozen=True, slots=True)
class Trouble:
    """The present problem: errors of the files, or the reason why the run stopped."""

    kind: Literal["scene", "simulation", "usage"]
    message: str
    problems: tuple[Problem, ...] = ()
    step: int = 0
    body: str = ""
