# SPDX-License-Identifier: MIT
"""A scene that is edited in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.chromium import Tabs

GROUND = """\
rigid: 1
# the comment that stays
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}   # this one too
  crate: {shape: {box: [1, 1]}, position: [4, 0.5], color: "tan"}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "scene.yaml"
    file.write_text(GROUND, encoding="utf-8")
    return file


@pytest.fixture
def edit(tabs: Tabs, path: Path) -> Iterator[Any]:
    pytest.importorskip("websockets", reason="needs rigid2d[play]")
    from tests.editing.edited import Edit

    made = Edit(tabs, path)
    yield made
    made.end()
    assert made.errors == []
