# SPDX-License-Identifier: MIT
"""Overrides: ``PATH=VALUE`` settings that change a scene's tree before it is checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...errors import OptionValue
from ..values.fields import copy_index
from ..values.kinds import nearest, show
from .marks import Map, Mark, Seq, fail
from .yaml_reader import Reader

_POINT = re.compile(r"\.(?![^\[]*\])")  # not one in an index
_PART = re.compile(r"\.?([^\W\d]\w*(?:\[[^\]]*\])?|\[\d+\]|\d+)")


class Overrides:
    """Applies settings to one tree.

    ``own`` contains the entries that settings made different from their generator: for a section
    and a full name such as ``ball[3]``, the generator's entry with the settings of this one.
    ``keys`` are those of the top level, ``named`` the sections whose entries have names,
    ``repeated`` those that may have generators.
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
        """Set one value, which is YAML. SceneError names the setting, and its option if it has one.

        Containers on the way are copied, since an alias may share them.
        """
        file = f"overrides {setting!r}"
        if isinstance(setting, OptionValue):
            file = f"{setting.option} {setting}"
        path_text, equals, value_text = setting.partition("=")
        start = Mark(file, 1, 1)
        if not equals or not path_text.strip():
            raise fail(start, "override", "an override is PATH=VALUE, such as vars.n=7")
        at = Mark(file, 1, len(path_text) + 2)
        path = self._checked(path_text, start)
        value: Any = None
        if value_text.lstrip().startswith("#"):  # a colour, since a setting has no comments
            value = value_text.strip()
        elif value_text.strip():
            value = self.reader.read(value_text, file, (1, len(path_text) + 2))
        self._set(path, value, at)

    def put(self, path_text: str, value: Any, start: Mark, at: Mark) -> None:
        """Set a value that was read already; ``start`` is the place of its path, ``at`` its own."""
        self._set(self._checked(path_text, start), value, at)

    def _checked(self, path_text: str, start: Mark) -> list[str]:
        """The parts of a path, checked to be settable."""
        path = self._path_of_part(path_text.strip()) or self._path(path_text.strip())
        if not path:
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
        return path

    def _set(self, path: list[str], value: Any, at: Mark) -> None:
        if self._has_range(path) and not isinstance(value, Map):
            path = [*path, "value"]
        entry = self._entry(path) if len(path) > 2 and path[0] in self.own else None
        if entry is not None:
            if path[1] not in self.own[path[0]]:
                self.own[path[0]].put(path[1], of_copy(entry, path[1]), at, at)
            self._put(self.own[path[0]], path[1:], value, at)
        else:
            self._put(self.tree, path, value, at)

    def _has_range(self, path: list[str]) -> bool:
        """Whether the path is that of a var which says its range beside its value."""
        variables = self.tree.get("vars")
        if path[0] != "vars" or len(path) != 2 or not isinstance(variables, Map):
            return False
        return isinstance(variables.get(path[1]), Map)

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

    def _path_of_part(self, text: str) -> list[str] | None:
        """The path to or into an object whose name has several parts; None for other paths."""
        section, _, rest = text.partition(".")
        if section not in self.own:
            return None
        written: Any = self.tree.get(section)
        names = _POINT.split(rest.replace(" ", ""))
        for end in range(len(names), 1, -1):
            name = ".".join(names[:end])
            is_written = isinstance(written, Map) and name in written
            if is_written or self._within(section, names[:end]) is not None:
                inner = self._path(".".join(names[end:]))
                return None if inner is None else [section, name, *inner]
        return None

    def _entry(self, path: list[str]) -> Map | None:
        """The generator's or prototype's entry that makes the path's object."""
        section = self.tree.get(path[0])
        if isinstance(section, Map) and path[1] in section:
            return None
        return self._within(path[0], _POINT.split(path[1]))

    def _within(self, section: str, names: Sequence[str]) -> Map | None:
        """The source of a named object: a generator, or a prototype through instances."""
        tree: Any = self.tree
        prototypes: Any = tree.get("prototypes")
        for name in names[:-1]:
            instance = _made_by(tree.get("instances"), name)
            use = "" if instance is None else str(instance.get("use"))
            tree = prototypes.get(use) if isinstance(prototypes, Map) else None
            if not isinstance(tree, Map):
                return None
            if "file" in tree:
                prototypes = tree.get("prototypes")
        entry = _made_by(tree.get(section), names[-1])
        generated = entry is not None and "repeat" in entry
        return entry if generated or len(names) > 1 else None

    def all_own(self) -> dict[str, Map]:
        """The entries that settings, or `overrides` in the tree, made different from others."""
        return with_copies(self.tree, self.own)

    def marked(self, own: Mapping[str, Map]) -> Map:
        """The tree for places: with the entries of ``own`` among the others."""
        result = self.tree.copy()
        for section, entries in own.items():
            if entries:
                written = result.get(section)
                block = written.copy() if isinstance(written, Map) else Map(self.tree.at)
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
                hint = nearest(part, here, what=path[0])
                message = f"there is no `{path[0]}.{part}` to set; {hint}"
                raise fail(at, "override", message, path[0])
            if last:
                here.put(part, value, at, at)
            else:
                child = _opened(here.get(part), path, depth, at)
                here.put(part, child, here.keys_at.get(part, at), here.values_at.get(part, at))
                here = child


def of_copy(entry: Map, name: str) -> Map:
    """The entry of one copy of a generator: its fields, and what `overrides` say of this one."""
    result = entry.copy()
    overrides = result.pop("overrides", None)
    index = name.rpartition("[")[2].rstrip("]")
    for key, fields in overrides.items() if isinstance(overrides, Map) else ():
        if copy_index(key) != index or not isinstance(fields, Map):
            continue
        if "shape" in fields or "shapes" in fields:  # one in place of the other
            result.pop("shape", None)
            result.pop("shapes", None)
        for field, value in fields.items():
            result.put(field, value, fields.keys_at[field], fields.values_at[field])
    return result


def with_copies(tree: Map, own: Mapping[str, Map]) -> dict[str, Map]:
    """Entries that differ from their generators', and those that `overrides` of a tree make so."""
    result = dict(own)
    for section in own:
        written = tree.get(section)
        for name, entry in written.items() if isinstance(written, Map) else ():
            overrides = entry.get("overrides") if isinstance(entry, Map) else None
            if not isinstance(overrides, Map) or "repeat" not in entry:
                continue
            if result[section] is own[section]:
                result[section] = own[section].copy()
            for key, fields in overrides.items():
                full, index = f"{name}[{copy_index(key)}]", copy_index(key)
                if index and full not in result[section] and isinstance(fields, Map):
                    marks = overrides.keys_at[key], overrides.values_at[key]
                    result[section].put(full, of_copy(entry, full), *marks)
    return result


def _made_by(section: Any, name: str) -> Map | None:
    """The entry of a section that has a name, or whose generator makes it."""
    if not isinstance(section, Map):
        return None
    entry = section.get(name)
    if entry is None:
        entry = section.get(name.partition("[")[0])
        entry = entry if isinstance(entry, Map) and "repeat" in entry else None
    return entry if isinstance(entry, Map) else None


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
