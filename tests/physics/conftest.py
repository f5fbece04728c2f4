# SPDX-License-Identifier: MIT
"""Helpers of physics tests: a scene as text, run to its end, against a closed form."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pytest
from rigid2d.core.record import Recorder, Trace
from rigid2d.core.scene import loads
from rigid2d.core.world import World, build, simulate

SOLVERS = ("soft_step", "sequential_impulse")
GRAVITY = 9.81  # the default of a scene in metres and seconds


class Run(Protocol):
    def __call__(self, text: str, *channels: str, **options: Any) -> Trace: ...


class Make(Protocol):
    def __call__(self, text: str, **options: Any) -> World: ...


class Watch(Protocol):
    def __call__(self, text: str, **options: Any) -> Recorder: ...


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> str:
    """Each solver's name in turn."""
    return str(request.param)


@pytest.fixture
def run() -> Run:
    """Run a scene's text and give the trace of the channels, of all bodies when none is named."""

    def run_text(text: str, *channels: str, **options: Any) -> Trace:
        if channels:
            text += f"\nrecord: {{channels: [{', '.join(map(repr, channels))}]}}\n"
        return simulate(loads("rigid: 1\n" + text), **options)

    return run_text


@pytest.fixture
def make() -> Make:
    """The world of a scene's text, to be stepped by hand."""

    def make_world(text: str, **options: Any) -> World:
        return build(loads("rigid: 1\n" + text), **options)

    return make_world


@pytest.fixture
def watch() -> Watch:
    """Run a scene's text and give the recorder: events, warnings, trace."""

    def watch_text(text: str, **options: Any) -> Recorder:
        scene = loads("rigid: 1\n" + text)
        recorder = Recorder(scene, trace=True, check=False)
        simulate(scene, recorder=recorder, **options)
        return recorder

    return watch_text


class Period(Protocol):
    def __call__(self, t: np.ndarray, x: np.ndarray) -> float: ...


@pytest.fixture
def period() -> Period:
    """The mean period of an oscillation about 0, from where it crosses 0 upwards."""

    def mean_period(t: np.ndarray, x: np.ndarray) -> float:
        before = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
        crossings = t[before] - x[before] * np.diff(t)[before] / np.diff(x)[before]
        assert len(crossings) > 2
        return float((crossings[-1] - crossings[0]) / (len(crossings) - 1))

    return mean_period
