# SPDX-License-Identifier: MIT
"""The bodies of a world: handles by name, and the state of all as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, text
from ..errors import UnknownNameError
from .frames import poses, push_pulls
from .naming.handles import BodyHandle
from .naming.parts import WorldParts
from .removals import lineup, settled

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]


class Bodies(Mapping[str, BodyHandle]):
    """The bodies of a world, as a mapping of their names to handles, and as arrays.

    ``x``, ``y``, ``angle``, ``vx``, ``vy``, ``omega``, ``alive`` and ``awake`` are read-only views
    of the engine's own arrays, without a copy, one row per body in the order of ``scene.bodies``.
    Added bodies have rows behind these, ``world[name].row``; a row that is not ``alive`` is empty,
    and is reused.
    """

    __slots__ = ("_world",)

    def __init__(self, world: WorldParts) -> None:
        self._world = world

    def __repr__(self) -> str:
        return f"<{len(self)} bodies>"

    def __getitem__(self, name: str) -> BodyHandle:
        """The handle of a body. Raises UnknownNameError, also a KeyError."""
        return body_handle(self._world, name)

    def __contains__(self, name: object) -> bool:
        """Whether there is a body of that name, or the scene had one at the start."""
        return isinstance(name, str) and name in settled(self._world).bodies

    def __iter__(self) -> Iterator[str]:
        """The names of the bodies."""
        return iter(settled(self._world).bodies)

    def __len__(self) -> int:
        """Number of bodies, including removed bodies of the scene."""
        return len(settled(self._world).bodies)

    @property
    def added(self) -> list[str]:
        """The existing bodies that were added or spawned, in order of creation."""
        roster = settled(self._world)
        return [name for name in roster.bodies if name not in roster.scene.bodies]

    @property
    def x(self) -> Float64:
        """x of the bodies' origins."""
        return self._world.native.x[1:]

    @property
    def y(self) -> Float64:
        """y of the bodies' origins."""
        return self._world.native.y[1:]

    @property
    def angle(self) -> Float64:
        """Angles, in radians."""
        return self._world.native.angle[1:]

    @property
    def vx(self) -> Float32:
        """x of the velocities of the centres of mass."""
        return self._world.native.vx[1:]

    @property
    def vy(self) -> Float32:
        """y of the velocities of the centres of mass."""
        return self._world.native.vy[1:]

    @property
    def omega(self) -> Float32:
        """Angular velocities."""
        return self._world.native.omega[1:]

    @property
    def alive(self) -> NDArray[np.uint8]:
        """1 for existing bodies, 0 for removed ones."""
        return self._world.native.alive[1:]

    @property
    def awake(self) -> NDArray[np.uint8]:
        """1 for bodies that are awake, 0 for those at rest."""
        return self._world.native.awake[1:]

    @property
    def centers(self) -> Float64:
        """[bodies, 2] the centres of mass, each in its body's coordinates."""
        return lineup(self._world).centers

    @checked()
    def pose(self) -> Float64:
        """[bodies, 3] x, y and angle of every body's origin, in the order of ``scene``."""
        return poses(self._world, lineup(self._world))

    @checked()
    def push_pull(self) -> Float64:
        """[bodies] how hard bars are pushed together (above 0) or pulled apart; 0 for others."""
        return push_pulls(self._world, lineup(self._world))


def body_handle(world: WorldParts, name: str) -> BodyHandle:
    """The handle of a body. Raises UnknownNameError, also a KeyError."""
    if type(name) is str and world.native.removals == world.removals:
        # A name is given once.
        known: BodyHandle | None = world.handles.get(name) or world.added_handles.get(name)
        if known is not None:
            return known
    roster = settled(world)
    if text(name, "name") not in roster.bodies:
        if name in roster.joints:
            raise UnknownNameError(f"{name!r} is a joint; use world.joint({name!r})")
        raise roster.unknown("body", name, roster.bodies)
    handle = BodyHandle(world, name, roster.ids[name])
    handles = world.handles if name in roster.scene.bodies else world.added_handles
    handles[name] = handle
    return handle
