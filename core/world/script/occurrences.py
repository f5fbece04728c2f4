# SPDX-License-Identifier: MIT
"""Events that were found in a step, until their actions are executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..saved import fixed, optional, table, text, whole
from ..saved import number as finite

FOUND = fixed(text, fixed(whole(-(1 << 62)), whole(), whole()), text, text, optional(table(finite)))
"""The schema of ``Found.save``."""

Death = tuple[str, int, tuple[str, ...], float, float]
"""The name, the id, the tags and the last place of a removed body."""


@dataclass(slots=True)
class Occurrence:
    """An event that happened.

    Attributes:
        rule: the path of its actions.
        order: the place in the file, then that of rules of copies, then the ids of bodies.
        a, b: the bodies, empty without bodies.
        values: the numbers for the expressions of its actions.
    """

    rule: str
    order: tuple[int, int, int]
    a: str = ""
    b: str = ""
    values: Mapping[str, float] | None = None

    def save(self) -> list[Any]:
        """The occurrence as JSON data."""
        return [self.rule, list(self.order), self.a, self.b, self.values]


def found_of(saved: Sequence[Any]) -> Occurrence:
    """Restore the data of ``save``."""
    rule, order, a, b, values = saved
    return Occurrence(rule, tuple(order), a, b, values)
