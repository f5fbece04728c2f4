# SPDX-License-Identifier: MIT
"""Engines are told apart by the code that decides results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rigid2d.core.identity import code_digest, engine_version


def test_an_engine_is_its_version_and_its_code() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{12}", engine_version())


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ("world/script/actions.py", False),
        ("scene/new.py", False),
        ("native.so", False),
        ("play/server.py", True),
        ("scene/notes.txt", True),
    ],
)
def test_code_that_decides_results_makes_another_engine(
    changed: str, same: bool, tmp_path: Path
) -> None:
    native = tmp_path / "native.so"
    for name in ("world/script/actions.py", "native.so", "scene/model.py", "play/server.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one = 1\n")
    before = code_digest(tmp_path, native)
    (tmp_path / changed).write_text("one = 2\n")
    assert (code_digest(tmp_path, native) == before) is same
