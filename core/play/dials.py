# SPDX-License-Identifier: MIT
"""Numbers of joints that sliders move while a scene runs, without a var for each: what motors go to
and how strong they are, springs, and lengths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, inf, isfinite, pi

from ..errors import UsageError, unknown_name
from ..record.channel_units import shown_unit
from ..render.marks.scales import mass_of
from ..scene.blocks.joints.types import JOINT_TYPES
from ..scene.blocks.settings.joint_settings import joint_settings
from ..scene.model import Joint, Scene
from ..scene.values import units
from ..scene.values.portable_math import hypot
from ..scene.values.quantity import Quantity
from ..world import World
from ..world.naming.settings import current
from .source import DIGITS

MOST = 200
"""Sliders of a page."""
ROOM = 4.0
"""A number that is never negative has a slider up to so many times its first value."""
LEAST = 0.01
"""Down to such a part of it where it is never 0."""
TURNS = 2.0 * pi
"""Radians in a second that the slider of a speed reaches at least."""
SLIDES = 2.0
"""Lengths of a metre in a second that it reaches at least."""
STRENGTHS = ("motor.max_force", "motor.max_torque")
FALL = 10.0
"""Lengths of a metre by second squared, where nothing has a weight."""
REACH = 5.0
"""Lengths of a metre to either side for a place without limits."""


@dataclass(frozen=True, slots=True)
class Dial:
    """A number of a joint, and where its slider ends, as settings have it.

    Attributes:
        path: what is set, such as ``hinge.motor.speed``.
        second: how long a second is in scene time.
        unit: what people are shown it in, such as degrees.
        animation: the animation that sets it, so that no slider can; empty for none.
        endless: whether its last place, beyond ``high``, is no limit.
    """

    path: str
    joint: str
    name: str
    low: float
    high: float
    unit: str
    animation: str
    second: float
    endless: bool = False

    def shown(self, value: float) -> float:
        """A value in its unit."""
        if self.unit.startswith("°"):
            return value * 180.0 / pi
        return value * self.second if self.unit == "Hz" else value

    def written(self, value: float) -> float:
        """A value in its unit, with as many digits as sliders have."""
        return float(f"{self.shown(value):.{DIGITS}g}")

    def allowed(self, shown: float) -> float:
        """The value that the slider has where it is moved to another one, which is in its unit."""
        low, high = self.shown(self.low), self.shown(self.high)
        if self.endless and shown > high:
            return inf
        value = float(f"{min(max(shown, low), high):.{DIGITS}g}")
        if self.unit.startswith("°"):
            value = value * pi / 180.0  # as files are read
        elif self.unit == "Hz":
            value /= self.second
        return min(max(value, self.low), self.high)


def dials(scene: Scene) -> dict[str, Dial]:
    """The sliders of a scene's joints, by paths."""
    animated = {
        track.path: name for name, each in scene.animations.items() for track in each.tracks
    }
    found: dict[str, Dial] = {}
    for joint in scene.joints.values():
        for name, kind in joint_settings(joint).items():
            if not isinstance(kind, Quantity):
                continue
            ends = _ends(joint, name, kind, scene)
            if ends is not None and len(found) < MOST:
                path = f"{joint.name}.{name}"
                found[path] = Dial(
                    path,
                    joint.name,
                    name,
                    *ends,
                    _unit(kind, scene),
                    animated.get(path, ""),
                    scene.units.time_per_second,
                    first_value(joint, name) == inf,
                )
    return found


def find_dial(known: dict[str, Dial], path: str) -> Dial:
    """The slider of a path. Raises UsageError where there is none, or an animation moves it."""
    if path not in known:
        raise unknown_name("number of a joint with a slider", path, known)
    if known[path].animation:
        raise UsageError(f"the animation {known[path].animation!r} sets {path}")
    return known[path]


