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
from .writer import NONE

FIRST = -3
"""The owner that is the first body of a copy, as ``first_own`` of ``native/script/values.h``."""


@dataclass(slots=True)
class Own:
    """The objects of an original.

    Attributes:
        place: the place of the original in its program.
        copy: one copy, which is not moved.
        bodies, joints: the numbers of bodies, from ``FIRST`` down, and of joints.
        motors, springs: the places of the joints whose motors, and whose springs or lengths, are
            set, by their names.
    """

    scene: Scene
    place: int
    prototype: Prototype
    copy: Fragment
    scale: float
    mirror: Literal["x", "y"] | None
    bodies: Mapping[str, int] = field(init=False)
    joints: Mapping[str, int] = field(init=False)
    motors: dict[str, int] = field(default_factory=dict)
    springs: dict[str, int] = field(default_factory=dict)
    _objects: dict[str, Mapping[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        prototype = self.prototype
        self.bodies = {name: FIRST - i for i, name in enumerate(prototype.bodies)}
        self.joints = {name: i for i, name in enumerate(prototype.joints)}
        self._objects = {section: getattr(prototype, section) for section in OWNERS}
        self.scene = replace(
            self.scene,
            bodies=prototype.bodies,
            joints=prototype.joints,
            state={},
            actuators=prototype.actuators,
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
