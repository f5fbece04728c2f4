# SPDX-License-Identifier: MIT
"""Units of recorded quantities, for axes and tables."""

from __future__ import annotations

from ..scene.blocks.joints.types import JOINT_TYPES
from ..scene.model import Scene, Units
from .channels import Channel


def unit_of(channel: Channel, scene: Scene) -> str:
    """The unit of a channel in the units of its scene."""
    unit = channel.unit
    if " or " in unit and channel.kind == "joint":
        first, second = unit.split(" or ")
        turning = JOINT_TYPES[scene.joints[channel.owner].kind].turns
        unit = second if turning == (first == "force") else first
    return shown_unit(unit, scene.units)


def shown_unit(unit: str, units: Units) -> str:
    """A unit as axes have it: ``m/s``, ``N``, ``kg px/ms^2``."""
    length, time = units.length, units.time
    plain = (length, time) == ("m", "s")
    force = "N" if plain else f"kg {length}/{time}²"
    words = {
        "length": length,
        "time": time,
        "mass": "kg",
        "length^2": f"{length}²",
        "radian": "rad",
        "length/time": f"{length}/{time}",
        "length/time^2": f"{length}/{time}²",
        "radian/time": f"rad/{time}",
        "force": force,
        "energy": "J" if plain else f"kg {length}²/{time}²",
        "force*length": "N m" if plain else f"kg {length}²/{time}²",
        "mass*length/time": f"kg {length}/{time}",
        "mass*length^2/time": f"kg {length}²/{time}",
    }
    return words.get(unit, "")
