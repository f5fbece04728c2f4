# SPDX-License-Identifier: MIT
"""The scenes of the repository, each loaded once for all tests that go through them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rigid2d.core import Scene, load

ROOT = Path(__file__).resolve().parents[1]
SCENES = sorted(
    path
    for path in (ROOT / "scenes").rglob("*.yaml")
    if any(line.startswith("rigid:") for line in path.read_text(encoding="utf-8").splitlines())
)
NAMES = [path.relative_to(ROOT / "scenes").as_posix() for path in SCENES]


@cache
def loaded(path: Path) -> Scene:
    """A scene as it is written."""
    return load(path)
