# SPDX-License-Identifier: MIT
"""Parses YAML text into plain values that know their positions.

The parser is PyYAML's (libyaml where present), used for its events only. Scalars are
resolved here, by the core schema of YAML 1.2 without octal and hexadecimal numbers: ``true`` and
``false`` are the only booleans, and nothing turns into a date or a base-60 number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters
from typing import Any

import yaml

from ...errors import Kind, Problem
from .. import limits
from .foreign_files import named_otherwise, no_text
from .marks import Map, Mark, Seq, fail, new_mark, short
from .yaml_slips import colour_after, decimal_comma, explain, quotes_around, space_in

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_ESCAPED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]|[\t\n](?=[A-Za-z])")
_ESCAPE = re.compile(r"\\(?:([abefrvNLP])(?=[A-Za-z])|([tn][A-Za-z]+)|.)", re.S)
_MADE = dict(zip("abefrvNLP", (7, 8, 27, 12, 13, 11, 0x85, 0x2028, 0x2029), strict=True))
_COMMANDS = {
    *("tau", "tbinom", "textbf", "textit", "tfrac", "theta", "therefore", "tilde", "times"),
    *("triangle", "nabla", "nearrow", "neq", "notin", "nu", "nwarrow"),
}
"""Commands of TeX that begin as the escapes of tab and line feed do, and whose rest is no word."""
_OF_FORMULA = {
    *_COMMANDS,
    *("tan", "tanh", "text", "to", "top", "natural", "ne", "neg", "ni", "not"),
}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_BACKSLASH = "write the text in single quotes, or each backslash twice, `\\\\`"
_LETTERS = frozenset(f"={ascii_letters}")
_STRING_TAG = "tag:yaml.org,2002:str"


def plain_value(text: str) -> Any:
    """The value of an unquoted scalar: None, a bool, an int, a float or the text itself."""
    if text in _SPECIAL:
        return _SPECIAL[text]
    if text[0] in _LETTERS:  # as most are that no number can begin with
        return text
    if _INTEGER.fullmatch(text):
        # A longer one is no exact double anyway; float() bounds the work and gives inf at worst.
        return int(text) if len(text) <= 18 else float(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def decode(data: bytes, file: str) -> str:
    """UTF-8 bytes as text; SceneError names the line of the first byte that is wrong."""
    if len(data) > limits.FILE_BYTES:
        raise fail(Mark(file, 1, 1), "limit", _too_large(len(data)))
    message = no_text(data)
    if message:
        raise fail(Mark(file, 1, 1), "file", message)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise fail(Mark(file, 1, 1), "file", "the file is in UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise fail(
            Mark(file, line, column),
            "file",
            f"the file is not UTF-8 text (byte 0x{data[error.start]:02x} here); "
            "a scene is a YAML text file saved as UTF-8",
        ) from None


def _too_large(size: int) -> str:
    return (
        f"the file has {size / 2**20:.1f} MiB; the limit for one scene file is "
        f"{limits.FILE_BYTES // 2**20} MiB"
    )


def _problem(mark: Mark, kind: Kind, message: str) -> Problem:
    return Problem(mark.file, mark.line, mark.column, "", message, kind)


class Reader:
    """Reads YAML texts into trees and counts their values against one common limit.

    ``problems`` collects problems after which the rest of a text is readable, ``warnings`` what
    does not hinder the scene.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def read(
        self,
        text: str,
        file: str,
        origin: tuple[int, int] = (1, 1),
        form: str = "a scene begins with `rigid: 1`",
    ) -> Any:
        """The tree of one text; ``origin`` is the line and column at which the text begins.

        ``form`` is the expected form, for the message on an empty text.

        Raises SceneError with one problem, since nothing after a syntax error can be trusted.
        """
        if len(text) > limits.FILE_BYTES:
            raise fail(Mark(file, 1, 1), "limit", _too_large(len(text)))
        self._check_characters(text, file)
        try:
            return _Document(self, text, file, origin, form).root
        except yaml.YAMLError as error:
            other = named_otherwise(file, text)
            if other:
                raise fail(Mark(file, 1, 1), "file", other) from None
            raise explain(error, text, file, origin) from None

    @staticmethod
    def _check_characters(text: str, file: str) -> None:
        bad = _CONTROL.search(text)
        if bad is None:
            return
        line = text.count("\n", 0, bad.start()) + 1
        column = bad.start() - (text.rfind("\n", 0, bad.start()) + 1) + 1
        raise fail(
            Mark(file, line, column),
            "syntax",
            f"the character U+{ord(bad.group()):04X} does not belong in a text file; "
            "a scene is a YAML text file saved as UTF-8",
        )


