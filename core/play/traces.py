# SPDX-License-Identifier: MIT
"""Forces that pages plot: what they are, and the least and the largest since the last moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, isfinite, nan

from ..errors import UsageError
from ..record.channels import resolve_channels
from ..scene.blocks.joints.types import JOINT_TYPES
from ..scene.model import Actuator, Scene
from ..scene.values.portable_math import hypot
from ..world import World
from ..world.moments import ChannelReader
from ..world.removals import lineup

MOST = 500
"""Different ones that are asked for while a scene is played."""
CHANNELS = {
    **{"contact_force": "force", "motor_force": "motor_force", "motor_torque": "motor_force"},
    **{"kinetic": "kinetic_energy", "potential": "potential_energy", "energy": "energy"},
}
"""Those that the engine knows by its own words."""
NET = "net_force"
STEADY: dict[str, tuple[str, Callable[[Actuator], float]]] = {
    **dict.fromkeys(("thruster", "force"), ("force", lambda each: hypot(*each.force))),
    **dict.fromkeys(("torque", "rotary_motor"), ("torque", lambda each: each.torque)),
}
"""The quantity with which actuators of these types act."""


def traced(scene: Scene) -> dict[str, str]:
    """The forces of motors and of actuators, by the names of these."""
    found = {
        joint.name: "motor_torque" if JOINT_TYPES[joint.kind].turns else "motor_force"
        for joint in scene.joints.values()
        if joint.motor is not None
    }
    for each in scene.actuators.values():
        if each.kind in STEADY and not (each.kind == "rotary_motor" and each.speed is not None):
            found[each.name] = STEADY[each.kind][0]
    return found


class Traces:
    """The forces that pages want, step by step.

    Attributes:
        names: all that were ever wanted, in an order in which pages know them by numbers.
        wanted: those that somebody wants now.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.wanted: frozenset[str] = frozenset()
        self._ends: dict[str, tuple[float, float, float]] = {}
        self._for: tuple[object, ...] = ()
        self._readers: dict[str, Callable[[World], float]] = {}
        self._moved: dict[str, tuple[int, float, float]] = {}  # step and velocity of bodies

    def want(self, names: Iterable[str]) -> None:
        """Trace these from now on."""
        self.wanted = frozenset(names)
        new = sorted(self.wanted.difference(self.names))
        self.names += new[: MOST - len(self.names)]

    def see(self, world: World) -> None:
        """Note the forces of the last step."""
        if not self.wanted:
            return
        now = world, world.roster.version, self.wanted
        if self._for != now:
            self._for = now
            self._readers = {name: self._reader(world, name) for name in self.wanted}
        for name, read in self._readers.items():
            value = read(world)
            if isfinite(value):
                _, least, most = self._ends.get(name, (0.0, inf, -inf))
                self._ends[name] = value, min(least, value), max(most, value)

    def take(self) -> list[tuple[float, ...]]:
        """The number of each, what it is now, and its least and largest value."""
        ends, self._ends = self._ends, {}
        numbers = {name: number for number, name in enumerate(self.names)}
        return [(numbers[name], *found) for name, found in ends.items() if name in numbers]

    def _reader(self, world: World, name: str) -> Callable[[World], float]:
        owner, _, quantity = name.rpartition(".")
        scene = lineup(world).scene
        if owner in scene.actuators and scene.actuators[owner].kind in STEADY:
            return lambda now: _pushes(now, owner)
        if quantity == NET and owner in scene.bodies:
            return lambda now: self._net(now, owner)
        try:
            channels = resolve_channels(scene, [f"{owner}.{CHANNELS[quantity]}"])
        except (UsageError, KeyError):
            return lambda now: nan
        reader = ChannelReader(world, channels)
        return lambda now: float(reader.read(now)[0])

    def _net(self, world: World, name: str) -> float:
        """The mass of a body by how its velocity changed in the step."""
        body, step = world[name], world.step_count
        vx, vy = body.velocity
        before, ux, uy = self._moved.get(name, (-1, 0.0, 0.0))
        self._moved[name] = step, vx, vy
        if before != step - 1:
            return nan
        return body.mass * hypot(vx - ux, vy - uy) / world.roster.scene.world.dt


def _pushes(world: World, name: str) -> float:
    """The force or torque of an actuator; 0 while it does not act."""
    actuators = world.actuators
    if name not in actuators.names_acting(max(world.step_count - 1, 0)):
        return 0.0
    each = world.actuator(name).now
    return STEADY[each.kind][1](each)
