# SPDX-License-Identifier: MIT
"""Changes a running world by paths, such as ``jet.enabled`` or ``hinge.motor.speed``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...arguments import not_negative, number, shown, vector
from ...errors import UsageError, unknown_name
from ...scene.blocks.joints.types import JOINT_TYPES
from ...scene.blocks.settings.coordinates import ADDABLE, AXES, split_axis
from ...scene.blocks.settings.joint_settings import JOINT, LENGTHS
from ...scene.blocks.settings.settable import BODY, POOL, PROPERTIES, SURFACE, WORLD
from ...scene.surroundings_model import POOLS, surface_of
from ...scene.values.state_words import STATE
from .actuators import BLOWS
from .handles import lengths_of, motor_state, spring_of
from .named_parts import NamedParts
from .parts import WorldParts
from .ranges import OF_POOL, OF_WORLD, within

MATERIALS = "materials."


def apply_setting(world: NamedParts, path: str, value: Any) -> None:
    """Set a value of a body, joint or actuator. Raises UsageError for impossible settings."""
    owner, setting = split_path(world, path)
    if is_state(world, owner):
        _variables(world)[setting] = number(value, path)
        return
    whole, axis = split_axis(setting)
    if axis is not None and not owner.startswith(MATERIALS):
        pair = list(_pair(world, owner, whole))
        pair[axis] = number(value, path)
        setting, value, path = whole, tuple(pair), path[: -len(".x")]
    if owner.startswith(POOLS) and owner not in world.roster.bodies:
        _set_pool(world, owner.removeprefix(POOLS), setting, value)
    elif owner == "world":
        gravity = within(OF_WORLD["gravity"], vector(value, "gravity"), "gravity")
        world.native.set_gravity(*gravity)
    elif owner.startswith(MATERIALS):
        _set_material(world, owner.removeprefix(MATERIALS), setting, value)
    elif owner in world.actuators.definitions:
        world.actuator(owner).set(setting, value)
    elif owner in world.roster.joints:
        _set_joint(world, owner, setting, value)
    elif setting not in BODY:
        raise unknown_name(f"setting of the body {owner}", setting, tuple(BODY))
    elif setting in PROPERTIES:
        setattr(world[owner], setting, value)
    else:
        world[owner].set(setting, value)


def add_to_setting(world: NamedParts, path: str, value: Any) -> None:
    """Add to a number or a point of a body, joint or actuator.

    Raises UsageError for values without addition.
    """
    owner, setting = split_path(world, path)
    if is_state(world, owner):
        apply_setting(world, path, _variables(world)[setting] + number(value, path))
        return
    whole, axis = split_axis(setting)
    old = current(world, owner, whole)
    if isinstance(old, tuple) and axis is None:
        x, y = vector(value, path)
        apply_setting(world, path, (old[0] + x, old[1] + y))
    else:
        before = old[axis or 0] if isinstance(old, tuple) else old
        apply_setting(world, path, before + number(value, path))


def is_state(world: WorldParts, owner: str) -> bool:
    """Whether the owner of a setting is the scene's state, and no object of that name."""
    roster = world.roster
    objects = (roster.bodies, roster.joints, world.actuators.definitions)
    return owner == STATE and not any(owner in names for names in objects)


def _variables(world: NamedParts) -> dict[str, float]:
    """The state variables that events change; UsageError if nothing of the scene does."""
    reactions = None if world.script is None else world.script.reactions
    if reactions is None:
        raise UsageError(
            "nothing in the scene uses its state variables while it runs; set their values at the "
            "start by overrides, such as `state.hits=5`"
        )
    variables: dict[str, float] = reactions.acting.state
    return variables


def current(world: NamedParts, owner: str, setting: str) -> Any:
    """The present value of a setting; UsageError for one that cannot be read and added to."""
    if owner == "world" and setting in ADDABLE["world"]:
        return world.native.gravity()
    if owner.startswith(POOLS) and setting in ADDABLE["pools"]:
        return pool_number(world, owner.removeprefix(POOLS), setting)
    if owner in world.actuators.definitions and setting in ADDABLE["actuators"]:
        found = getattr(world.actuator(owner).now, BLOWS.get(setting, setting))
        if found is not None:
            return found
    elif owner in world.roster.joints and setting in ADDABLE["joints"]:
        return _of_joint(world, owner, setting)
    elif owner in world.roster.bodies and setting in ADDABLE["bodies"]:
        return getattr(world[owner], setting)
    raise UsageError(f"{setting} of {owner} can be set, and not added to")


def _of_joint(world: NamedParts, name: str, setting: str) -> Any:
    """The present value of a joint's setting, such as ``motor.speed`` or ``target``."""
    handle = world.joint(name)
    joint = handle.definition
    if setting == "target":
        if not JOINT_TYPES[joint.kind].has("target"):
            raise UsageError(f"joint {name!r} is no mouse; it has no target")
        return world.targets.get(name, joint.anchor_a)
    if setting in LENGTHS:
        return lengths_of(handle)[LENGTHS.index(setting)]
    if setting.startswith("spring."):
        return getattr(spring_of(handle), setting.removeprefix("spring.")) or 0.0
    if joint.motor is None:
        raise UsageError(f"joint {name!r} has no motor; give it one in the scene")
    state = motor_state(handle, joint.motor)
    return state.strength if "max_" in setting else state.target


