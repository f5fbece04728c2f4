# SPDX-License-Identifier: MIT
"""Turns a page as it is in the repository into one of the site's generator.

The generator reads another dialect of Markdown than code hosts do: lists begin after an empty line
and are indented by four spaces, headings get the names that links use, and formulas become MathML,
which browsers show without any program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from latex2mathml.converter import convert

_FENCE = re.compile(r"^\s*(```|~~~)")
_ITEM = re.compile(r"^( *)([-*]|\d+\.) +(?=\S)")
_HEADING = re.compile(r"^(#+) (.*)$")
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\])\(([^)\s]+)\)")
_CODE = re.compile(r"(`+)(?:.*?)\1", re.DOTALL)
_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\w$\\])\$(?! )([^$]+?)(?<! )\$(?![\w$])")
INDENT = 4


def page(text: str, link: Callable[[str], str], formulas: bool = False) -> str:
    """The text of a page of the site; ``link`` gives the address of a link, ``formulas`` says
    whether it has some between dollars."""
    parts = []
    names: dict[str, int] = {}
    for fenced, part in _parts(text):
        if not fenced:
            part = _named(_links(part, link), names)
            part = _formulas(part) if formulas else part
        parts.append(part)
    return _lists("".join(parts))


def slug(title: str) -> str:
    """The name of a heading in links, as code hosts give it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """The text in parts, and whether each is code between fences."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        found = _FENCE.match(line)
        if found and not fence:
            yield False, "".join(lines)
            lines, fence = [line], found[1]
        elif found and found[1] == fence:
            yield True, "".join([*lines, line])
            lines, fence = [], ""
        else:
            lines.append(line)
    yield bool(fence), "".join(lines)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text whose parts outside of backquotes are changed."""
    parts, end = [], 0
    for code in _CODE.finditer(text):
        parts += [change(text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, change(text[end:])])


def _links(text: str, link: Callable[[str], str]) -> str:
    return _LINK.sub(lambda found: f"{found[1]}({link(found[2])})", text)


def _named(text: str, taken: dict[str, int]) -> str:
    """Headings with the names that links use; ``taken`` counts those of the page."""

    def named(line: str) -> str:
        found = _HEADING.match(line)
        if not found:
            return line
        name = slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", found[2]))
        taken[name] = taken.get(name, -1) + 1
        name += f"-{taken[name]}" if taken[name] else ""
        return f"{found[1]} {found[2]} {{#{name}}}"

    return "\n".join(map(named, text.split("\n")))


def _formulas(text: str) -> str:
    def shown(block: bool) -> Callable[[re.Match[str]], str]:
        def math(found: re.Match[str]) -> str:
            made = convert(found[1].strip(), display="block" if block else "inline")
            made = str(made).replace("*", "&#42;").replace("_", "&#95;")
            return made if block else f"<span>{made}</span>"  # which begins no block of HTML

        return math

    def change(part: str) -> str:
        part = _DISPLAY.sub(lambda found: f"\n\n{shown(True)(found)}\n\n", part)
        return _INLINE.sub(shown(False), part)

    return _outside_code(text, change)


def _lists(text: str) -> str:
    """The text with lists after empty lines, and their items indented by four spaces a level."""
    out: list[str] = []
    columns: list[int] = []  # at which the texts of the items begin that are open
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and not fence:
            item = _ITEM.match(line)
            last = out[-1] if out else ""
            listed = bool(columns)
            while columns and indent < columns[-1] and (item or not last.strip()):
                columns.pop()
            if item and (columns or indent < INDENT):
                if last.strip() and not listed:
                    out.append("")
                columns.append(item.end())
                rest = f"{item[2]} {line[item.end() :]}"
                out.append(" " * INDENT * (len(columns) - 1) + rest)
                continue
        if columns and line.strip():
            line = " " * INDENT * len(columns) + line[min(indent, columns[-1]) :]
        if found:
            fence = "" if fence else found[1]
        out.append(line)
    return "\n".join(out)


def relative(path: str, start: str) -> str:
    """The address of ``path`` on the page ``start``; both are paths in the site."""
    here, there = PurePosixPath(start).parent.parts, PurePosixPath(path).parts
    common = 0
    while common < min(len(here), len(there) - 1) and here[common] == there[common]:
        common += 1
    return "/".join([*[".."] * (len(here) - common), *there[common:]])
