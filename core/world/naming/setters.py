# SPDX-License-Identifier: MIT
"""Applies settings of a script by paths, whose owners may be removed by then."""

from __future__ import annotations

from dataclasses import dataclass

from ...scene.script import Value
from ...scene.values.portable_math import cos, sin
from .named_parts import NamedParts
from .settings import add_to_setting, apply_setting, split_path

FLAGS = ("awake", "collide", "enabled", "visible")
"""Settings that are true or false."""


@dataclass(slots=True)
class Setter:
    """A setter of one value of a world.

    Attributes:
        moved: whether the last value moved a body, which has yet to be stopped.
    """

    world: NamedParts
    path: str
    owner: str
    name: str
    moved: bool = False

    def set(self, value: Value) -> None:
        """Set the value, if its owner exists."""
        if is_there(self.world, self.owner):
            apply_setting(self.world, self.path, self._given(value))

    def add(self, value: Value) -> None:
        """Add to the value, if its owner exists."""
        if is_there(self.world, self.owner):
            add_to_setting(self.world, self.path, self._given(value))

    def _given(self, value: Value) -> Value:
        """The value, as a number where a condition gives one of a number: 1 or 0."""
        if isinstance(value, bool) and self.name.rpartition(".")[2] not in FLAGS:
            return float(value)
        return value

    def approach(self, value: Value, dt: float) -> None:
        """Reach the value at the end of the next step, for kinematic bodies by their velocity."""
        self.moved = False
        if not self.moves_body:
            self.set(value)
        elif is_there(self.world, self.owner):
            self.moved = self._send(value, dt)

    @property
    def moves_body(self) -> bool:
        """Whether the value is a body's position or angle."""
        return self.name in ("position", "angle") and self.owner in self.world.roster.bodies

    def is_done(self) -> bool:
        """Whether the value stays without being set again."""
        return not self.moved

    def _send(self, value: Value, dt: float) -> bool:
        """Set the velocity that moves a body to the value; return whether it moves."""
        body = self.world[self.owner]
        if body.type != "kinematic":  # which it was made while the scene runs
            return False
        if self.name == "angle":
            assert isinstance(value, float)
            omega = (value - body.angle) / dt
            if omega == 0.0 and body.angular_velocity == 0.0:
                return False
            body.angular_velocity = omega
            return True
        assert isinstance(value, tuple)
        x, y = value
        velocity = ((x - body.x) / dt, (y - body.y) / dt)
        velocity = _of_center(self.world, self.owner, velocity, dt)
        if velocity == (0.0, 0.0) == body.velocity:
            return False
        body.velocity = velocity
        return True


def _of_center(
    world: NamedParts, name: str, velocity: tuple[float, float], dt: float
) -> tuple[float, float]:
    """The velocity of the centre of mass that takes the origin along in a step."""
    body = world[name]
    slot = body.index
    cx, cy = world.native.center_of_mass(slot)
    omega = body.angular_velocity
    if (cx == 0.0 and cy == 0.0) or omega == 0.0:
        return velocity
    now, then = body.angle, body.angle + omega * dt
    dx = (cos(then) - cos(now)) * cx - (sin(then) - sin(now)) * cy
    dy = (sin(then) - sin(now)) * cx + (cos(then) - cos(now)) * cy
    return velocity[0] + dx / dt, velocity[1] + dy / dt


def find_setter(world: NamedParts, path: str) -> Setter:
    """The setter of a path of a world."""
    owner, name = split_path(world, path)
    return Setter(world, path, owner, name)


def is_there(world: NamedParts, owner: str) -> bool:
    """Whether a body or an actuator exists, or a joint is not broken."""
    roster, native = world.roster, world.native
    if owner in roster.bodies:
        return native.has_body(roster.ids[owner])
    if owner in roster.joints:
        return not world.joint(owner).broken
    if owner in world.actuators.definitions:
        return not world.actuators.is_gone(owner)
    return owner not in roster.used  # it was spawned and removed
