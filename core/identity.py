# SPDX-License-Identifier: MIT
"""Which engine this is: its version, and a digest of the code that decides results.

Two installations of one version may compute different results, as one of them was changed or built
from other sources. So results are kept apart by the built module and by the Python beside it, byte
for byte, and not by the version alone.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

DECISIVE = (
    *("fonts", "scene", "polygons", "solvers", "record", "view", "world", "render"),
    *("study", "dataset"),
)
"""The packages on which the results of runs depend."""


@cache
def engine_version() -> str:
    """The version of the installed package and, after ``+``, 12 digits of the digest."""
    try:
        number = version("rigid2d")
    except PackageNotFoundError:
        number = "unknown"
    return f"{number}+{code_digest(Path(__file__).parent, _native_file())[:12]}"


def code_digest(folder: Path, native: Path | None) -> str:
    """64 hexadecimal digits of the built module, and of the names and texts of the packages."""
    whole = sha256()
    files = [file for name in DECISIVE for file in sorted((folder / name).rglob("*.py"))]
    for file in files:
        whole.update(file.relative_to(folder).as_posix().encode() + b"\n")
        whole.update(sha256(file.read_bytes()).digest())
    if native is not None:
        whole.update(native.read_bytes())
    return whole.hexdigest()


def _native_file() -> Path | None:
    """The file of the built module, if it is a file."""
    spec = find_spec("._native", __package__)
    found = Path(spec.origin) if spec is not None and spec.origin else None
    return found if found is not None and found.is_file() else None
