# SPDX-License-Identifier: MIT
"""The input models of annotations: texts and drawings beside the bodies."""

from typing import Annotated, Any, ClassVar

from ... import limits
from ...values import units
from ...values.context import Context, Wrong
from ...values.fields import (
    POINT,
    Colour,
    Duration,
    Input,
    Length,
    Number,
    PointField,
    Time,
    Value,
    about,
)
from ...values.kinds import Custom, OneOf, Text, Tuple, show
from ...values.quantity import Quantity

PLACES = ("top_left", "top", "top_right", "center", "bottom_left", "bottom", "bottom_right")


def _check_expression(value: Any, context: Context) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(Quantity().check(value, context))
    if not isinstance(value, str) or not value.strip():
        raise Wrong("wrong-type", f"must be an expression such as `ball.y`, not {show(value)}")
    return value.strip().removeprefix("=")


def _check_vector(value: Any, context: Context) -> Any:
    if isinstance(value, list):
        return _PAIR.check(value, context)
    if isinstance(value, str) and "." in value:
        return value.strip()
    raise Wrong(
        "wrong-type",
        "must be a vector such as `ball.velocity`, or its two parts [=..., =...], not "
        f"{show(value)}",
    )


def _check_ends(value: Any, context: Context) -> Any:
    if not isinstance(value, list) or len(value) != 2:
        message = f"must be two ends, each a point [x, y] or the name of a body, not {show(value)}"
        raise Wrong("wrong-type", message)
    return tuple(
        end.strip() if isinstance(end, str) else POINT.check(end, context) for end in value
    )


def _check_lines(value: Any, context: Context) -> Any:
    if value == "phase":
        return value
    lines = value if isinstance(value, list) else [value]
    if not 1 <= len(lines) <= limits.PLOT_LINES:
        raise Wrong("limit", f"a plot has 1 to {limits.PLOT_LINES} lines, not {len(lines)}")
    return tuple(_check_expression(line, context) for line in lines)


_EXPRESSION_SCHEMA = {
    "type": ["string", "number"],
    "description": "an expression over the state of the run",
}
_EXPRESSION = Custom(_check_expression, _EXPRESSION_SCHEMA)
_PAIR = Tuple(_EXPRESSION, 2, "the two parts of a vector [=..., =...]")
_VECTOR_SCHEMA = {"anyOf": [{"type": "string"}, _PAIR.schema()]}
_LINES_SCHEMA = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": _EXPRESSION_SCHEMA, "minItems": 1}]
}
_ENDS_SCHEMA = {
    "type": "array",
    "items": {"anyOf": [{"type": "string"}, POINT.schema()]},
    "minItems": 2,
    "maxItems": 2,
}
_NAME = Annotated[str | None, Text("the name of a body, or of a point of it")]


class AnnotationInput(Input):
    form: ClassVar[str] = '`{text: "v = {ball.speed:.1f} m/s", corner: top_left}`'
    text: Annotated[str | None, Text("a text")] = about(
        "A text, with values in braces: v = {ball.speed:.1f} m/s."
    )
    vector: Annotated[Any, Custom(_check_vector, _VECTOR_SCHEMA)] = about(
        "An arrow: ball.velocity, ball.force, hinge.force, or two expressions."
    )
    dimension: Annotated[Any, Custom(_check_ends, _ENDS_SCHEMA)] = about(
        "How far two ends are apart, each a point [x, y], a body or a point of a body."
    )
    plot: Annotated[Any, Custom(_check_lines, _LINES_SCHEMA)] = about(
        "A graph of expressions against time, or phase, of `y` against `x`."
    )
    x: Annotated[str | None, _EXPRESSION] = about("phase: what goes to the right.")
    y: Annotated[str | None, _EXPRESSION] = about("phase: what goes up.")
    label: Annotated[str | None, Text("a text")] = about(
        "vector, dimension: what is written beside it, with values in braces."
    )
    at: PointField = about("Where it is: a point of the world.")
    follow: _NAME = about("Where it is: a body that it goes along with, or a point of it.")
    corner: Annotated[str | None, OneOf(PLACES)] = about(
        "Where it is in the picture: top_left, top, top_right, center, bottom_left, ..."
    )
    size: Annotated[Value, Quantity(low=4.0, high=400.0)] = about(
        "Height of the letters in a picture 480 pixels high (default 13)."
    )
    color: Colour = about("Its colour (default: the theme's).")
    scale: Number = about("vector: how many length units a unit of it is long.")
    offset: Length = about("dimension: how far beside the line between its ends.")
    seconds: Duration = about("plot: how much time it shows (default 5 s; phase: all).")
    range: Annotated[Any, Tuple(Quantity(), 2, "two numbers [least, greatest]")] = about(
        "plot: the axis upwards (default: what there was)."
    )
    from_: Time = about("From when it is shown (default: the start).", alias="from")
    until: Annotated[Value, Quantity((units.TIME,), low=0.0)] = about(
        "Until when it is shown (default: the end)."
    )
    while_: Annotated[str | None, _EXPRESSION] = about(
        "An expression over the state of the run: it is shown while that is true.", alias="while"
    )
