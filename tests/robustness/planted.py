# SPDX-License-Identifier: MIT
"""Plant faults in copies of the sources and see whether tests find them.

``python -m tests.robustness.planted [WORD ...]`` takes the faults of ``planted_faults.yaml`` whose
name or subject has one of the words in it, or all. Exit code 1 when one was not found. A fault in
C++ takes a build of the files that it is in; the first one takes a build of all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from rigid2d.core import _native

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("planted_faults.yaml")
BUILD = ROOT / "build" / "planted"
"""A copy of the sources in C++ and what was made of it, which the next build goes on from."""
SOURCES, MADE = BUILD / "core" / "native", BUILD / "build" / "made"
COPIED = ("core", "cli", "tests")
NEVER = ("__pycache__", ".hypothesis")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TIMEOUT = 900.0  # seconds; a fault that makes a test hang is found

# The editable installation finds the sources before the path is searched: not in the copy.
OWN_SOURCES = """\
import sys
sys.meta_path[:] = [each for each in sys.meta_path if "ScikitBuild" not in type(each).__name__]
"""


@dataclass(frozen=True)
class Fault:
    """A text of the sources, another one that is wrong, and the tests that have to find it."""

    name: str
    subject: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def file(self) -> Path:
        """The one file that has the text, seen from the root; ValueError for none or several."""
        found = [path for path, text in sources() for _ in range(text.count(self.old))]
        if len(found) != 1:
            places = ", ".join(map(str, found)) or "no file"
            raise ValueError(f"{self.name}: {self.old!r} must be in the sources once: {places}")
        return found[0]

    @property
    def native(self) -> bool:
        """Whether the fault is in C++, so that it takes a build."""
        return self.file.suffix != ".py"


def faults() -> list[Fault]:
    """All faults of the list."""
    entries = yaml.load(LIST.read_text(encoding="utf-8"), LOADER)
    return [Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


@cache
def sources() -> tuple[tuple[Path, str], ...]:
    """The files in which faults are planted."""
    return tuple(
        (path.relative_to(ROOT), path.read_text(encoding="utf-8"))
        for package in ("core", "cli")
        for path in sorted((ROOT / package).rglob("*"))
        if path.suffix in (".py", ".h", ".cpp")
    )


def copy(to: Path) -> None:
    """The repository, of which ``COPIED`` may be written."""
    for path in ROOT.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, to / path.name, ignore=shutil.ignore_patterns(*NEVER))
        elif path.name not in ("build", ".git", ".pytest_cache", *NEVER):
            (to / path.name).symlink_to(path)
    package = to / "sources" / "rigid2d"
    package.mkdir(parents=True)
    for name in ("core", "cli"):
        (package / name).symlink_to(to / name)
    for path in (ROOT / "core" / "native" / "package").glob("*.py"):
        (package / path.name).symlink_to(path)
    _lay_extension(Path(_native.__file__), to)
    (to / "sources" / "sitecustomize.py").write_text(OWN_SOURCES, encoding="utf-8")


def lay_sources() -> None:
    """Bring the copy of the sources in C++ up to date; what is as it was stays untouched."""
    right = ROOT / "core" / "native"
    names = {path.relative_to(right) for path in right.rglob("*") if path.is_file()}
    for old in [path for path in SOURCES.rglob("*") if path.is_file()]:
        if old.relative_to(SOURCES) not in names:
            old.unlink()
    for name in names:
        there, text = SOURCES / name, (right / name).read_bytes()
        if not there.exists() or there.read_bytes() != text:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(text)


def compiled() -> Path:
    """The extension of the copied sources. Raises RuntimeError when they cannot be compiled."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    cmake, cache = (shutil.which(name, path=beside) for name in ("cmake", "ccache"))
    if cmake is None:
        raise RuntimeError("faults in C++ take cmake, which is not installed")
    commands = [[cmake, "--build", str(MADE)]]
    if not (MADE / "build.ninja").exists():
        settings = ["-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"]
        settings += [f"-DCMAKE_CXX_COMPILER_LAUNCHER={cache}"] if cache else []
        first = [cmake, "-S", str(SOURCES), "-B", str(MADE), "-G", "Ninja", *settings]
        commands.insert(0, first)
    for command in commands:
        done = subprocess.run(
            command, env={**os.environ, "PATH": beside}, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return MADE / Path(_native.__file__).name


def is_found(fault: Fault, folder: Path) -> tuple[bool, str]:
    """Whether a test fails with the fault in the copy, and the first that does."""
    path = (BUILD if fault.native else folder) / fault.file
    right = path.read_text(encoding="utf-8")
    path.write_text(right.replace(fault.old, fault.new), encoding="utf-8")
    try:
        if fault.native:
            _lay_extension(compiled(), folder)
        return _tried(fault, folder)
    finally:
        path.write_text(right, encoding="utf-8")
        if fault.native:
            _lay_extension(Path(_native.__file__), folder)


def _lay_extension(extension: Path, folder: Path) -> None:
    there = folder / "core" / extension.name
    there.unlink(missing_ok=True)
    there.symlink_to(extension)


def _tried(fault: Fault, folder: Path) -> tuple[bool, str]:
    surroundings = {**os.environ, "PYTHONPATH": f"{folder / 'sources'}", "PYTHONHASHSEED": "0"}
    surroundings["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "--exitfirst", "--no-header", "--tb=no"]
    command += ["-p", "no:cacheprovider", "-p", "no:rerunfailures", *fault.tests]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True, "a test does not end"
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{fault.name}: {done.stdout}{done.stderr}")
    first = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode == 1, first[0] if first else ""


def main(words: list[str]) -> int:
    """Plant what the words name, and say of each fault whether it was found."""
    chosen = [
        fault
        for fault in faults()
        if not words or any(word in f"{fault.name} {fault.subject}" for word in words)
    ]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        if any(fault.native for fault in chosen):
            lay_sources()
        for fault in chosen:
            begun = time.monotonic()
            found, where = is_found(fault, Path(folder))
            missed += not found
            seconds = time.monotonic() - begun
            print(
                f"{'found' if found else 'NOT FOUND'} in {seconds:.0f} s: "
                f"{fault.name} ({fault.file}) {where}",
                flush=True,
            )
    print(f"{len(chosen)} faults, {missed} not found")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
