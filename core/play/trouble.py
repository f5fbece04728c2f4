# SPDX-License-Identifier: MIT
"""Errors of a played scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..errors import Problem


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why it is not as it should be: what is wrong with the files, or why the run stopped."""

    kind: Literal["scene", "simulation", "usage"]
    message: str
    problems: tuple[Problem, ...] = ()
    step: int = 0
    body: str = ""
