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
IS_SOURCE_DISTRIBUTION = not (ROOT / "renders").exists()
"""Whether the gallery and the largest pictures of pages are left out here."""
NAMES = [path.relative_to(ROOT / "scenes").as_posix() for path in SCENES]


def is_there(path: Path) -> bool:
    """Whether a file of a page exists, or is a picture that no source distribution has."""
    left_out = path.suffix in (".png", ".gif") or "renders" in path.parts
    return path.exists() or (IS_SOURCE_DISTRIBUTION and left_out)


@cache
def loaded(path: Path) -> Scene:
    """A scene as it is written."""
    return load(path)
