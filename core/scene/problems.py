"""Collects everything that is wrong with a scene, each with its place and path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import Problem, SceneError
from . import limits
from .context import Wrong
from .yaml_reader import Map, Mark, Seq

Path = tuple[int | str, ...]

_DEFAULTS: dict[int | str, str] = {"bodies": "body", "joints": "joint"}


def show_path(path: Path) -> str:
    """A path as messages write it: ``bodies.ball.position[0]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
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
        else:
            return mark, depth
    return mark, len(path)


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
    """The problems of a scene so far, and the tree that says where values stand."""

    def __init__(self, file: str, tree: Any = None) -> None:
        self.file = file
        self.tree = tree
        self.problems: list[Problem] = []
        self.broken: set[Path] = set()  # entries (bodies, ball) that have a problem
        self.unknown: set[Path] = set()  # keys that do not exist, but do no harm to the rest
        self._seen: set[tuple[str, int, int, str]] = set()

    def add(
        self, path: Path, message: str, offset: int | None = None, label: str | None = None
    ) -> None:
        """A problem of the value at ``path``.

        ``offset`` is the character of a text that is wrong; ``label`` replaces the path in the
        message, for a value that a generator made.
        """
        self.broken.add(path[:2])
        mark, known = locate(self.tree, path)
        default = _DEFAULTS.get(path[0], "") if len(path) > 2 else ""
        if known < len(path) and default:
            # The entry does not say it itself: it may come from the defaults.
            other = ("defaults", default, *path[2:])
            place, depth = locate(self.tree, other)
            if depth > known:
                path, mark, known, label = other, place, depth, None
        column = mark.column
        if offset is not None and known == len(path) and mark.text >= 0:
            column += mark.text + offset
        text = label if label is not None else show_path(path)
        self.add_at(mark._replace(column=column), text, message)

    def add_key(self, path: Path, message: str) -> None:
        """A problem of the key that ends ``path``."""
        parent = find(self.tree, path[:-1])
        if isinstance(parent, Map) and path[-1] in parent.keys_at:
            self.add_at(parent.keys_at[str(path[-1])], show_path(path), message)
        else:
            self.add(path, message)

    def add_at(self, mark: Mark, path: str, message: str) -> None:
        """A problem at a known place."""
        key = (mark.file, mark.line, mark.column, message)
        if key in self._seen or len(self.problems) > limits.PROBLEMS:
            return
        self._seen.add(key)
        line = mark.line or 1
        self.problems.append(Problem(mark.file or self.file, line, mark.column, path, message))

    def add_wrong(self, path: Path, wrong: Wrong, label: str | None = None) -> None:
        """The findings of a check of the value at ``path``."""
        for inner, message, offset in wrong.findings:
            name = None if label is None else label + show_suffix(inner)
            self.add(path + inner, message, offset, name)

    def is_broken(self, section: str, name: str = "") -> bool:
        """Whether an entry, or anything in a section, has a problem; indices do not matter."""
        if name:
            return (section, name) in self.broken or (
                section,
                name.partition("[")[0],
            ) in self.broken
        return any(path[:1] == (section,) for path in self.broken)

    def has_unknown(self, path: Path) -> bool:
        """Whether the value at ``path`` has an unknown key: what seems missing may be misspelt."""
        return any(other[:-1] == path for other in self.unknown)

    def extend(self, problems: Sequence[Problem]) -> None:
        """Problems found elsewhere."""
        self.problems += problems

    @property
    def failed(self) -> bool:
        return bool(self.problems)

    def stop_if_failed(self) -> None:
        """Raise SceneError if there are problems, in the order of the file."""
        if not self.problems:
            return
        problems = sorted(
            self.problems, key=lambda p: (p.file != self.file, p.file, p.line, p.column)
        )
        if len(problems) > limits.PROBLEMS:
            last = problems[limits.PROBLEMS - 1]
            more = f"more than {limits.PROBLEMS} problems; the rest is left out"
            problems = problems[: limits.PROBLEMS]
            problems.append(Problem(last.file, last.line, 0, "", more))
        raise SceneError(problems)


def show_suffix(path: Path) -> str:
    """A path that follows another one."""
    text = show_path(path)
    return text if not text or text.startswith("[") else f".{text}"
