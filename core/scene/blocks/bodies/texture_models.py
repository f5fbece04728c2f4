# SPDX-License-Identifier: MIT
"""The input model of pictures on bodies."""

from typing import Annotated, Any, ClassVar

from ... import limits
from ...values import units
from ...values.context import Context, Wrong
from ...values.fields import (
    POINT,
    Angle,
    Colour,
    Duration,
    Input,
    Number,
    Pair,
    PointField,
    Time,
    TruthField,
    Value,
    about,
)
from ...values.kinds import Color, Custom, ListOf, OneOf, Text, Tuple, show
from ...values.names import Name
from ...values.quantity import Quantity, Written

FIRST_PIXEL = "first_pixel"
"""The colour key that is the colour of a picture's first pixel."""
Picture = Annotated[str | None, Text("the name of an image file")]
Extent = Annotated[Pair, Tuple(Quantity((units.LENGTH,), above=0.0), 2, "a size [width, height]")]


def _check_frame(value: Any, context: Context) -> Any:
    if isinstance(value, str):
        if not value.strip().startswith("="):
            raise Wrong("wrong-type", f"must be a number or an expression, not {show(value)}")
        return Written(value)
    return Quantity().check(value, context)


def _check_condition(value: Any, context: Context) -> Any:
    if not isinstance(value, str) or not value.strip().startswith("="):
        raise Wrong(
            "wrong-type",
            f"must be an expression, true or false, such as `=ball.vx < 0`, not {show(value)}",
        )
    return Written(value)


def _check_color_key(value: Any, context: Context) -> str:
    if not isinstance(value, str):
        message = f"must be a colour such as '#ffffff', or {FIRST_PIXEL}, not {show(value)}"
        raise Wrong("wrong-type", message)
    try:
        return value if value == FIRST_PIXEL else Color().check(value, context)
    except Wrong as wrong:
        (found,) = wrong.findings
        message = f"{found.message}; or write {FIRST_PIXEL}, the colour of its top left corner"
        raise Wrong("unknown-word", message, meant=found.meant) from None


_COLOR_KEY = {"type": "string", "description": "a CSS colour name, #rrggbb or first_pixel"}
_BODY = Name("the name of a body", computed=True)
_CORNERS = ListOf(POINT, "a list of points [[x, y], ...]", 3, limits.POLYGON_POINTS)
_CLIP = ListOf(_CORNERS, "a list of polygons [[[x, y], ...], ...]")
_CELLS = Quantity(low=1, high=limits.CELLS, whole=True)
_SPEED = Quantity(low=limits.SPEED[0], high=limits.SPEED[1])
_SIDE = Quantity(low=limits.INNER_SIDE[0], high=limits.INNER_SIDE[1], whole=True)
_FPS = Quantity((units.NUMBER, units.FREQUENCY), low=0.0, high=limits.FPS)


class TextureInput(Input):
    form: ClassVar[str] = "`{file: crate.png}`"
    file: Picture = about("An image file of one picture.")
    sheet: Picture = about("An image file of several pictures in rows, of which one is shown.")
    grid: Annotated[Pair, Tuple(_CELLS, 2, "how many pictures [columns, rows]")] = about(
        "How many pictures a sheet has: [columns, rows]."
    )
    fps: Annotated[Value, _FPS] = about(
        "How many pictures of a sheet are shown a second (default 10; of a scene: its own)."
    )
    loop: TruthField = about("Whether a sheet begins again after its last picture (default true).")
    scene: Annotated[str | None, Text("the name of a scene file")] = about(
        "A scene file whose run is shown."
    )
    start: Time = about("The time of that scene at the beginning of this one (default 0).")
    duration: Duration = about("For how long it is shown, in its time (default: to its end).")
    speed: Annotated[Value, _SPEED] = about("How fast its time goes by (default 1).")
    pixels: Annotated[Pair, Tuple(_SIDE, 2, "a size in pixels [width, height]")] = about(
        "How large its pictures are: [width, height] (default: 256 at the longer side)."
    )
    frame: Annotated[Any, Custom(_check_frame, Quantity().schema())] = about(
        "Which picture of a sheet is shown, from 0: a number or an expression."
    )
    offset: PointField = about(
        "Where the middle of the picture is in the body (default: of its shapes)."
    )
    size: Extent = about(
        "How large the picture is: [width, height] (default: as the box of the shapes)."
    )
    angle: Angle = about("How the picture is turned in the body (default 0).")
    mirror: Annotated[str | None, OneOf(("x", "y"))] = about(
        "x: its left side is on the right; y: its top is below."
    )
    mirror_while: Annotated[Any, Custom(_check_condition, {"type": "string"})] = about(
        "While this expression of state names is true, its left side is on the right."
    )
    along: Annotated[Any, Tuple(_BODY, 2, "two bodies [first, second]")] = about(
        "It points from the first to the second of two bodies, instead of turning with its own."
    )
    tint: Colour = about("A colour that multiplies those of the picture (default white).")
    color_key: Annotated[Any, Custom(_check_color_key, _COLOR_KEY)] = about(
        "A colour of the picture that is see-through, or first_pixel: that of its top left corner."
    )
    tile: TruthField = about(
        "Repeat it over the shapes (default: only if they are polygons or chains)."
    )
    clip: Annotated[Any, _CLIP] = about(
        "Polygons in body coordinates outside of which nothing of it is seen: [[[0, 0], ...], ...]."
    )
    z: Number = about("Drawing order of the picture (default: the body's).")


def as_texture(value: Any) -> Any:
    """A texture's short form, the name of a file, in its long one."""
    return {"file": value} if isinstance(value, str) else value
