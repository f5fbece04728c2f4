# SPDX-License-Identifier: MIT
"""Sets of bodies that an action removes, moves or copies: of a name, or of a tag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...scene.action_model import TAGGED
from ...scene.basis import Fragment
from ...scene.blocks.placement import Placement
from ...scene.blocks.placing.placer import Placer
from ...scene.model import Body, Joint, Point
from ..building.joint_rows import lengths_as_set
from ..naming.named_parts import NamedParts
from ..naming.registry import Living
from ..naming.setters import is_there
from ..removals import settle


def members(world: NamedParts, what: str) -> list[str]:
    """The bodies that are there of a body, group, generator, instance or spawned copy, or of a
    tag, in the order of their births."""
    settle(world)
    roster = world.roster
    if what in roster.ids:
        names: Sequence[str] = (what,) if is_there(world, what) else ()
        return [*names]
    if what.startswith(TAGGED):
        names = [*roster.tagged.get(what.removeprefix(TAGGED), ())]
    elif what in roster.scene.groups:
        names = roster.scene.groups[what]
    else:
        names = [name for name in roster.ids if name.startswith((f"{what}.", f"{what}["))]
    return [name for name in names if name in roster.ids and is_there(world, name)]


@dataclass(frozen=True, slots=True)
class Shift:
    """The new pose of a set of bodies: rotated about a point, which is moved to another one."""

    about: Point
    to: Point
    angle: float
    velocity: Point | None

    @property
    def placement(self) -> Placement:
        """The same for a copy."""
        return Placement(at=self.to, pivot=self.about, angle=self.angle)


def move(world: NamedParts, names: Sequence[str], shift: Shift) -> None:
    """Move bodies as a rigid set; their velocities turn with them."""
    place = shift.placement
    for name in names:
        body = world[name]
        x, y = place.point(body.position)
        world.native.set_pose(body.id, x, y, body.angle + shift.angle)
        if body.type == "static":
            continue
        if shift.velocity is not None:
            body.velocity = shift.velocity
        elif shift.angle != 0.0:
            body.velocity = place.direction(body.velocity)


def copied(world: NamedParts, what: str, names: Sequence[str], name: str, shift: Shift) -> Fragment:
    """The bodies as they are now under other names, with the joints between them and to the world,
    and the actuators that act on them alone."""
    prefix = f"{what}."

    def called(old: str) -> str:
        if old == "world":
            return old
        if old == what:
            return name
        return f"{name}.{old.removeprefix(prefix) if old.startswith(prefix) else old}"

    roster, placer = world.roster, Placer(shift.placement, called, {}, {})
    living = Living(roster, world.native)
    bodies: dict[str, Body] = {}
    present: list[Body | Joint] = []  # which the placer tells apart by their identities
    for each in names:
        body = world[each]
        now = replace(
            living[each],
            velocity=body.velocity,
            angular_velocity=body.angular_velocity,
            awake=True,
        )
        present.append(now)
        made = placer.body(now)
        if shift.velocity is not None and made.kind != "static":
            made = replace(made, velocity=shift.velocity)
        bodies[made.name] = made
    own = {*names, "world"}
    joints: dict[str, Joint] = {}
    for old in [*roster.joints]:
        found = roster.joints[old]
        ends = {found.body_a, found.body_b}
        if not ends <= own or ends == {"world"} or not is_there(world, old):
            continue
        if any(called(link) not in joints for link in found.links):
            continue
        tied = joint_now(world, found)
        present.append(tied)
        joint = placer.joint(tied, bodies)
        turned = shift.angle * ((found.body_b != "world") - (found.body_a != "world"))
        joints[joint.name] = replace(joint, reference_angle=found.reference_angle + turned)
    actuators = {}
    for each, actuator in world.actuators.definitions.items():
        alone = actuator.bodies and {*actuator.bodies} <= own and not actuator.tags
        if alone and not world.actuators.is_gone(each):
            acts = placer.actuator(world.actuators.get(each))
            actuators[acts.name] = acts
    return Fragment(bodies, joints, actuators)


def joint_now(world: NamedParts, joint: Joint) -> Joint:
    """Return a joint with its settings during the run."""
    changed: dict[str, Any] = {}
    state = world.motors.get(joint.name)
    if state is not None and joint.motor is not None:
        goes = "position" if joint.motor.speed is None else "speed"
        to: dict[str, Any] = {goes: state.target}
        changed["motor"] = replace(
            joint.motor, max_force=state.strength, enabled=state.enabled, **to
        )
    if joint.name in world.springs:
        changed["spring"] = world.springs[joint.name]
    if joint.name in world.lengths:
        changed |= lengths_as_set(joint, *world.lengths[joint.name])
    if joint.name in world.targets:
        changed["anchor_a"] = world.targets[joint.name]
    return replace(joint, **changed) if changed else joint
