# SPDX-License-Identifier: MIT
"""Recorded quantities of one or several runs as curves with units, for ``rigid plot``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..record.channel_units import unit_of
from ..record.channels import Channel, resolve_channels
from ..record.expression_units import unit_of_expression
from ..record.trace import Trace
from ..scene import limits
from ..scene.model import Record, Scene
from ..scene.values.expression import ExpressionError, compile_state
from ..view.plot_values import value_of
from ..world import simulate

Float64 = NDArray[np.float64]
Progress = Callable[[int, int], None]
TIME = "time"
OPERATORS = frozenset("+*/()<> ")
"""Signs of expressions that names of channels have not."""
NAMED = re.compile(r"(.*)\(([^()]*)\)")
"""A name and its unit."""
MOST_RUNS = 64


@dataclass(frozen=True, slots=True)
class CurveRun:
    """One run that is drawn: its scene, and a label."""

    scene: Scene
    label: str


@dataclass(frozen=True, slots=True)
class RecordedQuantity:
    """A recorded quantity with its unit, which is empty for counts.

    ``source`` is an expression over recorded quantities, or empty.
    """

    name: str
    unit: str
    source: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} ({self.unit})" if self.unit else self.name


@dataclass(frozen=True, slots=True)
class Curves:
    """The values of the same quantities in one run; ``columns`` go by names."""

    label: str
    quantities: tuple[RecordedQuantity, ...]
    columns: dict[str, Float64]


def read_variations(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Settings ``PATH=A,B,C`` as the overrides of each run: every value with every other."""
    choices: list[list[str]] = []
    for text in texts:
        path, equals, values = text.partition("=")
        parts = _split(values)
        if not equals or not path.strip() or not all(parts):
            raise UsageError(f"--vary {text}: write a path and values, such as vars.n=1,2,3")
        choices.append([f"{path.strip()}={value}" for value in parts])
    found = list(product(*choices))
    if len(found) > MOST_RUNS:
        raise UsageError(f"--vary: these are {len(found)} runs; at most {MOST_RUNS} are drawn")
    return found


def _split(text: str) -> list[str]:
    """Split at the commas outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "[{(") - (character in "]})")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def check_names(scene: Scene, names: Sequence[str]) -> list[RecordedQuantity]:
    """The quantities that names ask for, in their order. Raises UsageError for an unknown one.

    A name with ``=`` is an expression, before which its own name and unit may be:
    ``middle (m)=0.5*(a.x + b.x)``.
    """
    found: dict[str, RecordedQuantity] = {}
    for name in names:
        if name == TIME:
            found[TIME] = RecordedQuantity(TIME, scene.units.time)
        elif "=" in name:
            made = _expression(scene, name)
            found[made.name] = made
        else:
            for channel in _channels(scene, name):
                found[channel.name] = RecordedQuantity(channel.name, unit_of(channel, scene))
    return list(found.values())


def _channels(scene: Scene, name: str) -> tuple[Channel, ...]:
    try:
        return resolve_channels(scene, [name])
    except UsageError:
        if not OPERATORS.isdisjoint(name):
            hint = f'{name}: an expression begins with =, as in "={name}"'
            raise UsageError(hint) from None
        raise


def _expression(scene: Scene, text: str) -> RecordedQuantity:
    name, _, source = (part.strip() for part in text.partition("="))
    try:
        compile_state(source, scene)
    except ExpressionError as error:
        raise UsageError(f"{text}: {error.message}") from None
    named = NAMED.fullmatch(name)
    if named is not None:
        return RecordedQuantity(named[1].strip(), named[2].strip(), source)
    return RecordedQuantity(name or source, unit_of_expression(source, scene), source)


def curves_of(
    run: CurveRun,
    names: Sequence[str],
    *,
    steps: int | None = None,
    threads: int = 1,
    lanes: int = 0,
    on_progress: Progress | None = None,
) -> Curves:
    """Run a scene and keep the quantities ``names``, after every step."""
    quantities = check_names(run.scene, names)
    formulas = {
        each.name: compile_state(each.source, run.scene) for each in quantities if each.source
    }
    plain = [each.name for each in quantities if each.name != TIME and not each.source]
    inner = [name for formula in formulas.values() for name in formula.channels]
    recorded = tuple(dict.fromkeys([*plain, *inner]))
    count = run.scene.world.steps if steps is None else steps
    if (count + 1) * len(recorded) > limits.TRACE_BYTES // 8:
        raise UsageError(f"{run.scene.path}: so many values are not kept; run it for less long")
    scene = replace(run.scene, record=Record(1, recorded))
    trace: Trace = simulate(
        scene, steps=steps, threads=threads, lanes=lanes, on_progress=on_progress
    )
    columns = {name: trace.channel(name) for name in recorded}
    columns[TIME] = np.asarray(trace.t, np.float64)
    for name, formula in formulas.items():
        rows = zip(*(trace.channel(each).tolist() for each in formula.channels), strict=True)
        moments = rows if formula.channels else [()] * len(trace)
        values = [dict(zip(formula.channels, row, strict=True)) for row in moments]
        columns[name] = np.array([value_of(formula, each) for each in values], np.float64)
    return Curves(run.label, tuple(quantities), columns)
