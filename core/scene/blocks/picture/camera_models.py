# SPDX-License-Identifier: MIT
"""The input models of the camera."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from ...values import units
from ...values.context import Context
from ...values.fields import (
    Distance,
    Duration,
    Input,
    PointField,
    Positive,
    Rectangle,
    Size,
    Value,
    about,
)
from ...values.kinds import Custom, ListOf, OneOf
from ...values.names import Name
from ...values.quantity import Quantity

AnyTime = Annotated[Value, Quantity((units.TIME,))]
_BODY = Name("the name of a body")
_FOLLOWED = Name("the name of a body, a group or an instance")
_SEVERAL = ListOf(_FOLLOWED, "a list of bodies", fewest=1)


def _check_target(value: Any, context: Context) -> Any:
    return (_SEVERAL if isinstance(value, list) else _FOLLOWED).check(value, context)


_TARGET_SCHEMA = {"anyOf": [_FOLLOWED.schema(), _SEVERAL.schema()]}


def is_pair(value: Any) -> bool:
    """Whether a value is a list of two, the short form of a value that holds from a time on."""
    return isinstance(value, list) and len(value) == 2


class CameraKeyInput(Input):
    form: ClassVar[str] = "`[2, {rect: [[0, 0], [8, 6]]}]`"
    needed: ClassVar[tuple[str, ...]] = ("at",)
    at: AnyTime = about("At which time of the run; before its start it is negative.")
    rect: Rectangle = about("Two corners of what is shown.")
    center: PointField = about("The point in the middle.")
    target: Annotated[Any, _BODY] = about("The body in the middle.")
    width: Size = about("How wide the part is that is shown (default: as before).")
    ease: Annotated[str | None, OneOf(("smooth", "linear", "hold"))] = about(
        "How the camera comes to it: smooth (default), linear, or hold, all at once."
    )


def _as_key(value: Any) -> Any:
    """The short form, a time and the rest, in the long one."""
    if is_pair(value) and isinstance(value[1], dict):
        return {"at": value[0], **value[1]}
    return value


class ShakeInput(Input):
    form: ClassVar[str] = "`{at: 2, amplitude: 0.2}`"
    needed: ClassVar[tuple[str, ...]] = ("at", "amplitude")
    at: AnyTime = about("When it begins; before the start of the run it is negative.")
    amplitude: Distance = about("How far the picture moves at first, a length.")
    duration: Duration = about("How long it takes to die away (default 0.5 s).")
    frequency: Annotated[Value, Quantity((units.FREQUENCY,), above=0.0, high=100.0)] = about(
        "How fast it moves, in Hz (default 8)."
    )


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


class CameraInput(Input):
    form: ClassVar[str] = "`{mode: follow, target: ball}`"
    mode: Annotated[str, OneOf(("fit", "region", "follow", "keys"))] = about(
        "fit (default), region, follow or keys.", "fit"
    )
    fit: Annotated[str | None, OneOf(("run", "start"))] = about(
        "fit: run (default), all that moves in the run; start, all there is at the start."
    )
    start: Annotated[str | None, OneOf(("center", "corner", "background"))] = about(
        "fit, follow with keep_in: what it looks at first: the middle of all (center), the top "
        "left corner of all in that of the picture (corner), or the background's own size."
    )
    widest: Annotated[Value, Quantity(low=1.0)] = about(
        "fit: at most so many times as wide as at the start; then it follows the middle."
    )
    rect: Rectangle = about("region: two corners.")
    target: Annotated[Any, Custom(_check_target, _TARGET_SCHEMA)] = about(
        "follow: the body, or a group, an instance or a list of such, which all stay in sight."
    )
    style: Annotated[str | None, OneOf(("center", "keep_in"))] = about(
        "follow: center (default), or keep_in, which moves only to keep the outlines inside."
    )
    margin: Distance = about("fit, follow: space around, a length.")
    zoom: Positive = about(
        "follow, and fit with start: pixels per length unit in a picture of `render.size`; others "
        "show the same part of the world."
    )
    pixel_zoom: Positive = about(
        "instead of zoom: pixels per length unit in a picture of any size."
    )
    bounds: Rectangle = about("follow, keys: two corners that the view stays inside.")
    keys: list[Annotated[CameraKeyInput, BeforeValidator(_as_key)]] | None = about(
        "keys: what is shown at which time: [[0, {rect: ...}], [2, {target: ball, width: 3}]]."
    )
    shake: list[ShakeInput] | None = about("When the picture trembles: [{at: 2, amplitude: 0.2}].")
