# SPDX-License-Identifier: MIT
"""Times this engine beside pymunk and Box2D v3 on the same scenes, alternately in one run.

    python tests/benchmarks/compare.py --scenes large_pyramid,tumbler --box2d PATH/benchmark

A run's figure is its mean time per step in milliseconds, the first step left out; a table entry is
the median over the rounds. Only stepping is timed: building a world, and adding or removing bodies
between steps, is not. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmark_scenes import SCENES
from parts import Scene, Stage
from stage_native import NativeStage

QUICK = ("large_pyramid", "joint_grid", "tumbler", "spinner")


@dataclass
class Entry:
    """One engine with so many threads on one scene: a figure per round."""

    scene: str
    engine: str
    threads: int
    milliseconds: list[float] = field(default_factory=list)
    counts: dict[str, float] = field(default_factory=dict)

    @property
    def median(self) -> float:
        return statistics.median(self.milliseconds)


@dataclass(frozen=True)
class Engine:
    """``run(scene, steps)`` gives the mean milliseconds of a step, and counts at the end."""

    name: str
    threads: int
    run: Callable[[str, int], tuple[float, dict[str, float]]]


def _timed(stage: Stage, scene: Scene, steps: int) -> float:
    total = 0.0
    for step in range(steps):
        if scene.before_step is not None:
            scene.before_step(stage, step)
        begin = time.perf_counter()
        stage.step()
        total += (time.perf_counter() - begin) * (step > 0)
    return 1e3 * total / (steps - 1)


def ours(threads: int, lanes: int) -> Engine:
    def run(name: str, steps: int) -> tuple[float, dict[str, float]]:
        scene = SCENES[name].make()
        stage = NativeStage(scene, threads, lanes)
        figure = _timed(stage, scene, steps)
        return figure, {"bodies": stage.world.body_count} | stage.world.statistics()

    return Engine("rigid", threads, run)


def pymunk() -> Engine | None:
    try:
        from stage_pymunk import PymunkStage
    except ImportError:
        return None

    def run(name: str, steps: int) -> tuple[float, dict[str, float]]:
        scene = SCENES[name].make()
        stage = PymunkStage(scene)
        figure = _timed(stage, scene, steps)
        return figure, {"bodies": float(len(stage.space.bodies))}

    return Engine("pymunk", 1, run)


def box2d(program: Path, threads: int) -> Engine:
    """Box2D's own benchmark program, one repeat; its file of step times has a row per step."""

    def run(scene: str, steps: int) -> tuple[float, dict[str, float]]:
        with tempfile.TemporaryDirectory() as folder:
            options = [f"-t={threads}", f"-w={threads}", f"-b={scene}", "-r=1", "-s"]
            command = [str(program), *options]
            done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
            rows = (Path(folder) / f"{scene}_t{threads}.dat").read_text().splitlines()
        times = [float(row.split()[0]) for row in rows[1:steps]]
        words = next(line for line in done.stdout.splitlines() if line.startswith("body")).split()
        counts = {"bodies": float(words[1]), "contacts": float(words[7])}
        return statistics.fmean(times), counts

    return Engine("box2d", threads, run)


def compare(
    scenes: Sequence[str], engines: Sequence[Engine], rounds: int, steps: int | None
) -> list[Entry]:
    """Every engine once per scene and round, in turn, so that all see the machine's moods alike."""
    entries = {(s, e.name, e.threads): Entry(s, e.name, e.threads) for s in scenes for e in engines}
    for scene in scenes:
        length = min(steps or SCENES[scene].steps, SCENES[scene].steps)
        for number in range(rounds):
            for engine in engines:
                print(f"{scene} {number + 1}/{rounds} {engine.name}", file=sys.stderr)
                figure, counts = engine.run(scene, length)
                entry = entries[scene, engine.name, engine.threads]
                entry.milliseconds.append(figure)
                entry.counts = counts
    return list(entries.values())


def table(entries: Sequence[Entry]) -> str:
    """Medians, the spread of the rounds, and how many times as long as ours each takes."""
    lines = [
        f"{'scene':14} {'engine':8} {'threads':>7} {'ms/step':>9} {'lowest':>9} {'highest':>9}"
        f" {'x rigid':>8} {'bodies':>7} {'contacts':>9}"
    ]
    base = {(e.scene, e.threads): e.median for e in entries if e.engine == "rigid"}
    for e in entries:
        low, high = min(e.milliseconds), max(e.milliseconds)
        ratio = e.median / base[e.scene, e.threads] if (e.scene, e.threads) in base else 0.0
        counts = e.counts.get("bodies", 0), e.counts.get("contacts", 0)
        lines.append(
            f"{e.scene:14} {e.engine:8} {e.threads:7} {e.median:9.3f} {low:9.3f} {high:9.3f}"
            f" {ratio:8.2f} {counts[0]:7.0f} {counts[1]:9.0f}"
        )
    return "\n".join(lines)


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--scenes", default=",".join(QUICK), help="names with commas, or 'all'")
    parser.add_argument("--threads", type=_numbers, default=[1], help="such as 1,2")
    parser.add_argument("--lanes", type=int, default=0, help="lane width of ours; 0 is the widest")
    parser.add_argument("--steps", type=int, help="at most so many steps of each scene")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--box2d", type=Path, help="Box2D's benchmark program")
    parser.add_argument("--no-pymunk", action="store_true")
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    arguments = parser.parse_args()
    named = list(SCENES) if arguments.scenes == "all" else arguments.scenes.split(",")
    unknown = [name for name in named if name not in SCENES]
    if unknown:
        parser.error(f"no such scene: {', '.join(unknown)}; there are {', '.join(SCENES)}")
    if arguments.steps is not None and arguments.steps < 2:
        parser.error("--steps: at least 2, the first is not counted")
    if arguments.box2d is not None and not arguments.box2d.is_file():
        parser.error(f"--box2d: no such file: {arguments.box2d}")
    arguments.scenes = named
    return arguments


def main() -> None:
    arguments = _arguments()
    engines = [ours(threads, arguments.lanes) for threads in arguments.threads]
    if arguments.box2d is not None:
        engines += [box2d(arguments.box2d.resolve(), threads) for threads in arguments.threads]
    chipmunk = None if arguments.no_pymunk else pymunk()
    if chipmunk is not None:
        engines.append(chipmunk)
    elif not arguments.no_pymunk:
        print("pymunk is not installed and is left out", file=sys.stderr)
    entries = compare(arguments.scenes, engines, arguments.rounds, arguments.steps)
    if arguments.json:
        results = [asdict(entry) | {"median": entry.median} for entry in entries]
        print(json.dumps({"machine": platform.machine(), "results": results}, indent=1))
    else:
        print(table(entries))


if __name__ == "__main__":
    main()
