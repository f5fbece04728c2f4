# SPDX-License-Identifier: MIT
"""Recordings for other processors, and one of them where its tools are installed.

``make processors`` builds the engine for all of them, which takes minutes; here only what is built
already is run.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import _native

from tests.processors.__main__ import TARGETS, Target, replay
from tests.processors.subjects import EXAMPLES, recorded


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_a_processor_gives_the_recorded_states(target: Target, tmp_path: Path) -> None:
    if missing := target.missing():
        pytest.skip(f"{' and '.join(missing)} is not installed")
    if not target.program.exists():
        pytest.skip("`make processors` builds it")
    recording = tmp_path / "gears.calls"
    recording.write_bytes(recorded("gears"))
    assert replay(target, recording, 0) == (0, replay(target, recording, 1)[1])


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_can_be_recorded(name: str) -> None:
    assert b"state_hash" in recorded(name)


def test_lanes_are_those_that_the_system_reports() -> None:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        pytest.skip("this system does not list the features of its processor")
    flags = {
        word for line in text.splitlines() if line.startswith("flags") for word in line.split()
    }
    wide = {8: {"avx2"}, 16: {"avx512f", "avx512vl", "avx512dq"}}
    expected = [1, 4, *(width for width, needed in wide.items() if needed <= flags)]
    assert list(_native.lanes_supported()) == expected
