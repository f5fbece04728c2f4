# SPDX-License-Identifier: MIT
"""Make and try what is distributed, outside of git.

    python -m tests.distribution dist                          try the sources
    python -m tests.distribution dist python3.10 python3.13    make wheels of them, and try these

The sources are unpacked, built and tested in an environment of their own. Wheels are built from the
sources for these Pythons, one for 3.12 and all later ones, are repaired by auditwheel on Linux, and
are tried by each Python in an environment of its own, by the commands that pyproject.toml has for
wheels. Every wheel holds the licences and, if it is one of a release, the addresses of the project.
"""

from __future__ import annotations

import argparse
import email
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
LARGEST = 5_000_000  # bytes of the source distribution
TRIED = ("tests/native/test_determinism_hashes.py", "tests/record", "tests/test_documents.py")
ADDRESSES = ("Source", "Documentation", "Changelog", "Issues")
LICENCES = {"LICENSE", "CodeMirror.txt", "DejaVu.txt", "uPlot.txt"}
STABLE = (3, 12)
"""The Python from which on one wheel is for all."""


def check_wheel(path: Path) -> list[str]:
    """What is wrong with a wheel."""
    with zipfile.ZipFile(path) as file:
        names = file.namelist()
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        told = email.message_from_bytes(file.read(metadata))
    wrong = [
        f"{path.name}: {name} is missing"
        for name in sorted(LICENCES)
        if not any("/licenses/" in each and each.endswith(f"/{name}") for each in names)
    ]
    if re.fullmatch(r"[0-9.]+", told["Version"]):
        known = {each.partition(",")[0] for each in told.get_all("Project-URL", ())}
        absent = [label for label in ADDRESSES if label not in known]
        wrong += [f"{path.name}: has no address {label} in [project.urls]" for label in absent]
    return wrong + [f"{path.name}: holds {each}" for each in names if each.endswith((".cpp", ".h"))]


def check_sources(path: Path) -> list[str]:
    """What is wrong with a source distribution, without a build."""
    size = path.stat().st_size
    wrong = [f"{path.name}: has {size} bytes, more than {LARGEST}"] if size > LARGEST else []
    with tarfile.open(path) as file:
        names = [name.split("/", 1)[-1] for name in file.getnames()]
    needed = ("LICENSE", "README.md", "core/native/CMakeLists.txt", "tests/conftest.py")
    wrong += [f"{path.name}: {name} is missing" for name in needed if name not in names]
    return wrong + [f"{path.name}: holds {name}" for name in names if name.startswith("renders/")]


def unpacked(path: Path, folder: str) -> Path:
    """The folder of the sources, unpacked."""
    with tarfile.open(path) as file:
        file.extractall(folder, filter="data")
    return next(Path(folder).iterdir())


def environment(python: str, folder: Path, *packages: str) -> Path:
    """Make an environment of a Python with these packages; its folder of programs."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    install(programs, *packages)
    return programs


def install(programs: Path, *packages: str) -> None:
    pip = [programs / "python", "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, *packages], check=True)


def try_sources(path: Path) -> int:
    """Build and test a source distribution elsewhere; the exit code of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        root = unpacked(path, folder)
        programs = environment(sys.executable, root / "venv", f"{root}[test]")
        tests = [programs / "python", "-m", "pytest", *TRIED]
        code = subprocess.run(tests, cwd=root, check=False).returncode
        print(f"{path.name}: {' '.join(TRIED)}, exit code {code}", flush=True)
        return code


# ---------------------------------------------------------------- wheels


def version_of(python: str) -> tuple[int, int]:
    """The version of a Python. Raises CalledProcessError or OSError for another program."""
    told = subprocess.check_output([python, "-c", "import sys; print(*sys.version_info[:2])"])
    major, minor = map(int, told.split())
    return major, minor


def tag_of(version: tuple[int, int]) -> str:
    """The part of a wheel's name that says for which Pythons it is."""
    python = "cp{}{}".format(*min(version, STABLE))
    return f"{python}-abi3" if version >= STABLE else f"{python}-{python}"


def build_wheel(sources: Path, python: str, folder: Path) -> None:
    """Build the wheel of a Python, and repair it on Linux, so that it runs on older systems."""
    with tempfile.TemporaryDirectory() as made:
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", made, sources], check=True)
        wheel = next(Path(made).glob("*.whl"))
        if sys.platform == "linux":
            repair = [sys.executable, "-m", "auditwheel", "repair", wheel, "--wheel-dir", folder]
            subprocess.run(repair, check=True)
        else:
            shutil.copy(wheel, folder)


def commands(settings: Path) -> tuple[list[str], list[str]]:
    """The packages and the commands by which pyproject.toml has wheels tried."""
    import tomllib

    told = tomllib.loads(settings.read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    return told["test-requires"], told["test-command"]


def try_wheel(wheel: Path, python: str, sources: Path) -> int:
    """Try a wheel in an environment of its own; how many commands failed."""
    with tempfile.TemporaryDirectory() as folder:
        root = unpacked(sources, folder)
        packages, lines = commands(root / "pyproject.toml")
        programs = environment(python, Path(folder) / "venv", str(wheel), *packages)
        (work := Path(folder) / "work").mkdir()
        failed = 0
        for line in lines:
            program, *words = shlex.split(line.replace("{project}", str(root)))
            done = subprocess.run([programs / program, *words], cwd=work, check=False)
            print(f"{wheel.name}, {python}: {program}, exit code {done.returncode}", flush=True)
            failed += done.returncode != 0
    return failed


def make_wheels(sources: Path, pythons: Sequence[str], folder: Path) -> list[tuple[Path, str]]:
    """Build the wheels of these Pythons that are not there yet; the wheel of each."""
    made = []
    for python in pythons:
        pattern = f"*-{tag_of(version_of(python))}-*.whl"
        if not list(folder.glob(pattern)):
            build_wheel(sources, python, folder)
        made.append((next(iter(folder.glob(pattern))), python))
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description="Make and try what is distributed.")
    parser.add_argument("folder", type=Path, help="of the sources, and of wheels")
    parser.add_argument("pythons", nargs="*", help="make and try wheels for these")
    given = parser.parse_args()
    folder = given.folder
    sources = sorted(folder.glob("*.tar.gz"))
    made = make_wheels(sources[-1], given.pythons, folder) if given.pythons else []
    wheels = sorted(folder.glob("*.whl"))
    wrong = [each for path in wheels for each in check_wheel(path)]
    wrong += [each for path in sources for each in check_sources(path)]
    print("\n".join(wrong) or f"{len(wheels)} wheels and {len(sources)} sources are whole")
    if wrong:
        return 1
    if given.pythons:
        return int(sum(try_wheel(wheel, python, sources[-1]) for wheel, python in made) > 0)
    return max((try_sources(path) for path in sources[-1:]), default=0)


if __name__ == "__main__":
    sys.exit(main())
