# SPDX-License-Identifier: MIT
"""The page about environments lists why a world is not stepped side by side with others."""

from __future__ import annotations

import re
from pathlib import Path

from rigid2d.core import build, loads

ROOT = Path(__file__).parents[2]
SOURCES = {"step.cpp": "why_not_in_lanes", "statistics.cpp": "why_alone"}
ARM = """\
rigid: 1
bodies: {{arm: {{shape: {{box: [1, 0.1]}}}}, box: {{shape: {{box: [1, 1]}}, position: [3, 0]}}}}
joints: {{hinge: {{type: revolute, bodies: [{a}, arm], anchor: [-0.5, 0]}}}}
"""


def test_each_reason_is_in_the_page() -> None:
    page = (ROOT / "docs/environments.md").read_text(encoding="utf-8")
    listed = re.findall(
        r"^\| `(\w[^`]+)` \| .+ \|$", page.partition("| `no: ...`")[2], re.MULTILINE
    )
    reasons = []
    for file, function in SOURCES.items():
        text = (ROOT / "core/native/engine" / file).read_text(encoding="utf-8")
        body = text.partition(f"const char* {function}(")[2].partition("\n}\n")[0]
        reasons += re.findall(r'return[^;"]*"([^"]+)"', body)
    assert len(reasons) > 8
    assert [reason for reason in reasons if reason not in listed] == []


def test_a_mechanism_that_is_not_held_is_said_to_be_so() -> None:
    held, free = (build(loads(ARM.format(a=name))) for name in ("world", "box"))
    for world in (held, free):
        world.step()
    assert held.native.why_alone() is None
    assert free.native.why_alone().startswith("its mechanisms are not held")
