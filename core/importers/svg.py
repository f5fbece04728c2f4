# SPDX-License-Identifier: MIT
"""SVG drawings: each outline is a body, static unless `data-body` says otherwise.

Pixels, y down. Filled outlines are solid; outlines with `fill: none` and open lines have no
thickness. Names are the elements' ids. `data-NAME` attributes are fields of bodies.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..errors import SceneError
from ..polygons import clone
from ..scene.model import Point
from ..scene.text.svg_elements import Element, read_elements
from ..scene.text.svg_outlines import UNSEEN, lines_of, read_length, transformed
from ..scene.values.colors import is_color
from ..scene.values.polygon import without_neighbours
from ..scene.values.svg_path import IDENTITY, Matrix, Subpath, apply, multiply, similarity
from . import svg_holes
from .drafts import geometry
from .drafts.declared import FIELDS, declare
from .drafts.draft import Draft, Entry
from .drafts.finishing import finish
from .drafts.places import LARGEST, SourceText
from .drafts.result import Import
from .svg_styles import Styles, declarations, read_styles

_LOST = ("text", "foreignObject", "switch")
_DEGREE = 180 / math.pi
DEEPEST_COPIES = 8
MOST_COPIES = 10_000


@dataclass(frozen=True, slots=True)
class _Look:
    """Inherited properties of elements."""

    matrix: Matrix = IDENTITY
    fill: str = ""  # black if none is given
    fill_opacity: str = ""
    fill_rule: str = ""  # nonzero if none is given
    shown: bool = True
    data: Mapping[str, tuple[Element, str]] = field(default_factory=dict)
    """Which element around says a field of the bodies inside, and how."""

    @property
    def filled(self) -> bool:
        return self.fill not in ("none", "transparent") and not _is_clear(self.fill_opacity)


def read(source: SourceText) -> Import:
    """The scene of a drawing."""
    root = read_elements(source.text, source.file)
    draft = Draft(source, "svg", units={"length": "px", "y": "down"})
    title = next((each.title.strip() for each in root.children if each.name == "title"), "")
    draft.name = title
    named: dict[str, Element] = {}
    for element in root.walk():
        named.setdefault(element.attributes.get("id", ""), element)
    styles = read_styles(root)
    for sheet in styles.strange:
        draft.lose(sheet, "rules of a sheet for more than names, classes and ids are not read")
    _visit(draft, root, _Look(), _Copies(root, named, styles))
    return finish(draft)


@dataclass
class _Copies:
    """Reusable elements by their ids, and how many elements of copies may still be drawn."""

    root: Element
    named: dict[str, Element]
    styles: Styles
    left: int = MOST_COPIES


def _visit(draft: Draft, element: Element, look: _Look, copies: _Copies, depth: int = 0) -> None:
    copies.left -= depth > 0
    if copies.left < 0:
        raise element.fail("limit", f"more than {MOST_COPIES:,} elements of copies; the limit")
    if element.name in UNSEEN:
        return
    if element.name in _LOST:
        draft.lose(element, f"<{element.name}> is not read")
        return
    look = _looks(element, look, copies.styles)
    if look.shown and element.name == "image":
        _add_image(draft, element, look)
    if look.shown and element.name in _OUTLINES:
        _add(draft, element, look)
    if element.name == "use":
        _use(draft, element, look, copies, depth)
    for child in element.children:
        _visit(draft, child, look, copies, depth)


def _use(draft: Draft, use: Element, look: _Look, copies: _Copies, depth: int) -> None:
    """Draw the element of a <use> at its place."""
    name = use.attributes.get("href", "").strip()
    target = copies.named.get(name[1:]) if name[:1] == "#" and len(name) > 1 else None
    unseen = target is not None and target.name in UNSEEN and target.name != "symbol"
    if target is None or unseen or depth >= DEEPEST_COPIES:
        why = "of itself" if depth >= DEEPEST_COPIES else f"of {name!r}, which is not here"
        draft.lose(use, f"a <use> {why}")
        return
    offset = read_length(use, "x"), read_length(use, "y")
    moved = replace(look, matrix=multiply(look.matrix, (1.0, 0.0, 0.0, 1.0, *offset)))
    if target.name != "symbol":
        _visit(draft, target, moved, copies, depth + 1)
        return
    inner = _looks(target, moved, copies.styles)
    inner = replace(inner, matrix=multiply(inner.matrix, _fitted(copies.root, use, target)))
    for child in target.children:
        _visit(draft, child, inner, copies, depth + 1)


def _fitted(root: Element, use: Element, symbol: Element) -> Matrix:
    """The transform that fits a symbol's own box into the size of its use."""
    box = _view_box(symbol)
    if box is None:
        return IDENTITY
    outer = _view_box(root)
    sizes = []
    for name, whole in (("width", 2), ("height", 3)):
        owner = next((each for each in (use, symbol) if name in each.attributes), None)
        if owner is not None:
            sizes.append(read_length(owner, name))
        else:  # all of the drawing's
            sizes.append(outer[whole] if outer is not None else read_length(root, name))
    width, height = (size or own for size, own in zip(sizes, box[2:], strict=True))
    scale = min(width / box[2], height / box[3])
    x, y = (
        (width - scale * box[2]) / 2 - scale * box[0],
        (height - scale * box[3]) / 2 - scale * box[1],
    )
    return scale, 0.0, 0.0, scale, x, y


