# SPDX-License-Identifier: MIT
"""XML such as SVG as elements with their lines, read by Expat without access to other files.

Entities declared in a document are refused, so nothing is expanded; Expat opens no other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from ...errors import Kind, Problem, SceneError
from .. import limits
from ..values.svg_path import Matrix

_TITLE = 200  # characters that are kept


@dataclass
class Element:
    """One element: its name without a namespace, its attributes, and its place."""

    name: str
    attributes: dict[str, str]
    path: str
    line: int
    column: int
    file: str
    children: list[Element] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)  # children so far, by name
    title: str = ""
    sheet: list[str] = field(default_factory=list)  # its text, in pieces, such as a style sheet
    transform: Matrix | None = None  # its own, once it was read

    def place(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def shown(self) -> str:
        """The place of the element, as messages write it."""
        return f"{self.file}:{self.line}:{self.column}: {self.path}"

    def fail(self, kind: Kind, message: str, attribute: str = "") -> SceneError:
        message = f"`{attribute}` {message}" if attribute else message
        return SceneError([Problem(self.file, self.line, self.column, self.path, message, kind)])

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()


def read_elements(
    text: str, file: str, *, roots: Sequence[str] = ("svg",), texts: Sequence[str] = ("style",)
) -> Element:
    """Return the root element, one of ``roots``; ``file`` is its name in errors.

    Elements of the names ``texts`` keep their text. Raises SceneError for invalid or unsafe XML.
    """
    return _ElementReader(text, file, roots, texts).read()


class _ElementReader:
    """Builds the tree of elements from Expat's events."""

    def __init__(self, text: str, file: str, roots: Sequence[str], texts: Sequence[str]) -> None:
        self.data = text.encode()
        self.file = file
        self.roots, self.texts = roots, texts
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = self.transforms = 0
        self.parser = parser = expat.ParserCreate("utf-8", " ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity

    def read(self) -> Element:
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            what = expat.errors.messages.get(error.code, str(error))
            raise self._problem(
                "syntax", f"this is not XML: {what}", error.lineno, error.offset + 1
            ) from None
        if self.root is None or self.root.name not in self.roots:
            known = " or ".join(f"`<{name}>`" for name in self.roots)
            raise self._problem("unsupported", f"the outermost element is not {known}", 1, 1)
        return self.root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1 + len(attributes)
        self.transforms += attributes.get("transform", "").count("(")
        for count, most, what in (
            (self.count, limits.NODES, "elements and attributes"),
            (self.transforms, limits.TRANSFORMS, "transforms"),
        ):
            if count > most:
                raise self._here("limit", f"more than {most:,} {what}; the limit")
        if len(self.open) >= limits.DEPTH:
            message = f"nested more than {limits.DEPTH} levels deep; that is the limit"
            raise self._here("limit", message)
        own = name.rpartition(" ")[2]
        parser = self.parser
        above = self.open[-1] if self.open else None
        path = own
        if above is not None:
            path = f"{above.path}.{own}[{above.counts.get(own, 0)}]"
            above.counts[own] = above.counts.get(own, 0) + 1
        # An attribute of another namespace counts where SVG's own is not there.
        plain = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        plain |= {key: value for key, value in attributes.items() if " " not in key}
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        element = Element(own, plain, path, line, column, self.file)
        if above is not None:
            above.children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        if self.open and self.open[-1].name == "title":
            above = self.open[-1]
            above.title += text[: max(_TITLE - len(above.title), 0)]
        elif self.open and self.open[-1].name in self.texts:
            self.open[-1].sheet.append(text)

    def _entity(self, name: str, *_: object) -> None:
        message = f"the entity `{name}`: entities of a file's own are not read"
        raise self._here("unsupported", message)

    def _here(self, kind: Kind, message: str) -> SceneError:
        return self._problem(
            kind, message, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        )

    def _problem(self, kind: Kind, message: str, line: int, column: int) -> SceneError:
        return SceneError([Problem(self.file, line, column, "", message, kind)])
