# SPDX-License-Identifier: MIT
"""Names that were used once, and are not used again."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

_NUMBER = "(0|[1-9][0-9]{0,8})"
_NUMBERED = re.compile(rf"(.*?)(?:(?<=\[){_NUMBER}(\]\..*)|{_NUMBER}(\]?))")


class UsedNames:
    """A set of names that only grows, and takes little room where they are numbered.

    Of names like ``drop[0]`` to ``drop[99]``, or ``drop7``, or ``rain[3].drop``, the first and the
    last number are kept, for each row of numbers without a gap.
    """

    def __init__(self, saved: Iterable[list[Any]] = ()) -> None:
        self._plain: set[str] = set()
        self._ends: dict[tuple[str, str], list[int]] = {}  # from, behind, from, behind, ...
        for before, after, ends in saved:
            if ends:
                self._ends[before, after] = list(ends)
            else:
                self._plain.add(before)

    def add(self, name: str) -> None:
        key, number = _parted(name)
        if key is None:
            self._plain.add(name)
            return
        ends = self._ends.setdefault(key, [])
        if ends and ends[-1] == number:  # the usual one
            ends[-1] = number + 1
            return
        at = bisect_right(ends, number)
        if at % 2 == 1:
            return  # within a row
        joins_before = at > 0 and ends[at - 1] == number
        joins_behind = at < len(ends) and ends[at] == number + 1
        kept = ([] if joins_before else [number]) + ([] if joins_behind else [number + 1])
        ends[at - joins_before : at + joins_behind] = kept

    def __contains__(self, name: str) -> bool:
        key, number = _parted(name)
        if key is None:
            return name in self._plain
        return bisect_right(self._ends.get(key, []), number) % 2 == 1

    def copy(self) -> UsedNames:
        twin = UsedNames()
        twin._plain, twin._ends = set(self._plain), deepcopy(self._ends)
        return twin

    def save(self) -> list[list[Any]]:
        """As JSON has it, in a fixed order."""
        plain: list[list[Any]] = [[name, "", []] for name in sorted(self._plain)]
        return plain + [[*key, ends] for key, ends in sorted(self._ends.items())]


def _parted(name: str) -> tuple[tuple[str, str] | None, int]:
    """The parts before and after the number in a name, and the number; None if it has none."""
    start, end = name.find("["), name.find("]")
    digits = name[start + 1 : end]
    if digits.isdecimal() and digits.isascii() and len(digits) < 10 and start >= 0:
        after = name[end:]
        if (digits[0] != "0" or digits == "0") and (after == "]" or after[1:2] == "."):
            return (name[: start + 1], after), int(digits)  # as the expression below finds them
    found = _NUMBERED.fullmatch(name)
    if found is None:
        return None, 0
    inside = found[2] is not None
    return (found[1], found[3] if inside else found[5]), int(found[2] if inside else found[4])
