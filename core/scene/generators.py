"""Unrolls ``repeat:`` and ``when:``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import limits
from .fields import RepeatedInput
from .functions import CONSTANTS, RESERVED, WORDS
from .kinds import show
from .names import index_text
from .scope import Scope, Stop

_NUMBER = r"-?(?:\d+(?:\.\d+)?|\d*\.\d+)(?:e[-+]?\d+)?"
_NAME = re.compile(rf"[^\W\d]\w*(?:\[{_NUMBER}(?:,{_NUMBER})*\])?")


@dataclass
class Turns:
    """How many turns all generators have taken so far."""

    count: int = 0


def name_problem(name: str, what: str) -> str:
    """Why a text cannot be a name, or an empty text."""
    if len(name) > limits.NAME_LENGTH:
        return f"a name of {len(name)} characters; the limit is {limits.NAME_LENGTH}"
    if not _NAME.fullmatch(name):
        better = re.sub(r"\W+", "_", name).strip("_")
        hint = f", such as `{better}`" if better and re.match(r"[^\W\d]", better) else ""
        return (
            f"{show(name)} cannot be the name of a {what}: use letters, digits and _, beginning "
            f"with a letter{hint}"
        )
    # A function's name is one only before a parenthesis: `floor.y` is the body, `floor(x)` a call.
    if name in WORDS or name in CONSTANTS:
        return f"`{name}` is a word of expressions and cannot be the name of a {what}"
    if name == "world" and what in ("body", "joint"):
        return "`world` is the static body that always exists; choose another name"
    return ""


def unroll(
    template: RepeatedInput, name: str, scope: Scope, turns: Turns
) -> Iterator[tuple[str, Scope]]:
    """(name, scope) of each entry that a template makes: one without ``repeat``."""
    if template.repeat is not None and not template.repeat:
        raise scope.fail("`repeat` has no index; give it one, such as `{i: 10}`", "repeat")
    if template.repeat is None:
        if template.when is None or scope.resolve(template.when, "when"):
            yield name, scope
        return
    for index in template.repeat:
        problem = _index_problem(index, scope)
        if problem:
            scope.report.add_key((*scope.path, "repeat", index), problem)
            raise Stop
    indices = list(template.repeat)
    for numbers, values in _combinations(template.repeat, indices, scope, {}, turns):
        index = f"[{','.join(map(index_text, numbers))}]"
        inner = Scope(
            scope.context,
            scope.report,
            scope.budget,
            scope.path,
            scope.label + index,
            values,
        )
        if template.when is None or inner.resolve(template.when, "when"):
            yield name + index, inner


def bounded(
    entries: Iterator[tuple[str, Scope]], most: int, scope: Scope, message: str
) -> list[tuple[str, Scope]]:
    """All entries, known before the first is made; Stop where there are too many."""
    result: list[tuple[str, Scope]] = []
    for entry in entries:
        result.append(entry)
        if len(result) > most:
            raise scope.fail(message)
    return result


def _index_problem(index: str, scope: Scope) -> str:
    if not index.isidentifier() or index in RESERVED:
        return f"{show(index)} cannot be the name of an index; use a word such as `i`"
    if index in scope.context.values:
        return f"the index `{index}` has the name of a var; rename one of them"
    return ""


def _combinations(
    repeat: dict[str, Any],
    indices: list[str],
    scope: Scope,
    known: dict[str, float],
    turns: Turns,
) -> Iterator[tuple[list[float], dict[str, Any]]]:
    """The numbers of all indices, the first varying slowest; a count may use earlier indices."""
    index, rest = indices[0], indices[1:]
    values: dict[str, Any] = {**scope.context.values, **known}
    inner = Scope(scope.context, scope.report, scope.budget, scope.path, scope.label, values)
    entry = inner.resolve(repeat[index], "repeat", index)
    numbers = entry if isinstance(entry, tuple) else range(int(min(entry, limits.REPEATS + 1)))
    for number in numbers:
        value = float(number)
        if rest:
            more = {**known, index: value}
            for others, final in _combinations(repeat, rest, scope, more, turns):
                yield [value, *others], final
            continue
        turns.count += 1
        if turns.count > limits.REPEATS:
            raise scope.fail(
                f"the generators of this scene make more than {limits.REPEATS} turns; that is "
                "the limit",
                "repeat",
            )
        yield [value], {**values, index: value}
