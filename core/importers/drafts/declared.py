# SPDX-License-Identifier: MIT
"""Fields of bodies declared in drawings: Tiled's properties, SVG's `data-`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import SceneError
from .draft import Entry

NUMBERS = (
    "density",
    "friction",
    "restitution",
    "rolling_resistance",
    "tangent_speed",
    "mass",
    "inertia",
    "linear_damping",
    "angular_damping",
    "gravity_scale",
    "angular_velocity",
    "velocity_x",
    "velocity_y",
    "z",
)
TRUTHS = ("fixed_rotation", "bullet", "collide", "sleep", "awake")
WORDS = ("category", "color")
WAYS = ("up", "down", "left", "right")
TYPES = ("static", "kinematic", "dynamic")
TYPE_NAMES = ("body", "body_type", "type", "class")
FIELDS = frozenset((*NUMBERS, *TRUTHS, *WORDS, *TYPE_NAMES, "sensor", "one_way", "tags"))
"""All names that mean something."""
_TRUE_WORDS = {"true": True, "1": True, "false": False, "0": False}

Fail = Callable[[str, str], SceneError]


def declare(
    entry: Entry, shape: Entry, given: Mapping[str, Any], fail: Fail, usual: str = "static"
) -> list[str]:
    """Put properties of a body into its entry; return the names that are not fields.

    ``fail`` returns the error for the value of a name. Values may be texts.
    """
    kind, strange = usual, []
    for name, value in given.items():
        if name in TYPE_NAMES:
            if value in TYPES:
                kind = str(value)
            elif name in TYPE_NAMES[:2]:
                raise fail(name, f"must be {', '.join(TYPES)}, not {value!r}")
        elif name in NUMBERS:
            entry[name] = _number(name, value, fail)
        elif name in TRUTHS:
            entry[name] = _truth(name, value, fail)
        elif name == "sensor":
            shape[name] = _truth(name, value, fail)
        elif name == "one_way":
            if value not in WAYS:
                raise fail(name, f"must be {', '.join(WAYS)}, not {str(value)[:60]!r}")
            shape[name] = value
        elif name in WORDS:
            entry[name] = str(value)
        elif name == "tags":
            entry[name] = [word for word in re.split(r"[\s,]+", str(value)) if word]
        else:
            strange.append(name)
    velocity = [entry.pop(f"velocity_{axis}", 0.0) for axis in "xy"]
    if any(velocity):
        entry["velocity"] = velocity
    if kind != "dynamic":
        rest = dict(entry)
        entry.clear()
        entry.update(type=kind, **rest)
    return strange


def _number(name: str, value: Any, fail: Fail) -> float:
    try:
        if isinstance(value, bool):
            raise ValueError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise fail(name, f"must be a number, not {str(value)[:60]!r}") from None


def _truth(name: str, value: Any, fail: Fail) -> bool:
    found = _TRUE_WORDS.get(str(value).lower())
    if found is None:
        raise fail(name, f"must be true or false, not {str(value)[:60]!r}")
    return found
