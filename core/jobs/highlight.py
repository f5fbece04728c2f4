# SPDX-License-Identifier: MIT
"""Colours for scene files in a web page: YAML text in, escaped HTML out.

Each token is in an element of its kind. The elements are short, since a page has hundreds of them,
and need no class: ``text.css`` says how they look.
"""

from __future__ import annotations

import re
from html import escape

_TOKENS = re.compile(
    r"""
    (?P<comment>(?:(?<=\s)|^)\#.*$)
  | (?P<formula>"=(?:[^"\\]|\\.)*"|'=[^']*'|(?:(?<=[\s\[,:])|^)=[^,\]}\#]*[^,\]}\#\s])
  | (?P<string>"(?:[^"\\]|\\.)*"|'[^']*')
  | (?P<key>(?:[A-Za-z_][\w.-]*)(?=\s*:(?:\s|$)))
  | (?P<number>(?<![\w.])[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
  | (?P<word>\b(?:true|false|null)\b)
  | (?P<mark>[\[\]{},]+|(?<=[\w"'\]])\s*:(?=\s|$)|^\s*-(?=\s))
    """,
    re.VERBOSE,
)

ELEMENTS = {
    "key": "b",
    "string": "q",
    "number": "i",
    "word": "i",
    "formula": "em",
    "mark": "u",
    "comment": "small",
}
"""The element of each kind of token."""

_BLOCK = re.compile(r"^(\s*)(?:- )?[\w.\"']+\s*:\s*[|>][+-]?\d*\s*(?:#.*)?$")
"""The start of a block of plain text, such as `description: |`."""


def highlight(text: str) -> str:
    """YAML as HTML: every token in its element, all text escaped."""
    lines: list[str] = []
    block: int | None = None  # the indent of the key whose block of text these lines are in
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if block is not None and (not line.strip() or indent > block):
            lines.append(_element("string", line))
            continue
        start = _BLOCK.match(line)
        block = len(start.group(1)) if start else None
        lines.append(_line(line))
    return "\n".join(lines)


def _line(line: str) -> str:
    parts: list[str] = []
    end = 0
    for match in _TOKENS.finditer(line):
        kind = match.lastgroup or "mark"
        parts += [escape(line[end : match.start()], quote=False), _element(kind, match.group())]
        end = match.end()
    parts.append(escape(line[end:], quote=False))
    return "".join(parts)


def _element(kind: str, text: str) -> str:
    name, inner = ELEMENTS[kind], escape(text, quote=False)
    return f"<{name}>{inner}</{name}>" if text.strip() else inner
