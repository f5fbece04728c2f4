# SPDX-License-Identifier: MIT
"""Actuators, as a script's native program has them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....scene.blocks.actuators.force_fields import NAMES, PLACE_NAMES, compile_field
from ....scene.model import Actuator, Scene
from ....scene.values.expression import Expression
from ...building.actuator_rows import force_rows, is_joint
from ...building.rows import row_bytes
from .tags import mask_of
from .writer import Writer, put_formula, step_of

FIELD_COLUMNS = {name: place for place, name in enumerate(NAMES)}
"""As ``FieldInput`` of ``native/script/program.h``."""
QUANTITIES = ("speed", "max_torque", "friction", "max_force", "torque", "force_x", "force_y")
"""The numbers of an actuator."""
_PLACE_COLUMNS = {name: place for place, name in enumerate(PLACE_NAMES)}
_ONE = "one"


def actuator_numbers(actuator: Actuator) -> list[float]:
    """The numbers of an actuator, NaN where it has none, as ``Quantity`` of
    ``native/script/program.h``."""
    given = (*(getattr(actuator, name) for name in QUANTITIES[:-2]), *actuator.force)
    return [math.nan if number is None else float(number) for number in given]


def put_actuator(
    to: Writer,
    scene: Scene,
    actuator: Actuator,
    tags: Mapping[str, int],
    parts: Sequence[tuple[int, int]] = (),
) -> None:
    """Write an actuator. ``tags`` are the bits of tags; ``parts`` are the slots of its forces or
    joints, each with its body's."""
    dt, by_joint = scene.world.dt, is_joint(actuator)
    to.byte(by_joint)
    to.byte(actuator.kind == "rotary_motor")
    to.long(step_of(actuator.start, dt), step_of(actuator.until, dt))
    to.real(*actuator_numbers(actuator))
    to.byte(actuator.enabled)
    to.each(parts, lambda part: to.whole(*part))
    field = compile_field(actuator.expressions) if actuator.expressions else ()
    to.each(field, lambda along: put_formula(to, along, FIELD_COLUMNS, {}))
    energy = [Expression(actuator.potential)] if actuator.potential else []
    to.each(energy, lambda each: put_formula(to, each, _PLACE_COLUMNS, {}))
    to.tags(mask_of(tags, actuator.tags))
    to.byte(not by_joint and actuator.kind != "thruster")
    to.byte(actuator.kind == "impulse")
    joints, forces = force_rows([replace(actuator, bodies=(_ONE,))], {_ONE: 0})
    to.raw(row_bytes(joints if by_joint else forces))


def actuator_bytes(scene: Scene, actuator: Actuator, tags: Mapping[str, int]) -> bytes:
    """An actuator without its bodies, as bytes."""
    to = Writer()
    put_actuator(to, scene, actuator, tags)
    return to.bytes()


def joins(scene: Scene, tags: Mapping[str, int]) -> bool:
    """Whether actuators act on bodies with tags, or what is born has any."""
    own = any(not tags.keys().isdisjoint(each.tags) for each in scene.actuators.values())
    return own or any(each.actuators for each in scene.prototypes.values())
