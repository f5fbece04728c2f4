# SPDX-License-Identifier: MIT
"""A background image of any content is shown, or refused where the scene names it."""

from __future__ import annotations

import struct
import subprocess
import warnings
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import SceneError
from rigid2d.core.render import Renderer
from rigid2d.core.scene import limits, load, loads
from rigid2d.core.scene.text import images as images_module
from rigid2d.core.scene.text.images import read_image
from rigid2d.core.world import World

from tests.rows import every_row

SCENE = """\
rigid: 1
bodies: {ball: {shape: {circle: 0.5}}}
render: {size: [64, 48], background: {image: sky}}
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """A scene whose background is ``sky``, beside it."""
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    return path


def packed(kind: str, mode: str = "RGB", value: object = (10, 20, 30), **options: object) -> bytes:
    file = BytesIO()
    Image.new(mode, (9, 7), value).save(file, kind, **options)  # type: ignore[arg-type]
    return file.getvalue()


def chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content)) + kind + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )  # fmt: skip


def claiming(width: int, height: int) -> bytes:
    """A PNG that says that it is large, and holds nothing."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


POSTSCRIPT = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n"


@every_row(
    ("content", "message"),
    [
        (POSTSCRIPT, "not a PNG, JPEG, WebP or GIF"),
        (packed("TIFF"), "not a PNG, JPEG, WebP or GIF"),
        (packed("BMP"), "not a PNG, JPEG, WebP or GIF"),
        (packed("PPM"), "not a PNG, JPEG, WebP or GIF"),
        (b"", "not a PNG, JPEG, WebP or GIF"),
        (b"rigid: 1", "not a PNG, JPEG, WebP or GIF"),
        (claiming(8000, 8000), "the image of 8000x8000 has too many pixels"),
        (claiming(10**9, 10**9), "too many pixels"),
        (claiming(60, 60), "the image is damaged"),
        (packed("PNG")[:-30], "the image is damaged"),
        (packed("JPEG")[:-30], "the image is damaged"),
    ],
)
def test_what_is_no_image_is_refused_with_its_place(
    content: bytes, message: str, scene: Path
) -> None:
    (scene.parent / "sky").write_bytes(content)
    with pytest.raises(SceneError, match=message) as caught:
        load(scene)
    (problem,) = caught.value.problems
    assert (problem.line, problem.path) == (3, "render.background.image")


def test_a_file_that_is_too_large_is_not_read(scene: Path) -> None:
    with (scene.parent / "sky").open("wb") as file:
        file.truncate(limits.IMAGE_BYTES + 1)
    with pytest.raises(SceneError, match="limit is 64 MiB"):
        load(scene)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_an_image_with_any_bytes_changed_is_read_or_refused(kind: str, scene: Path) -> None:
    whole = packed(kind)
    random = np.random.default_rng(3)
    for _ in range(100):
        damaged = bytearray(whole)
        for position in random.integers(0, len(whole), 3):
            damaged[position] = random.integers(0, 256)
        (scene.parent / "sky").write_bytes(damaged)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with suppress(SceneError):
                read = load(scene)
                Renderer(read).draw(World(read).frame())


@pytest.mark.parametrize(
    ("content", "color"),
    [
        (packed("PNG"), (10, 20, 30)),
        (packed("PNG", "L", 40), (40, 40, 40)),
        (packed("PNG", "I;16", 40 << 8), (40, 40, 40)),
        (packed("PNG", "LA", (40, 255)), (40, 40, 40)),
        (packed("PNG", "1", 1), (255, 255, 255)),
        (packed("GIF"), (10, 20, 30)),
        (packed("WEBP", lossless=True), (10, 20, 30)),
        (packed("JPEG", "L", 40), (40, 40, 40)),
        (packed("JPEG", "CMYK", (0, 0, 0, 215)), (40, 40, 40)),
    ],
)
def test_images_of_every_kind_are_shown(
    content: bytes, color: tuple[int, int, int], scene: Path
) -> None:
    (scene.parent / "sky").write_bytes(content)
    picture = Renderer(load(scene)).draw(World(load(scene)).frame())
    assert np.abs(picture[0, 0].astype(int) - color).max() <= 2


def test_warnings_of_the_decoder_are_not_shown(
    scene: Path, command: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    (scene.parent / "sky").write_bytes(claiming(12_000, 12_000))
    done = command("validate", scene)
    assert done.returncode == 2
    assert b"Warning" not in done.stderr
    assert b"too many pixels" in done.stdout


@pytest.mark.parametrize("content", [b"none", b"\x89PNG\r\n\x1a\n", None])
def test_an_image_that_many_name_is_read_once(
    tmp_path: Path, content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is None:
        Image.new("RGB", (8, 8)).save(tmp_path / "wood.png")
    else:
        (tmp_path / "wood.png").write_bytes(content)
    read: list[str] = []
    monkeypatch.setattr(
        images_module, "read_image", lambda path: read.append(path) or read_image(path)
    )
    body = "{shape: {circle: 1}, texture: {file: wood.png, angle: =i}, repeat: {i: 90}}"
    with suppress(SceneError):
        loads(f"rigid: 1\nbodies: {{a: {body}, b: {body}}}\n", folder=tmp_path)
    assert len(read) == 1
