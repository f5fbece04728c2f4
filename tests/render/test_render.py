# SPDX-License-Identifier: MIT
"""Frames to files, several at once."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import UsageError
from rigid2d.core.render import Output, Renderer, render


def test_all_outputs_get_all_frames(tmp_path, scene, frames_of):
    outputs = [tmp_path / name for name in ("a.gif", "a.mp4", "a.webp", "a.png", "frames")]
    assert render(scene, frames_of(scene, 6), outputs) == 6
    assert all(path.exists() for path in outputs)
    assert len(list((tmp_path / "frames").iterdir())) == 6
    with Image.open(tmp_path / "a.gif") as file:
        assert file.n_frames == 6


def test_a_single_picture_shows_the_time_asked_for(tmp_path, scene, frames_of):
    wanted = Output(tmp_path / "a.png", at=0.1)
    render(scene, frames_of(scene, 10, fps=30.0), [wanted])
    renderer = Renderer(scene)
    images = [renderer.draw(frame) for frame in frames_of(scene, 10)]
    assert np.array_equal(np.array(Image.open(tmp_path / "a.png")), images[3])


def test_a_single_picture_without_a_time_shows_the_end(tmp_path, scene, frames_of):
    render(scene, frames_of(scene, 4), [tmp_path / "a.png"])
    renderer = Renderer(scene)
    images = [renderer.draw(frame) for frame in frames_of(scene, 4)]
    assert np.array_equal(np.array(Image.open(tmp_path / "a.png")), images[-1])


def test_size_and_theme_reach_the_picture(tmp_path, scene, frames_of):
    render(scene, frames_of(scene, 1), [tmp_path / "a.png"], size=(90, 70), theme="dark")
    with Image.open(tmp_path / "a.png") as file:
        assert file.size == (90, 70)
        assert file.getpixel((0, 0))[0] < 60


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_a_run_that_breaks_off_leaves_nothing(tmp_path, scene, frames_of, error):
    (tmp_path / "a.gif").write_bytes(b"older")

    def breaking():
        yield from frames_of(scene, 3)
        raise error

    names = ("a.gif", "a.mp4", "a.webp", "a.png", "frames")
    with pytest.raises(error):
        render(scene, breaking(), [tmp_path / name for name in names])
    assert [path.name for path in tmp_path.iterdir()] == ["a.gif"]
    assert (tmp_path / "a.gif").read_bytes() == b"older"


def test_no_frames_are_an_error_and_leave_nothing(tmp_path, scene):
    with pytest.raises(UsageError, match="no frame"):
        render(scene, [], [tmp_path / "a.gif", tmp_path / "a.mp4"])
    assert list(tmp_path.iterdir()) == []


def test_one_output_that_cannot_be_made_stops_all(tmp_path, scene, frames_of):
    with pytest.raises(UsageError, match=r"\.avi"):
        render(scene, frames_of(scene, 3), [tmp_path / "a.gif", tmp_path / "b.avi"])
    assert list(tmp_path.iterdir()) == []


STREAM = """
    import re, resource, sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from conftest import make_scene, moving_frames
    from rigid2d.core.render import render
    scene = make_scene()
    own = Path("/proc/self/status")
    for frames in (10, 35):
        count = render(scene, moving_frames(scene, frames), [{path!r}], size=(1280, 720))
        assert count == frames
        # What Linux counts as the peak of a process begins with that of the one it came from.
        peak = re.search(r"VmHWM:\\s+(\\d+)", own.read_text()) if own.exists() else None
        print(peak[1] if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_memory_does_not_grow_with_the_length_of_a_video(tmp_path, request, name):
    """The bound for a minute at 1280x720 is 300 MB, ffmpeg's own process aside."""
    code = textwrap.dedent(STREAM).format(tests=str(request.path.parent), path=str(tmp_path / name))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    peaks = [int(peak) / 1024.0 for peak in done.stdout.split()]
    assert peaks[1] < 300.0
    assert peaks[1] - peaks[0] < 25.0
