# SPDX-License-Identifier: MIT
"""GIFs, read back with Pillow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageSequence
from rigid2d.core import _native
from rigid2d.core.errors import UsageError
from rigid2d.core.render import Renderer, open_encoder


def write(path, images, fps=30.0, colors=()):
    encoder = open_encoder(path, "gif", fps, images[0].shape[1::-1], colors=colors)
    for image in images:
        encoder.add(image)
    encoder.close()


def read(path):
    with Image.open(path) as file:
        frames = [
            (np.array(frame.convert("RGB")), frame.info["duration"])
            for frame in ImageSequence.Iterator(file)
        ]
        return [image for image, _ in frames], [delay for _, delay in frames], dict(file.info)


def plain(color, size=(40, 30)):
    image = np.empty((size[1], size[0], 3), np.uint8)
    image[:] = color
    return image


def with_dot(image, x, color=(200, 30, 30)):
    image = image.copy()
    image[10:16, x : x + 6] = color
    return image


def test_flat_colours_come_back_as_they_were(tmp_path):
    images = [with_dot(plain((246, 244, 239)), x) for x in range(2, 30, 4)]
    write(tmp_path / "a.gif", images)
    read_back, _, _ = read(tmp_path / "a.gif")
    assert len(read_back) == len(images)
    for ours, theirs in zip(images, read_back, strict=True):
        assert np.array_equal(ours, theirs)


def test_drawn_frames_come_back_nearly_as_they_were(tmp_path, scene, frames_of):
    renderer = Renderer(scene)
    images = [renderer.draw(frame) for frame in frames_of(scene, 12)]
    write(tmp_path / "a.gif", images, colors=renderer.colors())
    read_back, _, _ = read(tmp_path / "a.gif")
    assert len(read_back) == 12
    for ours, theirs in zip(images, read_back, strict=True):
        away = np.abs(ours.astype(int) - theirs.astype(int)).max(2)
        assert away.max() < 60
        assert (away == 0).mean() > 0.95


@pytest.mark.parametrize("fps", [10.0, 24.0, 25.0, 29.97, 30.0, 33.3, 50.0])
def test_delays_sum_to_the_duration(tmp_path, fps):
    images = [with_dot(plain((255, 255, 255)), x % 30) for x in range(60)]
    write(tmp_path / "a.gif", images, fps=fps)
    _, delays, _ = read(tmp_path / "a.gif")
    assert sum(delays) == 10 * int(100 * 60 / fps + 0.5)


def test_thirty_frames_a_second_are_delays_of_three_three_four(tmp_path):
    images = [with_dot(plain((255, 255, 255)), x) for x in range(6)]
    write(tmp_path / "a.gif", images, fps=30.0)
    _, delays, _ = read(tmp_path / "a.gif")
    assert delays == [30, 40, 30, 30, 40, 30]


@pytest.mark.parametrize("fps", [60.0, 100.0, 240.0])
def test_no_delay_is_so_short_that_viewers_slow_down(tmp_path, fps):
    images = [with_dot(plain((255, 255, 255)), x % 30) for x in range(60)]
    write(tmp_path / "a.gif", images, fps=fps)
    _, delays, _ = read(tmp_path / "a.gif")
    assert min(delays) >= 20
    assert sum(delays) == pytest.approx(1000 * 60 / fps, abs=20)


def test_frames_in_which_nothing_changes_only_take_time(tmp_path):
    still = with_dot(plain((255, 255, 255)), 3)
    moved = with_dot(plain((255, 255, 255)), 9)
    write(tmp_path / "a.gif", [still] * 10 + [moved] * 10, fps=20.0)
    images, delays, _ = read(tmp_path / "a.gif")
    assert delays == [500, 500]
    assert np.array_equal(images[1], moved)


def test_a_pause_longer_than_a_delay_can_say_is_kept(tmp_path):
    write(tmp_path / "a.gif", [plain((1, 2, 3)), plain((250, 2, 3))], fps=0.001)
    _, delays, _ = read(tmp_path / "a.gif")
    assert sum(delays) == 2 * 1_000_000


def test_it_loops_for_ever(tmp_path):
    write(tmp_path / "a.gif", [plain((9, 9, 9)), plain((200, 9, 9))])
    _, _, info = read(tmp_path / "a.gif")
    assert info["loop"] == 0


def test_a_small_change_is_a_small_frame():
    frames = _native.GifFrames(640, 480, np.zeros((0, 3), np.uint8))
    image = plain((240, 240, 240), (640, 480))
    first = len(frames.add(image))
    second = frames.add(with_dot(image, 100))
    assert len(second) < 60 < first
    assert frames.add(with_dot(image, 100)) == b""


def test_colours_given_are_kept_exactly(tmp_path):
    """Even when they are too near to each other to be told apart otherwise."""
    image = plain((100, 100, 100))
    image[:, 20:] = (103, 101, 100)
    write(tmp_path / "a.gif", [image], colors=[(100, 100, 100, 255), (103, 101, 100, 255)])
    images, _, _ = read(tmp_path / "a.gif")
    assert np.array_equal(images[0], image)


def test_a_photograph_fits_into_the_palette(tmp_path):
    y, x = np.mgrid[0:90, 0:120]
    photo = np.stack([x * 2, y * 2, 255 - x - y], 2).astype(np.uint8)
    write(tmp_path / "a.gif", [photo, photo[:, ::-1].copy()])
    images, _, _ = read(tmp_path / "a.gif")
    assert np.abs(images[0].astype(int) - photo).mean() < 12
    assert np.abs(images[1].astype(int) - photo[:, ::-1]).mean() < 12


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.integers(1, 70),
    height=st.integers(1, 50),
    palette=st.integers(1, 12),
    frames=st.integers(1, 6),
)
def test_any_frames_come_back(tmp_path_factory, seed, width, height, palette, frames):
    """Colours far enough apart to have entries of their own, in any arrangement."""
    random = np.random.default_rng(seed)
    levels = np.array([(r, g, b) for r in (0, 120, 240) for g in (5, 235) for b in (0, 250)])
    chosen = levels[random.permutation(len(levels))[:palette]].astype(np.uint8)
    images = [chosen[random.integers(0, palette, (height, width))]]
    for _ in range(frames - 1):
        change = random.random((height, width)) < random.random()
        other = chosen[random.integers(0, palette, (height, width))]
        images.append(np.where(change[:, :, None], other, images[-1]))
    path = tmp_path_factory.mktemp("gif") / "a.gif"
    write(path, images, fps=10.0)
    read_back, delays, _ = read(path)
    shown = [
        image for image, delay in zip(read_back, delays, strict=True) for _ in range(delay // 100)
    ]
    assert len(shown) == frames
    for ours, theirs in zip(images, shown, strict=True):
        assert np.array_equal(ours, theirs)


def test_a_large_noisy_frame_fills_the_dictionary_many_times(tmp_path):
    random = np.random.default_rng(1)
    levels = np.array([(0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 0, 255)], np.uint8)
    noise = levels[random.integers(0, 4, (300, 400))]
    noise[:150] = 0
    write(tmp_path / "a.gif", [noise, noise[::-1].copy()])
    images, _, _ = read(tmp_path / "a.gif")
    assert np.array_equal(images[0], noise)
    assert np.array_equal(images[1], noise[::-1])


def test_the_same_frames_give_the_same_file(tmp_path, scene, frames_of):
    for name in ("a.gif", "b.gif"):
        renderer = Renderer(scene)
        write(tmp_path / name, [renderer.draw(frame) for frame in frames_of(scene, 5)])
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_frame_of_another_size_is_refused(tmp_path, leftovers):
    encoder = open_encoder(tmp_path / "a.gif", "gif", 30, (40, 30))
    encoder.add(plain((1, 2, 3), (50, 30)))
    with pytest.raises(UsageError, match="40x30"):
        encoder.close()
    assert list(tmp_path.iterdir()) == []
    assert leftovers(tmp_path) == []


def gradients(count, size=(160, 96)):
    """A disc with shades of its own that moves over a sky of many colours."""
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(float)
    sky = np.stack([40 + y, 60 + 1.5 * y, 200 - 0.5 * y], 2)
    for k in range(count):
        away = np.hypot(x - 30 - 8 * k, y - 48)
        shade = np.stack([250 - 4 * away, 60 + 2 * away, 40 + away], 2)
        cover = np.clip(25.5 - away, 0, 1)[:, :, None]
        yield np.round(sky * (1 - cover) + shade * cover).astype(np.uint8)


def test_gradients_keep_their_shades(tmp_path):
    images = list(gradients(8))
    write(tmp_path / "a.gif", images)
    read_back, _, _ = read(tmp_path / "a.gif")
    for ours, theirs in zip(images, read_back, strict=True):
        away = np.abs(ours.astype(int) - theirs).max(2)
        assert away.mean() < 1.5
        assert away.max() < 32
    assert len(np.unique(read_back[-1].reshape(-1, 3), axis=0)) > 90


def test_a_picture_of_gradients_has_all_entries_and_a_plain_one_those_it_needs(tmp_path):
    counts = []
    for image in (next(iter(gradients(1, (320, 200)))), with_dot(plain((9, 9, 9)), 20)):
        write(tmp_path / "a.gif", [image])
        palette = (tmp_path / "a.gif").read_bytes()[13 : 13 + 768]
        counts.append(len({palette[i : i + 3] for i in range(0, 768, 3)} - {b"\0\0\0"}))
    assert counts[0] >= 225  # but those left to later frames
    assert counts[1] == 2


def test_a_film_of_gradients_comes_to_use_all_entries(tmp_path):
    images = list(gradients(8, (320, 200)))
    write(tmp_path / "a.gif", 6 * [*images, *images[-2:0:-1]])
    read_back, _, _ = read(tmp_path / "a.gif")
    colors = np.unique(np.concatenate([image.reshape(-1, 3) for image in read_back]), axis=0)
    assert len(colors) == 255  # all but the transparent one


def test_no_pixel_keeps_an_older_colour(tmp_path):
    """Once all colours have their entries, a frame looks the same whichever came before it."""
    images = list(gradients(8))
    there, back = images, images[-2:0:-1]
    write(tmp_path / "a.gif", 7 * [*there, *back])
    read_back, _, _ = read(tmp_path / "a.gif")
    assert len(read_back) == 7 * 14
    there, back, again = read_back[84:92], read_back[92:], read_back[78:84]
    for k, image in enumerate(back):
        assert np.array_equal(image, there[6 - k])
        assert np.array_equal(image, again[k])


def test_still_areas_stay_still(tmp_path):
    """Mixtures of two entries depend on places and colours alone."""
    images = list(gradients(8))
    write(tmp_path / "a.gif", images)
    read_back, _, _ = read(tmp_path / "a.gif")
    still = np.all([image == images[0] for image in images], axis=(0, 3))
    assert still.mean() > 0.4
    moved = np.any([image != read_back[0] for image in read_back], axis=(0, 3))
    assert (moved & still).mean() < 0.01


def test_a_picture_of_other_colours_gets_a_palette_of_its_own(tmp_path):
    y, x = np.mgrid[0:96, 0:128]
    red = np.stack([255 - y, x, x // 2 + y // 2], 2).astype(np.uint8)
    blue = np.stack([y, 255 - x, 255 - y], 2).astype(np.uint8)
    write(tmp_path / "a.gif", [red, blue, with_dot(blue, 20), red])
    read_back, _, _ = read(tmp_path / "a.gif")
    for ours, theirs in zip([red, blue, with_dot(blue, 20), red], read_back, strict=True):
        assert np.abs(ours.astype(int) - theirs).mean() < 5


def test_edges_are_not_mixed(tmp_path):
    """A shade of an edge is one entry wherever it lies, however many pixels have it."""
    image = plain((246, 244, 239), (400, 300))
    for x in range(10, 390, 4):
        image[:, x] = (40 + x // 2, 60, 90)
    write(tmp_path / "a.gif", [image])
    (shown,), _, _ = read(tmp_path / "a.gif")
    assert all(len(np.unique(shown[:, x], axis=0)) == 1 for x in range(10, 390, 4))
