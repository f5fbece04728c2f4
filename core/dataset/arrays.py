# SPDX-License-Identifier: MIT
"""Arrays of a run in a data set: names, types, shapes, units, meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..scene.model import Units
from .recipe import SEEN

Size = int | str
"""A number, or the name of one that differs from run to run: frame, body, contact."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array. ``unit`` consists of words for the scene's own units."""

    name: str
    dtype: str
    shape: tuple[Size, ...]
    unit: str
    about: str


ALWAYS = (
    Array("step", "int64", ("frame",), "", "the step after which the frame was taken"),
    Array("time", "float64", ("frame",), "time", "`step` times dt"),
)
_BODY = ("frame", "body")
_PLACE_AND_TURN = "length/time, length/time, rad/time"
STATE = (
    Array("pose", "float64", (*_BODY, 3), "length, length, rad", "x, y of the origin, and angle"),
    Array("velocity", "float64", (*_BODY, 3), _PLACE_AND_TURN, "of the centre of mass, and omega"),
    Array("center", "float64", (*_BODY, 2), "length", "the centre of mass"),
    Array("box", "float64", (*_BODY, 4), "length", "least x, y, greatest x, y of the shapes"),
    Array("alive", "bool", _BODY, "", "whether the body is there"),
    Array("awake", "bool", _BODY, "", "whether it is not asleep"),
    Array("energy", "float64", ("frame", 2), "mass*length^2/time^2", "kinetic, and potential"),
    Array("mass", "float64", ("body",), "mass", "nan where it is not known"),
    Array("inertia", "float64", ("body",), "mass*length^2", "about the centre of mass"),
    Array("friction", "float64", ("body",), "", "of the first shape"),
    Array("restitution", "float64", ("body",), "", "of the first shape"),
)
_VIEW = "px/length, px, px/length, px"
PICTURES = (
    Array("view", "float64", ("frame", 4), _VIEW, "of `x * view[0] + view[1]`, and likewise y"),
    Array("picture_box", "float64", (*_BODY, 4), "px", "`box`: left, top, right, bottom"),
    Array("depth", "int32", ("body",), "", "places from the back of pictures to their front"),
)
MASKS = (
    Array("mask_box", "int32", (*_BODY, 4), "px", "left, top, and the first that are beyond"),
    Array("mask_area", "int64", _BODY, "px^2", "how many pixels show the body"),
)
_PIXELS = ("frame", "height", "width")
_AFTER = "how far what a pixel shows moves until the next frame, right and down; nan if unknown"
MAPS = {
    "amodal": Array(
        "amodal", "bool", (*_BODY, "height", "width"), "", "the pixels of a body, hidden ones too"
    ),
    "velocities": Array(
        "velocity_map", "float32", (*_PIXELS, 2), "length/time", "of the point that a pixel shows"
    ),
    "flow": Array("flow", "float32", (*_PIXELS, 2), "px", _AFTER),
}
_FORCE = "mass*length/time^2"
_IMPULSE = "mass*length/time"
CONTACTS = (
    Array("contact_frame", "int32", ("contact",), "", "the number of the frame, from 0"),
    Array("contact_body", "int32", ("contact", 2), "", "who touch: places in `bodies`"),
    Array("contact_point", "float64", ("contact", 2), "length", "where"),
    Array("contact_normal", "float64", ("contact", 2), "", "from the first to the second body"),
    Array("contact_force", "float64", ("contact", 2), _FORCE, "along the normal, and across it"),
    Array("contact_impulse", "float64", ("contact", 2), _IMPULSE, "the force times dt"),
)


def arrays_of(what: Sequence[str]) -> tuple[Array, ...]:
    """Return the arrays of data sets that contain ``what``, in their order."""
    found: tuple[Array, ...] = ALWAYS
    if "state" in what:
        found += STATE
    if "contacts" in what:
        found += CONTACTS
    if any(word in SEEN for word in what):
        found += PICTURES
    if "masks" in what:
        found += MASKS
    return found + tuple([array for word, array in MAPS.items() if word in what])


def unit_of(array: Array, units: Units) -> str:
    """The unit of an array in a scene's own units."""
    text = array.unit.replace("length", units.length).replace("time", units.time)
    return text.replace("mass", "kg")


def described(what: Sequence[str], units: Units) -> dict[str, Any]:
    """The entry of the arrays in ``dataset.json``."""
    return {
        each.name: {
            "type": each.dtype,
            "shape": list(each.shape),
            "unit": unit_of(each, units),
            "about": each.about,
        }
        for each in arrays_of(what)
    }
