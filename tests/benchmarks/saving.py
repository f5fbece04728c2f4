# SPDX-License-Identifier: MIT
"""Times saving, restoring and forking a world of 100 bodies, beside pymunk's `space.copy()`.

    python tests/benchmarks/saving.py [--rounds 7] [--no-pymunk]

Ten stacks of ten boxes on a floor, after a second. Medians of rounds, in microseconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from rigid2d.core import World, loads

SCENE = """
rigid: 1
world: {sleep: false}
bodies:
  floor: {type: static, shape: {box: [60, 1]}, position: [0, -0.5]}
  box:
    repeat: {column: 10, row: 10}
    shape: {box: [1, 1]}
    position: [=2 * column, =row + 0.5]
"""


def pymunk_space() -> Any:
    import pymunk

    space = pymunk.Space()
    space.gravity = (0, -9.81)
    floor = pymunk.Segment(space.static_body, (-30, -0.5), (30, -0.5), 0.5)
    space.add(floor)
    for column in range(10):
        for row in range(10):
            body = pymunk.Body()
            body.position = (2 * column, row + 0.5)
            shape = pymunk.Poly.create_box(body, (1, 1))
            shape.density = 1
            shape.friction = 0.6
            space.add(body, shape)
    for _ in range(60):
        space.step(1 / 60)
    return space


def microseconds(work: Callable[[], object], rounds: int, least: float = 0.05) -> float:
    """The median over rounds of the mean time of one call."""
    means = []
    for _ in range(rounds):
        calls, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < least:
            work()
            calls += 1
        means.append(spent / calls)
    return 1e6 * statistics.median(means)


def main() -> None:
    parser = argparse.ArgumentParser(description="Times saving, restoring and forking a world.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-pymunk", action="store_true")
    options = parser.parse_args()
    world = World(loads(SCENE))
    world.step(60)
    state = world.save()
    works: dict[str, Callable[[], object]] = {
        "World.fork": world.fork,
        "World.restore": lambda: world.restore(state),
        "World.save": world.save,
        "engine's fork": world.native.fork,
    }
    if not options.no_pymunk:
        works["pymunk space.copy"] = pymunk_space().copy
    times = {name: microseconds(work, options.rounds) for name, work in works.items()}
    for name, took in times.items():
        peer = times.get("pymunk space.copy")
        ratio = f"  copy / this {peer / took:8.1f}" if peer else ""
        print(f"{name:20} {took:10.1f} us{ratio}")
    print(f"{len(state)} bytes for {len(world.scene.bodies)} bodies")


if __name__ == "__main__":
    main()
