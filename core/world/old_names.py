# SPDX-License-Identifier: MIT
"""Members of a world by the names that they had before it had parts.

Each works as before and warns with the new name. Nothing in rigid uses them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, vector
from ..record.channels import Channel
from .bodies import Bodies, Float32, Float64
from .deprecation import RenamedValue, renamed, warn_of
from .event_queue import EventQueue
from .failures import raise_error
from .keys import Keys
from .naming.parts import Vector
from .naming.registry import Lineup
from .queries import Query
from .removals import lineup, settled
from .stepping import end_stretch, next_stop

Int32 = NDArray[np.int32]


class OldNames:
    """The old names of ``World``."""

    x: RenamedValue[Float64] = RenamedValue("bodies.x")
    y: RenamedValue[Float64] = RenamedValue("bodies.y")
    angle: RenamedValue[Float64] = RenamedValue("bodies.angle")
    vx: RenamedValue[Float32] = RenamedValue("bodies.vx")
    vy: RenamedValue[Float32] = RenamedValue("bodies.vy")
    omega: RenamedValue[Float32] = RenamedValue("bodies.omega")
    alive: RenamedValue[NDArray[np.uint8]] = RenamedValue("bodies.alive")
    awake: RenamedValue[NDArray[np.uint8]] = RenamedValue("bodies.awake")
    centers: RenamedValue[Float64] = RenamedValue("bodies.centers")
    born: RenamedValue[list[str]] = RenamedValue("bodies.added")

    pose = renamed("pose", "bodies.pose", Bodies.pose)
    push_pull = renamed("push_pull", "bodies.push_pull", Bodies.push_pull)
    ray_cast = renamed("ray_cast", "query.ray_cast", Query.ray_cast)
    overlap_box = renamed("overlap_box", "query.overlap_box", Query.overlap_box)
    overlap_circle = renamed("overlap_circle", "query.overlap_circle", Query.overlap_circle)
    overlap_point = renamed("overlap_point", "query.overlap_point", Query.overlap_point)
    contacts = renamed("contacts", "query.contacts", Query.contacts)
    press = renamed("press", "controls.press", Keys.press)
    release = renamed("release", "controls.release", Keys.release)
    take_warnings = renamed("take_warnings", "events.take_warnings", EventQueue.take_warnings)
    enable_birth_events = renamed(
        "enable_birth_events", "events.enable_births", EventQueue.enable_births
    )
    enable_contact_events = renamed(
        "enable_contact_events", "events.enable_contacts", EventQueue.enable_contacts
    )

    @checked(gravity=vector)
    def set_gravity(self: Any, gravity: Vector) -> None:
        """The old name of ``set`` for ``world.gravity``."""
        warn_of("set_gravity()", 'set("world.gravity", ...)', stacklevel=4)
        self.set("world.gravity", gravity)

    # ------------------------------------------------------------ of the library alone

    @checked()
    def lineup(self: Any) -> Lineup:
        """All members, in the order of ``scene``."""
        warn_of("lineup()", "scene", stacklevel=4)
        return lineup(self)

    def raise_error(self: Any) -> None:
        """Raise SimulationError when the engine has stopped on an error."""
        warn_of("raise_error()", "step(0)")
        raise_error(self)

    def next_stop(self: Any, end: int) -> int:
        """Execute what is due before the next step; return the step up to which to step."""
        warn_of("next_stop()", "step()")
        return next_stop(self, end)

    def end_stretch(self: Any) -> None:
        """Execute what is due after the steps up to the last ``next_stop``."""
        warn_of("end_stretch()", "step()")
        end_stretch(self)

    def channel_codes(self: Any, channels: Sequence[Channel]) -> Int32:
        """[channels, 2] the engine's code and index of each channel."""
        warn_of("channel_codes()", "roster.channel_codes()")
        return settled(self).channel_codes(channels)
