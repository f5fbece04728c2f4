# SPDX-License-Identifier: MIT
"""Measures startup times: help, checking a scene, loading a large one.

    python tests/benchmarks/startup.py [--rounds 9]

Each figure is the median of whole processes, from their start to their end, and the ratio is that
of their processor time to what Python takes to import the libraries that the command stands on.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
RIGID = Path(sys.executable).with_name("rigid")
BASE = "import pydantic, typer.main; pydantic.BaseModel"
LOAD = "import rigid2d.core, sys; rigid2d.core.load(sys.argv[1])"
LOAD_TIMED = (
    "import sys, time; import rigid2d.core.scene as s; b = time.perf_counter();"
    "s.load(sys.argv[1]); print(time.perf_counter() - b)"
)


def wall_seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def processor_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def a_thousand_lines() -> str:
    """A scene that has a bit of most blocks, one to a line."""
    lines = ["rigid: 1", "vars: {speed: 2.5}", "state: {score: 0}", "defaults: {body: {z: 1}}"]
    lines += ["record: {every: 2}", "camera: {mode: follow, target: b0}", "render: {fps: 30}"]
    lines += ["bodies:", "  floor: {type: static, shape: {box: [400, 1]}, position: [0, -0.5]}"]
    shapes = ("{circle: 0.4}", "{box: [0.8, 0.5]}", "{capsule: [[0, 0], [1, 0]], radius: 0.2}")
    for i in range(380):
        place = f"[=({i} % 20) * 2, =1 + {i // 20} * 1.5]"
        lines.append(f"  b{i}: {{shape: {shapes[i % 3]}, position: {place}, angle: {i % 90}}}")
    lines.append("joints:")
    for i in range(0, 300, 2):
        lines.append(f"  j{i}: {{type: distance, bodies: [b{i}, b{i + 1}], length: =speed}}")
    lines.append("actuators:")
    lines += [f"  a{i}: {{type: force, body: b{i}, force: [=speed * {i}, 0]}}" for i in range(40)]
    lines.append("controls:")
    lines += [f"  {key}: {{set: {{a0.enabled: false}}}}" for key in "abcdefghij"]
    lines.append("events:")
    does = "once: true, do: [{set: {state.score: =state.score + 1}}]"
    lines += [f"  - {{when: collision, bodies: [b{i}, floor], {does}}}" for i in range(80)]
    lines += ["annotations:", *(f"  - {{text: here, at: [{i}, 3]}}" for i in range(20)), "expect:"]
    for i in range(1000 - len(lines)):
        lines.append(f"  - {{at: {i % 40 / 10}, that: =b{i}.y > -10 and abs(b{i}.vx) < 1000}}")
    return "\n".join(lines) + "\n"


def load_seconds(path: Path) -> float:
    """Only the call of ``load``, in a fresh process."""
    command = [sys.executable, "-c", LOAD_TIMED, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description="Times the start of the command.")
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    small, large = HERE / "small.yaml", HERE / "ten_thousand.yaml"
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder, "thousand_lines.yaml")
        long.write_text(a_thousand_lines())
        measure(
            {
                "pydantic and typer alone": [sys.executable, "-c", BASE],
                "python -c pass": [sys.executable, "-c", "pass"],
                "import rigid2d.core": [sys.executable, "-c", "import rigid2d.core"],
                "rigid --help": [str(RIGID), "--help"],
                "rigid validate small.yaml": [str(RIGID), "validate", str(small)],
                "rigid validate thousand_lines.yaml": [str(RIGID), "validate", str(long)],
                "rigid validate ten_thousand.yaml": [str(RIGID), "validate", str(large)],
                "import and load small.yaml": [sys.executable, "-c", LOAD, str(small)],
            },
            rounds,
        )
    times = [load_seconds(large) for _ in range(min(rounds, 5))]
    name = "load(ten_thousand.yaml) alone"
    print(f"{name:34} {statistics.median(times):7.3f} s  lowest {min(times):.3f}")


def measure(commands: dict[str, list[str]], rounds: int) -> None:
    """Print what each takes, beside the first; in turns, since machines have moods."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    work: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(wall_seconds(command))
            work[name].append(processor_seconds(command))
    base = min(next(iter(work.values())))
    for name, walls in times.items():
        wall = f"{statistics.median(walls):7.3f} s  lowest {min(walls):.3f}"
        print(f"{name:34} {wall}  ratio {min(work[name]) / base:.2f}")


if __name__ == "__main__":
    main()
