# SPDX-License-Identifier: MIT
"""The smallest changes of which edits consist, made in the texts of a scene.

Numbers and words are replaced where they are; keys, items and entries are put in and taken out in
the style of their neighbours. All else stays byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...scene.blocks.table import KEYS
from .nodes import Node, Path, Text
from .style import folded, in_flow, in_order, key_in_flow, keys_of
from .texts import Refused, Texts, dotted


class Draft(Texts):
    """The texts of a scene's files with changes in the style of what is there."""

    def replace(self, file: str, path: Path, value: Any) -> None:
        """Write another value in the place of one: plain data."""
        self.flush()
        self.check_shared(file, path)
        node = self.need(file, path)
        text = self.text(file)
        if node.kind == "map" and not node.flow and isinstance(value, Mapping) and value:
            self._replace_block(file, path, node, value)
            return
        whole = node.kind in ("map", "seq") and isinstance(value, (Mapping, list, tuple))
        if whole and self._replace_inside(file, path, node, value):
            return
        new = in_flow(value)
        start, end = node.content, node.end
        before = text.text[start - 1 : start]
        if node.kind in ("map", "seq") and not node.flow:  # a block becomes a line
            key_end = start - len(text.text[:start]) + len(text.text[:start].rstrip(" \r\n"))
            start = key_end
            new = f" {new}"
        elif start == end and before == ":":
            new = f" {new}"
        elif node.style in ("'", '"') and isinstance(value, str):
            new = _quoted(value, node.style)
        column = start - text.text.rfind("\n", 0, start) - 1
        indent = self.indent_at(text, start) + 2
        self.splice(file, start, end, folded(new, column, indent, text.newline))

    def _replace_inside(self, file: str, path: Path, node: Node, value: Any) -> bool:
        """Replace the parts of a collection that differ, if it has the same form."""
        if isinstance(value, Mapping):
            if node.kind != "map" or keys_of(node) != [str(key) for key in value]:
                return False
            parts: list[tuple[str | int, Any]] = [(str(key), value[key]) for key in value]
        else:
            if node.kind != "seq" or len(node.items) != len(value) or not value:
                return False
            parts = [*enumerate(value)]
        for key, each in parts:
            here = self.need(file, (*path, key))
            if here.kind == "alias" or not alike(here.plain(), each):
                self.replace(file, (*path, key), each)
        return True

    def _replace_block(self, file: str, path: Path, node: Node, value: Mapping[str, Any]) -> None:
        known = keys_of(node)
        for key in known:
            if key not in value and key != "<<":
                self.remove(file, (*path, key))
        for key, each in value.items():
            self.put(file, path, str(key), each)

    def put(self, file: str, path: Path, key: str, value: Any, order: Sequence[str] = ()) -> None:
        """Give a mapping a key, or the key another value. ``order`` is that of its keys."""
        self.flush()
        node = self.need(file, path)
        found = node.get(key)
        if found is not None:
            if found.kind == "alias" or not alike(found.plain(), value):
                self.replace(file, (*path, key), value)
            return
        if node.kind == "scalar" and node.value is None:
            self._open(file, path, node, key, value)
            return
        if node.kind != "map":
            raise Refused(f"{file}: {dotted(path)} has no keys")
        self.put_text(file, path, key, in_flow(value), order)

    def _open(self, file: str, path: Path, node: Node, key: str, value: Any) -> None:
        """Give the first key to a mapping without any."""
        text = self.text(file)
        if len(path) == 1:
            indent = text.newline + " " * self._step(file)
            new = f"{indent}{in_flow(key)}: {in_flow(value)}"
            self.splice(file, node.start, node.end, new)
        else:
            self.splice(file, node.start, node.end, f" {in_flow({key: value})}")

    def put_text(
        self, file: str, path: Path, key: str, value: str, order: Sequence[str] = ()
    ) -> None:
        """Give a mapping a new key, whose value is written already."""
        self.flush()
        self.check_shared(file, path)
        node = self.need(file, path)
        text = self.text(file)
        entries = node.entries
        after = _predecessor(keys_of(node), key, order)
        entry = f"{key_in_flow(key)}:{'' if value[:1] in chr(10) + chr(13) else ' '}{value}"
        if node.flow:
            self._put_in_flow(file, node, after, entry)
            return
        newline = text.newline
        indent = " " * (entries[0][0].column if entries else node.column)
        entry = entry.replace("\n", f"\n{indent}") if "\n" in entry else entry
        if after < 0:
            start = entries[0][0].start if entries else node.start
            self.splice(file, start, start, f"{entry}{newline}{indent}")
            return
        end = self.line_end(text.text, max(entries[after][1].end, entries[after][0].end))
        self.splice(file, end, end, f"{newline}{indent}{entry}")

    def _put_in_flow(self, file: str, node: Node, after: int, entry: str) -> None:
        text = self.text(file)
        places: list[Any] = [k for k, _ in node.entries] if node.kind == "map" else node.items
        ends = [max(k.end, v.end) for k, v in node.entries] if node.kind == "map" else []
        ends = ends or [each.end for each in places]
        if not places:
            start = node.content + 1
            end = node.end - 1
            self.splice(file, start, end, entry)
            return
        if after < 0:
            start = places[0].start
            self.splice(file, start, start, f"{entry}, ")
            return
        end = ends[after]
        begin = text.text.rfind("\n", 0, end) + 1
        line_end = self.line_end(text.text, end)
        indent = self.indent_at(text, node.start) + 2
        if line_end - begin + len(entry) + 2 > WIDTH_OF_LINES and end - begin > indent:
            inner = text.newline + " " * indent
            self.splice(file, end, end, f",{inner}{entry}")
            return
        self.splice(file, end, end, f", {entry}")

    def append(self, file: str, path: Path, value: Any, index: int | None = None) -> None:
        """Put an item into a list."""
        self.flush()
        self.check_shared(file, path)
        node = self.need(file, path)
        text = self.text(file)
        items = node.items
        at = len(items) if index is None else min(index, len(items))
        written = in_flow(value)
        if node.kind == "scalar" and node.value is None:
            dash = f"{text.newline}{' ' * self._step(file)}- {written}"
            self.splice(file, node.start, node.end, dash if len(path) == 1 else f" [{written}]")
            return
        if node.kind != "seq":
            raise Refused(f"{file}: {dotted(path)} is no list")
        if node.flow:
            self._put_in_flow(file, node, at - 1, written)
            return
        if at == 0:
            place = text.text.rfind("-", 0, items[0].start)
            column = place - text.text.rfind("\n", 0, place) - 1
            self.splice(file, place, place, f"- {written}{text.newline}{' ' * column}")
            return
        place = text.text.rfind("-", 0, items[at - 1].start)
        while text.text[place + 1 : items[at - 1].start].strip(" \t"):
            place = text.text.rfind("-", 0, place)
        column = place - text.text.rfind("\n", 0, place) - 1
        end = self.line_end(text.text, items[at - 1].end)
        new = folded(f"- {written}", column, column + 2, text.newline)
        self.splice(file, end, end, f"{text.newline}{' ' * column}{new}")

    def remove(self, file: str, path: Path) -> None:
        """Take out a key with its value, or an item; a comment in its line goes with it."""
        self.flush()
        *to, last = path
        self.check_shared(file, tuple(to))
        parent = self.need(file, tuple(to))
        text = self.text(file).text
        if isinstance(last, int):
            spans = [(each.start, each.end) for each in parent.items]
            index = last
        else:
            keys = keys_of(parent)
            if last not in keys:
                raise Refused(f"{file}: there is no {dotted(path)}")
            index = keys.index(last)
            spans = [(k.start, max(k.end, v.end)) for k, v in parent.entries]
        if len(spans) == 1 and not parent.flow:
            self._remove_only(file, tuple(to), parent)
            return
        if parent.flow:
            start, end = self._flow_span(text, parent, spans, index)
        else:
            start, end = self._block_span(text, parent, spans, index)
        self.splice(file, start, end, "")

    def _remove_only(self, file: str, path: Path, parent: Node) -> None:
        """Take out the only entry of a block: a section goes as a whole, others become empty."""
        if len(path) == 1:
            self.remove(file, path)
            return
        text = self.text(file).text
        if not path:
            raise Refused(f"{file}: nothing would be left")
        start = len(text[: parent.start].rstrip(" \r\n-"))
        start = max(start, text.rfind(":", 0, parent.start) + 1)
        self.splice(file, start, parent.end, " {}" if parent.kind == "map" else " []")

    @staticmethod
    def _flow_span(
        text: str, parent: Node, spans: Sequence[tuple[int, int]], index: int
    ) -> tuple[int, int]:
        start, end = spans[index]
        if len(spans) == 1:
            gap = text[parent.content + 1 : start] + text[end : parent.end - 1]
            return (start, end) if "#" in gap else (parent.content + 1, parent.end - 1)
        before = text[spans[index - 1][1] : start] if index else ""
        after = text[end : spans[index + 1][0]] if index + 1 < len(spans) else ""
        if index and "#" not in before:
            return spans[index - 1][1], end
        if after and "#" not in after:
            return start, spans[index + 1][0]
        comma = re.compile(r"[ \t]*,").match(text, end)
        return start, comma.end() if comma else end

    def _block_span(
        self, text: str, parent: Node, spans: Sequence[tuple[int, int]], index: int
    ) -> tuple[int, int]:
        start, end = spans[index]
        begin = text.rfind("\n", 0, start) + 1
        head = text[begin:start]
        stop = self.line_end(text, end)
        if parent.kind == "seq":
            dash = text.rfind("-", begin, start)
            if dash >= 0 and text[begin:dash].strip() == "":
                return self._lines(text, begin, stop)
            raise Refused("this list begins in the line of another one; change it by hand")
        if head.strip() == "":
            return self._lines(text, begin, stop)
        if index + 1 < len(spans):  # the first key behind a dash
            return start, spans[index + 1][0]
        return self._lines(text, begin, stop)

    @staticmethod
    def _lines(text: str, begin: int, stop: int) -> tuple[int, int]:
        """Whole lines with the line end behind them, or before them at the end of the text."""
        if stop < len(text):
            return begin, text.index("\n", stop) + 1
        back = begin - 1 if begin else 0
        return (back - 1 if text[back - 1 : back] == "\r" else back), stop

    @staticmethod
    def line_end(text: str, index: int) -> int:
        """The end of a line without its line end."""
        end = text.find("\n", index)
        if end < 0:
            return len(text)
        return end - 1 if text[end - 1] == "\r" and end > index else end

    @staticmethod
    def indent_at(text: Text, index: int) -> int:
        begin = text.text.rfind("\n", 0, index) + 1
        line = text.text[begin:index]
        return len(line) - len(line.lstrip(" "))

    def _step(self, file: str) -> int:
        """How far entries of sections are indented."""
        for _, section in self.root(file).entries:
            if section.kind == "map" and not section.flow and section.entries:
                return section.entries[0][0].column or 2
        return 2

    # ------------------------------------------------------------ entries and sections

    def add_entry(
        self, file: str, path: Path, name: str, value: Any, near: str | None = None
    ) -> None:
        """Put a new entry behind the last one of a section, in the style of its neighbours."""
        self.flush()
        section = self.node(file, path)
        if section is None:
            self._add_section(file, path, {name: value})
            return
        if section.kind == "scalar" and section.value is None:
            self._open(file, path, section, name, value)
            return
        if section.kind == "alias":
            raise Refused(f"{dotted(path)} is an alias; change it where its anchor is")
        entries = section.entries
        model = section.get(near) if near else None
        like = model or _like(value, [each for _, each in entries])
        if isinstance(value, Mapping) and like is not None and like.kind == "map":
            value = in_order(value, keys_of(like))
        if section.flow:
            self._put_in_flow(file, section, len(entries) - 1, f"{name}: {in_flow(value)}")
            return
        self.put_text(file, path, name, self._entry_text(file, section, like, name, value))

    def _entry_text(
        self, file: str, section: Node, like: Node | None, name: str, value: Any
    ) -> str:
        """The value of a new entry: keys in lines of their own if its neighbour has them so."""
        text = self.text(file)
        column = section.entries[0][0].column if section.entries else section.column
        if section.text[: section.start].rstrip().endswith("prototypes:") and "file" not in value:
            indent, newline = " " * column, text.newline  # `put_text` indents all lines once
            lines = _parts(value, indent, newline)
            return "".join(newline + line.removeprefix(indent) for line in lines)
        block = like is not None and like.kind == "map" and not like.flow and like.entries
        if isinstance(value, Mapping) and value and block:
            assert like is not None
            inner = max(1, like.entries[0][0].column - column)
            pad = text.newline + " " * inner
            return "".join(f"{pad}{in_flow(str(k))}: {in_flow(v)}" for k, v in value.items())
        written = in_flow(value)
        return folded(written, column + len(name) + 2, 2, text.newline)

    def add_text(self, file: str, path: Path, name: str, value: str) -> None:
        """Put a new entry, whose value is written already, behind the last one of a section."""
        self.put_text(file, path, name, value)

    def add_section(self, file: str, key: str, value: Any) -> None:
        """Put a section that is not there at its place among the others."""
        self._add_section(file, (key,), value)

    def _add_section(self, file: str, path: Path, value: Any) -> None:
        """A new section at its place among the others."""
        self.flush()
        if len(path) > 1:
            self.put(file, path[:-1], str(path[-1]), value, order=KEYS)
            return
        key = str(path[0])
        text = self.text(file)
        root = text.root
        newline = text.newline
        if root.kind != "map" or (root.flow and root.entries):
            self.put(file, (), key, value, order=KEYS)
            return
        step = " " * self._step(file)
        lines = [f"{key}:"]
        if isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
            lines += [f"{step}- {in_flow(each)}" for each in value]
        elif isinstance(value, str) and "\n" in value:
            lines = [f"{key}: |", *(f"{step}{each}".rstrip() for each in value.splitlines())]
        elif key in ONE_LINE or not isinstance(value, Mapping) or not value:
            lines = [f"{key}: {folded(in_flow(value), len(key) + 2, 2, newline)}"]
        else:
            for name, each in value.items():
                if key == "prototypes" and "file" not in each:
                    lines += [f"{step}{name}:", *_parts(each, step, newline)]
                    continue
                head = f"{step}{name}: "
                lines.append(head + folded(in_flow(each), len(head), len(step) + 2, newline))
        written = newline.join(lines)
        keys = keys_of(root)
        after = _predecessor(keys, key, KEYS)
        if after < 0:
            start = root.entries[0][0].start if root.entries else len(text.text)
            self.splice(file, start, start, f"{written}{newline}")
            return
        node = root.entries[after]
        end = self.line_end(text.text, max(node[0].end, node[1].end))
        gap = newline if self._is_airy(text, after) and key not in HEAD else ""
        self.splice(file, end, end, f"{newline}{gap}{written}")

    @staticmethod
    def _is_airy(text: Text, after: int) -> bool:
        """Whether sections have an empty line between them."""
        entries = text.root.entries[1:]
        blank = sum(text.text[: key.start].endswith(("\n\n", "\n\r\n")) for key, _ in entries)
        return blank * 2 >= len(entries) and blank > 0

    def add_item(self, file: str, section: str, value: Any) -> int:
        """Put an item behind the last one of a list of the top level; its index."""
        node = self.node(file, (section,))
        if node is None:
            self._add_section(file, (section,), [value])
            return 0
        if node.kind == "map":
            raise Refused(f"{section} is no list")
        index = len(node.items)
        self.append(file, (section,), value)
        return index


