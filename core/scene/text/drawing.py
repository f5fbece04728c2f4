# SPDX-License-Identifier: MIT
"""An SVG drawing of which single outlines are taken, by the ids of their elements."""

from __future__ import annotations

from collections.abc import Iterator
from errno import EFBIG
from itertools import islice
from typing import NamedTuple

from ...errors import Kind, SceneError
from ...reading import read_bytes
from .. import limits
from ..values.context import Wrong
from ..values.kinds import nearest
from ..values.svg_path import IDENTITY, Matrix, Subpath, multiply
from .svg_elements import Element, read_elements
from .svg_outlines import OUTLINES, UNSEEN, Cut, lines_of, read_length, transformed

_SHOWN = 6  # names in a message
_COPIES = 8  # uses inside each other


class Outline(NamedTuple):
    """An element that draws a line or an area, and its transform."""

    element: Element
    matrix: Matrix

    @property
    def data(self) -> int:
        """The number of characters of its path."""
        given = self.element.attributes
        return len(given.get("d", "")) + len(given.get("points", ""))

    def lines(self, cut: Cut) -> list[Subpath]:
        """Its lines in the coordinates of the drawing; Wrong where it cannot be read."""
        try:
            return [line for line in lines_of(*self, cut) if len(line.points) > 1]
        except SceneError as error:
            raise _wrong(error) from None


class SvgDrawing:
    """A drawing that was read; Wrong says where in the file it is not as it should be."""

    def __init__(self, text: str, file: str) -> None:
        try:
            self._root = read_elements(text, file)
        except SceneError as error:
            raise _wrong(error) from None
        self._file = file
        self._left = limits.NODES  # elements that may still be looked at
        self._named: dict[str, tuple[Element, Element | None]] = {}  # the first of each id
        self._above: dict[int, Element] = {}
        for element in self._root.walk():
            name = element.attributes.get("id")
            if name:
                self._named.setdefault(name, (element, self._above.get(id(element))))
            for child in element.children:
                self._above[id(child)] = element

    def find(self, name: str | None) -> Outline:
        """The one outline of the element with this id, or of the whole drawing."""
        found: list[Outline] = []
        try:
            for outline in islice(self._outlines(name), _SHOWN + 1):
                found.append(outline)
        except SceneError as error:
            if len(found) < 2:
                raise _wrong(error) from None
        where = self._file if name is None else f"`{name}` in {self._file}"
        if not found:
            message = f"{where} draws nothing that is an outline ({', '.join(OUTLINES)})"
            raise Wrong("impossible-shape", message)
        if len(found) > 1:
            names = [self._told(outline.element) for outline in found[:_SHOWN]]
            more = ", ..." if len(found) > _SHOWN else ""
            message = f"{where} has several outlines; say which with `id`"
            raise Wrong("conflicting-keys", f"{message}: {', '.join(names)}{more}")
        return found[0]

    def _told(self, element: Element) -> str:
        name = element.attributes.get("id")
        return name or f"a <{element.name}> without an id in line {element.line}"

    def _outlines(self, name: str | None) -> Iterator[Outline]:
        if name is None:
            return self._inside(self._root, IDENTITY, 0)
        if name not in self._named:
            message = f"{self._file} has no element with the id `{name}`"
            raise Wrong("unknown-name", f"{message}; {nearest(name, self._named)}")
        element, above = self._named[name]
        if element.name in UNSEEN:
            raise element.fail(
                "unsupported", f"a <{element.name}> is not drawn; name what is in it"
            )
        matrix = IDENTITY if above is None else self._transform(above)
        return self._inside(element, matrix, 0)

    def _transform(self, element: Element) -> Matrix:
        """Return the transform of an element's content: its own and those of all its parents."""
        around = [element]
        while id(around[-1]) in self._above:
            around.append(self._above[id(around[-1])])
        matrix = IDENTITY
        for each in reversed(around):
            matrix = self._enter(each, matrix)
        return matrix

    def _enter(self, element: Element, matrix: Matrix) -> Matrix:
        if "transform" in element.attributes.get("style", ""):
            message = "`transform` in a style is not read; an attribute `transform` is"
            raise element.fail("unsupported", message)
        if element is not self._root and "viewBox" in element.attributes:
            message = "a view box within a drawing is not read; a transform is"
            raise element.fail("unsupported", message, "viewBox")
        return transformed(element, matrix)

    def _inside(self, element: Element, matrix: Matrix, copies: int) -> Iterator[Outline]:
        """Return the outlines of an element with the transform ``matrix``, including copies."""
        self._left -= 1
        if self._left < 0:
            message = f"more than {limits.NODES:,} elements, with copies; that is the limit"
            raise element.fail("limit", message)
        if element.name in UNSEEN:
            return
        matrix = self._enter(element, matrix)
        if element.name in OUTLINES:
            yield Outline(element, matrix)
        elif element.name == "use":
            offset = read_length(element, "x"), read_length(element, "y")
            moved = multiply(matrix, (1.0, 0.0, 0.0, 1.0, *offset))
            yield from self._inside(self._copied(element, copies), moved, copies + 1)
        for child in element.children:
            yield from self._inside(child, matrix, copies)

    def _copied(self, use: Element, copies: int) -> Element:
        """The element that a <use> refers to, in the same file."""
        name = use.attributes.get("href", "").strip()
        if not name.startswith("#"):
            message = "must be the id of an element of this file, such as `#leaf`"
            raise use.fail("unsupported", message, "href")
        if copies >= _COPIES:
            raise use.fail(
                "limit", f"copies of copies, more than {_COPIES} deep; that is the limit"
            )
        if name[1:] not in self._named:
            message = f"there is no element with the id `{name[1:]}`; "
            raise use.fail("unknown-name", message + nearest(name[1:], self._named), "href")
        return self._named[name[1:]][0]


def _wrong(error: SceneError) -> Wrong:
    """A drawing's problem, as a problem of the value that names it."""
    problem = error.problems[0]
    return Wrong(problem.kind, str(problem))


def read_drawing(path: str, file: str) -> tuple[SvgDrawing, int]:
    """A drawing and how many bytes it has; Wrong says why there is none."""
    try:
        data = read_bytes(path, limits.DRAWING_BYTES)
    except OSError as error:
        kind: Kind = "limit" if error.errno == EFBIG else "file"
        raise Wrong(kind, f"`{file}` cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"{file}:{line}: not UTF-8 text (byte {data[error.start]:#04x})"
        raise Wrong("syntax", message) from None
    return SvgDrawing(text, file), len(data)
