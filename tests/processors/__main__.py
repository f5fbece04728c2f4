# SPDX-License-Identifier: MIT
"""Run the engine on other processors, and compare its states with the ones of this processor.

    python -m tests.processors                 all that can be tried here
    python -m tests.processors aarch64 i386    these

The engine is built without Python by a cross compiler and run by QEMU; x86-64 without AVX runs the
installed module. Where a compiler or an emulator is missing, its processor is left out with a word.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.processors.subjects import SUBJECTS, recorded

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "processors"


@dataclass(frozen=True)
class Target:
    """A processor: how the engine is built for it, and run.

    Attributes:
        name: the processor.
        compiler: its C++ compiler.
        runner: the command that runs a program for it here.
        lanes: the widths to try; 0 is its own choice.
        processor: its name for CMake, where that is another one.
    """

    name: str
    compiler: str
    runner: str
    processor: str = ""
    lanes: tuple[int, ...] = (0, 1, 4)

    @property
    def folder(self) -> Path:
        return BUILD / self.name

    @property
    def program(self) -> Path:
        return self.folder / "replay"

    def missing(self) -> list[str]:
        """The tools of it that are not installed."""
        return [tool for tool in (self.compiler, self.runner) if shutil.which(tool) is None]


TARGETS = {
    target.name: target
    for target in (
        Target("aarch64", "aarch64-linux-gnu-g++", "qemu-aarch64"),
        Target("i386", "i686-linux-gnu-g++", "qemu-i386", "i686"),
        Target("riscv64", "riscv64-linux-gnu-g++", "qemu-riscv64"),
    )
}
OLD_X86 = ("qemu-x86_64", "-cpu", "Nehalem")
"""A processor of x86-64 without AVX, for which nothing has to be built."""


def build(target: Target) -> None:
    """Build the program that replays recordings. Raises CalledProcessError."""
    launcher = shutil.which("ccache")
    subprocess.run(
        [
            *("cmake", "-S", str(ROOT / "tests" / "processors"), "-B", str(target.folder)),
            *("-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_CXX_COMPILER={target.compiler}"),
            f"-DCMAKE_SYSTEM_PROCESSOR={target.processor or target.name}",
            *([f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"] if launcher else []),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    workers = os.environ.get("WORKERS", str(os.cpu_count() or 1))
    subprocess.run(
        ["cmake", "--build", str(target.folder), "--parallel", workers],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def replay(target: Target, recording: Path, lanes: int) -> tuple[int, str]:
    """The exit code and the words of a replay: 0 where all hashes are the recorded ones."""
    done = subprocess.run(
        [target.runner, str(target.program), str(recording), str(lanes)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def recordings(names: Sequence[str] = ()) -> Iterator[Path]:
    """Make recordings here, of all subjects or of these."""
    folder = BUILD / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or SUBJECTS:
        path = folder / f"{name}.calls"
        path.write_bytes(recorded(name))
        yield path


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare states of other processors.")
    known = [*TARGETS, "x86_64"]
    parser.add_argument("targets", nargs="*", help=", ".join(known))
    wanted = parser.parse_args().targets or known
    if unknown := [name for name in wanted if name not in known]:
        parser.error(f"{unknown[0]} is none of {', '.join(known)}")
    paths = list(recordings())
    different = _differs_without_avx() if "x86_64" in wanted else 0
    for target in (TARGETS[name] for name in wanted if name in TARGETS):
        if missing := target.missing():
            print(f"{target.name}: left out; {' and '.join(missing)} is not installed")
            continue
        build(target)
        for lanes in target.lanes:
            wrong = list(_differences(target, paths, lanes))
            different += len(wrong)
            width = f"{lanes} lanes" if lanes else "its own lanes"
            print(f"{target.name}, {width}: {len(paths) - len(wrong)} of {len(paths)} the same")
            print("".join(wrong), end="", flush=True)
    return int(different > 0)


def _differs_without_avx() -> int:
    """Whether a stored state differs on a processor of x86-64 without AVX."""
    if platform.machine() not in ("x86_64", "AMD64") or shutil.which(OLD_X86[0]) is None:
        print(f"x86_64 without AVX: left out; {OLD_X86[0]} is not installed, or this is none")
        return 0
    script = str(ROOT / "tests" / "benchmarks" / "hashes.py")
    done = subprocess.run([*OLD_X86, sys.executable, script], capture_output=True, check=False)
    print("x86_64 without AVX:", "DIFFERENT" if done.returncode else "all the same", flush=True)
    return done.returncode


def _differences(target: Target, paths: Sequence[Path], lanes: int) -> Iterator[str]:
    for path in paths:
        code, words = replay(target, path, lanes)
        if code:
            yield words


if __name__ == "__main__":
    sys.exit(main())
