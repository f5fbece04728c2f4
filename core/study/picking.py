# SPDX-License-Identifier: MIT
"""Picks runs of a study by the values of a column, as in ``top 10 by range``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..errors import UsageError

_FORM = re.compile(r"(top|bottom)\s+(\d+)\s+by\s+(\S.*)")


def read_pick(text: str) -> tuple[bool, int, str]:
    """Whether the largest are wanted, how many, and by which column. Raises UsageError."""
    found = _FORM.fullmatch(" ".join(text.split()))
    if found is None or int(found[2]) < 1:
        raise UsageError(
            f"pick {text!r}: is `top N by COLUMN` or `bottom N by COLUMN`, as in `top 10 by range`"
        )
    return found[1] == "top", int(found[2]), found[3]


def picked(values: Sequence[Any], largest: bool, count: int) -> list[int]:
    """The places of the largest or least values, best first, of equal ones the first; missing
    values are never picked."""
    known = [i for i, each in enumerate(values) if each is not None and each == each]
    return sorted(known, key=lambda i: values[i], reverse=largest)[:count]
