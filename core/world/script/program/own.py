# SPDX-License-Identifier: MIT
"""The objects of a prototype, by the names that the script of its copies uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ....record.channels import Channel, resolve_channels
from ....scene.basis import Fragment
from ....scene.blocks.joints.types import JOINT_TYPES
from ....scene.blocks.settings.joint_settings import LENGTHS
from ....scene.blocks.settings.settable import OWNERS, find_owner
from ....scene.event_model import Prototype
from ....scene.model import Joint, Scene
from ....scene.values.names import group_of
from .writer import NONE

FIRST = -3
"""The owner that is the first body of a copy, as ``first_own`` of ``native/script/values.h``."""


@dataclass(frozen=True, slots=True)
class OwnNames:
    """Joints of the copies of an original by their names.

    Attributes:
        motors, springs: those whose motors, and whose springs or lengths, are set.
        attached: the names of those that actions attach.
        watched: those whose removal events ask for: their places, their names, and whether these
            are of attached joints.
    """

    motors: tuple[str, ...] = ()
    springs: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()
    watched: tuple[tuple[int, str, bool], ...] = ()


@dataclass(slots=True)
class Own:
    """The objects of an original.

    Attributes:
        place: the place of the original in its program.
        copy: one copy, which is not moved.
        bodies, joints, actuators: the numbers of bodies and actuators, from ``FIRST`` down, and of
            joints.
        points: the named points of bodies.
        motors, springs: the places of the joints whose motors, and whose springs or lengths, are
            set, by their names.
        attached: the places of the names of joints that actions attach.
        ends: the joints whose removal events ask for, by the names of these events: places of
            joints, and behind these those of names.
    """

    scene: Scene
    place: int
    prototype: Prototype
    copy: Fragment
    scale: float
    mirror: Literal["x", "y"] | None
    bodies: Mapping[str, int] = field(init=False)
    joints: Mapping[str, int] = field(init=False)
    actuators: Mapping[str, int] = field(init=False)
    points: list[tuple[str, str]] = field(init=False)
    motors: dict[str, int] = field(default_factory=dict)
    springs: dict[str, int] = field(default_factory=dict)
    attached: Mapping[str, int] = field(init=False)
    ends: Mapping[str, tuple[int, ...]] = field(init=False)
    _objects: dict[str, Mapping[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        prototype = self.prototype
        self.bodies = {name: FIRST - i for i, name in enumerate(prototype.bodies)}
        bodies = prototype.bodies.items()
        self.points = [(name, point) for name, body in bodies for point in body.points]
        self.joints = {name: i for i, name in enumerate(prototype.joints)}
        self.actuators = {name: FIRST - i for i, name in enumerate(prototype.actuators)}
        actions = [action for rule in prototype.events for action in rule.actions]
        for each in prototype.controls.values():
            actions += each.all_actions
        names = dict.fromkeys(each.name for each in actions if each.kind == "attach")
        self.attached = {name: i for i, name in enumerate(names)}
        subjects = {rule.subject for rule in prototype.events if rule.kind == "deleted"}
        self.ends = {each: self._ends(each) for each in sorted(subjects - {""})}
        self._objects = {section: getattr(prototype, section) for section in OWNERS}
        self.scene = replace(
            self.scene,
            bodies=prototype.bodies,
            joints=prototype.joints,
            state={},
            actuators=prototype.actuators,
        )

    def _ends(self, subject: str) -> tuple[int, ...]:
        joints = [*self.prototype.joints]
        own = [i for i, name in enumerate(joints) if subject in (name, group_of(name))]
        if subject in self.attached:
            own.append(len(joints) + self.attached[subject])
        return tuple(own)

    @property
    def names(self) -> OwnNames:
        """The names behind the numbers of its joints."""
        joints = [*self.prototype.joints, *self.attached]
        watched = sorted({place for places in self.ends.values() for place in places})
        return OwnNames(
            tuple(self.motors),
            tuple(self.springs),
            tuple(self.attached),
            tuple([(place, joints[place], place >= len(self.joints)) for place in watched]),
        )

    def find(self, path: str) -> tuple[str, str, str] | None:
        """The section and the name of the owner of a path, and the rest; None for others."""
        return find_owner(path, self._objects)

    def way(self, joint: Joint, setting: str) -> int:
        """How numbers of a joint's setting become those of a copy: times its scale (0), in the
        opposite sense (1), or from the other end (2); NONE where they stay."""
        spec, motor = JOINT_TYPES[joint.kind], joint.motor
        if self.scale == 1.0 and self.mirror is None:
            return NONE
        turned = NONE if self.mirror is None else 1
        if setting in LENGTHS:
            return 0
        if setting == "limits":
            return turned if spec.angular else 0
        if motor is None or setting not in ("motor.speed", "motor.position"):
            return NONE
        relative = setting == "motor.position" and motor.relative
        if spec.turns:
            return 2 if relative and turned == 1 else turned
        return 0 if setting == "motor.position" and not relative else NONE

    def channel(self, name: str) -> Channel | None:
        """The channel of a name of the prototype; None for other names."""
        if self.find(name) is None:
            return None
        (channel,) = resolve_channels(self.scene, [name])
        return channel
