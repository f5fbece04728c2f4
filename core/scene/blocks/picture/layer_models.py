# SPDX-License-Identifier: MIT
"""The input models of image layers and the minimap."""

from typing import Annotated, ClassVar

from ...values.fields import Colour, Input, Number, PointField, Rectangle, Size, Value, about
from ...values.kinds import ListOf, OneOf
from ...values.names import Name
from ...values.quantity import Quantity
from ..bodies.texture_models import Picture

_ALSO = ListOf(Name("the name or the tag of a body"), "a list of names and tags", fewest=1)
_CORNERS = ("top_left", "top_right", "bottom_left", "bottom_right")


class LayerInput(Input):
    form: ClassVar[str] = "`{image: hills.png, parallax: 0.3, repeat: x}`"
    needed: ClassVar[tuple[str, ...]] = ("image",)
    image: Picture = about("An image file in the scene's folder.")
    at: PointField = about("Where its middle is in the world (default [0, 0]).")
    scale: Size = about("How long a pixel of it is (default: a hundredth of length_unit).")
    parallax: Annotated[Value, Quantity(low=0.0, high=100.0)] = about(
        "How fast it goes by against the world (default 1); far layers are slow."
    )
    repeat: Annotated[str | None, OneOf(("none", "x", "y", "both"))] = about(
        "Whether it is repeated along x, y or both (default none)."
    )
    tint: Colour = about("A colour that multiplies its own (default white).")
    z: Number = about("Below 0 (default -1) behind all bodies, otherwise in front of them.")


class MinimapInput(Input):
    form: ClassVar[str] = "`{corner: top_right}`"
    rect: Rectangle = about("Its area, two corners (default: all there is at the start).")
    corner: Annotated[str | None, OneOf(_CORNERS)] = about(
        "top_left, top_right (default), bottom_left or bottom_right."
    )
    size: Annotated[Value, Quantity(low=0.05, high=0.6)] = about(
        "Its width as a share of the picture's (default 0.25)."
    )
    also: Annotated[tuple[str, ...] | None, _ALSO] = about(
        "Bodies that it shows though they are not visible, by their names or tags: [wall]."
    )
