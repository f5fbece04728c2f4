# SPDX-License-Identifier: MIT
"""Prints what rigid's speed is measured by: the work, the target, and the figure now.

    python tests/benchmarks/targets.py --box2d PATH/benchmark [--steps 300] [--rounds 1]

All contestants take their turns in one run. A row without its peer gives our own time and says so.
Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import gif
import memory
import small
from benchmark_scenes import SCENES
from compare import box2d, compare, ours
from startup import HERE, RIGID, wall_seconds

WORLDS = 4096
LONG_STEP = 1.0  # ms; a second thread is looked at where a step of one takes longer


@dataclass(frozen=True)
class Row:
    work: str
    target: str
    now: str


def scene_rows(
    name: str, threads: list[int], steps: int, rounds: int, program: Path | None
) -> Iterator[Row]:
    """A scene beside Box2D for each number of threads, and the gain from the second thread."""
    engines = [ours(count, 0) for count in threads]
    if program is not None:
        engines += [box2d(program, count) for count in threads]
    entries = compare([name], engines, rounds, steps)
    figures = {(entry.engine, entry.threads): entry.median for entry in entries}
    for count in threads:
        mine, peer = figures["rigid", count], figures.get(("box2d", count))
        now = f"{mine / peer:.2f}" if peer else f"{mine:.2f} ms, no Box2D"
        word = "thread" if count == 1 else "threads"
        yield Row(f"{name}, {count} {word}: rigid's time / Box2D's", "at most 0.8", now)
    if {1, 2} <= set(threads) and figures["rigid", 1] > LONG_STEP:
        gain = figures["rigid", 1] / figures["rigid", 2]
        yield Row(f"{name}: gain from a second thread", "at least 1.7", f"{gain:.2f}")


def small_rows(rounds: int) -> Iterator[Row]:
    """Small worlds beside pymunk."""
    pymunk = importlib.util.find_spec("pymunk") is not None
    medians = small.measure(rounds, WORLDS, peer=pymunk)
    named = {
        "cart and pole": ("a cart and pole, a step", 1.0),
        "55 boxes": ("a pyramid of 55 boxes, a step", 15.0),
        f"{WORLDS} carts": (f"{WORLDS} carts together, a world and step", 0.15),
    }
    for key, (work, target) in named.items():
        peer = medians.get(f"pymunk, {key}", medians.get("pymunk, cart and pole"))
        beside = f"pymunk {peer:.2f} us" if peer else "no pymunk"
        yield Row(work, f"at most {target} us", f"{medians[key]:.2f} us, {beside}")


def whole_process_rows(rounds: int) -> Iterator[Row]:
    """Targets of whole processes at a command line."""
    work, target = "GIF of 100 bodies: Pillow's and imageio's time / rigid's", "at least 10"
    yield Row(work, target, f"{gif.measure(rounds).ratio:.1f}")
    command = [str(RIGID), "validate", str(HERE / "small.yaml")]
    seconds = statistics.median(wall_seconds(command) for _ in range(max(rounds, 5)))
    yield Row("rigid validate of a small scene", "at most 0.15 s", f"{seconds:.2f} s")


def memory_rows(_: int) -> Iterator[Row]:
    for name, size in (memory.measure(10_000) or {}).items():
        yield Row(f"bytes of {name.removeprefix('of it ')}", "given", f"{size:.0f}")


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints what rigid's speed is measured by.")
    parser.add_argument("--box2d", type=Path, help="Box2D's benchmark program")
    parser.add_argument("--scenes", default="all", help="names with commas, 'all' or 'none'")
    parser.add_argument("--threads", type=_numbers, default=[1, 2], help="such as 1,2")
    parser.add_argument("--steps", type=int, default=300, help="at most so many of each scene")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    known = {"all": list(SCENES), "none": []}
    scenes = known.get(options.scenes, options.scenes.split(","))
    if unknown := [name for name in scenes if name not in SCENES]:
        parser.error(f"no such scene: {', '.join(unknown)}; there are {', '.join(SCENES)}")
    if options.box2d is not None and not options.box2d.is_file():
        parser.error(f"--box2d: no such file: {options.box2d}")
    program = options.box2d.resolve() if options.box2d else None
    print("| work | target | now |\n|---|---|---|", flush=True)

    def show(rows: Iterator[Row]) -> None:
        for row in rows:
            print(f"| {row.work} | {row.target} | {row.now} |", flush=True)

    for name in scenes:
        show(scene_rows(name, options.threads, options.steps, options.rounds, program))
    others: list[Callable[[int], Iterator[Row]]] = [small_rows, whole_process_rows, memory_rows]
    for rows in others:
        show(rows(options.rounds))
    if program is None:
        print("Box2D's benchmark program was not given (--box2d) and is left out", file=sys.stderr)


if __name__ == "__main__":
    main()