_NO_KEY = (
    "a key must be a plain word, not a list, mapping or alias; where `{{n}}` was to be a value, "
    "write `=n`"
)


class _Document:
    """Builds the tree of one document from the parser's events."""

    def __init__(
        self, reader: Reader, text: str, file: str, origin: tuple[int, int], form: str
    ) -> None:
        self.reader = reader
        self.file, self.text = file, text
        self.line, self.column = origin
        self.anchors: dict[str, tuple[Any, int, Mark] | None] = {}
        loader = _Loader(text)
        self.events: Iterator[Any] = iter(loader.get_event, None)
        next(self.events)
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            message = named_otherwise(file, text) or f"the file is empty; {form}"
            raise fail(Mark(file, 1, 1), "syntax", message)
        self.root, _ = self.value(next(self.events), 0)
        next(self.events)
        event = next(self.events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise fail(
                self.mark(event),
                "syntax",
                "a second document begins here (`---`); a scene file holds one",
            )

    def mark(self, event: Any) -> Mark:
        start: Any = event.start_mark
        end: Any = event.end_mark
        row, column, text = start.line, start.column, 0
        if type(event) is yaml.ScalarEvent:
            style: str | None = event.style
            if style in ("|", ">") or end.line != row:
                text = -1
            elif style in ("'", '"'):
                text = 1
        column += self.column if row == 0 else 1
        return new_mark(Mark, (self.file, row + self.line, column, text))

    def note(self, mark: Mark, kind: Kind, message: str) -> None:
        self.reader.problems.append(_problem(mark, kind, message))

    def count(self, number: int, mark: Mark) -> None:
        self.reader.nodes += number
        if self.reader.nodes > limits.NODES:
            raise fail(
                mark,
                "limit",
                f"the scene has more than {limits.NODES} values (a key counts as {limits.KEY} "
                "more, what aliases stand for is counted each time); that is the limit. Use "
                "`repeat:` for many bodies",
            )

    def value(self, event: Any, depth: int) -> tuple[Any, Mark]:
        mark = self.mark(event)
        kind = type(event)
        before = self.reader.nodes
        self.count(1, mark)
        if kind is yaml.AliasEvent:
            return self.alias(event, mark)
        if depth > limits.DEPTH:
            raise fail(
                mark,
                "limit",
                f"values are nested more than {limits.DEPTH} levels deep; that is the limit",
            )
        if kind is yaml.ScalarEvent and event.style == '"':
            self.check_escapes(event, mark)
        if kind is yaml.ScalarEvent and event.tag is None is event.anchor:  # as most are
            if not event.implicit[0]:
                return event.value, mark
            if not event.value or not event.value.isascii():
                self.check_plain(event, mark)
            return plain_value(event.value), mark
        tag = event.tag
        if tag is not None and tag not in ("!", _STRING_TAG):
            self.note(
                mark,
                "syntax",
                f"the tag `{short(tag)}` is not allowed; a scene is plain data without tags",
            )
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        result: Any
        if kind is yaml.ScalarEvent:
            result = plain_value(event.value) if event.implicit[0] else event.value
        elif kind is yaml.MappingStartEvent:
            result = self.mapping(mark, depth)
        else:
            result = self.sequence(mark, depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = (result, self.reader.nodes - before, mark)
        return result, mark

    def check_plain(self, event: Any, mark: Mark) -> None:
        """Note a scalar without quotes that its author wrote as something else: a colour that
        YAML takes for a comment, a text in typographic quotes, a space of print before it."""
        text = event.value
        if not text:
            begin = event.start_mark.index
            sentence = colour_after(self.text[begin : begin + 80])
        else:
            space = space_in(text[:1])
            sentence = quotes_around(text) if space is None else space[1]
        if sentence:
            self.note(mark, "syntax", sentence)

    def check_key(self, event: Any, mark: Mark) -> None:
        """Report spaces and quotes of print in a key; after the former, no structure is certain."""
        space = space_in(event.value)
        if space is not None:
            column, sentence = space
            raise fail(mark._replace(column=mark.column + column - 1), "syntax", sentence)
        sentence = quotes_around(event.value, key=True)
        if sentence:
            self.note(mark, "syntax", sentence)

    def is_decimal(self, event: Any, result: Map, last: Any, key: str) -> bool:
        """Whether a key without a value is the end of a number with a comma, which is noted."""
        begin = event.start_mark.index
        number = decimal_comma(self.text[max(0, begin - 40) : begin], key)
        after = self.text[event.end_mark.index : event.end_mark.index + 40].lstrip()
        if not number or last is None or after.startswith(":"):
            return False
        where = result.values_at[last]
        text = number.replace(".", ",", 1)
        message = f"`{text}` is not a number; a decimal point is a point: `{number}`"
        self.note(where, "syntax", message)
        return True

    def check_escapes(self, event: Any, mark: Mark) -> None:
        """Refuse words such as `\\alpha` in double quotes, whose first letter makes a control
        character; warn of words such as `\\theta`, whose first letter makes a tab or a line break.
        Written escapes, such as `\\u0007`, are valid."""
        if not _ESCAPED.search(event.value):
            return
        written = self.text[event.start_mark.index : event.end_mark.index]
        at, inside = 0, False  # a formula
        for found in _ESCAPE.finditer(written):
            inside ^= written.count("$", at, found.start()) % 2 == 1
            at = found.start()
            if found[1] is not None:
                made = f"the control character U+{_MADE[found[1]]:04X}"
                self.note(mark, "syntax", f"a backslash in this text makes {made}; {_BACKSLASH}")
                return
            if found[2] in (_OF_FORMULA if inside else _COMMANDS):
                made = "a tab" if found[2][0] == "t" else "a line break"
                message = f"`{found[0]}` makes {made} and `{found[2][1:]}` here; {_BACKSLASH}"
                self.reader.warnings.append(_problem(mark, "syntax", message))
                return

    def alias(self, event: Any, mark: Mark) -> tuple[Any, Mark]:
        name = short(event.anchor)
        if event.anchor not in self.anchors:
            raise fail(
                mark,
                "syntax",
                f"the alias `*{name}` has no anchor `&{name}` before it",
            )
        known = self.anchors[event.anchor]
        if known is None:
            raise fail(mark, "syntax", f"the alias `*{name}` stands inside its own anchor")
        value, size, where = known
        self.count(size, mark)
        return value, where

    def sequence(self, mark: Mark, depth: int) -> Seq:
        result = Seq(mark)
        for event in self.events:
            if type(event) is yaml.SequenceEndEvent:
                break
            value, at = self.value(event, depth + 1)
            result.append(value)
            result.items_at.append(at)
        return result

    def mapping(self, mark: Mark, depth: int) -> Map:
        result = Map(mark)
        merges: list[tuple[Any, Mark]] = []
        keys_at, values_at = result.keys_at, result.values_at
        last: str | None = None
        for event in self.events:
            kind = type(event)
            if kind is yaml.MappingEndEvent:
                break
            key_at = self.mark(event)
            if kind is not yaml.ScalarEvent:
                raise fail(key_at, "syntax", _NO_KEY)
            self.count(limits.KEY, key_at)
            key = event.value
            if event.implicit[0] and not key.isascii():
                self.check_key(event, key_at)
            value, value_at = self.value(next(self.events), depth + 1)
            if value is None and key[:1].isdigit() and self.is_decimal(event, result, last, key):
                continue
            if key == "<<" and event.implicit[0]:
                merges.append((value, value_at))
                continue
            if key in result:
                first = result.keys_at[key].line
                self.note(
                    key_at,
                    "duplicate-key",
                    f"the key `{short(key)}` is given twice in this mapping (first in line "
                    f"{first}); keep one of them",
                )
                continue
            result[key] = value
            keys_at[key] = key_at
            values_at[key] = value_at
            last = key
        for value, at in merges:
            self.merge(result, value, at)
        return result

    def merge(self, target: Map, value: Any, at: Mark) -> None:
        for source in value if isinstance(value, Seq) else [value]:
            if not isinstance(source, Map):
                raise fail(
                    at, "syntax", "`<<` merges a mapping or a list of mappings, such as `<<: *base`"
                )
            for key in source:
                if key not in target:
                    self.count(limits.KEY, at)
                    target.put(key, source[key], source.keys_at[key], source.values_at[key])
