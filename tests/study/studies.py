# SPDX-License-Identifier: MIT
"""What the tests of studies share."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]
SCENE = """\
rigid: 1
name: A hop
vars: {height: 2, slope: 0}
world: {duration: 1}
bodies:
  ground: {type: static, shape: {box: [9, 1]}, position: [0, -0.5]}
  ball:
    shape: {circle: 0.5, restitution: 0.5}
    position: [0, =height]
    velocity: [=slope, "=uniform(-0.1, 0.1)"]
expect:
  - {always: =ball.y > 0.4}
"""
LONG = SCENE.replace("duration: 1}", "duration: 20}")  # some hundred of these run for seconds
VARY = "vary: {vars.height: {from: 1, to: 4, count: 6}, world.seed: {count: 4}}"
COLLECT = "collect: {top: {max: =ball.y}, landed: {first: =ball.contacts > 0}, held: expect}"
SAMPLE = "sample: {random: 150}"


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All files of a study but the seconds, by their names."""
    files = [
        file for file in folder.rglob("*") if file.is_file() and file.name != "seconds.parquet"
    ]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def fill_disk(patched: pytest.MonkeyPatch) -> None:
    """Let the disk be full after four files, and each row of a study be written at once."""
    real, writes = os.fsync, []

    def full(descriptor: int) -> None:
        writes.append(descriptor)
        if len(writes) > 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    patched.setattr("rigid2d.core.study.executor.FLUSH", 0.0)
    patched.setattr(os, "fsync", full)
