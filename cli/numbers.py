# SPDX-License-Identifier: MIT
"""Numbers on the command line: sizes, moments and durations."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from rigid2d.core.errors import UsageError

if TYPE_CHECKING:
    from rigid2d.core.scene.model import Scene

_SIZE = re.compile(r"(\d+)\s*[xX×,]\s*(\d+)")
_TIME = re.compile(r"([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*(ms|s)?")


def in_seconds(text: str) -> float | None:
    """The seconds of ``3``, ``3 s`` or ``500 ms``, which may be infinite; None for other texts."""
    match = _TIME.fullmatch(text.strip())
    if match:
        return float(match[1]) / (1000.0 if match[2] == "ms" else 1.0)
    try:
        return float(text)
    except ValueError:
        return None


def picture_size(text: str) -> tuple[int, int]:
    """``640x480`` as (width, height).

    Raises:
        UsageError: when it is anything else, or too small or large to draw.
    """
    from rigid2d.core.scene.limits import FRAME_SIDE

    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise UsageError(f"--size {text}: should be WIDTHxHEIGHT in pixels, such as 640x480")
    width, height = int(match[1]), int(match[2])
    least, most = FRAME_SIDE
    if not all(least <= side <= most for side in (width, height)):
        raise UsageError(f"--size {text}: each side should be {least} to {most} pixels")
    return width, height


def frame_rate(fps: float) -> float:
    """``fps`` when frames can come at that rate.

    Raises:
        UsageError: when it is not above 0 and at most the format's limit.
    """
    from rigid2d.core.scene.limits import FPS, LEAST_FPS

    if not LEAST_FPS <= fps <= FPS:
        raise UsageError(
            f"--fps {fps:g}: should be above 0 and at most {FPS}, and at least {LEAST_FPS}"
        )
    return fps


def duration_steps(scene: Scene, seconds: float | None, steps: int | None) -> int:
    """The number of steps to run: as requested, or the scene's.

    Raises:
        UsageError: when that is negative, not finite, or more than a scene may have.
    """
    from rigid2d.core.scene.limits import STEPS

    if seconds is None and steps is None:
        return scene.world.steps
    if steps is not None:
        # A whole number may have more digits than a float has room for.
        count = float(min(max(steps, -1), 10**18))
        option = f"--steps {steps}" if abs(steps) < 10**18 else "--steps with so many digits"
    else:
        length = seconds or 0.0
        option, count = f"--seconds {length:g}", length * _steps_per_second(scene)
    if not (math.isfinite(count) and count >= 0):
        raise UsageError(f"{option}: should be 0 or more")
    if count > STEPS:
        raise UsageError(f"{option}: is {count:.3g} steps, more than the limit of {STEPS:,}")
    return round(count)


def _steps_per_second(scene: Scene) -> float:
    return scene.units.time_per_second / scene.world.dt


def step_of(scene: Scene, text: str) -> int:
    """The step of a run that ``--at`` names, also as a number of steps.

    Raises:
        UsageError: when it is neither a time nor a number of steps, or not within the run.
    """
    steps = scene.world.steps
    words = text.split()
    if len(words) == 2 and words[1] in ("step", "steps") and words[0].isdigit():
        if int(words[0]) > steps:
            raise UsageError(f"--at {text}: the run of {scene.path} has {steps} steps")
        return int(words[0])
    return round(moment(scene, text, steps) / scene.world.dt)


def check_step(scene: Scene, step: int) -> None:
    """Raises for a ``--step``, counted from 1, that the scene's run does not have.

    Raises:
        UsageError: when the step is after the scene's last one.
    """
    last = scene.world.steps
    if step > last:
        length = last * scene.world.dt / scene.units.time_per_second
        steps = f"from 1 to {last}" if last else "none"
        raise UsageError(
            f"--step {step}: the steps of the run of {scene.path} are {steps} ({length:g} s); "
            "a longer world.duration has more"
        )


def moment(scene: Scene, text: str | None, steps: int) -> float:
    """The scene time that ``--at`` names in a run of ``steps``: None and ``end`` are its end.

    Raises:
        UsageError: when it is no time, or not within the run.
    """
    end = steps * scene.world.dt
    if text is None or text.strip() == "end":
        return end
    seconds = in_seconds(text)
    if seconds is None or not math.isfinite(seconds):
        raise UsageError(f"--at {text}: should be seconds such as 2.5, `500 ms`, or `end`")
    time = seconds * scene.units.time_per_second
    if not 0 <= time <= end + 0.5 * scene.world.dt:
        length = end / scene.units.time_per_second
        raise UsageError(f"--at {text}: the run of {scene.path} goes from 0 to {length:g} s")
    return min(time, end)
