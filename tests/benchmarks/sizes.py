# SPDX-License-Identifier: MIT
"""Times worlds of 5,000 to 1,000,000 boxes: a step, the start and the memory, by body.

    python tests/benchmarks/sizes.py [--counts 5000,100000,1000000] [--scenes pyramids,heap,asleep]

``pyramids`` are pyramids of 55 boxes that stay awake, ``heap`` slumps in a trough, ``asleep`` are
pyramids after they came to rest. Each world runs in a process of its own, whose largest resident
set less that of an empty process is its memory. Times are processor time of one thread.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time

import numpy as np
from numpy.typing import NDArray
from rigid2d.core import _native

BASE = 10
PYRAMID = BASE * (BASE + 1) // 2
STEPS = 30
WARM_UP = {"pyramids": 0, "heap": 60, "asleep": 400}
TIME_STEP = 1.0 / 60.0
BOX = 0.25
SCENES = ("pyramids", "heap", "asleep")

Places = NDArray[np.float64]


def pyramids(count: int) -> Places:
    """Centres of boxes in pyramids beside each other, in 32 rows of ground."""
    number = np.arange(count)
    pyramid, place = number // PYRAMID, number % PYRAMID
    ends = np.cumsum(np.arange(BASE, 0, -1))
    row = np.searchsorted(ends, place, side="right")
    column = place - (ends[row] - (BASE - row))
    per_ground = math.ceil(math.ceil(count / PYRAMID) / 32)
    x = (pyramid % per_ground) * (BASE + 2) * 2 * BOX + (column + 0.5 * row) * 2 * BOX
    y = (pyramid // per_ground) * (BASE + 4) * 2 * BOX + (row + 0.5) * 2 * BOX
    return np.stack([x, y], axis=1)


def heap(count: int) -> Places:
    """Centres of boxes in loose rows, shifted against each other, twice as broad as high."""
    wide = math.ceil(math.sqrt(2 * count))
    number = np.arange(count)
    row = number // wide
    x = (number % wide) * BOX * 2.4 + np.sin(row) * BOX
    return np.stack([x, (row + 0.5) * BOX * 2.04], axis=1)


def world(places: Places, *, trough: bool, sleep: bool) -> _native.World:
    """A world of boxes of 0.5 m on floors, with walls where it is a trough."""
    made = _native.World(gravity=(0.0, -10.0), dt=TIME_STEP, sleep=sleep, threads=1, lanes=0)
    count = len(places)
    low, high = places.min(axis=0) - 2.0, places.max(axis=0) + 2.0
    floors = [0.0] if trough else [i * (BASE + 4) * 2 * BOX for i in range(32)]
    sides = [((low[0], f), (high[0], f)) for f in floors]
    if trough:
        sides += [((x, 0.0), (x, 2.0 * high[1])) for x in (low[0], high[0])]
    rows = np.zeros(count + 1, _native.BODY)
    for name, value in (("mass", math.nan), ("inertia", math.nan), ("center_x", math.nan)):
        rows[name] = value
    rows["center_y"] = math.nan
    for name in ("gravity_scale", "sleep", "awake", "collide"):
        rows[name] = 1
    rows["kind"] = 2
    rows["kind"][0] = 0
    rows["x"][1:], rows["y"][1:] = places[:, 0], places[:, 1]
    shapes = np.zeros(count + len(sides), _native.SHAPE)
    numbers = np.array(made.next_bodies(count + 1))
    shapes["body"][: len(sides)] = numbers[0]
    shapes["body"][len(sides) :] = numbers[1:]
    shapes["kind"][: len(sides)] = 2
    shapes["kind"][len(sides) :] = 3
    shapes["density"], shapes["friction"] = 1.0, 0.6
    shapes["point_count"][: len(sides)], shapes["point_count"][len(sides) :] = 2, 4
    shapes["first_point"] = np.concatenate([[0], np.cumsum(shapes["point_count"])[:-1]])
    corners = np.array([(-BOX, -BOX), (BOX, -BOX), (BOX, BOX), (-BOX, BOX)])
    points = np.concatenate([np.reshape(sides, (-1, 2)), np.tile(corners, (count, 1))])
    none = [np.zeros(0, kind) for kind in (_native.JOINT, _native.FORCE, _native.BAR)]
    made.add_fragment(rows, shapes, points, *none, np.zeros(0, _native.POINT))
    made.finish()
    return made


def resident() -> int:
    """The largest resident set of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(scene: str, count: int) -> dict[str, float]:
    """Figures of one world, in this process."""
    places = heap(count) if scene == "heap" else pyramids(count)
    before = resident()
    start = time.process_time()
    made = world(places, trough=scene == "heap", sleep=scene == "asleep")
    built = time.process_time() - start
    start = time.process_time()
    made.step()
    first = time.process_time() - start
    made.step(WARM_UP[scene])
    start = time.process_time()
    for _ in range(STEPS):
        if made.step() != 1:
            raise RuntimeError(f"the world stopped: {made.error}")
    step = (time.process_time() - start) / STEPS
    return {
        "build_us": built / count * 1e6,
        "first_us": first / count * 1e6,
        "step_ms": step * 1e3,
        "step_us": step / count * 1e6,
        "bytes": (resident() - before) / count,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--counts", default="5000,20000,100000,500000,1000000")
    parser.add_argument("--scenes", default=",".join(SCENES))
    parser.add_argument("--one", nargs=2, metavar=("SCENE", "COUNT"), help="figures of one as JSON")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]))))
        return
    print("scene         boxes   build us  first us   step ms   step us   bytes  by a body")
    for scene in options.scenes.split(","):
        for count in options.counts.split(","):
            command = [sys.executable, __file__, "--one", scene, count]
            answer = subprocess.run(command, capture_output=True, text=True, check=False)
            if answer.returncode:
                reason = answer.stderr.strip().splitlines()[-1:]
                print(f"{scene:10} {count:>8}   {reason[0] if reason else 'ended'}", flush=True)
                continue
            f = json.loads(answer.stdout)
            print(
                f"{scene:10} {count:>8} {f['build_us']:10.2f} {f['first_us']:9.2f}"
                f" {f['step_ms']:9.2f} {f['step_us']:9.3f} {f['bytes']:7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
