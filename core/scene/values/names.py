# SPDX-License-Identifier: MIT
"""Names that refer to bodies, materials and categories, the indices in them, and tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...nearest import may_search
from .. import limits
from .broken import BROKEN
from .context import Context, Wrong
from .expression import is_born_later
from .kinds import Color, Kind, nearest, show
from .quantity import Deferred, Quantity, without_value
from .words import Word

_TAGGED = ("bodies", "defaults", "prototypes", "instances", "events", "controls", "inputs")


@dataclass(eq=False, repr=False)
class Name(Kind):
    """The name of a body, category, ...; one in a generator may be ``link[=i+1]``."""

    form: str
    computed: bool = False

    def check(self, value: Any, context: Context) -> str | NameTemplate:
        if not isinstance(value, str) or not value:
            hint = "; put it in quotes" if isinstance(value, (bool, int, float)) else ""
            if value is None and self.form == "the name of a body":
                hint = "; the frame is `world`"
            raise Wrong("wrong-type", f"must be {self.form}, not {show(value)}{hint}")
        if len(value) > limits.NAME_LENGTH:
            raise Wrong(
                "limit", f"a name of {len(value)} characters; the limit is {limits.NAME_LENGTH}"
            )
        if self.computed and value.lstrip().startswith("="):
            return NameTemplate(value, context, self)
        return NameTemplate(value, context) if self.computed and "[=" in value else value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.form}


@dataclass(eq=False, repr=False)
class WordColor(Color):
    """A colour; one in a generator may be a word of a table, ``=tint``."""

    form: str = "a colour"

    def check(self, value: Any, context: Context) -> Any:
        if isinstance(value, str) and value.lstrip().startswith("="):
            return NameTemplate(value, context, self)
        return super().check(value, context)


_INDEX = Quantity()


class NameTemplate:
    """A name with indices that are expressions: ``link[=i+1]``, ``cell[=i,=j]``, ``car[=i].axle``.

    ``rest`` is what follows the indices, in a part of an instance. Or it is a word of a table,
    ``=tint``, which is one of a ``kind``: ``word`` then is the name of its column.
    """

    __slots__ = ("base", "indices", "kind", "rest", "text", "word")

    def __init__(self, text: str, context: Context, kind: Name | WordColor | None = None) -> None:
        self.text = text
        self.kind = kind
        self.word = ""
        self.base, self.rest = "", ""
        self.indices: list[tuple[int, Deferred]] = []
        if kind is not None:
            self.word = text.strip()[1:].strip()
            if not self.word.isidentifier():
                message = (
                    f"must be {kind.form}, not {show(text)}; in a generator over a table, `=name` "
                    "is the word in the column of this name"
                )
                raise Wrong("wrong-type", message)
            return
        self.base, _, rest = text.partition("[")
        ends = re.match(r"(.*?\])(\.[^=]*)", rest)
        if ends:
            rest, self.rest = ends[1], ends[2]
        if not rest.endswith("]"):
            raise Wrong(
                "invalid-name",
                f"{show(text)}: the indices of a name stand in `[` and `]` at its end",
            )
        offset = len(self.base) + 1
        wrong = Wrong()
        for part in _split(rest[:-1]):
            source = part.strip()
            lead = offset + len(part) - len(part.lstrip())
            try:
                self.indices.append((lead, Deferred(context.compile(source), _INDEX)))
            except Wrong as inner:
                wrong.findings += inner.shifted(lead).findings
            offset += len(part) + 1
        if wrong.findings:
            raise wrong

    @property
    def seeded(self) -> bool:
        """Whether an index is drawn at random, and so needs the path of the name."""
        return any(index.expression.seeded for _, index in self.indices)

    def evaluate(self, values: Any, context: Context, path: str) -> str:
        """The name for these values of the indices."""
        if self.kind is not None:
            return self._worded(values.get(self.word), values, context)
        names = []
        failed: Wrong | None = None
        for lead, index in self.indices:
            try:
                number = index.evaluate(values, context, path)
            except Wrong as inner:
                failed = failed or Wrong()
                failed.findings += inner.shifted(lead).findings
                continue
            names.append(index_text(number))
        if failed is not None:
            raise failed
        return f"{self.base}[{','.join(names)}]{self.rest}"

    def evaluate_all(self, turns: Sequence[Any], context: Context) -> list[str]:
        """The words of many turns; Wrong if one is none."""
        words = [turn.get(self.word) for turn in turns]
        known = {word: self._worded(word, turns[0], context) for word in {*words}}
        return [known[word] for word in words]

    def _worded(self, word: Any, values: Any, context: Context) -> str:
        """The text of a word, checked."""
        assert self.kind is not None
        if word is None or word is BROKEN:
            raise without_value(context.compile(f"={self.word}"), values)
        if type(word) is not Word:
            message = (
                f"`{self.word}` is {show(word)}, but this must be {self.kind.form}; words are in "
                "the columns of a table that hold no numbers"
            )
            raise Wrong("wrong-type", message)
        try:
            return str(self.kind.check(word.text, context))
        except Wrong as wrong:
            wrong.findings = [each._replace(place=word.place) for each in wrong.findings]
            raise


def _split(text: str) -> list[str]:
    """Split at the commas outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def index_text(number: float) -> str:
    """An index as names write it: 3 for 3.0, the shortest decimal otherwise."""
    return str(int(number)) if number.is_integer() else repr(number)