WIDTH_OF_LINES = 140
"""A line of brackets that is longer is continued on the next one."""
HEAD = frozenset(("name", "description", "tags", "include"))
"""Keys at the beginning of a file that have no empty line between them."""
ONE_LINE = frozenset(
    ("world", "camera", "render", "collision", "minimap", "units", "record", "outcome", "state")
)
"""Sections that a person writes in one line while they are short."""


def _parts(sections: Mapping[str, Any], step: str, newline: str) -> list[str]:
    """The lines of a prototype: its sections, with a line for each of their entries."""
    lines = []
    for key, entries in sections.items():
        lines.append(f"{step * 2}{key}:")
        for name, each in entries.items():
            head = f"{step * 3}{name}: "
            lines.append(head + folded(in_flow(each), len(head), len(step) * 4, newline))
    return lines


def alike(old: Any, new: Any) -> bool:
    """Whether two plain values are the same to a reader of the file."""
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if isinstance(old, (int, float)) and isinstance(new, (int, float)):
        return float(old) == float(new)
    if isinstance(old, list) and isinstance(new, (list, tuple)):
        return len(old) == len(new) and all(map(alike, old, new))
    if isinstance(old, dict) and isinstance(new, Mapping):
        return [*old] == [*new] and all(alike(old[key], new[key]) for key in old)
    return type(old) is type(new) and bool(old == new)


