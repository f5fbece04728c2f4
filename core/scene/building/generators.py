# SPDX-License-Identifier: MIT
"""Unrolls ``repeat:`` and ``when:``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import limits
from ..text.problems import Path, plain_name, show_suffix
from ..values.broken import BROKEN, Broken, Stop, Unclear, joined
from ..values.columns import FEWEST, Columns
from ..values.context import Wrong
from ..values.fields import RepeatedInput
from ..values.functions import CONSTANTS, RESERVED, WORDS
from ..values.kinds import show
from ..values.names import index_text
from ..values.words import TABLES, TableName
from .scope import Scope

if TYPE_CHECKING:
    from ..text.table import Table

_NUMBER = r"-?(?:\d+(?:\.\d+)?|\d*\.\d+)(?:e[-+]?\d+)?"
_PART = rf"[^\W\d]\w*(?:\[{_NUMBER}(?:,{_NUMBER})*\])?"
_NAME = re.compile(_PART)
_PARTS = re.compile(rf"{_PART}(?:\.{_PART})*")
_OF_INSTANCES = ("body", "joint", "actuator", "animation", "spawner", "spawned body")
"""Sections whose names may have several parts, as in instances."""


FAILED_TURNS = 20
"""So many turns of a generator are tried that have problems; of the others the names are known."""


@dataclass
class Turns:
    """Number of turns of all generators so far."""

    count: int = 0
    members: int = 0
    """How many bodies the names in groups and events stand for."""

    def add_members(self, count: int, scope: Scope, *at: int | str) -> None:
        """Add the objects of a name; raise Stop at the limit."""
        self.members += count
        if self.members > limits.MEMBERS:
            message = (
                f"the names in the groups and events of this scene stand for more than "
                f"{limits.MEMBERS} bodies together; that is the limit"
            )
            raise scope.fail("limit", message, *at)


def one(what: str) -> str:
    """A noun with ``a`` or ``an``."""
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"


def name_problem(name: str, what: str) -> str:
    """The reason why a text cannot be a name; empty for a valid name."""
    if len(name) > limits.NAME_LENGTH:
        return f"a name of {len(name)} characters; the limit is {limits.NAME_LENGTH}"
    if not (_PARTS if what in _OF_INSTANCES else _NAME).fullmatch(name):
        better = plain_name(name)
        hint = f", such as `{better}`" if better and re.match(r"[^\W\d]", better) else ""
        return (
            f"{show(name)} cannot be the name of {one(what)}: use letters, digits and _, beginning "
            f"with a letter{hint}"
        )
    # A function's name is one only before a parenthesis: `floor.y` is the body, `floor(x)` a call.
    for part in name.split("."):
        if part in WORDS or part in CONSTANTS:
            return f"`{part}` is a word of expressions and cannot be the name of {one(what)}"
    if name.partition(".")[0] == "world" and what in ("body", "joint", "instance"):
        return "`world` is the static body that always exists; choose another name"
    return ""


class Entry(NamedTuple):
    """One object that a template makes: its name, and where its values come from.

    ``on_trial`` is the only entry of a generator that cannot be unrolled: it is made for the
    mistakes in it, and has no name.
    """

    name: str
    scope: Scope
    on_trial: bool = False


def entries(
    template: RepeatedInput,
    name: str,
    scope: Scope,
    turns: Turns,
    most: int,
    what: str,
    spend: Callable[[int], None],
) -> list[Entry]:
    """Yield the entries of a template: one without ``repeat``.

    ``most`` is their limit; ``spend`` counts the values of so many.
    """
    try:
        result: list[Entry] = []
        for entry in _unroll(template, name, scope, turns):
            result.append(entry)
            if len(result) > most:
                raise scope.fail("limit", f"the scene has more than {what}; that is the limit")
        spend(len(result))
        if len(result) >= FEWEST:
            _share_columns(result, scope)
        return result
    except Stop:
        scope.failed = True
        scope.report.add_unread(scope.path)
        trial = _with_values(scope, scope.label, _unknown(template, scope))
        trial.attempt(_when, None, template, trial)
        return [Entry(name, trial, True)]


def number_of_columns(template: RepeatedInput, scope: Scope) -> int:
    """Number of columns of the tables of a generator: values that the tables' limits bound."""
    named = [(i, each) for i, each in (template.repeat or {}).items() if type(each) is TableName]
    if not named:
        return 0
    from .tables import find_table

    folders = scope.context.folders
    found = [find_table(folders, name, scope.file("repeat", i)) for i, name in named]
    return sum(len(table.names) for table in found)


def _share_columns(turns: Sequence[Entry], scope: Scope) -> None:
    """Evaluate the values of all turns of a generator together."""
    values = [turn.scope.values for turn in turns]

    def paths(at: Path) -> list[str]:
        suffix = show_suffix(at)
        return [turn.scope.label + suffix for turn in turns]

    columns = Columns(values, paths, scope.context, scope.budget.may_spend)
    for i, turn in enumerate(turns):
        turn.scope.columns = columns
        turn.scope.turn = i


def _unknown(template: RepeatedInput, scope: Scope) -> Mapping[str, Any]:
    """The values of a turn of a generator whose indices have no values."""
    repeat: Any = template.repeat
    if type(repeat) is Broken or any(type(each) is TableName for each in (repeat or {}).values()):
        return Unclear(scope.context.values)
    return joined(scope.context.values, dict.fromkeys(repeat or (), BROKEN))


