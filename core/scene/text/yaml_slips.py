# SPDX-License-Identifier: MIT
"""Errors of the YAML parser, with the slip that caused them and its correction; slips in scalars
without quotes: colours that are comments, typographic quotes and spaces."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import yaml

from ...errors import SceneError
from .. import limits
from .marks import Mark, fail, short

_SENTENCES = (
    ("maximum nesting depth", f"values are nested more than {limits.DEPTH} levels deep"),
    ("cannot start any token", "a tab or a reserved character stands where a value should begin"),
    ("mapping values are not allowed", "a `:` stands where no key can be; is the line indented "
     "too far, or does the text before it need quotes?"),
    ("could not find expected ':'", "a key without its `:`; write `key: value`, and quote texts "
     "that hold special characters"),
    ("did not find expected key", "the indentation or the brackets do not fit together here; "
     "align the keys of one mapping in one column"),
    ("did not find expected '-' indicator", "the items of this list are not in one column; "
     "begin each with `- `"),
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
_COLOUR = r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})(?![^\s,\]}])"
_COMMENTED = re.compile(rf"[ \t]*({_COLOUR})")
_IN_A_LINE = re.compile(rf"(?:[:,\[]|(?:^|\s)-)\s*({_COLOUR})")
_COMMENT = re.compile(r"(?:^|\s)#")
_QUOTES = "“”„‟«»‘’‚‹›"
_SPACES = "\u00a0\u2007\u202f\u3000\u2002\u2003\u2009\u200b\ufeff"
_STRUCTURE = re.compile(rf"(?:^ *|[:,\[{{]|(?:^|\s)-) *([{_SPACES}])")
_WIDE = re.compile(r"(?:^|[\s{,-])\w+(：)(?:$|[\s\w{\[])")
_DECIMAL = re.compile(r"(\d+)((?:\s*[A-Za-z/^0-9]+)?)")


_SEPARATED = re.compile("expected ',' or '([]}])'")
_NO_SPACE = re.compile(r"^(\s*(?:- )?[\w.]+(?:\[[^\]]*\])?):([\[{\w\"'=#-].*)?$")
_SHORT = 200
"""The letters beside a mistake, and the lines before it, that are looked at."""
_KEY = re.compile(r"\s*(?:- )?\{?[\w.]+:(?:\s|$)")
_COMMENT = re.compile(r"(?:^|(?<=\s))(//|/\*)")
_ASSIGNED = re.compile(r"^(\s*(?:- )?[A-Za-z_][\w.]*)\s*=\s*([^=\s].*)$")
_INSERTED = re.compile(r"\$\{\s*([\w.]+)\s*\}")
_INDEX = re.compile(r"(?<=[\[,{:])\s*([A-Za-z_]\w*)\[([^\]\[\"']*)\]([.\w]*)\s*(?=[,\]}])")


def _slip_in(lines: list[str], last: Mark) -> SceneError | None:
    """The error for a known slip in the lines at which a parser stopped; None without one."""
    for back, line in enumerate(reversed(lines)):
        slip = _slip_of(line)
        if slip is not None:
            column, sentence = slip
            mark = Mark(last.file, last.line - back, column)
            return fail(mark, "syntax", f"this is not valid YAML: {sentence}")
    return None


def _slip_of(line: str) -> tuple[int, str] | None:
    """Return the column of the known slip in a line, from 1 on, and its correction."""
    joined = _NO_SPACE.match(line)
    if joined and joined[2]:
        right = _entry(joined[1], joined[2])
        return joined.end(1) + 2, f"a space is missing after the `:`; write {right}"
    index = _INDEX.search(line)
    if index:
        name, inner, rest = index.groups()
        plain = inner.startswith("=") or inner.strip().isdigit()
        right = f'`"{name}[{inner if plain else "=" + inner}]{rest}"`'
        sentence = f"a name with an index needs quotes between brackets; write {right}"
        return index.start(1) + 1, sentence
    inserted = _INSERTED.search(line)
    if inserted:
        sentence = f"a value that is worked out is an expression; write `={short(inserted[1])}`"
        return inserted.start() + 1, sentence
    comment = _COMMENT.search(line)
    if comment:
        return comment.start() + 1, f"a comment begins with `#`, not with `{comment[1]}`"
    assigned = _ASSIGNED.match(line)
    if assigned:
        right = _entry(assigned[1], assigned[2])
        return assigned.end(1) + 1, f"`: ` stands between a key and its value; write {right}"
    return None


def _entry(key: str, value: str) -> str:
    """A key and the beginning of its value, as they are written."""
    name = short(key.strip().removeprefix("- "))
    return f"`{name}: {value[:12]}{'...' if len(value) > 12 else ''}`"


def _not_separated(closing: str, lines: list[str], where: Any, begin: Any) -> str:
    """The sentence for an entry between brackets after which neither a comma nor the end comes.

    The end is missing at another bracket's end, at the end of the text, and where a line goes on
    that is not indented under the line of the bracket.
    """
    opening = {"}": "{", "]": "["}[closing]
    line = lines[where.line] if where.line < len(lines) else ""
    indent = len(line) - len(line.lstrip())
    first = lines[begin.line] if begin is not None and begin.line < len(lines) else ""
    goes_on = where.line > begin.line and indent <= len(first) - len(first.lstrip())
    if not line.strip() or goes_on or line[where.column : where.column + 1] in ("]", "}"):
        return f"the `{opening}` is not closed; put `{closing}` after its last entry"
    return (
        f"a `,` is missing before this, between the entries of the `{opening}`; a text that holds "
        "brackets or quotes needs quotes around it"
    )


def _open_quote(error: yaml.YAMLError, text: str) -> tuple[Any, str] | None:
    """The begin and the sign of the quoted text whose end is missing; None if that is no cause.

    The text then goes on to the end of the file, or to the next quote in another line, after which
    the parser finds a word that cannot be there.
    """
    problem, where = getattr(error, "problem", None) or "", getattr(error, "problem_mark", None)
    begin = getattr(error, "context_mark", None)
    if "unexpected end of stream" in problem and begin is not None:
        line = text.splitlines()[begin.line]
        return begin, f"`{line[begin.column : begin.column + 1]}`"
    last = None
    try:
        for token in yaml.scan(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if where is None or token.start_mark.index >= where.index:
                break
            last = token if isinstance(token, yaml.ScalarToken) else last
    except yaml.YAMLError:
        pass
    if last is None or where is None or last.style not in ('"', "'"):
        return None
    inside = text.splitlines()[last.start_mark.line + 1 : last.end_mark.line + 1]
    has_keys = last.end_mark.line == where.line and any(map(_KEY.match, inside))
    return (last.start_mark, f"`{last.style}`") if has_keys else None


def explain(error: yaml.YAMLError, text: str, file: str, origin: tuple[int, int]) -> SceneError:
    """Return the problem of an error of the YAML parser, with its place and a sentence."""
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
    quote = _open_quote(error, text)
    if quote is not None:
        at, sign = quote
        first = origin[1] if at.line == 0 else 1
        begin = Mark(file, at.line + origin[0], at.column + first)
        sentence = f"the text that begins here with {sign} is not closed in this line; end it with"
        return fail(begin, "syntax", f"this is not valid YAML: {sentence} {sign}")
    context = getattr(error, "context_mark", None)
    first = row if context is None else min(row, context.line)
    while first > 0 and lines and lines[first].lstrip()[:1] in ("", "#"):
        first -= 1
    for above in range(max(0, first - 1, row - _SHORT), row + 1):
        printed = sign_of_print(lines[above]) if lines else None
        if printed is not None:
            left, sentence = printed
            left += origin[1] - 1 if above == 0 else 0
            return fail(Mark(file, above + origin[0], left), "syntax", sentence)
    slip = _slip_in(lines[max(0, row - 1) : row + 1], mark)
    if slip is not None:
        return slip
    before = here[max(0, column - _SHORT) : column]  # what is searched costs its square
    key = re.search(r"[\w.]+(?:\[[^\]]*\])?$", before)
    if key and "unexpected ':'" in problem:
        sentence = f"a space is missing after the `:`; write {_entry(key[0], here[column + 1 :])}"
        return fail(mark, "syntax", f"this is not valid YAML: {sentence}")
    inner = re.search(r"([\w.]+): *([\w.]+)$", before)
    if inner and here[column : column + 1] == ":" and "expected ','" in problem:
        after = re.match(r": *([^,{}\[\]]*[^,{}\[\]\s])?", here[column : column + _SHORT])
        value = (after and after[1]) or "..."
        right = f"`{inner[1]}: {{{inner[2]}: {short(value)}}}`"
        mark = Mark(mark.file, mark.line, mark.column - len(inner[2]))
        sentence = f"a mapping inside another one needs braces of its own; write {right}"
        return fail(mark, "syntax", f"this is not valid YAML: {sentence}")
    bracket = here[column : column + 1]
    if bracket in ("}", "]") and "expected key" in problem:
        opened = {"}": "{", "]": "["}[bracket]
        sentence = f"a `{bracket}` without its `{opened}`; take it away"
        return fail(mark, "syntax", f"this is not valid YAML: {sentence}")
    began = ""
    if context is not None and context.line < row:
        began = f" (it began in line {context.line + origin[0]})"
    separated = _SEPARATED.search(problem)
    if separated:
        sentence = _not_separated(separated[1], lines, where, context)
        return fail(mark, "syntax", f"this is not valid YAML: {sentence}{began}")
    for part, sentence in _SENTENCES:
        if part in problem:
            return fail(mark, "syntax", f"this is not valid YAML: {sentence}{began}")
    return fail(mark, "syntax", f"this is not valid YAML: {problem}")


def _quoted(colour: str) -> str:
    return f'`#` begins a comment here, so the colour is not read; put it in quotes: `"{colour}"`'


def colour_after(text: str) -> str:
    """The sentence for a colour that a comment has taken, after the place of a missing value."""
    found = _COMMENTED.match(text)
    return _quoted(found[1]) if found else ""


def colour_in(line: str) -> tuple[int, str] | None:
    """The column, from 1 on, and the sentence for a colour that a comment of a line has taken."""
    found = _IN_A_LINE.search(line)
    if found is None:
        return None
    before = line[: found.start(1)]
    if _COMMENT.search(before) or before.count('"') % 2 or before.count("'") % 2:
        return None
    return found.start(1) + 1, _quoted(found[1])


def space_in(text: str) -> tuple[int, str] | None:
    """The column, from 1 on, and the sentence for a space of print where YAML needs a plain one."""
    found = _STRUCTURE.search(text)
    if found is None:
        return None
    code = f"U+{ord(found[1]):04X}"
    kind = "a non-breaking space" if found[1] in "\u00a0\u2007\u202f" else "no plain space"
    sentence = f"the space here is {kind} ({code}), which YAML takes for a letter"
    return found.start(1) + 1, f"{sentence}; replace it by a plain space"


def sign_of_print(line: str) -> tuple[int, str] | None:
    """The column, from 1 on, and the sentence for a sign in a line that breaks its structure."""
    found = space_in(line) or colour_in(line)
    wide = _WIDE.search(line)
    if found is not None or wide is None:
        return found
    code = f"U+{ord(wide[1]):04X}"
    plain = unicodedata.normalize("NFKC", wide[1])
    sentence = f"`{wide[1]}` ({code}) is a full-width sign, which YAML takes for a letter"
    return wide.start(1) + 1, f"{sentence}; write `{plain}`"


def quotes_around(text: str, key: bool = False) -> str:
    """The sentence for a text in typographic quotes, which YAML takes for letters.

    A text may end with one; a key may not.
    """
    first = next((each for each in (text[0], text[-1]) if each in _QUOTES), "")
    inner = text.strip(_QUOTES)
    if not first or (not key and (text[0] != first or any(each in inner for each in _QUOTES))):
        return ""
    shown = inner if len(inner) <= 60 else f"{inner[:57]}..."
    code = f"U+{ord(first):04X}"
    sentence = f"`{first}` ({code}) is a typographic quote, which YAML takes for a letter"
    return f'{sentence}; write straight ones: `"{shown}"`'


def decimal_comma(before: str, key: str) -> str:
    """The number with a comma that a key without a value is the end of; else nothing.

    ``before`` is the text before the key: between brackets, ``0,5`` is a value and a key.
    """
    end = _DECIMAL.fullmatch(key)
    begin = re.search(r"(?<![\w.])[-+]?\d+,$", before[-40:])
    return f"{begin[0][:-1]}.{key}" if end and begin else ""
