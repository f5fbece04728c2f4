# SPDX-License-Identifier: MIT
"""The message on a reading that an object does not have."""

from __future__ import annotations

from ...nearest import nearest_name
from .foreign_words import foreign_readings, look_up


def unless_known(rest: str, known: tuple[str, ...], owner: str, name: str) -> str:
    """Why ``rest`` is none of the known readings of an owner; empty where it is one."""
    if rest in known:
        return ""
    if not rest:
        return f"`{name}` needs a quantity, such as `{name}.{known[0]}`"
    right = look_up(rest, foreign_readings())
    if right.startswith("~"):
        return f"`{owner}` has no `{rest}`; {right[1:]}"
    near = right if right in known else nearest_name(rest, known)
    hint = f"did you mean `{owner}.{near}`?" if near else f"known: {', '.join(known)}"
    return f"`{owner}` has no `{rest}`; {hint}"
