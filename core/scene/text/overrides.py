"""Overrides: ``PATH=VALUE`` settings that change a scene's tree before it is checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from ..values.kinds import nearest, show
from .yaml_reader import Map, Mark, Reader, Seq, fail

_PART = re.compile(r"\.?([^\W\d]\w*(?:\[[^\]]*\])?|\[\d+\]|\d+)")


class Overrides:
    """Applies settings to one tree.

    ``own`` holds the entries that differ from the generator that makes them: for a section and a
    full name such as ``ball[3]``, the generator's entry with what was set for this one. ``keys``
    are those of the top level, ``named`` the sections whose entries have names, ``repeated`` those
    that may have generators.
    """

    def __init__(
        self,
        tree: Map,
        reader: Reader,
        keys: Collection[str],
        named: Sequence[str],
        repeated: Sequence[str],
    ) -> None:
        self.tree = tree
        self.reader = reader
        self.keys = keys
        self.named = (*repeated, *(key for key in reversed(named) if key not in repeated))
        self.own: dict[str, Map] = {section: Map(tree.at) for section in repeated}

    def apply(self, setting: str) -> None:
        """Set one value, which is YAML. SceneError names the setting.

        Containers on the way are copied, since an alias may share them.
        """
        file = f"--set {setting}"
        path_text, equals, value_text = setting.partition("=")
        start = Mark(file, 1, 1)
        if not equals or not path_text.strip():
            raise fail(start, "override", "an override is PATH=VALUE, such as vars.n=7")
        path = self._path(path_text.strip())
        if path is None:
            raise fail(
                start,
                "override",
                f"`{path_text}` is not a path; write it like bodies.ball.position",
            )
        if path[0] not in self.keys:
            for section in self.named:
                named = self.tree.get(section)
                if isinstance(named, Map) and path[0].partition("[")[0] in named:
                    raise fail(
                        start,
                        "override",
                        f"it is one of the {section}: `{section}.{path_text.strip()}`",
                        path[0],
                    )
        if path[0] == "include":
            message = "files are included before anything is set; `include` stands in the file"
            raise fail(start, "override", message, "include")
        at = Mark(file, 1, len(path_text) + 2)
        value: Any = None
        if value_text.strip():
            value = self.reader.read(value_text, file, (1, len(path_text) + 2))
        if len(path) > 2 and path[0] in self.own and self._is_generated(path):
            self._own_entry(path, at)
            self._put(self.own[path[0]], path[1:], value, at)
        else:
            self._put(self.tree, path, value, at)

    def _path(self, text: str) -> list[str] | None:
        """The parts of a path; an index is a part of its own unless it belongs to a name."""
        parts: list[str] = []
        position = 0
        while position < len(text):
            match = _PART.match(text, position)
            if match is None or (position > 0 and text[position] not in ".["):
                return None
            part = match[1].replace(" ", "")
            named = len(parts) == 1 and parts[0] in self.named
            if part.endswith("]") and not part.startswith("[") and not named:
                name, _, index = part[:-1].partition("[")
                parts += [name, index]
            else:
                parts.append(part.strip("[]") if part.startswith("[") else part)
            position = match.end()
        return parts

    def _is_generated(self, path: list[str]) -> bool:
        section = self.tree.get(path[0])
        if not isinstance(section, Map) or path[1] in section:
            return False
        entry = section.get(path[1].partition("[")[0])
        return isinstance(entry, Map) and "repeat" in entry

    def _own_entry(self, path: list[str], at: Mark) -> None:
        """Begin an entry of its own with a copy of its generator's."""
        section, name = path[0], path[1]
        if name not in self.own[section]:
            entry = self.tree[section][name.partition("[")[0]].copy()
            self.own[section].put(name, entry, at, at)

    def marked(self) -> Map:
        """The tree for places: with the entries of ``own`` among the others."""
        result = self.tree.copy()
        for section, entries in self.own.items():
            if entries:
                block = result[section].copy()
                for name in entries:
                    block.put(name, entries[name], entries.keys_at[name], entries.values_at[name])
                result[section] = block
        return result

    def _put(self, tree: Map, path: list[str], value: Any, at: Mark) -> None:
        here: Any = tree
        for depth, part in enumerate(path):
            last = depth == len(path) - 1
            if isinstance(here, Seq):
                if not part.isdigit() or int(part) >= len(here):
                    raise fail(
                        at,
                        "override",
                        f"`{'.'.join(path[:depth])}` is a list of {len(here)} items, numbered "
                        f"from 0; it has no item {show(part)}",
                    )
                index = int(part)
                here[index] = value if last else _opened(here[index], path, depth, at)
                here.items_at[index] = at
                here = here[index]
                continue
            if depth == 1 and path[0] in self.named and part not in here:
                raise fail(
                    at,
                    "override",
                    f"there is no `{path[0]}.{part}` to set; {nearest(part, here)}",
                    path[0],
                )
            if last:
                here.put(part, value, at, at)
            else:
                child = _opened(here.get(part), path, depth, at)
                here.put(part, child, here.keys_at.get(part, at), here.values_at.get(part, at))
                here = child


def _opened(child: Any, path: list[str], depth: int, at: Mark) -> Any:
    if child is None:
        return Map(at)
    if isinstance(child, (Map, Seq)):
        return child.copy()
    raise fail(
        at,
        "override",
        f"`{'.'.join(path[: depth + 1])}` is {show(child)}, which has no parts to set",
    )
