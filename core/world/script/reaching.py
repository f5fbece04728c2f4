# SPDX-License-Identifier: MIT
"""Inverse kinematics: angles of a chain of hinges for which a point comes to a place.

By damped least squares (Nakamura and Hanafusa, J. Dyn. Syst. Meas. Control 108, 1986): with the
error e of the tip and its rates J by the angles, they change by J^T (J J^T + d I)^-1 e. The damping
d grows with the square of the error (Sugihara, IEEE Trans. Robotics 27, 2011), so that a place out
of reach is approached as far as possible, without trembling where the chain is straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ...scene.model import Point
from ...scene.values.portable_math import cos, hypot, sin, total
from ..naming.named_parts import NamedParts

TURNS = 200
"""Corrections, at most; a place within reach takes about ten."""
DAMPING = 1e-4
"""The least one, of the square of the length of the chain."""
CLOSE = 1e-6
"""An error below this part of the length of the chain is none."""
BEND = 0.3
"""The change of angles by which a straight chain begins to fold."""
LARGEST = 0.5
"""The largest change of an angle in one correction."""


@dataclass(slots=True)
class Hinge:
    """One hinge of a chain.

    Attributes:
        at: its place.
        sense: 1 where its angle grows as what it moves turns from +x towards +y, else -1.
        angle: its angle, which stays within its limits.
    """

    at: Point
    sense: float
    angle: float
    lower: float
    upper: float


def reach(hinges: Sequence[Hinge], tip: Point, target: Point) -> None:
    """Set the angles, from the base to the tip, for which the tip is nearest to a place."""
    ends = [*(each.at for each in hinges[1:]), tip]
    parts = zip(hinges, ends, strict=True)
    length = total(hypot(end[0] - each.at[0], end[1] - each.at[1]) for each, end in parts)
    if not length > 0.0:
        return
    bent = False  # a straight chain has no rates along itself
    for _ in range(TURNS):
        error = target[0] - tip[0], target[1] - tip[1]
        size = hypot(*error)
        if size <= CLOSE * length:
            return
        if size > length:  # of a far place no more than its direction counts
            error = error[0] * length / size, error[1] * length / size
        near = min(size, length)
        damping = 0.5 * near * near + DAMPING * length * length
        rates = [_rate(each, tip) for each in hinges]
        changes = _changes(hinges, rates, error, damping)
        if all(abs(change) < CLOSE for change in changes):
            base = hinges[0].at
            if bent or error[0] * (tip[0] - base[0]) + error[1] * (tip[1] - base[1]) >= 0.0:
                return
            bent, changes = True, [0.0, *map(_bend, hinges[1:])]
        tip = _turn(hinges, changes, tip)


def _bend(hinge: Hinge) -> float:
    """A change of the angle of a hinge away from its nearer limit."""
    return -BEND if hinge.upper - hinge.angle < hinge.angle - hinge.lower else BEND


def _rate(hinge: Hinge, tip: Point) -> Point:
    """The derivative of the tip's position by the angle of a hinge."""
    x, y = tip[0] - hinge.at[0], tip[1] - hinge.at[1]
    return -hinge.sense * y, hinge.sense * x


def _changes(
    hinges: Sequence[Hinge], rates: list[Point], error: Point, damping: float
) -> list[float]:
    """The changes of the angles; a hinge that would be turned beyond its limit takes no part."""
    free = list(range(len(hinges)))
    while True:
        xx = damping + total(rates[i][0] * rates[i][0] for i in free)
        yy = damping + total(rates[i][1] * rates[i][1] for i in free)
        xy = total(rates[i][0] * rates[i][1] for i in free)
        area = xx * yy - xy * xy
        fx = (yy * error[0] - xy * error[1]) / area
        fy = (xx * error[1] - xy * error[0]) / area
        changes = [0.0] * len(hinges)
        blocked = []
        for i in free:
            change = rates[i][0] * fx + rates[i][1] * fy
            changes[i] = min(max(change, -LARGEST), LARGEST)
            hinge = hinges[i]
            beyond = hinge.upper if change > 0.0 else hinge.lower
            if hinge.angle == beyond and change != 0.0:
                blocked.append(i)
        if not blocked:
            return changes
        free = [i for i in free if i not in blocked]


def _turn(hinges: Sequence[Hinge], changes: Sequence[float], tip: Point) -> Point:
    """Turn the hinges, and all that they carry; the tip then."""
    for i, hinge in enumerate(hinges):
        angle = min(max(hinge.angle + changes[i], hinge.lower), hinge.upper)
        turned, hinge.angle = hinge.sense * (angle - hinge.angle), angle
        c, s = cos(turned), sin(turned)
        for other in hinges[i + 1 :]:
            other.at = _about(hinge.at, other.at, c, s)
        tip = _about(hinge.at, tip, c, s)
    return tip


def _about(center: Point, point: Point, c: float, s: float) -> Point:
    x, y = point[0] - center[0], point[1] - center[1]
    return center[0] + (c * x - s * y), center[1] + (s * x + c * y)


# ------------------------------------------------------------ in a world


def hinges_of(world: NamedParts, names: Sequence[str], ends: Sequence[bool]) -> list[Hinge]:
    """The hinges of a chain as they are now; ``ends`` says which body is nearer to the tip."""
    hinges = []
    for name, is_b in zip(names, ends, strict=True):
        joint = world.joint(name)
        found = joint.definition
        body, anchor = found.body_a, found.anchor_a
        if is_b:
            body, anchor = found.body_b, found.anchor_b
        lower, upper = found.limits or (-inf, inf)
        angle = min(max(joint.angle, lower), upper)
        at = world[body].world_point(anchor)
        hinges.append(Hinge(at, 1.0 if is_b else -1.0, angle, lower, upper))
    return hinges


def goal_of(world: NamedParts, name: str, hinge: Hinge) -> float:
    """The position for the motor of a hinge, as it is set."""
    motor = world.joint(name).definition.motor
    if motor is None or not motor.relative or not hinge.upper > hinge.lower:
        return hinge.angle
    return (hinge.angle - hinge.lower) / (hinge.upper - hinge.lower)


def pulled_to(world: NamedParts) -> Point | None:
    """The target of the last drag; None without a drag."""
    step = world.step_count - 1  # that which ended
    assert world.script is not None
    pulls = [grab for grab in world.script.player.grabs if grab.acts(step)]
    return pulls[-1].target(step) if pulls else None
