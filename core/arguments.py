# SPDX-License-Identifier: MIT
"""Checks of arguments of public functions; a UsageError names the valid ones."""

from __future__ import annotations

import functools
import inspect
import math
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from .errors import UsageError
from .nearest import nearest_name

Check = Callable[[Any, str], Any]
P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")

LARGEST = 1e15  # beyond it the engine takes no number
_TEXTS = (str, bytes, bytearray)
_NO_NUMBERS = (*_TEXTS, bool)
_ABSENT = object()
_SHOWN = 60  # characters of a wrong value


def checked(**checks: Check) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check the arguments of a function by their names and pass on the results of the checks.

    A call that does not match the signature is a UsageError too.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        parameters = signature.parameters.values()
        places = [(checks.get(each.name), each.name) for each in parameters if _has_place(each)]
        fewest = sum(each.default is each.empty for each in parameters)
        order = [each.name for each in parameters if each.kind in _NAMED]
        needed = {each.name for each in parameters if each.default is each.empty}
        simple = len(order) == len(signature.parameters)
        # The check of a method's only argument.
        alone = len(places) == 2 and places[0][0] is None
        only, only_name = places[1] if alone else (None, "")
        check_given: Any = only
        plain: Callable[..., R] = function
        known: dict[Any, tuple[Any, Any]] = {}  # checks of both kinds of arguments, by calls

        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if not kwargs and fewest <= len(args) <= len(places):
                given: Any = [
                    value if check is None else check(value, name)
                    for value, (check, name) in zip(args, places, strict=False)
                ]
                return function(*given)  # type: ignore[call-arg]
            kind = len(args), *kwargs
            found = known.get(kind)
            if found is None and simple and _fits(order, args, kwargs, needed, len(places)):
                placed = [(i, *each) for i, each in enumerate(places[: len(args)]) if each[0]]
                named = [(checks[name], name) for name in order if name in kwargs.keys() & checks]
                found = known[kind] = placed, named
            if found is not None:
                given = [*args]
                for i, check, name in found[0]:
                    given[i] = check(given[i], name)
                for check, name in found[1]:
                    kwargs[name] = check(kwargs[name], name)
                return function(*given, **kwargs)
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                raise _wrong_call(function, signature, checks, args, kwargs) from None
            for name, value in bound.arguments.items():
                check = checks.get(name)
                if check is not None:
                    bound.arguments[name] = check(value, name)
            return function(*bound.args, **bound.kwargs)

        def call_method(
            owner: Any = _ABSENT, given: Any = _ABSENT, /, *others: Any, **named: Any
        ) -> R:
            if not others and not named:
                if given is not _ABSENT:
                    return plain(owner, check_given(given, only_name))
                if fewest == 1 and owner is not _ABSENT:
                    return plain(owner)
            args: Any = [each for each in (owner, given) if each is not _ABSENT]
            return call(*args, *others, **named)

        # Python hands over the arguments of most methods quicker than those of any function.
        handed: Any = call if only is None else call_method
        return functools.wraps(function)(handed)

    return decorate


def checked_fields(**checks: Check) -> Callable[[type[C]], type[C]]:
    """Check the values that a dataclass is made of, as ``checked`` does."""

    def decorate(kind: type[C]) -> type[C]:
        making: Any = kind.__init__
        kind.__init__ = checked(**checks)(making)  # type: ignore[method-assign]
        return kind

    return decorate


_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _fits(
    names: Sequence[str],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    needed: Set[str],
    places: int,
) -> bool:
    """Whether arguments are those of a function, each given once."""
    given = {*names[: len(args)], *kwargs}
    once = len(args) <= places and len(given) == len(args) + len(kwargs)
    return once and needed <= given <= {*names}


def _has_place(parameter: inspect.Parameter) -> bool:
    return parameter.kind is not parameter.KEYWORD_ONLY


