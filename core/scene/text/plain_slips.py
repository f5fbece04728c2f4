# SPDX-License-Identifier: MIT
"""Slips in scalars without quotes: colours that are comments, typographic quotes and spaces."""

from __future__ import annotations

import re
import unicodedata

_COLOUR = r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})(?![^\s,\]}])"
_COMMENTED = re.compile(rf"[ \t]*({_COLOUR})")
_IN_A_LINE = re.compile(rf"(?:[:,\[]|(?:^|\s)-)\s*({_COLOUR})")
_COMMENT = re.compile(r"(?:^|\s)#")
_QUOTES = "“”„‟«»‘’‚‹›"
_SPACES = "\u00a0\u2007\u202f\u3000\u2002\u2003\u2009\u200b\ufeff"
_STRUCTURE = re.compile(rf"(?:^ *|[:,\[{{]|(?:^|\s)-) *([{_SPACES}])")
_WIDE = re.compile(r"(?:^|[\s{,-])\w+(：)(?:$|[\s\w{\[])")
_DECIMAL = re.compile(r"(\d+)((?:\s*[A-Za-z/^0-9]+)?)")


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
