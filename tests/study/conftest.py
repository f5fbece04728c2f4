# SPDX-License-Identifier: MIT
"""A small scene with a study, and what its tests share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.study.studies import SCENE

pytest.importorskip("pyarrow", reason="studies need the extra `study`")


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a scene with a study: ``write("vary: {...}", "collect: {...}")``."""

    def call(*lines: str, scene: str = SCENE, name: str = "scene.yaml") -> Path:
        file = tmp_path / name
        file.write_text(scene + "study:\n" + "".join(f"  {line}\n" for line in lines))
        return file

    return call
