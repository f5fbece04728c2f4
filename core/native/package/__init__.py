# SPDX-License-Identifier: MIT
"""rigid2d: 2D rigid body physics driven by scene files; the library behind the ``rigid`` command.

    import rigid2d

    scene = rigid2d.load("scene.yaml")
    trace = rigid2d.simulate(scene)

Public names are those of ``rigid2d.core``, imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A public name of ``rigid2d.core``, the list of them, or the version of the distribution."""
    if name == "__version__":
        from importlib.metadata import version

        return version("rigid2d")
    core = import_module(".core", __name__)
    if name == "__all__":
        return [*core.__all__]
    if name in core.__all__:
        return getattr(core, name)
    raise AttributeError(f"module 'rigid2d' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module(".core", __name__).__all__, "__version__"})
