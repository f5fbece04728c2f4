# SPDX-License-Identifier: MIT
"""Textures: pictures on bodies, and sheets of pictures that follow each other."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from ... import limits
from ...building.images import Images
from ...building.scope import Scope
from ...model import Point, Scene, Shape, Texture
from ...text.problems import Path, Report
from ...values.broken import Stop, is_read
from ...values.context import Wrong
from ...values.expression import Expression, state_problems, truth_problems
from ...values.names import missing_body
from ...values.portable_math import cos, sin
from ...values.quantity import Deferred, Quantity, Written
from .inner_scenes import inner_scene
from .texture_models import TextureInput

_RESOLVED = (
    *("offset", "size", "angle", "mirror", "along", "tile", "clip", "z"),
    *("tint", "color_key", "fps", "loop"),
)
_OF_SCENES = ("start", "duration", "speed", "pixels")
_GOES_WITH = {
    **dict.fromkeys(("grid", "frame"), ("sheet",)),
    "color_key": ("file", "sheet"),
    **dict.fromkeys(("fps", "loop"), ("sheet", "scene")),
    **dict.fromkeys(_OF_SCENES, ("scene",)),
}
"""Keys of a texture, and with which of its sources they go."""
_SOURCES = {"file": "a `file`", "sheet": "a `sheet` of pictures", "scene": "a `scene`"}
_FRAME = Quantity()


def build_texture(
    given: TextureInput, shapes: Iterable[Shape], images: Images, scope: Scope
) -> Texture:
    """The texture of a body of these shapes, whose entry ``scope`` is; Stop after a problem."""
    if any(is_read(shape.kind) and shape.kind == "half_space" for shape in shapes):
        message = "a half-space has no end, and so no place for a picture; give it a `color`"
        raise scope.fail("conflicting-keys", message, "texture")
    key = _source(given, scope)
    if is_read(given.fps) and is_read(given.frame):
        message = "`fps` and `frame` both say which picture is shown; keep one"
        raise scope.fail("conflicting-keys", message, "texture", "frame")
    values: dict[str, Any] = {
        name: scope.resolve(getattr(given, name), "texture", name)
        for name in _RESOLVED
        if getattr(given, name) is not None
    }
    name = scope.resolve(getattr(given, key), "texture", key)
    if key == "scene":
        own = {each: scope.known(getattr(given, each), "texture", each) for each in _OF_SCENES}
        scope.stop_if_failed()
        inner = inner_scene(name, own, values.get("fps"), images, scope)
        values |= {"file": inner.file, "inner": inner, "fps": inner.fps * inner.speed}
    else:
        values["file"] = images.find(name, scope, "texture", key)
    if "tile" not in values:
        values["tile"] = any(shape.source != "box" and _has_corners(shape) for shape in shapes)
    if given.sheet is not None:
        values["grid"] = _grid(given, images, values["file"], scope)
    if given.frame is not None:
        values["frame"] = _frame(given.frame, scope)
    if given.mirror_while is not None:
        values["mirror_while"] = _compiled(given.mirror_while, scope, "mirror_while").source
    return Texture(**values)


def _source(given: TextureInput, scope: Scope) -> str:
    """The key that says what the picture is; Stop after a problem."""
    given_ones = [key for key in _SOURCES if getattr(given, key) is not None]
    if not given_ones:
        if scope.report.may_mean((*scope.path, "texture"), str):
            raise Stop
        message = "a texture is a `file`, or a `sheet` with its `grid`, or a `scene`"
        raise scope.fail("missing-key", message, "texture")
    source, *others = given_ones
    if others:
        message = f"`{source}` and `{others[0]}` both say what the picture is; keep one"
        raise scope.fail("conflicting-keys", message, "texture", others[0])
    for key, those in _GOES_WITH.items():
        if getattr(given, key) is not None and source not in those:
            right = " or ".join(_SOURCES[each] for each in those)
            message = f"`{key}` goes with {right}, not with a `{source}`"
            raise scope.fail("conflicting-keys", message, "texture", key)
    return source


def _has_corners(shape: Shape) -> bool:
    return is_read(shape.kind) and shape.kind in ("polygon", "chain")


def _grid(given: TextureInput, images: Images, path: str, scope: Scope) -> tuple[int, int]:
    if given.grid is None:
        message = "a `sheet` needs `grid: [columns, rows]`, how many pictures it has"
        raise scope.fail("missing-key", message, "texture")
    columns, rows = (int(number) for number in scope.resolve(given.grid, "texture", "grid"))
    width, height = images.size(path)
    if columns > width or rows > height:
        message = f"the sheet of {width}x{height} pixels cannot have {columns}x{rows} pictures"
        raise scope.fail("out-of-range", message, "texture", "grid")
    if columns * rows > limits.CELLS:
        message = f"{columns}x{rows} are {columns * rows} pictures; the limit is {limits.CELLS}"
        raise scope.fail("limit", message, "texture", "grid")
    return columns, rows


def _frame(given: Any, scope: Scope) -> float | str:
    """A number, also of the indices of a generator, or the source of one of a state's."""
    value = given.value if isinstance(given, Written) else given
    if not isinstance(value, str):
        return float(scope.resolve(value, "texture", "frame"))
    expression = _compiled(given, scope, "frame")
    if all(name in scope.values for name in expression.names):
        return float(scope.resolve(Deferred(expression, _FRAME), "texture", "frame"))
    return expression.source


