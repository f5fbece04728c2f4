# SPDX-License-Identifier: MIT
"""YAML text -> plain values that remember where they stand.

The parser is PyYAML's (libyaml where present), used for its events only. What a scalar means is
decided here, by the core schema of YAML 1.2 without octal and hexadecimal numbers: ``true`` and
``false`` are the only booleans, and nothing turns into a date or a base-60 number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters
from typing import Any, NamedTuple

import yaml

from ...errors import Kind, Problem, SceneError
from .. import limits

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

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
_LETTERS = frozenset(f"={ascii_letters}")
_STRING_TAG = "tag:yaml.org,2002:str"


class Mark(NamedTuple):
    """Where a value stands: file, 1-based line and column.

    ``text`` is how far behind the column a scalar's own text begins (1 after a quote), or -1 for
    a text over several lines, whose characters cannot be counted from the column.
    """

    file: str
    line: int = 0
    column: int = 0
    text: int = 0


_new_mark = tuple.__new__  # quicker than the class itself, which Python wrote


class Map(dict[str, Any]):
    """A mapping that knows where it stands, and where its keys and values stand."""

    __slots__ = ("at", "keys_at", "values_at")

    def __init__(self, at: Mark) -> None:
        super().__init__()
        self.at = at
        self.keys_at: dict[str, Mark] = {}
        self.values_at: dict[str, Mark] = {}

    def put(self, key: str, value: Any, key_at: Mark, value_at: Mark) -> None:
        self[key] = value
        self.keys_at[key] = key_at
        self.values_at[key] = value_at

    def copy(self) -> Map:
        """A shallow copy with the same places."""
        other = Map(self.at)
        other.update(self)
        other.keys_at = dict(self.keys_at)
        other.values_at = dict(self.values_at)
        return other


class Seq(list[Any]):
    """A list that knows where it stands, and where its items stand."""

    __slots__ = ("at", "items_at")

    def __init__(self, at: Mark) -> None:
        super().__init__()
        self.at = at
        self.items_at: list[Mark] = []

    def copy(self) -> Seq:
        """A shallow copy with the same places."""
        other = Seq(self.at)
        other.extend(self)
        other.items_at = list(self.items_at)
        return other


def fail(mark: Mark, kind: Kind, message: str, path: str = "") -> SceneError:
    """The error with one problem at ``mark``."""
    return SceneError([Problem(mark.file, mark.line, mark.column, path, message, kind)])


def _short(text: str) -> str:
    """A text of the file as a message shows it, which may be as long as the file."""
    return text if len(text) <= limits.NAME_LENGTH else f"{text[: limits.NAME_LENGTH]}..."


def plain_value(text: str) -> Any:
    """What an unquoted scalar means: None, a bool, an int, a float or the text itself."""
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


_NO_TEXT = {
    b"GIF8": "a GIF picture",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "an archive (ZIP, or NumPy's NPZ)",
    b"\x1f\x8b": "a compressed file (gzip)",
    b"PAR1": "a table (Parquet)",
    b"\x93NUMPY": "an array of NumPy",
    b"<!doctype html": "a page (HTML)",
    b"<svg": "a drawing (SVG); `rigid import` makes a scene of it",
}
"""How files begin that are no scenes, and what they are."""


def _no_text(data: bytes) -> str:
    """What a file is that is no text, where its beginning says so."""
    if data[4:8] == b"ftyp":
        return "a video (MP4)"
    if data[:4] == b"RIFF" and data[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return "a picture, sound or video (RIFF)"
    return next((what for begin, what in _NO_TEXT.items() if data.startswith(begin)), "")


def decode(data: bytes, file: str) -> str:
    """UTF-8 bytes as text; SceneError names the line of the first byte that is wrong."""
    if len(data) > limits.FILE_BYTES:
        raise fail(Mark(file, 1, 1), "limit", _too_large(len(data)))
    what = _no_text(data)
    if what:
        message = f"this is {what}, and no scene; a scene is a YAML text file saved as UTF-8"
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


class Reader:
    """Reads YAML texts into trees and counts their values against one common limit.

    ``problems`` collects what is wrong but leaves the rest of a text readable.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self.problems: list[Problem] = []

    def read(
        self,
        text: str,
        file: str,
        origin: tuple[int, int] = (1, 1),
        form: str = "a scene begins with `rigid: 1`",
    ) -> Any:
        """The tree of one text; ``origin`` is the line and column at which the text begins.

        ``form`` is said where there is nothing in it.

        Raises SceneError with one problem, since nothing after a syntax error can be trusted.
        """
        if len(text) > limits.FILE_BYTES:
            raise fail(Mark(file, 1, 1), "limit", _too_large(len(text)))
        self._check_characters(text, file)
        try:
            return _Document(self, text, file, origin, form).root
        except yaml.YAMLError as error:
            raise _explain(error, text, file, origin) from None

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
        self.file = file
        self.line, self.column = origin
        self.anchors: dict[str, tuple[Any, int, Mark] | None] = {}
        loader = _Loader(text)
        self.events: Iterator[Any] = iter(loader.get_event, None)
        next(self.events)
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            raise fail(Mark(file, 1, 1), "syntax", f"the file is empty; {form}")
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
        return _new_mark(Mark, (self.file, row + self.line, column, text))

    def note(self, mark: Mark, kind: Kind, message: str) -> None:
        self.reader.problems.append(Problem(mark.file, mark.line, mark.column, "", message, kind))

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
        if kind is yaml.ScalarEvent and event.tag is None is event.anchor:  # as most are
            return plain_value(event.value) if event.implicit[0] else event.value, mark
        tag = event.tag
        if tag is not None and tag not in ("!", _STRING_TAG):
            self.note(
                mark,
                "syntax",
                f"the tag `{_short(tag)}` is not allowed; a scene is plain data without tags",
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

    def alias(self, event: Any, mark: Mark) -> tuple[Any, Mark]:
        name = _short(event.anchor)
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
        for event in self.events:
            kind = type(event)
            if kind is yaml.MappingEndEvent:
                break
            key_at = self.mark(event)
            if kind is not yaml.ScalarEvent:
                raise fail(key_at, "syntax", _NO_KEY)
            self.count(limits.KEY, key_at)
            key = event.value
            value, value_at = self.value(next(self.events), depth + 1)
            if key == "<<" and event.implicit[0]:
                merges.append((value, value_at))
                continue
            if key in result:
                first = result.keys_at[key].line
                self.note(
                    key_at,
                    "duplicate-key",
                    f"the key `{_short(key)}` is given twice in this mapping (first in line "
                    f"{first}); keep one of them",
                )
                continue
            result[key] = value
            keys_at[key] = key_at
            values_at[key] = value_at
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


_SENTENCES = (
    ("maximum nesting depth", f"values are nested more than {limits.DEPTH} levels deep"),
    ("cannot start any token", "a tab or a reserved character stands where a value should begin"),
    ("mapping values are not allowed", "a `:` stands where no key can be; is the line indented "
     "too far, or does the text before it need quotes?"),
    ("could not find expected ':'", "a key without its `:`; write `key: value`, and quote texts "
     "that hold special characters"),
    ("did not find expected key", "the indentation or the brackets do not fit together here; "
     "align the keys of one mapping in one column"),
    ("expected ',' or '}'", "a `{` is not closed; put `,` between its entries, `}` at the end, "
     "and quotes around texts that hold brackets or commas"),
    ("expected ',' or ']'", "a `[` is not closed; put `,` between its items, `]` at the end, "
     "and quotes around texts that hold brackets or commas"),
    ("did not find expected '-' indicator", "the items of this list are not in one column; "
     "begin each with `- `"),
    ("found unexpected end of stream", "a quoted text is not closed before the file ends"),
    ("found undefined alias", "an alias `*name` without an anchor `&name` before it"),
    ("found undefined tag handle", "tags such as `!name` are not allowed; a scene is plain data"),
    ("found unexpected document indicator", "a quoted text is not closed before `---`"),
    ("unknown escape character", "a backslash in a double-quoted text begins an escape that YAML "
     "does not know; use single quotes or `\\\\`"),
    ("did not find expected node content", "a value is missing here"),
    ("block sequence entries are not allowed", "a list item `- ` cannot stand here; put it on a "
     "line of its own, or write the list as `[a, b]`"),
    ("did not find expected <document start>", "the text goes on after the value has ended; "
     "check the line before it"),
    ("alphabetic or numeric character", "a `*` or `&` begins an alias or anchor in YAML; quote "
     "the text"),
)  # fmt: skip


_NO_SPACE = re.compile(r"^(\s*(?:- )?[\w.]+(?:\[[^\]]*\])?):([\[{\w\"'=-].*)?$")
_COMMENT = re.compile(r"(?:^|(?<=\s))(//|/\*)")
_ASSIGNED = re.compile(r"^(\s*(?:- )?[A-Za-z_][\w.]*)\s*=\s*([^=\s].*)$")
_INSERTED = re.compile(r"\$\{\s*([\w.]+)\s*\}")
_INDEX = re.compile(r"(?<=[\[,{:])\s*([A-Za-z_]\w*)\[([^\]\[\"']*)\]([.\w]*)\s*(?=[,\]}])")


def _slip_in(lines: list[str], last: Mark) -> SceneError | None:
    """The error for a known slip in the lines at which a parser stopped; None without one."""
    for back, line in enumerate(reversed(lines)):
        row = last.line - back
        joined = _NO_SPACE.match(line)
        if joined and joined[2]:
            column = joined.end(1) + 2
            name = joined[1].strip().removeprefix("- ")
            right = f"`{_short(name)}: {joined[2][:12]}{'...' if len(joined[2]) > 12 else ''}`"
            return fail(
                Mark(last.file, row, column),
                "syntax",
                f"this is not valid YAML: a space is missing after the `:`; write {right}",
            )
        index = _INDEX.search(line)
        if index:
            name, inner, rest = index.groups()
            plain = inner.startswith("=") or inner.strip().isdigit()
            right = f'`"{name}[{inner if plain else "=" + inner}]{rest}"`'
            return fail(
                Mark(last.file, row, index.start(1) + 1),
                "syntax",
                "this is not valid YAML: a name with an index needs quotes between brackets; "
                f"write {right}",
            )
        inserted = _INSERTED.search(line)
        if inserted:
            return fail(
                Mark(last.file, row, inserted.start() + 1),
                "syntax",
                "this is not valid YAML: a value that is worked out is an expression; "
                f"write `={_short(inserted[1])}`",
            )
        comment = _COMMENT.search(line)
        if comment:
            return fail(
                Mark(last.file, row, comment.start() + 1),
                "syntax",
                f"this is not valid YAML: a comment begins with `#`, not with `{comment[1]}`",
            )
        assigned = _ASSIGNED.match(line)
        if assigned:
            name = assigned[1].strip().removeprefix("- ")
            right = f"`{_short(name)}: {assigned[2][:12]}{'...' if len(assigned[2]) > 12 else ''}`"
            return fail(
                Mark(last.file, row, assigned.end(1) + 1),
                "syntax",
                f"this is not valid YAML: `: ` stands between a key and its value; write {right}",
            )
    return None


def _explain(error: yaml.YAMLError, text: str, file: str, origin: tuple[int, int]) -> SceneError:
    """The problem that an error of the YAML parser stands for, with its place and a sentence."""
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    where = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if where is None:
        return fail(Mark(file, *origin), "syntax", f"this is not valid YAML: {problem}")
    lines = text.splitlines()
    row = min(where.line, max(0, len(lines) - 1))
    column = where.column if row == where.line else len(lines[row]) if lines else 0
    mark = Mark(file, row + origin[0], column + (origin[1] if row == 0 else 1))
    here = lines[row] if lines else ""
    indent = here[: len(here) - len(here.lstrip())]
    if "\t" in indent or here[column : column + 1] == "\t":
        return fail(mark, "syntax", "YAML does not allow tabs for indentation; use spaces")
    slip = _slip_in(lines[max(0, row - 1) : row + 1], mark)
    if slip is not None:
        return slip
    bracket = here[column : column + 1]
    if bracket in ("}", "]") and "expected key" in problem:
        opened = {"}": "{", "]": "["}[bracket]
        sentence = f"a `{bracket}` without its `{opened}`; take it away"
        return fail(mark, "syntax", f"this is not valid YAML: {sentence}")
    for part, sentence in _SENTENCES:
        if part in problem:
            context = getattr(error, "context_mark", None)
            began = (
                f" (it began in line {context.line + origin[0]})"
                if (context is not None and context.line < row)
                else ""
            )
            return fail(mark, "syntax", f"this is not valid YAML: {sentence}{began}")
    return fail(mark, "syntax", f"this is not valid YAML: {problem}")