def _wrong_call(
    function: Callable[..., Any],
    signature: inspect.Signature,
    checks: Mapping[str, Check],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> UsageError:
    """The error for a call with too many arguments, too few, or others than there are."""
    parameters = [each for each in signature.parameters.values() if each.name != "self"]
    given = len(args) - (len(parameters) < len(signature.parameters))
    *_, owner, name = ("", *function.__qualname__.split("."))
    name = owner if name == "__init__" else name
    names = [each.name for each in parameters]
    for word in kwargs:
        if word not in names:
            near = nearest_name(word, names)
            known = f"it has {', '.join(names)}" if names else "it has none"
            hint = f"did you mean {near!r}?" if near else _part_of(word, checks) or known
            return UsageError(f"{name} has no argument {word!r}; {hint}")
    places = [each.name for each in parameters if _has_place(each)]
    if given > len(places):
        others = [each for each in names if each not in places]
        hint = f"; give by name what is {', '.join(others)}" if others else ""
        takes = f"{len(places)} ({', '.join(places)})" if places else "none"
        noun = "argument" if given == 1 else "arguments"
        return UsageError(f"{name} was given {given} {noun} by place, but takes {takes}{hint}")
    twice = [each for each in places[:given] if each in kwargs]
    if twice:
        return UsageError(f"{name} was given {twice[0]!r} twice, by place and by name")
    there = {*places[:given], *kwargs}
    missing = [each.name for each in parameters if each.default is each.empty]
    missing = [each for each in missing if each not in there]
    return UsageError(f"{name} needs {' and '.join(map(repr, missing))}")


def _part_of(word: str, checks: Mapping[str, Check]) -> str:
    """A hint for a word that is a field of a dataclass that an argument takes; else nothing."""
    for name, check in checks.items():
        for kind in getattr(check, "kinds", ()):
            if word in getattr(kind, "__dataclass_fields__", ()):
                return f"give {name} as {kind.__name__}({word}=...)"
    return ""


def refuse(name: str, wanted: str, value: Any) -> UsageError:
    """Return the error for an argument, to be raised by the caller."""
    return UsageError(f"{name} should be {wanted}, not {shown(value)} ({type(value).__name__})")


def optional(check: Check) -> Check:
    """Allow None in addition to the values of a check."""
    return lambda value, name: None if value is None else check(value, name)


def whole(least: int | None = 0, most: int | None = None) -> Check:
    """A whole number within bounds; None is no bound."""
    bottom = -math.inf if least is None else least
    top = math.inf if most is None else most

    def check(value: Any, name: str) -> int:
        if type(value) is int and bottom <= value <= top:
            return value
        try:
            if isinstance(value, bool):
                raise TypeError
            number = operator.index(value)
        except TypeError:
            raise refuse(name, "a whole number", value) from None
        if least is not None and number < least:
            low = "must not be negative" if least == 0 else f"must be at least {least}"
            raise UsageError(f"{name} {low}, got {shown(number)}")
        if most is not None and number > most:
            raise UsageError(f"{name} must be at most {most}, got {shown(number)}")
        return number

    return check


def steps_up_to(most: int) -> Check:
    """A number of steps; the time of a step belongs to the scene."""
    whole_number = whole(0, most)

    def check(value: Any, name: str) -> int:
        if type(value) is int and 0 <= value <= most:
            return value
        if isinstance(value, float):
            wanted = "a whole number of steps, each of the scene's `world.dt`"
            raise refuse(name, wanted, value)
        return int(whole_number(value, name))

    return check


def number(value: Any, name: str = "value") -> float:
    """A finite number that the engine takes; not a text, nor True or False."""
    try:
        if isinstance(value, _NO_NUMBERS):
            raise TypeError
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"expected a number for {name}, got {shown(value)}") from None
    if not abs(result) <= LARGEST:
        raise UsageError(
            f"expected a finite number of at most {LARGEST:g} for {name}, got {result}"
        )
    return result


def real(value: Any, name: str) -> float:
    """Any number, not a text; also one that is not finite."""
    if isinstance(value, _NO_NUMBERS):
        raise refuse(name, "a number", value)
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise refuse(name, "a number", value) from None


def finite(value: Any, name: str) -> float:
    """Any finite number, not a text."""
    result = real(value, name)
    if not math.isfinite(result):
        raise refuse(name, "a finite number", value)
    return result


def not_negative(value: Any, name: str) -> float:
    """A finite number of at least 0."""
    result = number(value, name)
    if result < 0.0:
        raise UsageError(f"{name} must not be negative, got {result}")
    return result


def limit(value: Any, name: str = "value") -> float:
    """A number, or an infinite one for no limit."""
    result = real(value, name)
    return result if math.isinf(result) else number(result, name)


