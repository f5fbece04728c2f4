# SPDX-License-Identifier: MIT
"""The objects of a prototype, by the names that the script of its copies uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ....record.channels import Channel, resolve_channels
from ....scene.basis import Fragment
from ....scene.blocks.settings.settable import OWNERS, find_owner
from ....scene.event_model import Prototype
from ....scene.model import Scene

FIRST = -3
"""The owner that is the first body of a copy, as ``first_own`` of ``native/script/values.h``."""


@dataclass(slots=True)
class Own:
    """The objects of an original.

    Attributes:
        place: the place of the original in its program.
        copy: one copy, which is not moved.
        bodies, joints: the numbers of bodies, from ``FIRST`` down, and of joints.
    """

    scene: Scene
    place: int
    prototype: Prototype
    copy: Fragment
    scale: float
    mirror: Literal["x", "y"] | None
    bodies: Mapping[str, int] = field(init=False)
    joints: Mapping[str, int] = field(init=False)
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

    def channel(self, name: str) -> Channel | None:
        """The channel of a name of the prototype; None for other names."""
        if self.find(name) is None:
            return None
        (channel,) = resolve_channels(self.scene, [name])
        return channel
