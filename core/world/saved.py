# SPDX-License-Identifier: MIT
"""The JSON schema of saved states, part by part, checked before any of it is used.

Each part defines the schema of its data beside its ``save``. A check is called with a value and its
place, and raises UnfitError for a value of another shape.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

Check = Callable[[Any, str], None]

MOST_WHOLE = 1 << 62


class UnfitError(ValueError):
    """Something in a saved state that no world of the scene has saved; says where it is."""


def need(holds: object, where: str, problem: str) -> None:
    """Raise UnfitError where something does not hold."""
    if not holds:
        raise UnfitError(f"{where}: {problem}")


def anything(value: Any, where: str) -> None:
    """Any value; its reader checks it."""


def flag(value: Any, where: str) -> None:
    """Require true or false."""
    need(isinstance(value, bool), where, "must be true or false")


def text(value: Any, where: str) -> None:
    """Require a text."""
    need(isinstance(value, str), where, "must be a text")


def limit(value: Any, where: str) -> None:
    """Require a number, possibly infinite."""
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    need(right and value == value and _is_float(value), where, "must be a number")


def number(value: Any, where: str) -> None:
    """Require a finite number."""
    limit(value, where)
    need(math.isfinite(value), where, "must be finite")


def _is_float(value: float) -> bool:
    return isinstance(value, float) or abs(value) <= MOST_WHOLE


def whole(least: int = 0, most: int = MOST_WHOLE) -> Check:
    """Require a whole number."""

    def check(value: Any, where: str) -> None:
        right = isinstance(value, int) and not isinstance(value, bool)
        need(right and least <= value <= most, where, f"must be a whole number from {least}")

    return check


def word(*words: str) -> Check:
    """Require one of these words."""

    def check(value: Any, where: str) -> None:
        known = isinstance(value, str) and value in words
        need(known, where, f"must be one of {', '.join(words)}")

    return check


def optional(of: Check) -> Check:
    """Allow null in addition to ``of``."""

    def check(value: Any, where: str) -> None:
        if value is not None:
            of(value, where)

    return check


def either(*of: Check) -> Check:
    """Require a value that fits one of these."""

    def check(value: Any, where: str) -> None:
        told = []
        for each in of:
            try:
                each(value, where)
            except UnfitError as error:
                told.append(error)
            else:
                return
        raise told[0]

    return check


def listed(of: Check) -> Check:
    """Require a list of any length."""

    def check(value: Any, where: str) -> None:
        need(isinstance(value, list), where, "must be a list")
        for i, each in enumerate(value):
            of(each, f"{where}[{i}]")

    return check


def fixed(*of: Check) -> Check:
    """Require a list of these, in this order."""

    def check(value: Any, where: str) -> None:
        right = isinstance(value, list) and len(value) == len(of)
        need(right, where, f"must be a list of {len(of)}")
        for i, (each, part) in enumerate(zip(of, value, strict=True)):
            each(part, f"{where}[{i}]")

    return check


def table(of: Check) -> Check:
    """Require a mapping with any names."""

    def check(value: Any, where: str) -> None:
        need(isinstance(value, dict), where, "must be a mapping")
        for name, each in value.items():
            of(each, f"{where}.{name}")

    return check


def record(**of: Check) -> Check:
    """Require a mapping with exactly these names."""

    def check(value: Any, where: str) -> None:
        need(isinstance(value, dict), where, "must be a mapping")
        same_names(value, of, where)
        for name, each in of.items():
            each(value[name], f"{where}.{name}")

    return check


def same_names(given: Iterable[str], wanted: Collection[str], where: str) -> None:
    """Raise UnfitError unless the names are those of the scene, in any order."""
    given = list(given)
    for name in given:
        need(name in wanted, where, f"{name!r} is not known there")
    for name in wanted:
        need(name in given, where, f"{name!r} is missing")


def known(names: Iterable[str], all_names: Collection[str], where: str, what: str) -> None:
    """Raise UnfitError where a name is none of these."""
    for name in names:
        need(name in all_names, where, f"there is no {what} {name!r}")


def different(values: Iterable[Any], where: str) -> None:
    """Raise UnfitError where a value comes twice."""
    values = list(values)
    need(len(set(values)) == len(values), where, "the same comes twice")


def parsed(given: bytes) -> Any:
    """The value of a line of JSON. Raises UnfitError for other bytes."""
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        raise UnfitError("header: this is not JSON that can be read") from None


POINT = fixed(number, number)
