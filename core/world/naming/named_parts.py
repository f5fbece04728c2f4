# SPDX-License-Identifier: MIT
"""A running world whose objects are reached by their names."""

from __future__ import annotations

from typing import Protocol

from .actuator_handle import ActuatorHandle
from .handles import BodyHandle, JointHandle
from .parts import WorldParts


class NamedParts(WorldParts, Protocol):
    """The parts of a world, with the handles of its bodies, joints and actuators."""

    def __getitem__(self, name: str) -> BodyHandle:
        """The handle of a body."""

    def joint(self, name: str) -> JointHandle:
        """The handle of a joint."""

    def actuator(self, name: str) -> ActuatorHandle:
        """The handle of an actuator."""