def dial_values(world: World, known: Iterable[Dial]) -> dict[str, float]:
    """The present values of the sliders of existing joints."""
    values: dict[str, float] = {}
    for dial in known:
        try:
            if not world.joint(dial.joint).broken:
                values[dial.path] = float(current(world, dial.joint, dial.name))
        except UsageError:
            continue  # it is gone, or its number cannot be read
    return values


def first_value(joint: Joint, name: str) -> float | None:
    """The number that a joint has at the start; None where the scene leaves it open."""
    part, _, field = f".{name}".rpartition(".")
    owner = joint if part in ("", ".") else getattr(joint, part.removeprefix("."))
    value = getattr(owner, field.replace("max_torque", "max_force"), None)
    return None if value is None else float(value)


def _ends(joint: Joint, name: str, kind: Quantity, scene: Scene) -> tuple[float, float] | None:
    """The end of a slider; None for a number that is open or endless."""
    value = first_value(joint, name)
    if value == inf and name in STRENGTHS:
        return 0.0, _usual_strength(joint, scene)
    if value is None or not isfinite(value):
        return None
    if kind.low is not None and kind.high is not None:
        return kind.low, kind.high
    metre, second = scene.world.length_unit, scene.units.time_per_second
    turns = JOINT_TYPES[joint.kind].turns
    if name == "motor.speed":
        most = max(2.0 * abs(value), TURNS / second if turns else SLIDES * metre / second)
        return -most, most
    if name == "motor.position" and kind.low is None:
        low, high = joint.limits or (-inf, inf)
        around = pi if turns else REACH * metre
        low = low if isfinite(low) else min(-around, value)
        return low, high if isfinite(high) else max(around, value)
    if name == "max_length":
        return joint.min_length or 0.0, ROOM * value
    if units.LENGTH in kind.dimensions:
        most = joint.max_length if joint.max_length is not None else inf
        return joint.min_length or 0.0, most if isfinite(most) else 2.0 * max(value, joint.length)
    most = max(ROOM * value, 1.0 if name == "spring.damping_ratio" else 0.0)
    low = 0.0 if kind.above is None else LEAST * value
    return (low, most) if most > 0.0 else None


def _usual_strength(joint: Joint, scene: Scene) -> float:
    """A force or torque that moves the bodies of a joint well, of which the first digit is 1, 2 or
    5: a few times their weights, for a torque at their farthest points."""
    metre, second = scene.world.length_unit, scene.units.time_per_second
    ends = ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b))
    moved = [(scene.bodies[name], at) for name, at in ends if name in scene.bodies]
    moved = [(body, at) for body, at in moved if body.kind == "dynamic"]
    pull = hypot(*scene.world.gravity) or FALL * metre / second / second
    strength = ROOM * pull * fsum(mass_of(body) for body, _ in moved)
    if JOINT_TYPES[joint.kind].turns:
        away = [
            hypot(x - at[0], y - at[1]) + shape.radius
            for body, at in moved
            for shape in body.shapes
            for x, y in shape.points
        ]
        strength *= max(away, default=metre)
    if not 1e-12 < strength < 1e12:
        return 1.0
    exponent = f"{strength:e}".partition("e")[2]
    digit = float(f"1e{exponent}")
    return next((each * digit for each in (1.0, 2.0, 5.0) if each * digit >= strength), 10 * digit)


def _unit(kind: Quantity, scene: Scene) -> str:
    """The unit in which a number is displayed."""
    length, time = scene.units.length, scene.units.time
    turn = "°" if scene.units.angle == "deg" else "rad"
    first = kind.dimensions[0] if kind.dimensions else units.NUMBER
    return {
        units.ANGLE: turn,
        units.ANGULAR_SPEED: f"{turn}/{time}",
        units.SPEED: f"{length}/{time}",
        units.LENGTH: length,
        units.FORCE: shown_unit("force", scene.units),
        units.TORQUE: shown_unit("force*length", scene.units),
        units.FREQUENCY: "Hz",
    }.get(first, "")
