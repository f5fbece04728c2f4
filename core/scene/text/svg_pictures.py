# SPDX-License-Identifier: MIT
"""SVG drawings as images: plain fills and strokes of outlines, one over the other.

Each outline is drawn at a multiple of its size and averaged. A picture has a fixed number of pixels
and is scaled down where it is drawn smaller, like any other image.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...errors import SceneError
from ..values.colors import parse_color
from ..values.portable_math import total
from ..values.svg_path import IDENTITY, Matrix, Subpath
from .svg_elements import Element, read_elements
from .svg_outlines import OUTLINES, UNSEEN, Cut, lines_of, read_length, transformed

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST = 1024
"""Pixels of the longer side,"""
FINER = 4
"""each drawn as so many times so many."""
MOST_WORK = 1 << 29
"""So many of these may be drawn, all outlines together."""
NOT_DRAWN = {"text": "texts", "image": "images", "use": "copies of elements"}
_INHERITED = ("fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width")
_RGB = re.compile(r"rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)")


class _Sight(NamedTuple):
    """Inherited state of an element: style, opacity and transform."""

    style: Mapping[str, str]
    opacity: float
    matrix: Matrix


def draw_drawing(text: str, file: str) -> Image:
    """The image of a drawing; ValueError says why there is none, and where in the file."""
    try:
        return _Drawer(read_elements(text, file)).image()
    except SceneError as error:
        problem = error.problems[0]
        raise ValueError(f"line {problem.line}: {problem.message}") from None


class _Drawer:
    def __init__(self, root: Element) -> None:
        from PIL import Image

        self._root = root
        x, y, width, height = _box(root)
        self._scale = LONGEST / max(width, height)
        self.size = tuple(max(round(side * self._scale), 1) for side in (width, height))
        self._canvas = Image.new("RGBA", (self.size[0], self.size[1]))
        scale = FINER * self._scale
        self._start: Matrix = (scale, 0.0, 0.0, scale, -x * scale, -y * scale)
        self._cut = Cut(tolerance=0.25 / scale)
        self._work = 0

    def image(self) -> Image:
        open_: list[tuple[Element, _Sight]] = [(self._root, _Sight({}, 1.0, IDENTITY))]
        while open_:
            element, above = open_.pop()
            if element.name in UNSEEN or element.name == "style":
                continue
            if element.name in NOT_DRAWN:
                message = f"{NOT_DRAWN[element.name]} are not drawn; make them paths"
                raise element.fail("unsupported", message)
            sight = self._seen(element, above)
            if sight is None:
                continue
            if element.name in OUTLINES:
                self._draw(element, sight)
            open_ += [(child, sight) for child in reversed(element.children)]
        return self._canvas

    def _seen(self, element: Element, above: _Sight) -> _Sight | None:
        """The state inside an element; None if it is hidden."""
        own = {**element.attributes, **_declared(element.attributes.get("style", ""))}
        if own.get("display") == "none" or own.get("visibility") == "hidden":
            return None
        style = {**above.style, **{name: own[name] for name in _INHERITED if name in own}}
        opacity = above.opacity * _share(element, own, "opacity")
        return _Sight(style, opacity, transformed(element, above.matrix))

    def _draw(self, element: Element, sight: _Sight) -> None:
        lines = lines_of(element, sight.matrix, self._cut)
        lines = [line for line in lines if len(line.points) > 1]
        if not lines:
            return
        style, matrix = sight.style, sight.matrix
        fill = _paint(element, style, "fill", "black")
        stroke = _paint(element, style, "stroke", "none")
        if fill is not None:
            opacity = sight.opacity * _share(element, style, "fill-opacity")
            self._lay(element, lines, fill, opacity, 0.0, style.get("fill-rule") == "evenodd")
        if stroke is not None:
            width = _number(element, style, "stroke-width", 1.0)
            width *= math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
            opacity = sight.opacity * _share(element, style, "stroke-opacity")
            self._lay(element, lines, stroke, opacity, width * self._start[0], even_odd=False)

    def _lay(
        self,
        element: Element,
        lines: list[Subpath],
        color: tuple[int, int, int, int],
        opacity: float,
        width: float,
        even_odd: bool,
    ) -> None:
        """Lay an area onto the picture, or with a width its outline."""
        from PIL import Image, ImageChops, ImageDraw

        scale, dx, dy = self._start[0], self._start[4], self._start[5]
        placed = [[(x * scale + dx, y * scale + dy) for x, y in line.points] for line in lines]
        xs, ys = [x for line in placed for x, _ in line], [y for line in placed for _, y in line]
        far = 0.5 * width + 1.0
        x0, y0 = (max(int((min(each) - far) // FINER), 0) for each in (xs, ys))
        ends = zip((xs, ys), self.size, strict=True)
        x1, y1 = (min(int((max(each) + far) // FINER) + 1, side) for each, side in ends)
        if x1 <= x0 or y1 <= y0:
            return
        size = ((x1 - x0) * FINER, (y1 - y0) * FINER)
        self._work += size[0] * size[1] * len(lines)
        if self._work > MOST_WORK:
            raise element.fail("limit", "the drawing has more areas than can be drawn")
        count = Image.new("L", size, 128)  # the winding number, offset by 128
        for line, points in zip(lines, placed, strict=True):
            mask = Image.new("L", size)
            pen = ImageDraw.Draw(mask)
            inside = [(x - x0 * FINER, y - y0 * FINER) for x, y in points]
            if width:
                closed = [*inside, *inside[:2]] if line.closed else inside
                pen.line(closed, fill=1, width=max(round(width), 1), joint="curve")
            elif len(inside) > 2:
                pen.polygon(inside, fill=1)
            turn = total(
                ax * by - ay * bx
                for (ax, ay), (bx, by) in zip(inside, [*inside[1:], inside[0]], strict=True)
            )
            join = ImageChops.add if width or even_odd or turn > 0.0 else ImageChops.subtract
            count = join(count, mask)
        odd = [255 if (value - 128) % 2 else 0 for value in range(256)]
        any_ = [0 if value == 128 else 255 for value in range(256)]
        cover = count.point(odd if even_odd else any_).reduce(FINER)
        share = opacity * color[3] / 255.0
        cover = cover.point([int(value * share + 0.5) for value in range(256)])
        layer = Image.new("RGBA", cover.size, (*color[:3], 255))
        layer.putalpha(cover)
        self._canvas.alpha_composite(layer, (x0, y0))


def _box(root: Element) -> tuple[float, float, float, float]:
    """The part of the drawing that is its picture."""
    given = root.attributes.get("viewBox")
    if given is None:
        box = (0.0, 0.0, read_length(root, "width"), read_length(root, "height"))
    else:
        try:
            x, y, width, height = (float(part) for part in re.split(r"[\s,]+", given.strip()))
        except ValueError:
            raise root.fail(
                "wrong-type", f"must be four numbers, not {given[:40]!r}", "viewBox"
            ) from None
        box = (x, y, width, height)
    if not (all(map(math.isfinite, box)) and 0.0 < box[2] < 1e9 and 0.0 < box[3] < 1e9):
        message = "a picture needs a size: a `viewBox`, or `width` and `height`"
        raise root.fail("out-of-range", message)
    return box


def _declared(style: str) -> dict[str, str]:
    """The declarations of a ``style`` attribute."""
    parts = (part.partition(":") for part in style.split(";"))
    return {name.strip().lower(): value.strip() for name, mark, value in parts if mark}


def _paint(
    element: Element, style: Mapping[str, str], name: str, usual: str
) -> tuple[int, int, int, int] | None:
    text = style.get(name, usual).strip()
    if text.lower() in ("none", "transparent"):
        return None
    match = _RGB.fullmatch(text)
    if match is not None:
        red, green, blue = (min(int(part), 255) for part in match.groups())
        return red, green, blue, 255
    try:
        return parse_color("black" if text == "currentColor" else text)
    except ValueError:
        message = f"must be a plain colour, not {text[:40]!r}"
        raise element.fail("unsupported", message, name) from None


def _share(element: Element, style: Mapping[str, str], name: str) -> float:
    return min(max(_number(element, style, name, 1.0), 0.0), 1.0)


def _number(element: Element, style: Mapping[str, str], name: str, usual: float) -> float:
    text = style.get(name)
    if text is None:
        return usual
    try:
        number = float(text.strip().removesuffix("px"))
    except ValueError:
        number = math.nan
    if not 0.0 <= number < 1e9:
        raise element.fail("wrong-type", f"must be a number, not {text[:40]!r}", name)
    return number