def group_of(name: str) -> str:
    """Return the generator of the object with this name; the name itself without one."""
    return name[: name.rindex("[")] if name.endswith("]") and "[" in name else name


def wholes(names: Iterable[str]) -> dict[str, list[str]]:
    """Names that represent many: generators and instances, each with all it made."""
    made: dict[str, list[str]] = {}
    for name in names:
        if name.endswith("]"):
            made.setdefault(group_of(name), []).append(name)
        at = name.find(".")
        while at >= 0:
            instance = name[:at]
            if instance.count("[") == instance.count("]"):  # the point is not one of an index
                made.setdefault(instance, []).append(name)
                if instance.endswith("]"):
                    made.setdefault(group_of(instance), []).append(name)
            at = name.find(".", at + 1)
    return made


def born_of(tree: Any, name: str) -> str:
    """The message on the name of a spawned object, by a scene as written; else nothing."""
    group, bracket, _ = name.partition("[")
    blocks = tree if isinstance(tree, Mapping) else {}
    spawners = blocks.get("spawners")
    births = [*spawners.items()] if isinstance(spawners, Mapping) else []
    waiting = [blocks.get(key) for key in ("controls", "inputs", "events") if bracket]
    while waiting and may_search(1):
        each = waiting.pop()
        if isinstance(each, Mapping):
            births += [("", each["spawn"])] if "spawn" in each else []
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    for key, birth in births if bracket and may_search(len(births)) else ():
        given = birth if isinstance(birth, Mapping) else {}
        if (given.get("name") or key or given.get("use")) == group:
            return is_born_later(group)
    return ""


_FRAME = ("ground", "static", "static_body", "null", "none", "earth", "frame", "background")


def missing_body(name: str, bodies: Mapping[str, Any], tree: Any) -> str:
    """The sentence for a reference to an unknown body, in a scene as written."""
    born = born_of(tree, name)
    if born:
        return born
    index = re.fullmatch(r"(.+)\[([^=\]]*[A-Za-z_][^\]]*)\](.*)", name)
    if index:
        right = f"{index[1]}[={index[2]}]{index[3]}"
        return f"there is no body `{name}`; an index that is worked out begins with `=`: `{right}`"
    base = group_of(name)
    may = base and may_search(20 * len(bodies))
    made = [each for each in bodies if each.startswith(f"{base}[")] if may else []
    if name == base and made:
        return (
            f"`{name}` stands for {len(made)} bodies, `{made[0]}` to `{made[-1]}`; write which one"
        )
    if made:
        return f"there is no body `{name}`; the generator makes `{made[0]}` to `{made[-1]}`"
    if name.lower() in _FRAME:
        return f"there is no body `{name}`; the frame is `world`"
    return f"there is no body `{name}`; {nearest(name, bodies, 'world')}"


def written_tags(blocks: Mapping[str, Any]) -> tuple[str, ...]:
    """The tags of bodies, instances and pieces, each once."""
    found: dict[str, None] = {}
    for section in _TAGGED:
        if section in blocks:
            _collect(section, blocks[section], found)
    return tuple(found)


def _collect(key: str, value: Any, found: dict[str, None]) -> None:
    """The tags in a value; events and actuators name the tags of others."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name == "tags" and isinstance(inner, (list, tuple)):
                found |= {tag: None for tag in inner if isinstance(tag, str)}
            elif name != "actuators":
                _collect(name, inner, found)
    elif isinstance(value, (list, tuple)):
        for each in value:
            if key != "events":
                _collect("", each, found)
            elif isinstance(each, Mapping) and "do" in each:
                _collect("do", each["do"], found)
