# SPDX-License-Identifier: MIT
"""Try what is distributed, outside of git: ``python -m tests.distribution dist``.

The source distribution is unpacked, built and tested in an environment of its own; the wheel holds
the licences and, if it is one of a release, the addresses of the project.
"""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

LARGEST = 5_000_000  # bytes of the source distribution
TRIED = ("tests/native/test_determinism_hashes.py", "tests/record", "tests/test_documents.py")
ADDRESSES = ("Source", "Documentation", "Changelog", "Issues")
LICENCES = {"LICENSE", "CodeMirror.txt", "DejaVu.txt", "uPlot.txt"}


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


def try_sources(path: Path) -> int:
    """Build and test a source distribution elsewhere; the exit code of the tests."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path) as file:
        file.extractall(folder, filter="data")
        root = next(Path(folder).iterdir())
        venv.create(root / "venv", with_pip=True)
        python = root / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", ".[test]"], cwd=root, check=True)
        return subprocess.run([python, "-m", "pytest", *TRIED], cwd=root, check=False).returncode


def main() -> int:
    folder = Path(sys.argv[1])
    wheels, sources = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    wrong = [each for path in wheels for each in check_wheel(path)]
    wrong += [each for path in sources for each in check_sources(path)]
    print("\n".join(wrong) or f"{len(wheels)} wheels and {len(sources)} sources are whole")
    return int(bool(wrong)) or max((try_sources(path) for path in sources[-1:]), default=0)


if __name__ == "__main__":
    sys.exit(main())
