# SPDX-License-Identifier: MIT
"""Texts with units, such as ``"20 cm"`` or ``"60 rpm"``, converted to a scene's units.

A unit is a factor and a dimension: the powers of length, mass, time and angle. Products, quotients
and powers of units are units too (``kg/m^2``, ``N m``, ``m/s^2``).
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ...nearest import nearest_word
from ..model import Units
from .other_forms import as_number

Powers = tuple[int, int, int, int]  # of length, mass, time, angle

NUMBER: Powers = (0, 0, 0, 0)
LENGTH: Powers = (1, 0, 0, 0)
AREA: Powers = (2, 0, 0, 0)
MASS: Powers = (0, 1, 0, 0)
TIME: Powers = (0, 0, 1, 0)
ANGLE: Powers = (0, 0, 0, 1)
FREQUENCY: Powers = (0, 0, -1, 0)
SPEED: Powers = (1, 0, -1, 0)
ACCELERATION: Powers = (1, 0, -2, 0)
ANGULAR_SPEED: Powers = (0, 0, -1, 1)
DENSITY: Powers = (-2, 1, 0, 0)
INERTIA: Powers = (2, 1, 0, 0)
FORCE: Powers = (1, 1, -2, 0)
TORQUE: Powers = (2, 1, -2, 0)
IMPULSE: Powers = (1, 1, -1, 0)
ANGULAR_IMPULSE: Powers = (2, 1, -1, 0)
FORCE_PER_LENGTH: Powers = (0, 1, -2, 0)
TORQUE_PER_ANGLE: Powers = (2, 1, -2, -1)
FORCE_PER_SPEED: Powers = (0, 1, -1, 0)
TORQUE_PER_ANGULAR_SPEED: Powers = (2, 1, -1, -1)

# The name of each dimension in messages, and an example.
NAMES: dict[Powers, tuple[str, str]] = {
    NUMBER: ("a plain number", "2"),
    LENGTH: ("a length", '"20 cm"'),
    AREA: ("an area", '"2 m^2"'),
    MASS: ("a mass", '"2 kg"'),
    TIME: ("a time", '"16 ms"'),
    ANGLE: ("an angle", '"90 deg"'),
    FREQUENCY: ("a frequency", '"2 Hz"'),
    SPEED: ("a speed", '"3 m/s"'),
    ACCELERATION: ("an acceleration", '"9.81 m/s^2"'),
    ANGULAR_SPEED: ("an angular speed", '"60 rpm"'),
    DENSITY: ("a density (mass per area)", '"7.8 kg/m^2"'),
    INERTIA: ("a moment of inertia", '"0.3 kg m^2"'),
    FORCE: ("a force", '"20 N"'),
    TORQUE: ("a torque", '"5 N m"'),
    IMPULSE: ("an impulse", '"3 N s"'),
    ANGULAR_IMPULSE: ("an angular impulse", '"2 N m s"'),
    FORCE_PER_LENGTH: ("a stiffness", '"100 N/m"'),
    TORQUE_PER_ANGLE: ("an angular stiffness", '"100 N m/rad"'),
    FORCE_PER_SPEED: ("a damping", '"5 N s/m"'),
    TORQUE_PER_ANGULAR_SPEED: ("an angular damping", '"5 N m s/rad"'),
}

Factor = tuple[int, int, int]  # numerator, denominator and power of pi, so that factors are exact

# In metres, kilograms, seconds and radians. Pixels are not here: their size is the scene's.
UNITS: dict[str, tuple[Factor, Powers]] = {
    "m": ((1, 1, 0), LENGTH),
    "cm": ((1, 100, 0), LENGTH),
    "mm": ((1, 1000, 0), LENGTH),
    "km": ((1000, 1, 0), LENGTH),
    "s": ((1, 1, 0), TIME),
    "ms": ((1, 1000, 0), TIME),
    "us": ((1, 1_000_000, 0), TIME),
    "min": ((60, 1, 0), TIME),
    "h": ((3600, 1, 0), TIME),
    "kg": ((1, 1, 0), MASS),
    "g": ((1, 1000, 0), MASS),
    "t": ((1000, 1, 0), MASS),
    "rad": ((1, 1, 0), ANGLE),
    "deg": ((1, 180, 1), ANGLE),
    "°": ((1, 180, 1), ANGLE),
    "turn": ((2, 1, 1), ANGLE),
    "Hz": ((1, 1, 0), FREQUENCY),
    "kHz": ((1000, 1, 0), FREQUENCY),
    "rpm": ((1, 30, 1), ANGULAR_SPEED),
    "N": ((1, 1, 0), FORCE),
    "kN": ((1000, 1, 0), FORCE),
    "Nm": ((1, 1, 0), TORQUE),
}
PIXEL = "px"

_TEXT = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)(.*)", re.DOTALL)
# The 1 of "1/s" has no power: "1/10" is no unit.
_PART = re.compile(
    r"\s*([*·/]?)\s*(?:([A-Za-z°]+)\s*(?:\^?\s*(-?[0-9])|([²³]))?|1(?![\s^]*[-0-9.²³]))"
)
_ONE: Factor = (1, 1, 0)


class Measure(NamedTuple):
    """A text with a unit: the number, the unit's factor to SI, its dimension, its powers of px."""

    number: float
    factor: Factor
    powers: Powers
    pixels: int


