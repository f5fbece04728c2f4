# SPDX-License-Identifier: MIT
"""Functions on long integers in JavaScript: the bits of those in Python."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from rigid2d.core import _native
from rigid2d.core.scene.values.row_program import EXACT

from tests.search import tries
from tests.web.engine import OLDEST, node, run_script

OF_TWO = ("power", "hypot", "atan2", "hypot_many")
TRIES = tries(400, 20_000)
SPECIAL = (0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -7.0, 1e-300, 5e-324, 1e300, 709.0, -745.0, math.pi)


def test_exact_functions_have_the_bits_of_python(tmp_path: Path) -> None:
    if node() is None:
        pytest.skip(f"node {OLDEST} or a newer one is not installed")
    names = {code: name for name, code in _native.OPERATIONS.items()}
    choose = random.Random(4)
    cases, wanted = [], []
    for _ in range(TRIES):
        code = choose.choice([*EXACT])
        count = 1 if names[code] not in OF_TWO else 3 if names[code] == "hypot_many" else 2
        numbers = [number(choose) for _ in range(count)]
        value = EXACT[code](*numbers)
        cases.append([names[code], *numbers])
        wanted.append(math.nan if value is None else value)
    listed = tmp_path / "cases.json"
    listed.write_text(json.dumps(cases))
    found = run_script("exact.mjs", listed)
    for case, text, value in zip(cases, found, wanted, strict=True):
        there = float(text.replace("Infinity", "inf"))
        same = there == value and math.copysign(1, there) == math.copysign(1, value)
        assert same or (math.isnan(there) and math.isnan(value)), (case, text, value)


def number(choose: random.Random) -> float:
    size = choose.choice((1e-12, 1e-3, 1.0, 1.0, 10.0, 300.0, 1e6, 1e22))
    drawn = (choose.choice(SPECIAL), choose.uniform(-size, size), float(choose.randint(-40, 40)))
    return choose.choice(drawn)
