# SPDX-License-Identifier: MIT
"""Motors, springs and lengths of joints that a script sets, as its native program has them."""

from __future__ import annotations

from ....scene.model import Joint
from ...building.joint_rows import (
    goes_by_frequency,
    motor_range,
    spring_fields,
    spring_numbers,
)
from .writer import Writer


def put_motor(to: Writer, joint: Joint, number: int) -> None:
    """Write the motor of a joint as it begins."""
    assert joint.motor is not None
    motor, goes = joint.motor, joint.motor.speed
    to.whole(number)
    to.real((motor.position if goes is None else goes) or 0.0, motor.max_force)
    to.byte(motor.enabled)
    relative = motor.relative and goes is None
    to.byte(relative)
    to.real(*(motor_range(joint) if relative else (0.0, 0.0)))


def put_spring(to: Writer, joint: Joint, number: int) -> None:
    """Write the spring and the lengths of a joint as they begin."""
    to.whole(number, spring_fields(joint.spring)[0])
    to.byte(joint.spring is not None and goes_by_frequency(joint))
    to.real(*spring_numbers(joint, joint.spring, None))


def put_mouse(to: Writer, joint: Joint, number: int) -> None:
    """Write the target of a joint as it begins."""
    to.whole(number)
    to.real(*joint.anchor_a)
