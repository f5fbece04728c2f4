# SPDX-License-Identifier: MIT
"""The test files of `make test-quick`: ``python -m tests.quick`` prints them.

Those of ``quick.txt``, test files that git says are changed, and those named as a module that is
changed: ``tests/render/test_camera.py`` for ``core/view/camera.py``.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_name("quick.txt")


def listed() -> list[str]:
    """The files that are always tried."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def of_changes(changed: Iterable[str]) -> list[str]:
    """The test files that belong to changed files."""
    found: list[str] = []
    for name in changed:
        path = Path(name)
        if path.parts[0] == "tests" and path.name.startswith("test_") and (ROOT / path).is_file():
            found.append(name)
        elif path.parts[0] in ("core", "cli") and path.suffix in (".py", ".cpp", ".h"):
            homes = (ROOT / "tests").rglob(f"test_{path.stem}.py")
            found += sorted(home.relative_to(ROOT).as_posix() for home in homes)
    return found


def changes() -> list[str]:
    """Files that differ from the last commit, and new ones; none where there is no git."""
    found: list[str] = []
    commands = [["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"]]
    for command in commands:
        try:
            done = subprocess.run(
                ["git", *command], cwd=ROOT, capture_output=True, text=True, check=True
            )
        except (OSError, subprocess.CalledProcessError):
            return []
        found += done.stdout.splitlines()
    return found


if __name__ == "__main__":
    print(*dict.fromkeys([*listed(), *of_changes(changes())]))
