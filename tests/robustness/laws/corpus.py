# SPDX-License-Identifier: MIT
"""Worlds as files: a scene, and in front of it which law, figure and seed it is kept for."""

from __future__ import annotations

from pathlib import Path

from .hunting import Broken
from .judge import Finding


def save(broken: Broken, text: bytes, folder: Path, finding: Finding | None = None) -> Path:
    """Write a world that breaks a law, with the figure that it has now."""
    share, said = (finding.share, finding.said) if finding else (broken.share, broken.said)
    folder.mkdir(parents=True, exist_ok=True)
    name = "-".join([broken.law, *broken.kind, str(broken.seed), str(broken.number)])
    path = folder / f"{name.replace(' ', '-')}.yaml"
    head = f"# law: {broken.law}, {share:.3g} times what is allowed: {said}\n"
    head += f"# seed {broken.seed}, world {broken.number}\n"
    path.write_bytes(head.encode() + text)
    return path