def _pair(world: NamedParts, owner: str, setting: str) -> tuple[float, float]:
    found = current(world, owner, setting)
    if not isinstance(found, tuple):
        raise UsageError(f"{setting} of {owner} is one number; leave out the axis")
    return found


def split_path(world: NamedParts, path: str) -> tuple[str, str]:
    """The owner's name and the rest.

    A name may have points in it, also that of a piece, which begins with the name of its body: the
    longest one is meant.
    """
    bodies, joints = world.roster.bodies, world.roster.joints
    actuators = world.actuators.definitions
    at = path.rfind(".")
    while at >= 0:
        owner = path[:at]
        if owner in bodies or owner in joints or owner in actuators:
            return owner, path[at + 1 :]
        at = path.rfind(".", 0, at)
    owner, _, setting = path.rpartition(".")
    if path.startswith(POOLS):
        return _split_pool(world, owner, setting)
    if owner == "world" and setting in WORLD:
        return owner, setting
    if owner == "world.gravity" and setting in AXES:
        return "world", f"gravity.{setting}"
    if owner.removeprefix(MATERIALS) in world.roster.scene.materials and setting in SURFACE:
        return owner, setting
    section, _, rest = path.partition(".")
    state = world.roster.scene.state
    if section == STATE and state:
        if rest not in state:
            raise unknown_name("state variable", rest, state)
        return STATE, rest
    if rest and section == "world":
        pools = (each.name for each in world.roster.scene.world.pools)
        known = (*WORLD, *(f"pools.{name}" for name in pools))
        raise unknown_name("setting of the world", rest, known)
    if rest and section == "materials":
        raise _unknown_of_material(world, rest)
    names = [*bodies, *joints, *actuators]
    if path in names:
        raise UsageError(f"what of {path}? A path is a name and a setting, such as `jet.enabled`")
    if section in ("bodies", "joints", "actuators") and rest.partition(".")[0] in names:
        raise UsageError(f"a path begins with the name: write {rest!r}, not {path!r}")
    raise unknown_name("body, joint or actuator", section, names)


def _unknown_of_material(world: NamedParts, rest: str) -> UsageError:
    materials = world.roster.scene.materials
    name, _, setting = rest.rpartition(".")
    if name in materials:
        return unknown_name(f"setting of the material {name}", setting, tuple(SURFACE))
    return unknown_name("material", name or rest, materials)


def _split_pool(world: NamedParts, owner: str, setting: str) -> tuple[str, str]:
    pools = [pool.name for pool in world.roster.scene.world.pools]
    name = owner.removeprefix(POOLS)
    if name not in pools:
        raise unknown_name("pool", name, pools)
    if setting not in POOL:
        raise unknown_name(f"setting of the pool {name}", setting, tuple(POOL))
    return owner, setting


_POOL_NUMBERS = ("left", "bottom", "right", "top", "density", "damping", "drag")


def pool_side(world: WorldParts, name: str) -> str:
    """The side of a pool's surface: opposite to the initial gravity, or to its larger component.
    Raises UsageError without gravity."""
    surface = surface_of(world.roster.scene.world.gravity)
    if surface is None:
        raise UsageError(f"without gravity the pool {name!r} has no surface to set")
    return {(1, True): "top", (1, False): "bottom", (0, True): "right", (0, False): "left"}[surface]


def pool_index(world: WorldParts, name: str) -> int:
    """The engine's number of a pool."""
    return [pool.name for pool in world.roster.scene.world.pools].index(name)


def pool_number(world: WorldParts, name: str, setting: str) -> float:
    """The present density, damping, drag or level of a pool."""
    numbers = world.native.pool(pool_index(world, name))
    side = pool_side(world, name) if setting == "level" else setting
    return numbers[_POOL_NUMBERS.index(side)]


def _set_pool(world: NamedParts, name: str, setting: str, value: Any) -> None:
    index = pool_index(world, name)
    now = dict(zip(_POOL_NUMBERS, world.native.pool(index), strict=True))
    if setting == "level":
        side = pool_side(world, name)
        level = within(OF_POOL[setting], number(value, "level"), "level")
        # Beyond the other side the pool is empty.
        bounds = {"top": max, "right": max, "bottom": min, "left": min}
        other = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}[side]
        now[side] = bounds[side](level, now[other])
    else:
        now[setting] = within(OF_POOL[setting], not_negative(value, setting), setting)
    world.native.set_pool(index, *now.values())


def _set_material(world: NamedParts, name: str, setting: str, value: Any) -> None:
    for body in world.scene.bodies.values():
        handle = world[body.name]
        if handle.alive and any(shape.material.name == name for shape in body.shapes):
            handle.set(setting, value)


def _set_joint(world: NamedParts, name: str, setting: str, value: Any) -> None:
    joint = world.joint(name)
    if setting not in JOINT:
        raise unknown_name(f"setting of the joint {name}", setting, JOINT)
    if setting == "limits":
        try:
            lower, upper = value
        except (TypeError, ValueError) as error:
            raise UsageError(f"limits are two numbers, got {shown(value)}") from error
        joint.set_limits(lower, upper)
    elif setting == "target":
        joint.set_target(value)
    elif setting == "min_length":
        joint.set_lengths(shortest=value)
    elif setting == "max_length":
        joint.set_lengths(longest=value)
    elif setting.startswith("spring."):
        changed: Any = {setting.removeprefix("spring."): number(value, setting)}
        joint.set_spring(replace(spring_of(joint), **changed))
    else:
        joint.set_motor(**{setting.removeprefix("motor."): value})