def _compiled(given: Any, scope: Scope, field: str) -> Expression:
    """An expression over the state of the run, as it is written."""
    value = given.value if isinstance(given, Written) else given
    try:
        return scope.context.compile(value.strip())
    except Wrong as wrong:
        scope.report.add_wrong((*scope.path, "texture", field), wrong)
        raise Stop from None


def picture_place(texture: Texture, shapes: Iterable[Shape]) -> tuple[Point, Point]:
    """The centre and the size of a picture in a body of these shapes."""
    x0, y0, x1, y1 = _box(shapes)
    longest = max(x1 - x0, y1 - y0) or 1.0
    size = texture.size or (x1 - x0 or longest, y1 - y0 or longest)
    return texture.offset or (0.5 * (x0 + x1), 0.5 * (y0 + y1)), size


def picture_corners(texture: Texture, shapes: Iterable[Shape]) -> tuple[Point, ...]:
    """The corners of a picture in a body of these shapes, from +x towards +y."""
    (x, y), (width, height) = picture_place(texture, shapes)
    c, s = cos(texture.angle), sin(texture.angle)
    ways = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    sides = ((i * width, j * height) for i, j in ways)
    return tuple((x + c * a - s * b, y + s * a + c * b) for a, b in sides)


def _box(shapes: Iterable[Shape]) -> tuple[float, float, float, float]:
    """The box round the shapes of a body in its own coordinates."""
    edges = [
        (x - shape.radius, y - shape.radius, x + shape.radius, y + shape.radius)
        for shape in shapes
        for x, y in shape.points
    ]
    low = [min(edge[i] for edge in edges) for i in (0, 1)]
    high = [max(edge[i] for edge in edges) for i in (2, 3)]
    box = (low[0], low[1], high[0], high[1])
    return box if all(map(isfinite, box)) else (-0.5, -0.5, 0.5, 0.5)


def check_textures(scene: Scene, report: Report) -> None:
    """Report problems of textures that refer to the scene: expressions and other bodies."""
    checked: set[tuple[str, str, str]] = set()
    for body in scene.bodies.values():
        texture = body.texture if is_read(body.texture) else None
        if texture is None:
            continue
        entry = body.name.partition("[")[0]
        for i, name in enumerate(texture.along):
            if name not in scene.bodies and not report.may_have("bodies", name):
                message = missing_body(name, scene.bodies, report.tree)
                report.add((*_path(entry), "along", i), "unknown-name", message, missing=name)
        for field, source in (("frame", texture.frame), ("mirror_while", texture.mirror_while)):
            if not isinstance(source, str) or not source or (entry, field, source) in checked:
                continue
            checked.add((entry, field, source))
            expression = Expression(source)
            problems = state_problems(expression, scene)
            if field == "mirror_while" and not problems:
                problems = truth_problems(expression, scene)
            for each in problems:
                where = (*_path(entry), field)
                report.add(where, "expression", each.message, each.offset + 1, None, each.name)


def _path(entry: str) -> Path:
    return ("bodies", entry, "texture")