def _with_values(scope: Scope, label: str, values: Mapping[str, Any]) -> Scope:
    return Scope(scope.context, scope.report, scope.budget, scope.path, label, values)


def _unroll(template: RepeatedInput, name: str, scope: Scope, turns: Turns) -> Iterator[Entry]:
    if template.repeat is None:
        if template.when is None or scope.attempt(_when, True, template, scope):
            yield Entry(name, scope)
        return
    if not template.repeat:
        raise scope.fail(
            "missing-key", "`repeat` has no index; give it one, such as `{i: 10}`", "repeat"
        )
    for index in template.repeat:
        problem = _index_problem(index, scope)
        if problem:
            scope.failed = True
            scope.report.add_key((*scope.path, "repeat", index), "invalid-name", problem)
    scope.stop_if_failed()
    indices = list(template.repeat)
    if len(indices) > limits.INDICES:
        raise scope.fail(
            "limit",
            f"a generator has at most {limits.INDICES} indices; these are {len(indices)}",
            "repeat",
        )
    context, report, budget, path, label = (
        scope.context,
        scope.report,
        scope.budget,
        scope.path,
        scope.label,
    )
    always = template.when is None
    for numbers, values in _combinations(template.repeat, indices, scope, {}, turns):
        index = f"[{','.join(map(index_text, numbers))}]"
        inner = Scope(context, report, budget, path, label + index, values)
        if always or inner.attempt(_when, True, template, inner):
            yield Entry(name + index, inner)


def _when(template: RepeatedInput, scope: Scope) -> Any:
    return scope.resolve(template.when, "when")


def _index_problem(index: str, scope: Scope) -> str:
    if not index.isidentifier() or index in RESERVED:
        return f"{show(index)} cannot be the name of an index; use a word such as `i`"
    if index in scope.context.values.keys():  # noqa: SIM118 - Unclear ones have every name
        return f"the index `{index}` has the name of a var; rename one of them"
    return ""


def _combinations(
    repeat: dict[str, Any],
    indices: list[str],
    scope: Scope,
    known: dict[str, Any],
    turns: Turns,
) -> Iterator[tuple[list[float], Mapping[str, Any]]]:
    """The numbers of all indices, the first varying slowest; a count may use earlier indices."""
    index, rest = indices[0], indices[1:]
    inner = _with_values(scope, scope.label, joined(scope.context.values, known))
    entry = inner.resolve(repeat[index], "repeat", index)
    if type(entry) is TableName:
        yield from _table_turns(entry, repeat, indices, scope, known, turns)
        return
    numbers = entry if isinstance(entry, tuple) else range(int(min(entry, limits.REPEATS + 1)))
    for value in map(float, numbers):
        if not rest:
            _count_turn(scope, turns)
            yield [value], joined(inner.values, {index: value})
            continue
        before = turns.count
        for others, final in _combinations(repeat, rest, scope, {**known, index: value}, turns):
            yield [value, *others], final
        if turns.count == before:  # the other indices have no numbers, and to find that is work
            _count_turn(scope, turns)


def _table_turns(
    name: TableName,
    repeat: dict[str, Any],
    indices: list[str],
    scope: Scope,
    known: dict[str, Any],
    turns: Turns,
) -> Iterator[tuple[list[float], Mapping[str, Any]]]:
    """The turns of an index that counts the rows of a table, with the values of its columns."""
    index, rest = indices[0], indices[1:]
    at = "repeat", index
    from .tables import find_table  # which few scenes need

    try:
        table = find_table(scope.context.folders, name, scope.file(*at))
        _check_columns(table, [*repeat, *known], scope)
    except Wrong as wrong:
        scope.failed = True
        scope.report.add_wrong((*scope.path, *at), wrong)
        raise Stop from None
    told = f"{known.get(TABLES, '')}, and no such column in `{name}`"
    outer = joined(scope.context.values, {**known, TABLES: told})
    if not rest:
        clear = type(outer) is dict
        for i, row in enumerate(table.rows):
            _count_turn(scope, turns)
            value = float(i)
            values = {**outer, index: value, **row}
            yield [value], values if clear else Unclear(values)
        return
    for i, row in enumerate(table.rows):
        value, before = float(i), turns.count
        inner = {**known, TABLES: told, index: value, **row}
        for others, final in _combinations(repeat, rest, scope, inner, turns):
            yield [value, *others], final
        if turns.count == before:
            _count_turn(scope, turns)


def _check_columns(table: Table, others: Collection[str], scope: Scope) -> None:
    """Wrong if a column has the name of a var or of an index."""
    wrong = Wrong()
    for i, column in enumerate(table.names):
        what = "a var of the scene" if column in scope.context.values.keys() else ""  # noqa: SIM118
        what = "an index or another table's column" if column in others else what
        if what:
            message = f"the column `{column}` has the name of {what}; rename one of them"
            wrong.findings += table.wrong("invalid-name", message, -1, i).findings
    if wrong.findings:
        raise wrong


def _count_turn(scope: Scope, turns: Turns) -> None:
    turns.count += 1
    if turns.count > limits.REPEATS:
        raise scope.fail(
            "limit",
            f"the generators of this scene make more than {limits.REPEATS} turns; that is "
            "the limit",
            "repeat",
        )