def vector(value: Any, name: str = "value") -> tuple[float, float]:
    """Two finite numbers."""
    try:
        if isinstance(value, _TEXTS):
            raise TypeError
        x, y = value
    except (TypeError, ValueError):
        message = f"expected two numbers (x, y) for {name}, got {shown(value)}"
        raise UsageError(message) from None
    return number(x, name), number(y, name)


def shown(value: Any) -> str:
    """A value as a message shows it."""
    try:
        long = repr(value)
    except Exception:  # a value's own, or a number of too many digits
        long = object.__repr__(value)
    return long if len(long) <= _SHOWN else f"{long[: _SHOWN - 3]}..."


def text(value: Any, name: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise refuse(name, "a text", value)
    return value


def word_of(*words: str) -> Check:
    """Check that a value is one of these words."""

    def check(value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise refuse(name, " or ".join(map(repr, words)), value)
        return value

    return check


def texts(value: Any, name: str) -> tuple[str, ...]:
    """A list of texts; a single one is a mistake, and so is a mapping, unless it is one of
    ``dict.fromkeys``, a set with an order."""
    if isinstance(value, Mapping) and any(each is not None for each in value.values()):
        pairs = ", ".join(repr(f"{key}={each}") for key, each in [*value.items()][:3])
        raise UsageError(f"{name} should be a list of texts: [{pairs}], not a mapping")
    if isinstance(value, str):
        raise UsageError(f"{name} should be a list of texts: [{value!r}], not {value!r}")
    return tuple(text(each, f"{name}[{i}]") for i, each in enumerate(items(value, name)))


def items(value: Any, name: str) -> list[Any]:
    """An iterable, as a list."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise refuse(name, "a list", value)
    try:
        return list(value)
    except TypeError:
        raise refuse(name, "a list", value) from None


def iterable(value: Any, name: str) -> Any:
    """An iterable, unchanged."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise refuse(name, "a list or what gives one after the other", value)
    return value


def size(value: Any, name: str) -> tuple[int, int]:
    """Width and height in pixels."""
    sides = list_of(whole(None))(value, name)
    if len(sides) != 2:
        raise refuse(name, "a width and a height in pixels", value)
    return sides[0], sides[1]


def list_of(check: Check) -> Check:
    """Check a list whose items a check allows."""

    def look(value: Any, name: str) -> list[Any]:
        return [check(each, f"{name}[{i}]") for i, each in enumerate(items(value, name))]

    return look


def flag(value: Any, name: str) -> bool:
    """True or False, or a 1 or 0 of NumPy's or Python's."""
    try:
        if value is None or operator.index(value) not in (0, 1):
            raise TypeError
        return bool(value)
    except TypeError:
        if type(value).__name__ in ("bool_", "bool"):
            return bool(value)
        raise refuse(name, "True or False", value) from None


def path(value: Any, name: str) -> Path:
    """The name of a file or folder."""
    try:
        found = os.fspath(value)
    except TypeError:
        raise refuse(name, "the name of a file", value) from None
    if not isinstance(found, str):
        raise refuse(name, "a text with the name of a file", value)
    if "\x00" in found:
        raise refuse(name, "the name of a file", value)
    return Path(found)


def named(value: Any, name: str) -> Any:
    """The name of a file, kept as it was given."""
    path(value, name)
    return value


_KINDS: dict[type, str] = {
    Mapping: "a mapping of names and values",
    bytes: "bytes",
    dict: "a dictionary",
    str: "a text",
}
"""General types in words; others have names of their own."""


def one_of(*kinds: type) -> Check:
    """A value of one of these types."""

    def check(value: Any, name: str) -> Any:
        if not isinstance(value, kinds):
            wanted = " or ".join(_KINDS.get(kind, f"a {kind.__name__}") for kind in kinds)
            raise refuse(name, wanted, value)
        return value

    check.kinds = kinds  # type: ignore[attr-defined]
    return check


def named_object(kind: str) -> Check:
    """The name of an object, such as a body; for its handle the error gives the name."""

    def check(value: Any, name: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(own := getattr(value, "name", None), str):
            raise UsageError(f"{name} should be the name of {kind}: {own!r}, not its handle")
        return text(value, name)

    return check


def callback(value: Any, name: str) -> Any:
    """Something that can be called."""
    if not callable(value):
        raise refuse(name, "a function", value)
    return value
