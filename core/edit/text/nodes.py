# SPDX-License-Identifier: MIT
"""The values of a YAML text with the characters that they stand at.

The tree is read to the entries of the sections. What is in an entry is read when it is asked for,
from the entry's own characters; so a text of thousands of bodies in which one value changes keeps
all else that is known of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from ...errors import SceneError
from ...scene.text.yaml_reader import Reader, plain_value
from ...scene.text.yaml_slips import explain

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*[ \t]*(?:\r?\n[ \t]*)?)*")
LAZY = 2
"""The depth of the entries of sections, which are read when they are asked for."""

Path = tuple[str | int, ...]


class Node:
    """A value at the characters ``start`` to ``end`` of a text.

    Attributes:
        kind: ``map``, ``seq``, ``scalar`` or ``alias``.
        style: of a scalar its quotes (``'``, ``"``), ``|``, ``>`` or nothing.
        flow: whether a collection is in brackets.
        anchor: its ``&anchor``, or that of an alias.
        value: of a scalar.
    """

    __slots__ = ("_items", "anchor", "end", "flow", "kind", "start", "style", "text", "value")

    def __init__(self, kind: str, start: int, end: int, text: str) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.style = ""
        self.flow = False
        self.anchor: str | None = None
        self.value: Any = None
        self._items: list[Any] | None = None

    @property
    def content(self) -> int:
        """Where the value begins, after its anchor."""
        if self.anchor is None or self.kind == "alias":
            return self.start
        found = _PROPERTIES.match(self.text, self.start)
        return self.start if found is None else min(found.end(), self.end)

    @property
    def source(self) -> str:
        """The characters of the value, without its anchor."""
        return self.text[self.content : self.end]

    @property
    def column(self) -> int:
        return self.start - (self.text.rfind("\n", 0, self.start) + 1)

    def _read(self) -> list[Any]:
        if self._items is None:
            start = self.start
            piece = " " * self.column + self.text[start : self.end] + "\n"
            whole = _Builder(piece, start - self.column, self.text, -1).root()
            self._items = whole._items if whole is not None else []
        return self._items or []

    @property
    def entries(self) -> list[tuple[Node, Node]]:
        """Keys and values of a mapping, as they are written; else none."""
        return self._read() if self.kind == "map" else []

    @property
    def items(self) -> list[Node]:
        """The items of a list; else none."""
        return self._read() if self.kind == "seq" else []

    def entry(self, key: str) -> tuple[Node, Node] | None:
        """The key and the value of a key."""
        if self.kind != "map":
            return None
        for each in self._read():
            if each[0].value == key:
                found: tuple[Node, Node] = each
                return found
        return None

    def get(self, key: str | int) -> Node | None:
        """The value of a key, or an item; merged ones (`<<`) are not among them."""
        if isinstance(key, int):
            return self.items[key] if key < len(self.items) else None
        found = self.entry(key)
        return None if found is None else found[1]

    def at(self, path: Sequence[str | int]) -> Node | None:
        """The value at a path of keys and indices."""
        node: Node | None = self
        for key in path:
            if node is None:
                return None
            node = node.get(key)
        return node

    def walk(self, path: Path = ()) -> Iterator[tuple[Path, Node]]:
        """This value and all in it, with their paths."""
        yield path, self
        if self.kind == "map":
            for key, value in self.entries:
                yield from value.walk((*path, str(key.value)))
        elif self.kind == "seq":
            for i, item in enumerate(self.items):
                yield from item.walk((*path, i))

    def moved(self, text: str, by: int, more: int = 0) -> Node:
        """The same node in another text, ``by`` characters later and ``more`` longer, unread."""
        other = Node(self.kind, self.start + by, self.end + by + more, text)
        other.style, other.flow, other.anchor = self.style, self.flow, self.anchor
        other.value = self.value
        return other

    def plain(self) -> Any:
        """The value as plain data; an alias is the text `*name`."""
        if self.kind == "map":
            return {str(key.value): value.plain() for key, value in self.entries}
        if self.kind == "seq":
            return [item.plain() for item in self.items]
        return f"*{self.anchor}" if self.kind == "alias" else self.value


class _Builder:
    """Builds the nodes of a text, or of a piece of one, from the parser's events."""

    def __init__(self, piece: str, shift: int, text: str, lazy: int) -> None:
        self.text = text
        self.shift = shift
        self.lazy = lazy
        self.events: Iterator[Any] = iter(_Loader(piece).get_event, None)

    def root(self) -> Node | None:
        for event in self.events:
            if not isinstance(event, (yaml.StreamStartEvent, yaml.DocumentStartEvent)):
                break
        else:
            return None
        return None if isinstance(event, yaml.StreamEndEvent) else self.build(event, 0)

    def build(self, event: Any, depth: int) -> Node:
        kind = type(event)
        shift = self.shift
        start = event.start_mark.index + shift
        end = event.end_mark.index + shift
        if kind is yaml.ScalarEvent:
            node = Node("scalar", start, end, self.text)
            node.style = event.style or ""
            node.anchor = event.anchor
            node.value = plain_value(event.value) if event.implicit[0] else event.value
            if node.style in ("|", ">"):
                node.end = start + len(self.text[start:end].rstrip())
            return node
        if kind is yaml.AliasEvent:
            node = Node("alias", start, end, self.text)
            node.anchor = event.anchor
            return node
        node = Node("map" if kind is yaml.MappingStartEvent else "seq", start, end, self.text)
        node.flow = bool(event.flow_style)
        node.anchor = event.anchor
        if depth == self.lazy:
            node.end = self.skip(node)
            return node
        items: list[Any] = []
        node._items = items
        last = end
        if kind is yaml.MappingStartEvent:
            for each in self.events:
                if type(each) is yaml.MappingEndEvent:
                    last = _end(each) + shift if node.flow else last
                    break
                key = self.build(each, depth + 1)
                if key.kind == "scalar":
                    key.value = each.value  # a key is a text, also 3 and true
                value = self.build(next(self.events), depth + 1)
                items.append((key, value))
                last = max(value.end, key.end)
        else:
            for each in self.events:
                if type(each) is yaml.SequenceEndEvent:
                    last = _end(each) + shift if node.flow else last
                    break
                item = self.build(each, depth + 1)
                items.append(item)
                last = item.end
        node.end = last
        return node

    def skip(self, node: Node) -> int:
        """Pass over what is in a collection; its end."""
        depth, last, block = 1, node.end, None
        for event in self.events:
            kind = type(event)
            if kind is yaml.ScalarEvent or kind is yaml.AliasEvent:
                last, block = event.end_mark.index, getattr(event, "style", None)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                depth += 1
                if event.flow_style or event.anchor:
                    last, block = event.end_mark.index, None
            else:
                depth -= 1
                if event.end_mark.index > event.start_mark.index:  # a closing bracket
                    last, block = event.end_mark.index, None
                if not depth:
                    break
        last += self.shift
        if block in ("|", ">"):
            last = node.start + len(self.text[node.start : last].rstrip())
        return last


def _end(event: Any) -> int:
    return int(event.end_mark.index)


class Text:
    """A text and the tree of its values.

    Raises SceneError, with line and column, for a text that is no YAML.
    """

    def __init__(self, text: str, name: str, root: Node | None = None) -> None:
        self.text = text
        self.name = name
        self.newline = "\r\n" if "\r\n" in text else "\n"
        if root is None:
            root = self._whole()
        self.root = root

    def _whole(self) -> Node:
        try:
            found = _Builder(self.text, 0, self.text, LAZY).root()
        except yaml.YAMLError as error:
            raise explain(error, self.text, self.name, (1, 1)) from None
        return found or Node("map", len(self.text), len(self.text), self.text)

    def check(self) -> None:
        """Raise SceneError for what the reader of scenes refuses, as a key that is there twice."""
        reader = Reader()
        reader.read(self.text, self.name)
        if reader.problems:
            raise SceneError(reader.problems)

    def line_of(self, index: int) -> tuple[int, int]:
        """Line and column of a character, from 1."""
        begin = self.text.rfind("\n", 0, index) + 1
        return self.text.count("\n", 0, index) + 1, index - begin + 1

    def with_splices(self, splices: Sequence[tuple[int, int, str]]) -> Text:
        """The text with other characters at some places, in order, that do not overlap."""
        pieces, last = [], 0
        for start, end, new in splices:
            pieces += [self.text[last:start], new]
            last = end
        pieces.append(self.text[last:])
        text = "".join(pieces)
        return Text(text, self.name, self._moved(text, splices))

    def _moved(self, text: str, splices: Sequence[tuple[int, int, str]]) -> Node | None:
        """The tree of a text whose changes are all inside of entries; None for any other."""
        root = self.root
        if root.kind != "map" or root.flow or not splices:
            return None
        left = list(splices)
        by = 0
        top = Node("map", root.start, 0, text)
        items: list[Any] = []
        for key, section in root.entries:
            if left and left[0][0] < section.start:
                return None
            new_key = key.moved(text, by)
            if section.kind != "map" or section._items is None:
                inside = _take(left, section)
                if inside is None or (inside and section.kind not in ("map", "seq")):
                    return None
                if inside and section.kind == "seq":
                    return None
                items.append((new_key, _copied(section, text, by)))
                continue
            begin, entries = by, []
            for name, entry in section._items:
                if left and left[0][0] < entry.start:
                    return None
                inside = _take(left, entry)
                if inside is None or (inside and entry.kind not in ("map", "seq")):
                    return None
                more = sum(len(new) - (end - start) for start, end, new in inside)
                entries.append((name.moved(text, by), entry.moved(text, by, more)))
                by += more
            whole = section.moved(text, begin, by - begin)
            whole._items = entries
            items.append((new_key, whole))
        if left:
            return None
        top._items = items
        top.end = items[-1][1].end if items else root.end
        return top


def _take(left: list[tuple[int, int, str]], node: Node) -> list[tuple[int, int, str]] | None:
    """Remove the changes strictly inside of a node from the beginning; None if one is partly."""
    inside = []
    while left and left[0][0] < node.end:
        start, end, _ = left[0]
        if start <= node.content or end > node.end - (1 if node.flow else 0):
            return None
        if not node.flow and end == node.end and start == end:
            return None
        inside.append(left.pop(0))
    return inside


def _copied(node: Node, text: str, by: int) -> Node:
    """A node with what is known in it, in another text."""
    other = node.moved(text, by)
    if node._items is None:
        return other
    if node.kind == "map":
        other._items = [(_copied(k, text, by), _copied(v, text, by)) for k, v in node._items]
    else:
        other._items = [_copied(each, text, by) for each in node._items]
    return other
