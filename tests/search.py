# SPDX-License-Identifier: MIT
"""The number of seeds and of rows that are tried: few in `make test`, all in `make test-all`."""

from __future__ import annotations

import os

EVERYTHING = bool(os.environ.get("SEARCH"))
"""Whether searches go as far as they can: `make test-all`."""


def tries(few: int, many: int) -> int:
    """How many seeds a search takes: the first ``few``, or ``many`` where everything is tried."""
    return many if EVERYTHING else few
