# SPDX-License-Identifier: MIT
"""The texts of a scene while an edit changes them: read, asked about, and replaced in places."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import Problem, SceneError, UsageError
from .nodes import Node, Path, Text

if TYPE_CHECKING:
    from ...scene.model import Scene

Splice = tuple[int, int, str]
_BLANK = re.compile(r"[ \t\r\n]*")


class Refused(UsageError):  # noqa: N818 - it is an answer
    """An edit that cannot be done. ``at`` is the place because of which."""

    def __init__(
        self, message: str, at: Problem | None = None, differs: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.at = at
        self.differs = list(differs)


class Asked(Exception):  # noqa: N818 - it is an answer
    """A question that has to be answered before an edit can be done."""

    def __init__(self, key: str, about: str, question: str, options: Mapping[str, str]) -> None:
        super().__init__(question)
        self.key = key
        self.about = about
        self.question = question
        self.options = dict(options)

    def plain(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "about": self.about,
            "question": self.question,
            "options": [{"value": v, "text": t} for v, t in self.options.items()],
        }


class Texts:
    """The texts of a scene's files, the first of them the scene's own, and changes of them.

    Attributes:
        names: the objects that the edit made.
        notes: what the edit did besides what was asked.
        renamed: the names that objects of unrolled generators have now, by section and name.
        copies: the entries of single copies of generators that have all fields meanwhile.
        besides: what else becomes of one copy of a generator that is changed alone, for questions.
        only_numbers: whether nothing was changed but numbers that any scene may have otherwise.
    """

    def __init__(
        self,
        texts: Mapping[str, Text],
        scene: Callable[[], Scene],
        choices: Mapping[str, str] | None = None,
        files: Callable[[str, str], str | None] = lambda name, by: None,
        load: Callable[[Mapping[str, str]], Scene] | None = None,
        quick: bool = True,
        unroll: Callable[[Any, Any], dict[str, str]] | None = None,
        own_entry: Callable[[Any, Any], Any] | None = None,
    ) -> None:
        self.texts = dict(texts)
        self.first = dict(texts)
        self.main = next(iter(texts))
        self._scene = scene
        self._load = load
        self._quick = quick
        self._unroll = unroll
        self._own_entry = own_entry
        self.copies: list[tuple[str, Path, dict[str, Any], Path]] = []
        self.choices = dict(choices or {})
        self.find_file = files
        self.names: list[str] = []
        self.notes: list[str] = []
        self.renamed: dict[tuple[str, str], str] = {}
        self.besides: Callable[[str], str] = lambda name: ""
        self.only_numbers = True
        self._queued: dict[str, list[Splice]] = {}

    @property
    def scene(self) -> Scene:
        """The loaded scene as it was before the edit."""
        return self._scene()

    def unroll(self, draft: Any, place: Any) -> dict[str, str]:
        """Write the objects of a generator one by one; their new names by the old ones."""
        if self._unroll is None:
            raise Refused("generators are not unrolled here")
        return self._unroll(draft, place)

    @property
    def changes_copies(self) -> bool:
        """Whether the edit may change one copy of a generator alone."""
        return self._own_entry is not None

    def own_entry(self, draft: Any, place: Any) -> Any:
        """The place of one copy of a generator in its `overrides`."""
        assert self._own_entry is not None
        return self._own_entry(draft, place)

    def is_quick(self) -> bool:
        """Whether scenes are loaded so quickly that an edit may try several."""
        return self._quick and self._load is not None

    def load(self) -> Scene:
        """The scene of the texts as they are now. Raises SceneError."""
        assert self._load is not None
        return self._load({name: each.text for name, each in self.texts.items()})

    def load_or_none(self) -> Scene | None:
        """The scene of the texts as they are now; None if they are wrong."""
        try:
            return self.load()
        except SceneError:
            return None

    def ask(self, key: str, about: str, question: str, options: Mapping[str, str]) -> str:
        """The answer to a question. Raises Asked without one."""
        given = self.choices.get(key)
        if given in options:
            return str(given)
        if given is not None:
            choice = ", ".join(options)
            raise Refused(f"{about}: `{given}` is no answer here; possible: {choice}")
        raise Asked(key, about, question, options)

    # ------------------------------------------------------------ reading

    def text(self, file: str) -> Text:
        """The text of a file, without the changes that are queued."""
        return self.texts[file]

    def root(self, file: str) -> Node:
        return self.text(file).root

    def node(self, file: str, path: Path) -> Node | None:
        return self.root(file).at(path)

    def need(self, file: str, path: Path) -> Node:
        """The value at a path. Raises Refused if there is none."""
        node = self.node(file, path)
        if node is None:
            raise Refused(f"{file}: there is no {dotted(path)}")
        return node

    def anchored(self, file: str, name: str | None) -> tuple[Path, Node] | None:
        """The value that has an anchor, with its path."""
        for path, node in self.root(file).walk():
            if node.anchor == name and node.kind != "alias":
                return path, node
        return None

    def has_aliases(self, file: str, anchor: str) -> bool:
        return re.search(rf"\*{re.escape(anchor)}(?![\w-])", self.text(file).text) is not None

    def problem(self, file: str, node: Node, path: str, message: str) -> Problem:
        line, column = self.texts[file].line_of(node.start)
        return Problem(file, line, column, path, message, "conflicting-keys")

    # ------------------------------------------------------------ changing

    def queue(self, file: str, node: Node, new: str) -> None:
        """Write another number or word in the place of one, when all are known."""
        splice = (node.content, node.end, new)
        for start, end, other in self._queued.get(file, ()):
            if (start, end, other) == splice:
                return
            if start < node.end and node.content < end:
                line, _ = self.texts[file].line_of(node.start)
                raise Refused(f"{file}:{line}: `{node.source}` would become {other} and {new}")
        self._queued.setdefault(file, []).append(splice)

    def check_shared(self, file: str, path: Path) -> None:
        """Ask before something is changed in a value with an anchor that others use."""
        text = self.text(file).text
        if "&" not in text or self.choices.get("shared") == "all":
            return
        node: Node | None = self.root(file)
        for i, key in enumerate(path):
            node = None if node is None else node.get(key)
            if node is None:
                return
            if i and node.anchor and node.kind != "alias" and self.has_aliases(file, node.anchor):
                said = f"`{dotted(path[: i + 1])}` has the anchor &{node.anchor}, which others use"
                self.ask("shared", dotted(path), said, {"all": "change it for all that use it"})

    def flush(self) -> None:
        """Make the changes that were queued."""
        if not self._queued:
            return
        queued, self._queued = self._queued, {}
        for file, splices in queued.items():
            self.texts[file] = self.texts[file].with_splices(sorted(splices))

    def splice(self, file: str, start: int, end: int, new: str) -> None:
        """Replace characters of a file."""
        assert not self._queued
        self.only_numbers = False
        self.texts[file] = self.texts[file].with_splices([(start, end, new)])


def dotted(path: Sequence[str | int]) -> str:
    """A path as messages show it."""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
