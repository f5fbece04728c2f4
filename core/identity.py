# SPDX-License-Identifier: MIT
"""Which engine this is: its version, and a digest of the code that decides results.

Two installations of one version may compute different results, as one of them was changed or built
from other sources. So results are kept apart by the sources of the built module and by the Python
beside it, and not by the version alone. How a module was compiled changes no bit, and no digest.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

DECISIVE = (
    *("fonts", "scene", "polygons", "solvers", "record", "view", "world", "render"),
    *("study", "dataset"),
)
"""The packages on which the results of runs depend."""


@cache
def engine_version() -> str:
    """The public version of the installed package and, after ``+``, 12 digits of the digest."""
    number, _, _ = package_version().partition("+")
    return f"{number}+{engine_hash()}"


@cache
def engine_hash() -> str:
    """The first 12 digits of the digest of this installation's code."""
    from . import _native

    return code_digest(Path(__file__).parent, _native.source_digest)[:12]


def package_version() -> str:
    """The version of the installed package."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version("rigid2d")
    except PackageNotFoundError:
        return "unknown"


def commit_of(number: str, root: Path) -> str:
    """The commit of the sources of version ``number``: that of the checkout at ``root``, if it is
    one, the one that the version names, as in ``1.1.0.dev3+g0123abcd``, or a release's tag."""
    if (root / ".git").exists():
        checkout = _head(root)
        if checkout:
            return checkout
    public, _, local = number.partition("+")
    node = local.partition(".")[0]
    if node.startswith("g"):
        return node[1:]
    return f"v{public}" if re.fullmatch(r"[0-9.]+", public) else "unknown"


def _head(root: Path) -> str:
    """The commit that is checked out, followed by ``-dirty`` where files were changed since."""
    import subprocess

    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(
            [*command, "--exclude=*"], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def code_digest(folder: Path, native: str) -> str:
    """64 hexadecimal digits of the module's sources, which have the digest ``native``, and of the
    names and texts of the packages."""
    whole = sha256()
    files = [file for name in DECISIVE for file in sorted((folder / name).rglob("*.py"))]
    for file in files:
        whole.update(file.relative_to(folder).as_posix().encode() + b"\n")
        whole.update(sha256(file.read_bytes().replace(b"\r\n", b"\n")).digest())
    whole.update(native.encode())
    return whole.hexdigest()