def _view_box(element: Element) -> tuple[float, float, float, float] | None:
    text = element.attributes.get("viewBox", "")
    try:
        x, y, width, height = (float(part) for part in re.split(r"[\s,]+", text.strip()))
    except ValueError:
        return None
    finite = all(abs(number) <= LARGEST for number in (x, y, width, height))
    return (x, y, width, height) if finite and width > 0 and height > 0 else None


def _looks(element: Element, look: _Look, styles: Styles) -> _Look:
    """The state inside an element."""
    style = {**styles.of(element), **declarations(element.attributes.get("style", ""))}

    def said(name: str, inherited: str = "") -> str:
        return style.get(name) or element.attributes.get(name) or inherited

    matrix = transformed(element, look.matrix)
    shown = look.shown and said("display") != "none" and said("visibility") != "hidden"
    shown = shown and not _is_clear(said("opacity"))
    fill, opacity = said("fill", look.fill), said("fill-opacity", look.fill_opacity)
    rule = said("fill-rule", look.fill_rule)
    data = {n: (element, value) for n, value in _data(element).items() if n in FIELDS}
    return _Look(matrix, fill, opacity, rule, shown, {**look.data, **data})


def _is_clear(opacity: str) -> bool:
    """Whether nothing can be seen: `0`, `0.0`, `0%`."""
    try:
        return float(opacity.strip().rstrip("%")) == 0.0
    except ValueError:
        return False


# ---------------------------------------------------------------- bodies


def _add(draft: Draft, element: Element, look: _Look) -> None:
    made = _OUTLINES[element.name](element, look)
    if made is None:
        draft.lose(element, f"a <{element.name}> of no size")
        return
    shapes = geometry.rounded(made.shapes)
    entry: Entry = {"shape": shapes[0]} if len(shapes) == 1 else {"shapes": shapes}
    entry["position"] = geometry.rounded(made.position)
    angle = geometry.rounded(made.angle)
    if angle:
        entry["angle"] = angle
    if look.filled and is_color(look.fill):
        entry["color"] = look.fill
    said = {**look.data, **{name: (element, value) for name, value in _data(element).items()}}
    given = {name: value for name, (_, value) in said.items()}

    def fail(name: str, message: str) -> SceneError:
        owner = said[name][0] if name in said else element
        return owner.fail("wrong-type", message, f"data-{name}")

    strange = declare(entry, shapes[0], given, fail)
    title = next((child.title.strip() for child in element.children if child.name == "title"), "")
    wanted = element.attributes.get("id") or element.attributes.get("label") or title
    name = draft.add(draft.bodies, wanted or f"{element.name}_{len(draft.bodies)}", entry, element)
    for other in strange:
        draft.lose(element, f"the attribute data-{other} is not read", name)
    for loss in made.losses:
        draft.lose(element, loss, name)


def _add_image(draft: Draft, element: Element, look: _Look) -> None:
    """A picture that belongs to the world, as large as it fits into its place."""
    try:
        name = draft.pictures.find(element.attributes.get("href", "").strip()[:200])
    except ValueError as error:
        draft.lose(element, str(error))
        return
    size = draft.pictures.size(name)
    x, y, width, height = (read_length(element, n) for n in ("x", "y", "width", "height"))
    scale = min((width or size[0]) / size[0], (height or size[1]) / size[1])
    middle = x + (width or scale * size[0]) / 2, y + (height or scale * size[1]) / 2
    alike = similarity(look.matrix)
    if alike is None or abs(alike[1]) > 1e-9:
        draft.lose(element, "a picture that is turned or stretched is upright, and as it was")
    scale *= alike[0] if alike is not None else 1.0
    at = geometry.rounded(apply(look.matrix, middle))
    layer = {"image": name, "at": list(at), "scale": geometry.rounded(scale)}
    draft.fields.setdefault("layers", []).append(layer)


