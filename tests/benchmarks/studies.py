# SPDX-License-Identifier: MIT
"""Times the runs of a study beside stepping alone.

    python tests/benchmarks/studies.py [--runs 400] [--rounds 5]

Scenes of 13 bodies and 300 steps, of which two values are varied and two numbers are collected.
Processor time of one thread, medians of rounds in which all take their turns: worlds that are only
stepped, the same with their scenes loaded from the text for every run, and the runs of the study.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rigid2d.core import World, loads
from rigid2d.core.scene.variants import read_study
from rigid2d.core.study.plan import StudyPlan
from rigid2d.core.study.running import Runner
from rigid2d.core.study.study import run_study

HEAD = """
rigid: 1
world: {duration: 5}
vars: {bounce: 0.3, gap: %s}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  piece:
    repeat: {i: 12}
"""
TAIL = """
study:
  vary: {vars.bounce: {uniform: [0, 0.5]}, vars.gap: {uniform: [%s]}}
  sample: {random: %d}
  collect: {top: {max: piece[11].y}, last: piece[5].x}
"""
SCENES = {
    "a pile of boxes": (
        "0.4",
        "    shape: {box: [0.5, 0.3], restitution: =bounce}\n"
        '    position: ["=(i-6)*gap", "=0.5 + i*0.3"]',
        "0.35, 0.45",
    ),
    "dominoes": (
        "0.5",
        "    shape: {box: [0.1, 1], restitution: =bounce}\n"
        '    position: ["=(i-6)*gap", 0.5]\n    angle: "=-12*(i==0)"',
        "0.4, 0.6",
    ),
    "a tower": (
        "1.05",
        '    shape: {box: [1, 1], restitution: =bounce}\n    position: [0, "=0.5 + i*gap"]',
        "1.01, 1.1",
    ),
    "balls apart": (
        "1.5",
        "    shape: {circle: 0.5, restitution: =bounce}\n"
        '    position: ["=(i-6)*gap", "=0.5 + i*0.3"]',
        "1.4, 1.6",
    ),
}


def text_of(name: str, runs: int) -> str:
    """The scene of that name, with its study."""
    gap, body, ends = SCENES[name]
    tail = TAIL.replace("piece[11].y", "'=piece[11].y'").replace("piece[5].x", "'=piece[5].x'")
    return HEAD % gap + body + tail % (ends, runs)


def seconds(work: Callable[[], object]) -> float:
    """The processor time of a call."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def measure(name: str, runs: int, rounds: int) -> dict[str, float]:
    """Milliseconds of a run: stepping alone, loading each scene, the study's runner."""
    text = text_of(name, runs)
    template, scene = read_study("scene.yaml", text=text)
    assert scene.study is not None
    plan = StudyPlan(template, scene, scene.study)
    runner = Runner(template, scene.study)
    plain = text[: text.index("study:")]
    paths = [axis.path for axis in scene.study.axes]

    def step_alone() -> float:
        spent = 0.0
        for values in plan.rows:
            world = World(template.scene(dict(zip(paths, values, strict=True))))
            spent += seconds(lambda: world.native.step(300))  # noqa: B023
        return spent

    def load_each() -> None:
        for values in plan.rows:
            settings = [f"{path}={value!r}" for path, value in zip(paths, values, strict=True)]
            World(loads(plain, overrides=settings)).native.step(300)

    def study() -> None:
        for run, values in enumerate(plan.rows):
            runner.run(run, values)

    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        times.setdefault("stepping alone", []).append(step_alone())
        times.setdefault("a text for each", []).append(seconds(load_each))
        times.setdefault("the study's runs", []).append(seconds(study))
    return {each: 1000 * statistics.median(found) / runs for each, found in times.items()}


def whole(name: str, runs: int) -> float:
    """Milliseconds a run of a whole study on one core: reading, runs, shards, table and page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.yaml"
        file.write_text(text_of(name, runs), encoding="utf-8")
        return 1000 * seconds(lambda: run_study(file, Path(folder) / "out")) / runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    for name in SCENES:
        found = measure(name, given.runs, given.rounds)
        found["the whole study"] = whole(name, given.runs)
        alone = found["stepping alone"]
        print(f"{name}, ms a run")
        for each, value in found.items():
            print(f"  {each:<18}{value:8.3f}{value / alone:8.2f}")


if __name__ == "__main__":
    main()
