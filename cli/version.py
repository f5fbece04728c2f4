# SPDX-License-Identifier: MIT
"""The text of ``rigid --version``."""

from __future__ import annotations

import platform
from pathlib import Path

from rigid2d.core import identity


def version_text() -> str:
    """The version in the first line; then the commit, the engine, its lanes and the platform."""
    from rigid2d.core import _native

    number = identity.package_version()
    sources = Path(identity.__file__).parents[1]
    rows = {
        "rigid": number,
        "commit": identity.commit_of(number, sources),
        "engine": identity.engine_hash(),
        "lanes": " ".join(map(str, _native.lanes_supported())),
        "python": f"{platform.python_version()} ({platform.system()} {platform.machine()})",
    }
    return "\n".join(f"{name} {value}" for name, value in rows.items())
