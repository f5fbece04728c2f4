# SPDX-License-Identifier: MIT
"""Numbers of a file made greater or other ones, in whatever form they are written.

A number may be plain, have a unit, be an expression, be an alias or come from a merge. What several
objects share and what an expression says is changed only in the way that was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..scene.values import portable_math, units
from .place import Place, Root
from .places import entry_in, in_radians
from .text.draft import Draft
from .text.expressions import changed, is_expression, lone_vars
from .text.nodes import Node, Path
from .text.style import ANGLE_DIGITS, DIGITS, decimals_of, number, written_decimals
from .text.texts import Refused, dotted

_UNIT = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?).*", re.DOTALL)


@dataclass(frozen=True)
class Amount:
    """A change of a number: ``times`` it and ``add`` more, in the plain numbers of the file.

    Attributes:
        decimals: those with which it is written, at least as many as before.
        powers: the dimension, for texts with units.
        now: the present value, where an expression or a default has it.
    """

    add: float = 0.0
    times: float = 1.0
    decimals: int = DIGITS
    powers: units.Powers = units.LENGTH
    now: Callable[[], float | None] | None = None

    def of(self, value: float) -> float:
        return value * self.times + self.add

    @property
    def is_none(self) -> bool:
        return self.times == 1.0 and not self.add


def known_value(value: float) -> Callable[[], float]:
    """The present value of an ``Amount`` that is known already."""
    return lambda: value


def length_decimals(draft: Draft, step: float | None) -> int:
    """The decimals of lengths for the grid's step, or for what the scene's units are."""
    if step is not None:
        return decimals_of(step)
    node = draft.node(draft.main, ("units",))
    length = node.get("length") if node is not None and node.kind == "map" else None
    screen = node is not None and node.value == "screen"
    fine = {"px": 1, "cm": 2}
    return 1 if screen else fine.get(str(length.value), DIGITS) if length is not None else DIGITS


def angle_decimals(draft: Draft) -> int:
    return ANGLE_DIGITS + 2 if in_radians(draft) else ANGLE_DIGITS


def angle_of(draft: Draft, degrees: float) -> float:
    """Degrees of a message as the plain number of the file."""
    return portable_math.radians(degrees) if in_radians(draft) else degrees


def angle_in_file(draft: Draft, radians: float) -> float:
    """Radians of a scene as the plain number of the file."""
    return radians if in_radians(draft) else portable_math.degrees(radians)


def settle(draft: Draft, file: str, path: Path, about: str) -> Path:
    """The path of a value that may be changed: not through an alias or a merge without asking.

    Where the value stays shared, the path is that of the place where it is said.
    """
    here: Path = ()
    node = draft.root(file)
    if node.kind == "alias":
        raise Refused(f"{file}: the whole file is an alias")
    for i, key in enumerate(path):
        inner = node.get(key)
        if inner is None and isinstance(key, str) and node.entry("<<") is not None:
            merged = _merged(draft, file, node, key)
            if merged is not None:
                shared = _ask_shared(draft, about, f"`{dotted(path)}` comes by `<<`")
                if shared == "all":
                    return settle(draft, file, (*merged, *path[i:]), about)
                value = draft.need(file, (*merged, key)).plain()
                draft.put(file, here, key, value)
                return settle(draft, file, path, about)
        if inner is None:
            return path
        here, node = (*here, key), inner
        if node.kind == "alias":
            found = draft.anchored(file, node.anchor)
            if found is None:
                raise Refused(f"{file}: the alias *{node.anchor} has no anchor")
            shared = _ask_shared(draft, about, f"`{dotted(here)}` is the alias *{node.anchor}")
            if shared == "all":
                return settle(draft, file, (*found[0], *path[i + 1 :]), about)
            draft.flush()
            node = draft.need(file, here)
            if found[1].kind == "map":
                draft.splice(file, node.start, node.end, f"{{<<: *{node.anchor}}}")
            else:
                draft.replace(file, here, found[1].plain())
            return settle(draft, file, path, about)
        if node.anchor and i and draft.has_aliases(file, node.anchor):
            text = f"`{dotted(here)}` has the anchor &{node.anchor}, which others use"
            options = {"all": "change it for all that use it"}
            draft.ask("shared", about, text, options)
    return path


def _ask_shared(draft: Draft, about: str, said: str) -> str:
    options = {"all": "change it where it is said, for all", "here": "say another value here"}
    return draft.ask("shared", about, said, options)


def _merged(draft: Draft, file: str, node: Node, key: str) -> Path | None:
    """The path of the mapping with a key among those that a mapping merges."""
    merge = node.get("<<")
    assert merge is not None
    for each in merge.items if merge.kind == "seq" else [merge]:
        if each.kind != "alias":
            continue
        found = draft.anchored(file, each.anchor)
        if found is None or found[1].kind != "map":
            continue
        if found[1].get(key) is not None:
            return found[0]
        if found[1].entry("<<") is not None:
            inner = _merged(draft, file, found[1], key)
            if inner is not None:
                return inner
    return None


def change(draft: Draft, file: str, path: Path, amount: Amount, about: str) -> None:
    """Change one number at a settled path, which is there. It is written by `Draft.flush`."""
    if amount.is_none:
        return
    node = draft.need(file, path)
    value = node.value
    if node.kind != "scalar" or isinstance(value, bool) or value is None:
        raise Refused(f"{dotted(path)} is no number")
    if isinstance(value, (int, float)):
        source = node.source
        decimals = max(amount.decimals, written_decimals(source))
        is_size = not amount.add and amount.times != 0.0
        new = number(amount.of(float(value)), decimals, source, is_size=is_size)
        if float(new) != float(value):
            draft.queue(file, node, new)
        return
    if is_expression(value):
        _change_expression(draft, file, path, node, amount, about)
        return
    _change_text(draft, file, node, amount, dotted(path))


def _change_text(draft: Draft, file: str, node: Node, amount: Amount, path: str) -> None:
    """Change a text with a unit, which it keeps."""
    match = _UNIT.fullmatch(str(node.value))
    measure = units.parse(str(node.value)) if match else None
    if match is None or measure is None:
        raise Refused(f"{path} is no number")
    world = draft.scene.world
    pixels = world.length_unit if draft.scene.units.length == "px" else 100.0
    converter = units.Converter(draft.scene.units, pixels)
    one = converter.plain(measure._replace(number=1.0))
    if not one:
        raise Refused(f"{path} cannot be written in its unit")
    decimals = written_decimals(match[1])
    fine = (
        amount.decimals + round(portable_math.log(abs(one)) / portable_math.log(10.0))
        if abs(one) < 1e9
        else 0
    )
    value = amount.of(measure.number * one) / one
    new = number(value, max(decimals, fine, 0), match[1])
    source = node.source
    start = source.find(match[1])
    draft.queue(file, node, source[:start] + new + source[start + len(match[1]) :])


def _change_expression(
    draft: Draft, file: str, path: Path, node: Node, amount: Amount, about: str
) -> None:
    text = str(node.value)
    new = changed(text, amount.times, amount.add, amount.decimals)
    options: dict[str, str] = {}
    if new is not None:
        options["constant"] = f"{text} becomes {new}"
    number_text = _as_number(amount)
    if number_text is not None:
        options["number"] = f"{text} becomes {number_text}"
    alone = [name for name, _ in lone_vars(text)] == [text.strip().removeprefix("=").strip()]
    var = _var_of(draft, text, path) if amount.times == 1.0 or alone else None
    if var is not None:
        options["var"] = f"the var `{var[0]}` changes, with all that depends on it"
    if not options:
        raise Refused(f"{dotted(path)} is the expression {text}; change it in the text")
    answer = draft.ask("expression", about, f"{dotted(path)} is the expression {text}", options)
    if answer == "constant":
        assert new is not None
        draft.queue(file, node, _in_quotes(node, new))
    elif answer == "number":
        draft.queue(file, node, str(number_text))
    else:
        assert var is not None
        name, sign, where, var_path = var
        draft.only_numbers = False  # what else depends on it has to be checked
        other = Amount(amount.add * sign, amount.times, amount.decimals)
        change(draft, where.file, var_path, other, f"vars.{name}")


def _as_number(amount: Amount) -> str | None:
    """The number that would be in the place of an expression, where that has one value."""
    value = None if amount.now is None else amount.now()
    return None if value is None else number(amount.of(value), amount.decimals)


def _var_of(draft: Draft, text: str, path: Path) -> tuple[str, int, Root, Path] | None:
    """The var that is a term of an expression and has a plain number, with its sign."""
    for name, sign in lone_vars(text):
        if path[0] == "prototypes":
            continue  # a var of a prototype may hide it
        found = entry_in(draft, Root(draft.main), "vars", name)
        if found is None:
            continue
        where, at = found
        node = draft.need(where.file, at)
        if node.kind == "map" and node.get("value") is not None:
            at = (*at, "value")
            node = draft.need(where.file, at)
        plain = isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
        if plain and not node.anchor:
            return name, sign, where, at
    return None


def _in_quotes(node: Node, text: str) -> str:
    """An expression in the quotes that the old one had."""
    if node.style == "'":
        return "'" + text.replace("'", "''") + "'"
    if node.style == '"':
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if node.style in ("|", ">"):
        return '"' + text.strip() + '"'
    return text


def change_point(
    draft: Draft,
    place: Place,
    keys: Sequence[str | int],
    amounts: Sequence[Amount],
    default: Sequence[float] | None,
    order: Sequence[str] = (),
    about: str = "",
) -> None:
    """Change the numbers of a list, such as a position; one that is not there has a default."""
    about = about or f"{place.address}.{dotted(keys)}"
    if all(each.is_none for each in amounts):
        return
    path = settle(draft, place.file, (*place.path, *keys), about)
    node = draft.node(place.file, path)
    if node is None:
        if default is None:
            raise Refused(f"{about} is not said in the file")
        value = [number(a.of(d), max(a.decimals, 0)) for a, d in zip(amounts, default, strict=True)]
        plain: list[Any] = [_whole(float(each)) for each in value]
        if plain == [*default]:
            return
        draft.put(place.file, path[:-1], str(path[-1]), plain, order)
        return
    if node.kind == "alias" or node.kind != "seq" or len(node.items) != len(amounts):
        raise Refused(f"{about} is no list of {len(amounts)} numbers")
    for i, amount in enumerate(amounts):
        if not amount.is_none:
            inner = settle(draft, place.file, (*path, i), about)
            change(draft, place.file, inner, amount, f"{about}[{i}]")


def change_number(
    draft: Draft,
    place: Place,
    keys: Sequence[str | int],
    amount: Amount,
    default: float | None,
    order: Sequence[str] = (),
) -> None:
    """Change one number of an object; one that is not there has a default."""
    if amount.is_none:
        return
    about = f"{place.address}.{dotted(keys)}"
    path = settle(draft, place.file, (*place.path, *keys), about)
    node = draft.node(place.file, path)
    if node is not None:
        change(draft, place.file, path, amount, about)
        return
    if default is None:
        raise Refused(f"{about} is not said in the file")
    value = _whole(float(number(amount.of(default), amount.decimals)))
    if value != default:
        draft.put(place.file, path[:-1], str(path[-1]), value, order)


def _whole(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < 1e15 else value
