# SPDX-License-Identifier: MIT
"""The handle of an actuator of a running world, by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...arguments import checked, limit, number, shown, text, vector
from ...errors import UsageError, unknown_name
from .actuators import SETTINGS
from .attributes import ActuatorAttributes
from .parts import WorldParts
from .registry import gone

if TYPE_CHECKING:
    from ...scene import model


@dataclass(slots=True)
class ActuatorHandle(ActuatorAttributes):
    """One actuator of a world. Values are in scene units, angles in radians."""

    world: WorldParts
    name: str

    @property
    def definition(self) -> model.Actuator:
        """The actuator in the scene."""
        definition = self.world.actuators.definitions.get(self.name)
        if definition is None:
            raise gone("actuator", self.name)
        return definition

    @property
    def now(self) -> model.Actuator:
        """The actuator with all that was set since the start."""
        _ = self.definition
        return self.world.actuators.get(self.name)

    @property
    def enabled(self) -> bool:
        """Whether it acts while its time has come. May be set."""
        return self.now.enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self.set("enabled", value)

    @checked()
    def remove(self) -> None:
        """Take the actuator out of the world."""
        self.world.remove(self.name)

    @checked(setting=text)
    def set(self, setting: str, value: object) -> None:
        """Set a value of the actuator from the next step on, such as ``force`` or ``enabled``.

        Raises UsageError for values that its type does not have.
        """
        known = SETTINGS[self.definition.kind]
        if self.world.actuators.is_gone(self.name):
            raise gone("actuator", self.name)
        if setting not in known:
            raise unknown_name(f"setting of the actuator {self.name}", setting, known)
        new: object
        if setting == "enabled":
            if not isinstance(value, bool):
                raise UsageError(f"enabled is True or False, got {shown(value)}")
            new = value
        elif setting in ("force", "impulse"):
            new = vector(value, setting)
        else:
            read = limit if setting.startswith("max_") else number
            new = read(value, setting)
            if setting not in ("speed", "torque", "angular_impulse") and new < 0.0:
                raise UsageError(f"{setting} must not be negative, got {shown(value)}")
        self.world.actuators.set(self.name, setting, new, self.world.step_count)
