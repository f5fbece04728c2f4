# SPDX-License-Identifier: MIT
"""The block ``study``: many runs of the scene with varied values."""

from __future__ import annotations

from typing import Any

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...model import Scene
from ...study_model import (
    LISTED,
    RANGES,
    TRUTHS,
    Axis,
    AxisKind,
    Collect,
    CollectKind,
    Keep,
    Sample,
    Study,
)
from ...text.problems import find
from ...values.broken import BROKEN, Stop, is_read
from ...values.expression import truth_problems
from ...values.kinds import show
from ...values.portable_math import power
from ..script.expect import read_state
from .study_models import AxisInput, CollectInput, KeepInput, StudyInput

DRAWN = ("uniform", "normal", "lognormal", "choice", "randint")
_SPACED = ("from_", "to", "count", "step", "log")
UNVARIED = ("study", "compare")
"""Blocks that single runs do not have."""
OWN_COLUMNS = ("run", "status", "message", "hash", "seconds")
"""The columns of a table of results that are neither varied nor collected."""


def _build(given: StudyInput | None, build_context: BuildContext) -> Study | None:
    if given is None or not is_read(given):
        return None
    scope = build_context.scope("study")
    scene = build_context.scene
    scope.attempt(lambda: scope.need(given), None)
    axes = build_context.varied = _axes(given, scope)
    is_sampled = given.sample is not BROKEN
    sample: Sample = given.sample[0] if is_sampled and given.sample else "grid"
    samples = given.sample[1] if is_sampled and given.sample else 0
    until = ""
    if is_read(given.until):
        until = scope.attempt(lambda: read_state(given.until, scene, scope, "until").source, "")
    collected = _collected(given, scene, scope)
    made = Study(axes, sample, int(samples), until, collected, _keep(given.keep))
    if is_sampled and _is_whole(given, scope) and len(axes) == len(given.vary or {}):
        problem = sample_problem(made, is_run=build_context.studied)
        if problem:
            scope.fail("conflicting-keys", problem, "sample" if given.sample else "vary")
    if not is_sampled:
        raise Stop
    scope.stop_if_failed()
    return made


# ---------------------------------------------------------------- what is varied


def _axes(given: StudyInput, scope: Scope) -> tuple[Axis, ...]:
    axes = []
    for i, (path, axis) in enumerate((given.vary or {}).items()):
        if i == limits.STUDY_AXES:
            scope.fail("limit", f"more than {limits.STUDY_AXES}; that is the limit", "vary")
            break
        if axis is BROKEN:
            scope.failed = True
            continue
        found = scope.attempt(read_axis, None, path, axis, scope)
        if found is not None:
            axes.append(found)
    if given.vary is not None and not given.vary and _is_whole(given, scope):
        scope.fail("missing-key", "varies nothing; name at least one path", "vary")
    return tuple(axes)


def _is_whole(given: StudyInput, scope: Scope) -> bool:
    """Return whether all varied values could be read; others are left out."""
    written = find(scope.report.tree, ("study", "vary"))
    return not isinstance(written, dict) or len(written) == len(given.vary or {})


def read_axis(path: str, given: AxisInput, scope: Scope) -> Axis:
    """The variation at one path; Stop after a problem."""
    at = ("vary", path)
    block = path.partition(".")[0]
    if block in UNVARIED:
        raise scope.fail("unknown-name", f"`{block}` is the same in all runs", *at)
    said = [name for name in ("values", *DRAWN) if getattr(given, name) is not None]
    spaced = [name for name in _SPACED if getattr(given, name) is not None]
    values = {name: scope.known(getattr(given, name), *at, name.rstrip("_")) for name in _SPACED}
    if any(value is BROKEN for value in values.values()):
        raise Stop
    if len(said) + bool(spaced) != 1:
        if not said and scope.report.may_mean((*scope.path, *at), object):
            raise Stop  # an unknown key may be the one that is missing
        forms = ["a list", "`{from: 0, to: 1, count: 5}`", "`{count: 100}`"]
        forms += [f"`{{{name}: ...}}`" for name in DRAWN]
        raise scope.fail(
            "conflicting-keys" if said else "missing-key",
            f"must be one of {', '.join(forms)}",
            *at,
        )
    if not said:
        return _spaced(path, values, scope)
    name = said[0]
    what = scope.resolve(getattr(given, name), *at, name)
    if name in ("values", "choice"):
        kind: AxisKind = "choice" if name == "choice" else "values"
        return Axis(path, kind, tuple(what))
    low, high = float(what[0]), float(what[1])
    if name in ("uniform", "randint") and not low < high:
        raise scope.fail("out-of-range", "the first number must be the lower one", *at, name)
    if name == "randint" and not (low.is_integer() and high.is_integer()):
        raise scope.fail("out-of-range", "must be two whole numbers", *at, name)
    if name in ("normal", "lognormal") and high < 0.0:
        raise scope.fail("out-of-range", "a deviation must not be negative", *at, name)
    drawn: dict[str, AxisKind] = {each: each for each in DRAWN}  # type: ignore[misc]
    return Axis(path, drawn[name], (), (low, high))


