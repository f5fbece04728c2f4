# SPDX-License-Identifier: MIT
"""Rain of ragdolls: eleven bones each, ten hinges with limits and springs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from parts import MOTOR_POSITION, SPRING_FREQUENCY, STATIC, Part, Scene, Stage

# Shape categories: the ground, the bones of five kinds of ragdolls, and feet. Ragdolls of one kind
# do not touch each other (those of one group stand half inside each other), feet only the ground.
KINDS = 5
FOOT = KINDS + 1
SPRING_HERTZ, SPRING_DAMPING = 5.0, 0.5


@dataclass(frozen=True)
class Bone:
    """A capsule from ``bottom`` to ``top`` about ``height``, hinged to a parent at ``pivot``."""

    parent: int
    height: float
    bottom: float
    top: float
    radius: float
    pivot: float = 0.0
    lower: float = 0.0
    upper: float = 0.0
    reference: float = 0.0
    damping: float = 0.0
    foot: bool = False


# Limits and the angle at rest are in units of pi.
_UPPER_LEG = Bone(0, 0.775, -0.125, 0.125, 0.06, 0.9, -0.05, 0.4)
_UPPER_ARM = Bone(1, 1.225, -0.125, 0.125, 0.035, 1.35, -0.1, 0.8)


def _lower_leg(parent: int) -> Bone:
    return Bone(parent, 0.475, -0.155, 0.125, 0.045, 0.625, -0.5, -0.02, foot=True)


def _lower_arm(parent: int) -> Bone:
    return Bone(parent, 0.975, -0.125, 0.125, 0.03, 1.1, -0.2, 0.3, reference=0.25, damping=0.1)


BONES = (
    Bone(-1, 0.95, -0.02, 0.02, 0.095),
    Bone(0, 1.2, -0.135, 0.135, 0.09, 1.0, -0.25, 0.0),
    Bone(1, 1.475, -0.038, 0.039, 0.075, 1.4, -0.3, 0.1, damping=0.1),
    _UPPER_LEG,
    _lower_leg(3),
    _UPPER_LEG,
    _lower_leg(5),
    _UPPER_ARM,
    _lower_arm(7),
    _UPPER_ARM,
    _lower_arm(9),
)

_FOOT_POINTS = [(-0.03, -0.185), (0.11, -0.185), (0.11, -0.16), (-0.03, -0.14)]


def _ragdoll(part: Part, x: float, y: float, kind: int) -> None:
    first = len(part.bodies) + 1
    for bone in BONES:
        body = part.body(x, y + bone.height, linear_damping=bone.damping)
        ends = (0.0, bone.bottom), (0.0, bone.top)
        part.capsule(body, *ends, bone.radius, friction=0.2, category=kind)
        if bone.foot:
            part.polygon(body, _FOOT_POINTS, radius=0.015, friction=0.05, category=FOOT)
        if bone.parent < 0:
            continue
        part.revolute(
            first + bone.parent,
            body,
            (0.0, bone.pivot - BONES[bone.parent].height),
            (0.0, bone.pivot - bone.height),
            reference_angle=bone.reference * math.pi,
            has_limits=1,
            lower=bone.lower * math.pi,
            upper=bone.upper * math.pi,
            motor_kind=MOTOR_POSITION,
            motor_max=math.inf,
            motor_spring_kind=SPRING_FREQUENCY,
            motor_spring_1=SPRING_HERTZ,
            motor_spring_2=SPRING_DAMPING,
        )


def _categories() -> list[list[bool]]:
    """Which of the ground, the kinds of ragdolls and feet touch which."""
    ground = [False] + [True] * (KINDS + 1)
    kinds = [[True] + [a != b for b in range(KINDS)] + [False] for a in range(KINDS)]
    return [ground, *kinds, [True] + [False] * (KINDS + 1)]


def rain(rows: int = 5, columns: int = 40, group: int = 5, tiles: int = 500) -> Scene:
    """Ragdolls fall on floors, a column of groups every eighth step; then the oldest give way."""
    part = Part()
    ground = part.body(0.0, 0.0, kind=STATIC)
    span = 0.5 * tiles
    for row in range(rows):
        for tile in range(tiles + 1):
            part.box(ground, 0.25, 0.25, (-0.5 * span + 0.5 * tile, 45.0 * row))
    standing: dict[int, list[int]] = {}

    def pour(stage: Stage, step: int) -> None:
        if step % 8:
            return
        column = step // 8 % columns
        size = group * len(BONES)
        for first in standing.get(column, ()):
            stage.remove(first, size)
        standing[column] = []
        for row in range(rows):
            crowd = Part()
            x = -0.5 * span + span / columns * (column + 0.5)
            for i in range(group):
                _ragdoll(crowd, x + 0.5 * i, 40.0 + 45.0 * row, 1 + i % KINDS)
            standing[column].append(stage.add(crowd))

    return Scene(part, categories=_categories(), before_step=pour)
