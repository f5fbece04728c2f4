# SPDX-License-Identifier: MIT
"""Collects all problems of a scene, each with its position and path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...errors import Kind, Problem, SceneError
from .. import limits
from ..values.context import Wrong
from .marks import Map, Mark, Seq, with_short_quotes

Path = tuple[int | str, ...]

_LINES_SHOWN = 8
_DEFAULTS: dict[int | str, str] = {"bodies": "body", "joints": "joint"}


def show_path(path: Path) -> str:
    """A path as messages write it: ``bodies.ball.position[0]``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
            continue
        if len(part) > limits.NAME_LENGTH:
            part = f"{part[: limits.NAME_LENGTH]}..."
        text += f".{part}" if text else part
    return text


def locate(tree: Any, path: Path) -> tuple[Mark, int]:
    """The place of the value at a path, and how many parts of the path there are in the tree."""
    mark: Mark = tree.at if isinstance(tree, (Map, Seq)) else Mark("")
    for depth, part in enumerate(path):
        if isinstance(tree, Map) and part in tree:
            mark = tree.values_at[str(part)]
            tree = tree[str(part)]
        elif isinstance(tree, Seq) and isinstance(part, int) and 0 <= part < len(tree):
            mark = tree.items_at[part]
            tree = tree[part]
        elif _is_timed(tree) and part in tree[1]:
            mark = tree[1].values_at[str(part)]
            tree = tree[1][str(part)]
        elif _is_timed(tree) and part == "at":
            mark, tree = tree.items_at[0], tree[0]
        else:
            return mark, depth
    return mark, len(path)


def _is_timed(tree: Any) -> bool:
    """Whether it is the short form `[2, {...}]` of `{at: 2, ...}`."""
    return isinstance(tree, Seq) and len(tree) == 2 and isinstance(tree[1], Map)


def find(tree: Any, path: Path) -> Any:
    """The value at a path, None where there is none."""
    for part in path:
        if isinstance(tree, dict):
            tree = tree.get(part)
        elif isinstance(tree, list) and isinstance(part, int) and part < len(tree):
            tree = tree[part]
        else:
            return None
    return tree


class Report:
    """The problems of a scene so far, and the tree with the places of values."""

    of_part = False
    """Whether it is that of a prototype."""

    def __init__(self, file: str, tree: Any = None) -> None:
        self.file = file
        self.tree = tree
        self._unread: set[Path] = set()  # sections and generators that are not known whole
        self._partial: set[int | str] = set()  # sections that have one of these
        self._strays: dict[Path, list[Any]] = {}  # the values of unknown keys, by where those are
        self._found: list[tuple[Problem, str]] = []  # with the name that is missing, if one is
        self._seen: set[tuple[str, int, int, str]] = set()
        self._texts: set[tuple[str, int, int]] = set()  # where the text itself is wrong
        self._makers: dict[tuple[Mark, Path], str] = {}
        self.warnings: list[Problem] = []  # which do not hinder a scene

    def warn(self, path: Path, kind: Kind, message: str, offset: int = 0) -> None:
        """Add a warning of the value at ``path``, once for each place."""
        mark, known = locate(self.tree, path)
        inside = known == len(path) and mark.text >= 0
        column = mark.column + mark.text + max(offset, 0) if inside else mark.column
        shown, told = show_path(path), with_short_quotes(message)
        warning = Problem(mark.file or self.file, mark.line or 1, column, shown, told, kind)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def add(
        self,
        path: Path,
        kind: Kind,
        message: str,
        offset: int | None = None,
        label: str | None = None,
        missing: str = "",
    ) -> None:
        """Add a problem of the value at ``path``.

        ``offset`` is the character of a text that is wrong; ``label`` replaces the path in the
        message, for a value that a generator made. What is ``missing`` under one name in several
        places is one problem.
        """
        mark, known = locate(self.tree, path)
        text = label if label is not None else show_path(path)
        inside = path[2:]
        maker = text
        default = _DEFAULTS.get(path[0], "") if len(path) > 2 else ""
        if known < len(path) and default:
            # The entry does not say it itself: it may come from the defaults.
            other = ("defaults", default, *path[2:])
            place, depth = locate(self.tree, other)
            if depth > known:
                path, mark, known, text = other, place, depth, show_path(other)
        # A value that makes several entries (by a generator, an alias, a default) is wrong once.
        if self._makers.setdefault((mark, inside), maker) != maker:
            return
        column = mark.column
        if offset is not None and known == len(path) and mark.text >= 0:
            column += mark.text + offset
        self.add_at(mark._replace(column=column), kind, text, message, missing)

    def add_key(self, path: Path, kind: Kind, message: str) -> None:
        """A problem of the key that ends ``path``."""
        parent = find(self.tree, path[:-1])
        if isinstance(parent, Map) and path[-1] in parent.keys_at:
            self.add_at(parent.keys_at[str(path[-1])], kind, show_path(path), message)
        else:
            self.add(path, kind, message)

    def add_invalid_name(self, path: Path, message: str) -> None:
        """Report a problem of a name; an object with the name that was meant is not missing."""
        self.add_key(path, "invalid-name", message)
        self.add_unread((*path[:-1], plain_name(str(path[-1]))))

    def add_at(
        self,
        mark: Mark,
        kind: Kind,
        path: str,
        message: str,
        missing: str = "",
        where: Sequence[str] = (),
    ) -> None:
        """A problem at a known place; ``where`` are the instances in which it is."""
        message = with_short_quotes(message)
        key = (mark.file, mark.line, mark.column, message)
        if key in self._seen or key[:3] in self._texts:
            return
        self._seen.add(key)
        line = mark.line or 1
        told = f"{message} (in the instance {', of '.join(where)})" if where else message
        problem = Problem(mark.file or self.file, line, mark.column, path, told, kind)
        # If a similar name exists, one of the two is misspelt, here or in all other places.
        self._found.append((problem, missing if "did you mean" in message else ""))

    def add_wrong(self, path: Path, wrong: Wrong, label: str | None = None) -> None:
        """The findings of a check of the value at ``path``."""
        for each in wrong.findings:
            if each.place is not None:
                self.add_at(Mark(*each.place), each.kind, show_path(path + each.at), each.message)
                continue
            name = None if label is None else label + show_suffix(each.at)
            self.add(path + each.at, each.kind, each.message, each.offset, name, each.missing)

    def add_unread(self, path: Path) -> None:
        """A section or a generator that cannot be read, or not whole."""
        self._unread.add(path)
        self._partial.add(path[0])

    def may_have(self, section: str, name: str = "") -> bool:
        """Whether a section may hold a name that is not known, since it cannot be read whole."""
        base = name.partition("[")[0]
        if (section,) in self._unread or (section, base) in self._unread:
            return True
        return ("instances",) in self._unread or (
            "instances",
            base.partition(".")[0],
        ) in self._unread

    def is_whole(self, section: str) -> bool:
        """Whether all that a section makes is known by name."""
        return section not in self._partial and "instances" not in self._partial

    @property
    def is_partial(self) -> bool:
        """Whether anything cannot be read whole."""
        return bool(self._unread)

    def add_stray(self, path: Path, value: Any) -> None:
        """An unknown key and its value."""
        self._strays.setdefault(path[:-1], []).append(value)

    def may_mean(self, path: Path, *kinds: type) -> bool:
        """Return whether an unknown key at ``path`` may be the missing one, by its value's kind."""
        strays = self._strays.get(path, ())
        return any(isinstance(value, kinds) or value is None for value in strays)

    def extend(self, problems: Sequence[Problem]) -> None:
        """Add problems of other checks; a problem of a value's text is its only one."""
        self._found += [(problem, "") for problem in problems]
        self._texts |= {(each.file, each.line, each.column) for each in problems}

    @property
    def failed(self) -> bool:
        return bool(self._found)

    def stop_if_hopeless(self) -> None:
        """Raise SceneError if there are so many problems that later ones are not needed."""
        if len(self._found) > limits.HOPELESS:
            self.stop_if_failed()

    def stop_if_failed(self) -> None:
        """Raise SceneError if there are problems, in the order of the file."""
        if not self._found:
            return
        problems = _gathered(sorted(self._found, key=lambda found: self._place(found[0])))
        left_out = len(problems) - limits.PROBLEMS
        if left_out > 0:
            problems = problems[: limits.PROBLEMS]
            last = problems[-1]
            more = f"and {left_out:,} more problem{'s' if left_out > 1 else ''}"
            problems.append(Problem(last.file, last.line, 0, "", more, "limit"))
        raise SceneError(problems)

    def _place(self, problem: Problem) -> tuple[bool, str, int, int]:
        return problem.file != self.file, problem.file, problem.line, problem.column


