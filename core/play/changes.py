# SPDX-License-Identifier: MIT
"""Splits an edit of a scene into settings for the running world and changes that need a restart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..scene import limits
from ..scene.blocks.joints.types import JOINT_TYPES
from ..scene.blocks.settings.coordinates import split_axis
from ..scene.blocks.settings.joint_settings import joint_settings
from ..scene.blocks.settings.settable import ACTUATOR, OWNERS, SURFACE, find_owner
from ..scene.hashing import physics_hash
from ..scene.model import Actuator, Body, Joint, Material, Scene
from ..scene.script import InputEntry, TimedSetting, Value

BODY = ("gravity_scale", "linear_damping", "angular_damping")
"""Fields of a body that settings of the same name set."""
STATES = ("enabled", "impulse", "angular_impulse")
"""Fields of an actuator that are state of the run, or act at once."""

Settings = dict[str, Value]


def settings_between(old: Scene, new: Scene) -> Settings | None:
    """Settings that turn a running world of one scene into one of another; None if that takes more.

    It takes more where anything else decides how bodies move, as forms, masses and where they
    begin do, or where texts in the picture differ.
    """
    sections = ("bodies", "joints", "actuators", "materials")
    if any([*getattr(old, each)] != [*getattr(new, each)] for each in sections):
        return None
    sets: Settings = {}
    if new.world.gravity != old.world.gravity:
        sets["world.gravity"] = new.world.gravity
    materials = {
        name: _material(f"materials.{name}", given, new.materials[name], sets, old)
        for name, given in old.materials.items()
    }
    changed = replace(
        old,
        world=replace(old.world, gravity=new.world.gravity),
        materials=materials,
        bodies={
            name: _body(_of_materials(body, sets), new.bodies[name], sets)
            for name, body in old.bodies.items()
        },
        joints={n: _joint(joint, new.joints[n], sets) for n, joint in old.joints.items()},
        actuators={n: _actuator(each, new.actuators[n], sets) for n, each in old.actuators.items()},
    )
    alike = physics_hash(changed) == new.hash and old.annotations == new.annotations
    return sets if alike else None


def _material(path: str, old: Material, new: Material, sets: Settings, scene: Scene) -> Material:
    """A material with the surface of another one, where no body has others beside it."""
    mixed = any(
        len({shape.material.name for shape in body.shapes}) > 1 for body in scene.bodies.values()
    )
    different = {} if mixed else _differing(old, new, SURFACE)
    sets.update({f"{path}.{name}": value for name, value in different.items()})
    return replace(old, **different)


def _of_materials(body: Body, sets: Mapping[str, Value]) -> Body:
    """A body after its material was set."""
    shapes = []
    for shape in body.shapes:
        paths = {name: f"materials.{shape.material.name}.{name}" for name in SURFACE}
        new: Any = {name: sets[path] for name, path in paths.items() if path in sets}
        shapes.append(replace(shape, material=replace(shape.material, **new)) if new else shape)
    return replace(body, shapes=tuple(shapes))


def _body(old: Body, new: Body, sets: Settings) -> Body:
    different = _differing(old, new, BODY)
    surface: dict[str, Any] = {}
    for name in SURFACE:
        before = [getattr(shape.material, name) for shape in old.shapes]
        after = [getattr(shape.material, name) for shape in new.shapes]
        if before != after and len(set(after)) == 1:
            surface[name] = after[0]
    sets.update({f"{old.name}.{name}": v for name, v in {**different, **surface}.items()})
    shapes = old.shapes
    if surface:
        shapes = tuple(
            replace(shape, material=replace(shape.material, **surface)) for shape in shapes
        )
    return replace(old, shapes=shapes, **different)


def _joint(old: Joint, new: Joint, sets: Settings) -> Joint:
    different: dict[str, Any] = {}
    if old.motor is not None and new.motor is not None:
        wanted = _differing(old.motor, new.motor, ("speed", "position", "max_force", "enabled"))
        words = {"max_force": "max_torque"} if JOINT_TYPES[old.kind].turns else {}
        sets.update({f"{old.name}.motor.{words.get(n, n)}": v for n, v in wanted.items()})
        different["motor"] = replace(old.motor, **wanted)
    if old.kind in ("revolute", "prismatic"):
        wanted = _differing(old, new, ("limits",))
        sets.update({f"{old.name}.limits": v for v in wanted.values()})
        different |= wanted
    return replace(old, **different)


def _actuator(old: Actuator, new: Actuator, sets: Settings) -> Actuator:
    names = [name for name in ACTUATOR.get(old.kind, {}) if name not in STATES]
    different = _differing(old, new, names)
    sets.update({f"{old.name}.{name}": value for name, value in different.items()})
    return replace(old, **different)


def _differing(old: Any, new: Any, names: Any) -> dict[str, Any]:
    """Fields with another value; one that is missing on a side cannot be set."""
    pairs = {name: (getattr(old, name), getattr(new, name)) for name in names}
    return {n: b for n, (a, b) in pairs.items() if a != b and a is not None and b is not None}


def entries_in(
    scene: Scene,
    played: Sequence[InputEntry],
    cut: float,
    was_moved: Callable[[InputEntry], bool],
) -> tuple[InputEntry, ...]:
    """Inputs for an edited scene: those that were played, up to ``cut``.

    What was set comes from the scene itself, but for what was set by sliders.
    """
    own = [each for each in played if was_moved(each) or not isinstance(each, TimedSetting)]
    files = [each for each in scene.inputs if isinstance(each, TimedSetting) and each.at < cut]
    return (*files, *(each for each in own if is_known(each, scene)))


def is_known(entry: InputEntry, scene: Scene) -> bool:
    """Whether a scene has what an entry is about."""
    key = getattr(entry, "key", None)
    if key is not None:
        return key in scene.keys
    if isinstance(entry, TimedSetting):
        objects = {section: getattr(scene, section) for section in OWNERS}
        plain = {"world.gravity", *(f"materials.{m}.{s}" for m in scene.materials for s in SURFACE)}
        return all(path in plain or _may_be_set(path, objects) for path in entry.sets)
    body = scene.bodies.get(getattr(entry, "body", ""))
    return scene.reacts if body is None else body.kind == "dynamic"


def _may_be_set(path: str, objects: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether there is what a path names; a joint may have another motor than before."""
    found = find_owner(path, objects)
    if found is None:
        return False
    section, owner, name = found
    whole = split_axis(name)[0]
    return section != "joints" or whole in joint_settings(objects[section][owner])


def steps_of(time: float, scene: Scene) -> int:
    """The steps that a scene takes for a time, as many as there may be at most."""
    return round(min(time / scene.world.dt, float(limits.STEPS)))