def _predecessor(keys: Sequence[str], key: str, order: Sequence[str]) -> int:
    """The place in ``keys`` of the key behind which a new one is put."""
    if key not in order:
        return len(keys) - 1
    rank = {name: i for i, name in enumerate(order)}
    after = -1
    for i, known in enumerate(keys):
        if known in rank and rank[known] < rank[key]:
            after = i
    return after


def _like(value: Any, entries: Sequence[Node]) -> Node | None:
    """The neighbour whose style a new entry takes: the last one of the same type, or the last."""
    maps = [each for each in entries if each.kind == "map"]
    if isinstance(value, Mapping) and "type" in value:
        for each in reversed(maps):
            kind = each.get("type")
            if kind is not None and kind.value == value["type"] and each.get("repeat") is None:
                return each
    for each in reversed(maps):
        if each.get("repeat") is None:
            return each
    return maps[-1] if maps else None


def quoted_like(node: Node, text: str) -> str:
    """A text in the quotes of the one that it replaces, or in others where it needs these."""
    if node.style in ("'", '"'):
        return _quoted(text, node.style)
    if node.style in ("|", ">"):
        return in_flow(text)
    plain = not re.search(r"[:#,\[\]{}&*!|>'\"%@`\n]", text) and text == text.strip()
    return text if plain or not re.search(r"[,\[\]{}#:]", text) else in_flow(text)


def _quoted(value: str, quote: str) -> str:
    if quote == "'":
        if "\n" not in value:
            return "'" + value.replace("'", "''") + "'"
        return in_flow(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return in_flow(value) if any(c < " " for c in value) else f'"{escaped}"'
