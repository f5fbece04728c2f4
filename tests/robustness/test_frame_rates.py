# SPDX-License-Identifier: MIT
"""A frame rate that would fill a disk with pauses is refused."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError, UsageError
from rigid2d.core.render import Renderer
from rigid2d.core.scene import limits, loads

from tests.rows import every_row

TINY = [1e-9, 1e-300, 5e-324, 0.000_999]
SCENE = "rigid: 1\nbodies: {{b: {{shape: {{circle: 1}}}}}}\nrender: {{fps: {fps!r}}}\n"


@every_row("fps", TINY)
def test_a_scene_s_frame_rate_has_a_least_value(fps: float) -> None:
    with pytest.raises(SceneError, match=r":3:\d+: render.fps: .*0\.001"):
        loads(SCENE.format(fps=fps))


@every_row("fps", TINY)
def test_a_renderer_s_frame_rate_has_a_least_value(fps: float) -> None:
    scene = loads(SCENE.format(fps=30.0))
    with pytest.raises(UsageError, match=r"at least 0\.001"):
        Renderer(scene, fps=fps)


def test_the_least_rate_makes_a_small_file(
    ball: Path, tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    gif = tmp_path / "a.gif"
    done = command("run", ball, "--steps", "5", "--gif", gif, "--fps", str(limits.LEAST_FPS))
    assert done.returncode in (0, 1), done.stderr
    assert gif.stat().st_size < 10_000


def test_the_command_refuses_a_rate_below_the_least(
    ball: Path, tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    done = command("run", ball, "--gif", tmp_path / "a.gif", "--fps", "1e-300")
    assert done.returncode == 2
    assert b"at least 0.001" in done.stderr
    assert not (tmp_path / "a.gif").exists()
