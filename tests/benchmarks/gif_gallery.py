# SPDX-License-Identifier: MIT
"""Compares GIFs of scenes of the gallery with those that imageio writes of the same frames.

    python tests/benchmarks/gif_gallery.py [--seconds 3] [--rounds 3] [SCENE...]

Both writers get the frames that ``rigid run`` draws, 480 x 360, in turns. Times are processor times
of writing alone: nothing is simulated or drawn while the clock runs. The errors are those of the
frames read back: the mean over all channels, and ``restless``, the part of the pixels that did not
change in the frames and do change in the GIF.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import imageio.v2 as imageio
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageSequence
from rigid2d.core import load
from rigid2d.core.render import Renderer
from rigid2d.core.render.encoders.gif import GifEncoder

ROOT = Path(__file__).parents[2] / "scenes"
SCENES = [
    "games/spider_box",
    "games/moonlander",
    "games/platform_level",
    "pictures/landscape",
    "pictures/textures",
    "pictures/garden",
    "basics/orbits",
    "machines/galton_board",
    "shapes/letters",
    "stacking/arch",
    "joints/wrecking_ball",
    "living/fireworks",
    "figures/dave",
]
RIGID = Path(sys.executable).with_name("rigid")
SIZE, RATE = (480, 360), 30

Images = list[NDArray[np.uint8]]


@dataclass(frozen=True)
class Figures:
    """Seconds of processor time for a frame, bytes, mean error in steps of 255, restless part."""

    seconds: float
    size: int
    error: float
    restless: float


def frames_of(scene: Path, seconds: float, folder: Path) -> Images:
    """Return the frames of a scene as ``rigid run`` draws them."""
    command = [RIGID, "run", scene, "--png", f"{folder}/", "--seconds", str(seconds), "--quiet"]
    subprocess.run(
        [*map(str, command), "--size", "x".join(map(str, SIZE)), "--fps", str(RATE)], check=True
    )
    return [np.array(Image.open(path).convert("RGB")) for path in sorted(folder.rglob("*.png"))]


def write_usual(path: Path, images: Images) -> None:
    imageio.mimsave(path, images, duration=1000 / RATE)


def read(path: Path, count: int) -> Images:
    """Return what a GIF shows for each frame; frames that stay are repeated."""
    images: Images = []
    shown = 0
    with Image.open(path) as file:
        for frame in ImageSequence.Iterator(file):
            shown += frame.info["duration"]
            until = round(shown * RATE / 1000)
            images += [np.array(frame.convert("RGB"))] * (until - len(images))
    return (images + images[-1:] * count)[:count]


def errors(images: Images, path: Path) -> tuple[float, float]:
    total, restless, still = 0.0, 0, 0
    shown = read(path, len(images))
    for k, (image, there) in enumerate(zip(images, shown, strict=True)):
        total += float(np.abs(image.astype(int) - there).mean())
        if k > 0:
            same = (image == images[k - 1]).all(2)
            still += int(same.sum())
            restless += int((same & (there != shown[k - 1]).any(2)).sum())
    return total / len(images), restless / max(still, 1)


def compare(scene: Path, seconds: float, rounds: int) -> tuple[Figures, Figures]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "frames"
        folder.mkdir()
        images = frames_of(scene, seconds, folder)
        colors = Renderer(load(scene), size=SIZE).colors()
        ours, usual = Path(scratch) / "ours.gif", Path(scratch) / "usual.gif"

        def write_ours(path: Path, images: Images) -> None:
            encoder = GifEncoder(path, RATE, SIZE, colors)
            for image in images:
                encoder.add(image)
            encoder.close()

        pairs = ((write_ours, ours), (write_usual, usual))
        times: list[list[float]] = [[], []]
        for _ in range(rounds):
            for (write, path), column in zip(pairs, times, strict=True):
                begin = time.process_time()
                write(path, images)
                column.append((time.process_time() - begin) / len(images))
        mine, other = (
            Figures(statistics.median(column), path.stat().st_size, *errors(images, path))
            for column, (_, path) in zip(times, pairs, strict=True)
        )
        return mine, other


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares GIFs of scenes with imageio's.")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("scenes", nargs="*", type=Path)
    arguments = parser.parse_args()
    scenes = arguments.scenes or [ROOT / f"{name}.yaml" for name in SCENES]
    sums = np.zeros((2, 2))
    print(f"{'':24s} ms a frame: ours, usual; kB: ours, usual; part; errors; restless")
    for scene in scenes:
        mine, other = compare(scene, arguments.seconds, arguments.rounds)
        sums += [[mine.seconds, other.seconds], [mine.size, other.size]]
        print(
            f"{scene.stem:24s} {1e3 * mine.seconds:5.2f} {1e3 * other.seconds:6.2f} "
            f"{mine.size / 1e3:7.0f} {other.size / 1e3:7.0f} {mine.size / other.size:5.2f} "
            f"{mine.error:6.2f} {other.error:5.2f} "
            f"{100 * mine.restless:6.2f} {100 * other.restless:5.2f} %",
            flush=True,
        )
    (time_ours, time_usual), (size_ours, size_usual) = sums
    part = size_ours / size_usual
    print(f"all: {time_usual / time_ours:.1f} times as fast, {part:.2f} of the size")


if __name__ == "__main__":
    main()
