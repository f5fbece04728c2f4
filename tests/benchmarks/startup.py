"""Times what a user waits for before anything moves: help, checking a scene, loading a big one.

    python tests/benchmarks/startup.py [--rounds 9]

Each figure is the median of whole processes, from their start to their end.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
RIGID = Path(sys.executable).with_name("rigid")
LOAD = "import rigid.core, sys; rigid.core.load(sys.argv[1])"
LOAD_TIMED = (
    "import sys, time; import rigid.core.scene as s; b = time.perf_counter();"
    "s.load(sys.argv[1]); print(time.perf_counter() - b)"
)


def wall_seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


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
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "rigid --help": [str(RIGID), "--help"],
        "rigid validate small.yaml": [str(RIGID), "validate", str(small)],
        "rigid validate ten_thousand.yaml": [str(RIGID), "validate", str(large)],
        "import and load small.yaml": [sys.executable, "-c", LOAD, str(small)],
    }
    for name, command in commands.items():
        times = [wall_seconds(command) for _ in range(rounds)]
        print(f"{name:34} {statistics.median(times):7.3f} s  lowest {min(times):.3f}")
    times = [load_seconds(large) for _ in range(min(rounds, 5))]
    name = "load(ten_thousand.yaml) alone"
    print(f"{name:34} {statistics.median(times):7.3f} s  lowest {min(times):.3f}")


if __name__ == "__main__":
    main()