class PartReport(Report):
    """The problems of a prototype, for the report of the scene that contains it.

    Paths are those in the prototype's own tree, after ``prefix``. Problems of an
    object by its name begin with ``label`` instead. ``where`` names the instance.
    """

    of_part = True

    def __init__(self, outer: Report, tree: Any, prefix: str, label: str, where: str) -> None:
        super().__init__(outer.file, tree)
        self._outer = outer
        self._prefix = prefix
        self._label = label
        self._where = (where,) if where else ()

    def add_at(
        self,
        mark: Mark,
        kind: Kind,
        path: str,
        message: str,
        missing: str = "",
        where: Sequence[str] = (),
    ) -> None:
        path = ".".join(filter(None, (self._prefix, path.removeprefix(self._label))))
        self.pass_on(mark, kind, path, message, missing, where)

    def pass_on(
        self,
        mark: Mark,
        kind: Kind,
        path: str,
        message: str,
        missing: str,
        where: Sequence[str],
    ) -> None:
        """A problem of this prototype, or of one inside it, whose path is that in its file."""
        tell = self._outer.pass_on if isinstance(self._outer, PartReport) else self._outer.add_at
        tell(mark, kind, path, message, missing, (*where, *self._where))


def _gathered(found: Sequence[tuple[Problem, str]]) -> list[Problem]:
    """Return the problems; the first problem of a missing name lists all of its places."""
    again: dict[str, list[Problem]] = {}
    result: list[tuple[Problem, str]] = []
    for problem, missing in found:
        if missing and missing in again:
            again[missing].append(problem)
            continue
        if missing:
            again[missing] = []
        result.append((problem, missing))
    return [
        replace(problem, message=problem.message + _also(problem, again[missing]))
        if missing and again[missing]
        else problem
        for problem, missing in result
    ]


def _also(first: Problem, others: Sequence[Problem]) -> str:
    """The other lines that have the same problem."""
    lines = dict.fromkeys(
        str(each.line) if each.file == first.file else f"{each.file}:{each.line}" for each in others
    )
    lines.pop(str(first.line), None)
    if not lines:
        return ""
    shown = list(lines)[:_LINES_SHOWN]
    more = f" and {len(lines) - len(shown)} more" if len(lines) > len(shown) else ""
    return f" (also in line{'s' if len(lines) > 1 else ''} {', '.join(shown)}{more})"


def plain_name(text: str) -> str:
    """A text without the characters that no name has."""
    return re.sub(r"\W+", "_", text).strip("_")


def show_suffix(path: Path) -> str:
    """A path that follows another one."""
    text = show_path(path)
    return text if not text or text.startswith("[") else f".{text}"
