# SPDX-License-Identifier: MIT
"""rigid2d.core: the library behind the ``rigid`` command.

    import rigid2d.core

    scene = rigid2d.core.load("scene.yaml")
    trace = rigid2d.core.simulate(scene)
    print(trace["ball"].x)

Names are imported when they are first used, so that ``import rigid2d.core`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import Problem, SceneError, SimulationError, UsageError
    from .importers import from_pymunk
    from .jobs.notebook import Movie, movie
    from .record import Recorder, Trace
    from .scene import load, loads
    from .scene.model import Scene
    from .study.results import Results
    from .study.study import run_study
    from .world import Batch, World, build, run, simulate

_HOMES = {
    "Problem": "errors",
    "SceneError": "errors",
    "SimulationError": "errors",
    "UsageError": "errors",
    "Results": "study.results",
    "Scene": "scene.model",
    "load": "scene",
    "loads": "scene",
    "movie": "jobs.notebook",
    "from_pymunk": "importers",
    "Recorder": "record",
    "Trace": "record",
    "Batch": "world",
    "Movie": "jobs.notebook",
    "World": "world",
    "build": "world",
    "run": "world",
    "run_study": "study.study",
    "simulate": "world",
}

__all__ = [
    "Batch",
    "Movie",
    "Problem",
    "Recorder",
    "Results",
    "Scene",
    "SceneError",
    "SimulationError",
    "Trace",
    "UsageError",
    "World",
    "build",
    "from_pymunk",
    "load",
    "loads",
    "movie",
    "run",
    "run_study",
    "simulate",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
