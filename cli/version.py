# SPDX-License-Identifier: MIT
"""The text of ``rigid --version``."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

from rigid2d.core import identity


def version_text() -> str:
    """The version in the first line; then the commit, the engine, its lanes and the platform."""
    told = version_fields()
    rows = {
        "rigid": told["version"],
        "commit": told["commit"],
        "engine": told["engine"],
        "lanes": " ".join(map(str, told["lanes"])),
        "python": f"{told['python']} ({told['system']} {told['machine']})",
    }
    return "\n".join(f"{name} {value}" for name, value in rows.items())


def version_fields() -> dict[str, Any]:
    """The same as values, by the names of ``rigid --version --json``."""
    from rigid2d.core import _native

    number = identity.package_version()
    return {
        "version": number,
        "commit": identity.commit_of(number, Path(identity.__file__).parents[1]),
        "engine": identity.engine_hash(),
        "lanes": list(_native.lanes_supported()),
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
    }