def parse(text: str) -> Measure | None:
    """Return the measure of a text, or None if the text does not begin with a number.

    Raises ValueError with a sentence for a number without a known unit after it.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        return None
    number, unit = float(match[1]), match[2].strip()
    factor, powers, pixels = _ONE, NUMBER, 0
    position = 0
    while position < len(unit):
        part = _PART.match(unit, position)
        if part is None or len(unit) > 40:
            decimal = as_number(text)
            if decimal:
                raise ValueError(f"`{text.strip()[:40]}` is not a number{decimal}")
            raise ValueError(f"`{unit[:40]}` is not a unit; {_known()}")
        operator, name, digits, raised = part.groups("")
        name = name or "1"
        power = int(digits) if digits else {"²": 2, "³": 3}.get(raised, 1)
        sign = -power if operator == "/" else power
        one, its_powers = _lookup(name)
        factor = _times(factor, one, sign)
        powers = _combine(powers, its_powers, sign)
        pixels += sign if name == PIXEL else 0
        position = part.end()
    return Measure(number, factor, powers, pixels)


def _lookup(name: str) -> tuple[Factor, Powers]:
    if name == PIXEL:
        return _ONE, LENGTH
    if name == "1":
        return _ONE, NUMBER
    unit = UNITS.get(name)
    if unit is None:
        near = nearest_word(name, (*UNITS, PIXEL), 0.5)
        hint = f"did you mean `{near}`? " if near else ""
        raise ValueError(f"`{name}` is not a unit; {hint}{_known()}")
    return unit


def _known() -> str:
    return f"known units: {' '.join([*UNITS, PIXEL])}"


def _combine(a: Powers, b: Powers, times: int) -> Powers:
    return (
        a[0] + times * b[0],
        a[1] + times * b[1],
        a[2] + times * b[2],
        a[3] + times * b[3],
    )


def _times(a: Factor, b: Factor, times: int) -> Factor:
    top, bottom = (b[0], b[1]) if times >= 0 else (b[1], b[0])
    n = abs(times)
    return a[0] * top**n, a[1] * bottom**n, a[2] + times * b[2]


def describe(powers: Powers) -> str:
    """A dimension in words, such as ``a length``."""
    if powers in NAMES:
        return NAMES[powers][0]
    parts = [
        name if power == 1 else f"{name}^{power}"
        for name, power in zip(("length", "mass", "time", "angle"), powers, strict=True)
        if power
    ]
    return "a quantity of " + " ".join(parts)


class Converter:
    """Turns measures into a scene's units; ``pixels_per_metre`` is the size of a pixel.

    A pixel is the scene's own length unit where that is px, else a hundredth of a metre.
    """

    def __init__(self, units: Units, pixels_per_metre: float = 100.0) -> None:
        self.units = units
        top, bottom = pixels_per_metre.as_integer_ratio()
        self.pixel: Factor = (top, bottom, 0)
        lengths: dict[str, Factor] = {"m": _ONE, "cm": (100, 1, 0), "px": self.pixel}
        self.metre = lengths[units.length]
        self.second: Factor = (int(units.time_per_second), 1, 0)
        self.radian: Factor = (180, 1, -1) if units.angle == "deg" else _ONE

    def plain(self, measure: Measure) -> float:
        """The number that an author would write without a unit.

        That is degrees for angles where the scene's angles are degrees, but Hz for frequencies
        and radians within an angular stiffness or damping in every scene.
        """
        length, mass, time, angle = measure.powers
        factor = _times(measure.factor, self.pixel, -measure.pixels)
        factor = _times(factor, self.metre, length)
        if measure.powers != FREQUENCY:
            factor = _times(factor, self.second, time)
        if not length and not mass:
            factor = _times(factor, self.radian, angle)
        if not math.isfinite(measure.number):
            return measure.number
        top, bottom = measure.number.as_integer_ratio()
        try:
            value = (top * factor[0]) / (bottom * factor[1])
        except OverflowError:
            return math.inf
        for _ in range(abs(factor[2])):
            value = value * math.pi if factor[2] > 0 else value / math.pi
        return value