def _data(element: Element) -> dict[str, str]:
    """The declared fields of a body."""
    return {
        name[5:].replace("-", "_"): value
        for name, value in element.attributes.items()
        if name.startswith("data-")
    }


@dataclass(frozen=True, slots=True)
class _Outline:
    """Shapes about a position."""

    shapes: list[Entry]
    position: Point
    angle: float = 0.0
    losses: tuple[str, ...] = ()


def _rectangle(element: Element, look: _Look) -> _Outline | None:
    x, y, width, height = (read_length(element, name) for name in ("x", "y", "width", "height"))
    if not (width > 0 and height > 0):
        return None
    rx = read_length(element, "rx") or read_length(element, "ry")
    alike = similarity(look.matrix)
    losses: tuple[str, ...] = ()
    if look.filled and alike is not None:
        scale, angle = alike
        shape: Entry = {"box": [width * scale, height * scale]}
        if rx > 0:
            shape["radius"] = min(rx, 0.499 * width, 0.499 * height) * scale
        middle = apply(look.matrix, (x + width / 2, y + height / 2))
        return _Outline([shape], middle, angle * _DEGREE)
    if rx > 0:
        losses = ("rounded corners of a stretched rectangle are sharp here",)
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return _of_lines([Subpath([apply(look.matrix, c) for c in corners], True)], look, losses)


def _ellipse(element: Element, look: _Look) -> _Outline | None:
    center = read_length(element, "cx"), read_length(element, "cy")
    radius = read_length(element, "r")
    rx, ry = (
        (radius, radius) if radius else (read_length(element, "rx"), read_length(element, "ry"))
    )
    if not (rx > 0 and ry > 0):
        return None
    alike = similarity(look.matrix)
    if look.filled and alike is not None and rx == ry:
        return _Outline([{"circle": rx * alike[0]}], apply(look.matrix, center))
    corners = [apply(look.matrix, corner) for corner in geometry.ellipse(center, rx, ry)]
    losses = ("an ellipse is a polygon of 32 corners here",)
    return _of_lines([Subpath(corners, True)], look, losses)


def _as_drawn(element: Element, look: _Look) -> _Outline | None:
    return _of_lines(lines_of(element, look.matrix), look)


_OUTLINES: dict[str, Callable[[Element, _Look], _Outline | None]] = {
    "rect": _rectangle,
    "circle": _ellipse,
    "ellipse": _ellipse,
    "line": _as_drawn,
    "polyline": _as_drawn,
    "polygon": _as_drawn,
    "path": _as_drawn,
}


def _of_lines(lines: list[Subpath], look: _Look, losses: tuple[str, ...] = ()) -> _Outline | None:
    """Filled areas and lines about the centroid of the first one."""
    kept = [Subpath(without_neighbours(line.points), line.closed) for line in lines]
    kept = [line for line in kept if len(line.points) > 1]
    if not kept:
        return None
    solid = [_is_solid(line, look) for line in kept]
    first = kept[0].points
    middle = geometry.centroid(first) if solid[0] else first[0]
    shapes = []
    for line, filled in zip(kept, solid, strict=True):
        local = [(x - middle[0], y - middle[1]) for x, y in line.points]
        make = geometry.polygon_shape if filled else geometry.line_shape
        shapes.append(make(local) if filled else geometry.line_shape(local, line.closed))
    areas = [line.points for line, own in zip(kept, solid, strict=True) if own]
    if len(areas) > 1 and _overlap(areas):
        found = svg_holes.filled(areas, look.fill_rule == "evenodd")
        if found is None:
            losses = (*losses, "a hole is filled: each part of a path is a shape of its own")
        else:
            lines_only = [shape for shape, own in zip(shapes, solid, strict=True) if not own]
            shapes = [clone(each, (-middle[0], -middle[1])).shape for each in found] + lines_only
    return _Outline(shapes, middle, 0.0, losses) if shapes else None


def _is_solid(line: Subpath, look: _Look) -> bool:
    return line.closed and look.filled and len(line.points) > 2


def _overlap(outlines: list[list[Point]]) -> bool:
    """Whether the boxes around two of the outlines overlap."""
    boxes = sorted(
        (min(x for x, _ in o), max(x for x, _ in o), min(y for _, y in o), max(y for _, y in o))
        for o in outlines
    )
    return any(
        b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
        for i, a in enumerate(boxes[:200])
        for b in boxes[i + 1 : 201]
    )
