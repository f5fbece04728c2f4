# SPDX-License-Identifier: MIT
"""Times a GIF of 100 bodies, 300 frames of 640x480, beside Pillow with imageio.

    python tests/benchmarks/gif.py [--rounds 3] [--keep FOLDER]

Ours is the whole process ``rigid run hundred_bodies.yaml --gif``: start, load, simulate, draw,
encode, write. The peer is given the finished motion (a CSV, read before its clock starts), and only
draws each frame with Pillow at three times the size, shrinks it with the quickest filter
(``Image.reduce``) and saves all with imageio's defaults. It starts no process and simulates
nothing, so what it is spared counts in its favour.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import imageio.v2 as imageio
import numpy as np
from PIL import Image, ImageDraw, ImageSequence

SCENE = Path(__file__).with_name("hundred_bodies.yaml")
RIGID = Path(sys.executable).with_name("rigid")
WIDTH, HEIGHT, FRAMES, RATE = 640, 480, 300, 30
SUPERSAMPLE = 3
SCALE = WIDTH / 16 * SUPERSAMPLE  # pixels per metre; the scene shows 16 m by 12 m
BACKGROUND = (250, 248, 244)
COLORS = ((102, 153, 204), (238, 153, 102), (119, 187, 136), (204, 136, 170), (187, 187, 102))

Pose = tuple[float, float, float]


@dataclass(frozen=True)
class Look:
    """A body as the peer draws it: a box of so many metres, or a disc when ``radius`` is given."""

    name: str
    color: tuple[int, int, int]
    size: tuple[float, float] = (0.0, 0.0)
    radius: float = 0.0


GRAY = (200, 200, 200)
LOOKS = [
    Look("floor", GRAY, (16.0, 1.0)),
    Look("left", GRAY, (1.0, 12.0)),
    Look("right", GRAY, (1.0, 12.0)),
    Look("stirrer", GRAY, (9.0, 0.4)),
    *(Look(f"crate[{i}]", COLORS[i % 5], (0.7, 0.5)) for i in range(50)),
    *(Look(f"disc[{i}]", COLORS[i % 5], radius=0.35) for i in range(50)),
]


def read_motion(path: Path) -> list[list[Pose]]:
    """Poses by frame and body, from the recorded step nearest to each frame's time."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    times = np.array([float(row["t"]) for row in rows])
    nearest = [rows[int(np.abs(times - k / RATE).argmin())] for k in range(FRAMES)]
    keys = ("x", "y", "angle")
    return [
        [tuple(float(row[f"{look.name}.{key}"]) for key in keys) for look in LOOKS]  # type: ignore[misc]
        for row in nearest
    ]


def draw(poses: list[Pose]) -> Image.Image:
    image = Image.new("RGB", (WIDTH * SUPERSAMPLE, HEIGHT * SUPERSAMPLE), BACKGROUND)
    canvas = ImageDraw.Draw(image)
    for look, (x, y, angle) in zip(LOOKS, poses, strict=True):
        outline = tuple(channel // 2 for channel in look.color)
        cx, cy = (x + 8.0) * SCALE, (12.0 - y) * SCALE
        c, s = math.cos(angle) * SCALE, math.sin(angle) * SCALE
        if look.radius:
            r = look.radius * SCALE
            around = (cx - r, cy - r, cx + r, cy + r)
            canvas.ellipse(around, fill=look.color, outline=outline, width=SUPERSAMPLE)
            rim = (cx + look.radius * c, cy - look.radius * s)
            canvas.line([(cx, cy), rim], fill=outline, width=SUPERSAMPLE)
        else:
            w, h = 0.5 * look.size[0], 0.5 * look.size[1]
            corners = ((-w, -h), (w, -h), (w, h), (-w, h))
            points = [(cx + c * u - s * v, cy - s * u - c * v) for u, v in corners]
            canvas.polygon(points, fill=look.color, outline=outline, width=SUPERSAMPLE)
    return image.reduce(SUPERSAMPLE)


def peer(motion: list[list[Pose]], out: Path) -> tuple[float, float]:
    """Seconds for drawing and for saving."""
    begin = time.perf_counter()
    frames = [np.asarray(draw(poses)) for poses in motion]
    drawn = time.perf_counter()
    imageio.mimsave(out, frames, duration=1000 / RATE)
    return drawn - begin, time.perf_counter() - drawn


def run(*options: str) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        [str(RIGID), "run", str(SCENE), *options, "--quiet"], check=True, env=environment
    )


def ours(out: Path) -> float:
    begin = time.perf_counter()
    run("--gif", str(out))
    return time.perf_counter() - begin


@dataclass(frozen=True)
class Figures:
    """Medians in seconds, and sizes in bytes: of ours, and of the peer."""

    rigid: float
    drawing: float
    saving: float
    sizes: tuple[int, int]
    same_frames: int  # bytes of imageio's GIF of our frames

    @property
    def ratio(self) -> float:
        return (self.drawing + self.saving) / self.rigid


def measure(rounds: int, keep: Path | None = None) -> Figures:
    with tempfile.TemporaryDirectory() as scratch:
        folder = keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        motion_file = Path(scratch) / "motion.csv"
        run("--csv", str(motion_file), "--gif", str(Path(scratch) / "first.gif"))
        motion = read_motion(motion_file)
        mine, other = folder / "rigid.gif", folder / "pillow_imageio.gif"
        times = [(ours(mine), *peer(motion, other)) for _ in range(rounds)]
        rigid, drawing, saving = (statistics.median(column) for column in zip(*times, strict=True))
        again = Path(scratch) / "again.gif"
        with Image.open(mine) as file:
            frames = [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(file)]
        imageio.mimsave(again, frames, duration=1000 / RATE)
        mine_size, other_size, again_size = (path.stat().st_size for path in (mine, other, again))
        return Figures(rigid, drawing, saving, (mine_size, other_size), again_size)


def main() -> None:
    parser = argparse.ArgumentParser(description="Times a GIF beside Pillow with imageio.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="leave both GIFs in this folder")
    arguments = parser.parse_args()
    found = measure(arguments.rounds, arguments.keep)
    mine, other = found.sizes
    both = found.drawing + found.saving
    print(f"rigid run, whole process    {found.rigid:7.2f} s  {mine / 1e6:6.2f} MB")
    print(f"Pillow 3x and imageio       {both:7.2f} s  {other / 1e6:6.2f} MB")
    print(f"  of it drawing {found.drawing:.2f} s, saving {found.saving:.2f} s")
    print(f"the peer takes {found.ratio:.1f} times as long; ours is {mine / other:.2f}")
    same = found.same_frames
    print(f"times the size, and {mine / same:.2f} of imageio's {same / 1e6:.2f} MB for our frames")


if __name__ == "__main__":
    main()
