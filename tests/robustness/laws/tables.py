# SPDX-License-Identifier: MIT
"""How many worlds of each class break each law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .hunting import Broken, Kind
from .judge import LAWS


def table(broken: Iterable[Broken], classes: Mapping[Kind, int]) -> str:
    """A line for each class, and one for all."""
    counts = Counter((each.kind, each.law) for each in broken)
    lines = [_line(("solver", "joints", "setting"), ["worlds", *LAWS])]
    for kind in sorted(classes):
        found = [counts[kind, law] or "" for law in LAWS]
        lines.append(_line(kind, [classes[kind], *found]))
    sums = [sum(counts[kind, law] for kind in classes) for law in LAWS]
    lines.append(_line(("all", "", ""), [sum(classes.values()), *sums]))
    return "\n".join(lines)


def _line(kind: Kind, cells: Iterable[object]) -> str:
    return "{:19} {:10} {:8}".format(*kind) + "".join(f"{cell!s:>9}" for cell in cells)
