# SPDX-License-Identifier: MIT
"""Tiled's XML as the values that its JSON has, with the places of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import SceneError
from ...scene.text.problems import Path as Steps
from ...scene.text.svg_elements import Element, read_elements
from ..drafts.places import SourceText, Value

ROOTS = ("map", "tileset", "template")
_TEXTS = ("chunk", "data", "text", "property")
_NUMBERS = frozenset(
    [
        "columns",
        "firstgid",
        "gid",
        "height",
        "id",
        "margin",
        "offsetx",
        "offsety",
        "opacity",
        "parallaxx",
        "parallaxy",
        "pixelsize",
        "rotation",
        "spacing",
        "tileheight",
        "hexsidelength",
        "tileid",
        "tilewidth",
        "width",
        "x",
        "y",
    ]
)
_TRUTHS = frozenset(("infinite", "repeatx", "repeaty", "visible"))
_LAYERS = {
    "layer": "tilelayer",
    "objectgroup": "objectgroup",
    "imagelayer": "imagelayer",
    "group": "group",
}
_FORMS = ("ellipse", "point", "capsule")


def read_markup(text: str, file: str, source: SourceText) -> Value:
    """A map, tileset or template in XML. Raises SceneError where it is none."""
    root = read_elements(text, file, roots=ROOTS, texts=_TEXTS)
    places: dict[Steps, tuple[int, int]] = {}
    data = _Reader(places).element(root, ())
    if root.name == "template":
        data["object"] = next(iter(data.pop("objects", [])), None)
    return Value(data, SourceText(file, "", source.folder, source.home, source.assets, places))


class _Reader:
    """Converts elements, and notes the places of all."""

    def __init__(self, places: dict[Steps, tuple[int, int]]) -> None:
        self.places = places

    def element(self, element: Element, steps: Steps) -> dict[str, Any]:
        self.places[steps] = element.place()
        data: dict[str, Any] = {
            name: _attribute(element, name, value) for name, value in element.attributes.items()
        }
        if element.name in ("map", "group"):
            data["layers"] = []
        for child in element.children:
            self._child(data, child, steps)
        return data

    def _child(self, data: dict[str, Any], child: Element, steps: Steps) -> None:
        name = child.name
        if name in _LAYERS and (name != "objectgroup" or "layers" in data):
            self._append(data, "layers", child, steps)
            data["layers"][-1]["type"] = _LAYERS[name]
        elif name in ("tileset", "objectgroup") and "layers" not in data:
            data[name] = self.element(child, (*steps, name))
        elif name in ("tileset", "tile", "object"):
            self._append(data, f"{name}s", child, steps)
        elif name == "frame":
            data.setdefault("animation", []).append(self.element(child, steps))
        elif name == "animation":
            data["animation"] = self.element(child, (*steps, name)).get("animation", [])
        elif name == "properties":
            data[name] = []
            for each in child.children:
                self._property(data[name], each, (*steps, name))
        elif name == "image":
            inner = child.attributes
            data |= {"image": inner.get("source", "")} | {
                f"image{side}": _attribute(child, side, inner[side])
                for side in ("width", "height")
                if side in inner
            }
            if "trans" in inner:
                data["transparentcolor"] = inner["trans"]
        elif name == "data":
            self._cells(data, child, steps)
        elif name in _FORMS:
            data[name] = True
        elif name in ("polygon", "polyline"):
            self.places[(*steps, name)] = child.place()
            data[name] = _points(child)
        elif name == "text":
            data[name] = self.element(child, (*steps, name)) | {"text": "".join(child.sheet)}

    def _append(self, data: dict[str, Any], name: str, child: Element, steps: Steps) -> None:
        held = data.setdefault(name, [])
        held.append(self.element(child, (*steps, name, len(held))))

    def _property(self, held: list[Any], child: Element, steps: Steps) -> None:
        given = child.attributes
        self.places[(*steps, len(held))] = child.place()
        value: Any = given.get("value", "".join(child.sheet))
        kind = given.get("type", "string")
        if kind in ("int", "float", "object"):
            value = _number(child, "value", value)
        elif kind == "bool":
            value = value == "true"
        held.append({"name": given.get("name", ""), "type": kind, "value": value})

    def _cells(self, data: dict[str, Any], child: Element, steps: Steps) -> None:
        """The cells of a layer or of a chunk of it, in any of the encodings."""
        self.places[(*steps, "data")] = child.place()
        given = child.attributes
        data |= {name: given[name] for name in ("encoding", "compression") if name in given}
        chunks = [each for each in child.children if each.name == "chunk"]
        if not chunks:
            data["data"] = _cell_data(child, given.get("encoding", ""))
        for chunk in chunks:
            self._append(data, "chunks", chunk, steps)
            data["chunks"][-1]["data"] = _cell_data(chunk, given.get("encoding", ""))


def _cell_data(element: Element, encoding: str) -> Any:
    text = "".join(element.sheet)
    if encoding == "csv":
        return [_number(element, "data", word, int) for word in text.replace(",", " ").split()]
    if encoding:
        return text
    return [
        _number(each, "gid", each.attributes.get("gid", "0"), int)
        for each in element.children
        if each.name == "tile"
    ]


def _attribute(element: Element, name: str, value: str) -> Any:
    if name in _NUMBERS:
        return _number(element, name, value)
    return value in ("1", "true") if name in _TRUTHS else value


def _number(element: Element, name: str, value: str, kind: Callable[[str], float] = float) -> float:
    try:
        number = kind(value)
    except ValueError:
        raise _no_number(element, name, value) from None
    return int(number) if abs(number) < 1e15 and number == int(number) else number


def _no_number(element: Element, name: str, value: str) -> SceneError:
    return element.fail("wrong-type", f"must be a number, not {value[:60]!r}", name)


def _points(element: Element) -> list[dict[str, float]]:
    found = []
    for pair in element.attributes.get("points", "").split():
        x, _, y = pair.partition(",")
        found.append({"x": _number(element, "points", x), "y": _number(element, "points", y)})
    return found
