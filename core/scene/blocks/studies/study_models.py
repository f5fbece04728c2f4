# SPDX-License-Identifier: MIT
"""The input models of studies."""

import re
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from ... import limits
from ...study_model import SIZED
from ...values.context import Context, Wrong
from ...values.fields import Input, Number, TruthField, Value, about
from ...values.kinds import EXPRESSION_SCHEMA, Custom, ListOf, OneOf, Tuple, show
from ...values.quantity import Deferred, Quantity
from ..script.expect import check_condition

_OVER_TIME = re.compile(r"=\s*(max|min|mean|integral)\(([^,()]+(?:\([^()]*\)[^,()]*)*)\)")
_PLAIN = (bool, int, float, str)


def _check_value(value: Any, context: Context) -> Any:
    """Values of an axis: a number, a boolean, a text, or a short list of such."""
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, _PLAIN) for part in parts):
        raise Wrong("wrong-type", f"must be a number, true or false, or a text, not {show(value)}")
    return tuple(value) if isinstance(value, list) else value


_SCALAR = {"type": ["number", "boolean", "string"]}
_VALUES = ListOf(
    Custom(_check_value, {"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]}),
    "a list of values",
    1,
    limits.STUDY_VALUES,
)
_BOUNDS = Tuple(Quantity(), 2, "two numbers [low, high]")
_SPREAD = Tuple(Quantity(), 2, "two numbers [mean, deviation]")
_COUNT = Quantity(low=1, high=limits.STUDY_VALUES, whole=True)
_RUNS = Quantity(low=1, high=limits.STUDY_RUNS, whole=True)


class AxisInput(Input):
    form: ClassVar[str] = "`[1, 2, 3]`, `{from: 0, to: 1, count: 5}` or `{uniform: [1, 3]}`"
    hints: ClassVar[dict[str, str]] = {
        "range": "a range is `{from: 20, to: 70, step: 5}`, or with `count: 11`",
        "linspace": "it is `{from: 20, to: 70, count: 11}`",
        "start": "it is `from`",
        "stop": "it is `to`",
        "num": "it is `count`",
        "min": "it is `from`",
        "max": "it is `to`",
        "gauss": "it is `normal: [mean, deviation]`",
        "seeds": "seeds are `{count: 100}`",
    }
    values: Annotated[Any, _VALUES] = about("The values one by one; a list alone says the same.")
    from_: Number = about("The first value (default 0 where `to` is missing too).", alias="from")
    to: Number = about("The last value.")
    count: Annotated[Value, _COUNT] = about("How many values; without `to` so many whole numbers.")
    step: Annotated[Value, Quantity(above=0.0)] = about("How far apart values are.")
    log: TruthField = about("Whether each is as many times the one before it (false).")
    uniform: Annotated[Any, _BOUNDS] = about("[low, high]: drawn, all equally likely.")
    normal: Annotated[Any, _SPREAD] = about("[mean, deviation]: drawn from a normal distribution.")
    lognormal: Annotated[Any, _SPREAD] = about(
        "[mean, deviation] of the logarithm: drawn, with a logarithm that is normal."
    )
    choice: Annotated[Any, _VALUES] = about("Drawn from a list, all equally likely.")
    randint: Annotated[Any, _BOUNDS] = about("[first, last]: a whole number is drawn.")


def _as_axis(value: Any) -> Any:
    """The short form, a list of values, in the long one."""
    return {"values": value} if isinstance(value, list) else value


def _runs(given: dict[str, Any], key: str, context: Context, path: str) -> float:
    """The number of runs under a key, which nothing that varies can say."""
    try:
        count = _RUNS.check(given[key], context)
        if isinstance(count, Deferred):
            count = count.evaluate(context.values, context, f"{path}.{key}")
    except Wrong as wrong:
        raise wrong.under(key) from None
    return count


def _check_sample(value: Any, context: Context) -> Any:
    """``grid`` or ``zip``, or how many runs by which of the others."""
    if not isinstance(value, dict):
        words = (*("grid", "zip"), *SIZED)
        try:
            word = OneOf(words).check(value, context)
        except Wrong as wrong:  # a misspelt word is not read as the one that it means
            wrong.findings = [each._replace(meant="") for each in wrong.findings]
            raise
        if word in SIZED:
            raise Wrong("missing-key", f"how many runs? `sample: {{{word}: 1000}}`")
        return word, 0
    if len(value) != 1:
        raise Wrong("wrong-type", "must be one sample, such as `{random: 1000}`")
    (word,) = value
    OneOf(SIZED).check(word, context)
    return word, _runs(value, word, context, "study.sample")


_SAMPLE_SCHEMA = {
    "anyOf": [
        {"enum": ["grid", "zip"]},
        {
            "type": "object",
            "properties": {name: {"type": "integer", "minimum": 1} for name in SIZED},
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        },
    ]
}

_KEEP_WORDS = ("none", "all", "failed")


def _check_keep(value: Any, context: Context) -> Any:
    if not isinstance(value, dict):
        return OneOf(_KEEP_WORDS).check(value, context)
    if list(value) != ["first"]:
        raise Wrong("wrong-type", "must be none, all, failed or `{first: 10}`")
    return _runs(value, "first", context, "study.keep")


_KEEP_SCHEMA = {
    "anyOf": [
        {"enum": list(_KEEP_WORDS)},
        {
            "type": "object",
            "properties": {"first": {"type": "integer", "minimum": 1}},
            "required": ["first"],
            "additionalProperties": False,
        },
    ]
}
_Kept = Annotated[Any, Custom(_check_keep, _KEEP_SCHEMA)]
_Live = Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)]


