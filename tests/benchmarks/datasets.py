# SPDX-License-Identifier: MIT
"""Times a data set of rigid beside the usual way to one: pymunk, with Pillow drawing.

    python tests/benchmarks/datasets.py [--runs 60] [--rounds 3]

Runs of 5 seconds at 60 steps a second, of five bodies that are thrown into a box; of each 50 frames
of 64x64 pixels with masks, as PNG, and the poses. Processor time of one thread, in rounds in which
both take their turns; what 10,000 runs take follows from the medians. Both write what they make:
rigid tar archives, the usual way a folder for each run.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pymunk
import rigid2d.core.dataset as dataset
from PIL import Image, ImageDraw

RUNS = 10_000
FRAMES, SIDE, STEPS = 50, 64, 6
SCENE = """
rigid: 1
world: {duration: 5, seed: 1}
materials: {wood: {friction: 0.5, restitution: 0.4}}
defaults: {body: {material: wood}}
bodies:
  floor: {type: static, shape: {box: [8, 0.4]}, position: [0, -0.2]}
  side: {repeat: {i: 2}, type: static, shape: {box: [0.4, 9]}, position: [=-4.2 + 8.4*i, 4]}
  disc:
    repeat: {i: 2}
    shape: {circle: 0.4}
    position: [=-2.4 + 2.6*i, 4]
    velocity: ["=uniform(-3, 3)", "=uniform(-2, 2)"]
  crate:
    repeat: {i: 3}
    shape: {box: [0.8, 0.6]}
    position: [=-2 + 2*i, 2.5]
    angle: =uniform(0, 360)
    velocity: ["=uniform(-3, 3)", 0]
camera: {mode: region, rect: [[-4.5, -0.5], [4.5, 8.5]]}
render: {supersample: %d}
"""


def by_rigid(folder: Path, runs: int, supersample: int) -> None:
    """The data set, by `rigid dataset`'s own function, in this process."""
    dataset.make(
        "tossed",
        folder,
        source=SCENE % supersample,
        runs=runs,
        size=(SIDE, SIDE),
        fps=10,
        what=["frames", "masks", "state"],
        format="webdataset",
    )


# ---------------------------------------------------------------- the usual way


def by_hand(folder: Path, runs: int, supersample: int) -> None:
    """The same with pymunk and Pillow, as one writes it."""
    for run in range(runs):
        place = folder / f"{run:06d}"
        place.mkdir(parents=True)
        _one_run(place, random.Random(run), supersample)


def _one_run(place: Path, chance: random.Random, supersample: int) -> None:
    space = pymunk.Space()
    space.gravity = 0, -9.81
    shapes: list[pymunk.Shape] = []
    bodies: list[pymunk.Body] = []  # which shapes do not keep
    for x, y, w, h in ((0, -0.2, 8, 0.4), (-4.2, 4, 0.4, 9), (4.2, 4, 0.4, 9)):
        body = pymunk.Body(body_type=pymunk.Body.STATIC)
        body.position = x, y
        shapes.append(pymunk.Poly.create_box(body, (w, h)))
        bodies.append(body)
    for i in range(2):
        body = pymunk.Body(0.5, pymunk.moment_for_circle(0.5, 0, 0.4))
        body.position = -2.4 + 2.6 * i, 4
        body.velocity = chance.uniform(-3, 3), chance.uniform(-2, 2)
        shapes.append(pymunk.Circle(body, 0.4))
        bodies.append(body)
    for i in range(3):
        body = pymunk.Body(0.48, pymunk.moment_for_box(0.48, (0.8, 0.6)))
        body.position = -2 + 2 * i, 2.5
        body.angle = chance.uniform(0, 6.28)
        body.velocity = chance.uniform(-3, 3), 0
        shapes.append(pymunk.Poly.create_box(body, (0.8, 0.6)))
        bodies.append(body)
    for body, shape in zip(bodies, shapes, strict=True):
        shape.friction, shape.elasticity = 0.5, 0.4
        space.add(body, shape)
    poses = np.empty((FRAMES, len(shapes), 3))
    for frame in range(FRAMES):
        for i, shape in enumerate(shapes):
            poses[frame, i] = *shape.body.position, shape.body.angle
        _draw(shapes, supersample, False).save(place / f"frame.{frame:05d}.png", compress_level=3)
        _draw(shapes, 1, True).save(place / f"mask.{frame:05d}.png", compress_level=3)
        for _ in range(STEPS):
            space.step(1 / 60)
    np.savez_compressed(place / "arrays.npz", pose=poses)


COLORS = ("gray", "gray", "gray", "red", "orange", "teal", "green", "blue")


def _draw(shapes: list[pymunk.Shape], factor: int, mask: bool) -> Image.Image:
    """A picture, or for each pixel the number of a body; Pillow draws no smooth edges, so that a
    picture with them is drawn larger."""
    side = SIDE * factor
    image = Image.new("L" if mask else "RGB", (side, side), 0 if mask else "white")
    draw, scale = ImageDraw.Draw(image), side / 9

    def pixel(x: float, y: float) -> tuple[float, float]:
        return (x + 4.5) * scale, side - (y + 0.5) * scale

    for i, shape in enumerate(shapes):
        fill, line = (i + 1, None) if mask else (COLORS[i], "black")
        if isinstance(shape, pymunk.Circle):
            x, y = pixel(*shape.body.position)
            r = shape.radius * scale
            draw.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=line)
        elif isinstance(shape, pymunk.Poly):
            corners = [pixel(*shape.body.local_to_world(v)) for v in shape.get_vertices()]
            draw.polygon(corners, fill=fill, outline=line)
    return image if factor == 1 else image.resize((SIDE, SIDE), Image.Resampling.BOX)


# ---------------------------------------------------------------- the clock


def timed(way: Callable[[Path, int, int], None], runs: int, supersample: int) -> float:
    """Seconds of the processor that a run takes."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        way(Path(folder) / "out", runs, supersample)
        return (time.process_time() - begin) / runs


def main() -> None:
    parser = argparse.ArgumentParser(description="A data set beside the usual way.")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    ways = {
        "rigid, smooth edges": (by_rigid, 1),
        "pymunk and Pillow, hard edges": (by_hand, 1),
        "pymunk and Pillow, drawn 4x": (by_hand, 4),
    }
    spent: dict[str, list[float]] = {name: [] for name in ways}
    timed(by_rigid, 2, 1)
    for _ in range(given.rounds):
        for name, (way, supersample) in ways.items():
            spent[name].append(timed(way, given.runs, supersample))
    first = statistics.median(spent["rigid, smooth edges"])
    for name, seconds in spent.items():
        middle = statistics.median(seconds)
        print(
            f"{name:30} {1000 * middle:7.2f} ms a run, {FRAMES / middle:7.0f} frames a second, "
            f"{RUNS:,} runs: {RUNS * middle / 60:6.1f} min, {middle / first:5.2f}"
        )


if __name__ == "__main__":
    main()
