# SPDX-License-Identifier: MIT
"""Time drawing and encoding, beside Pillow and imageio, in one run on one machine.

    python tests/benchmarks/bench_render.py [--frames 90] [--size 640x480] [--bodies 100]

The frames are synthetic: discs and boxes that drift, bounce off the borders and turn. Pillow draws
the same shapes three times as large and shrinks the picture, which is the usual way to smooth
edges with it. Nothing here fails on a time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import imageio
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from rigid2d.core.record.frame import Frame
from rigid2d.core.render import Renderer, open_encoder, render
from rigid2d.core.render.canvas.theme import LIGHT, shape_looks
from rigid2d.core.scene import model

UInt8 = NDArray[np.uint8]
HALF_WIDTH, HALF_HEIGHT = 8.0, 6.0
SUPERSAMPLE = 3


def make_scene(bodies: int, size: tuple[int, int]) -> model.Scene:
    random = np.random.default_rng(1)
    entries = {}
    for i in range(bodies):
        half = float(random.uniform(0.2, 0.45))
        if i % 2:
            shape = model.Shape("circle", ((0.0, 0.0),), radius=half)
        else:
            shape = model.Shape(
                "polygon", ((-half, -half), (half, -half), (half, half), (-half, half))
            )
        place = (float(random.uniform(-7, 7)), float(random.uniform(-5, 5)))
        entries[f"body[{i}]"] = model.Body(f"body[{i}]", "dynamic", (shape,), place)
    corner = (HALF_WIDTH, HALF_HEIGHT)
    return model.Scene(
        path="bench",
        name="bench",
        description="",
        tags=(),
        text="",
        units=model.Units(),
        vars={},
        world=model.World(),
        materials={},
        collision=model.Collision(),
        bodies=entries,
        joints={},
        camera=model.Camera("region", rect=((-corner[0], -corner[1]), corner)),
        render=model.Render(size=size),
        record=model.Record(),
        expect=(),
    )


def moving(scene: model.Scene, count: int) -> Iterator[Frame]:
    random = np.random.default_rng(2)
    n = len(scene.bodies)
    start = np.array([body.position for body in scene.bodies.values()])
    speed = random.uniform(-2.0, 2.0, (n, 3))
    for k in range(count):
        t = k / 30.0
        pose = np.empty((n, 3))
        for axis, bound in ((0, 7.5), (1, 5.5)):
            folded = (start[:, axis] + speed[:, axis] * t + bound) % (4.0 * bound)
            pose[:, axis] = np.where(folded > 2.0 * bound, 4.0 * bound - folded, folded) - bound
        pose[:, 2] = speed[:, 2] * t
        yes, none = np.ones(n, bool), np.zeros(0, bool)
        yield Frame(
            t, k, pose, np.zeros((n, 3)), np.zeros((n, 2)), yes, yes, none, np.zeros((0, 3))
        )


def draw_with_pillow(scene: model.Scene, frame: Frame) -> UInt8:
    width, height = (SUPERSAMPLE * side for side in scene.render.size)
    scale = width / (2.0 * HALF_WIDTH)
    image = Image.new("RGB", (width, height), LIGHT.paper[:3])
    pen = ImageDraw.Draw(image)
    looks = shape_looks(scene, LIGHT)
    for row, body in enumerate(scene.bodies.values()):
        x, y, angle = frame.pose[row]
        px, py = width / 2 + x * scale, height / 2 - y * scale
        shape, look = body.shapes[0], looks[row][0]
        style: dict[str, Any] = {"fill": look.fill[:3], "outline": look.outline[:3], "width": 4}
        c, s = np.cos(angle), np.sin(angle)
        if shape.kind == "circle":
            r = shape.radius * scale
            pen.ellipse((px - r, py - r, px + r, py + r), **style)
            tip = (px + 0.66 * r * c, py - 0.66 * r * s)
            pen.line(((px, py), tip), fill=look.outline[:3], width=3)
        else:
            corners = [
                (px + scale * (c * u - s * v), py - scale * (s * u + c * v))
                for u, v in shape.points
            ]
            pen.polygon(corners, **style)
    return np.array(image.resize(scene.render.size, Image.Resampling.BOX))


def per_frame(label: str, work: Callable[[], None], frames: int, path: Path | None = None) -> float:
    start = time.perf_counter()
    work()
    each = (time.perf_counter() - start) / frames * 1e3
    size = f"{path.stat().st_size / frames / 1e3:9.1f} kB/frame" if path is not None else ""
    print(f"  {label:<34}{each:9.2f} ms/frame {size}")
    return each


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=90)
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--bodies", type=int, default=100)
    given = parser.parse_args()
    width, height = (int(side) for side in given.size.split("x"))
    scene = make_scene(given.bodies, (width, height))
    frames = list(moving(scene, given.frames))
    count = len(frames)
    print(f"{count} frames of {width}x{height}, {given.bodies} bodies")
    with tempfile.TemporaryDirectory() as folder:
        compare(scene, frames, Path(folder))


def compare(scene: model.Scene, frames: list[Frame], folder: Path) -> None:
    count = len(frames)
    renderer = Renderer(scene)
    renderer.draw(frames[0])
    ours: list[UInt8] = []
    theirs: list[UInt8] = []
    print("drawing")
    per_frame("rigid", lambda: ours.extend(map(renderer.draw, frames)), count)
    per_frame(
        f"Pillow, {SUPERSAMPLE}x supersampled",
        lambda: theirs.extend(draw_with_pillow(scene, frame) for frame in frames),
        count,
    )
    print("encoding")
    for kind in ("gif", "mp4", "webp"):
        path = folder / f"ours.{kind}"

        def encode(kind: str = kind, path: Path = path) -> None:
            encoder = open_encoder(path, kind, 30.0, scene.render.size, colors=renderer.colors())
            for image in ours:
                encoder.add(image)
            encoder.close()

        per_frame(f"rigid {kind}", encode, count, path)
    path = folder / "theirs.gif"
    per_frame("imageio gif", lambda: imageio.mimsave(path, theirs, duration=1 / 30), count, path)
    print("both")
    path = folder / "all.gif"

    def run() -> None:
        render(scene, frames, [path])

    def run_theirs() -> None:
        images = [draw_with_pillow(scene, frame) for frame in frames]
        imageio.mimsave(folder / "theirs.gif", images, duration=1 / 30)

    mine = per_frame("rigid gif", run, count, path)
    other = per_frame("Pillow and imageio gif", run_theirs, count, folder / "theirs.gif")
    print(f"  {other / mine:.1f} times as fast")


if __name__ == "__main__":
    main()