class KeepInput(Input):
    form: ClassVar[str] = "`{gif: failed, trace: {first: 10}}`"
    trace: _Kept = about("The recorded channels as NumPy arrays: none (default), all, failed, ...")
    gif: _Kept = about("A movie, likewise.")
    snapshot: _Kept = about("Exact states, likewise.")


class CollectInput(Input):
    form: ClassVar[str] = "`=ball.x`, `{max: =ball.y}`, `expect` or `outcome`"
    hints: ClassVar[dict[str, str]] = {
        "average": "it is `mean`",
        "sum": "over time it is `integral`; of steps at which something is true `count`",
    }
    end: _Live = about("The value at the run's end; an expression alone says the same.")
    max: _Live = about("The highest value of the run, its start included.")
    min: _Live = about("The lowest.")
    mean: _Live = about("The mean of all steps, the start included.")
    first: _Live = about("The first time at which something is true; nothing where it never is.")
    last: _Live = about("The last time.")
    count: _Live = about("After how many steps it is true; the start counts as one.")
    integral: _Live = about("The integral over time, by the trapezoidal rule.")
    word: Annotated[str | None, OneOf(("expect", "outcome"))] = about(
        "expect: whether all expectations hold; outcome: how the run ended."
    )


def _as_collect(value: Any) -> Any:
    """The short forms: an expression, or one of the words."""
    if isinstance(value, str):
        over_time = _OVER_TIME.fullmatch(value.strip())
        if over_time:
            kind, inner = over_time.groups()
            message = f"over a whole run it is written `{{{kind}: ={inner.strip()}}}`"
            wrong = Wrong("expression", f"`{kind}` of one value is none; {message}")
            raise PydanticCustomError("scene", "wrong", {"findings": wrong.findings})
        return {"word": value} if value.isalpha() else {"end": value}
    return value


class StudyInput(Input):
    form: ClassVar[str] = "`{vary: {vars.speed: [1, 2, 3]}, collect: {range: =ball.x}}`"
    needed: ClassVar[tuple[str, ...]] = ("vary",)
    hints: ClassVar[dict[str, str]] = {
        "runs": "how many runs there are is said by `sample: {random: 1000}`",
        "parameters": "they are `vary`",
        "measure": "it is `collect`",
        "seeds": "seeds are varied: `vary: {world.seed: {count: 100}}`",
    }
    vary: dict[str, Annotated[AxisInput, BeforeValidator(_as_axis)]] | None = about(
        "The varied values, by paths as `--set` has them, and how."
    )
    sample: Annotated[Any, Custom(_check_sample, _SAMPLE_SCHEMA)] = about(
        "Which runs there are: grid (default), zip, {random: N}, {sobol: N}, {latin_hypercube: N}."
    )
    until: _Live = about("When this becomes true the run ends.")
    collect: dict[str, Annotated[CollectInput, BeforeValidator(_as_collect)]] | None = about(
        "The results of each run, by name."
    )
    keep: KeepInput | None = about("Which files of runs are kept.")
