# SPDX-License-Identifier: MIT
"""What holds for all encoders: whole files or none, and errors that say what would be right."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import UsageError
from rigid2d.core.render import KINDS, open_encoder
from rigid2d.core.render.encoders import webp

NAMES = {"gif": "a.gif", "mp4": "a.mp4", "webp": "a.webp", "png": "a.png", "frames": "a"}


def images(count=5, size=(48, 32)):
    result = []
    for i in range(count):
        image = np.full((size[1], size[0], 3), 240, np.uint8)
        image[8:20, 4 * i : 4 * i + 12] = (200, 40, 40)
        result.append(image)
    return result


def feed(encoder, frames):
    for frame in frames:
        encoder.add(frame)
    encoder.close()


def write(path, kind, frames, fps=25.0):
    feed(open_encoder(path, kind, fps, frames[0].shape[1::-1]), frames)


def content(path):
    if path.is_dir():
        return {each.name: each.read_bytes() for each in path.iterdir()}
    return path.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_follows_from_the_name(tmp_path, kind):
    write(tmp_path / NAMES[kind], None, images())
    assert [path.name for path in tmp_path.iterdir()] == [NAMES[kind]]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_frames_give_the_same_bytes(tmp_path, kind):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / NAMES[kind], kind, images())
    first, second = (content(tmp_path / each / NAMES[kind]) for each in ("first", "second"))
    assert first == second


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_in_its_place_before_it_is_whole(tmp_path, kind):
    path = tmp_path / NAMES[kind]
    encoder = open_encoder(path, kind, 25, (48, 32))
    for image in images():
        encoder.add(image)
    assert not path.exists()
    encoder.close()
    assert path.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_abort_leaves_nothing(tmp_path, kind):
    encoder = open_encoder(tmp_path / NAMES[kind], kind, 25, (48, 32))
    for image in images():
        encoder.add(image)
    encoder.abort()
    encoder.abort()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_abort_does_not_harm_an_older_file(tmp_path, kind):
    path = tmp_path / NAMES[kind]
    write(path, kind, images())
    before = content(path)
    encoder = open_encoder(path, kind, 25, (48, 32))
    for image in images(9):
        encoder.add(image)
    encoder.abort()
    assert content(path) == before
    assert [each.name for each in tmp_path.iterdir()] == [NAMES[kind]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_newer_file_takes_the_place_of_an_older_one(tmp_path, kind):
    path = tmp_path / NAMES[kind]
    write(path, kind, images())
    before = content(path)
    write(path, kind, images(3)[::-1])
    assert content(path) != before
    assert [each.name for each in tmp_path.iterdir()] == [NAMES[kind]]


@pytest.mark.parametrize("kind", KINDS)
def test_no_frames_are_an_error(tmp_path, kind):
    encoder = open_encoder(tmp_path / NAMES[kind], kind, 25, (48, 32))
    with pytest.raises(UsageError, match="no frame"):
        encoder.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_folder_is_named(tmp_path, kind):
    with pytest.raises(UsageError, match="there is no folder"):
        open_encoder(tmp_path / "missing" / NAMES[kind], kind, 25, (48, 32))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "frames"])
def test_a_folder_where_a_file_is_wanted_is_an_error(tmp_path, kind):
    (tmp_path / NAMES[kind]).mkdir()
    with pytest.raises(UsageError, match="folder"):
        open_encoder(tmp_path / NAMES[kind], kind, 25, (48, 32))


def test_a_file_where_a_folder_is_wanted_is_an_error(tmp_path):
    (tmp_path / "a").write_text("mine")
    with pytest.raises(UsageError, match="folder"):
        open_encoder(tmp_path / "a", "frames", 25, (48, 32))
    assert (tmp_path / "a").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_that_cannot_be_written_is_an_error(tmp_path, kind):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UsageError, match="cannot be written"):
            open_encoder(tmp_path / NAMES[kind], kind, 25, (48, 32))
    finally:
        tmp_path.chmod(0o700)


def test_an_unknown_suffix_lists_the_known_ones(tmp_path):
    with pytest.raises(UsageError, match=r"\.gif, \.mp4, \.webp or \.png"):
        open_encoder(tmp_path / "a.avi", None, 25, (48, 32))


def test_an_unknown_kind_lists_the_known_ones(tmp_path):
    with pytest.raises(UsageError, match="gif, mp4, webp, png, frames"):
        open_encoder(tmp_path / "a.gif", "movie", 25, (48, 32))


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan")])
def test_a_frame_rate_must_be_above_zero(tmp_path, fps):
    with pytest.raises(UsageError, match="fps"):
        open_encoder(tmp_path / "a.gif", "gif", fps, (48, 32))


def test_no_thread_is_left_behind(tmp_path):
    before = threading.active_count()
    write(tmp_path / "a.gif", "gif", images())
    encoder = open_encoder(tmp_path / "b.gif", "gif", 25, (48, 32))
    encoder.abort()
    assert threading.active_count() == before


@pytest.mark.parametrize("size", [(48, 32), (47, 31), (17, 16)])
def test_an_mp4_has_all_frames_and_an_even_size(tmp_path, size):
    write(tmp_path / "a.mp4", "mp4", images(10, size))
    frames = imageio_ffmpeg.read_frames(str(tmp_path / "a.mp4"))
    facts = next(frames)
    width, height = size[0] + size[0] % 2, size[1] + size[1] % 2
    assert facts["size"] == (width, height)
    assert facts["fps"] == 25
    assert facts["codec"] == "h264"
    assert "yuv420p" in facts["pix_fmt"]
    pictures = [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in frames]
    assert len(pictures) == 10
    for ours, theirs in zip(images(10, size), pictures, strict=True):
        seen = theirs[: size[1], : size[0]].astype(int)
        assert np.abs(seen - ours).mean() < 6


@pytest.mark.parametrize(("full", "layout"), [(False, "yuv420p"), (True, "yuv444p")])
def test_an_mp4_says_how_its_colours_are_meant(tmp_path, full, layout):
    path = tmp_path / "a.mp4"
    frames = images()
    for frame in frames:
        frame[::4, :] = (230, 20, 20)
    feed(open_encoder(path, None, 25.0, (48, 32), full_colors=full), frames)
    program = imageio_ffmpeg.get_ffmpeg_exe()
    told = subprocess.run([program, "-i", path], capture_output=True, text=True, check=False)
    # The matrix, the primaries and the transfer; one word if all three are the same.
    assert re.search(rf"{layout}\(tv, bt709/bt709/iec61966-2-1", told.stderr), told.stderr
    reader = imageio_ffmpeg.read_frames(path)
    next(reader)
    line = np.frombuffer(next(reader), np.uint8).reshape(32, 48, 3)[4, 30:40]
    away = np.abs(line.astype(int) - (230, 20, 20)).max()
    assert (away < 24) == full


def test_an_mp4_starts_with_its_index(tmp_path):
    write(tmp_path / "a.mp4", "mp4", images())
    data = (tmp_path / "a.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_a_webp_moves(tmp_path):
    write(tmp_path / "a.webp", "webp", images(4))
    with Image.open(tmp_path / "a.webp") as file:
        assert file.n_frames == 4
        assert file.size == (48, 32)
        assert file.info["loop"] == 0
        for i, image in enumerate(images(4)):
            file.seek(i)
            assert np.abs(np.array(file.convert("RGB")).astype(int) - image).mean() < 6


def test_a_long_webp_is_encoded_a_few_pictures_at_a_time(tmp_path, monkeypatch):
    """And says the same as one that is encoded whole: 7 pictures, two of them shown twice."""
    shown = [images(8)[i] for i in (0, 1, 2, 2, 3, 4, 5, 5, 6)]
    monkeypatch.setattr(webp, "BATCH_BYTES", 3 * shown[0].nbytes)
    write(tmp_path / "a.webp", "webp", shown)
    with Image.open(tmp_path / "a.webp") as file:
        assert file.n_frames == 7
        durations = []
        for i in range(7):
            file.seek(i)
            assert np.abs(np.array(file.convert("RGB")).astype(int) - images(8)[i]).mean() < 6
            durations.append(file.info["duration"])
    assert durations == [40, 40, 80, 40, 40, 80, 40]


def test_a_webp_in_which_nothing_moves_lasts_as_long_as_its_frames(tmp_path):
    write(tmp_path / "a.webp", "webp", [images(1)[0]] * 50)
    with Image.open(tmp_path / "a.webp") as file:
        file.load()
        assert (file.n_frames, file.info["duration"]) == (1, 2000)


def test_a_webp_may_have_pictures_larger_than_a_batch(tmp_path, monkeypatch):
    monkeypatch.setattr("rigid2d.core.render.encoders.webp.BATCH_BYTES", 1000)
    write(tmp_path / "a.webp", "webp", images(3))
    with Image.open(tmp_path / "a.webp") as file:
        assert file.n_frames == 3


def test_frames_are_numbered_pictures(tmp_path):
    write(tmp_path / "out", "frames", images(3))
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["frame-00000.png", "frame-00001.png", "frame-00002.png"]
    for name, image in zip(names, images(3), strict=True):
        assert np.array_equal(np.array(Image.open(tmp_path / "out" / name)), image)


def test_frames_of_an_older_run_go_and_other_files_stay(tmp_path):
    folder = tmp_path / "out"
    write(folder, "frames", images(5))
    (folder / "notes.txt").write_text("mine")
    write(folder, "frames", images(2))
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["frame-00000.png", "frame-00001.png", "notes.txt"]


def test_a_single_picture_is_the_last_one_given(tmp_path):
    write(tmp_path / "a.png", "png", images(3))
    assert np.array_equal(np.array(Image.open(tmp_path / "a.png")), images(3)[-1])


@pytest.mark.parametrize("colors", [200, 4000])
def test_a_small_picture_has_a_palette_near_its_colours(tmp_path, colors):
    numbers = np.arange(48 * 96) % colors
    image = np.stack([numbers // 63 * 3, numbers % 63 * 4, numbers // 16], -1).astype(np.uint8)
    image = image.reshape(48, 96, 3)
    feed(open_encoder(tmp_path / "a.png", "png", 25.0, (96, 48), small=True), [image])
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.mode == "P"
        apart = np.abs(np.asarray(picture.convert("RGB")).astype(int) - image)
    assert apart.max() <= (0 if colors <= 256 else 40)
    assert apart.mean() <= (0 if colors <= 256 else 8)


@pytest.mark.parametrize("kind", ["gif", "webp", "png", "frames"])
def test_a_disk_that_is_full_leaves_no_file_and_harms_none(tmp_path, small_files, kind):
    noise = np.random.default_rng(1).integers(0, 255, (32, 48, 3), np.uint8)
    path = tmp_path / NAMES[kind]
    write(path, kind, images(1))
    before = content(path)
    encoder = open_encoder(path, kind, 25, (48, 32))
    with small_files(), pytest.raises(UsageError, match=f"{path.name}: cannot be written"):
        feed(encoder, [noise] * 3)
    encoder.abort()
    assert content(path) == before
    assert list(tmp_path.iterdir()) == [path]


def test_without_its_own_ffmpeg_that_of_the_system_is_used(tmp_path, monkeypatch):
    program = tmp_path / "ffmpeg"
    program.symlink_to(imageio_ffmpeg.get_ffmpeg_exe())
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.delenv("IMAGEIO_FFMPEG_EXE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    write(tmp_path / "a.mp4", "mp4", images())
    assert (tmp_path / "a.mp4").stat().st_size > 0
    program.unlink()
    with pytest.raises(UsageError, match="no ffmpeg was found"):
        open_encoder(tmp_path / "b.mp4", "mp4", 25, (48, 32))


def test_what_ffmpeg_says_reaches_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", "/bin/false")
    encoder = open_encoder(tmp_path / "a.mp4", "mp4", 25, (48, 32))
    with pytest.raises(UsageError, match="ffmpeg"):
        feed(encoder, images(3))
    encoder.abort()
    assert list(tmp_path.iterdir()) == []