def _spaced(path: str, values: dict[str, Any], scope: Scope) -> Axis:
    """Values at equal distances, or in equal ratios, or all between two ends."""
    at = ("vary", path)
    low, high, count, step, log = (values[name] for name in _SPACED)
    if high is None:
        if count is None or step is not None or log:
            raise scope.fail("missing-key", "`to` is missing: the last value", *at)
        start = low or 0.0
        return Axis(path, "values", _whole([start + k for k in range(int(count))]))
    if low is None:
        raise scope.fail("missing-key", "`from` is missing: the first value", *at)
    if count is not None and step is not None:
        raise scope.fail("conflicting-keys", "`count` and `step` are both given; keep one", *at)
    if log and not (low > 0.0 and high > 0.0):
        raise scope.fail("out-of-range", "`log` needs ends that are greater than 0", *at)
    if log and step is not None:
        raise scope.fail("conflicting-keys", "`log` goes with `count`, not with `step`", *at)
    if count is None and step is None:
        if not low < high:
            raise scope.fail("out-of-range", "`from` must be less than `to`", *at)
        return Axis(path, "log_range" if log else "range", (), (low, high))
    if step is not None:
        length = abs(high - low) / step
        if length >= limits.STUDY_VALUES:
            most = limits.STUDY_VALUES
            raise scope.fail("limit", f"more than {most} values; that is the limit", *at, "step")
        sign = 1.0 if high >= low else -1.0
        # A step that misses the end by rounding is the end.
        return Axis(path, "values", _whole(_steps(low, sign * step, int(length + 1e-9), high)))
    return Axis(path, "values", _whole(_between(low, high, int(count), bool(log))))


def _steps(low: float, step: float, last: int, high: float) -> list[float]:
    values = [low + k * step for k in range(last + 1)]
    if abs(values[-1] - high) <= 1e-9 * abs(step):
        values[-1] = high
    return values


def _between(low: float, high: float, count: int, log: bool) -> list[float]:
    """``count`` values from one end to the other, both exactly."""
    if count == 1:
        return [low]
    if log:
        inner = [low * power(high / low, k / (count - 1)) for k in range(1, count - 1)]
    else:
        inner = [low + k * (high - low) / (count - 1) for k in range(1, count - 1)]
    return [low, *inner, high]


def _whole(values: list[float]) -> tuple[float | int, ...]:
    """The values as whole numbers where all are, as seeds and counts have to be."""
    if all(value.is_integer() for value in values):
        return tuple(map(int, values))
    return tuple(values)


def sample_problem(study: Study, *, is_run: bool = True) -> str:
    """Return why the varied values do not fit the sample, or that there are too many runs.

    A missing number of runs is a problem of a study that ``is_run``; a command may add it.
    """
    most = limits.STUDY_RUNS
    listed = [axis for axis in study.axes if axis.kind in LISTED]
    if study.samples:
        return ""
    for axis in study.axes if is_run else ():
        if axis.kind in RANGES:
            return (
                f"`{axis.path}` goes from one end to another without `count` or `step`, which "
                f"a {study.sample} needs; or give the number of runs, `sample: {{random: 1000}}` "
                "or --samples 1000"
            )
    if not listed:
        return is_run * (
            "only random numbers are varied; give the number of runs, `sample: {random: 1000}` "
            "or --samples 1000"
        )
    if study.sample == "zip":
        lengths = {len(axis.values) for axis in listed}
        if len(lengths) > 1:
            told = ", ".join(f"`{axis.path}` has {len(axis.values)}" for axis in listed)
            return f"`zip` takes values together, one of each, but {told}"
        return ""
    runs = 1
    for axis in listed:
        runs *= len(axis.values)
        if runs > most:
            return f"the grid has more than {most} runs; that is the limit"
    return ""


# ---------------------------------------------------------------- what is kept


def _collected(given: StudyInput, scene: Scene, scope: Scope) -> tuple[Collect, ...]:
    made = []
    for i, (name, entry) in enumerate((given.collect or {}).items()):
        if i == limits.STUDY_COLUMNS:
            most = limits.STUDY_COLUMNS
            scope.fail("limit", f"more than {most} columns; that is the limit", "collect")
            break
        if entry is BROKEN:
            scope.failed = True
            continue
        found = scope.attempt(_collect, None, name, entry, scene, scope)
        if found is not None:
            made.append(found)
    return tuple(made)


def _collect(name: str, given: CollectInput, scene: Scene, scope: Scope) -> Collect:
    at = ("collect", name)
    if not name.isidentifier() or name in OWN_COLUMNS:
        why = "a column of its own" if name in OWN_COLUMNS else "no name"
        message = f"{show(name)} is {why}; use letters, digits and _, not {', '.join(OWN_COLUMNS)}"
        scope.failed = True
        scope.report.add_key((*scope.path, *at), "invalid-name", message)
        raise Stop
    said = [key for key in CollectInput.model_fields if getattr(given, key) is not None]
    if len(said) != 1:
        raise scope.fail(
            "conflicting-keys" if said else "missing-key",
            f"is one of {CollectInput.form}; it has {len(said)}",
            *at,
        )
    key = said[0]
    value = getattr(given, key)
    if not is_read(value):
        raise Stop
    if key == "word":
        if value == "expect" and not scene.expect:
            raise scope.fail("unknown-name", "the scene has no `expect`", *at)
        word: CollectKind = value
        return Collect(name, word, is_truth=word == "expect")
    kinds: dict[str, CollectKind] = {each: each for each in CollectInput.model_fields}  # type: ignore[misc]
    kind = kinds[key]
    expression = read_state(value, scene, scope, *at, key, is_truth=kind in TRUTHS)
    is_truth = kind == "end" and not truth_problems(expression, scene)
    return Collect(name, kind, expression.source, is_truth)


def _keep(given: KeepInput | None) -> Keep:
    if given is None or not is_read(given):
        return Keep()
    said = {name: getattr(given, name) for name in KeepInput.model_fields}
    whole = {key: int(each) if isinstance(each, float) else each for key, each in said.items()}
    return Keep(**{name: each for name, each in whole.items() if each is not None})


STUDY = BlockSpec(
    StudyInput | None,
    _build,
)
