# SPDX-License-Identifier: MIT
"""Expectations: conditions that must hold, checked during the run.

The checker receives every step, for any ``record.every``. Step 0 is the start, before the
first step: ``at: 0`` refers to it, ``always`` and ``eventually`` refer to the steps after it. A
value that is not a number never satisfies an expectation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, flag, one_of, optional, text, whole
from ..errors import RigidError
from ..scene.limits import STEPS
from ..scene.model import Expectation, Scene

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

STATE_QUANTITIES: dict[str, tuple[str, ...]] = {
    "position": ("x", "y"),
    "angle": ("angle",),
    "velocity": ("vx", "vy"),
    "angular_velocity": ("omega",),
}
FALSE = "it does not hold"
ANGLE_UNITS = {"angle": " rad", "angular_velocity": " rad per time unit"}


class Condition(Protocol):
    """A compiled expression over channels."""

    @property
    def channels(self) -> tuple[str, ...]: ...

    def evaluate(self, values: Mapping[str, float]) -> float | bool: ...

    def sides(self, values: Mapping[str, float]) -> Mapping[str, float]: ...


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an expectation.

    Attributes:
        expectation: the entry of ``expect``.
        passed: whether it holds.
        step: the decisive step: the first failure, the first success of ``eventually``, or
            the checked step.
        time: its scene time.
        values: every name of the expectation with its value at that step.
        sides: of a condition that does not hold, the numbers that it compares: both sides of each
            comparison that fails, and both operands of a difference, by their texts.
        message: the reason of the failure, empty when it passed.
    """

    expectation: Expectation
    passed: bool
    step: int
    time: float
    values: Mapping[str, float] = field(default_factory=dict)
    message: str = ""
    sides: Mapping[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The expectation as the author would write it."""
        return describe(self.expectation)

    @property
    def numbers(self) -> Mapping[str, float]:
        """All numbers that a report shows: ``values`` and ``sides``."""
        return {**self.values, **self.sides}

    def __str__(self) -> str:
        if self.passed:
            return f"pass: {self.text}"
        where = self.expectation.file or "<scene>"
        if self.expectation.line:
            where += f":{self.expectation.line}"
        report = (
            f"{where}: FAIL: {self.text}\n  {self.message} (step {self.step}, t = {self.time:g})"
        )
        return report + "".join(f"\n  {name} = {value!r}" for name, value in self.numbers.items())


def describe(expectation: Expectation) -> str:
    """An expectation in one line."""
    if expectation.kind in ("always", "eventually"):
        return f"{expectation.kind}: {expectation.that.strip()}"
    at = "end" if expectation.at is None else f"{expectation.at:g}"
    if expectation.kind == "outcome":
        return f"at {at}: outcome {expectation.outcome}"
    if expectation.kind == "at":
        return f"at {at}: {expectation.that.strip()}"
    wanted = ", ".join(
        f"{what} {_numbers(value)}{ANGLE_UNITS.get(what, '')}"
        for what, value in expectation.values.items()
    )
    return f"at {at}: {expectation.body} {wanted} (tolerance {expectation.tolerance:g})"


def _numbers(values: Sequence[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:g}"
    return "[" + ", ".join(f"{value:g}" for value in values) + "]"


class Checker:
    """Checks a scene's expectations against every step of a run.

    ``channels`` are the names whose values ``add`` needs, one column each, in this order.
    """

    @checked(scene=one_of(Scene), steps=optional(whole(0, STEPS)))
    def __init__(self, scene: Scene, *, steps: int | None = None) -> None:
        total = scene.world.steps if steps is None else steps
        self._watches = [_watch(scene, entry, total) for entry in scene.expect]
        names: dict[str, None] = {}
        for watch in self._watches:
            names.update(dict.fromkeys(watch.channels))
        self.channels = tuple(names)
        index = {name: column for column, name in enumerate(self.channels)}
        for watch in self._watches:
            watch.columns = [index[name] for name in watch.channels]

    def add(self, steps: Int64, times: Float64, values: Float64) -> None:
        """Check a block of steps: ``steps``, ``times`` [rows], ``values`` [rows, channels]."""
        for watch in self._watches:
            watch.look(steps, times, values[:, watch.columns])

    @checked(ended=flag, outcome=text)
    def results(self, *, ended: bool = False, outcome: str = "") -> list[Result]:
        """The result of each expectation, in the order of the file; call it after the run.

        ``ended`` says that the run came to an end of its own, where it is then ``at: end``, and
        ``outcome`` how: win, lose, pass or fail.
        """
        return [watch.finish(ended, outcome) for watch in self._watches]


@dataclass
class _ExpectationState:
    """State of one expectation. ``target`` is the step to check, -1 for every step."""

    expectation: Expectation
    channels: tuple[str, ...]
    target: int
    condition: Condition | None = None
    wanted: tuple[float, ...] = ()
    tolerances: tuple[float, ...] = ()
    columns: list[int] = field(default_factory=list)
    decided: Result | None = None
    last: tuple[int, float, list[float]] | None = None

    def look(self, steps: Int64, times: Float64, values: Float64) -> None:
        if self.decided is not None or len(steps) == 0:
            return
        if self.expectation.kind == "outcome":
            self.last = int(steps[-1]), float(times[-1]), []
            return
        if self.target >= 0:
            row = self.target - int(steps[0])
            if 0 <= row < len(steps):
                self._decide(self.target, float(times[row]), values[row].tolist())
            self.last = int(steps[-1]), float(times[-1]), values[-1].tolist()
            return
        eventually = self.expectation.kind == "eventually"
        for step, time, row_values in zip(
            steps.tolist(), times.tolist(), values.tolist(), strict=True
        ):
            if step == 0:
                continue
            self.last = step, time, row_values
            message = self._verdict(row_values)
            if (message == "") == eventually:
                self.decided = self._result(step, time, row_values, message)
                return

    def _decide(self, step: int, time: float, values: list[float]) -> None:
        self.decided = self._result(step, time, values, self._verdict(values))

    def _result(self, step: int, time: float, values: list[float], message: str) -> Result:
        named = dict(zip(self.channels, values, strict=True))
        sides = self.condition.sides(named) if self.condition and message == FALSE else {}
        return Result(self.expectation, message == "", step, time, named, message, sides)

    def _verdict(self, values: list[float]) -> str:
        """Why these values are not as expected; empty when they are."""
        for name, value in zip(self.channels, values, strict=True):
            if value != value:
                return f"{name} is not a number"
        if self.condition is None:
            return self._off_target(values)
        try:
            held = self.condition.evaluate(dict(zip(self.channels, values, strict=True)))
        except (ArithmeticError, ValueError, RigidError) as error:
            return f"it cannot be evaluated: {error}"
        if isinstance(held, float) and math.isnan(held):
            return "its value is not a number"
        return "" if held else FALSE

    def _off_target(self, values: list[float]) -> str:
        off = [
            f"{name} is off by {value - wanted:+.6g}"
            for name, value, wanted, tolerance in zip(
                self.channels, values, self.wanted, self.tolerances, strict=True
            )
            if not abs(value - wanted) <= tolerance
        ]
        return ", ".join(off)

    def finish(self, ended: bool = False, outcome: str = "") -> Result:
        if self.decided is not None:
            return self.decided
        if self.last is None:
            return Result(self.expectation, False, 0, 0.0, {}, "the run had no step")
        step, time, values = self.last
        if self.expectation.kind == "outcome":
            return self._result(step, time, values, self._other_end(outcome))
        if ended and self.expectation.at is None and self.target >= 0:
            return self._result(step, time, values, self._verdict(values))
        if self.target >= 0:
            message = f"the run ended before step {self.target}"
            return self._result(step, time, values, message)
        if self.expectation.kind == "eventually":
            return self._result(step, time, values, self._verdict(values))
        return self._result(step, time, values, "")

    def _other_end(self, outcome: str) -> str:
        """The message on a run with an unexpected end; empty for others."""
        wanted = self.expectation.outcome
        if (outcome or "none") == wanted:
            return ""
        return f"it ended with `{outcome}`" if outcome else f"it did not end with `{wanted}`"


def _watch(scene: Scene, entry: Expectation, steps: int) -> _ExpectationState:
    """Prepare an expectation: its channels, its step and its comparison."""
    if entry.kind == "outcome":
        return _ExpectationState(entry, (), steps)
    if entry.kind in ("always", "eventually"):
        target = -1
    elif entry.at is None:
        target = steps
    else:
        target = max(0, min(steps, math.floor(entry.at / scene.world.dt + 0.5)))
    if entry.kind != "state":
        from ..scene.values.expression import compile_state

        condition: Condition = compile_state(entry.that, scene)
        return _ExpectationState(entry, tuple(condition.channels), target, condition)
    channels: list[str] = []
    wanted: list[float] = []
    tolerances: list[float] = []
    for what, values in entry.values.items():
        for quantity, value in zip(STATE_QUANTITIES[what], values, strict=True):
            channels.append(f"{entry.body}.{quantity}")
            wanted.append(value)
            tolerances.append(entry.tolerance)
    return _ExpectationState(entry, tuple(channels), target, None, tuple(wanted), tuple(tolerances))
