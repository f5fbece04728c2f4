"""Changing a running world by paths, such as ``jet.enabled`` or ``hinge.motor.speed``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..arguments import shown
from ..errors import UsageError, unknown_name

if TYPE_CHECKING:
    from .world import World

BODY_SETTINGS = ("position", "angle", "velocity", "angular_velocity", "awake")
MOTOR_SETTINGS = ("speed", "position", "max_force", "max_torque", "enabled")
JOINT_SETTINGS = (*(f"motor.{name}" for name in MOTOR_SETTINGS), "limits", "target")


def apply_setting(world: World, path: str, value: Any) -> None:
    """Set one thing of a body, joint or actuator. Raises UsageError for what cannot be set."""
    owner, setting = _split(world, path)
    if owner in world.actuators.definitions:
        world.actuator(owner).set(setting, value)
    elif owner in world.roster.joints:
        _set_joint(world, owner, setting, value)
    elif setting in BODY_SETTINGS:
        setattr(world[owner], setting, value)
    else:
        raise unknown_name(f"setting of the body {owner}", setting, BODY_SETTINGS)


def _split(world: World, path: str) -> tuple[str, str]:
    """The owner's name and the rest; an index of a name may have a point in it."""
    bodies, joints = world.roster.bodies, world.roster.joints
    actuators = world.actuators.definitions
    at = path.find(".")
    while at >= 0:
        owner = path[:at]
        if owner in bodies or owner in joints or owner in actuators:
            return owner, path[at + 1 :]
        at = path.find(".", at + 1)
    names = [*bodies, *joints, *actuators]
    if path in names:
        raise UsageError(f"what of {path}? A path is a name and a setting, such as `jet.enabled`")
    section, _, rest = path.partition(".")
    if section in ("bodies", "joints", "actuators") and rest.partition(".")[0] in names:
        raise UsageError(f"a path begins with the name: write {rest!r}, not {path!r}")
    raise unknown_name("body, joint or actuator", section, names)


def _set_joint(world: World, name: str, setting: str, value: Any) -> None:
    joint = world.joint(name)
    if setting not in JOINT_SETTINGS:
        raise unknown_name(f"setting of the joint {name}", setting, JOINT_SETTINGS)
    if setting == "limits":
        try:
            lower, upper = value
        except (TypeError, ValueError) as error:
            raise UsageError(f"limits are two numbers, got {shown(value)}") from error
        joint.set_limits(lower, upper)
    elif setting == "target":
        joint.set_target(value)
    else:
        joint.set_motor(**{setting.removeprefix("motor."): value})
