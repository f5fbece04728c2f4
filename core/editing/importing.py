# SPDX-License-Identifier: MIT
"""Files of other programs that are dropped on the page, as prototypes of the scene.

Their lengths may be in other units, and their y may point down: the instance is scaled and mirrored
then. What their `defaults` say becomes a part of their bodies.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ..errors import UsageError
from ..importers import import_data
from ..scene.values.portable_math import degrees, radians
from ..view.boxes import BodyBoxes, is_somewhere, merged
from ..world import World
from .outline import outline

KEPT = (
    *("vars", "bodies", "joints", "actuators", "instances", "animations"),
    *("controls", "events", "spawners", "particles"),
)
"""The blocks that a prototype may have."""
ASIDE = ("rigid", "name", "description", "tags", "units", "world", "camera", "render", "expect")
"""Blocks that are the scene's own; nothing is said of these."""
SLIDING = ("distance", "prismatic", "wheel", "axial_motor", "pulley", "rack")
"""Joints whose limits and positions are lengths."""
LENGTHS = {"m": 1.0, "cm": 0.01, "px": 0.01}
"""Metres."""
TOLD = 6
"""Greatest number of reported losses."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A file of another program.

    Attributes:
        name: a name for it, of the file's name.
        text: a scene of its own.
        prototype: its bodies and what belongs to them.
        materials: the materials that these name.
        middle: the middle of its bodies, in its own lengths.
        units: its units of length, time and angle, and where its y points.
        losses: what is otherwise than there.
    """

    name: str
    text: str
    prototype: dict[str, Any]
    materials: dict[str, Any]
    middle: tuple[float, float]
    units: dict[str, str]
    losses: list[str]

    def instance(self, units: Mapping[str, str]) -> dict[str, Any]:
        """The fields of an instance in a scene with other units.

        Raises UsageError for other units of time: speeds and forces depend on these.
        """
        if self.units["time"] != units["time"]:
            raise UsageError(
                f"its times are in {self.units['time']}, those of this scene in {units['time']}: "
                "drop it on a new scene, or make it one with `rigid import`"
            )
        if self.units["angle"] != units["angle"]:
            _say_angles(self.prototype, degrees if units["angle"] == "deg" else radians)
        scale = LENGTHS[self.units["length"]] / LENGTHS[units["length"]]
        if scale != 1.0:
            self._keep_masses(scale * scale)
        fields: dict[str, Any] = {} if scale == 1.0 else {"scale": round(scale, 6)}
        if self.units["y"] != units["y"]:
            fields["mirror"] = "y"
        if any(self.middle):
            fields["pivot"] = [*self.middle]
        return fields

    def _keep_masses(self, area: float) -> None:
        """Say densities for lengths of which a square has another area."""
        bodies = (self.prototype.get("bodies") or {}).values()
        for each in [*bodies, *self.materials.values()]:
            density = each.get("density")
            if type(density) in (int, float):
                each["density"] = float(f"{density / area:.6g}")


def imported(file: str, data: str) -> Dropped:
    """A file, its bytes in base64, as a prototype. Raises UsageError for one that is none."""
    try:
        content = b64decode(data, validate=True)
    except (Error, ValueError):
        raise UsageError("a file that is dropped is sent as base64") from None
    name = PurePath(file.replace("\\", "/")).name or "dropped"
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            f"{name}: this is no file of another program that can be read; "
            "these are texts: SVG, Tiled, R.U.B.E., Box2D's JSON, XmanPhysics"
        ) from None
    if not text.strip():
        raise UsageError(f"{name}: the file is empty")
    made = import_data(text, "auto", file=name)
    tree, _ = outline(made.text)
    units = units_of(tree)
    _spread_defaults(tree)
    losses = [str(loss) for loss in made.losses[:TOLD]]
    if len(made.losses) > TOLD:
        losses.append(f"and {len(made.losses) - TOLD} more")
    kept = {key: tree[key] for key in KEPT if key in tree}
    left = [key for key in tree if key not in (*KEPT, *ASIDE, "materials", "defaults")]
    if left:
        losses.append(f"left out: {', '.join(left)}")
    word = re.sub(r"\W+", "_", PurePath(name).stem).strip("_").lower() or "part"
    word = word if not word[0].isdigit() else f"part_{word}"
    box = merged(BodyBoxes(scene := made.scene()).of(World(scene).frame(False)))
    middle = (0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3])) if is_somewhere(box) else (0.0, 0.0)
    digits = 2 if units["length"] == "m" else 0
    middle = (round(middle[0], digits), round(middle[1], digits))
    return Dropped(word, made.text, kept, tree.get("materials") or {}, middle, units, losses)


def units_of(tree: Mapping[str, Any]) -> dict[str, str]:
    """The units of a scene's tree, all of them said."""
    usual = {"length": "m", "time": "s", "angle": "deg", "y": "up"}
    said = tree.get("units")
    if said == "screen":
        return usual | {"length": "px", "time": "ms", "y": "down"}
    return usual | {key: str(said[key]) for key in usual if isinstance(said, dict) and key in said}


def _say_angles(prototype: Mapping[str, Any], other: Callable[[float], float]) -> None:
    """Say the angles and angular velocities of bodies, joints and motors in another unit."""

    def say(fields: Any, *names: str) -> None:
        for name in names:
            value = fields.get(name) if isinstance(fields, dict) else None
            if isinstance(value, (int, float)):
                fields[name] = float(f"{other(value):.9g}")
            elif isinstance(value, list):
                fields[name] = [float(f"{other(each):.9g}") for each in value]

    for body in (prototype.get("bodies") or {}).values():
        say(body, "angle", "angular_velocity")
        for each in [body.get("texture"), body.get("shape"), *body.get("shapes", ())]:
            say(each, "angle")
    for joint in (prototype.get("joints") or {}).values():
        if joint.get("type") not in SLIDING:
            say(joint, "limits", "pitch")
            say(joint.get("motor"), "speed", "position", "max_speed")
        elif joint.get("type") == "wheel":
            say(joint.get("motor"), "speed", "max_speed")
    for actuator in (prototype.get("actuators") or {}).values():
        if actuator.get("type") == "rotary_motor":
            say(actuator, "speed")


def _spread_defaults(tree: dict[str, Any]) -> None:
    """Give bodies what the defaults say: a prototype has none of its own."""
    defaults = tree.get("defaults") or {}
    material = defaults.get("material") or {}
    bodies = tree.get("bodies") or {}
    for name, body in bodies.items():
        usual = {} if "material" in body else material
        bodies[name] = body | {
            key: value
            for key, value in {**usual, **(defaults.get("body") or {})}.items()
            if key not in body and not (key == "density" and "mass" in body)
        }
