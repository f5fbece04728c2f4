# SPDX-License-Identifier: MIT
"""Sessions that are played in tests."""

from __future__ import annotations

from pathlib import Path

from rigid2d.core import build, load
from rigid2d.core.play.session import Session


def rewrite(path: Path, text: str) -> None:
    """Change a file as an editor does: another one takes its place."""
    other = path.with_suffix(".new")
    other.write_text(text, encoding="utf-8")
    other.replace(path)


def run(session: Session, steps: int) -> int:
    """Play so many steps; the state."""
    session.play()
    session.advance((steps + 0.5) / 60)
    session.pause()
    return state(session)


def state(session: Session) -> int:
    assert session.world is not None
    return session.world.state_hash()


def replayed(path: Path, inputs: Path, steps: int) -> int:
    world = build(load(path, inputs=inputs))
    world.step(steps)
    return world.state_hash()
